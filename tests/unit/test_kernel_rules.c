/*
 * veu unit tests: the legal fields of a KERNEL: docs/spec.md, "KERNEL".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "tests/lib/kernel_builder.h"

#define AT(field) offsetof(struct veu_command_kernel, field)

/* The part of LIMIT_LAUNCH_BYTES that an EU thread of the program takes. */
#define THREAD_BYTES (VEU_KERNEL_THREAD_BYTES + 64 + CODE_REGISTER_BYTES)

/*
 * A value of a field of 1 to 8 bytes, and the fault's detail, or 0 if it is
 * legal.
 */
static const struct {
    unsigned at;
    unsigned bytes;
    uint64_t value;
    unsigned detail;
} rows[] = {
#define GOOD(field, bytes, value)  \
    {                              \
        AT(field), bytes, value, 0 \
    }
#define BAD(field, bytes, value)           \
    {                                      \
        AT(field), bytes, value, AT(field) \
    }
#define MOST_IDS (CODE_REGISTER_BYTES - 32 - KERNEL_CROSS_BYTES)
    BAD(code_bytes, 4, 0),
    BAD(code_bytes, 4, 31),
    BAD(code_bytes, 4, VEU_LIMIT_PROGRAM_BYTES + 1),
    BAD(program, 4, 1),
    BAD(program, 4, UINT32_MAX),
    GOOD(surface_count, 4, VEU_LIMIT_SURFACES),
    BAD(surface_count, 4, VEU_LIMIT_SURFACES + 1),
    GOOD(slm_bytes, 4, VEU_LIMIT_SLM_BYTES),
    BAD(slm_bytes, 4, VEU_LIMIT_SLM_BYTES + 1),
    GOOD(local_id_bytes, 4, MOST_IDS),
    { AT(local_id_bytes), 4, MOST_IDS + 1, AT(cross_thread_bytes) },
    { AT(local_id_bytes), 4, VEU_LIMIT_REGISTER_BYTES, AT(cross_thread_bytes) },
    BAD(local_id_bytes, 4, VEU_LIMIT_REGISTER_BYTES + 1),
    BAD(cross_thread_bytes, 4, UINT32_MAX),
    GOOD(first_group[0], 4, UINT32_MAX),
    GOOD(first_group[1], 4, UINT32_MAX - 1),
    BAD(first_group[1], 4, UINT32_MAX),
    GOOD(first_group[2], 4, UINT32_MAX),
    BAD(group_count[0], 4, 0),
    BAD(group_count[1], 4, 0),
    BAD(group_count[2], 4, 0),
    BAD(group_count[0], 4, VEU_LIMIT_GROUPS + 1),
    { AT(group_count[2]), 4, VEU_LIMIT_GROUPS, AT(group_count) },
    BAD(threads, 4, 0),
    BAD(threads, 4, VEU_LIMIT_THREADS + 1),
    /* The most threads are legal; those of this program do not fit. */
    { AT(threads), 4, VEU_LIMIT_THREADS, AT(groups_in_flight) },
    GOOD(stateless_bytes, 8, UINT64_C(1) << 32),
    BAD(stateless_bytes, 8, (UINT64_C(1) << 32) + 1),
    GOOD(scratch_bytes, 4, 0x4000 / 8),
    BAD(scratch_bytes, 4, 512),
    BAD(scratch_bytes, 4, 0x4000 / 8 + 1024),
    BAD(groups_in_flight, 4, 0),
    GOOD(groups_in_flight, 4, UINT32_MAX),
    BAD(simd, 1, 4),
    GOOD(simd, 1, 16),
    GOOD(simd, 1, 32),
    BAD(simd, 1, 33),
    BAD(reserved, 1, 1),
    { AT(reserved[6]), 1, 1, AT(reserved) },
    GOOD(samplers[0].filter, 1, VEU_FILTER_LINEAR),
    BAD(samplers[0].filter, 1, 2),
    GOOD(samplers[15].addressing, 1, VEU_ADDRESSING_EDGE),
    BAD(samplers[15].addressing, 1, VEU_ADDRESSING_REPEAT),
    GOOD(samplers[1], 4, 0x10301),
    BAD(samplers[2].addressing, 1, 4),
    BAD(samplers[3].flags, 1, 2),
    BAD(samplers[15].reserved, 1, 1),
#undef GOOD
#undef BAD
};

/* Two groups in y, each of four EU threads. */
static struct veu_command_kernel make(Dev *d)
{
    Code code = { 0 };
    struct veu_command_kernel c;

    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = kernel_command(d, &code, (uint32_t[]){ 1, 2, 1 });
    c.surface_table = DEV_DATA; /* a table of null surfaces */
    return c;
}

static void test_fields(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_kernel c = make(d);

        memcpy((uint8_t *)&c + rows[i].at, &rows[i].value, rows[i].bytes);
        DEV_PUSH(d, c);
        dev_run(d);
        if (rows[i].detail) {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, rows[i].detail);
        } else {
            dev_assert_no_fault(d);
        }
    }
}

/* All lanes of an EU thread run, up to the last of 32. */
static void test_32_lanes_run(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { 0 };
    uint32_t ones = code_variable(&code, 256, 32, VEU_TYPE_UD);
    TestMessage store = { .kind = TEST_OWORD_ST,
                          .size = 3, /* 8 owords */
                          .surface = 5,
                          .offset = test_immediate(0),
                          .data = { ones, 0 } };
    struct veu_command_kernel c;

    CODE_ADD(&code, "mov", size_m1(32), 0, 0, op_dst(ones),
             op_imm(VEU_TYPE_UD, 1));
    code_add_message(&code, &store);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = kernel_command(d, &code, (uint32_t[]){ 1, 1, 1 });
    c.simd = 32;
    c.last_exec_mask = UINT32_MAX;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    for (unsigned lane = 0; lane < 32; lane++) {
        g_assert_cmpuint(
            test_memory_get32(&d->host.memory, DEV_DATA + 4 * lane), ==, 1);
    }
}

/* Sizes of a program that are legal; its header has another one. */
static void test_the_shortest_and_the_longest_program(void)
{
    static const uint32_t sizes[] = { sizeof(struct veu_program_header),
                                      VEU_LIMIT_PROGRAM_BYTES };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_kernel c = make(d);

        c.code_bytes = sizes[i];
        DEV_PUSH(d, c);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                         offsetof(struct veu_program_header, bytes));
    }
}

/* The sum of base and size is less than 2^64. */
static void test_a_stateless_range_does_not_wrap(void)
{
    for (unsigned more = 0; more < 2; more++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_kernel c = make(d);

        c.stateless_bytes = 0x4000;
        c.stateless_base = UINT64_MAX - 0x4000 + more;
        DEV_PUSH(d, c);
        dev_run(d);
        if (more) {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD,
                             AT(stateless_bytes));
        } else {
            dev_assert_no_fault(d);
        }
    }
}

/* 2^20 groups are legal, and cost more than the ring allows. */
static void test_the_most_groups(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_kernel c;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, 100);
    dev_enable(d);
    c = make(d);
    c.group_count[2] = VEU_LIMIT_GROUPS / 2;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
}

/* As many groups as fit are legal, and one more is not. */
static void test_groups_in_flight_fit(void)
{
    unsigned fit = VEU_LIMIT_LAUNCH_BYTES /
                   (4096 + KERNEL_THREADS * THREAD_BYTES);

    for (unsigned more = 0; more < 2; more++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_kernel c = make(d);

        c.slm_bytes = 4000;
        c.group_count[2] = 1000;
        c.groups_in_flight = fit + more;
        DEV_PUSH(d, c);
        dev_run(d);
        if (more) {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD,
                             AT(groups_in_flight));
        } else {
            dev_assert_no_fault(d);
        }
    }
}

static void test_a_program_of_messages_is_refused(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch;
    struct veu_command_kernel c = make(d);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    dispatch = dev_dispatch(d);
    c.code_bytes = dispatch.launch.code_bytes;
    for (unsigned i = 0; i < 2; i++) {
        dev_enable(d);
        DEV_PUSH(d, dispatch); /* the second time it is already decoded */
        DEV_PUSH(d, c);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                         offsetof(struct veu_program_header, kind));
        dev_disable(d);
        dev_run(d);
    }
}

/* The inputs of the third EU thread are not in memory. */
static void test_inputs_that_are_not_there(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make(d);

    c.local_id_address = DEV_RAM + DEV_RAM_BYTES - 2 * KERNEL_IDS_BYTES;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PAYLOAD_MEMORY, 0);
    g_assert_cmpuint(dev_record(d, 0).thread, ==, 2);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_RAM + DEV_RAM_BYTES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/kernel-rules/fields", test_fields);
    g_test_add_func("/kernel-rules/groups-in-flight-fit",
                    test_groups_in_flight_fit);
    g_test_add_func("/kernel-rules/the-shortest-and-the-longest-program",
                    test_the_shortest_and_the_longest_program);
    g_test_add_func("/kernel-rules/a-stateless-range-does-not-wrap",
                    test_a_stateless_range_does_not_wrap);
    g_test_add_func("/kernel-rules/32-lanes-run", test_32_lanes_run);
    g_test_add_func("/kernel-rules/the-most-groups", test_the_most_groups);
    g_test_add_func("/kernel-rules/a-program-of-messages-is-refused",
                    test_a_program_of_messages_is_refused);
    g_test_add_func("/kernel-rules/inputs-that-are-not-there",
                    test_inputs_that_are_not_there);
    return g_test_run();
}
