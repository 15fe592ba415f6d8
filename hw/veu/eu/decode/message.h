/*
 * veu execution unit: decoding of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_DECODE_MESSAGE_H
#define VEU_EU_DECODE_MESSAGE_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/program/program.h"

/* Decodes the message at code + offset; *next is the offset after it. */
bool veu_message_decode(const VeuProgram *program, const uint8_t *code,
                        uint32_t code_bytes, uint32_t offset,
                        VeuMessage *message, uint32_t *next, VeuFault *fault);

/* Returns how closely @b follows @a, the message before it in a program. */
VeuFollows veu_message_follows(const VeuMessage *a, const VeuMessage *b);

#endif
