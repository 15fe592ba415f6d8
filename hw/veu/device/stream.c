/*
 * veu device model: pieces of a saved state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/stream.h"

bool veu_stream_refuse(VeuStream *s, const char *why)
{
    if (!s->error) {
        s->error = why;
    }
    return false;
}

bool veu_stream_bytes(VeuStream *s, void *data, uint32_t bytes)
{
    return !s->error && (s->move(s, data, bytes) ||
                         veu_stream_refuse(s, "the stream ends early"));
}

bool veu_stream_u32(VeuStream *s, uint32_t *value)
{
    return veu_stream_bytes(s, value, sizeof(*value));
}

bool veu_stream_u64(VeuStream *s, uint64_t *value)
{
    return veu_stream_bytes(s, value, sizeof(*value));
}

bool veu_stream_upto(VeuStream *s, uint32_t *value, uint32_t limit,
                     const char *why)
{
    return veu_stream_u32(s, value) &&
           (*value <= limit || veu_stream_refuse(s, why));
}

bool veu_stream_bool(VeuStream *s, bool *value)
{
    uint32_t number = *value;

    if (!veu_stream_upto(s, &number, 1, "a flag is neither 0 nor 1")) {
        return false;
    }
    *value = number;
    return true;
}

bool veu_stream_same(VeuStream *s, uint32_t value, const char *why)
{
    uint32_t other = value;

    return veu_stream_u32(s, &other) &&
           (other == value || veu_stream_refuse(s, why));
}

/*
 * Returns true if a register can hold the value: a driver may write it, or the
 * device count it.
 */
static bool fits(const VeuRegister *row, uint64_t value)
{
    uint64_t bits = row->bytes == 4 ? UINT32_MAX : UINT64_MAX;

    return row->access == VEU_REGISTER_RO ? (value & ~bits) == 0 :
                                            (value & ~row->writable) == 0;
}

static bool move_register(VeuStream *s, const VeuRegister *row,
                          uint64_t *values, unsigned number)
{
    uint64_t value = veu_register_get(values, number);

    if (!veu_stream_same(s, row->offset, "it has another set of registers") ||
        !veu_stream_u64(s, &value)) {
        return false;
    }
    if (!fits(row, value)) {
        return veu_stream_refuse(s, "a register has a reserved bit");
    }
    if (s->loading) {
        veu_register_set(values, number, value);
    }
    return true;
}

bool veu_stream_registers(VeuStream *s, const VeuRegister *rows, unsigned count,
                          uint64_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        if (!move_register(s, &rows[i], values, i)) {
            return false;
        }
    }
    return true;
}
