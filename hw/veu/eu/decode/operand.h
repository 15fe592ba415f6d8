/*
 * veu execution unit: decoding of operands of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * These are values of VeuFieldInfo.decode. The differences between operands are
 * in the rows of field.c.
 */
#ifndef VEU_EU_OPERAND_H
#define VEU_EU_OPERAND_H

#include "hw/veu/eu/decode/field_decoder.h"

/* Decodes lanes in the register file, by VeuFieldInfo.types and .extent. */
bool veu_decode_raw(const VeuFieldDecoder *d);

/* Places the message's channels: the lanes of each begin at a register. */
void veu_place_channels(const VeuProgram *program, VeuMessage *message,
                        unsigned element_bytes);

/* Like veu_decode_raw(), for data of channels: a sampler's may be halves. */
bool veu_decode_channel_data(const VeuFieldDecoder *d);

/* Like veu_decode_raw(), for a source of an atomic operation. */
bool veu_decode_source(const VeuFieldDecoder *d);

/* Decodes one integer, in a register or immediate. */
bool veu_decode_scalar(const VeuFieldDecoder *d);

/* Decodes the offsets that a sampler adds to coordinates: they must be 0. */
bool veu_decode_texel_offsets(const VeuFieldDecoder *d);

#endif
