/*
 * veu device tests: page tables in a storm, and a driver that responds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands also write to the memory of the tables.
 */
#include "tests/device/port.h"
#include "tests/device/storm.h"

#define TABLES     0x100000 /* in the arena: levels 4, 3, 2 */
#define QUEUE      0x103000
#define RECORDS    128
#define PAGE_BYTES 4096
#define LARGE_BITS 21
#define ALL        (VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE)

static uint64_t *table_of(Rig *r, unsigned level)
{
    return (uint64_t *)(r->arena + TABLES + (4 - level) * PAGE_BYTES);
}

static uint8_t *some_context(Storm *s)
{
    return (uint8_t *)(uintptr_t)s->rig->device.regs + VEU_CONTEXT_BLOCK +
           VEU_CONTEXT_BLOCK_STRIDE * storm_below(STORM_RINGS);
}

/* Mostly a page of 2 MiB at its own address. */
static uint64_t some_entry(unsigned index)
{
    uint64_t entry = (uint64_t)index << LARGE_BITS | ALL | VEU_PAGE_LARGE;

    switch (storm_below(8)) {
    case 0:
        return 0;
    case 1:
        return entry ^ UINT64_C(1) << storm_below(64);
    default:
        return entry;
    }
}

/* Stores of a processor, concurrent with walks. */
static void change_entries(Rig *r)
{
    unsigned first = storm_below(VEU_TABLE_ENTRIES - 64);
    unsigned count = storm_below(64);

    first = storm_below(2) ? first : 0;
    for (unsigned i = 0; i < count; i++) {
        __atomic_store_n(&table_of(r, 2)[first + i], some_entry(first + i),
                         __ATOMIC_RELEASE);
    }
}

void storm_change_tables(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *context = some_context(s);

    table_of(r, 4)[0] = veu_port_device_address(table_of(r, 3)) | 1;
    table_of(r, 3)[0] = veu_port_device_address(table_of(r, 2)) | 1;
    change_entries(r);
    port_write(context + VEU_REG_CONTEXT_TYPE, 4, VEU_CONTEXT_TABLES);
    port_write(context + VEU_REG_CONTEXT_ROOT, 8,
               veu_port_device_address(table_of(r, 4)));
    port_write(context + VEU_REG_CONTEXT_OPTIONS, 4, storm_below(4));
    port_write(context + VEU_REG_CONTEXT_QUEUE_RECORDS, 4,
               storm_below(8) ? RECORDS : storm_value());
    port_write(context + VEU_REG_CONTEXT_QUEUE_VECTOR, 4, storm_below(8));
    port_write(context + VEU_REG_CONTEXT_QUEUE, 8,
               veu_port_device_address(r->arena + QUEUE));
}

/*
 * Responses may be correct, late, duplicate, or for a group that is not open,
 * because small ids are in use.
 */
void storm_serve_pages(Storm *s)
{
    uint8_t *context = some_context(s);
    uint64_t refused = storm_below(4) ? 0 : VEU_RESPONSE_REFUSED;

    change_entries(s->rig);
    port_write(context + VEU_REG_CONTEXT_INVALIDATE, 8,
               VEU_INVALIDATE((uint64_t)storm_below(0x8000) * PAGE_BYTES,
                              storm_below(64)));
    *(uint32_t *)(s->rig->arena + QUEUE) += storm_below(4);
    for (unsigned i = storm_below(8); i; i--) {
        port_write(context + VEU_REG_CONTEXT_RESPONSE, 8,
                   storm_below(16) | refused);
    }
}

/* The ring may be in any state, with or without open requests. */
void storm_toggle_pause(Storm *s)
{
    uint8_t *control = (uint8_t *)(uintptr_t)s->rig->device.regs +
                       VEU_RING_BLOCK +
                       VEU_RING_BLOCK_STRIDE * storm_below(STORM_RINGS) +
                       VEU_REG_RING_CONTROL;

    port_write(control, 4,
               VEU_RING_ENABLE | (storm_below(2) ? VEU_RING_PAUSE : 0));
}
