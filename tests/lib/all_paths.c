/*
 * veu tests: a run that names memory in all the ways that a ring can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/all_paths.h"
#include "tests/lib/eu_fixture.h"

const AllPathsPage all_paths_pages[] = {
    { "program", DEV_PROGRAM, VEU_ACCESS_READ, VEU_FAULT_PROGRAM_MEMORY },
    { "surface-table", DEV_SURFACES, VEU_ACCESS_READ, VEU_FAULT_SURFACE_TABLE },
    { "payload", DEV_PAYLOAD, VEU_ACCESS_READ, VEU_FAULT_PAYLOAD_MEMORY },
    { "result", DEV_RESULT, VEU_ACCESS_WRITE, VEU_FAULT_RESULT_MEMORY },
    { "svm", SVM_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "surface", GATHER_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "surface-write", SCATTER_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_ADDRESS },
    { "typed-surface", TYPED_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_ADDRESS },
    { "stateless", STATELESS_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "fence", DEV_FENCE, VEU_ACCESS_WRITE, VEU_FAULT_COMMAND_MEMORY },
    { "timestamp", TIME_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_COMMAND_MEMORY },
};

/* Registers of the program. */
enum {
    V_ADDRESSES = 32,
    V_LOADED,
    V_OFFSETS,
    V_COORDINATES,
};
#define REGISTER_BYTES 192

static void add(Dev *d, TestKind kind, uint8_t surface, uint32_t address,
                uint32_t data)
{
    TestMessage m = eu_message(kind);

    m.surface = surface;
    m.address.id = address;
    m.data.id = data;
    m.channels = 1;
    test_program_add(&d->program, &m);
}

void all_paths_program(Dev *d, uint64_t offset)
{
    struct veu_surface typed = {
        .base = TYPED_PAGE + offset,
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
    dev_buffer(d, 0, GATHER_PAGE + offset, 32);
    dev_buffer(d, 1, SCATTER_PAGE + offset, 32);
    dev_surface(d, 2, &typed);
}

void all_paths_payload(Dev *d, uint64_t offset)
{
    TestMemory *memory = &d->host.memory;
    uint64_t registers = DEV_PAYLOAD + sizeof(struct veu_payload_header);

    test_memory_put32(memory, DEV_PAYLOAD, UINT32_MAX);
    for (unsigned i = 0; i < 8; i++) {
        test_memory_put64(memory, registers + i * 8, SVM_PAGE + offset + i * 4);
        test_memory_put32(memory, registers + 96 + i * 4, i * 4);
        test_memory_put32(memory, registers + 128 + i * 4, i);
        test_memory_put32(memory, STATELESS_PAGE + i * 4, 0x1000 + i);
    }
}

void all_paths_push(Dev *d, uint64_t offset)
{
    struct veu_command_dispatch dispatch = dev_dispatch(d);
    struct veu_command_fence fence = dev_fence(7);
    struct veu_command_timestamp timestamp = {
        .header = { .opcode = VEU_COMMAND_TIMESTAMP, .slots = 1 },
        .address = TIME_PAGE + offset,
    };

    dispatch.launch.code_address = DEV_PROGRAM + offset;
    dispatch.launch.surface_table = DEV_SURFACES + offset;
    dispatch.launch.payload_address = DEV_PAYLOAD + offset;
    dispatch.launch.result_address = DEV_RESULT + offset;
    dispatch.launch.surface_count = 3;
    dispatch.launch.payload_bytes = sizeof(struct veu_payload_header) +
                                    REGISTER_BYTES;
    dispatch.launch.result_offset = 64;
    dispatch.launch.result_bytes = 32;
    dispatch.launch.stateless_base = STATELESS_PAGE + offset;
    dispatch.launch.stateless_bytes = 32;
    fence.address = DEV_FENCE + offset;
    DEV_PUSH(d, dispatch);
    DEV_PUSH(d, timestamp);
    DEV_PUSH(d, fence);
}

void all_paths_check(Dev *d)
{
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_RESULT + i * 4),
                        ==, 0x1000 + i);
        g_assert_cmphex(test_memory_get32(&d->host.memory, TYPED_PAGE + i * 4),
                        ==, 0x1000 + i);
    }
    g_assert_cmpuint(dev_fence_value(d), ==, 7);
}
