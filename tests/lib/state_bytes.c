/*
 * veu tests: saved states in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/host/state.h"
#include "tests/lib/state_bytes.h"

typedef struct Bytes {
    VeuStream stream; /* first */
    GByteArray *to;
    const GByteArray *from;
    uint32_t at;
    const void *field; /* of state_place() */
} Bytes;

static bool save_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    g_byte_array_append(((Bytes *)stream)->to, data, bytes);
    return true;
}

static bool load_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    Bytes *b = (Bytes *)stream;

    if (bytes > b->from->len - b->at) {
        return false;
    }
    memcpy(data, b->from->data + b->at, bytes);
    b->at += bytes;
    return true;
}

GByteArray *state_save(VeuDevice *device)
{
    /* larger than most states, so that it seldom grows */
    Bytes b = { .stream.move = save_bytes,
                .to = g_byte_array_sized_new(16384) };

    g_assert_true(veu_device_move(device, &b.stream));
    return b.to;
}

static bool find_field(VeuStream *stream, void *data, uint32_t bytes)
{
    Bytes *b = (Bytes *)stream;

    b->field = data == b->field ? NULL : b->field;
    b->at += b->field ? bytes : 0;
    return true;
}

guint state_place(VeuDevice *device, const void *field)
{
    Bytes b = { .stream.move = find_field, .field = field };

    g_assert_true(veu_device_move(device, &b.stream));
    g_assert_null(b.field);
    return b.at;
}

const char *state_load(VeuDevice *device, const GByteArray *state)
{
    uint32_t ring;

    return state_load_of(device, state, &ring);
}

const char *state_load_of(VeuDevice *device, const GByteArray *state,
                          uint32_t *ring)
{
    Bytes b = { .stream = { .loading = true, .move = load_bytes },
                .from = state };

    if (veu_device_move(device, &b.stream)) {
        return b.at == state->len ? NULL : "there is more";
    }
    g_assert_nonnull(b.stream.error);
    *ring = b.stream.ring;
    return b.stream.error;
}

void state_move_changed(VeuDevice *from, VeuDevice *to)
{
    g_autoptr(GByteArray) state = state_save(from);

    g_assert_cmpstr(state_load(to, state), ==, NULL);
}

void state_move(VeuDevice *from, VeuDevice *to)
{
    g_autoptr(GByteArray) state = state_save(from);
    g_autoptr(GByteArray) again = NULL;

    g_assert_cmpstr(state_load(to, state), ==, NULL);
    again = state_save(to);
    g_assert_cmpmem(again->data, again->len, state->data, state->len);
}
