/*
 * veu tools: instructions as bytes and as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Messages have a table of their own (tools/visa/message_text.h); all other
 * instructions are rows of hw/veu/eu/instruction. This header is about the
 * places of such a row's operands in the bytes, and about translating lines of
 * text to bytes.
 */
#ifndef VEU_TOOLS_VISA_INSTRUCTION_H
#define VEU_TOOLS_VISA_INSTRUCTION_H

#include "hw/veu/eu/instruction/encoding.h"
#include "tools/visa/bytes.h"
#include "tools/visa/operand.h"

/* Opcodes that structure the code. */
enum {
    VISA_OPCODE_SUBROUTINE = 0x30,
    VISA_OPCODE_LABEL = 0x31,
};

/* Opcodes that take addresses of functions and variables. */
enum {
    VISA_OPCODE_MOV = 0x29,
    VISA_OPCODE_FADDR = 0x50,
};

/*
 * An operand in the bytes of an instruction. Its kind is a letter: e execution
 *   size (1 byte)     p predicate (2) v vector operand (3 to 10)    r raw
 *   operand (6) b w d  a number of 1, 2, 4 bytes s surface (1)
 *   m sampler (1) l label (2)                   n N  name: index of a string
 *   (2, 4) # a count (1) of the raw operands or labels that follow
 * The column `listed` of a row has these letters in the order of the bytes, and
 * besides
 *   R L  as many raw operands or labels as the count says ?xK  operand K only
 *   if bit x (hexadecimal) of the last w is set @nK  operand K only in layout n
 *   and those after it
 */
typedef struct VisaOperand {
    char kind;
    uint32_t at; /* in the instruction */
    uint32_t bytes;
} VisaOperand;

#define VISA_MAX_OPERANDS (16 + 255)

/*
 * Compilers of version 4.1 have encoded some instructions in several ways, and
 * the object does not say in which: until March 2023 (0), with offsets in typed
 * messages (1), in 2D blocks (2), with surface indexes (3), with uniform calls
 * (4), and as documented (5). Text is assembled to layout 0, which is read by
 * the compilers that write such text.
 */
#define VISA_LAYOUTS 6

/*
 * Finds the operands of the instruction at @code, which @info describes.
 * Returns its length, or 0 if it is truncated or an operand is illegal.
 */
uint32_t visa_walk(const VeuInstructionInfo *info, uint8_t layout,
                   const uint8_t *code, uint32_t bytes, VisaOperand *operands,
                   unsigned *operand_count);

/* The layout in which all of the routine's code, or most of it, can be read. */
uint8_t visa_find_layout(const VisaRoutine *routine);

/*
 * The length of any instruction, including messages, or 0 if it is unknown.
 * @layout is that of its routine.
 */
uint32_t visa_instruction_bytes(uint8_t layout, const uint8_t *code,
                                uint32_t bytes);

/*
 * Calls @visit for each operand of a kind, such as 'l', of the instruction at
 * @code; messages have no operands that are indexes into tables. Returns the
 * instruction's length, or 0 if it is unknown.
 */
uint32_t visa_visit(uint8_t layout, uint8_t *code, uint32_t bytes,
                    const char *kinds,
                    void (*visit)(void *opaque, char kind, uint8_t *at),
                    void *opaque);

/* Reads the vector operand at the lexer's position, of any class. */
bool visa_parse_vector(VisaParser *parser, VeuEncodedVector *vector);
/* &V32, &V32[64]: the address of a part of a variable. */
bool visa_parse_address_of(VisaParser *parser, VeuEncodedVector *vector);
/* Prints a vector operand; a destination's saturation is a suffix. */
bool visa_print_vector(VisaPrinter *printer, const VeuEncodedVector *vector);
/* Prints it as the address of a part of a variable. */
bool visa_print_address_of(VisaPrinter *printer,
                           const VeuEncodedVector *vector);

/*
 * Reads the instruction at the lexer's position, or the message, up to the end
 * of the line, and appends its bytes to @code. Accepts whatever can be encoded,
 * whether or not it can be executed.
 */
bool visa_parse_instruction(VisaParser *parser, GByteArray *code);

/*
 * Prints the instruction at @code as text. Returns false with an error if it
 * has no text. Sets *length to its length, or 0 if that is unknown.
 */
bool visa_print_instruction(VisaPrinter *printer, uint8_t layout,
                            const uint8_t *code, uint32_t bytes,
                            uint32_t *length);

#endif
