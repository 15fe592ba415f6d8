/*
 * veu fuzzer: a process that owns ring 0, in a context of page tables with
 * requests, and a driver that responds correctly or not. Whatever they do, the
 * ring reaches only mapped pages, and the device writes no table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Mapped pages of ring 0's half have their DMA addresses as virtual addresses.
 * Tables, queue and a page that is never mapped are in the other half.
 */
#include <glib.h>
#include "tests/fuzz/driver.h"
#include "tests/fuzz/moves.h"

#define MAX_OPERATIONS 256
#define MAX_MOVES      1
#define RING           0
#define CONTEXT        1

#define LEVELS       4
#define TABLE(level) (FUZZ_HALF(1) + (LEVELS - (level)) * FUZZ_PAGE_BYTES)
#define QUEUE        (FUZZ_HALF(1) + 4 * FUZZ_PAGE_BYTES)
#define RECORDS      128
#define CANARY       (FUZZ_HALF(1) + 7 * FUZZ_PAGE_BYTES)

#define QUEUE_TAIL (QUEUE + offsetof(struct veu_request_queue, tail))
#define ALL        (VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE)

/* Memory that only the driver may change. */
typedef struct Kept {
    uint64_t tables[LEVELS][VEU_TABLE_ENTRIES];
    uint8_t canary[FUZZ_PAGE_BYTES];
} Kept;

static Kept kept;

static void set_context(FuzzDriver *d, uint32_t reg, uint64_t value,
                        unsigned bytes)
{
    veu_device_write(d->device,
                     VEU_CONTEXT_BLOCK + CONTEXT * VEU_CONTEXT_BLOCK_STRIDE +
                         reg,
                     value, bytes);
}

/* ---- tables ---- */

static void set_entry(FuzzDriver *d, unsigned level, unsigned index,
                      uint64_t entry)
{
    kept.tables[LEVELS - level][index] = entry;
    fuzz_store(&d->host, TABLE(level) + index * sizeof(entry), &entry,
               sizeof(entry));
}

static void link_tables(FuzzDriver *d)
{
    for (unsigned level = LEVELS; level > 1; level--) {
        set_entry(d, level, 0, TABLE(level - 1) | VEU_PAGE_VALID);
    }
}

static unsigned index_of(uint64_t address)
{
    return address / FUZZ_PAGE_BYTES % VEU_TABLE_ENTRIES;
}

/* Maps the page of @address, if it belongs to ring 0. */
static void map(FuzzDriver *d, uint64_t address)
{
    if (address >= FUZZ_HALF(RING) && address < FUZZ_HALF(RING + 1)) {
        set_entry(d, 1, index_of(address), (address & -FUZZ_PAGE_BYTES) | ALL);
    }
}

static uint64_t some_page(FuzzDriver *d)
{
    return FUZZ_HALF(RING) + fuzz_u8(&d->in) % 8 * FUZZ_PAGE_BYTES;
}

/* Sets any bits, with the address of one of ring 0's pages. */
static void change_page(FuzzDriver *d)
{
    uint64_t bits = fuzz_u8(&d->in) % 4 ? ALL : fuzz_u64(&d->in);

    set_entry(d, 1, index_of(some_page(d)),
              (bits & ~VEU_PAGE_ADDRESS) | some_page(d));
}

/* Sets any bits, with the address of the next table. */
static void change_table(FuzzDriver *d)
{
    unsigned level = 2 + fuzz_u8(&d->in) % (LEVELS - 1);
    uint64_t bits = fuzz_u8(&d->in) % 2 ? VEU_PAGE_VALID : fuzz_u64(&d->in);

    set_entry(d, level, 0, (bits & ~VEU_PAGE_ADDRESS) | TABLE(level - 1));
}

static void map_page(FuzzDriver *d)
{
    map(d, some_page(d));
}

static void invalidate(FuzzDriver *d)
{
    set_context(d, VEU_REG_CONTEXT_INVALIDATE,
                VEU_INVALIDATE(some_page(d), fuzz_u8(&d->in) % 64), 8);
}

static void unmap_page(FuzzDriver *d)
{
    uint64_t page = some_page(d);

    set_entry(d, 1, index_of(page), 0);
    set_context(d, VEU_REG_CONTEXT_INVALIDATE, VEU_INVALIDATE(page, 0), 8);
}

/* ---- requests ---- */

static uint32_t load32(FuzzDriver *d, uint64_t iova)
{
    uint32_t value;

    memcpy(&value, fuzz_byte(&d->host, iova), sizeof(value));
    return value;
}

static void respond(FuzzDriver *d, uint64_t value)
{
    set_context(d, VEU_REG_CONTEXT_RESPONSE, value, 8);
}

/* Serves requests as a driver does. */
static void serve(FuzzDriver *d)
{
    uint32_t head = load32(d, QUEUE);
    struct veu_request r = { 0 };

    for (unsigned n = 0; n < RECORDS && head != load32(d, QUEUE_TAIL); n++) {
        uint64_t at = QUEUE + sizeof(struct veu_request_queue) +
                      head++ % RECORDS * sizeof(r);

        memcpy(&r, fuzz_byte(&d->host, at), sizeof(r));
        map(d, r.address);
        fuzz_store(&d->host, QUEUE, &head, sizeof(head));
        if (r.flags & VEU_REQUEST_LAST) {
            respond(d, r.id);
        }
    }
}

/* Small ids belong to this input: open ones, and earlier ones. */
static void respond_badly(FuzzDriver *d)
{
    uint8_t how = fuzz_u8(&d->in);

    respond(d, how % 16 + (how & 16 ? VEU_RESPONSE_REFUSED : 0));
}

static void store_head(FuzzDriver *d)
{
    uint32_t head = fuzz_u32(&d->in);

    fuzz_store(&d->host, QUEUE, &head, sizeof(head));
}

static void begin_queue(FuzzDriver *d)
{
    uint32_t zero = 0;

    fuzz_store(&d->host, QUEUE, &zero, sizeof(zero));
    set_context(d, VEU_REG_CONTEXT_QUEUE, QUEUE, 8);
}

/* ---- the ring ---- */

static void push(FuzzDriver *d)
{
    fuzz_push_command(d, RING);
}

static void change_memory(FuzzDriver *d)
{
    fuzz_change_memory(d, RING);
}

static void step(FuzzDriver *d)
{
    fuzz_step(d, RING);
}

static void control(FuzzDriver *d)
{
    fuzz_set(d, RING, VEU_REG_RING_CONTROL, fuzz_u8(&d->in) % 16);
}

/* After a reset and a read, no record of the ring appears: DEV-3.18. */
static void reset_ring(FuzzDriver *d)
{
    uint32_t tail;

    fuzz_set(d, RING, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    fuzz_get(d, RING, VEU_REG_RING_STATE);
    tail = load32(d, QUEUE_TAIL);
    step(d);
    fuzz_settle(d);
    g_assert_cmpuint(load32(d, QUEUE_TAIL), ==, tail);
    d->tail[RING] = 0;
    fuzz_set_up(d, RING, CONTEXT);
}

static void move_away(FuzzDriver *d)
{
    if (d->moves++ < MAX_MOVES) {
        fuzz_move_and_back(d->device, d->other);
    }
}

static void pass_time(FuzzDriver *d)
{
    d->host.now_ns += fuzz_u32(&d->in);
}

static void (*const operations[])(FuzzDriver *d) = {
    push,       push,      push,          step,          step,
    serve,      serve,     map_page,      unmap_page,    change_page,
    invalidate, control,   change_table,  respond_badly, store_head,
    reset_ring, move_away, change_memory, pass_time,     begin_queue,
};

/* ---- an input ---- */

static void set_up(FuzzDriver *d)
{
    static const uint8_t zeroes[FUZZ_PAGE_BYTES];

    memset(&kept, 0, sizeof(kept));
    memset(kept.canary, 0x5a, sizeof(kept.canary));
    for (uint64_t at = FUZZ_HALF(1); at < CANARY; at += FUZZ_PAGE_BYTES) {
        fuzz_store(&d->host, at, zeroes, sizeof(zeroes));
    }
    fuzz_store(&d->host, CANARY, kept.canary, sizeof(kept.canary));
    link_tables(d);
    set_context(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES, 4);
    set_context(d, VEU_REG_CONTEXT_ROOT, TABLE(LEVELS), 8);
    set_context(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_REQUESTS, 4);
    set_context(d, VEU_REG_CONTEXT_QUEUE_RECORDS, RECORDS, 4);
    set_context(d, VEU_REG_CONTEXT_QUEUE_VECTOR, 0, 4);
    begin_queue(d);
    fuzz_enable(d, RING, CONTEXT);
}

static void assert_kept(FuzzDriver *d)
{
    for (unsigned level = 1; level <= LEVELS; level++) {
        g_assert_cmpmem(fuzz_byte(&d->host, TABLE(level)), FUZZ_PAGE_BYTES,
                        kept.tables[LEVELS - level], FUZZ_PAGE_BYTES);
    }
    g_assert_cmpmem(fuzz_byte(&d->host, CANARY), FUZZ_PAGE_BYTES, kept.canary,
                    FUZZ_PAGE_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static FuzzDriver *d;

    if (!d) {
        d = fuzz_driver_new();
    }
    fuzz_driver_reset(d, data, bytes);
    d->host.race = 0; /* it would change tables */
    set_up(d);
    for (unsigned n = 0; n < MAX_OPERATIONS && d->in.left; n++) {
        operations[fuzz_u8(&d->in) % G_N_ELEMENTS(operations)](d);
    }
    serve(d);
    fuzz_settle(d);
    assert_kept(d);
    veu_device_reset(d->device);
    d->host.quiet = true;
    respond(d, 0);
    fuzz_settle(d);
    return 0;
}
