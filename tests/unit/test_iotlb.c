/*
 * veu unit tests: cached translations of a vIOMMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The test plays the part of the vIOMMU for hw/veu/qemu/iotlb.c.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/iotlb.c"

#define PAGE   VEU_PAGE_BYTES
#define IOVA   UINT64_C(0x123456000)
#define HOST   ((uint8_t *)0x7f0000000000)
/* the distance of pages that share a place */
#define PLACES (VEU_IOTLB_PAGES * PAGE)

/* ---- the vIOMMU ---- */

struct MemoryRegion {
    bool is_vtd, is_scalable, refuses;
    unsigned listeners;
    IOMMUNotifier *notifier;
};

static MemoryRegion vtd, ram;

Object *memory_region_owner(MemoryRegion *mr)
{
    return (Object *)mr;
}

bool object_dynamic_cast(Object *object, const char *name)
{
    return ((MemoryRegion *)object)->is_vtd &&
           g_str_equal(name, VEU_TYPE_VTD_REGION);
}

bool object_property_get_bool(Object *object, const char *name, void *error)
{
    g_assert_cmpstr(name, ==, VEU_VTD_SCALABLE);
    return ((MemoryRegion *)object)->is_scalable;
}

int memory_region_iommu_attrs_to_index(MemoryRegion *mr, int attrs)
{
    return 0;
}

/* QEMU asserts that events lie within the requested range. */
void iommu_notifier_init(IOMMUNotifier *notifier, IOMMUNotify notify, int flags,
                         hwaddr first, hwaddr last, int index)
{
    g_assert_cmphex(first, ==, 0);
    g_assert_cmphex(last, ==, UINT64_MAX);
    g_assert_cmpint(flags, ==, IOMMU_NOTIFIER_UNMAP);
    notifier->notify = notify;
}

int memory_region_register_iommu_notifier(MemoryRegion *mr,
                                          IOMMUNotifier *notifier, void *error)
{
    if (mr->refuses) {
        return -1;
    }
    mr->listeners++;
    mr->notifier = notifier;
    return 0;
}

void memory_region_unregister_iommu_notifier(MemoryRegion *mr,
                                             IOMMUNotifier *notifier)
{
    g_assert_true(mr->notifier == notifier);
    mr->listeners--;
}

static void unmapped(IOMMUNotifier *notifier, IOMMUTLBEntry *range)
{
}

/* ---- pages ---- */

static VeuIotlb *new_iotlb(void)
{
    VeuIotlb *t = g_new(VeuIotlb, 1);

    vtd = (MemoryRegion){ .is_vtd = true };
    veu_iotlb_init(t, unmapped);
    veu_iotlb_add(t, &vtd);
    return t;
}

static void free_iotlb(VeuIotlb *t)
{
    veu_iotlb_cleanup(t);
    g_free(t);
}

static void keep(VeuIotlb *t, uint64_t iova, unsigned pages, bool is_write)
{
    veu_iotlb_keep(t, iova, pages * PAGE, is_write, HOST, &ram);
}

static bool has(const VeuIotlb *t, uint64_t iova, bool is_write)
{
    return veu_iotlb_find(t, iova, is_write);
}

static void test_a_page_is_found_for_the_access_it_was_kept_for(void)
{
    VeuIotlb *t = new_iotlb();

    for (unsigned is_write = 0; is_write < 2; is_write++) {
        const VeuIotlbPage *page;

        veu_iotlb_forget_all(t);
        veu_iotlb_keep(t, IOVA, 2 * PAGE + 100, is_write, HOST, &ram);
        page = veu_iotlb_find(t, IOVA + PAGE, is_write);
        g_assert_nonnull(page);
        g_assert_true(page->host == HOST + PAGE && page->mr == &ram);
        g_assert_true(veu_iotlb_find(t, IOVA, is_write)->host == HOST);
        g_assert_false(has(t, IOVA, !is_write));
        g_assert_false(has(t, IOVA + 2 * PAGE, is_write)); /* not whole */
        g_assert_false(has(t, IOVA - PAGE, is_write));
        g_assert_false(has(t, IOVA + PLACES, is_write));
    }
    free_iotlb(t);
}

static void test_less_than_a_page_is_not_kept(void)
{
    VeuIotlb *t = new_iotlb();

    g_assert_false(has(t, IOVA, false));
    veu_iotlb_keep(t, IOVA, PAGE - 1, false, HOST, &ram);
    g_assert_false(has(t, IOVA, false));
    free_iotlb(t);
}

static void test_a_page_takes_the_place_of_its_rival(void)
{
    VeuIotlb *t = new_iotlb();

    keep(t, IOVA, 1, false);
    keep(t, IOVA + PLACES, 1, false);
    g_assert_false(has(t, IOVA, false));
    g_assert_true(has(t, IOVA + PLACES, false));
    veu_iotlb_forget(t, IOVA, PAGE - 1); /* not the page that is cached */
    g_assert_true(has(t, IOVA + PLACES, false));
    free_iotlb(t);
}

/* The last places for reads, and the first ones for writes. */
static void test_all_places_are_of_their_own(void)
{
    VeuIotlb *t = new_iotlb();

    keep(t, 0, VEU_IOTLB_PAGES, false);
    keep(t, 0, VEU_IOTLB_PAGES, true);
    for (unsigned i = 0; i < VEU_IOTLB_PAGES; i++) {
        g_assert_true(veu_iotlb_find(t, i * PAGE, false)->host ==
                      HOST + i * PAGE);
        g_assert_true(has(t, i * PAGE, true));
    }
    free_iotlb(t);
}

/* Invalidates @pages from IOVA on, which is aligned to their number. */
static void check_forget(unsigned pages, uint64_t offset)
{
    VeuIotlb *t = new_iotlb();
    uint64_t start = UINT64_C(0x40000000);

    veu_iotlb_forget_all(t);
    keep(t, start - PAGE, pages + 2, false);
    keep(t, start - PAGE, pages + 2, true);
    veu_iotlb_forget(t, start + offset, pages * PAGE - 1);
    for (unsigned i = 0; i < pages; i++) {
        g_assert_false(has(t, start + i * PAGE, false));
        g_assert_false(has(t, start + i * PAGE, true));
    }
    for (unsigned is_write = 0; is_write < 2; is_write++) {
        g_assert_true(has(t, start - PAGE, is_write));
        g_assert_true(has(t, start + pages * PAGE, is_write));
    }
    free_iotlb(t);
}

static void test_what_is_taken_back_is_not_found(void)
{
    check_forget(1, 0);
    check_forget(1, PAGE - 1);
    check_forget(2, 0);
    check_forget(512, 0);
}

/* Its tag consists of the generation alone. */
static void test_the_first_page_is_taken_back(void)
{
    VeuIotlb *t = new_iotlb();

    for (unsigned is_write = 0; is_write < 2; is_write++) {
        keep(t, 0, 1, is_write);
        g_assert_true(has(t, 0, is_write));
        veu_iotlb_forget(t, 0, PAGE - 1);
        g_assert_false(has(t, 0, is_write));
    }
    free_iotlb(t);
}

/* They may be invalidated even before there are pages. */
static void test_large_ranges_are_taken_back(void)
{
    static const uint64_t masks[] = { 1024 * PAGE - 1, UINT64_MAX };

    for (unsigned i = 0; i < G_N_ELEMENTS(masks); i++) {
        VeuIotlb *t = new_iotlb();

        veu_iotlb_forget(t, 0, masks[i]);
        veu_iotlb_forget(t, 0, PAGE - 1);
        keep(t, 0, 1024, false);
        keep(t, 0, 1024, true);
        veu_iotlb_forget(t, 0, masks[i]);
        for (unsigned page = 0; page < 1024; page++) {
            g_assert_false(has(t, page * PAGE, false));
            g_assert_false(has(t, page * PAGE, true));
        }
        free_iotlb(t);
    }
}

/*
 * Tags have 12 bits for the generation: old entries must not become valid
 * again.
 */
static void test_what_is_forgotten_is_never_found(void)
{
    VeuIotlb *t = new_iotlb();

    veu_iotlb_forget_all(t);
    keep(t, IOVA, 1, false);
    keep(t, 0, 1, true);
    for (unsigned i = 0; i < 2 * PAGE + 2; i++) {
        veu_iotlb_forget_all(t);
        g_assert_false(has(t, IOVA, false));
        g_assert_false(has(t, 0, true));
        g_assert_false(has(t, 0, false));
    }
    keep(t, IOVA, 1, false);
    g_assert_true(has(t, IOVA, false));
    free_iotlb(t);
}

/* ---- observed devices ---- */

static void check_not_kept(MemoryRegion region)
{
    VeuIotlb *t = g_new(VeuIotlb, 1);

    veu_iotlb_init(t, unmapped);
    veu_iotlb_add(t, &region);
    g_assert_null(t->iommu);
    g_assert_cmpuint(t->sections, ==, 0);
    g_assert_cmpuint(region.listeners, ==, 0);
    keep(t, IOVA, 1, false);
    g_assert_false(has(t, IOVA, false));
    veu_iotlb_remove(t, &region);
    free_iotlb(t);
}

static void test_only_who_reports_everything_is_relied_on(void)
{
    check_not_kept((MemoryRegion){ .is_vtd = false });
    check_not_kept((MemoryRegion){ .is_vtd = true, .is_scalable = true });
    check_not_kept((MemoryRegion){ .is_vtd = true, .refuses = true });
}

static void test_sections_of_one_unit_are_counted(void)
{
    VeuIotlb *t = new_iotlb();
    MemoryRegion other = { .is_vtd = true };

    veu_iotlb_add(t, &vtd);
    veu_iotlb_add(t, &other);
    g_assert_true(t->iommu == &vtd && vtd.notifier->notify == unmapped);
    g_assert_cmpuint(t->sections, ==, 2);
    g_assert_cmpuint(vtd.listeners, ==, 1);
    g_assert_cmpuint(other.listeners, ==, 0);
    keep(t, IOVA, 1, false);
    veu_iotlb_remove(t, &other);
    veu_iotlb_remove(t, &vtd);
    g_assert_true(has(t, IOVA, false));
    veu_iotlb_remove(t, &vtd);
    g_assert_false(has(t, IOVA, false));
    g_assert_null(t->iommu);
    g_assert_cmpuint(vtd.listeners, ==, 0);
    veu_iotlb_add(t, &other);
    g_assert_true(t->iommu == &other);
    free_iotlb(t);
}

static void test_a_batch_with_five_misses_is_cold(void)
{
    VeuIotlb *t = new_iotlb();

    g_assert_false(t->is_cold);
    t->misses = 5;
    veu_iotlb_rate(t);
    g_assert_true(t->is_cold);
    g_assert_cmpuint(t->misses, ==, 0);
    t->misses = 4;
    veu_iotlb_rate(t);
    g_assert_false(t->is_cold);
    free_iotlb(t);
}

#define ADD(test) g_test_add_func("/iotlb/" #test, test_##test)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD(a_page_is_found_for_the_access_it_was_kept_for);
    ADD(less_than_a_page_is_not_kept);
    ADD(a_page_takes_the_place_of_its_rival);
    ADD(all_places_are_of_their_own);
    ADD(what_is_taken_back_is_not_found);
    ADD(the_first_page_is_taken_back);
    ADD(large_ranges_are_taken_back);
    ADD(what_is_forgotten_is_never_found);
    ADD(only_who_reports_everything_is_relied_on);
    ADD(sections_of_one_unit_are_counted);
    ADD(a_batch_with_five_misses_is_cold);
    return g_test_run();
}
