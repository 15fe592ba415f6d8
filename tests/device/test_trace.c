/*
 * veu device tests: trace events, with every method of enabling them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/resets.h"
#include "tests/device/space.h"

#define DEVICE                                      \
    " -M q35 -device 'veu,id=veu0,addr=4,check=on," \
    "fault-inject=opcode=nop action=drop:interrupt'"
#define LANES 8

/* All lanes store to the same place, which breaks a rule. */
static void run_collision(Rig *r)
{
    struct veu_program p;
    struct veu_command_dispatch command;
    uint32_t offsets, data;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                              veu_v(offsets), veu_v(data));
    command = veu_make_dispatch(0x31, r->program, veu_program_end(&p), LANES);
    r->surfaces[0] = veu_surface_raw(r->arena, 64);
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    rig_run(r, &command.header);
}

/* A line for each event that a guest can cause, except those of a display. */
static const char *const expected[] = {
    /* ok */
    "veu_register_read offset 0x4000 ",
    "veu_doorbell offset 0x0",
    "veu_inject ring 0 drop by rule 0, fired 1",
    "veu_register_write offset 0x4000 ",
    "veu_ring_state ring 0 is running",
    "veu_command ring 0 dispatch slot 1 tag 0x31",
    "veu_message ring 0 scatter_scaled offset 0 lanes 0xff",
    "veu_command ring 0 fence slot 3 tag 0x32",
    "veu_ring_state ring 0 is halted",
    "veu_interrupt vector 0",
    "veu_ring_reset ring 0",
    "veu_reset the device",
    "veu_power D3hot",
    "veu_power D0",
    "veu_request ring 0 id 0 records 1",
    "veu_response ring 0 id 0 refused 0",
    /* err_: a fault */
    "veu_err_fault ring 0 COMMAND_MEMORY address 0xfff000000000 detail 0",
    /* ub_: the guest broke a rule, but nothing failed */
    "veu_ub_register ignored: ",
    "veu_ub_contract ring 0 ",
};

static void run_request(Rig *r)
{
    Space s;

    space_init(&s, r, true);
    rig_start(r);
    space_put_fill(&s);
    space_wait_request(&s);
    veu_space_serve(&s.space, space_provide, &s);
    rig_wait(r);
    veu_reset(&r->device);
}

static void do_all(Rig *r)
{
    struct veu_command_fence bad = veu_make_fence(0x32, r->fence, 1);
    struct veu_command_nop nop = veu_make_nop(0x30);

    rig_set_up_msix(r);
    rig_start(r);
    rig_ring_read(r, 0);
    /* of 4 bytes, which only QEMU handles */
    port_write(r->device.doorbells, 2, 0);
    rig_run(r, &nop.header);
    run_collision(r);
    bad.address = UINT64_C(0xfff000000000);
    rig_run_fault(r, &bad.header, VEU_FAULT_COMMAND_MEMORY);
    rig_wait_message(r);
    veu_write32(&r->device, VEU_REG_MAGIC, 0);
    veu_reset(&r->device);
    reset_power(r);
    rig_open(r);
    run_request(r);
}

static bool has_line(Rig *r, const char *start)
{
    g_autofree char *text = vm_errors(r->vm);
    g_autofree char *line = g_strdup_printf("\n%s", start);

    return g_str_has_prefix(text, start) || strstr(text, line);
}

static void assert_traced(Rig *r)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++) {
        VM_WAIT(r->vm, has_line(r, expected[i]), "the line \"%s\"",
                expected[i]);
    }
}

static bool has_any(Rig *r)
{
    g_autofree char *text = vm_errors(r->vm);

    return strstr(text, "veu_");
}

static void test_nothing_unless_asked(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DEVICE);

    do_all(r);
    vm_settle();
    g_assert_false(has_any(r));
}

static void test_option_of_the_launcher(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-trace 'veu_*'" DEVICE);

    do_all(r);
    assert_traced(r);
    g_assert_true(has_line(r, "veu_realize device veu"));
    /* the time that the host takes is not an action of the guest */
    g_assert_false(has_line(r, "veuhost_"));
}

static void test_argument_of_the_plugin(const char *accel)
{
    g_autofree char *build = g_path_get_dirname(vm_launcher);
    g_autofree char *arguments =
        g_strdup_printf("-plugin '%s/veu.so,trace=veu_*'" DEVICE, build);
    g_autoptr(Rig) r = rig_new(accel, arguments);

    do_all(r);
    assert_traced(r);
}

static void set_events(Rig *r, const char *pattern, bool enable)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"name\":\"%s\",\"enable\":%s}", pattern, enable ? "true" : "false");

    qmp_do(&r->vm->qmp, "trace-event-set-state", arguments);
}

/* Enables and disables events while the device works. */
static void test_command_of_the_monitor(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DEVICE);
    g_autofree char *before = NULL, *after = NULL;

    rig_start(r);
    rig_assert_works(r);
    g_assert_false(has_any(r));
    set_events(r, "veu_*", true);
    do_all(r);
    assert_traced(r);
    set_events(r, "veu_*", false);
    before = vm_errors(r->vm);
    do_all(r);
    vm_settle();
    after = vm_errors(r->vm);
    g_assert_cmpstr(after, ==, before);
}

/* AddressSanitizer, if the plugin has it, reports that QEMU has coroutines. */
static bool is_of_sanitizer(const char *line)
{
    return g_str_has_prefix(line, "==") ||
           g_str_has_prefix(line, "False positive") ||
           g_str_has_prefix(line, "For details see");
}

/* Shows only the requested events, by class. */
static void check_class(const char *accel, const char *class)
{
    g_autofree char *arguments = g_strdup_printf("-trace '%s*'" DEVICE, class);
    g_autoptr(Rig) r = rig_new(accel, arguments);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    do_all(r);
    VM_WAIT(r->vm, has_line(r, class), "a line of class %s", class);
    vm_settle();
    text = vm_errors(r->vm);
    lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_assert_true(!**line || g_str_has_prefix(*line, class) ||
                      is_of_sanitizer(*line));
    }
}

static void test_a_class_of_events_can_be_enabled(const char *accel)
{
    check_class(accel, "veu_err_");
    check_class(accel, "veu_ub_");
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("nothing-unless-asked", test_nothing_unless_asked);
    rig_test_add("option-of-the-launcher", test_option_of_the_launcher);
    if (vm_has_plugin()) {
        rig_test_add("argument-of-the-plugin", test_argument_of_the_plugin);
    }
    rig_test_add("command-of-the-monitor", test_command_of_the_monitor);
    rig_test_add("a-class-of-events-can-be-enabled",
                 test_a_class_of_events_can_be_enabled);
    return g_test_run();
}
