/*
 * veu tools: from vISA text to objects and instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_ASSEMBLE_H
#define VEU_TOOLS_VISA_ASSEMBLE_H

#include "tools/visa/operand.h"

/* The object of a text, or NULL with an error. %sizeof(GRF) is @grf_bytes. */
VisaObject *visa_assemble(const char *text, unsigned grf_bytes,
                          VisaError *error);

#endif
