/*
 * veu device tests: DMA of another device, QEMU's "edu", to random addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Its registers are described in QEMU's docs/specs/edu. It has a buffer of 4
 * KiB, and a transfer takes 100 ms. A transfer that leaves its buffer, or uses
 * the last byte of it, ends QEMU, and is therefore avoided.
 */
#include "tests/device/storm.h"

#define IDS       0x11e81234
#define BAR       UINT64_C(0xe0800000)
#define SOURCE    0x80
#define TARGET    0x88
#define COUNT     0x90
#define COMMAND   0x98
#define START     1
#define TO_MEMORY 2
#define BUFFER    0x40000
#define BYTES     4096

/* It cannot be reached while the BAR of a veu is in front of it. */
static bool is_there(Storm *s)
{
    return qtest_read(&s->rig->vm->qtest, BAR, 4) == 0x010000ed;
}

static bool is_busy(Storm *s)
{
    return qtest_read(&s->rig->vm->qtest, BAR + COMMAND, 8) & START;
}

void storm_set_up_dma(Storm *s)
{
    uint16_t function = veu_pci_find(IDS & 0xffff, IDS >> 16, 0);
    struct veu_pci_window window = { .next = BAR, .end = BAR + 0x100000 };

    if (!s->has_dma) {
        return;
    }
    g_assert_true(veu_pci_assign_bars(function, &window));
    veu_pci_enable(function);
}

/*
 * Copies from an address on the bus to its buffer, or from the buffer to the
 * bus.
 */
void storm_start_dma(Storm *s)
{
    LineSocket *qtest = &s->rig->vm->qtest;
    uint64_t address = storm_bus_address(s);
    unsigned start = storm_below(BYTES - 1);
    unsigned count = 1 + storm_below(BYTES - 1 - start);
    bool to_memory = storm_below(2);

    if (!s->has_dma || !is_there(s) || is_busy(s)) {
        return;
    }
    qtest_write(qtest, BAR + SOURCE, 8, to_memory ? BUFFER + start : address);
    qtest_write(qtest, BAR + TARGET, 8, to_memory ? address : BUFFER + start);
    qtest_write(qtest, BAR + COUNT, 8, count);
    qtest_write(qtest, BAR + COMMAND, 8, START | (to_memory ? TO_MEMORY : 0));
}

void storm_end_dma(Storm *s)
{
    if (s->has_dma) {
        VM_WAIT(s->rig->vm, is_there(s) && !is_busy(s), "the last DMA");
    }
}
