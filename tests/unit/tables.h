/*
 * veu unit tests: what the tests of page tables share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_TABLES_H
#define VEU_TEST_TABLES_H

#include "tests/lib/device_fixture.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/page_tables.h"

/* The tables are the operating system's. */
#define TABLES       UINT64_C(0x800000)
#define TABLES_BYTES UINT64_C(0x20000)

/* DEV_RAM is seen here, by virtual addresses. */
#define BASE  UINT64_C(0x7e5a80000000)
#define VA(a) (BASE + ((a)-DEV_RAM))

/* What one run of commands touches, each in a page of its own. */
#define SVM_PAGE       (DEV_PAYLOAD + 0x1000)
#define GATHER_PAGE    (DEV_PAYLOAD + 0x2000)
#define STATELESS_PAGE (DEV_PAYLOAD + 0x3000)
#define SCATTER_PAGE   (DEV_DATA)
#define TYPED_PAGE     (DEV_DATA + 0x1000)
#define TIME_PAGE      (DEV_DATA + 0x2000)
#define SPARE_PAGE     (DEV_PROGRAM + 0x8000)

/* Page i of BASE + 1 GiB is page 7 * i % 16 of memory. */
#define SCATTERED (BASE + (UINT64_C(1) << 30))
#define SOME      16
#define TARGET    (DEV_PROGRAM + 0x10000)
#define SOURCE    (DEV_PROGRAM + 0x20000)

#define READ  VEU_PAGE_READ
#define WRITE VEU_PAGE_WRITE
#define VALID VEU_PAGE_VALID
#define ALL   (VALID | READ | WRITE)

enum {
    V_ADDRESSES = 32,
    V_LOADED,
    V_OFFSETS,
    V_COORDINATES,
};
#define REGISTER_BYTES 192

static inline void context_write(Dev *d, uint32_t reg, uint64_t value,
                                 unsigned bytes)
{
    dev_write(d, VEU_CONTEXT_BLOCK + reg, value, bytes);
}

static inline void invalidate(Dev *d, uint64_t address, unsigned log2_pages)
{
    context_write(d, VEU_REG_CONTEXT_INVALIDATE,
                  VEU_INVALIDATE(address, log2_pages), 8);
}

/* All of DEV_RAM but the ring's own pages, at VA(). */
static inline Dev *make(TestTables *t)
{
    Dev *d = dev_new();

    test_memory_add(&d->host.memory, TABLES, TABLES_BYTES, true);
    test_tables_init(t, &d->host.memory, TABLES, TABLES + TABLES_BYTES);
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        test_tables_map(t, VA(a), a, ALL);
    }
    dev_setup(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES, 4);
    context_write(d, VEU_REG_CONTEXT_ROOT, t->root, 8);
    return d;
}

static inline void add(Dev *d, TestKind kind, uint8_t surface, uint32_t address,
                       uint32_t data)
{
    TestMessage m = eu_message(kind);

    m.surface = surface;
    m.address.id = address;
    m.data.id = data;
    m.channels = 1;
    test_program_add(&d->program, &m);
}

static inline void build_program(Dev *d)
{
    struct veu_surface typed = {
        .base = VA(TYPED_PAGE),
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_BUFFER,
        .width = 8,
    };
    TestProgram *p = &d->program;

    p->header.register_bytes = REGISTER_BYTES;
    test_program_variable(p, 0, 8, VEU_TYPE_UQ);
    test_program_variable(p, 64, 8, VEU_TYPE_UD);
    test_program_variable(p, 96, 8, VEU_TYPE_UD);
    test_program_variable(p, 128, 8, VEU_TYPE_UD);
    add(d, TEST_SVM_GATHER, 0, V_ADDRESSES, V_LOADED);
    add(d, TEST_GATHER_SCALED, 6, V_OFFSETS, V_LOADED);
    add(d, TEST_GATHER_SCALED, 5, V_OFFSETS, V_LOADED);
    add(d, TEST_SCATTER_SCALED, 7, V_OFFSETS, V_LOADED);
    add(d, TEST_SCATTER4_TYPED, 8, V_COORDINATES, V_LOADED);
    dev_buffer(d, 0, VA(GATHER_PAGE), 32);
    dev_buffer(d, 1, VA(SCATTER_PAGE), 32);
    dev_surface(d, 2, &typed);
}

static inline void put_payload(Dev *d)
{
    TestMemory *memory = &d->host.memory;
    uint64_t registers = DEV_PAYLOAD + sizeof(struct veu_payload_header);

    test_memory_put32(memory, DEV_PAYLOAD, UINT32_MAX);
    for (unsigned i = 0; i < 8; i++) {
        test_memory_put64(memory, registers + i * 8, VA(SVM_PAGE) + i * 4);
        test_memory_put32(memory, registers + 96 + i * 4, i * 4);
        test_memory_put32(memory, registers + 128 + i * 4, i);
        test_memory_put32(memory, STATELESS_PAGE + i * 4, 0x1000 + i);
    }
}

/* A dispatch, a timestamp and a fence: all paths there are. */
static inline void push_commands(Dev *d)
{
    struct veu_command_dispatch dispatch = dev_dispatch(d);
    struct veu_command_fence fence = dev_fence(7);
    struct veu_command_timestamp timestamp = {
        .header = { .opcode = VEU_COMMAND_TIMESTAMP, .slots = 1 },
        .address = VA(TIME_PAGE),
    };

    dispatch.launch.code_address = VA(DEV_PROGRAM);
    dispatch.launch.surface_table = VA(DEV_SURFACES);
    dispatch.launch.payload_address = VA(DEV_PAYLOAD);
    dispatch.launch.result_address = VA(DEV_RESULT);
    dispatch.launch.surface_count = 3;
    dispatch.launch.payload_bytes = sizeof(struct veu_payload_header) +
                                    REGISTER_BYTES;
    dispatch.launch.result_offset = 64;
    dispatch.launch.result_bytes = 32;
    dispatch.launch.stateless_base = VA(STATELESS_PAGE);
    dispatch.launch.stateless_bytes = 32;
    fence.address = VA(DEV_FENCE);
    DEV_PUSH(d, dispatch);
    DEV_PUSH(d, timestamp);
    DEV_PUSH(d, fence);
}

static inline void push_copy(Dev *d, uint64_t from, uint64_t to, uint32_t bytes)
{
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = from,
        .destination = to,
        .bytes = bytes,
    };

    DEV_PUSH(d, copy);
    dev_run(d);
}

#endif
