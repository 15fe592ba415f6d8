/*
 * veu tools: the places of a message's fields in its text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "tools/visa/message_text.h"

const VisaFenceBit visa_fence_bits[VISA_FENCE_BITS] = {
    { "E", 0x01 }, { "I", 0x02 }, { "S", 0x04 },
    { "C", 0x08 }, { "R", 0x10 }, { "L1", 0x40 },
};

const uint8_t *visa_text_operands(const VeuMessageInfo *info)
{
    return info->text_operands[0] != VEU_FIELD_END ? info->text_operands :
                                                     info->fields;
}

static bool stands_in(VeuField field, VeuText first, VeuText last)
{
    VeuText text = veu_fields[field].text;

    return text >= first && text <= last;
}

bool visa_is_suffix(VeuField field)
{
    return stands_in(field, VEU_TEXT_SUFFIX, VEU_TEXT_MODE);
}

bool visa_is_size(VeuField field)
{
    return stands_in(field, VEU_TEXT_LANES, VEU_TEXT_EXTENT);
}

bool visa_is_operand(VeuField field)
{
    return stands_in(field, VEU_TEXT_SURFACE, VEU_TEXT_RAW);
}

bool visa_has_field(const VeuMessageInfo *info, VeuField field)
{
    const uint8_t *f = info->fields;

    while (*f != VEU_FIELD_END && *f != field) {
        f++;
    }
    return *f == field;
}
