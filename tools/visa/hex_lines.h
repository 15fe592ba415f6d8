/*
 * veu tools: one instruction per line, for veu-as --hex and veu-dis --hex.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_HEX_LINES_H
#define VEU_TOOLS_VISA_HEX_LINES_H

#include "tools/visa/error.h"

/*
 * Read lines from standard input and answer each immediately with a line:
 * hexadecimal bytes for text, or text for bytes, or "error: " and a reason.
 * @declarations are .decl lines, or NULL, so that V32 is id 32 and so on.
 * Return false with an error if they are wrong.
 */
bool visa_hex_assemble(const char *declarations, unsigned grf_bytes,
                       VisaError *error);
bool visa_hex_disassemble(const char *declarations, unsigned grf_bytes,
                          VisaError *error);

#endif
