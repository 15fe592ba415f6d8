/*
 * veu device tests: Arm's IOMMU (SMMUv3), set up from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/smmu.h"

#define RAM UINT64_C(0x40000000)

/* The unit and its registers, by Arm's specification. */
#define UNIT           UINT64_C(0x09050000)
#define CONTROL        0x20
#define CONTROL_ACK    0x24
#define STREAMS        0x80
#define STREAMS_FORMAT 0x88
#define COMMANDS       0x90
#define COMMANDS_PUT   0x98
#define COMMANDS_DONE  0x9c
#define EVENTS         0xa0

#define TRANSLATE   1
#define EVENTS_ON   4
#define COMMANDS_ON 8

/* Queues have 256 entries; the low bits of the address give the size. */
#define QUEUE_BITS 8
/* with the bit that distinguishes laps */
#define QUEUE_MASK ((2u << QUEUE_BITS) - 1)

#define COMMAND_CONFIGURATION 0x04
#define COMMAND_SPACE         0x11
#define COMMAND_PAGE          0x12
#define COMMAND_ALL           0x30
#define COMMAND_SYNC          0x46

/*
 * The stream table entry is valid, and the first stage translates; the context
 * describes how.
 */
#define STREAM_BITS       8
#define STREAM_VALID      UINT64_C(1)
#define STREAM_STAGE_1    (UINT64_C(5) << 1)
#define CONTEXT_39_BITS   UINT64_C(25)
#define CONTEXT_ONE_TABLE (UINT64_C(1) << 30)
#define CONTEXT_VALID     (UINT64_C(1) << 31)
#define CONTEXT_40_OUT    (UINT64_C(2) << 32)
#define CONTEXT_AARCH64   (UINT64_C(1) << 41)
#define CONTEXT_ABORTS    (UINT64_C(1) << 46)
#define SPACE             UINT64_C(7)

#define TABLE     UINT64_C(3)
#define PAGE      UINT64_C(3)
#define READ_ONLY (UINT64_C(1) << 7)
#define ACCESSED  (UINT64_C(1) << 10)

/* The addresses of the tables in Vm.ram. */
#define STREAM_TABLE UINT64_C(0x6000000)
#define CONTEXT      UINT64_C(0x6004000)
#define QUEUE        UINT64_C(0x6005000)
#define EVENT_QUEUE  UINT64_C(0x6008000)
#define LEVEL_1      UINT64_C(0x600a000)
#define LEVEL_2      UINT64_C(0x600b000)
#define LEVEL_3      UINT64_C(0x6010000)

static uint64_t *table(Vm *vm, uint64_t at)
{
    return (uint64_t *)(vm->ram + at);
}

static void write_register(Vm *vm, unsigned offset, unsigned bytes,
                           uint64_t value)
{
    qtest_write(&vm->qtest, UNIT + offset, bytes, value);
}

static uint32_t read_register(Vm *vm, unsigned offset)
{
    return qtest_read(&vm->qtest, UNIT + offset, 4);
}

/* ---- commands ---- */

static void put_command(Vm *vm, uint64_t low, uint64_t high)
{
    uint32_t at = read_register(vm, COMMANDS_PUT);
    uint64_t *entry = table(vm, QUEUE) + 2 * (at % (1u << QUEUE_BITS));

    entry[0] = low;
    entry[1] = high;
    write_register(vm, COMMANDS_PUT, 4, (at + 1) & QUEUE_MASK);
}

static void synchronize(Vm *vm)
{
    put_command(vm, COMMAND_SYNC, 0);
    VM_WAIT(vm,
            read_register(vm, COMMANDS_DONE) == read_register(vm, COMMANDS_PUT),
            "the SMMU's commands; 0x%x", read_register(vm, COMMANDS_DONE));
}

static uint64_t page_of(Vm *vm, const void *memory)
{
    uint64_t offset = (const uint8_t *)memory - vm->ram;

    g_assert_cmpuint(offset, <, VM_RAM_BYTES);
    return offset / IOMMU_PAGE_BYTES;
}

void smmu_invalidate(Vm *vm, IommuScope scope, const void *memory)
{
    switch (scope) {
    case IOMMU_PAGE:
        put_command(vm, COMMAND_PAGE | SPACE << 48,
                    IOMMU_OFFSET + page_of(vm, memory) * IOMMU_PAGE_BYTES);
        break;
    case IOMMU_DOMAIN:
        put_command(vm, COMMAND_SPACE | SPACE << 48, 0);
        break;
    default:
        put_command(vm, COMMAND_ALL, 0);
        break;
    }
    synchronize(vm);
}

/* ---- tables ---- */

static void build_context(Vm *vm)
{
    uint64_t *context = table(vm, CONTEXT);

    context[0] = CONTEXT_39_BITS | CONTEXT_ONE_TABLE | CONTEXT_VALID |
                 CONTEXT_40_OUT | CONTEXT_AARCH64 | CONTEXT_ABORTS |
                 SPACE << 48;
    context[1] = RAM + LEVEL_1;
    for (unsigned i = 0; i < 1u << STREAM_BITS; i++) {
        table(vm, STREAM_TABLE)[8 * i] = STREAM_VALID | STREAM_STAGE_1 |
                                         (RAM + CONTEXT);
    }
}

static void build_pages(Vm *vm)
{
    unsigned pages = VM_RAM_BYTES / IOMMU_PAGE_BYTES;

    table(vm, LEVEL_1)[IOMMU_OFFSET >> 30] = (RAM + LEVEL_2) | TABLE;
    for (unsigned i = 0; i < pages / 512; i++) {
        table(vm, LEVEL_2)[i] = (RAM + LEVEL_3 + i * IOMMU_PAGE_BYTES) | TABLE;
    }
    for (unsigned i = 0; i < pages; i++) {
        table(vm, LEVEL_3)[i] = (RAM + i * IOMMU_PAGE_BYTES) | ACCESSED | PAGE;
    }
}

void smmu_map(Vm *vm, const void *memory, const void *to, IommuAccess access)
{
    uint64_t entry = 0;

    if (access) {
        entry = (RAM + page_of(vm, to) * IOMMU_PAGE_BYTES) | ACCESSED | PAGE |
                (access & IOMMU_WRITE ? 0 : READ_ONLY);
    }
    __atomic_store_n(&table(vm, LEVEL_3)[page_of(vm, memory)], entry,
                     __ATOMIC_SEQ_CST);
}

void smmu_set_up(Vm *vm)
{
    const uint32_t on = TRANSLATE | EVENTS_ON | COMMANDS_ON;

    build_context(vm);
    build_pages(vm);
    write_register(vm, STREAMS, 8, RAM + STREAM_TABLE);
    write_register(vm, STREAMS_FORMAT, 4, STREAM_BITS);
    write_register(vm, COMMANDS, 8, (RAM + QUEUE) | QUEUE_BITS);
    write_register(vm, EVENTS, 8, (RAM + EVENT_QUEUE) | QUEUE_BITS);
    write_register(vm, CONTROL, 4, on);
    VM_WAIT(vm, read_register(vm, CONTROL_ACK) == on, "the SMMU to be on");
    put_command(vm, COMMAND_CONFIGURATION, 31);
    smmu_invalidate(vm, IOMMU_GLOBAL, NULL);
}
