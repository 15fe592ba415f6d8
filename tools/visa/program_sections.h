/*
 * veu tools: the sections that only programs of instructions have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_PROGRAM_SECTIONS_H
#define VEU_TOOLS_VISA_PROGRAM_SECTIONS_H

#include "tools/visa/link.h"
#include "tools/visa/program.h"

/* Each returns the bytes of a section (include/veu/program.h). */
GByteArray *visa_labels_section(const VisaLinked *linked);
GByteArray *visa_predefined_section(const VisaLayout *layout);
/* A surface variable initially holds its index in the table of the dispatch. */
GByteArray *visa_states_section(const VisaLinked *linked);
GByteArray *visa_functions_section(const VisaLinked *linked);

#endif
