/*
 * veu tools: vISA instructions that veu does not execute: the table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_VISA_FOREIGN_TABLE_H
#define VEU_TOOLS_VISA_FOREIGN_TABLE_H

#include "tools/visa/foreign.h"

extern const VisaForeign visa_foreign_table[];
extern const unsigned visa_foreign_count;

#endif
