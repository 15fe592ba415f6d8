/*
 * The first process of a Linux guest: a driver in user space, written from
 * docs/spec.md and include/veu alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <unistd.h>
#include "veu/veu.h"
#include "vfio.h"

#define SLOTS      16
#define RECORDS    4
#define TIMEOUT_MS 10000
/* Offsets in the memory. */
#define RING       0x0000
#define SHARED     0x1000
#define FAULTS     0x2000
#define PAYLOAD    0x3000
#define RESULT     0x4000
#define DATA       0x5000
#define LANES      16

#define RING_REG(name) (VEU_RING_BLOCK + VEU_REG_##name)

/* gather.4 (M1, 16) T5 0x0:ud V32.0 V33.0 */
static const uint8_t gather[] = {
    0x39, 0x02, 0x00, 0x01, 0x05,       /* 4 bytes, 16 lanes M1, stateless */
    0x05, 0x00, 0x00, 0x00, 0x00, 0x00, /* Offset */
    0x20, 0x00, 0x00, 0x00, 0x00, 0x00, /* Element_offset: V32 */
    0x21, 0x00, 0x00, 0x00, 0x00, 0x00, /* Data: V33 */
};

/* svm_gather.4.1 (M1, 1) V32.0 V33.0 */
static const uint8_t svm_gather[] = {
    0x4e, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, /* 1 lane, block of 4 bytes */
    0x20, 0x00, 0x00, 0x00, 0x00, 0x00,       /* Addresses: V32 */
    0x21, 0x00, 0x00, 0x00, 0x00, 0x00,       /* Data: V33 */
};

static unsigned failed;

static void check(const char *name, bool good)
{
    printf("%s: %s\n", good ? "PASS" : "FAIL", name);
    failed += !good;
}

static volatile struct veu_ring_shared *shared(Vfio *v)
{
    return (volatile struct veu_ring_shared *)(v->memory + SHARED);
}

static void enable_at(Vfio *v, uint32_t head)
{
    memset(v->memory + SHARED, 0, sizeof(struct veu_ring_shared));
    shared(v)->tail = shared(v)->head = head;
    vfio_set(v, RING_REG(RING_HEAD), head);
    vfio_set(v, RING_REG(RING_CONTROL), VEU_RING_ENABLE);
}

static void start_ring(Vfio *v)
{
    vfio_set64(v, RING_REG(RING_BASE), IOVA + RING);
    vfio_set64(v, RING_REG(RING_SHARED), IOVA + SHARED);
    vfio_set64(v, RING_REG(RING_FAULTS), IOVA + FAULTS);
    vfio_set(v, RING_REG(RING_SLOTS), SLOTS);
    vfio_set(v, RING_REG(RING_FAULT_RECORDS), RECORDS);
    vfio_set(v, RING_REG(RING_VECTOR), 0);
    enable_at(v, 0);
}

/*
 * The sleep handshake of spec.md, section 4; the command @c requests an
 * interrupt.
 */
static bool submit(Vfio *v, const struct veu_command_message *c)
{
    uint32_t tail = shared(v)->tail;
    struct pollfd event = { .fd = v->event, .events = POLLIN };
    uint64_t count;

    for (unsigned i = 0; i < c->header.slots; i++) {
        memcpy(v->memory + RING + (size_t)((tail + i) % SLOTS) * VEU_SLOT_BYTES,
               (const uint8_t *)c + (size_t)i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
    __atomic_store_n(&shared(v)->tail, tail + c->header.slots,
                     __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (shared(v)->asleep) {
        *(volatile uint32_t *)v->doorbells = 1;
    }
    return poll(&event, 1, TIMEOUT_MS) == 1 &&
           read(v->event, &count, sizeof(count)) == sizeof(count);
}

/* V32 at byte 0 of the register file, V33 at byte 64. */
static struct veu_command_message message(const uint8_t *code, uint32_t bytes)
{
    struct veu_command_message c = {
        .header = { VEU_COMMAND_MESSAGE, 4, VEU_COMMAND_INTERRUPT, 77 },
        .launch = {
            .code_bytes = bytes,
            .simd = LANES,
            .grf_bytes = 32,
            .variable_count = 2,
            .payload_address = IOVA + PAYLOAD,
            .payload_bytes = sizeof(struct veu_payload_header) + 64,
            .result_address = IOVA + RESULT,
            .result_offset = 64,
            .exec_mask = ~0u,
            .threads = 1,
            .groups = 1,
            .stateless_base = IOVA + DATA,
            .stateless_bytes = LANES * 4,
        },
    };

    memcpy(c.message, code, bytes);
    return c;
}

/* 16 lanes read 16 numbers, the last one first. */
static bool gathers(Vfio *v)
{
    struct veu_command_message c = message(gather, sizeof(gather));
    uint32_t *data = (uint32_t *)(v->memory + DATA), sum = 0;
    uint32_t *result = (uint32_t *)(v->memory + RESULT);
    struct veu_payload_header *payload = (void *)(v->memory + PAYLOAD);
    uint32_t *registers = (uint32_t *)(payload + 1);

    c.variables[0] = (struct veu_variable){ 0, LANES, VEU_TYPE_UD, 0 };
    c.variables[1] = (struct veu_variable){ 64, LANES, VEU_TYPE_UD, 0 };
    c.launch.result_bytes = LANES * 4;
    payload->exec_mask = ~0u;
    for (uint32_t i = 0; i < LANES; i++) {
        data[i] = i * i;
        registers[i] = LANES - 1 - i;
        result[i] = 0;
    }
    if (!submit(v, &c)) {
        return false;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        sum += result[i] == (LANES - 1 - i) * (LANES - 1 - i);
    }
    return sum == LANES;
}

/* A misaligned address, about which the IOMMU has no complaint. */
static bool faults(Vfio *v)
{
    struct veu_command_message c = message(svm_gather, sizeof(svm_gather));
    struct veu_fault_record *record = (void *)(v->memory + FAULTS);
    struct veu_payload_header *payload = (void *)(v->memory + PAYLOAD);
    uint64_t address = IOVA + DATA + 2;

    c.variables[0] = (struct veu_variable){ 0, 1, VEU_TYPE_UQ, 0 };
    c.variables[1] = (struct veu_variable){ 64, 1, VEU_TYPE_UD, 0 };
    memcpy(payload + 1, &address, sizeof(address));
    return submit(v, &c) && shared(v)->state == VEU_RING_HALTED &&
           shared(v)->fault_tail == 1 && record->code == VEU_FAULT_ALIGNMENT &&
           record->tag == 77 && record->lanes == 1 &&
           record->address == address && record->message_opcode == 0x4e &&
           record->message_sub == 3;
}

static bool goes_on_behind_the_fault(Vfio *v)
{
    uint32_t head = vfio_get(v, RING_REG(RING_HEAD));

    vfio_set(v, RING_REG(RING_CONTROL), 0);
    while (vfio_get(v, RING_REG(RING_STATE)) != VEU_RING_DISABLED) {
        usleep(100);
    }
    enable_at(v, head + 4);
    return gathers(v) && shared(v)->head == head + 8;
}

static void check_all(Vfio *v)
{
    check("the device is a veu of version 1",
          vfio_get(v, VEU_REG_MAGIC) == VEU_MAGIC &&
              vfio_get(v, VEU_REG_ABI_VERSION) >> 16 == 1);
    start_ring(v);
    check("a gather, and its interrupt as an event", gathers(v));
    check("a fault, and its record", faults(v));
    check("a gather after the fault", goes_on_behind_the_fault(v));
    check("a function level reset", vfio_reset(v));
    check("the ring is disabled then",
          vfio_get(v, RING_REG(RING_SLOTS)) == 0 &&
              vfio_get(v, RING_REG(RING_STATE)) == VEU_RING_DISABLED);
    start_ring(v);
    check("a gather after it, and the event", gathers(v));
}

int main(void)
{
    const char *name;
    Vfio v;

    setvbuf(stdout, NULL, _IOLBF, 0);
    mount("none", "/dev", "devtmpfs", 0, NULL);
    mount("none", "/sys", "sysfs", 0, NULL);
    dup2(open("/dev/console", O_RDWR), 1);
    name = vfio_bind();
    check("vfio-pci has the device", name);
    if (name && vfio_open(&v, name)) {
        check_all(&v);
    } else {
        check("a process has the device", false);
    }
    printf("result: %u failed\n", failed);
    reboot(RB_AUTOBOOT);
    return 0;
}
