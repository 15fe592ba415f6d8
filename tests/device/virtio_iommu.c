/*
 * veu device tests: virtio's IOMMU, driven from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/port.h"
#include "tests/device/virtio_iommu.h"
#include "veu_pci.h"

#define FUNCTION (3 << 3)
#define WINDOW   UINT64_C(0xe8000000)
#define DOMAIN   5

/*
 * Capabilities of virtio devices on PCI, and the structures that they describe.
 */
#define CAPABILITY_VENDOR 0x09
#define STRUCTURE_COMMON  1
#define STRUCTURE_NOTIFY  2

/* The common structure. */
#define FEATURE_SELECT 8
#define FEATURES       12
#define STATUS         20
#define QUEUE_SELECT   22
#define QUEUE_SIZE     24
#define QUEUE_ENABLE   28
#define QUEUE_TABLE    32
#define QUEUE_DRIVER   40
#define QUEUE_DEVICE   48

#define STATUS_KNOWN    3
#define STATUS_FEATURES 8
#define STATUS_RUNS     4
#define FEATURE_MAPS    (1 << 2)
#define FEATURE_MODERN  1 /* bit of the upper 32 */

/*
 * The addresses of the queues in Vm.ram; requests have 64 bytes before the
 * answer.
 */
#define ENTRIES 16
#define TABLE   UINT64_C(0x6000000)
#define DRIVER  UINT64_C(0x6001000)
#define DEVICE  UINT64_C(0x6002000)
#define REQUEST UINT64_C(0x6003000)
#define ANSWER  UINT64_C(0x6003040)
/* Queue 1, of events, has its own three pages. */
#define EVENTS  UINT64_C(0x6004000)

#define DESCRIPTOR_NEXT  1
#define DESCRIPTOR_WRITE 2

typedef struct Descriptor {
    uint64_t address;
    uint32_t bytes;
    uint16_t flags;
    uint16_t next;
} Descriptor;

typedef struct Attach {
    uint32_t type; /* 1 */
    uint32_t domain;
    uint32_t endpoint;
    uint32_t flags[2];
} Attach;

typedef struct Map {
    uint32_t type; /* 3 */
    uint32_t domain;
    uint64_t first;
    uint64_t last;
    uint64_t to;
    uint32_t flags;
} __attribute__((packed)) Map;

typedef struct Unmap {
    uint32_t type; /* 4 */
    uint32_t domain;
    uint64_t first;
    uint64_t last;
    uint32_t reserved;
} __attribute__((packed)) Unmap;

static uint64_t common, notify;

/* The address of a structure in a BAR. */
static uint64_t find_structure(unsigned type)
{
    unsigned at = veu_port_config_read(FUNCTION, 0x34, 1);

    while (at) {
        if (veu_port_config_read(FUNCTION, at, 1) == CAPABILITY_VENDOR &&
            veu_port_config_read(FUNCTION, at + 3, 1) == type) {
            unsigned bar = veu_port_config_read(FUNCTION, at + 4, 1);

            return veu_pci_bar_address(FUNCTION, bar) +
                   veu_port_config_read(FUNCTION, at + 8, 4);
        }
        at = veu_port_config_read(FUNCTION, at + 1, 1);
    }
    g_assert_not_reached();
}

static void set_common(Vm *vm, unsigned offset, unsigned bytes, uint64_t value)
{
    qtest_write(&vm->qtest, common + offset, bytes, value);
}

static void set_features(Vm *vm, unsigned half, uint32_t features)
{
    set_common(vm, FEATURE_SELECT, 4, half);
    set_common(vm, FEATURES, 4, features);
}

/* Its three parts are in pages from @table on. */
static void start_queue(Vm *vm, unsigned number, uint64_t table)
{
    memset(vm->ram + table, 0, REQUEST - TABLE);
    set_common(vm, QUEUE_SELECT, 2, number);
    set_common(vm, QUEUE_SIZE, 2, ENTRIES);
    for (unsigned half = 0; half < 2; half++) {
        set_common(vm, QUEUE_TABLE + 4 * half, 4, half ? 0 : table);
        set_common(vm, QUEUE_DRIVER + 4 * half, 4,
                   half ? 0 : table + DRIVER - TABLE);
        set_common(vm, QUEUE_DEVICE + 4 * half, 4,
                   half ? 0 : table + DEVICE - TABLE);
    }
    set_common(vm, QUEUE_ENABLE, 2, 1);
}

static void put_descriptors(Vm *vm, uint32_t bytes)
{
    Descriptor *d = (Descriptor *)(vm->ram + TABLE);

    d[0] = (Descriptor){ REQUEST, bytes, DESCRIPTOR_NEXT, 1 };
    d[1] = (Descriptor){ ANSWER, 4, DESCRIPTOR_WRITE, 0 };
}

static void request(Vm *vm, const void *text, uint32_t bytes)
{
    uint16_t *driver = (uint16_t *)(vm->ram + DRIVER);
    uint16_t *device = (uint16_t *)(vm->ram + DEVICE);

    memcpy(vm->ram + REQUEST, text, bytes);
    vm->ram[ANSWER] = 0xff;
    put_descriptors(vm, bytes);
    driver[2 + driver[1] % ENTRIES] = 0;
    __atomic_store_n(&driver[1], driver[1] + 1, __ATOMIC_SEQ_CST);
    qtest_write(&vm->qtest, notify, 2, 0);
    VM_WAIT(vm, __atomic_load_n(&device[1], __ATOMIC_ACQUIRE) == driver[1],
            "the IOMMU's answer");
    g_assert_cmphex(vm->ram[ANSWER], ==, 0);
}

void virtio_iommu_set_up(Vm *vm, uint32_t endpoint)
{
    struct veu_pci_window window = { .next = WINDOW, .end = WINDOW + 0x100000 };
    Attach attach = { .type = 1, .domain = DOMAIN, .endpoint = endpoint };

    g_assert_true(veu_pci_assign_bars(FUNCTION, &window));
    veu_port_config_write(FUNCTION, 4, 2, 6);
    common = find_structure(STRUCTURE_COMMON);
    notify = find_structure(STRUCTURE_NOTIFY);
    set_common(vm, STATUS, 1, 0);
    set_common(vm, STATUS, 1, STATUS_KNOWN);
    set_features(vm, 0, FEATURE_MAPS);
    set_features(vm, 1, FEATURE_MODERN);
    set_common(vm, STATUS, 1, STATUS_KNOWN | STATUS_FEATURES);
    start_queue(vm, 0, TABLE);
    set_common(vm, STATUS, 1, STATUS_KNOWN | STATUS_FEATURES | STATUS_RUNS);
    request(vm, &attach, sizeof(attach));
}

void virtio_iommu_send_event(Vm *vm, uint64_t address)
{
    Descriptor *d = (Descriptor *)(vm->ram + EVENTS);
    uint16_t *driver = (uint16_t *)(vm->ram + EVENTS + DRIVER - TABLE);

    start_queue(vm, 1, EVENTS);
    d[0] = (Descriptor){ address, VIRTIO_IOMMU_EVENT_BYTES, DESCRIPTOR_WRITE,
                         0 };
    __atomic_store_n(&driver[1], 1, __ATOMIC_SEQ_CST);
}

static uint64_t page_at(Vm *vm, const void *memory)
{
    uint64_t offset = (const uint8_t *)memory - vm->ram;

    g_assert_cmpuint(offset, <, VM_RAM_BYTES);
    return offset / IOMMU_PAGE_BYTES * IOMMU_PAGE_BYTES;
}

void virtio_iommu_map(Vm *vm, const void *memory, uint64_t bytes,
                      const void *to, IommuAccess access)
{
    uint64_t first = IOMMU_OFFSET + page_at(vm, memory);
    Map map = {
        .type = 3,
        .domain = DOMAIN,
        .first = first,
        .last = first + bytes - 1,
        .to = page_at(vm, to),
        .flags = access,
    };

    request(vm, &map, sizeof(map));
}

void virtio_iommu_unmap(Vm *vm, const void *memory, uint64_t bytes)
{
    uint64_t first = IOMMU_OFFSET + page_at(vm, memory);
    Unmap unmap = {
        .type = 4,
        .domain = DOMAIN,
        .first = first,
        .last = first + bytes - 1,
    };

    request(vm, &unmap, sizeof(unmap));
}
