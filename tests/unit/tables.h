/*
 * veu unit tests: what the tests of page tables share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_TABLES_H
#define VEU_TEST_TABLES_H

#include "tests/lib/all_paths.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/page_tables.h"

/* The operating system owns the tables. */
#define TABLES       UINT64_C(0x800000)
#define TABLES_BYTES UINT64_C(0x20000)

/* The virtual addresses at which DEV_RAM is mapped. */
#define BASE  UINT64_C(0x7e5a80000000)
#define VA(a) (BASE + ((a)-DEV_RAM))

#define SPARE_PAGE (DEV_PROGRAM + 0x8000)

/* Page i of BASE + 1 GiB is page 7 * i % 16 of memory. */
#define SCATTERED (BASE + (UINT64_C(1) << 30))
#define SOME      16
#define TARGET    (DEV_PROGRAM + 0x10000)
#define SOURCE    (DEV_PROGRAM + 0x20000)

#define READ  VEU_PAGE_READ
#define WRITE VEU_PAGE_WRITE
#define VALID VEU_PAGE_VALID
#define ALL   (VALID | READ | WRITE)

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

/* The registers of ring 0 and of its context. */
static inline void use_tables(Dev *d, const TestTables *t)
{
    dev_setup(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES, 4);
    context_write(d, VEU_REG_CONTEXT_ROOT, t->root, 8);
}

/* Maps all of DEV_RAM except the ring's own pages, at VA(). */
static inline Dev *add_tables(Dev *d, TestTables *t)
{
    test_memory_add(&d->host.memory, TABLES, TABLES_BYTES, true);
    test_tables_init(t, &d->host.memory, TABLES, TABLES + TABLES_BYTES);
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        test_tables_map(t, VA(a), a, ALL);
    }
    use_tables(d, t);
    return d;
}

static inline Dev *make(TestTables *t)
{
    return add_tables(dev_new(), t);
}

static inline void build_program(Dev *d)
{
    all_paths_program(d, VA(0));
}

static inline void put_payload(Dev *d)
{
    all_paths_payload(d, VA(0));
}

static inline void push_commands(Dev *d)
{
    all_paths_push(d, VA(0));
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

/* Gives the command its addresses in the context of page tables. */
static inline void use_virtual_addresses(struct veu_command_kernel *c)
{
    c->code_address = VA(c->code_address);
    c->local_id_address = VA(c->local_id_address);
    c->cross_thread_address = VA(c->cross_thread_address);
    c->stateless_base = VA(c->stateless_base);
}

/* Enables ring 1 with one slot. */
static inline void enable_ring1(Dev *d)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;

    dev_write(d, ring1 + VEU_REG_RING_BASE, DEV_DATA, 8);
    dev_write(d, ring1 + VEU_REG_RING_SHARED, DEV_DATA + 0x1000, 8);
    dev_write(d, ring1 + VEU_REG_RING_SLOTS, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

static inline void run_ring1(Dev *d, const struct veu_command_copy *copy)
{
    test_memory_put(&d->host.memory, DEV_DATA, copy, sizeof(*copy));
    test_memory_put32(&d->host.memory, DEV_DATA + 0x1000, 1);
    veu_ring_step(d->device, 1, 100);
}

#endif
