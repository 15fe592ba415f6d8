/*
 * veu tools: bytes of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "tools/visa/bytes.h"

void visa_put(GByteArray *out, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t byte = value >> (8 * i);

        g_byte_array_append(out, &byte, 1);
    }
}

void visa_put_raw(GByteArray *out, const VeuEncodedRaw *raw)
{
    visa_put(out, raw->id, 4);
    visa_put(out, raw->offset_byte, 2);
}

void visa_put_vector(GByteArray *out, const VeuEncodedVector *vector)
{
    uint8_t bytes[VEU_VECTOR_MAX_BYTES];

    g_byte_array_append(out, bytes, veu_vector_write(vector, bytes));
}

VeuEncodedRaw visa_take_raw(const uint8_t *at)
{
    return (VeuEncodedRaw){
        .id = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24,
        .offset_byte = at[4] | at[5] << 8,
    };
}
