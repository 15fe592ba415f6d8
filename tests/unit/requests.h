/*
 * veu unit tests: a context with requests, and a driver that serves them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_REQUESTS_H
#define VEU_TEST_REQUESTS_H

#include "tables.h"

#define QUEUE     (TABLES + TABLES_BYTES)
#define RECORDS   128
#define VECTOR    2
/* Units of a step that is long enough for all commands. */
#define LONG_STEP 100000
#define HEAD      (QUEUE + offsetof(struct veu_request_queue, head))
#define TAIL      (QUEUE + offsetof(struct veu_request_queue, tail))

/* The registers of the context's queue. */
static inline void use_queue(Dev *d)
{
    context_write(d, VEU_REG_CONTEXT_QUEUE, QUEUE, 8);
    context_write(d, VEU_REG_CONTEXT_QUEUE_RECORDS, RECORDS, 4);
    context_write(d, VEU_REG_CONTEXT_QUEUE_VECTOR, VECTOR, 4);
    context_write(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_REQUESTS, 4);
}

static inline Dev *make_asking(TestTables *t)
{
    Dev *d = make(t);

    test_memory_add(&d->host.memory, QUEUE, 4 * 4096, true);
    use_queue(d);
    return d;
}

static inline uint32_t queue_tail(Dev *d)
{
    return test_memory_get32(&d->host.memory, TAIL);
}

static inline uint32_t queue_head(Dev *d)
{
    return test_memory_get32(&d->host.memory, HEAD);
}

static inline struct veu_request record(Dev *d, uint32_t number)
{
    struct veu_request r;

    test_memory_get(&d->host.memory,
                    QUEUE + sizeof(struct veu_request_queue) +
                        number % RECORDS * sizeof(r),
                    &r, sizeof(r));
    return r;
}

static inline void respond(Dev *d, uint32_t id, uint64_t bits)
{
    context_write(d, VEU_REG_CONTEXT_RESPONSE, id | bits, 8);
}

static inline void set_head(Dev *d, uint32_t head)
{
    test_memory_put32(&d->host.memory, HEAD, head);
}

/* A driver that maps what is requested, at @offset of memory, and responds. */
static inline unsigned serve(Dev *d, TestTables *t)
{
    unsigned groups = 0;

    while (queue_head(d) != queue_tail(d)) {
        struct veu_request r = record(d, queue_head(d));

        set_head(d, queue_head(d) + 1);
        test_tables_map(t, r.address, r.address - BASE + DEV_RAM, ALL);
        if (r.flags & VEU_REQUEST_LAST) {
            respond(d, r.id, 0);
            groups++;
        }
    }
    return groups;
}

static inline unsigned interrupts(Dev *d)
{
    unsigned count = 0;

    for (unsigned i = 0; i < d->host.log_count; i++) {
        count += d->host.log[i].kind == TEST_LOG_INTERRUPT &&
                 d->host.log[i].vector == VECTOR;
    }
    return count;
}

static inline void unmap(TestTables *t, uint64_t address)
{
    test_memory_put64(t->memory, test_tables_entry(t, address, 1), 0);
}

static inline void unmap_all(TestTables *t)
{
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        unmap(t, VA(a));
    }
}

/* A ring whose COPY waits for the response to request 0. */
static inline Dev *make_waiting_copy(TestTables *t)
{
    Dev *d = make_asking(t);

    unmap(t, VA(TARGET));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(record(d, 0).id, ==, 0);
    return d;
}

/* The driver responds to the first record before it maps the page. */
static inline void check_asked(Dev *d, TestTables *t)
{
    static const unsigned asked[] = { 1, 2, 1 };

    dev_run_by(d, LONG_STEP);
    set_head(d, 1);
    respond(d, record(d, 0).id, 0);
    dev_run_by(d, LONG_STEP);
    serve(d, t);
    dev_run_by(d, LONG_STEP);
    g_assert_cmpuint(queue_tail(d), ==, 3);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(record(d, i).asked, ==, asked[i]);
    }
    serve(d, t);
    dev_run_by(d, LONG_STEP);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 3);
}

#endif
