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

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/program.h"

/* Decodes lanes in the register file, by VeuFieldInfo.types and .extent. */
bool veu_decode_raw(const VeuProgram *program, const VeuEncoding *encoding,
                    VeuField field, VeuMessage *message, VeuFault *fault);

/* Places the message's channels: the lanes of each begin at a register. */
void veu_place_channels(const VeuProgram *program, VeuMessage *message,
                        unsigned element_bytes);

/* Like veu_decode_raw(), for data of channels: a sampler's may be halves. */
bool veu_decode_channel_data(const VeuProgram *program,
                             const VeuEncoding *encoding, VeuField field,
                             VeuMessage *message, VeuFault *fault);

/* Like veu_decode_raw(), for a source of an atomic operation. */
bool veu_decode_source(const VeuProgram *program, const VeuEncoding *encoding,
                       VeuField field, VeuMessage *message, VeuFault *fault);

/* Decodes one integer, in a register or immediate. */
bool veu_decode_scalar(const VeuProgram *program, const VeuEncoding *encoding,
                       VeuField field, VeuMessage *message, VeuFault *fault);

/* Decodes the offsets that a sampler adds to coordinates: they must be 0. */
bool veu_decode_texel_offsets(const VeuProgram *program,
                              const VeuEncoding *encoding, VeuField field,
                              VeuMessage *message, VeuFault *fault);

#endif
