/*
 * veu device tests: Intel's IOMMU (VT-d), set up from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/iommu.h"

/* The unit and its registers, by Intel's specification. */
#define UNIT          UINT64_C(0xfed90000)
#define CAPABILITY    0x08
#define EXTENDED      0x10
#define COMMAND       0x18
#define STATUS        0x1c
#define ROOT_TABLE    0x20
#define CONTEXT_CMD   0x28
#define FAULT_STATUS  0x34
#define FAULT_CONTROL 0x38
#define FAULT_DATA    0x3c
#define FAULT_ADDRESS 0x40

#define SET_ROOT       (UINT32_C(1) << 30)
#define TRANSLATE      (UINT32_C(1) << 31)
#define INVALIDATE     (UINT64_C(1) << 63)
#define CONTEXT_GLOBAL (UINT64_C(1) << 61)
#define SCOPE_SHIFT    60
#define DOMAIN_SHIFT   32
#define DOMAIN         7
#define PRESENT        1
#define WIDTH_39       1
#define SCALABLE       (UINT64_C(1) << 10)
#define SECOND_LEVEL   (UINT64_C(2) << 6)
#define SCALABLE_39    (UINT64_C(1) << 2)
#define FAULT_RECORD   (UINT64_C(1) << 63)

/* The addresses of the tables in guest memory. */
#define ROOT             UINT64_C(0x6000000)
#define CONTEXT          UINT64_C(0x6001000)
#define LEVEL_3          UINT64_C(0x6002000)
#define LEVEL_2          UINT64_C(0x6003000)
#define LEVEL_1          UINT64_C(0x6010000)
/*
 * The tables of scalable mode, and the distance of the other domain's tables
 * from LEVEL_.
 */
#define SCALABLE_CONTEXT UINT64_C(0x6200000)
#define PROCESS_DIR      UINT64_C(0x6201000)
#define PROCESSES        UINT64_C(0x6202000)
#define OTHER_DOMAIN     UINT64_C(0x100000)

static uint64_t *table(Vm *vm, uint64_t at)
{
    return (uint64_t *)(vm->ram + at);
}

static uint64_t read_register(Vm *vm, unsigned offset, unsigned bytes)
{
    return qtest_read(&vm->qtest, UNIT + offset, bytes);
}

static void write_register(Vm *vm, unsigned offset, unsigned bytes,
                           uint64_t value)
{
    qtest_write(&vm->qtest, UNIT + offset, bytes, value);
}

static void wait_status(Vm *vm, uint32_t bit, bool set)
{
    VM_WAIT(vm, !(read_register(vm, STATUS, 4) & bit) == !set,
            "bit 0x%x of the IOMMU's status", bit);
}

static void set_context(Vm *vm, unsigned device)
{
    uint64_t *entry = table(vm, CONTEXT) + 2 * device;

    entry[0] = LEVEL_3 | PRESENT;
    entry[1] = DOMAIN << 8 | WIDTH_39;
}

/* Maps a page in a domain whose tables are at distance @at from LEVEL_. */
static void build_levels(Vm *vm, uint64_t at)
{
    uint64_t *level_1 = table(vm, LEVEL_1 + at);
    unsigned pages = VM_RAM_BYTES / IOMMU_PAGE_BYTES;

    table(vm, LEVEL_3 + at)[0] = (LEVEL_2 + at) | IOMMU_BOTH;
    table(vm, LEVEL_3 + at)[IOMMU_OFFSET >> 30] = (LEVEL_2 + at) | IOMMU_BOTH;
    for (unsigned i = 0; i < pages / 512; i++) {
        table(vm, LEVEL_2 + at)[i] = (LEVEL_1 + at + i * IOMMU_PAGE_BYTES) |
                                     IOMMU_BOTH;
    }
    for (unsigned i = 0; i < pages; i++) {
        level_1[i] = i * IOMMU_PAGE_BYTES | IOMMU_BOTH;
    }
}

static void set_roots(Vm *vm, uint64_t context)
{
    for (unsigned bus = 0; bus < 2; bus++) {
        table(vm, ROOT)[2 * bus] = context | PRESENT;
    }
}

void iommu_set_enabled(Vm *vm, bool enabled)
{
    write_register(vm, COMMAND, 4, enabled ? TRANSLATE : 0);
    wait_status(vm, TRANSLATE, enabled);
}

static void turn_on(Vm *vm, uint64_t root)
{
    write_register(vm, ROOT_TABLE, 8, root);
    write_register(vm, COMMAND, 4, SET_ROOT);
    wait_status(vm, SET_ROOT, true);
    write_register(vm, CONTEXT_CMD, 8, INVALIDATE | CONTEXT_GLOBAL);
    VM_WAIT(vm, !(read_register(vm, CONTEXT_CMD, 8) & INVALIDATE),
            "the IOMMU's context invalidation");
    iommu_invalidate(vm, IOMMU_GLOBAL, NULL);
    iommu_set_enabled(vm, true);
}

void iommu_set_up(Vm *vm)
{
    build_levels(vm, 0);
    set_roots(vm, CONTEXT);
    set_context(vm, 4 << 3);
    set_context(vm, 0);
    turn_on(vm, ROOT);
}

/* The device's own accesses belong to process 0. */
static void set_process(Vm *vm, uint64_t at, uint64_t domain)
{
    uint64_t *process = table(vm, PROCESSES);

    process[1] = domain;
    process[0] = (LEVEL_3 + at) | SECOND_LEVEL | SCALABLE_39 | PRESENT;
}

void iommu_set_up_scalable(Vm *vm)
{
    build_levels(vm, 0);
    build_levels(vm, OTHER_DOMAIN);
    set_roots(vm, SCALABLE_CONTEXT);
    table(vm, SCALABLE_CONTEXT)[4 * (4 << 3)] = PROCESS_DIR | PRESENT;
    table(vm, PROCESS_DIR)[0] = PROCESSES | PRESENT;
    set_process(vm, 0, DOMAIN);
    turn_on(vm, ROOT | SCALABLE);
}

void iommu_change_domain(Vm *vm)
{
    set_process(vm, OTHER_DOMAIN, DOMAIN + 1);
    iommu_invalidate(vm, IOMMU_DOMAIN, NULL);
}

static uint64_t page_of(Vm *vm, const void *memory)
{
    uint64_t offset = (const uint8_t *)memory - vm->ram;

    g_assert_cmpuint(offset, <, VM_RAM_BYTES);
    return offset / IOMMU_PAGE_BYTES;
}

void iommu_map_address(Vm *vm, const void *memory, uint64_t to,
                       IommuAccess access)
{
    uint64_t page = to / IOMMU_PAGE_BYTES * IOMMU_PAGE_BYTES;

    __atomic_store_n(&table(vm, LEVEL_1)[page_of(vm, memory)],
                     access ? page | access : 0, __ATOMIC_SEQ_CST);
}

void iommu_map(Vm *vm, const void *memory, const void *to, IommuAccess access)
{
    iommu_map_address(vm, memory, to ? (const uint8_t *)to - vm->ram : 0,
                      access);
}

void iommu_map_other(Vm *vm, const void *memory, const void *to)
{
    uint64_t page = page_of(vm, to) * IOMMU_PAGE_BYTES;

    table(vm, LEVEL_1 + OTHER_DOMAIN)[page_of(vm, memory)] = page | IOMMU_BOTH;
}

void iommu_invalidate(Vm *vm, IommuScope scope, const void *memory)
{
    unsigned at = (read_register(vm, EXTENDED, 8) >> 8 & 0x3ff) * 16;

    if (scope == IOMMU_PAGE) {
        write_register(vm, at, 8,
                       IOMMU_OFFSET + page_of(vm, memory) * IOMMU_PAGE_BYTES);
    }
    write_register(vm, at + 8, 8,
                   INVALIDATE | (uint64_t)scope << SCOPE_SHIFT |
                       (uint64_t)DOMAIN << DOMAIN_SHIFT);
    VM_WAIT(vm, !(read_register(vm, at + 8, 8) & INVALIDATE),
            "the IOMMU's invalidation");
}

/* Returns the first fault record; there may be more. */
static unsigned fault_record(Vm *vm)
{
    return (read_register(vm, CAPABILITY, 8) >> 24 & 0x3ff) * 16;
}

bool iommu_has_fault(Vm *vm)
{
    return read_register(vm, fault_record(vm) + 8, 8) & FAULT_RECORD;
}

void iommu_arm_fault_event(Vm *vm)
{
    write_register(vm, fault_record(vm) + 8, 8, FAULT_RECORD);
    write_register(vm, FAULT_STATUS, 4, 0xff);
    write_register(vm, FAULT_DATA, 4, 0x40);
    write_register(vm, FAULT_ADDRESS, 4, 0xfee00000);
    write_register(vm, FAULT_CONTROL, 4, 0);
}
