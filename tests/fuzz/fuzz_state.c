/*
 * veu fuzzer: a changed saved state. The device refuses it, or continues and
 * does no harm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/driver.h"
#include "tests/lib/state_bytes.h"

/* Saves a device in the middle of its work, after some steps. */
static GByteArray *save_after(FuzzDriver *d, uint8_t steps)
{
    for (unsigned n = 0; n < steps; n++) {
        uint64_t ready = veu_device_ready(d->device);

        if (ready) {
            veu_ring_step(d->device, veu_device_pick(d->device, ready), 1);
        }
    }
    return state_save(d->device);
}

/* The input has changes with their places, or the whole stream. */
static void change_state(FuzzInput *in, GByteArray *state)
{
    uint8_t changes = fuzz_u8(in);

    if (changes == 0xff) {
        g_byte_array_set_size(state, in->left);
        fuzz_bytes(in, state->data, state->len);
        return;
    }
    for (unsigned n = changes % 8; n; n--) {
        uint32_t at = fuzz_u32(in) % state->len;

        state->data[at] = fuzz_u8(in);
    }
    if (changes & 0x80) {
        g_byte_array_set_size(state, fuzz_u32(in) % (state->len + 1));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static FuzzDriver *d;
    g_autoptr(GByteArray) state = NULL;
    unsigned commands;

    if (!d) {
        d = fuzz_driver_new();
    }
    fuzz_driver_reset(d, data, bytes);
    fuzz_enable(d, 0, 0);
    fuzz_enable(d, 1, 0);
    commands = fuzz_u8(&d->in) % 4;
    for (unsigned n = 0; n < commands; n++) {
        fuzz_push_command(d, n % FUZZ_RINGS);
    }
    state = save_after(d, fuzz_u8(&d->in));
    change_state(&d->in, state);
    if (!state_load(d->other, state)) {
        VeuDevice *from = d->device;

        d->device = d->other;
        d->other = from;
    }
    fuzz_settle(d);
    return 0;
}
