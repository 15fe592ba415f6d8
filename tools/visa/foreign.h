/*
 * veu tools: vISA instructions that veu does not execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Their names and operands, so that a whole kernel can be listed: the length
 * of an instruction is the sum of its operands.
 */
#ifndef VEU_TOOLS_VISA_FOREIGN_H
#define VEU_TOOLS_VISA_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/visa/object.h"

/*
 * Operands, in binary order:
 *   e execution size (1 byte)     p predicate (2)
 *   v vector operand (3 to 10)    r raw operand (6)
 *   b w d  a number of 1, 2, 4 bytes
 *   s surface (1)                 m sampler (1)
 *   l label (2)                   n N  name: index of a string (2, 4)
 *   # a count (1)                 R L  so many raw operands, labels
 *   ?xK  operand K only if bit x (hexadecimal) of the last w is set
 *   @nK  operand K only in layout n and those behind it
 */
typedef struct VisaForeign {
    uint8_t opcode;
    int16_t sub; /* sub-opcode, behind the opcode; or -1 */
    const char *name;
    const char *operands;
} VisaForeign;

/*
 * Compilers of version 4.1 wrote some instructions in more than one way, and
 * the object does not say which: until March 2023 (0), with offsets in typed
 * messages (1), in 2D blocks (2), with surface indexes (3), with uniform calls
 * (4), and as it is documented (5).
 */
#define VISA_FOREIGN_LAYOUTS 6

/* The row for the instruction at @code, or NULL. */
const VisaForeign *visa_foreign_find(const uint8_t *code, uint32_t bytes);

/* By its name; NULL where there is none. */
const VisaForeign *visa_foreign_by_name(const char *name);

/* An operand of an instruction. */
typedef struct VisaForeignOperand {
    char kind;   /* a letter of the above */
    uint32_t at; /* in the code */
    uint32_t bytes;
} VisaForeignOperand;

#define VISA_FOREIGN_MAX_OPERANDS (16 + 255)

/*
 * Finds the operands of the instruction at @code; false where its bytes end
 * before it does, or where it cannot be known where they are.
 */
bool visa_foreign_parse(const VisaForeign *foreign, uint8_t layout,
                        const uint8_t *code, uint32_t bytes,
                        VisaForeignOperand *operands, unsigned *operand_count,
                        uint32_t *length);

/* The layout in which the routine's code can be read, all or the most of it. */
uint8_t visa_foreign_layout(const VisaRoutine *routine);

/* Bytes of the vector operand at @code; 0 where it is none. */
uint32_t visa_vector_bytes(const uint8_t *code, uint32_t bytes);

#endif
