/*
 * veu fuzzer: the device model, driven by a script: register accesses, memory,
 * commands, steps, time, resets, moves to another device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/driver.h"
#include "tests/lib/state_bytes.h"

#define MAX_OPERATIONS 256

/* An offset in one of the blocks of registers, or anywhere. */
static uint32_t register_offset(FuzzInput *in)
{
    static const uint32_t blocks[] = {
        0,
        VEU_RING_BLOCK,
        VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE,
        VEU_CONTEXT_BLOCK,
        VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE,
        VEU_SCANOUT_BLOCK,
    };
    uint8_t block = fuzz_u8(in);

    return block < G_N_ELEMENTS(blocks) ? blocks[block] + fuzz_u8(in) :
                                          fuzz_u16(in);
}

/* Small numbers and addresses are what most registers want. */
static uint64_t register_value(FuzzInput *in)
{
    uint8_t how = fuzz_u8(in);

    return how < 64  ? how :
           how < 128 ? FUZZ_RAM + (uint64_t)fuzz_u16(in) * 16 :
           how < 192 ? 1ull << (how & 63) :
                       fuzz_u64(in);
}

static void write_register(FuzzDriver *d)
{
    uint32_t offset = register_offset(&d->in);
    unsigned bytes = 1u << fuzz_u8(&d->in) % 4;

    veu_device_write(d->device, offset, register_value(&d->in), bytes);
}

static void read_register(FuzzDriver *d)
{
    uint32_t offset = register_offset(&d->in);

    veu_device_read(d->device, offset, 1u << fuzz_u8(&d->in) % 4);
}

static unsigned which_ring(FuzzDriver *d)
{
    return fuzz_u8(&d->in) % FUZZ_RINGS;
}

static void push(FuzzDriver *d)
{
    fuzz_push_command(d, which_ring(d));
}

static void change_memory(FuzzDriver *d)
{
    fuzz_change_memory(d, which_ring(d));
}

static void step(FuzzDriver *d)
{
    fuzz_step(d, which_ring(d));
}

static void set_up(FuzzDriver *d)
{
    unsigned ring = which_ring(d);

    d->tail[ring] = fuzz_get(d, ring, VEU_REG_RING_HEAD);
    fuzz_set_up(d, ring, 0);
}

static void pass_time(FuzzDriver *d)
{
    d->host.now_ns += fuzz_u32(&d->in);
}

static void flip(FuzzDriver *d)
{
    veu_scanout_step(d->device, fuzz_u8(&d->in));
}

static void sleep_device(FuzzDriver *d)
{
    veu_device_sleep(d->device);
    veu_device_deadline(d->device);
}

/* What is saved is legal. */
static GByteArray *move_to(VeuDevice *to, VeuDevice *from)
{
    g_autoptr(GByteArray) state = state_save(from);

    g_assert_cmpstr(state_load(to, state), ==, NULL);
    return state_save(to);
}

/*
 * There and back. A launch that was not loaded begins anew, so a state may
 * change by the first move, but not by the second.
 */
static void move_away(FuzzDriver *d)
{
    g_autoptr(GByteArray) there = move_to(d->other, d->device);
    g_autoptr(GByteArray) back = move_to(d->device, d->other);

    g_assert_cmpmem(there->data, there->len, back->data, back->len);
    veu_device_reset(d->other);
}

static void reset(FuzzDriver *d)
{
    veu_device_reset(d->device);
}

static void (*const operations[])(FuzzDriver *d) = {
    push,          push,           push,          step,         step,
    change_memory, write_register, read_register, pass_time,    flip,
    reset,         set_up,         move_away,     sleep_device,
};

/* After veu_device_new(): they are the reset values. */
static bool known;

/* Registers that time alone changes are the clock's. */
static void assert_reset_block(FuzzDriver *d, uint32_t *values, uint32_t block,
                               uint32_t bytes)
{
    for (uint32_t at = block; at < block + bytes; at += 4) {
        uint32_t value = veu_device_read(d->device, at, 4);

        if (at == VEU_REG_TIME || at == VEU_REG_TIME + 4) {
            continue;
        }
        if (!known) {
            values[at / 4] = value;
        }
        g_assert_cmphex(value, ==, values[at / 4]);
    }
}

static void assert_reset_state(FuzzDriver *d)
{
    static uint32_t values[VEU_MSIX_TABLE_OFFSET / 4];

    assert_reset_block(d, values, 0, 0x140);
    for (unsigned i = 0; i < FUZZ_RINGS; i++) {
        assert_reset_block(d, values,
                           VEU_RING_BLOCK + i * VEU_RING_BLOCK_STRIDE, 0x50);
        assert_reset_block(d, values,
                           VEU_CONTEXT_BLOCK + i * VEU_CONTEXT_BLOCK_STRIDE,
                           0x10);
    }
    assert_reset_block(d, values, VEU_SCANOUT_BLOCK, 0x38);
    known = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static FuzzDriver *d;

    if (!d) {
        d = fuzz_driver_new();
        assert_reset_state(d);
    }
    fuzz_driver_reset(d, data, bytes);
    fuzz_set_up(d, 0, 0);
    fuzz_set_up(d, 1, 0);
    for (unsigned n = 0; n < MAX_OPERATIONS && d->in.left; n++) {
        operations[fuzz_u8(&d->in) % G_N_ELEMENTS(operations)](d);
    }
    fuzz_settle(d);
    veu_device_reset(d->device);
    d->host.quiet = true;
    assert_reset_state(d);
    fuzz_settle(d);
    return 0;
}
