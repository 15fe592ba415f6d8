/*
 * veu tools: bytes of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_BYTES_H
#define VEU_TOOLS_VISA_BYTES_H

#include <glib.h>
#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/message/message.h"

/* Appends the @count low bytes of @value, low byte first. */
void visa_put(GByteArray *out, uint64_t value, unsigned count);
void visa_put_raw(GByteArray *out, const VeuEncodedRaw *raw);
void visa_put_vector(GByteArray *out, const VeuEncodedVector *vector);
/* Reads the raw operand at @at, which has 6 bytes. */
VeuEncodedRaw visa_take_raw(const uint8_t *at);

#endif
