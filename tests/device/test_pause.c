/*
 * veu device tests: how long a register write, a reset or a stop waits for the
 * device thread, under loads of several kinds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The times are printed, not judged, because they depend on the host as well.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/device/rig.h"

#define WRITES 2000
#define Q35    "-M q35 -trace veuhost_pause -device veu,id=veu0,addr=4"

static int by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

/* Reads the pauses in the trace, in ns, in ascending order. */
static GArray *read_pauses(const Vm *vm)
{
    static const char *const words = "the batch lock came after ";
    g_autofree char *text = vm_errors(vm);
    GArray *times = g_array_new(false, false, sizeof(int64_t));

    for (const char *at = strstr(text, words); at; at = strstr(at, words)) {
        int64_t ns;

        at += strlen(words);
        ns = strtoll(at, NULL, 10);
        g_array_append_val(times, ns);
    }
    g_array_sort(times, by_value);
    return times;
}

static double us_at(const GArray *times, unsigned permille)
{
    guint place = (guint64)(times->len - 1) * permille / 1000;

    return g_array_index(times, int64_t, place) / 1000.0;
}

static void report(const Rig *r, const char *load)
{
    g_autoptr(GArray) times = read_pauses(r->vm);

    g_assert_cmpuint(times->len, >=, WRITES);
    g_test_message("%s: %u pauses; us: median %.1f, 99 %% %.1f, "
                   "99.9 %% %.1f, longest %.1f",
                   load, times->len, us_at(times, 500), us_at(times, 990),
                   us_at(times, 999), us_at(times, 1000));
}

static void measure(Rig *r, const char *load)
{
    for (unsigned i = 0; i < WRITES; i++) {
        rig_ring_write(r, VEU_REG_RING_PRIORITY, i % 4);
    }
    vm_stop(r->vm);
    vm_run(r->vm);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    veu_reset(&r->device);
    report(r, load);
}

static Rig *start(const char *accel)
{
    Rig *r = rig_new(accel, Q35);

    vm_run(r->vm);
    rig_start(r);
    return r;
}

static void test_idle(const char *accel)
{
    g_autoptr(Rig) r = start(accel);

    measure(r, "idle");
}

static void test_messages(const char *accel)
{
    g_autoptr(Rig) r = start(accel);

    rig_run_endless(r);
    measure(r, "messages");
}

static void test_fills(const char *accel)
{
    g_autoptr(Rig) r = start(accel);
    struct veu_command_fill fill = veu_make_fill(0, r->arena, 0, 0x4000000);

    for (unsigned i = 0; i < RIG_SLOTS; i++) {
        rig_put(r, &fill.header);
    }
    rig_submit(r);
    measure(r, "fills");
}

/* Programs of the maximum number of messages, each of which runs only once. */
static void test_programs(const char *accel)
{
    g_autoptr(Rig) r = start(accel);
    struct veu_command_dispatch dispatch;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    for (unsigned i = 0; i < r->device.limits.messages; i++) {
        veu_encode_gather(&p.code, 4, veu_m(1, 8), 0, veu_ud(0), veu_v(32),
                          veu_v(32));
    }
    dispatch = veu_make_dispatch(0, r->program, veu_program_end(&p), 8);
    dispatch.launch.groups = 1000;
    for (unsigned i = 0; i < RIG_SLOTS / 2; i++) {
        rig_put(r, &dispatch.header);
    }
    rig_submit(r);
    measure(r, "programs");
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("idle", test_idle);
    rig_test_add_both("messages", test_messages);
    rig_test_add_both("fills", test_fills);
    rig_test_add_both("programs", test_programs);
    return g_test_run();
}
