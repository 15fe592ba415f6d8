/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Questions to QEMU's memory map.
 *
 * A batch does not hold QEMU's RCU read lock, because it may wait for the main
 * loop (miss.h), which may wait for a grace period, as in a device_add that
 * fails. Each translation is done with the lock, and waits for nothing in veu;
 * tests/checks/callgraph verifies that.
 */
#include "qemu/osdep.h"
#include "qemu/rcu.h"
#include "hw/veu/qemu/memory_walk.h"
#include "hw/veu/qemu/veu.h"

/* RAM may act as ROM at one address: shadow RAM that firmware has locked. */
static bool is_rom(const VeuMemory *m, MemoryRegion *mr, uint64_t iova)
{
    for (unsigned i = 0; i < m->rom_sections->len; i++) {
        VeuRomSection *rom = &g_array_index(m->rom_sections, VeuRomSection, i);

        if (iova - rom->start < rom->bytes) {
            return true;
        }
    }
    return memory_region_is_rom(mr);
}

/*
 * Finds RAM of up to @bytes at @iova; entry->bytes is 0 if there is none. Not
 * inlined: tests/checks/callgraph checks what is called with the lock held.
 */
static __attribute__((noinline)) void translate(VeuMemory *m, uint64_t iova,
                                                uint64_t bytes, bool is_write,
                                                VeuCacheEntry *entry)
{
    RCU_READ_LOCK_GUARD();
    hwaddr offset;
    hwaddr length = bytes;
    MemoryRegion *mr = address_space_translate(&m->pci->bus_master_as, iova,
                                               &offset, &length, is_write,
                                               MEMTXATTRS_UNSPECIFIED);

    *entry = (VeuCacheEntry){ .start = iova };
    if (length && memory_region_is_ram(mr) && !is_rom(m, mr, iova) &&
        !memory_region_is_ram_device(mr)) {
        entry->bytes = length;
        entry->host = (uint8_t *)memory_region_get_ram_ptr(mr) + offset;
        entry->mr = mr;
    }
}

void veu_memory_walk(VeuMemory *m, uint64_t page, uint64_t bytes, bool is_write,
                     VeuCacheEntry *entry)
{
    translate(m, page, bytes, is_write, entry);
    if (m->has_iommu) {
        veu_iotlb_keep(&m->iotlb, page, entry->bytes, is_write, entry->host,
                       entry->mr);
    }
}
