/*
 * veu proofs: cached translations of a vIOMMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "tests/proofs/proof.h"

/* The vIOMMU itself is not part of the proof. */
#define VEU_VTD_TELLS_ALL       1
#define VEU_TYPE_VTD_REGION     ""
#define VEU_VTD_SCALABLE        ""
#define IOMMU_NOTIFIER_UNMAP    1
#define OBJECT(of)              ((Object *)(of))
#define IOMMU_MEMORY_REGION(of) (of)

typedef struct Object Object;
typedef struct IOMMUTLBEntry IOMMUTLBEntry;
typedef struct IOMMUNotifier IOMMUNotifier;
typedef void (*IOMMUNotify)(IOMMUNotifier *notifier, IOMMUTLBEntry *range);

struct IOMMUNotifier {
    IOMMUNotify notify;
};

Object *memory_region_owner(MemoryRegion *mr);
bool object_dynamic_cast(Object *object, const char *name);
bool object_property_get_bool(Object *object, const char *name, void *error);
int memory_region_iommu_attrs_to_index(MemoryRegion *mr, int attrs);
void iommu_notifier_init(IOMMUNotifier *notifier, IOMMUNotify notify, int flags,
                         hwaddr first, hwaddr last, int index);
int memory_region_register_iommu_notifier(MemoryRegion *mr,
                                          IOMMUNotifier *notifier, void *error);
void memory_region_unregister_iommu_notifier(MemoryRegion *mr,
                                             IOMMUNotifier *notifier);

/* Its table always exists. */
#define g_new0(type, count) ((type *)NULL)
#define g_free(memory)      ((void)(memory))

#include "hw/veu/qemu/iotlb.c"

#define PLACES (2 * VEU_IOTLB_PAGES)

static VeuIotlb tlb;
static VeuIotlbPage places[PLACES];
static MemoryRegion iommu;

/* No page belongs to a future generation. */
static bool is_past(const VeuIotlbPage *page)
{
    return page->tag % VEU_PAGE_BYTES <= tlb.generation;
}

/* Any pages that may have been cached. */
static void take_pages(void)
{
    tlb.iommu = &iommu;
    tlb.pages = places;
    tlb.generation = nondet_u32();
    ASSUME(tlb.generation >= 1 && tlb.generation <= MAX_GENERATION);
    for (unsigned i = 0; i < PLACES; i++) {
        places[i].tag = nondet_u64();
        ASSUME(is_past(&places[i]));
    }
}

/* RAM of up to three pages. */
typedef struct Kept {
    uint64_t iova;
    uint64_t bytes;
    bool is_write;
    uint8_t *host;
    MemoryRegion mr;
} Kept;

static void keep_some(Kept *k)
{
    k->iova = nondet_u64();
    k->bytes = nondet_u64();
    k->is_write = nondet_bool();
    k->host = (uint8_t *)(uintptr_t)nondet_u64();
    ASSUME(k->iova % VEU_PAGE_BYTES == 0 && k->bytes < 4 * VEU_PAGE_BYTES);
    ASSUME(k->bytes <= UINT64_MAX - k->iova);
    ASSUME((uintptr_t)k->host <= UINT64_C(1) << 47);
    veu_iotlb_keep(&tlb, k->iova, k->bytes, k->is_write, k->host, &k->mr);
}

static bool has_page(const Kept *k, uint64_t iova, bool is_write)
{
    return k->is_write == is_write &&
           iova - k->iova < k->bytes / VEU_PAGE_BYTES * VEU_PAGE_BYTES;
}

static bool is_page_of(const VeuIotlbPage *page, const Kept *k, uint64_t iova)
{
    return (uintptr_t)page->host == (uintptr_t)k->host + (iova - k->iova) &&
           page->mr == &k->mr;
}

void what_is_kept_is_found_as_it_was(void)
{
    Kept first, second;
    uint64_t iova = nondet_u64();
    bool is_write = nondet_bool();

    take_pages();
    veu_iotlb_forget_all(&tlb);
    keep_some(&first);
    keep_some(&second);
    ASSUME(iova % VEU_PAGE_BYTES == 0);
    const VeuIotlbPage *page = veu_iotlb_find(&tlb, iova, is_write);

    REACHED(page && page->mr == &first.mr);
    REACHED(page && page->mr == &second.mr && has_page(&first, iova, is_write));
    PROVE(!page || has_page(&second, iova, is_write) ||
              has_page(&first, iova, is_write),
          "what is found was kept, for that access");
    PROVE(!page ||
              is_page_of(page,
                         has_page(&second, iova, is_write) ? &second : &first,
                         iova),
          "and is where the newest translation says");
}

void what_is_taken_back_is_not_found(void)
{
    Kept kept;
    uint64_t start = nondet_u64();
    uint64_t mask = nondet_u64();
    uint64_t iova = nondet_u64();
    bool is_write = nondet_bool();

    take_pages();
    keep_some(&kept);
    /* as vIOMMUs report it: an aligned power of two */
    ASSUME((mask & (mask + 1)) == 0 && (start & mask) == 0);
    veu_iotlb_forget(&tlb, start, mask);
    ASSUME(iova % VEU_PAGE_BYTES == 0);
    const VeuIotlbPage *page = veu_iotlb_find(&tlb, iova, is_write);

    REACHED(page && page->mr == &kept.mr);
    REACHED(!page && has_page(&kept, iova, is_write) && mask == 0);
    REACHED(!page && has_page(&kept, iova, is_write) && mask == UINT64_MAX);
    PROVE(!page || (iova ^ (start & -VEU_PAGE_BYTES)) >
                       (mask | (VEU_PAGE_BYTES - 1)),
          "no page that was taken back is found");
}

void what_is_forgotten_is_not_found(void)
{
    uint64_t iova = nondet_u64();
    unsigned place = nondet_u8();

    take_pages();
    ASSUME(place < PLACES);
    veu_iotlb_forget_all(&tlb);
    REACHED(tlb.generation == 1);
    REACHED(tlb.generation == MAX_GENERATION);
    ASSUME(iova % VEU_PAGE_BYTES == 0);
    PROVE(!veu_iotlb_find(&tlb, iova, nondet_bool()), "nothing is found");
    PROVE(tlb.generation >= 1 && tlb.generation <= MAX_GENERATION,
          "generations fit into tags");
    PROVE(is_past(&places[place]), "no page is of a generation to come");
}
