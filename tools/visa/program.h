/*
 * veu tools: device programs (include/veu/program.h) from vISA, and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_PROGRAM_H
#define VEU_TOOLS_VISA_PROGRAM_H

#include "tools/visa/link.h"
#include "tools/visa/object.h"

/*
 * Returns the program of a kernel of @object, or NULL with an error if it
 * contains what no program can have. Messages alone make a program of kind
 * VEU_PROGRAM_MESSAGES, without labels, lines, lifetimes and the final ret.
 * With any other instruction, the program is of kind VEU_PROGRAM_INSTRUCTIONS,
 * with the functions of the object.
 */
GByteArray *visa_program_write(const VisaObject *object,
                               const VisaRoutine *routine, uint32_t grf_bytes,
                               VisaError *error);

/*
 * Returns false with a warning if the device would refuse this kernel's
 * program.
 */
bool visa_program_check(const GByteArray *program, const VisaObject *object,
                        const VisaRoutine *routine, VisaError *warning);

/* Returns true if the bytes begin like a program. */
bool visa_is_program(const uint8_t *bytes, size_t byte_count);
/*
 * Returns an object with one kernel, or NULL with an error. *grf_bytes is the
 * size of its registers.
 */
VisaObject *visa_program_read(const uint8_t *bytes, size_t byte_count,
                              uint32_t *grf_bytes, VisaError *error);

/* The places of a kernel's variables in the register file. */
typedef struct VisaLayout {
    /* of each variable, from the first declared one on */
    uint32_t *register_byte;
    uint32_t bytes; /* of them all */
    uint32_t grf_bytes;
    bool predefined[32]; /* the predefined variables of the program */
    uint32_t predefined_byte[32];
} VisaLayout;

/*
 * Returns the program of kind VEU_PROGRAM_INSTRUCTIONS for a linked routine,
 * with variables placed by @layout, or NULL with an error.
 */
GByteArray *visa_program_of(const VisaLinked *linked, const VisaLayout *layout,
                            VisaError *error);

/* The size of a variable, bytes. */
uint64_t visa_symbol_bytes(const VisaSymbol *symbol);
/*
 * Inputs are placed by .input; other variables follow them, each aligned as
 * declared. The predefined variables in @predefined[32] have a place: %r0 is
 * register 0, and the others follow the inputs.
 */
bool visa_layout(VisaLayout *layout, const VisaRoutine *routine,
                 uint32_t grf_bytes, const bool *predefined, VisaError *error);
void visa_layout_free(VisaLayout *layout);

/* Ids of predefined variables. */
enum {
    VISA_ID_NULL = 0,
    VISA_ID_R0 = 7,
};

#endif
