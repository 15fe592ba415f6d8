/*
 * veu tools: from objects and instructions to vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_DISASSEMBLE_H
#define VEU_TOOLS_VISA_DISASSEMBLE_H

#include "tools/visa/operand.h"

/* Returns the text of an object, which the caller frees. */
char *visa_disassemble(const VisaObject *object);

/*
 * Returns the text of one instruction and nothing else, or NULL with an error.
 */
char *visa_disassemble_line(const uint8_t *code, uint32_t bytes,
                            VisaNames *names, VisaError *error);

/* Prints the declarations of a kernel or function, one per line. */
void visa_print_declarations(VisaPrinter *printer, const VisaRoutine *routine);
/* Prints a string with its quotes. */
void visa_print_string(GString *out, const uint8_t *bytes, size_t count);

#endif
