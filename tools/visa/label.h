/*
 * veu tools: labels of a kernel, and the strings that instructions name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A label has an id from where its name stands first: in a branch, in
 * .function, or where it is. .function says that it is a subroutine's.
 */
#ifndef VEU_TOOLS_VISA_LABEL_H
#define VEU_TOOLS_VISA_LABEL_H

#include "tools/visa/operand.h"

/* Reads a name or a string: labels have characters that words lack. */
bool visa_take_name(VisaParser *parser, VisaToken *name);
/* The id of the label @name, which is made where there is none. */
bool visa_label_id(VisaParser *parser, const VisaToken *name, uint32_t *id);
/* The label is here; false where it was somewhere before. */
bool visa_place_label(VisaParser *parser, const VisaToken *name, uint32_t id);
/* False with an error at the first use of a label that is nowhere. */
bool visa_check_labels(const VisaSymbols *symbols, VisaError *error);

#endif
