/*
 * veu device tests: property gdb: docs/kernels.md#gdb. tests/tools/run_gdb.py
 * tests what the device shares with veu-run, and gdb itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "tests/device/kernel_work.h"
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/slot.h"

#define HANDLE   1
#define GROUPS   4
#define WORDS    (GROUPS * KERNEL_WORK_LOCAL)
/* $rip in the description */
#define RIP      "p10"
#define NO_WHERE "no EU thread has stopped\n"

typedef struct Debugged {
    char *dir;
    char *path; /* of the chardev's socket */
    Rig *rig;
    KernelWork work;
    int fd; /* gdb's end */
} Debugged;

/* --- A client ------------------------------------------------------------- */

static char get_byte(Debugged *d)
{
    struct pollfd poll_fd = { .fd = d->fd, .events = POLLIN };
    char byte;

    g_assert_cmpint(poll(&poll_fd, 1, LINE_SOCKET_TIMEOUT_S * 1000), ==, 1);
    g_assert_cmpint(read(d->fd, &byte, 1), ==, 1);
    return byte;
}

static void put_bytes(Debugged *d, const void *bytes, size_t count)
{
    g_assert_cmpint(send(d->fd, bytes, count, MSG_NOSIGNAL), ==, count);
}

static void put_packet(Debugged *d, const char *text)
{
    g_autofree char *packet = NULL;
    uint8_t sum = 0;

    for (const char *at = text; *at; at++) {
        sum += *at;
    }
    packet = g_strdup_printf("$%s#%02x", text, sum);
    put_bytes(d, packet, strlen(packet));
}

/* Returns the text of the next packet, which is not acknowledged yet. */
static char *get_text(Debugged *d)
{
    GString *text = g_string_new(NULL);
    char byte;

    while (get_byte(d) != '$') {}
    while ((byte = get_byte(d)) != '#') {
        g_string_append_c(text, byte);
    }
    get_byte(d);
    get_byte(d);
    return g_string_free(text, FALSE);
}

/* Returns the text of the next packet. */
static char *get_packet(Debugged *d)
{
    char *text = get_text(d);

    put_bytes(d, "+", 1);
    return text;
}

static char *ask(Debugged *d, const char *text)
{
    put_packet(d, text);
    return get_packet(d);
}

static void assert_reply(Debugged *d, const char *wanted)
{
    g_autofree char *reply = get_packet(d);

    g_assert_cmpstr(reply, ==, wanted);
}

static void assert_answer(Debugged *d, const char *text, const char *wanted)
{
    put_packet(d, text);
    assert_reply(d, wanted);
}

/* The device may have closed the connection before it is acknowledged. */
static void detach(Debugged *d)
{
    g_autofree char *reply = NULL;

    put_packet(d, "D");
    reply = get_text(d);
    g_assert_cmpstr(reply, ==, "OK");
}

/* Expects that the device has closed the connection. */
static void assert_closed(Debugged *d)
{
    struct pollfd poll_fd = { .fd = d->fd, .events = POLLIN };
    char byte;

    g_assert_cmpint(poll(&poll_fd, 1, LINE_SOCKET_TIMEOUT_S * 1000), ==, 1);
    g_assert_cmpint(read(d->fd, &byte, 1), <=, 0);
}

/* Returns the value of a register of 8 bytes. */
static uint64_t get_register(Debugged *d, const char *text)
{
    g_autofree char *reply = ask(d, text);

    g_assert_cmpuint(strlen(reply), ==, 16);
    return GUINT64_SWAP_LE_BE(g_ascii_strtoull(reply, NULL, 16));
}

/* Returns the reply to "monitor COMMAND", for the command's bytes. */
static char *monitor(Debugged *d, const char *command)
{
    g_autofree char *packet = g_strdup_printf("qRcmd,%s", command);
    g_autofree char *hex = ask(d, packet);
    char *text = g_malloc0(strlen(hex) / 2 + 1);

    for (unsigned i = 0; hex[2 * i]; i++) {
        text[i] = g_ascii_xdigit_value(hex[2 * i]) << 4 |
                  g_ascii_xdigit_value(hex[2 * i + 1]);
    }
    return text;
}

static char *where(Debugged *d)
{
    return monitor(d, "7768657265");
}

static void assert_where(Debugged *d, const char *prefix)
{
    g_autofree char *text = where(d);

    g_assert_true(g_str_has_prefix(text, prefix));
}

static void attach(Debugged *d)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    strncpy(address.sun_path, d->path, sizeof(address.sun_path) - 1);
    d->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    g_assert_cmpint(
        connect(d->fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
    assert_answer(d, "?", "T05thread:1;");
}

static void disconnect(Debugged *d)
{
    close(d->fd);
    d->fd = -1;
}

static void interrupt(Debugged *d)
{
    put_bytes(d, "\x03", 1);
}

/* --- The device ----------------------------------------------------------- */

static Debugged debugged_with(const char *accel, const char *machine,
                              const char *properties)
{
    Debugged d = { .dir = g_dir_make_tmp("veu-gdb-XXXXXX", NULL), .fd = -1 };
    g_autofree char *arguments = NULL;

    g_assert_nonnull(d.dir);
    d.path = g_build_filename(d.dir, "gdb", NULL);
    arguments = g_strdup_printf(
        "%s%s -chardev socket,id=gdb,path=%s,server=on,wait=off", machine,
        properties, d.path);
    d.rig = rig_new(accel, arguments);
    vm_run(d.rig->vm);
    rig_start(d.rig);
    return d;
}

static Debugged debugged_new(const char *accel, const char *properties)
{
    return debugged_with(accel, RIG_Q35 ",gdb=gdb", properties);
}

static void debugged_free(Debugged *d)
{
    if (d->fd >= 0) {
        close(d->fd);
    }
    rig_free(d->rig);
    g_unlink(d->path);
    g_assert_cmpint(g_rmdir(d->dir), ==, 0);
    g_free(d->path);
    g_free(d->dir);
}

static void load(Debugged *d)
{
    struct veu_command_load load;

    kernel_work_place(d->rig, &d->work);
    load = kernel_work_load(&d->work, HANDLE);
    rig_run(d->rig, &load.header);
}

static uint32_t *sums(const Debugged *d)
{
    return (uint32_t *)d->rig->arena + WORDS;
}

/* Submits sums of ones in GROUPS groups to a ring of the device. */
static void submit_to(Debugged *d, Rig *ring)
{
    uint32_t *from = (uint32_t *)d->rig->arena;
    struct veu_command_kernel command;

    for (unsigned i = 0; i < WORDS; i++) {
        from[i] = 1;
    }
    memset(sums(d), 0, GROUPS * sizeof(*sums(d)));
    command = kernel_work_make(&d->work, 0, HANDLE, from, sums(d), WORDS);
    rig_put(ring, &command.header);
    rig_submit(ring);
}

static void submit(Debugged *d)
{
    submit_to(d, d->rig);
}

static void assert_done(Debugged *d)
{
    rig_wait(d->rig);
    for (unsigned i = 0; i < GROUPS; i++) {
        g_assert_cmpuint(sums(d)[i], ==, KERNEL_WORK_LOCAL);
    }
}

/* Starts the kernel, and stops at the second instruction of its thread 0. */
static uint32_t begin(Debugged *d)
{
    uint64_t first;

    load(d);
    attach(d);
    submit(d);
    assert_answer(d, "s", "T05thread:1;");
    first = get_register(d, RIP);
    assert_answer(d, "s", "T05thread:1;");
    g_assert_cmphex(get_register(d, RIP), >, first);
    return get_register(d, RIP);
}

static void set_break(Debugged *d, char kind, uint32_t offset)
{
    g_autofree char *text = g_strdup_printf("%c0,%" PRIx32 ",1", kind, offset);

    assert_answer(d, text, "OK");
}

/* --- Tests ---------------------------------------------------------------- */

static void test_gdb_stops_the_device(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    g_autofree char *xml = NULL, *features = NULL, *help = NULL;

    load(&d);
    attach(&d);
    features = ask(&d, "qSupported:a+");
    g_assert_nonnull(strstr(features, "qXfer:features:read+"));
    xml = ask(&d, "qXfer:features:read:target.xml:0,3ffff");
    g_assert_nonnull(strstr(xml, "<reg name=\"g2047\" bitsize=\"256\""));
    assert_where(&d, NO_WHERE);
    help = monitor(&d, "77");
    g_assert_cmpstr(help, ==, "write: monitor where\n");
    submit(&d);
    vm_settle();
    g_assert_cmpuint(sums(&d)[0], ==, 0);
    g_assert_cmphex(rig_ring_read(d.rig, VEU_REG_RING_STATE), ==,
                    VEU_RING_RUNNING);
    put_packet(&d, "c");
    assert_done(&d);
    interrupt(&d);
    assert_reply(&d, "T02thread:1;");
    assert_where(&d, NO_WHERE);
    debugged_free(&d);
}

/* Each EU thread comes to the breakpoint. */
static void break_in_each(const char *accel, const char *properties)
{
    Debugged d = debugged_new(accel, properties);
    uint32_t offset = begin(&d);
    unsigned stops = 0;

    assert_where(&d, "ring 0 thread 0 +0x");
    set_break(&d, 'Z', offset);
    while (stops < WORDS / d.work.kernel.packed->simd - 1) {
        g_autofree char *reply = ask(&d, "c");

        g_assert_true(g_str_has_prefix(reply, "T05swbreak:;thread:"));
        g_assert_cmphex(get_register(&d, RIP), ==, offset);
        stops++;
    }
    set_break(&d, 'z', offset);
    put_packet(&d, "c");
    assert_done(&d);
    debugged_free(&d);
}

static void test_a_breakpoint_stops_before_its_instruction(const char *accel)
{
    break_in_each(accel, "");
}

static void test_workers_stop_at_breakpoints(const char *accel)
{
    break_in_each(accel, ",workers=3");
}

static void test_gdb_reads_and_writes_memory(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    g_autofree char *read = NULL, *write = NULL;

    begin(&d);
    read = g_strdup_printf("m%" PRIx64 ",8",
                           veu_port_device_address(d.rig->arena));
    write = g_strdup_printf("M%" PRIx64 ",4:05000000",
                            veu_port_device_address(d.rig->arena));
    assert_answer(&d, read, "0100000001000000");
    assert_answer(&d, write, "OK");
    assert_answer(&d, read, "0500000001000000");
    assert_answer(&d, "mffffffff0000,4", "E0e");
    assert_answer(&d, "Mffffffff0000,1:00", "E0e");
    put_packet(&d, "c");
    rig_wait(d.rig);
    g_assert_cmpuint(sums(&d)[0], ==, KERNEL_WORK_LOCAL + 4);
    debugged_free(&d);
}

/* Lets the kernel proceed to a watchpoint, which is then removed. */
static void assert_watched(Debugged *d, char kind, const uint32_t *at,
                           const char *name)
{
    uint64_t address = veu_port_device_address(at);
    g_autofree char *set = g_strdup_printf("Z%c,%" PRIx64 ",4", kind, address);
    g_autofree char *unset = g_strdup_printf("z%c,%" PRIx64 ",4", kind,
                                             address);
    g_autofree char *wanted = g_strdup_printf("T05%s:%" PRIx64 ";thread:", name,
                                              address);
    g_autofree char *reply = NULL;

    assert_answer(d, set, "OK");
    reply = ask(d, "c");
    g_assert_true(g_str_has_prefix(reply, wanted));
    assert_answer(d, unset, "OK");
}

/* Groups run one after the other, and each writes its sum once. */
static void watch(const char *accel, const char *properties)
{
    Debugged d = debugged_new(accel, properties);

    begin(&d);
    assert_watched(&d, '3', (const uint32_t *)d.rig->arena + 1, "rwatch");
    g_assert_cmpuint(sums(&d)[0], ==, 0);
    assert_watched(&d, '2', &sums(&d)[0], "watch");
    g_assert_cmpuint(sums(&d)[0], ==, KERNEL_WORK_LOCAL);
    g_assert_cmpuint(sums(&d)[1], ==, 0);
    assert_watched(&d, '4', &sums(&d)[1], "awatch");
    g_assert_cmpuint(sums(&d)[1], ==, KERNEL_WORK_LOCAL);
    put_packet(&d, "c");
    assert_done(&d);
    debugged_free(&d);
}

/* The others of its group are at a barrier, where the first one has come to. */
static void test_the_first_eu_thread_stops_for_a_new_gdb(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    uint32_t offset = begin(&d);

    set_break(&d, 'Z', offset);
    g_free(ask(&d, "c"));
    g_free(ask(&d, "c"));
    vm_stop(d.rig->vm);
    assert_where(&d, "ring 0 thread 2 +0x");
    disconnect(&d);
    attach(&d);
    assert_where(&d, "ring 0 thread 0 +0x");
    put_packet(&d, "c");
    vm_run(d.rig->vm);
    assert_done(&d);
    debugged_free(&d);
}

/* Ring 0 has no work. */
static void test_an_eu_thread_of_another_ring_stops(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    Rig *other = rig_add_ring(d.rig, 1);

    load(&d);
    rig_start(other);
    attach(&d);
    submit_to(&d, other);
    assert_answer(&d, "s", "T05thread:1;");
    assert_answer(&d, "s", "T05thread:1;");
    vm_stop(d.rig->vm);
    disconnect(&d);
    attach(&d);
    assert_where(&d, "ring 1 thread 0 +0x");
    put_packet(&d, "c");
    vm_run(d.rig->vm);
    rig_wait(other);
    rig_free(other);
    debugged_free(&d);
}

static void test_a_watchpoint_stops_after_the_access(const char *accel)
{
    watch(accel, "");
}

static void test_workers_stop_at_watchpoints(const char *accel)
{
    watch(accel, ",workers=3");
}

/* A program of messages is no program of instructions, but it stops. */
static void test_endless_messages_are_interrupted(const char *accel)
{
    Debugged d = debugged_new(accel, "");

    attach(&d);
    put_packet(&d, "c");
    rig_run_endless(d.rig);
    interrupt(&d);
    assert_reply(&d, "T02thread:1;");
    assert_where(&d, NO_WHERE);
    rig_assert_no_writes(d.rig);
    put_packet(&d, "c");
    rig_wait_writes(d.rig);
    debugged_free(&d);
}

static void test_work_continues_when_gdb_leaves(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    uint32_t offset = begin(&d);

    set_break(&d, 'Z', offset);
    detach(&d);
    assert_done(&d);
    assert_closed(&d);
    disconnect(&d);
    attach(&d);
    submit(&d);
    assert_answer(&d, "s", "T05thread:1;");
    put_packet(&d, "k");
    assert_done(&d);
    disconnect(&d);
    attach(&d);
    submit(&d);
    disconnect(&d);
    assert_done(&d);
    debugged_free(&d);
}

static void test_a_stop_outlives_a_reset(const char *accel)
{
    static void (*const all[])(Rig * rig) = { reset_control, reset_system };

    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        Debugged d = debugged_new(accel, "");

        begin(&d);
        all[i](d.rig);
        vm_assert_answers(d.rig->vm);
        rig_open(d.rig);
        assert_answer(&d, "?", "T05thread:1;");
        assert_where(&d, NO_WHERE);
        put_packet(&d, "s");
        g_assert_cmpint(get_byte(&d), ==, '+'); /* before the kernel */
        rig_start(d.rig);
        load(&d);
        submit(&d);
        assert_reply(&d, "T05thread:1;");
        debugged_free(&d);
    }
}

/* The guest's ring is reset alone; the other work waits for gdb. */
static void test_a_ring_is_reset_in_a_stop(const char *accel)
{
    Debugged d = debugged_new(accel, "");

    begin(&d);
    reset_ring(d.rig);
    vm_assert_answers(d.rig->vm);
    assert_where(&d, "ring 0 thread 0 +0x");
    put_packet(&d, "c");
    rig_start(d.rig);
    submit(&d);
    assert_done(&d);
    debugged_free(&d);
}

static void test_a_stopped_vm_answers_gdb(const char *accel)
{
    Debugged d = debugged_new(accel, "");

    begin(&d);
    vm_stop(d.rig->vm);
    assert_where(&d, "ring 0 thread 0 +0x");
    vm_run(d.rig->vm);
    vm_settle();
    g_assert_cmpuint(sums(&d)[GROUPS - 1], ==, 0);
    vm_stop(d.rig->vm);
    put_packet(&d, "c");
    vm_run(d.rig->vm);
    assert_done(&d);
    debugged_free(&d);
}

/* Where it arrives, there is no gdb. */
static void test_migration_in_a_stop(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    Rig *arrived;

    begin(&d);
    vm_stop(d.rig->vm);
    arrived = rig_follow(d.rig, move_vm(d.rig->vm, accel, RIG_Q35));
    vm_run(arrived->vm);
    rig_free(d.rig);
    d.rig = arrived;
    assert_done(&d);
    debugged_free(&d);
}

static void test_unplug_in_a_stop(const char *accel)
{
    Debugged d = debugged_with(
        accel, "-M q35 " SLOT_PORT " -device veu,id=veu0,bus=rp,gdb=gdb", "");

    begin(&d);
    qmp_do(&d.rig->vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    slot_let_go(d.rig->vm);
    qmp_wait_event(&d.rig->vm->qmp, "DEVICE_DELETED");
    assert_reply(&d, "W00");
    vm_assert_answers(d.rig->vm);
    debugged_free(&d);
}

/* The input ends with the RAM, within the first group. */
static void test_a_fault_stops_before_its_record(const char *accel)
{
    Debugged d = debugged_new(accel, "");
    const uint8_t *end = d.rig->vm->ram + VM_RAM_BYTES;
    g_autofree char *reply = NULL, *text = NULL;
    struct veu_command_kernel command;

    load(&d);
    attach(&d);
    command = kernel_work_make(&d.work, 0, HANDLE, (const void *)(end - 256),
                               sums(&d), WORDS);
    rig_put(d.rig, &command.header);
    rig_submit(d.rig);
    reply = ask(&d, "c");
    g_assert_true(g_str_has_prefix(reply, "T0bthread:"));
    g_assert_cmphex(get_register(&d, RIP), !=, 0);
    text = where(&d);
    g_assert_true(g_str_has_prefix(text, "ring 0 thread "));
    put_packet(&d, "C0b");
    rig_wait_state(d.rig, VEU_RING_HALTED);
    debugged_free(&d);
}

static void test_malformed_packets_do_no_harm(const char *accel)
{
    static const char *const packets[] = {
        "",
        "m",
        "M1,ffffffff:",
        "Z0,",
        "Z2,0,4",
        "pffffffffffffffff",
        "qRcmd,zz",
        "qXfer:features:read:target.xml:ffffffff,1",
        "vMustReply",
    };
    Debugged d = debugged_new(accel, "");
    /* One more than a packet may have. */
    const size_t bytes = 0x40001;
    g_autofree char *much = g_malloc(bytes);

    load(&d);
    attach(&d);
    for (unsigned i = 0; i < G_N_ELEMENTS(packets); i++) {
        g_autofree char *reply = ask(&d, packets[i]);
    }
    memset(much, '$', bytes);
    put_bytes(&d, much, bytes);
    submit(&d);
    assert_done(&d); /* its session has ended */
    debugged_free(&d);
}

static void test_gdb_refuses_deterministic_devices(const char *accel)
{
    int status;
    g_autofree char *text = vm_output("-M q35 -chardev null,id=g -device "
                                      "veu,deterministic=on,gdb=g",
                                      &status);

    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(text, "veu: gdb= does not work with "
                                  "deterministic=on"));
    g_free(text);
    text = vm_output("-M q35 -device veu,gdb=none", &status);
    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(text, "can't find value 'none'"));
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("gdb-stops-the-device", test_gdb_stops_the_device);
    rig_test_add("a-breakpoint-stops-before-its-instruction",
                 test_a_breakpoint_stops_before_its_instruction);
    rig_test_add("workers-stop-at-breakpoints",
                 test_workers_stop_at_breakpoints);
    rig_test_add("the-first-eu-thread-stops-for-a-new-gdb",
                 test_the_first_eu_thread_stops_for_a_new_gdb);
    rig_test_add("an-eu-thread-of-another-ring-stops",
                 test_an_eu_thread_of_another_ring_stops);
    rig_test_add("a-watchpoint-stops-after-the-access",
                 test_a_watchpoint_stops_after_the_access);
    rig_test_add("workers-stop-at-watchpoints",
                 test_workers_stop_at_watchpoints);
    rig_test_add("gdb-reads-and-writes-memory",
                 test_gdb_reads_and_writes_memory);
    rig_test_add("endless-messages-are-interrupted",
                 test_endless_messages_are_interrupted);
    rig_test_add("work-continues-when-gdb-leaves",
                 test_work_continues_when_gdb_leaves);
    rig_test_add("a-stop-outlives-a-reset", test_a_stop_outlives_a_reset);
    rig_test_add("a-ring-is-reset-in-a-stop", test_a_ring_is_reset_in_a_stop);
    rig_test_add("a-stopped-vm-answers-gdb", test_a_stopped_vm_answers_gdb);
    rig_test_add("migration-in-a-stop", test_migration_in_a_stop);
    rig_test_add("unplug-in-a-stop", test_unplug_in_a_stop);
    rig_test_add("a-fault-stops-before-its-record",
                 test_a_fault_stops_before_its_record);
    rig_test_add("malformed-packets-do-no-harm",
                 test_malformed_packets_do_no_harm);
    rig_test_add("gdb-refuses-deterministic-devices",
                 test_gdb_refuses_deterministic_devices);
    return g_test_run();
}
