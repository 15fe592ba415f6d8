/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory gate of the QEMU host.
 *
 * Only plain RAM has host pointers: MMIO, ROM, holes and device memory are
 * refused. Pointers are valid inside one batch of the engine: RAM that leaves
 * the memory map leaves it in a transaction, which waits for the batch to end
 * before there is a new map (memory_begin()).
 *
 * The map may change while a miss is answered, without waiting for the batch.
 * That removes no RAM: Intel's vIOMMU turns its own regions on and off when it
 * finds that a device is passed through, and sends its interrupts to
 * processors, not to addresses. Misses of other vIOMMUs do not occur in
 * batches.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/memory_walk.h"
#include "hw/veu/qemu/veu.h"

#define BLOCK_BYTES (1ull << VEU_MEM_BLOCK_BITS)
#define ALL_BYTES   INT64_MAX

/* A batch with a vIOMMU has no cache (find_entry()). */
static void forget_cache(VeuMemory *m)
{
    VeuMap *map;

    QLIST_FOREACH(map, &m->maps, next) {
        memset(map->cache, 0, sizeof(map->cache));
    }
}

static bool covers(const VeuCacheEntry *entry, uint64_t iova)
{
    return iova - entry->start < entry->bytes;
}

/*
 * Like veu_memory_walk(), if a vIOMMU may have to be asked, which needs the big
 * lock.
 */
static void find_page(VeuMap *map, uint64_t page, uint64_t bytes, bool is_write,
                      VeuCacheEntry *entry)
{
    VeuMemory *m = map->memory;
    VeuState *s = VEU(m->pci);

    map->counts.cache_misses++;
    m->iotlb.misses++;
    if (s->engine.in_main_loop) {
        veu_memory_walk(m, page, bytes, is_write, entry);
    } else {
        veu_miss_ask(s, page, bytes, is_write, entry);
    }
}

/*
 * Used with a vIOMMU, which maps pages and distinguishes reads from writes.
 */
static VeuCacheEntry *find_iommu_entry(VeuMap *map, uint64_t iova,
                                       bool is_write, VeuCacheEntry *entry)
{
    uint64_t page = iova & ~(VEU_PAGE_BYTES - 1);
    const VeuIotlbPage *kept = veu_iotlb_find(&map->memory->iotlb, page,
                                              is_write);

    if (kept) {
        map->counts.cache_hits++;
        *entry = (VeuCacheEntry){
            .start = page,
            .bytes = VEU_PAGE_BYTES,
            .host = kept->host,
            .mr = kept->mr,
        };
    } else {
        find_page(map, page, BLOCK_BYTES - page % BLOCK_BYTES, is_write, entry);
    }
    return covers(entry, iova) ? entry : NULL;
}

/*
 * The cached block that contains @iova. A block that is not entirely RAM is
 * cached from the page of @iova on.
 */
static VeuCacheEntry *find_entry(VeuMap *map, uint64_t iova, bool is_write)
{
    VeuMemory *m = map->memory;
    uint64_t block = iova & ~(BLOCK_BYTES - 1);
    uint64_t page = iova & ~(VEU_PAGE_BYTES - 1);
    VeuCacheEntry *entry =
        &map->cache[(iova >> VEU_MEM_BLOCK_BITS) % VEU_CACHE_ENTRIES];

    if (m->has_iommu) {
        return find_iommu_entry(map, iova, is_write, entry);
    }
    if (covers(entry, iova)) {
        map->counts.cache_hits++;
        return entry;
    }
    map->counts.cache_misses++;
    veu_memory_walk(m, block, ALL_BYTES, is_write, entry);
    if (!covers(entry, iova)) {
        veu_memory_walk(m, page, ALL_BYTES, is_write, entry);
    }
    return covers(entry, iova) ? entry : NULL;
}

uint8_t *veu_memory_map(VeuMap *m, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    bool is_write = access == VEU_ACCESS_WRITE;
    VeuCacheEntry *entry = find_entry(m, iova, is_write);
    uint64_t offset;
    uint8_t *host;

    if (!entry) {
        return NULL;
    }
    offset = iova - entry->start;
    host = entry->host + offset;
    *bytes = MIN(*bytes, entry->bytes - offset);
    if (is_write) {
        veu_dirty_note_all(&m->dirty, entry->mr, host, *bytes);
    }
    return host;
}

/*
 * Returns true if a page that may be written is known to be readable, as every
 * page is without a vIOMMU.
 */
static bool may_read(const VeuMemory *m, uint64_t iova)
{
    return !m->has_iommu ||
           veu_iotlb_find(&m->iotlb, iova & ~(uint64_t)(VEU_PAGE_BYTES - 1),
                          false);
}

bool veu_memory_open(VeuMap *m, uint64_t iova, enum veu_access access,
                     VeuExtent *extent)
{
    bool is_write = access == VEU_ACCESS_WRITE;
    VeuCacheEntry *entry = find_entry(m, iova, is_write);

    if (!entry) {
        return false;
    }
    *extent = (VeuExtent){
        .iova = entry->start,
        .bytes = entry->bytes,
        .host = entry->host,
    };
    if (is_write) {
        veu_dirty_open(&m->dirty, entry->mr, extent);
        extent->write_only = !may_read(m->memory, iova);
    }
    return true;
}

void veu_memory_note(VeuMap *m, uint8_t *host)
{
    veu_dirty_list(&m->dirty, host);
}

void veu_memory_flush(VeuMap *m)
{
    veu_dirty_flush(&m->dirty, &m->memory->pci->bus_master_as);
}

void veu_memory_flush_many(VeuMap *m)
{
    if (m->dirty.blocks >= VEU_DIRTY_MANY) {
        veu_memory_flush(m);
    }
}

static void add_rom(VeuMemory *m, const MemoryRegionSection *section)
{
    VeuRomSection rom = {
        .start = section->offset_within_address_space,
        .bytes = int128_get64(section->size),
    };

    g_array_append_val(m->rom_sections, rom);
}

/* Records what the device's addresses pass through; commit follows. */
static void section_added(MemoryListener *listener,
                          MemoryRegionSection *section)
{
    VeuMemory *m = container_of(listener, VeuMemory, listener);

    if (memory_region_is_iommu(section->mr)) {
        m->iommu_sections++;
        veu_iotlb_add(&m->iotlb, section->mr);
    } else if (section->readonly) {
        add_rom(m, section);
    }
}

static void remove_rom(VeuMemory *m, uint64_t start)
{
    for (unsigned i = 0; i < m->rom_sections->len; i++) {
        if (g_array_index(m->rom_sections, VeuRomSection, i).start == start) {
            g_array_remove_index_fast(m->rom_sections, i);
            return;
        }
    }
}

static void section_removed(MemoryListener *listener,
                            MemoryRegionSection *section)
{
    VeuMemory *m = container_of(listener, VeuMemory, listener);

    if (memory_region_is_iommu(section->mr)) {
        m->iommu_sections--;
        veu_iotlb_remove(&m->iotlb, section->mr);
    } else if (section->readonly) {
        remove_rom(m, section->offset_within_address_space);
    }
}

/*
 * The memory map of an address space changes, perhaps the device's: listeners
 * are called for all. No batch uses the new map until commit has examined it.
 */
static void memory_begin(MemoryListener *listener)
{
    VeuMemory *m = container_of(listener, VeuMemory, listener);

    veu_engine_pause(&VEU(m->pci)->engine);
}

/* Regions may disappear. A batch under way may write to them until it ends. */
static void outdate(VeuMemory *m)
{
    VeuMap *map;

    QLIST_FOREACH(map, &m->maps, next) {
        map->dirty.is_outdated = true;
        if (!VEU(m->pci)->engine.in_main_loop) {
            veu_memory_flush(map);
        }
    }
}

/*
 * The new map is in place now, but it may not be the last one: a vIOMMU is
 * turned on in two changes, between which there is no memory at all. So the
 * next batch waits for the big lock.
 */
static void memory_commit(MemoryListener *listener)
{
    VeuMemory *m = container_of(listener, VeuMemory, listener);

    m->has_iommu = m->iommu_sections > 0;
    /* A vIOMMU revokes pages without a change of the map. */
    VEU(m->pci)->host.memory_version = m->has_iommu ? 0 : ++m->versions;
    qatomic_set(&m->is_changing, true);
    forget_cache(m);
    veu_iotlb_forget_all(&m->iotlb);
    outdate(m);
    veu_engine_resume(&VEU(m->pci)->engine);
}

/* When this returns, what the vIOMMU has revoked is no longer used. */
static void unmapped(IOMMUNotifier *notifier, IOMMUTLBEntry *range)
{
    VeuMemory *m = container_of(notifier, VeuMemory, iotlb.notifier);

    veu_engine_pause(&VEU(m->pci)->engine);
    veu_iotlb_forget(&m->iotlb, range->iova, range->addr_mask);
    veu_engine_resume(&VEU(m->pci)->engine);
}

void veu_memory_add_map(VeuMemory *m, VeuMap *map)
{
    map->memory = m;
    veu_dirty_init(&map->dirty);
    QLIST_INSERT_HEAD(&m->maps, map, next);
}

void veu_memory_remove_map(VeuMap *map)
{
    QLIST_REMOVE(map, next);
    veu_dirty_cleanup(&map->dirty);
}

void veu_memory_init(VeuMemory *m, PCIDevice *pci)
{
    m->pci = pci;
    QLIST_INIT(&m->maps);
    veu_memory_add_map(m, &m->map);
    veu_iotlb_init(&m->iotlb, unmapped);
    m->rom_sections = g_array_new(false, false, sizeof(VeuRomSection));
    m->listener = (MemoryListener){
        .name = "veu",
        .begin = memory_begin,
        .region_add = section_added,
        .region_del = section_removed,
        .commit = memory_commit,
    };
    memory_listener_register(&m->listener, &pci->bus_master_as);
}

void veu_memory_exit(VeuMemory *m)
{
    memory_listener_unregister(&m->listener);
}

void veu_memory_cleanup(VeuMemory *m)
{
    veu_iotlb_cleanup(&m->iotlb);
    veu_memory_remove_map(&m->map);
    g_array_unref(m->rom_sections);
}
