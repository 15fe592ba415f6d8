/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translations of a vIOMMU.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/iotlb.h"

#define MAX_GENERATION (VEU_PAGE_BYTES - 1)
/* With more pages, looking up each one costs more than losing the others. */
#define MAX_FORGOTTEN  512

static VeuIotlbPage *place_of(const VeuIotlb *t, uint64_t iova, bool is_write)
{
    return &t->pages[is_write * VEU_IOTLB_PAGES +
                     iova / VEU_PAGE_BYTES % VEU_IOTLB_PAGES];
}

const VeuIotlbPage *veu_iotlb_find(const VeuIotlb *t, uint64_t iova,
                                   bool is_write)
{
    const VeuIotlbPage *page;

    if (!t->pages) {
        return NULL;
    }
    page = place_of(t, iova, is_write);
    return page->tag == (iova | t->generation) ? page : NULL;
}

void veu_iotlb_keep(VeuIotlb *t, uint64_t iova, uint64_t bytes, bool is_write,
                    uint8_t *host, MemoryRegion *mr)
{
    if (!t->iommu) {
        return;
    }
    if (!t->pages) {
        t->pages = g_new0(VeuIotlbPage, 2 * VEU_IOTLB_PAGES);
    }
    for (; bytes >= VEU_PAGE_BYTES; bytes -= VEU_PAGE_BYTES) {
        *place_of(t, iova, is_write) = (VeuIotlbPage){
            .tag = iova | t->generation,
            .host = host,
            .mr = mr,
        };
        iova += VEU_PAGE_BYTES;
        host += VEU_PAGE_BYTES;
    }
}

void veu_iotlb_forget_all(VeuIotlb *t)
{
    if (t->generation < MAX_GENERATION) {
        t->generation++;
        return;
    }
    t->generation = 1;
    if (t->pages) {
        memset(t->pages, 0, 2 * VEU_IOTLB_PAGES * sizeof(t->pages[0]));
    }
}

static void forget_page(VeuIotlb *t, uint64_t iova, bool is_write)
{
    VeuIotlbPage *page = place_of(t, iova, is_write);

    if (page->tag == (iova | t->generation)) {
        page->tag = 0;
    }
}

void veu_iotlb_forget(VeuIotlb *t, uint64_t iova, uint64_t mask)
{
    uint64_t last = mask / VEU_PAGE_BYTES;

    if (last >= MAX_FORGOTTEN) {
        veu_iotlb_forget_all(t);
        return;
    }
    iova &= ~(VEU_PAGE_BYTES - 1);
    for (uint64_t i = 0; t->pages && i <= last; i++) {
        forget_page(t, iova + i * VEU_PAGE_BYTES, false);
        forget_page(t, iova + i * VEU_PAGE_BYTES, true);
    }
}

void veu_iotlb_rate(VeuIotlb *t)
{
    t->is_cold = t->misses > VEU_IOTLB_COLD;
    t->misses = 0;
}

/*
 * Returns true if it reports everything that invalidations concern. In scalable
 * mode it does not report a process that moves to another domain.
 */
static bool tells_all(MemoryRegion *iommu)
{
    Object *unit = memory_region_owner(iommu);

    return VEU_VTD_TELLS_ALL &&
           object_dynamic_cast(OBJECT(iommu), VEU_TYPE_VTD_REGION) && unit &&
           !object_property_get_bool(unit, VEU_VTD_SCALABLE, NULL);
}

/*
 * Registers all addresses, not those of a section: QEMU asserts that events fit
 * in.
 */
static bool listen_to(VeuIotlb *t, MemoryRegion *iommu)
{
    int index;

    if (!tells_all(iommu)) {
        return false;
    }
    index = memory_region_iommu_attrs_to_index(IOMMU_MEMORY_REGION(iommu),
                                               MEMTXATTRS_UNSPECIFIED);
    iommu_notifier_init(&t->notifier, t->notifier.notify, IOMMU_NOTIFIER_UNMAP,
                        0, HWADDR_MAX, index);
    return !memory_region_register_iommu_notifier(iommu, &t->notifier, NULL);
}

void veu_iotlb_add(VeuIotlb *t, MemoryRegion *iommu)
{
    if (!t->iommu && listen_to(t, iommu)) {
        t->iommu = iommu;
    }
    t->sections += t->iommu == iommu;
}

void veu_iotlb_remove(VeuIotlb *t, MemoryRegion *iommu)
{
    if (t->iommu != iommu || --t->sections) {
        return;
    }
    memory_region_unregister_iommu_notifier(iommu, &t->notifier);
    t->iommu = NULL;
    g_free(t->pages);
    t->pages = NULL;
}

void veu_iotlb_init(VeuIotlb *t, IOMMUNotify unmapped)
{
    *t = (VeuIotlb){ .generation = 1, .notifier.notify = unmapped };
}

void veu_iotlb_cleanup(VeuIotlb *t)
{
    g_free(t->pages);
    t->pages = NULL;
}
