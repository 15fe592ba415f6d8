/*
 * veu tools: reading suffixes and sizes of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_MESSAGE_SUFFIX_H
#define VEU_TOOLS_VISA_MESSAGE_SUFFIX_H

#include "tools/visa/operand.h"

/* A field that is a suffix: .4, .RGBA, .add.16, .nomod */
bool visa_parse_suffix(VisaParser *parser, VeuEncoding *encoding,
                       VeuField field);
/* A field that is the size: (M1, 16), (4), (32, 8) */
bool visa_parse_size_field(VisaParser *parser, VeuEncoding *encoding,
                           VeuField field);
/* RGBA, or some of these letters in this order. */
bool visa_parse_channels(VisaParser *parser, uint16_t *mask);
/* (M1, 16), for a field with numbers of lanes. */
bool visa_parse_lanes(VisaParser *parser, VeuField field, uint16_t *lanes);
/* The options of a fence: .EISCRL1 */
bool visa_parse_fence(VisaParser *parser, uint16_t *mask);

#endif
