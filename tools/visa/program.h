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
 * The program of a kernel, which is one of @object; NULL with an error, where
 * it has what no program has.
 *
 * Messages alone make a program of kind VEU_PROGRAM_MESSAGES, without labels,
 * lines, lifetimes and the ret at the end. With any other instruction it is one
 * of kind VEU_PROGRAM_INSTRUCTIONS, with the functions of the object.
 */
GByteArray *visa_program_write(const VisaObject *object,
                               const VisaRoutine *routine, uint32_t grf_bytes,
                               VisaError *error);

/* False with a warning where the device would refuse this kernel's program. */
bool visa_program_check(const GByteArray *program, const VisaObject *object,
                        const VisaRoutine *routine, VisaError *warning);

/* Returns true if the bytes begin like a program. */
bool visa_is_program(const uint8_t *bytes, size_t byte_count);
/* An object with one kernel; NULL with an error. *grf_bytes: its registers. */
VisaObject *visa_program_read(const uint8_t *bytes, size_t byte_count,
                              uint32_t *grf_bytes, VisaError *error);

/* Where the variables of a kernel are in the register file. */
typedef struct VisaLayout {
    uint32_t *register_byte; /* of each variable, from the first declared on */
    uint32_t bytes;          /* of them all */
    uint32_t grf_bytes;
    bool predefined[32]; /* those that the program has */
    uint32_t predefined_byte[32];
} VisaLayout;

/*
 * The program of kind VEU_PROGRAM_INSTRUCTIONS of what was linked, with
 * variables where @layout has them; NULL with an error.
 */
GByteArray *visa_program_of(const VisaLinked *linked, const VisaLayout *layout,
                            VisaError *error);

/* Bytes of a variable. */
uint64_t visa_symbol_bytes(const VisaSymbol *symbol);
/*
 * Inputs are where .input says; others follow them, each aligned as declared.
 * The predefined variables in @predefined[32] have a place: %r0 is
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
