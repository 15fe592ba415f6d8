/*
 * veu unit tests: faults of EU threads, bounds and events of launches:
 * docs/spec.md, section 6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"
#include "tests/unit/launch.h"

/* A fault of a thread's memory names group and thread, but no message. */
static void check_thread_fault(struct veu_command_dispatch command, Dev *d,
                               uint16_t code, uint32_t detail, uint64_t address,
                               uint32_t bytes)
{
    struct veu_fault_record r;

    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, code, detail);
    r = dev_record(d, 0);
    g_assert_cmpuint(r.group, ==, 1);
    g_assert_cmpuint(r.thread, ==, 1);
    g_assert_cmphex(r.message_offset, ==, UINT32_MAX);
    g_assert_cmphex(r.address, ==, address);
    g_assert_cmpuint(r.bytes, ==, bytes);
    g_assert_cmphex(r.lane, ==, 0xff);
}

/* 2 groups of 2 threads; the last thread has a bad payload or result. */
static struct veu_command_dispatch four_threads(Dev *d)
{
    struct veu_command_dispatch command = dispatch(d);

    command.launch.threads = 2;
    command.launch.groups = 2;
    command.launch.payload_bytes = 68;
    command.launch.payload_stride = 128;
    command.launch.result_bytes = 4;
    command.launch.result_stride = 4;
    return command;
}

static void test_a_payload_that_is_not_readable(void)
{
    const uint64_t end = DEV_RAM + DEV_RAM_BYTES;

    /* none of it, half of the header, or the registers after it are missing */
    for (unsigned at = 0; at < 3; at++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_dispatch command = four_threads(d);
        static const unsigned there[] = { 0, 32, 64 };

        command.launch.payload_address = end - 3 * 128 - there[at];
        check_thread_fault(command, d, VEU_FAULT_PAYLOAD_MEMORY, 0, end, 68);
        /* the other threads are complete */
        g_assert_cmphex(get32(d, DEV_RESULT + 8), ==, 0);
        g_assert_cmphex(get32(d, DEV_RESULT + 12), ==, UNTOUCHED);
    }
}

static void test_reserved_words_of_a_payload(void)
{
    for (unsigned word = 1; word < 16; word++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_dispatch command = four_threads(d);

        put32(d, DEV_PAYLOAD + 3 * 128 + 4 * word, 0x80000000);
        check_thread_fault(command, d, VEU_FAULT_PAYLOAD_FIELD, 4 * word, 0, 0);
    }
}

static void test_a_result_that_is_not_writable(void)
{
    const uint64_t end = DEV_RAM + DEV_RAM_BYTES;
    g_autoptr(Dev) d = fixture();
    g_autoptr(Dev) rom = fixture();
    struct veu_command_dispatch command = four_threads(d);

    command.launch.result_address = end - 3 * 4 - 1;
    check_thread_fault(command, d, VEU_FAULT_RESULT_MEMORY, 0, end, 4);
    g_assert_cmpuint(dev_record(d, 0).access, ==, VEU_ACCESS_WRITE);
    command = four_threads(rom);
    command.launch.threads = command.launch.groups = 1;
    command.launch.result_address = DEV_ROM;
    DEV_PUSH(rom, command);
    dev_run(rom);
    dev_assert_fault(rom, 1, VEU_FAULT_RESULT_MEMORY, 0);
}

/* Policy SKIP_MESSAGE concerns messages: this fault ends the command. */
static void test_a_payload_fault_ends_the_command(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_dispatch command;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    dev_enable(d);
    command = four_threads(d);
    command.launch.result_address = DEV_HOLE;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RESULT_MEMORY, 0);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 2);
}

/* A program of 256 KiB: no step of budget 1 touches more than 64 KiB. */
static void test_large_programs_are_copied_in_pieces(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);
    struct veu_program_header header = d->program.header;
    struct veu_section code = { VEU_SECTION_CODE, 262144, 0, 0 };

    header.bytes = 262144;
    header.section_count = 1;
    test_memory_put(&d->host.memory, DEV_PROGRAM, &header, sizeof(header));
    test_memory_put(&d->host.memory, DEV_PROGRAM + 32, &code, sizeof(code));
    command.launch.code_bytes = 262144;
    command.launch.result_bytes = 4;
    DEV_PUSH(d, command);
    for (unsigned i = 0; dev_ring_get(d, VEU_REG_RING_HEAD) == 0; i++) {
        g_assert_cmpuint(i, <, 50);
        d->host.memory.maps = 0;
        dev_step(d, 1);
        g_assert_cmpuint(d->host.memory.maps, <=, 65536 / 4096 + 4);
    }
    dev_assert_no_fault(d);
    g_assert_cmphex(get32(d, DEV_RESULT), ==, 0);
}

/*
 * Events that a host sees: the offset of the message, and the lanes that ran.
 */
static void test_messages_and_contracts_are_events(void)
{
    g_autoptr(Dev) d = dev_new();
    TestMessage m = store(0);
    const VeuEvent *event;

    d->config.eu.check = true;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    dev_setup(d);
    dev_enable(d);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    m.exec = TEST_LANES_8; /* all lanes have the same address */
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.exec_mask = 0x0f;
    RUN(d, command);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     2);
    event = test_host_last_event(&d->host, VEU_EVENT_MESSAGE);
    g_assert_cmpstr(event->name, ==, "scatter_scaled");
    g_assert_cmpuint(event->at, ==, 27);
    g_assert_cmphex(event->value, ==, 0x0f);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_CONTRACT), ==,
                     1);
    event = test_host_last_event(&d->host, VEU_EVENT_CONTRACT);
    g_assert_cmpstr(event->name, ==, "lane collision");
    g_assert_cmpuint(event->at, ==, 27);
    /* Also for a host that wants no events of messages. */
    d->host.host.events = 1u << VEU_EVENT_CONTRACT;
    test_host_clear_log(&d->host);
    RUN(d, command);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_EVENT), ==, 1);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_CONTRACT), ==,
                     1);
}

/* V on a 1D surface, through a register of another type. */
static void test_every_broken_contract_is_an_event(void)
{
    g_autoptr(Dev) d = dev_new();
    TestMessage m = { .kind = TEST_SCATTER4_TYPED,
                      .exec = TEST_LANES_8,
                      .channels = 1,
                      .surface = 6,
                      .v = { 32, 0 },
                      .data = { 32, 0 } };
    struct veu_surface s = { .base = DEV_DATA,
                             .format = VEU_FORMAT_R32_SINT,
                             .type = VEU_SURFACE_1D,
                             .width = 8,
                             .levels = 1 };
    static const char *const names[] = { "lane collision", "register type",
                                         "unused operand" };
    unsigned seen = 0;

    d->config.eu.check = true;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    dev_setup(d);
    dev_enable(d);
    dev_surface(d, 0, &s);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.surface_count = 1;
    test_host_clear_log(&d->host);
    RUN(d, command);
    for (unsigned i = 0; i < d->host.log_count; i++) {
        const TestLogEntry *e = &d->host.log[i];

        if (e->kind == TEST_LOG_EVENT && e->event.kind == VEU_EVENT_CONTRACT) {
            g_assert_cmpuint(seen, <, 3);
            g_assert_cmpstr(e->event.name, ==, names[MIN(seen, 2)]);
            seen++;
        }
    }
    g_assert_cmpuint(seen, ==, 3);
}

static void test_events_that_nobody_wants_are_not_sent(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);
    struct veu_command_dispatch command;

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    command = dispatch(d);
    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.host.events = 1u << VEU_EVENT_COMMAND;
    RUN(d, command);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_COMMAND), ==,
                     1);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_EVENT), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/launch_faults/" #name, test_##name)
    RULE(a_payload_that_is_not_readable);
    RULE(reserved_words_of_a_payload);
    RULE(a_result_that_is_not_writable);
    RULE(a_payload_fault_ends_the_command);
    RULE(large_programs_are_copied_in_pieces);
    RULE(messages_and_contracts_are_events);
    RULE(every_broken_contract_is_an_event);
    RULE(events_that_nobody_wants_are_not_sent);
#undef RULE
    return g_test_run();
}
