/*
 * veu fuzzer: the device model, driven by a script: register accesses, memory,
 * commands, steps, time, resets, moves to another device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "hw/veu/device/model.h"
#include "tests/fuzz/driver.h"
#include "tests/fuzz/moves.h"

#define MAX_OPERATIONS 256
#define MAX_MOVES      1

/* Returns an offset in one of the blocks of registers, or anywhere. */
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

/* Most registers take small numbers and addresses. */
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
    veu_scanout_step(d->device, fuzz_u8(&d->in) % 16);
}

static void sleep_device(FuzzDriver *d)
{
    VeuWatch watch;

    veu_device_watch(d->device, &watch);
    veu_device_look(d->device, &watch);
    veu_device_sleep(d->device);
    veu_device_deadline(d->device);
}

/* A move costs as much as everything else that most inputs do. */
static void move_away(FuzzDriver *d)
{
    if (d->moves++ < MAX_MOVES) {
        fuzz_move_and_back(d->device, d->other);
    }
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

/* All registers. Those in docs/spec.md have no other values than these. */
typedef struct Registers {
    uint64_t device[VEU_DEVICE_ROWS];
    uint64_t ring[FUZZ_RINGS][VEU_RING_ROWS];
    uint64_t context[FUZZ_RINGS][VEU_CONTEXT_ROWS];
    uint64_t scanout[VEU_SCANOUT_ROWS];
} Registers;

static void look(const VeuDevice *d, Registers *r)
{
    memcpy(r->device, d->reg, sizeof(r->device));
    memcpy(r->context, d->context_reg, sizeof(r->context));
    memcpy(r->scanout, d->scanout.reg, sizeof(r->scanout));
    for (unsigned i = 0; i < FUZZ_RINGS; i++) {
        memcpy(r->ring[i], d->ring[i].reg, sizeof(r->ring[i]));
    }
}

/* The values after veu_device_new() are the reset values. */
static void assert_reset_state(const VeuDevice *d, const Registers *expected)
{
    Registers now;

    look(d, &now);
    g_assert_cmpmem(&now, sizeof(now), expected, sizeof(*expected));
}

static void assert_reads(VeuDevice *d, uint32_t base, const VeuRegister *rows,
                         unsigned count, const uint64_t *expected)
{
    for (unsigned i = 0; i < count; i++) {
        if (rows[i].offset != VEU_REG_TIME || base) {
            g_assert_cmphex(veu_device_read(d, base + rows[i].offset,
                                            rows[i].bytes),
                            ==, expected[i]);
        }
    }
}

/*
 * Checks them as a guest reads them; an input has to request this, because it
 * is slow.
 */
static void assert_guest_reads(VeuDevice *d, const Registers *r)
{
    assert_reads(d, 0, veu_device_registers, VEU_DEVICE_ROWS, r->device);
    assert_reads(d, VEU_SCANOUT_BLOCK, veu_scanout_registers, VEU_SCANOUT_ROWS,
                 r->scanout);
    for (unsigned i = 0; i < FUZZ_RINGS; i++) {
        assert_reads(d, VEU_RING_BLOCK + i * VEU_RING_BLOCK_STRIDE,
                     veu_ring_registers, VEU_RING_ROWS, r->ring[i]);
        assert_reads(d, VEU_CONTEXT_BLOCK + i * VEU_CONTEXT_BLOCK_STRIDE,
                     veu_context_registers, VEU_CONTEXT_ROWS, r->context[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static FuzzDriver *d;
    static Registers reset_values;

    if (!d) {
        d = fuzz_driver_new();
        look(d->device, &reset_values);
    }
    fuzz_driver_reset(d, data, bytes);
    /* the input determines the value of this register */
    reset_values.device[VEU_ROW_CAP_FLAGS] = d->how & FUZZ_HOW_STRICT ?
                                                 VEU_FLAG_STRICT_TYPES :
                                                 0;
    fuzz_enable(d, 0, 0);
    fuzz_enable(d, 1, 0);
    for (unsigned n = 0; n < MAX_OPERATIONS && d->in.left; n++) {
        operations[fuzz_u8(&d->in) % G_N_ELEMENTS(operations)](d);
    }
    fuzz_settle(d);
    veu_device_reset(d->device);
    d->host.quiet = true;
    assert_reset_state(d->device, &reset_values);
    if (d->how & FUZZ_HOW_READ) {
        assert_guest_reads(d->device, &reset_values);
    }
    fuzz_settle(d);
    return 0;
}
