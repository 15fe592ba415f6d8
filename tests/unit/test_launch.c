/*
 * veu unit tests: launches: docs/spec.md, section 6, from "Start of an EU
 * thread" on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"
#include "tests/unit/launch.h"

/* Without code the EU threads only copy payload to result. */
static void test_threads_are_numbered_by_group_and_thread(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);

    command.launch.threads = 3;
    command.launch.groups = 4;
    command.launch.payload_bytes = 64 + 8;
    command.launch.payload_stride = 100; /* any stride, even unaligned */
    command.launch.result_bytes = 8;
    command.launch.result_stride = 20;
    for (unsigned i = 0; i < 12; i++) {
        put32(d, DEV_PAYLOAD + 100 * i, UINT32_MAX);
        put32(d, DEV_PAYLOAD + 100 * i + 64, 0x1000 + i);
        put32(d, DEV_PAYLOAD + 100 * i + 68, 0x2000 + i);
    }
    RUN(d, command);
    for (unsigned i = 0; i < 12; i++) {
        g_assert_cmphex(get32(d, DEV_RESULT + 20 * i), ==, 0x1000 + i);
        g_assert_cmphex(get32(d, DEV_RESULT + 20 * i + 4), ==, 0x2000 + i);
        g_assert_cmphex(get32(d, DEV_RESULT + 20 * i + 8), ==, UNTOUCHED);
    }
    g_assert_cmphex(get32(d, DEV_RESULT + 20 * 12), ==, UNTOUCHED);
}

/*
 * All threads share a payload, and the last one (here the highest) leaves its
 * result.
 */
static void test_strides_may_be_0(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);

    command.launch.threads = 5;
    command.launch.payload_bytes = 64 + 4;
    command.launch.result_bytes = 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, 0x1234);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_RESULT), ==, 0x1234);
    g_assert_cmphex(get32(d, DEV_RESULT + 4), ==, UNTOUCHED);
}

/* payload_address + i * payload_stride, modulo 2^64. */
static void test_payload_addresses_wrap(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);

    test_memory_add(&d->host.memory, 0, 4096, true);
    test_memory_add(&d->host.memory, 0 - (uint64_t)4096, 4096, true);
    command.launch.threads = 2;
    command.launch.payload_address = 0 - (uint64_t)2048;
    command.launch.payload_bytes = 68;
    command.launch.payload_stride = 3072;
    command.launch.result_bytes = 4;
    command.launch.result_stride = 4;
    put32(d, 0 - (uint64_t)2048 + 64, 1);
    put32(d, 1024 + 64, 2);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_RESULT), ==, 1);
    g_assert_cmphex(get32(d, DEV_RESULT + 4), ==, 2);
}

static void test_what_the_payload_does_not_reach_is_0(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);

    command.launch.threads = 2;
    command.launch.payload_bytes = 64 + 6;
    command.launch.payload_stride = 128;
    command.launch.result_bytes = 16;
    command.launch.result_stride = 16;
    test_memory_fill(&d->host.memory, DEV_PAYLOAD + 64, 0xff, 64);
    test_memory_fill(&d->host.memory, DEV_PAYLOAD + 192, 0x77, 64);
    RUN(d, command);
    /* thread 1 does not see the registers of thread 0 */
    for (unsigned i = 0; i < 2; i++) {
        uint64_t at = DEV_RESULT + 16 * i;

        g_assert_cmphex(get32(d, at), ==, i ? 0x77777777 : 0xffffffff);
        g_assert_cmphex(get32(d, at + 4), ==, i ? 0x7777 : 0xffff);
        g_assert_cmphex(get32(d, at + 8), ==, 0);
    }
}

/*
 * Nor does it see what an earlier thread's message left there: thread 1 has no
 * lanes.
 */
static void test_registers_do_not_outlive_their_thread(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage load = { .kind = TEST_GATHER,
                         .elt_size = 2,
                         .num_elts = 2,
                         .surface = 5,
                         .offset = test_immediate(0),
                         .data = { 32, 0 } };

    test_program_variable(&d->program, 64, 1, VEU_TYPE_UD);
    test_program_add(&d->program, &load);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.threads = 2;
    command.launch.payload_bytes = 64 + 4;
    command.launch.payload_stride = 128;
    command.launch.result_offset = 64;
    command.launch.result_bytes = 4;
    command.launch.result_stride = 4;
    put32(d, DEV_PAYLOAD, 1);
    put32(d, DEV_DATA, 0x1234);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_RESULT), ==, 0x1234);
    g_assert_cmphex(get32(d, DEV_RESULT + 4), ==, 0);
}

/* A payload that ends within the word of a predicate. */
static void test_a_part_of_a_predicate(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 16, VEU_TYPE_UD);
    m.exec = TEST_LANES_16;
    m.pred = test_program_predicate(&d->program, 16);
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.simd = 16;
    command.launch.payload_bytes = 65;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, 0xffffff5a);
    RUN(d, command);
    g_assert_cmphex(test_host_last_event(&d->host, VEU_EVENT_MESSAGE)->value,
                    ==, 0x5a);
}

/*
 * After a launch of the same size, then of another one, nothing remains of the
 * first.
 */
static void test_one_program_after_another(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    for (unsigned i = 0; i < 3; i++) {
        d->program.code_bytes = 0;
        m.offset = test_immediate(16 * i);
        test_program_add(&d->program, &m);
        if (i == 2) {
            m.offset = test_immediate(16 * i + 4);
            test_program_add(&d->program, &m);
        }
        struct veu_command_dispatch command = dispatch(d);
        RUN(d, command);
        g_assert_cmphex(get32(d, DEV_DATA + 16 * i), ==, 0);
        g_assert_cmphex(get32(d, DEV_DATA + 16 * i + 4), ==,
                        i == 2 ? 0 : UNTOUCHED);
    }
}

/* Thread 0 of group 0 runs first, even after a launch that ended early. */
static void test_a_launch_after_one_that_faulted(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_dispatch command;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    command = dispatch(d);
    command.launch.threads = 3;
    command.launch.groups = 3;
    command.launch.result_bytes = 4;
    command.launch.result_stride = 4;
    command.launch.result_address = DEV_RAM + DEV_RAM_BYTES - 4 * 4;
    DEV_PUSH(d, command); /* group 1, thread 1 has no result */
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RESULT_MEMORY, 0);
    test_memory_fill(&d->host.memory, DEV_RESULT, 0xee, 64);
    command.launch.result_address = DEV_RESULT;
    DEV_PUSH(d, command);
    dev_run(d);
    for (unsigned i = 0; i < 10; i++) {
        g_assert_cmphex(get32(d, DEV_RESULT + 4 * i), ==,
                        i < 9 ? 0 : UNTOUCHED);
    }
}

/* ... and without one, all lanes run. */
static void test_without_a_payload_registers_are_0(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(8);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    m.exec = TEST_LANES_8;
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.payload_address = DEV_HOLE; /* not read */
    command.launch.result_bytes = 64;
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_RESULT + 60), ==, 0);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, 0);
    g_assert_cmphex(test_host_last_event(&d->host, VEU_EVENT_MESSAGE)->value,
                    ==, 0xff);
}

static void test_the_execution_mask_is_of_launch_and_payload(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 16, VEU_TYPE_UD);
    m.exec = TEST_LANES_16;
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.simd = 16;
    command.launch.exec_mask = 0x00ff0ff0;
    command.launch.payload_bytes = 64;
    put32(d, DEV_PAYLOAD, 0xffff3c3c);
    RUN(d, command);
    g_assert_cmphex(test_host_last_event(&d->host, VEU_EVENT_MESSAGE)->value,
                    ==, 0x0c30);
    /* the mask of one thread does not affect the next one */
    command.launch.threads = 2;
    command.launch.payload_stride = 64;
    put32(d, DEV_PAYLOAD, 0);
    put32(d, DEV_PAYLOAD + 64, UINT32_MAX);
    RUN(d, command);
    g_assert_cmphex(test_host_last_event(&d->host, VEU_EVENT_MESSAGE)->value,
                    ==, 0x0ff0);
}

/* A word for each predicate from byte 64 on, padded to a multiple of 64. */
static void check_predicates(unsigned count, uint32_t registers_at)
{
    g_autoptr(Dev) d = fixture();

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    for (unsigned i = 0; i < count; i++) {
        TestMessage m = store(4 * i);

        m.exec = TEST_LANES_8;
        m.pred = test_program_predicate(&d->program, 8 + i);
        test_program_add(&d->program, &m);
    }
    struct veu_command_dispatch command = dispatch(d);
    command.launch.payload_bytes = registers_at + 4;
    command.launch.result_bytes = 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    for (unsigned i = 0; i < count; i++) {
        put32(d, DEV_PAYLOAD + 64 + 4 * i, 0x11 * (i + 1));
    }
    test_memory_fill(&d->host.memory, DEV_PAYLOAD + 64 + 4 * count, 0xdd,
                     registers_at - 64 - 4 * count);
    put32(d, DEV_PAYLOAD + registers_at, 0xabcd);
    test_host_clear_log(&d->host);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_RESULT), ==, 0xabcd);
    for (unsigned i = 0, n = 0; n < d->host.log_count; n++) {
        const TestLogEntry *e = &d->host.log[n];

        if (e->kind == TEST_LOG_EVENT && e->event.kind == VEU_EVENT_MESSAGE) {
            g_assert_cmphex(e->event.value, ==, (0x11 * (i + 1)) & 0xff);
            i++;
        }
    }
}

static void test_predicates_come_with_the_payload(void)
{
    check_predicates(0, 64);
    check_predicates(1, 128);
    check_predicates(2, 128);
    check_predicates(15, 128);
    check_predicates(16, 128);
}

/*
 * A 16-bit word for each element of each address variable follows the
 * predicates, padded to a multiple of 64. A message for each element stores at
 * the offset to which the element points.
 */
static void check_addresses(unsigned predicates, unsigned variables,
                            unsigned elements, uint32_t registers_at)
{
    g_autoptr(Dev) d = fixture();
    uint32_t at = DEV_PAYLOAD + 64 + 4 * predicates;
    unsigned count = variables * elements;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, count, VEU_TYPE_UD);
    for (unsigned i = 0; i < predicates; i++) {
        test_program_predicate(&d->program, 8);
    }
    for (unsigned i = 0; i < variables; i++) {
        test_program_address(&d->program, elements);
    }
    for (unsigned i = 0; i < count; i++) {
        TestMessage m = store(0);

        m.offset = test_indirect(i / elements, i % elements, -4, VEU_TYPE_UD);
        test_program_add(&d->program, &m);
    }
    struct veu_command_dispatch command = dispatch(d);
    command.launch.payload_bytes = registers_at + 32 + 4 * count;
    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4096;
    command.launch.exec_mask = 1;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    test_memory_fill(&d->host.memory, DEV_PAYLOAD + 64, 0xdd,
                     registers_at - 64);
    put32(d, DEV_PAYLOAD + registers_at, 0xabcd);
    for (unsigned i = 0; i < count; i++) {
        /* points 4 bytes too far, and the message adds -4 */
        uint16_t points_to = 32 + 4 * (count - 1 - i) + 4;

        test_memory_put(&d->host.memory, at + 2 * i, &points_to, 2);
        put32(d, DEV_PAYLOAD + registers_at + 32 + 4 * i, 8 * i);
        put32(d, DEV_DATA + 8 * i, UNTOUCHED);
    }
    RUN(d, command);
    for (unsigned i = 0; i < count; i++) {
        g_assert_cmphex(get32(d, DEV_DATA + 8 * i), !=, UNTOUCHED);
    }
}

static void test_address_variables_come_with_the_payload(void)
{
    check_addresses(0, 1, 1, 128);
    check_addresses(0, 2, 16, 128);
    check_addresses(1, 2, 16, 192);
    check_addresses(15, 1, 2, 128);
    check_addresses(15, 3, 1, 192);
}

/* What the payload does not reach is 0: the scalar is at byte 0. */
static void test_address_variables_without_a_payload_are_0(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_address(&d->program, 16);
    m.offset = test_indirect(0, 15, 0, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4096;
    put32(d, DEV_DATA, UNTOUCHED);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_DATA), ==, 0);
}

/* Inline messages cannot declare address variables. */
static void test_inline_messages_have_no_address_variables(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);
    struct veu_command_message command;

    m.offset = test_indirect(0, 0, 0, VEU_TYPE_UD);
    command = dev_message(&m);
    command.launch.variable_count = 1;
    command.variables[0] = (struct veu_variable){ .elements = 8 };
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_OPERAND, 9);
}

static void test_a_result_is_any_piece_of_the_register_file(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dispatch(d);

    command.launch.payload_bytes = 64 + 64;
    command.launch.result_offset = 13;
    command.launch.result_bytes = 7;
    command.launch.result_address = DEV_RESULT + 4096 - 3; /* two pages */
    for (unsigned i = 0; i < 16; i++) {
        put32(d, DEV_PAYLOAD + 64 + 4 * i, 0x03020100 + 0x04040404 * i);
    }
    RUN(d, command);
    for (unsigned i = 0; i < 7; i++) {
        g_assert_cmphex(test_memory_get8(&d->host.memory,
                                         DEV_RESULT + 4096 - 3 + i),
                        ==, 13 + i);
    }
    g_assert_cmphex(test_memory_get8(&d->host.memory, DEV_RESULT + 4096 - 4),
                    ==, 0xee);
}

static void test_messages_run_in_order(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage load = { .kind = TEST_GATHER,
                         .elt_size = 2,
                         .num_elts = 2,
                         .surface = 5,
                         .offset = test_immediate(0),
                         .data = { 32, 0 } };

    /* read dword 0, store it to 1; read 1, store it to 2; ... */
    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    for (unsigned i = 0; i < 50; i++) {
        TestMessage m = store(4 * i + 4);

        load.offset = test_immediate(i);
        test_program_add(&d->program, &load);
        test_program_add(&d->program, &m);
    }
    struct veu_command_dispatch command = dispatch(d);
    put32(d, DEV_DATA, 0x1357);
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_DATA + 200), ==, 0x1357);
    g_assert_cmphex(get32(d, DEV_DATA + 204), ==, UNTOUCHED);
}

static unsigned seen_lanes;

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    seen_lanes++;
    return 0;
}

/* The host's observer sees the launches that run while it is set. */
static void test_an_observer_sees_launches_of_one_message(void)
{
    g_autoptr(Dev) d = fixture();
    VeuObserver observer = { .lane = see_lane };
    TestMessage m = store(0);
    struct veu_command_dispatch command;

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    command = dispatch(d);
    seen_lanes = 0;
    RUN(d, command);
    g_assert_cmpuint(seen_lanes, ==, 0);
    d->host.host.observer = &observer;
    RUN(d, command);
    g_assert_cmpuint(seen_lanes, ==, 1);
    d->host.host.observer = NULL;
    RUN(d, command);
    g_assert_cmpuint(seen_lanes, ==, 1);
}

/* The threads of a group add up what they read from SLM. */
static void slm_program(Dev *d)
{
    TestMessage load = { .kind = TEST_GATHER,
                         .elt_size = 2,
                         .num_elts = 2,
                         .surface = 0,
                         .offset = test_immediate(3),
                         .data = { 33, 0 } };
    TestMessage keep = store(12);

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    test_program_variable(&d->program, 4, 1, VEU_TYPE_UD);
    keep.surface = 0;
    test_program_add(&d->program, &load);
    test_program_add(&d->program, &keep);
}

/* Checks what the threads read from SLM before they wrote 0x55 there. */
static void check_slm(uint8_t undefined, uint32_t slm_bytes, uint32_t first,
                      uint32_t second)
{
    g_autoptr(Dev) d = dev_new();

    d->config.eu.undefined = undefined;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    dev_setup(d);
    dev_enable(d);
    slm_program(d);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.slm_bytes = slm_bytes;
    command.launch.threads = 2;
    command.launch.groups = 3;
    command.launch.payload_bytes = 68;
    command.launch.result_offset = 4;
    command.launch.result_bytes = 4;
    command.launch.result_stride = 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, 0x55);
    RUN(d, command);
    for (unsigned group = 0; group < 3; group++) {
        g_assert_cmphex(get32(d, DEV_RESULT + 8 * group), ==, first);
        g_assert_cmphex(get32(d, DEV_RESULT + 8 * group + 4), ==, second);
    }
}

/* The second thread of a group sees what the first one wrote. */
static void test_slm_is_shared_by_a_group_and_fresh_for_each(void)
{
    check_slm(0, 16, 0, 0x55);
    check_slm(0, 65536, 0, 0x55);
}

static void test_slm_is_poisoned_on_request(void)
{
    check_slm(0xa5, 16, 0xa5a5a5a5, 0x55);
}

static void test_slm_is_as_large_as_the_launch_says(void)
{
    check_slm(0, 15, 0, 0);
    check_slm(0, 0, 0, 0);
}

/* ... and nothing of an earlier, larger launch remains in it. */
static void test_slm_of_one_launch_is_not_the_next_ones(void)
{
    g_autoptr(Dev) d = fixture();

    slm_program(d);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.slm_bytes = 16;
    command.launch.payload_bytes = 68;
    command.launch.result_offset = 4;
    command.launch.result_bytes = 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, 0x55);
    for (unsigned i = 0; i < 3; i++) {
        RUN(d, command);
        g_assert_cmphex(get32(d, DEV_RESULT), ==, 0);
    }
}

static void test_surfaces_are_6_and_up(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    for (unsigned i = 0; i < 10; i++) {
        dev_buffer(d, i, DEV_DATA + 100 * i, 4);
        m.surface = 6 + i;
        test_program_add(&d->program, &m);
    }
    struct veu_command_dispatch command = dispatch(d);
    command.launch.surface_count = 10;
    RUN(d, command);
    for (unsigned i = 0; i < 10; i++) {
        g_assert_cmphex(get32(d, DEV_DATA + 100 * i), ==, 0);
        g_assert_cmphex(get32(d, DEV_DATA + 100 * i + 4), ==, UNTOUCHED);
    }
}

static void test_the_largest_surface_table(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    m.surface = 255;
    test_program_add(&d->program, &m);
    struct veu_command_dispatch command = dispatch(d);
    command.launch.surface_table = DEV_PROGRAM + 0x1000;
    command.launch.surface_count = 250;
    for (unsigned i = 0; i < 250; i++) {
        struct veu_surface s = { .base = DEV_DATA + (i == 249 ? 40 : 0),
                                 .format = VEU_FORMAT_RAW,
                                 .type = VEU_SURFACE_BUFFER,
                                 .width = 4 };

        test_memory_put(&d->host.memory, DEV_PROGRAM + 0x1000 + 64 * i, &s,
                        sizeof(s));
    }
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_DATA + 40), ==, 0);
    g_assert_cmphex(get32(d, DEV_DATA), ==, UNTOUCHED);
}

/* An inline message: variables, predicates of 32 bits, payload, result. */
static void test_inline_messages(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = { .kind = TEST_GATHER_SCALED,
                      .exec = TEST_LANES_16 | TEST_M(5),
                      .pred = 2,
                      .num_blocks = 2,
                      .surface = 6,
                      .offset = test_immediate(0),
                      .address = { 32, 0 },
                      .data = { 33, 0 } };
    struct veu_command_message command = dev_message(&m);

    command.launch.simd = 32;
    command.launch.variable_count = 2;
    command.variables[0] = (struct veu_variable){ .elements = 16 };
    command.variables[1] = (struct veu_variable){ .offset = 64,
                                                  .elements = 16 };
    command.launch.predicate_count = 2;
    command.launch.surface_count = 1;
    command.launch.payload_bytes = 128 + 64;
    command.launch.result_offset = 64;
    command.launch.result_bytes = 64;
    dev_buffer(d, 0, DEV_DATA, 64);
    put32(d, DEV_PAYLOAD, 0xff000000);      /* lanes 24 to 31 */
    put32(d, DEV_PAYLOAD + 68, 0x0fffffff); /* P2: lanes 0 to 27 */
    for (unsigned i = 0; i < 16; i++) {
        put32(d, DEV_PAYLOAD + 128 + 4 * i, 4 * (15 - i));
        put32(d, DEV_DATA + 4 * i, 0x100 + i);
    }
    RUN(d, command);
    for (unsigned i = 0; i < 16; i++) {
        g_assert_cmphex(get32(d, DEV_RESULT + 4 * i), ==,
                        i >= 8 && i < 12 ? 0x100 + 15 - i : 0);
    }
}

static void test_inline_messages_run_on_all_threads(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = store(0);
    struct veu_command_message command;

    m.address.id = 33; /* each thread stores to a different place */
    command = dev_message(&m);
    command.launch.variable_count = 2;
    command.variables[0] = (struct veu_variable){ .elements = 8 };
    command.variables[1] = (struct veu_variable){ .offset = 32, .elements = 8 };
    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4096;
    command.launch.threads = 3;
    command.launch.groups = 2;
    command.launch.payload_bytes = 64 + 36;
    command.launch.payload_stride = 128;
    for (unsigned i = 0; i < 6; i++) {
        put32(d, DEV_PAYLOAD + 128 * i, 1);
        put32(d, DEV_PAYLOAD + 128 * i + 64, 0x70 + i);
        put32(d, DEV_PAYLOAD + 128 * i + 96, 8 * i);
    }
    RUN(d, command);
    for (unsigned i = 0; i < 6; i++) {
        g_assert_cmphex(get32(d, DEV_DATA + 8 * i), ==, 0x70 + i);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/launch/" #name, test_##name)
    RULE(threads_are_numbered_by_group_and_thread);
    RULE(strides_may_be_0);
    RULE(payload_addresses_wrap);
    RULE(what_the_payload_does_not_reach_is_0);
    RULE(registers_do_not_outlive_their_thread);
    RULE(a_part_of_a_predicate);
    RULE(one_program_after_another);
    RULE(a_launch_after_one_that_faulted);
    RULE(without_a_payload_registers_are_0);
    RULE(the_execution_mask_is_of_launch_and_payload);
    RULE(predicates_come_with_the_payload);
    RULE(address_variables_come_with_the_payload);
    RULE(address_variables_without_a_payload_are_0);
    RULE(inline_messages_have_no_address_variables);
    RULE(a_result_is_any_piece_of_the_register_file);
    RULE(messages_run_in_order);
    RULE(an_observer_sees_launches_of_one_message);
    RULE(slm_is_shared_by_a_group_and_fresh_for_each);
    RULE(slm_is_poisoned_on_request);
    RULE(slm_is_as_large_as_the_launch_says);
    RULE(slm_of_one_launch_is_not_the_next_ones);
    RULE(surfaces_are_6_and_up);
    RULE(the_largest_surface_table);
    RULE(inline_messages);
    RULE(inline_messages_run_on_all_threads);
#undef RULE
    return g_test_run();
}
