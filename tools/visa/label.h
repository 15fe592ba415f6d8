/*
 * veu tools: labels of a kernel, and the strings that instructions name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A label gets its id where its name first occurs: in a branch, in .function,
 * or at its place. .function declares that it is a subroutine's.
 */
#ifndef VEU_TOOLS_VISA_LABEL_H
#define VEU_TOOLS_VISA_LABEL_H

#include "tools/visa/operand.h"

/* Reads a name or a string: labels may contain characters that words do not. */
bool visa_take_name(VisaParser *parser, VisaToken *name);
/* The id of the label @name, which is created if it does not exist. */
bool visa_label_id(VisaParser *parser, const VisaToken *name, uint32_t *id);
/* Places the label here. Returns false if it already has a place. */
bool visa_place_label(VisaParser *parser, const VisaToken *name, uint32_t id);
/* Returns false with an error at the first use of a label that has no place. */
bool visa_check_labels(const VisaSymbols *symbols, VisaError *error);

#endif
