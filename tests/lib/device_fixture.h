/*
 * veu tests: a device model with a host and a driver around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_DEVICE_FIXTURE_H
#define VEU_TEST_DEVICE_FIXTURE_H

#include <glib.h>
#include "hw/veu/device/host/device.h"
#include "tests/lib/program_builder.h"
#include "tests/lib/test_host.h"
#include "veu/veu.h"

/* Guest memory: RAM starts at DEV_RAM, with holes around it. */
#define DEV_RAM       UINT64_C(0x100000)
#define DEV_RAM_BYTES (96 * TEST_PAGE_BYTES)
#define DEV_RING      (DEV_RAM + 0x0000) /* for up to 64 slots */
#define DEV_SHARED    (DEV_RAM + 0x1000)
#define DEV_FAULTS    (DEV_RAM + 0x2000) /* for up to 64 records */
#define DEV_SURFACES  (DEV_RAM + 0x3000)
#define DEV_PAYLOAD   (DEV_RAM + 0x4000) /* 16 KiB */
#define DEV_RESULT    (DEV_RAM + 0x8000) /* 16 KiB */
#define DEV_DATA      (DEV_RAM + 0xc000) /* 16 KiB */
#define DEV_FENCE     (DEV_RAM + 0x10000)
#define DEV_PROGRAM   (DEV_RAM + 0x11000) /* 256 KiB */
#define DEV_ROM       UINT64_C(0x300000)  /* a read-only page */
#define DEV_HOLE      UINT64_C(0x400000)

#define DEV_SLOTS   32
#define DEV_RECORDS 4
#define DEV_VECTORS 3
#define DEV_RINGS   2

typedef struct Dev {
    TestHost host;
    VeuDevice *device;
    VeuDeviceConfig config;
    uint32_t tail;    /* of ring 0 */
    bool keep_memory; /* do not move or compare memory between steps */
    TestProgram program;
} Dev;

/*
 * Makes a device with two rings and three vectors, not set up. It has memory
 * for host code, unless VEU_TEST_NO_HOST_CODE is in the environment.
 */
Dev *dev_new(void);
Dev *dev_new_rings(unsigned rings);
/*
 * With two rings; memory is one allocation, thus one extent, and does not move.
 */
Dev *dev_new_joined(void);
/* ... with ring 0 set up as above, using vector 1, and enabled. */
Dev *dev_running(void);
/*
 * Makes a second device with the guest memory, tail and time of the first one.
 */
Dev *dev_destination(const Dev *from);
void dev_free(Dev *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Dev, dev_free)

uint64_t dev_read(Dev *d, uint32_t offset, unsigned bytes);
void dev_write(Dev *d, uint32_t offset, uint64_t value, unsigned bytes);

/* The size of a ring's register; those with addresses have 8 bytes. */
unsigned dev_ring_register_bytes(uint32_t reg);

/* Accesses registers of ring 0 by their VEU_REG_ offset. */
uint64_t dev_ring_get(Dev *d, uint32_t reg);
void dev_ring_set(Dev *d, uint32_t reg, uint64_t value);

/* Programs the registers of ring 0. */
void dev_setup(Dev *d);
/* Stores tail and fault_head as the driver has to, then sets ENABLE. */
void dev_enable(Dev *d);
void dev_disable(Dev *d);

/*
 * Puts a command after the tail; dev_publish() makes it visible to the device.
 */
void dev_fill(Dev *d, const void *command, unsigned slots);
void dev_publish(Dev *d);
/* Both. */
void dev_push(Dev *d, const void *command, unsigned slots);

/*
 * Runs one step of ring 0, or of another ring. All guest memory moves before
 * it, and all pages that it writes have to be dirty: a migration would lose
 * others.
 */
VeuStep dev_step(Dev *d, unsigned budget);
VeuStep dev_ring_step(Dev *d, uint32_t ring, unsigned budget);
/* Runs steps until there is no more work. */
VeuStep dev_run(Dev *d);
/* Like dev_run(), with steps of @budget units. */
VeuStep dev_run_by(Dev *d, unsigned budget);
/* The value of a global counter, of a new snapshot. */
uint64_t dev_counter(Dev *d, uint32_t reg);

/* Words of ring 0's shared block: DEV_SHARED_WORD(d, head). */
#define DEV_SHARED_WORD(d, field)        \
    test_memory_get32(&(d)->host.memory, \
                      DEV_SHARED + offsetof(struct veu_ring_shared, field))
struct veu_fault_record dev_record(Dev *d, unsigned place);
/*
 * Checks the newest record's code and detail, and that there are @count
 * records.
 */
void dev_assert_fault(Dev *d, unsigned count, uint16_t code, uint32_t detail);
void dev_assert_no_fault(Dev *d);

/* Commands. */
struct veu_command_nop dev_nop(uint32_t tag);
struct veu_command_fence dev_fence(uint64_t value);
/* Pushes @count fences, which store 1, 2, ...; returns what one has stored. */
void dev_push_fences(Dev *d, unsigned count);
uint64_t dev_fence_value(Dev *d);
/*
 * Returns a dispatch of d->program, which it builds at DEV_PROGRAM, with 1 EU
 * thread.
 */
struct veu_command_dispatch dev_dispatch(Dev *d);
/* Returns an inline message with 8 lanes, 32-byte registers and no payload. */
struct veu_command_message dev_message(const TestMessage *message);
#define DEV_PUSH(d, command) \
    dev_push((d), &(command), sizeof(command) / VEU_SLOT_BYTES)

/* Sets the rules of injected faults. */
void dev_inject(Dev *d, const char *text);

/* Sets entry @n of the surface table; a RAW buffer. */
void dev_surface(Dev *d, unsigned n, const struct veu_surface *surface);
void dev_buffer(Dev *d, unsigned n, uint64_t base, uint32_t bytes);

#endif
