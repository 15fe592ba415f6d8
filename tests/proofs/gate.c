/*
 * veu proofs: the memory gate of the QEMU host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "tests/proofs/proof.h"

typedef struct PCIDevice {
    AddressSpace bus_master_as;
} PCIDevice;

typedef struct MemoryRegionSection {
    MemoryRegion *mr;
    bool readonly;
    hwaddr offset_within_address_space;
    uint64_t size;
} MemoryRegionSection;

typedef struct MemoryListener MemoryListener;
typedef void Listen(MemoryListener *listener);
typedef void Tell(MemoryListener *listener, MemoryRegionSection *section);

struct MemoryListener {
    const char *name;
    Listen *begin, *commit;
    Tell *region_add, *region_del;
};

typedef struct IOMMUTLBEntry {
    hwaddr iova, addr_mask;
} IOMMUTLBEntry;

typedef struct IOMMUNotifier IOMMUNotifier;
typedef void (*IOMMUNotify)(IOMMUNotifier *notifier, IOMMUTLBEntry *range);

struct IOMMUNotifier {
    IOMMUNotify notify;
};

typedef struct VeuEngine {
    bool in_main_loop;
} VeuEngine;

typedef int QemuCond;

struct VeuState {
    VeuEngine engine;
    struct {
        uint64_t memory_version;
    } host;
};

static VeuState state;

#define VEU(pci) (&state)

void veu_engine_pause(VeuEngine *engine);
void veu_engine_resume(VeuEngine *engine);
void memory_listener_register(MemoryListener *listener, AddressSpace *as);
void memory_listener_unregister(MemoryListener *listener);
bool memory_region_is_iommu(MemoryRegion *mr);
uint64_t int128_get64(uint64_t value);
MemoryRegion *address_space_translate(AddressSpace *as, hwaddr iova,
                                      hwaddr *offset, hwaddr *length,
                                      bool is_write, int attrs);

#include "hw/veu/qemu/miss.h"
#include "hw/veu/qemu/memory.h"
#include "hw/veu/qemu/memory_walk.c"
#include "hw/veu/qemu/memory.c"

/* RAM at any address, surrounded by holes, with any host pointer. */
static MemoryRegion region;
static MemoryRegion other;
static uint64_t ram_at;

MemoryRegion *address_space_translate(AddressSpace *as, hwaddr iova,
                                      hwaddr *offset, hwaddr *length,
                                      bool is_write, int attrs)
{
    uint64_t at = iova - ram_at;

    if (at >= region.bytes) {
        *offset = nondet_u64();
        return &other;
    }
    *offset = at;
    *length = MIN(*length, region.bytes - at);
    return &region;
}

/* A page that is marked has to be in the region that is given. */
void veu_dirty_note_all(VeuDirty *dirty, MemoryRegion *mr, uint8_t *host,
                        uint64_t bytes)
{
    uint64_t at = (uintptr_t)host - (uintptr_t)region.host;

    PROVE(mr == &region && at < region.bytes && bytes <= region.bytes - at,
          "what is noted is in the region");
}

void veu_dirty_open(VeuDirty *dirty, MemoryRegion *mr, VeuExtent *extent)
{
    PROVE(mr == &region, "what is opened is the region");
}

static VeuMemory memory;
static VeuMap map;
static PCIDevice device;

/* Any RAM, and a map that has looked up some address before. */
static void take_memory(void)
{
    static const MemoryRegion none;
    static VeuRomSection no_rom;
    static GArray roms;
    uint32_t bytes = 1;

    roms.data = (char *)&no_rom;
    memory.rom_sections = &roms;
    memory.pci = &device;
    map.memory = &memory;
    other = none;
    region.is_ram = true;
    region.bytes = nondet_u64();
    region.host = (uint8_t *)(uintptr_t)nondet_u64();
    ram_at = nondet_u64();
    ASSUME(region.bytes >= 1 && region.bytes <= UINT64_C(1) << 47);
    ASSUME((uintptr_t)region.host <= UINT64_C(1) << 47);
    ASSUME(region.bytes - 1 <= UINT64_MAX - ram_at);
    veu_memory_map(&map, nondet_u64(), &bytes, VEU_ACCESS_READ);
}

void extents_are_ram(void)
{
    uint64_t iova = nondet_u64();
    enum veu_access access = nondet_bool() ? VEU_ACCESS_WRITE : VEU_ACCESS_READ;
    VeuExtent e;

    take_memory();
    bool good = veu_memory_open(&map, iova, access, &e);

    REACHED(good && e.iova < iova);
    REACHED(good && e.bytes > UINT64_C(1) << 40);
    PROVE(!good || veu_extent_has(&e, iova, 1), "an extent has the address");
    PROVE(!good || (e.iova - ram_at < region.bytes &&
                    e.bytes <= region.bytes - (e.iova - ram_at)),
          "all of an extent is RAM");
    PROVE(!good ||
              (uintptr_t)e.host - (uintptr_t)region.host == e.iova - ram_at,
          "its pointer is of its address");
}

/* RAM that acts as ROM at some place has no pointer there. */
void rom_has_no_pointers(void)
{
    VeuRomSection rom;
    uint64_t iova = nondet_u64();
    uint32_t bytes = 1;

    take_memory();
    forget_cache(&memory);
    memory.maps.first = &map;
    forget_cache(&memory);
    memory.rom_sections->data = (char *)&rom;
    memory.rom_sections->len = 1;
    /* sections consist of whole pages, and each block is of one kind */
    ASSUME(rom.start % BLOCK_BYTES == 0 && rom.bytes % BLOCK_BYTES == 0);
    ASSUME(rom.bytes && rom.start <= UINT64_MAX - rom.bytes);
    ASSUME(rom.start == ram_at && rom.bytes == region.bytes);
    REACHED(iova - rom.start < rom.bytes);
    PROVE(!veu_memory_map(&map, iova, &bytes, VEU_ACCESS_WRITE),
          "what cannot be written has no pointer");
}
