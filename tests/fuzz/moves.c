/*
 * veu fuzzers: moves of a device's state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Like tests/lib/state_bytes.c, without its allocations.
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/device/host/state.h"
#include "tests/fuzz/moves.h"

/* Larger than any state of two rings. */
#define STATE_BYTES (4u << 20)

typedef struct State {
    VeuStream stream; /* first */
    uint32_t at;
    uint32_t bytes;
    uint8_t data[STATE_BYTES];
} State;

static bool save_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    State *s = (State *)stream;

    g_assert_cmpuint(bytes, <=, STATE_BYTES - s->at);
    memcpy(s->data + s->at, data, bytes);
    s->at += bytes;
    return true;
}

static bool load_bytes(VeuStream *stream, void *data, uint32_t bytes)
{
    State *s = (State *)stream;

    g_assert_cmpuint(bytes, <=, s->bytes - s->at);
    memcpy(data, s->data + s->at, bytes);
    s->at += bytes;
    return true;
}

static void save(State *s, VeuDevice *device)
{
    s->stream = (VeuStream){ .move = save_bytes };
    s->at = 0;
    g_assert_true(veu_device_move(device, &s->stream));
    s->bytes = s->at;
}

static void load(State *s, VeuDevice *device)
{
    s->stream = (VeuStream){ .loading = true, .move = load_bytes };
    s->at = 0;
    veu_device_move(device, &s->stream);
    g_assert_cmpstr(s->stream.error, ==, NULL);
    g_assert_cmpuint(s->at, ==, s->bytes);
}

void fuzz_move_and_back(VeuDevice *device, VeuDevice *other)
{
    static State there, back;

    save(&there, device);
    load(&there, other);
    save(&there, other);
    load(&there, device);
    save(&back, device);
    g_assert_cmpmem(there.data, there.bytes, back.data, back.bytes);
}
