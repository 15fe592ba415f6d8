/*
 * veu device tests: MMIO of the registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

/* Offsets from docs/spec.md. */
#define RING(offset) (0x4000 + (offset))

static uint64_t peek(Rig *r, unsigned offset, unsigned bytes)
{
    return port_read(r->device.regs + offset, bytes);
}

static void poke(Rig *r, unsigned offset, unsigned bytes, uint64_t value)
{
    port_write(r->device.regs + offset, bytes, value);
}

static void test_reset_values(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_assert_reset_values(r);
    g_assert_cmphex(rig_read(r, 0x1c), ==, 4096);
    g_assert_cmphex(rig_read(r, 0x20), ==, 4);
}

static void test_accesses_of_4_and_8_bytes(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    poke(r, RING(0x08), 8, 0x123456789abcdec0);
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0x123456789abcdec0);
    g_assert_cmphex(peek(r, RING(0x08), 4), ==, 0x9abcdec0);
    g_assert_cmphex(peek(r, RING(0x0c), 4), ==, 0x12345678);
    poke(r, RING(0x08), 4, 0x11111140);
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0x1234567811111140);
    poke(r, RING(0x0c), 4, 0x22222222);
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0x2222222211111140);
    poke(r, RING(0x20), 4, 0xdeadbeef);
    g_assert_cmphex(peek(r, RING(0x20), 4), ==, 0xdeadbeef);
}

static void test_8_bytes_do_not_reach_two_registers(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    g_assert_cmphex(peek(r, 0, 8), ==, 0);
    poke(r, RING(0x20), 8, 0x0000001000000010);
    g_assert_cmphex(peek(r, RING(0x20), 4), ==, 0);
    g_assert_cmphex(peek(r, RING(0x24), 4), ==, 0);
    poke(r, RING(0x0c), 8, ~UINT64_C(0));
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0);
    g_assert_cmphex(peek(r, RING(0x10), 8), ==, 0);
}

static void test_short_accesses_are_ignored(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned at = 0; at < 8; at++) {
        g_assert_cmphex(peek(r, at, 1), ==, 0);
        g_assert_cmphex(peek(r, at, 2), ==, 0);
    }
    poke(r, RING(0x20), 4, 0x01020304);
    for (unsigned at = 0x20; at < 0x24; at++) {
        poke(r, RING(at), 1, 0xff);
        poke(r, RING(at), 2, 0xffff);
    }
    g_assert_cmphex(peek(r, RING(0x20), 4), ==, 0x01020304);
}

static void test_misaligned_accesses_are_ignored(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    poke(r, RING(0x08), 8, 0x0807060504030240);
    for (unsigned at = 1; at < 4; at++) {
        g_assert_cmphex(peek(r, at, 4), ==, 0);
        g_assert_cmphex(peek(r, RING(0x08) + at, 4), ==, 0);
        g_assert_cmphex(peek(r, RING(0x08) + at, 8), ==, 0);
        poke(r, RING(0x08) + at, 4, 0xffffffff);
        poke(r, RING(0x08) + at, 8, ~UINT64_C(0));
    }
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0x0807060504030240);
}

/* QEMU passes accesses of any alignment on: the device reports them. */
static void test_misaligned_accesses_are_reported(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 " -trace veu_ub_register");
    g_autofree char *text = NULL;

    poke(r, RING(0x0a), 4, 0x12345678);
    poke(r, RING(0x09), 8, 0x12345678);
    peek(r, RING(0x0b), 2);
    vm_assert_answers(r->vm);
    text = vm_errors(r->vm);
    g_test_message("%s", text);
    g_assert_nonnull(strstr(text, ", offset 0x400a value 0x12345678\n"));
    g_assert_nonnull(strstr(text, ", offset 0x4009 value 0x12345678\n"));
    g_assert_nonnull(strstr(text, ", offset 0x400b value 0x"));
}

static void test_holes_are_ignored(const char *accel)
{
    static const unsigned holes[] = { 0x00c,  0x100,  0x3ffc, 0x40f8, 0x40fc,
                                      0x4400, 0x7ffc, 0x80fc, 0x8400, 0xdffc,
                                      0xe040, 0xeffc, 0xf008, 0xfffc };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < G_N_ELEMENTS(holes); i++) {
        poke(r, holes[i], 4, 0xffffffff);
        g_assert_cmphex(peek(r, holes[i], 4), ==, 0);
        poke(r, holes[i] & ~7u, 8, ~UINT64_C(0));
    }
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
}

static void test_writes_to_read_only_are_ignored(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned at = 0; at < 0x60; at += 4) {
        uint64_t before = peek(r, at, 4);

        if (at == 8 || at == 0x58 || at == 0x5c) {
            continue; /* CONTROL, TIME */
        }
        poke(r, at, 4, ~before);
        g_assert_cmphex(peek(r, at, 4), ==, before);
    }
    poke(r, RING(0x04), 4, 2);
    poke(r, RING(0x38), 4, 0x50);
    poke(r, RING(0x3c), 4, 7);
    rig_assert_reset_values(r);
}

static void test_reserved_bits_keep_their_value(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    poke(r, RING(0x08), 8, ~UINT64_C(0));
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0xffffffffffffffc0);
    poke(r, RING(0x10), 4, 0x7f);
    g_assert_cmphex(peek(r, RING(0x10), 8), ==, 0x40);
    poke(r, 0x08, 4, 0xfffffffe);
    g_assert_cmphex(peek(r, 0x08, 4), ==, 0);
    poke(r, RING(0x00), 4, 0xfffffff4);
    g_assert_cmphex(peek(r, RING(0x00), 4), ==, 0);
    g_assert_cmphex(peek(r, RING(0x04), 4), ==, 0);
    /* a write of CONTROL without RESET has changed nothing */
    g_assert_cmphex(peek(r, RING(0x08), 8), ==, 0xffffffffffffffc0);
}

static void test_ring_registers_are_locked_while_it_runs(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint32_t before[16];

    rig_start(r);
    for (unsigned i = 2; i < 14; i++) {
        before[i] = peek(r, RING(4 * i), 4);
        poke(r, RING(4 * i), 4, ~before[i]);
    }
    for (unsigned i = 2; i < 14; i++) {
        g_assert_cmphex(peek(r, RING(4 * i), 4), ==, before[i]);
    }
    rig_assert_works(r);
    g_assert_cmpint(peek(r, RING(0), 4), ==, 1);
    rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
    rig_wait_state(r, VEU_RING_DISABLED);
    poke(r, RING(0x20), 4, 8);
    g_assert_cmphex(peek(r, RING(0x20), 4), ==, 8);
}

static void test_context_type_is_writable(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    poke(r, 0x8000, 4, 2);
    g_assert_cmphex(peek(r, 0x8000, 4), ==, 2);
    poke(r, 0x8, 4, 1);
    g_assert_cmphex(peek(r, 0x8000, 4), ==, 0);
}

static void test_time_runs_with_the_vm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint64_t before = peek(r, 0x58, 8);
    uint64_t after;

    vm_settle();
    g_assert_cmpuint(peek(r, 0x58, 8), ==, before);
    vm_run(r->vm);
    VM_WAIT(r->vm, peek(r, 0x58, 8) > before, "TIME to run");
    vm_stop(r->vm);
    after = peek(r, 0x58, 8);
    vm_settle();
    g_assert_cmpuint(peek(r, 0x58, 8), ==, after);
    g_assert_cmpuint(peek(r, 0x58, 4), ==, (uint32_t)after);
    g_assert_cmpuint(peek(r, 0x5c, 4), ==, after >> 32);
    poke(r, 0x8, 4, 1);
    g_assert_cmpuint(peek(r, 0x58, 8), ==, after);
}

static void test_doorbells_read_0(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
        port_write(r->device.doorbells, bytes, ~UINT64_C(0));
        g_assert_cmphex(port_read(r->device.doorbells, bytes), ==, 0);
        g_assert_cmphex(port_read(r->device.doorbells + 0xff8, bytes), ==, 0);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("reset-values", test_reset_values);
    rig_test_add_both("accesses-of-4-and-8-bytes",
                      test_accesses_of_4_and_8_bytes);
    rig_test_add("8-bytes-do-not-reach-two-registers",
                 test_8_bytes_do_not_reach_two_registers);
    rig_test_add_both("short-accesses-are-ignored",
                      test_short_accesses_are_ignored);
    rig_test_add_both("misaligned-accesses-are-ignored",
                      test_misaligned_accesses_are_ignored);
    rig_test_add("misaligned-accesses-are-reported",
                 test_misaligned_accesses_are_reported);
    rig_test_add("holes-are-ignored", test_holes_are_ignored);
    rig_test_add("writes-to-read-only-are-ignored",
                 test_writes_to_read_only_are_ignored);
    rig_test_add("reserved-bits-keep-their-value",
                 test_reserved_bits_keep_their_value);
    rig_test_add("ring-registers-are-locked-while-it-runs",
                 test_ring_registers_are_locked_while_it_runs);
    rig_test_add("context-type-is-writable", test_context_type_is_writable);
    rig_test_add_both("time-runs-with-the-vm", test_time_runs_with_the_vm);
    rig_test_add("doorbells-read-0", test_doorbells_read_0);
    return g_test_run();
}
