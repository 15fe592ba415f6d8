/*
 * veu unit tests: the parts of its surface table that a launch reads:
 * docs/spec.md, sections 6 and 9.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "launch.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/state_bytes.h"

#define ENTRY_BYTES 64
#define RAM_END     (DEV_RAM + DEV_RAM_BYTES)
#define VALUE       0x1234

/* Stores the first dword of a payload's registers to byte 0 of an entry. */
static TestMessage store_to(unsigned entry)
{
    TestMessage m = store(0);

    m.surface = 6 + entry;
    return m;
}

/* A program that names these entries of a table of 8, in this order. */
static struct veu_command_dispatch naming(Dev *d, const unsigned *entries,
                                          unsigned count)
{
    struct veu_command_dispatch command;

    test_program_init(&d->program);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    for (unsigned i = 0; i < count; i++) {
        TestMessage m = store_to(entries[i]);

        test_program_add(&d->program, &m);
    }
    command = dispatch(d);
    command.launch.surface_count = 8;
    command.launch.payload_bytes = 64 + 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, VALUE);
    return command;
}

static struct veu_command_dispatch naming_4_and_2(Dev *d)
{
    static const unsigned entries[] = { 4, 2, 4 };

    return naming(d, entries, G_N_ELEMENTS(entries));
}

static struct veu_command_message inline_naming(Dev *d, unsigned entry)
{
    TestMessage m = store_to(entry);
    struct veu_command_message command = dev_message(&m);

    command.launch.variable_count = 1;
    command.variables[0] = (struct veu_variable){ .elements = 8 };
    command.launch.surface_count = 8;
    command.launch.payload_bytes = 64 + 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, VALUE);
    return command;
}

/* Entry @n describes dword n of DEV_DATA, or has type 0xff. */
static void put_entry(Dev *d, unsigned n, bool legal)
{
    dev_buffer(d, n, DEV_DATA + 4 * n, 4);
    if (!legal) {
        test_memory_fill(&d->host.memory, DEV_SURFACES + n * ENTRY_BYTES, 0xff,
                         ENTRY_BYTES);
    }
}

static Dev *table_fixture(void)
{
    Dev *d = fixture();

    for (unsigned n = 0; n < 8; n++) {
        put_entry(d, n, true);
    }
    return d;
}

static void test_the_table_is_readable_where_messages_name_it(void)
{
    const uint64_t tables[] = { DEV_HOLE, RAM_END - 2 * ENTRY_BYTES - 1,
                                RAM_END - 4 * ENTRY_BYTES - 63 };
    const uint64_t failed[] = { DEV_HOLE + 2 * ENTRY_BYTES, RAM_END, RAM_END };

    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autoptr(Dev) d = table_fixture();
        struct veu_command_dispatch command = naming_4_and_2(d);
        struct veu_fault_record r;

        command.launch.surface_table = tables[i];
        DEV_PUSH(d, command);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_SURFACE_TABLE, 0);
        r = dev_record(d, 0);
        g_assert_cmphex(r.address, ==, failed[i]);
        g_assert_cmpuint(r.bytes, ==, 8 * ENTRY_BYTES);
        g_assert_cmpuint(r.access, ==, VEU_ACCESS_READ);
        g_assert_cmphex(r.message_offset, ==, UINT32_MAX);
        g_assert_cmphex(r.group, ==, UINT32_MAX);
    }
}

/* The detail is the offset in the table. */
static void test_descriptors_are_checked(void)
{
    g_autoptr(Dev) d = table_fixture();
    struct veu_command_dispatch command = naming_4_and_2(d);
    struct veu_surface s = { .format = VEU_FORMAT_R32_UINT,
                             .type = VEU_SURFACE_2D,
                             .width = 8,
                             .height = 8,
                             .pitch = 31,
                             .levels = 1 };

    dev_surface(d, 4, &s);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_FIELD, 4 * ENTRY_BYTES + 24);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, UNTOUCHED);
}

/* Descriptors are checked in the order of the table, not of the program. */
static void test_the_first_that_is_bad_is_told(void)
{
    g_autoptr(Dev) d = table_fixture();
    struct veu_command_dispatch command = naming_4_and_2(d);

    put_entry(d, 2, false);
    put_entry(d, 4, false);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_FIELD, 2 * ENTRY_BYTES + 10);
}

static void test_all_are_read_before_one_is_checked(void)
{
    g_autoptr(Dev) d = table_fixture();
    struct veu_command_dispatch command = naming_4_and_2(d);

    command.launch.surface_table = RAM_END - 4 * ENTRY_BYTES;
    test_memory_fill(&d->host.memory, RAM_END - 4096, 0xff, 4096);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_TABLE, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, RAM_END);
}

/*
 * All bytes of an entry are 0: a 1D surface without texels for messages, and
 * one that need not exist for a program of instructions.
 */
static void test_an_empty_entry_is_for_instructions_only(void)
{
    const struct veu_surface empty = { 0 };
    g_autoptr(Dev) d = table_fixture();
    Code code = { .surface_count = 1 };
    struct veu_command_dispatch instructions;
    struct veu_command_dispatch messages = naming_4_and_2(d);

    uint8_t program[4096];

    g_assert_cmpuint(messages.launch.code_bytes, <=, sizeof(program));
    test_memory_get(&d->host.memory, DEV_PROGRAM, program,
                    messages.launch.code_bytes);
    messages.launch.code_address = DEV_PROGRAM + 0x10000;
    test_memory_put(&d->host.memory, messages.launch.code_address, program,
                    messages.launch.code_bytes);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    instructions = code_dispatch(d, &code);
    instructions.launch.surface_table = DEV_SURFACES;
    instructions.launch.surface_count = 8;
    dev_surface(d, 4, &empty);
    RUN(d, instructions);
    DEV_PUSH(d, messages);
    dev_run(d);
    g_assert_cmphex(dev_record(d, 0).code, ==, VEU_FAULT_SURFACE_FIELD);
    g_assert_cmpuint(dev_record(d, 0).detail / ENTRY_BYTES, ==, 4);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, UNTOUCHED);
}

/* Entries 5 to 7 are not in RAM; the others have type 0xff. */
static void test_what_no_message_names_may_hold_anything(void)
{
    const uint64_t table = RAM_END - 5 * ENTRY_BYTES;
    g_autoptr(Dev) d = table_fixture();
    struct veu_command_dispatch command = naming_4_and_2(d);
    uint8_t entries[5 * ENTRY_BYTES];

    for (unsigned n = 0; n < 5; n++) {
        put_entry(d, n, n == 2 || n == 4);
    }
    test_memory_get(&d->host.memory, DEV_SURFACES, entries, sizeof(entries));
    test_memory_put(&d->host.memory, table, entries, sizeof(entries));
    command.launch.surface_table = table;
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, VALUE);
    g_assert_cmphex(get32(d, DEV_DATA + 16), ==, VALUE);
}

/* No table contains surface 5. */
static void test_who_names_no_entry_needs_no_table(void)
{
    g_autoptr(Dev) d = table_fixture();
    struct veu_command_message command = inline_naming(d, 0);
    TestMessage m = store(0);

    memcpy(command.message, test_encode(&m).bytes, command.launch.code_bytes);
    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4;
    command.launch.surface_table = DEV_HOLE;
    command.launch.surface_count = 250;
    RUN(d, command);
    g_assert_cmphex(get32(d, DEV_DATA), ==, VALUE);
}

static void test_an_inline_message_needs_one_descriptor(void)
{
    for (unsigned n = 0; n < 8; n++) {
        g_autoptr(Dev) d = table_fixture();
        struct veu_command_message command = inline_naming(d, n);

        for (unsigned other = 0; other < 8; other++) {
            put_entry(d, other, other == n);
        }
        RUN(d, command);
        g_assert_cmphex(get32(d, DEV_DATA + 4 * n), ==, VALUE);
        put_entry(d, n, false);
        DEV_PUSH(d, command);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_SURFACE_FIELD, n * ENTRY_BYTES + 10);
    }
}

/*
 * A message that names such an entry faults when it runs: earlier messages are
 * complete.
 */
static void test_what_is_behind_the_table_is_not_checked(void)
{
    g_autoptr(Dev) d = table_fixture();
    static const unsigned entries[] = { 2, 4 };
    struct veu_command_dispatch command = naming(d, entries, 2);

    put_entry(d, 4, false);
    command.launch.surface_count = 4;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_INDEX, 0);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, VALUE);
}

/* Pushes a command that names @count entries, or a single one inline. */
static void push_any(Dev *d, const unsigned *entries, unsigned count)
{
    if (count == 1 && g_test_rand_bit()) {
        struct veu_command_message command = inline_naming(d, entries[0]);

        DEV_PUSH(d, command);
    } else {
        struct veu_command_dispatch command = naming(d, entries, count);

        DEV_PUSH(d, command);
    }
}

static unsigned below(unsigned limit)
{
    return g_test_rand_int_range(0, limit);
}

/* Names up to three entries; returns the first illegal one, or 8. */
static unsigned run_any(Dev *d, const bool *legal)
{
    unsigned entries[3];
    unsigned count = 1 + below(3);
    unsigned bad = 8;

    for (unsigned i = 0; i < count; i++) {
        entries[i] = below(8);
        bad = legal[entries[i]] ? bad : MIN(bad, entries[i]);
    }
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 32);
    push_any(d, entries, count);
    dev_run(d);
    for (unsigned i = 0; i < count; i++) {
        g_assert_cmphex(get32(d, DEV_DATA + 4 * entries[i]), ==,
                        bad < 8 ? UNTOUCHED : VALUE);
    }
    return bad;
}

/*
 * The contents of an entry during earlier commands, named or not, do not
 * matter.
 */
static void test_entries_change_between_commands(void)
{
    g_autoptr(Dev) d = dev_new();
    bool legal[8] = { false };
    uint32_t faults = 0;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    test_memory_fill(&d->host.memory, DEV_SURFACES, 0xff, 8 * ENTRY_BYTES);
    for (unsigned round = 0; round < 1000; round++) {
        unsigned n = below(8);
        unsigned bad = run_any(d, legal);

        faults += bad < 8;
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, faults);
        if (bad < 8) {
            g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==,
                             bad * ENTRY_BYTES + 10);
        }
        legal[n] = below(4);
        put_entry(d, n, legal[n]);
    }
}

/* A launch that stops before its @steps-th step. */
static Dev *stopped(unsigned steps)
{
    Dev *d = table_fixture();
    struct veu_command_dispatch command = naming_4_and_2(d);

    command.launch.surface_count = 5;
    put_entry(d, 0, false);
    put_entry(d, 3, false);
    DEV_PUSH(d, command);
    while (steps--) {
        dev_step(d, 1);
    }
    return d;
}

static void assert_goes_on(Dev *d, const GByteArray *state)
{
    g_assert_cmpstr(state_load(d->device, state), ==, NULL);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmphex(get32(d, DEV_DATA + 8), ==, VALUE);
    g_assert_cmphex(get32(d, DEV_DATA + 16), ==, VALUE);
}

/*
 * Finds the table in a state of @d, or NULL: entry 1 is null, entry 2 is
 * unchanged.
 */
static uint8_t *find_entry_1(Dev *d, const GByteArray *state)
{
    struct veu_surface entries[2] = { { .type = VEU_SURFACE_NULL } };

    test_memory_get(&d->host.memory, DEV_SURFACES + 2 * ENTRY_BYTES,
                    &entries[1], ENTRY_BYTES);
    return memmem(state->data, state->len, entries, sizeof(entries));
}

/*
 * Version 6 of the stream stored the whole table, because all of it was copied.
 * In newer states, entries that are not named are null, which is legal, and any
 * contents are accepted for them.
 */
static void test_states_have_null_for_what_is_not_named(void)
{
    unsigned found = 0;

    for (unsigned steps = 0; steps < 8; steps++) {
        g_autoptr(Dev) from = stopped(steps);
        g_autoptr(Dev) to = dev_destination(from);
        g_autoptr(Dev) next = dev_destination(from);
        g_autoptr(GByteArray) state = state_save(from->device);
        uint8_t *entry = find_entry_1(from, state);

        assert_goes_on(to, state);
        if (entry) {
            found++;
            memset(entry, 0xff, ENTRY_BYTES);
            assert_goes_on(next, state);
        }
    }
    g_assert_cmpuint(found, >=, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/launch_surfaces/" #name, test_##name)
    RULE(the_table_is_readable_where_messages_name_it);
    RULE(descriptors_are_checked);
    RULE(the_first_that_is_bad_is_told);
    RULE(all_are_read_before_one_is_checked);
    RULE(an_empty_entry_is_for_instructions_only);
    RULE(what_no_message_names_may_hold_anything);
    RULE(who_names_no_entry_needs_no_table);
    RULE(an_inline_message_needs_one_descriptor);
    RULE(what_is_behind_the_table_is_not_checked);
    RULE(entries_change_between_commands);
    RULE(states_have_null_for_what_is_not_named);
#undef RULE
    return g_test_run();
}
