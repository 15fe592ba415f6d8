/*
 * veu tools: from vISA text to objects and instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_VISA_ASSEMBLE_H
#define VEU_TOOLS_VISA_ASSEMBLE_H

#include "tools/visa/operand.h"

/* The object of a text; NULL with an error. %sizeof(GRF) is @grf_bytes. */
VisaObject *visa_assemble(const char *text, unsigned grf_bytes,
                          VisaError *error);

/* Reads the .decl lines of @text into @symbols; other directives are left. */
bool visa_read_declarations(const char *text, VisaSymbols *symbols,
                            VisaError *error);

/* The bytes of a message that stands alone on a line; NULL with an error. */
GByteArray *visa_assemble_line(const char *line, VisaSymbols *symbols,
                               VisaError *error);

#endif
