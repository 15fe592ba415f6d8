/*
 * veu fuzzer: messages, decoded and executed on both implementations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first bytes are the seed of a world of memory, surfaces and variables.
 * Then come messages: legal ones of some kind, with changes, or bytes.
 */
#include <glib.h>
#include "tests/fuzz/input.h"
#include "tests/lib/compare.h"
#include "tests/lib/random_message.h"

#define MAX_MESSAGES 16

static TestCode next_message(World *w, FuzzInput *in)
{
    uint8_t how = fuzz_u8(in);
    TestMessage m = random_message(w, how % TEST_KINDS);
    TestCode code = test_encode(&m);
    unsigned changes = how / TEST_KINDS % 4;

    if (changes == 3) {
        code.count = 1 + fuzz_u8(in) % sizeof(code.bytes);
        fuzz_bytes(in, code.bytes, code.count);
        return code;
    }
    for (; changes; changes--) {
        uint8_t at = fuzz_u8(in) % code.count;

        code.bytes[at] = fuzz_u8(in);
    }
    return code;
}

/* Registers suit the message, and then get some changes. */
static void change_registers(World *w, FuzzInput *in)
{
    for (unsigned n = fuzz_u8(in) % 8; n; n--) {
        uint32_t at = fuzz_u16(in) % (EU_REGISTER_BYTES / 4) * 4;
        uint32_t value = fuzz_u32(in);

        memcpy(w->eu->registers + at, &value, 4);
    }
}

static void check(char *what)
{
    if (what) {
        g_error("not the same: %s", what);
    }
}

static void run(World *w, FuzzInput *in)
{
    RefMessage ref;
    TestCode code;
    bool legal;

    world_restart(w);
    code = next_message(w, in);
    check(compare_decode(w, &code, &ref, &legal));
    if (legal) {
        change_registers(w, in);
        check(compare_execute(w, &ref));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    FuzzInput in = { data, bytes };
    g_autoptr(GRand) rng = g_rand_new_with_seed(fuzz_u32(&in));
    World w = { 0 };

    world_init(&w, rng);
    for (unsigned n = 0; n < MAX_MESSAGES && in.left; n++) {
        run(&w, &in);
    }
    world_free(&w);
    return 0;
}
