/*
 * veu unit tests: the commands COPY and FILL: docs/spec.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

/* A memory area for copies, with holes around it. */
#define FIELD       UINT64_C(0x900000)
#define FIELD_BYTES (48 * TEST_PAGE_BYTES)

static Dev *new_field(uint8_t *model)
{
    Dev *d = dev_running();

    test_memory_add(&d->host.memory, FIELD, FIELD_BYTES, true);
    for (uint32_t i = 0; i < FIELD_BYTES; i++) {
        model[i] = i * 7 + i / 251;
    }
    test_memory_put(&d->host.memory, FIELD, model, FIELD_BYTES);
    return d;
}

static struct veu_command_copy copy(uint64_t to, uint64_t from, uint32_t bytes)
{
    return (struct veu_command_copy){
        .header = { .opcode = 6, .slots = 1, .tag = 0xc0 },
        .source = FIELD + from,
        .destination = FIELD + to,
        .bytes = bytes,
    };
}

static struct veu_command_fill fill(uint64_t to, uint64_t pattern,
                                    uint32_t bytes)
{
    return (struct veu_command_fill){
        .header = { .opcode = 7, .slots = 1, .tag = 0xf1 },
        .pattern = pattern,
        .destination = FIELD + to,
        .bytes = bytes,
    };
}

static void assert_field(Dev *d, const uint8_t *model)
{
    g_autofree uint8_t *field = g_malloc(FIELD_BYTES);

    test_memory_get(&d->host.memory, FIELD, field, FIELD_BYTES);
    for (uint32_t i = 0; i < FIELD_BYTES; i++) {
        if (field[i] != model[i]) {
            g_error("byte 0x%x is 0x%x, not 0x%x", i, field[i], model[i]);
        }
    }
}

static void check_copy(uint32_t to, uint32_t from, uint32_t bytes)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_copy command = copy(to, from, bytes);

    memmove(model + to, model + from, bytes);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
    assert_field(d, model);
}

/* Sizes and addresses around the borders of pages, pieces and elements. */
static void test_copies(void)
{
    static const uint32_t sizes[] = { 0,    1,    7,     8,     4095,
                                      4096, 4097, 65536, 65537, 80000 };
    static const uint32_t places[] = { 0, 1, 8, 4090 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(places); j++) {
            check_copy(100000 + places[j], places[3 - j], sizes[i]);
            check_copy(places[j], 100000 + places[3 - j], sizes[i]);
        }
    }
}

/* The result is as if all bytes were read before the first was written. */
static void test_copies_that_overlap(void)
{
    static const uint32_t distances[] = { 0,    1,    3,    8,    100,
                                          4095, 4096, 4097, 65536 };

    for (unsigned i = 0; i < G_N_ELEMENTS(distances); i++) {
        check_copy(5 + distances[i], 5, 100001);
        check_copy(5, 5 + distances[i], 100001);
        check_copy(8192 + distances[i], 8192, 8192);
        check_copy(8192, 8192 + distances[i], 8192);
    }
}

/* The byte in both ranges is read last, long after it would be written. */
static void test_copies_that_share_one_byte(void)
{
    static const uint32_t sizes[] = { 2, 4096, 4097, 9000, 65536, 90001 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        check_copy(5 + sizes[i] - 1, 5, sizes[i]);
        check_copy(5, 5 + sizes[i] - 1, sizes[i]);
    }
}

static void check_fill(uint32_t to, uint64_t pattern, uint32_t bytes)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_fill command = fill(to, pattern, bytes);

    for (uint32_t i = 0; i < bytes; i++) {
        memcpy(model + to + i, (uint8_t *)&pattern + i % 8, 1);
    }
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_no_fault(d);
    assert_field(d, model);
}

/* The pattern begins at the destination, whatever its address. */
static void test_fills(void)
{
    static const uint32_t sizes[] = {
        0, 1, 7, 8, 9, 4096, 5000, 65536, 150001
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        check_fill(0, 0x0807060504030201, sizes[i]);
        check_fill(3, 0xf1e2d3c4b5a69788, sizes[i]);
        check_fill(4095, 0xff, sizes[i]);
    }
}

/* A step copies at most 64 KiB before it checks whether a thread waits. */
static void test_pieces_are_bounded(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_fill command = fill(0, 0, FIELD_BYTES);
    unsigned awaited = 1;

    DEV_PUSH(d, command);
    d->host.host.awaited = &awaited;
    g_assert_cmpint(dev_step(d, 64), ==, VEU_STEP_MORE); /* fetches it */
    for (uint32_t i = 0; i < FIELD_BYTES; i += 65536) {
        uint32_t end = MIN(i + 65536, FIELD_BYTES);

        dev_step(d, 64);
        memset(model, 0, end);
        assert_field(d, model);
    }
}

static struct veu_fault_record run_fault(Dev *d, uint16_t code, uint32_t detail)
{
    dev_run(d);
    dev_assert_fault(d, 1, code, detail);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    return dev_record(d, 0);
}

static void check_record(Dev *d, uint64_t address, enum veu_access access,
                         uint32_t done)
{
    struct veu_fault_record record = run_fault(d, VEU_FAULT_COMMAND_MEMORY, 0);

    g_assert_cmphex(record.address, ==, address);
    g_assert_cmpuint(record.access, ==, access);
    g_assert_cmpuint(record.bytes_done, ==, done);
}

/* Bytes before the fault are copied, and the record has their number. */
static void test_faults_tell_what_was_done(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) read = new_field(model);
    g_autoptr(Dev) write = new_field(model);
    g_autoptr(Dev) filled = new_field(model);
    struct veu_command_copy past_source = copy(0, FIELD_BYTES - 5000, 6000);
    struct veu_command_copy past_end = copy(FIELD_BYTES - 5000, 0, 6000);
    struct veu_command_fill fill_past = fill(FIELD_BYTES - 70000, 1, 80000);

    DEV_PUSH(read, past_source);
    check_record(read, FIELD + FIELD_BYTES, VEU_ACCESS_READ, 5000);
    DEV_PUSH(write, past_end);
    check_record(write, FIELD + FIELD_BYTES, VEU_ACCESS_WRITE, 5000);
    memcpy(model + FIELD_BYTES - 5000, model, 5000);
    assert_field(write, model);
    DEV_PUSH(filled, fill_past);
    check_record(filled, FIELD + FIELD_BYTES, VEU_ACCESS_WRITE, 70000);
}

/* A copy from the end backwards leaves the last bytes copied. */
static void test_faults_of_copies_that_overlap(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_copy command = copy(-UINT64_C(4096), -UINT64_C(8192),
                                           12288);

    DEV_PUSH(d, command);
    check_record(d, FIELD - 4096, VEU_ACCESS_READ, 4096);
    memcpy(model + 4096, model, 4096);
    assert_field(d, model);
}

/* Ranges that only touch are copied from the start. */
static void test_faults_of_copies_that_touch(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_copy command = copy(FIELD_BYTES - 4096,
                                           FIELD_BYTES - 12288, 8192);

    DEV_PUSH(d, command);
    check_record(d, FIELD + FIELD_BYTES, VEU_ACCESS_WRITE, 4096);
    memcpy(model + FIELD_BYTES - 4096, model + FIELD_BYTES - 12288, 4096);
    assert_field(d, model);
}

static void test_read_only_memory_is_a_source(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) d = new_field(model);
    struct veu_command_copy from = copy(0, 0, 4096);
    struct veu_command_copy to = copy(0, 0, 4096);

    from.source = DEV_ROM;
    DEV_PUSH(d, from);
    dev_run(d);
    dev_assert_no_fault(d);
    to.destination = DEV_ROM;
    DEV_PUSH(d, to);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_ROM);
}

/* The address of the last byte has to be below 2^64. */
static void test_ranges_that_wrap(void)
{
    g_autofree uint8_t *model = g_malloc(FIELD_BYTES);
    g_autoptr(Dev) a = new_field(model);
    g_autoptr(Dev) b = new_field(model);
    g_autoptr(Dev) c = new_field(model);
    struct veu_command_copy source = copy(0, -FIELD - 8, 9);
    struct veu_command_copy destination = copy(-FIELD - 8, 0, 9);
    struct veu_command_fill filled = fill(-FIELD - 8, 0, 9);

    DEV_PUSH(a, source);
    run_fault(a, VEU_FAULT_COMMAND_FIELD, 24);
    DEV_PUSH(b, destination);
    run_fault(b, VEU_FAULT_COMMAND_FIELD, 24);
    DEV_PUSH(c, filled);
    run_fault(c, VEU_FAULT_COMMAND_FIELD, 24);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/copy/" #name, test_##name)
    RULE(copies);
    RULE(copies_that_overlap);
    RULE(copies_that_share_one_byte);
    RULE(fills);
    RULE(pieces_are_bounded);
    RULE(faults_tell_what_was_done);
    RULE(faults_of_copies_that_overlap);
    RULE(faults_of_copies_that_touch);
    RULE(read_only_memory_is_a_source);
    RULE(ranges_that_wrap);
#undef RULE
    return g_test_run();
}
