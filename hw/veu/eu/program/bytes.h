/*
 * veu execution unit: numbers in the bytes of messages and instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef HW_VEU_EU_PROGRAM_BYTES_H
#define HW_VEU_EU_PROGRAM_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "veu/program.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "fields are copied as they stand in the encoding");

/* The unread part of a message or an instruction. */
typedef struct VeuCursor {
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at; /* at most @bytes */
    bool failed; /* a number would have ended after @bytes */
} VeuCursor;

/*
 * Returns the next number, of @bytes bytes; reading past the end yields 0 and
 * fails. Inline, so that @bytes is a constant and this becomes a load.
 */
static inline uint64_t veu_take(VeuCursor *c, unsigned bytes)
{
    uint64_t value = 0;

    if (c->bytes - c->at < bytes) {
        c->failed = true;
        return 0;
    }
    memcpy(&value, c->code + c->at, bytes);
    c->at += bytes;
    return value;
}

/* The bytes written so far. */
typedef struct VeuOutput {
    uint8_t *code;
    uint32_t bytes;
} VeuOutput;

static inline void veu_put(VeuOutput *out, uint64_t value, unsigned bytes)
{
    memcpy(out->code + out->bytes, &value, bytes);
    out->bytes += bytes;
}

/* Immediates of 64-bit types take 8 bytes, all others 4. */
static inline unsigned veu_immediate_bytes(uint8_t type)
{
    return type == VEU_TYPE_DF || type == VEU_TYPE_UQ || type == VEU_TYPE_Q ?
               8 :
               4;
}

/* Returns the next number, an immediate of @type. */
static inline uint64_t veu_take_immediate(VeuCursor *c, uint8_t type)
{
    return veu_immediate_bytes(type) == 8 ? veu_take(c, 8) : veu_take(c, 4);
}

#endif
