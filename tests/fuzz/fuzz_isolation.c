/*
 * veu fuzzer: a process that owns ring 0, in a context with windows. Nothing
 * that it does changes the memory or state of ring 1, or reads that memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each input runs twice, with other bytes in ring 1's memory: this must make no
 * difference for ring 0.
 */
#include <glib.h>
#include "tests/fuzz/driver.h"

#define MAX_OPERATIONS 256

/* The operating system owns the windows, which follow all that rings use. */
#define WINDOWS (FUZZ_HALF(1) + 0x7000)

/* Ring 0's half without its last @cut bytes, which are read-only. */
static void set_windows(FuzzDriver *d, uint64_t cut)
{
    const struct veu_window windows[] = {
        { FUZZ_HALF(0), 0x8000 - cut, VEU_WINDOW_READ | VEU_WINDOW_WRITE, 0 },
        { FUZZ_HALF(0) + 0x8000 - cut, cut, VEU_WINDOW_READ, 0 },
    };
    uint32_t block = VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE;

    fuzz_store(&d->host, WINDOWS, windows, sizeof(windows));
    veu_device_write(d->device, block + VEU_REG_CONTEXT_TYPE,
                     VEU_CONTEXT_WINDOWS, 4);
    veu_device_write(d->device, block + VEU_REG_CONTEXT_WINDOW_COUNT,
                     G_N_ELEMENTS(windows), 4);
    veu_device_write(d->device, block + VEU_REG_CONTEXT_WINDOWS, WINDOWS, 8);
}

/* Ring 1 has done some work, and has a secret in its own pages. */
static void set_up_other(FuzzDriver *d, uint8_t secret)
{
    struct veu_command_fence fence = {
        .header = { .opcode = 3, .slots = 1, .tag = 1 },
        .address = FUZZ_DATA(1),
        .value = 77,
    };
    uint32_t tail = 1;

    fuzz_enable(d, 1, 0);
    memset(fuzz_byte(&d->host, FUZZ_DATA(1) + 0x1000), secret, FUZZ_PAGE_BYTES);
    memset(fuzz_byte(&d->host, FUZZ_PAYLOAD(1)), secret, FUZZ_PAGE_BYTES);
    fuzz_store(&d->host, FUZZ_RING(1), &fence, sizeof(fence));
    fuzz_store(&d->host, FUZZ_SHARED(1), &tail, sizeof(tail));
    veu_ring_step(d->device, 1, 64);
}

/* Everything that belongs to a ring. */
typedef struct Half {
    uint8_t memory[FUZZ_HALF_BYTES];
    uint64_t registers[VEU_RING_BLOCK_STRIDE / 4];
} Half;

static void look(FuzzDriver *d, unsigned ring, Half *half)
{
    uint32_t block = VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE;

    for (uint32_t i = 0; i < FUZZ_HALF_BYTES; i += FUZZ_PAGE_BYTES) {
        memcpy(half->memory + i, fuzz_byte(&d->host, FUZZ_HALF(ring) + i),
               FUZZ_PAGE_BYTES);
    }
    for (uint32_t at = 0; at < VEU_RING_BLOCK_STRIDE; at += 4) {
        half->registers[at / 4] = veu_device_read(d->device, block + at, 4);
    }
}

static void assert_same(const Half *a, const Half *b)
{
    g_assert_cmpmem(a->memory, sizeof(a->memory), b->memory, sizeof(b->memory));
    g_assert_cmpmem(a->registers, sizeof(a->registers), b->registers,
                    sizeof(b->registers));
}

/* The word asleep does not depend on the ring alone. */
static void hide_sleep(Half *half)
{
    memset(half->memory + (FUZZ_SHARED(1) - FUZZ_HALF(1)) +
               offsetof(struct veu_ring_shared, asleep),
           0, 4);
}

static void push(FuzzDriver *d)
{
    fuzz_push_command(d, 0);
}

static void change_memory(FuzzDriver *d)
{
    fuzz_change_memory(d, 0);
}

static void step(FuzzDriver *d)
{
    fuzz_step(d, 0);
}

static void kick(FuzzDriver *d)
{
    veu_device_sleep(d->device);
    fuzz_settle(d);
}

/* Makes one to four pages read-only, even for work in progress. */
static void reload(FuzzDriver *d)
{
    set_windows(d, (1 + fuzz_u8(&d->in) % 4) * FUZZ_PAGE_BYTES);
    fuzz_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
}

static void (*const operations[])(FuzzDriver *d) = {
    push, push, change_memory, step, kick, reload,
};

/* Checks that ring 1 is unchanged; *half receives the state of ring 0. */
static void run(FuzzDriver *d, const uint8_t *data, size_t bytes,
                uint8_t secret, Half *result)
{
    static Half before, after;

    fuzz_driver_reset(d, data, bytes);
    d->host.race = 0; /* it would change memory of ring 1 */
    set_windows(d, FUZZ_PAGE_BYTES);
    set_up_other(d, secret);
    look(d, 1, &before);
    fuzz_enable(d, 0, 1);
    for (unsigned n = 0; n < MAX_OPERATIONS && d->in.left; n++) {
        operations[fuzz_u8(&d->in) % G_N_ELEMENTS(operations)](d);
    }
    fuzz_settle(d);
    set_windows(d, FUZZ_PAGE_BYTES); /* the table is compared as well */
    look(d, 1, &after);
    hide_sleep(&before);
    hide_sleep(&after);
    assert_same(&before, &after);
    look(d, 0, result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static FuzzDriver *d;
    static Half one, other;

    if (!d) {
        d = fuzz_driver_new();
    }
    run(d, data, bytes, 0x11, &one);
    run(d, data, bytes, 0xee, &other);
    assert_same(&one, &other);
    return 0;
}
