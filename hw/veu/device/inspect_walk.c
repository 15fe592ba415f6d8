/*
 * veu device model: the translation of an address in a context, for users.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.4. Nothing is stored: no bits of entries, and no
 * cached translations.
 */
#include "hw/veu/eu/array.h"
#include "hw/veu/device/host/inspect.h"
#include "hw/veu/device/model.h"
#include "hw/veu/device/page_walk.h"
#include "hw/veu/device/tlb.h"

const char *veu_walk_name(enum veu_walk reason)
{
    static const char *const names[] = {
        [VEU_WALK_NONE] = "NONE",
        [VEU_WALK_NOT_CANONICAL] = "NOT_CANONICAL",
        [VEU_WALK_NOT_VALID] = "NOT_VALID",
        [VEU_WALK_NO_READ] = "NO_READ",
        [VEU_WALK_NO_WRITE] = "NO_WRITE",
        [VEU_WALK_RESERVED] = "RESERVED",
        [VEU_WALK_TABLE_MEMORY] = "TABLE_MEMORY",
        [VEU_WALK_PAGE_MEMORY] = "PAGE_MEMORY",
    };

    return (unsigned)reason < VEU_ARRAY_SIZE(names) ? names[reason] : NULL;
}

/*
 * "read", say: the accesses that a page permits, or that a cached entry
 * permits.
 */
static const char *permissions_name(uint64_t permissions)
{
    static const char *const names[] = { "none", "read", "write",
                                         "read, write" };

    return names[permissions / VEU_PAGE_READ % 4];
}

static void inspect_page(const char *name, const VeuPage *page,
                         uint64_t address, VeuInspector *v)
{
    v->open(v, name);
    v->bits(v, "dma_address", page->iova + (address - page->address));
    v->number(v, "page_bytes", page->bytes);
    v->text(v, "permissions", permissions_name(page->permissions));
    v->close(v);
}

/* A page that cannot be read was nevertheless found. */
static void inspect_tables(VeuHost *host, uint64_t root, uint64_t address,
                           VeuInspector *v)
{
    VeuPage page = { 0 };
    uint32_t detail = veu_page_walk(host, root, address, VEU_ACCESS_READ,
                                    &page);

    if (page.bytes) {
        inspect_page("page", &page, address, v);
        v->bits(v, "entry", page.entry);
        v->bits(v, "entry_address", page.entry_at);
        v->number(v, "level", page.level);
    } else {
        v->text(v, "reason", veu_walk_name(VEU_WALK_REASON(detail)));
        v->number(v, "level", VEU_WALK_LEVEL(detail));
    }
}

/*
 * The translation that the device still uses, which may be older than the
 * tables.
 */
static void inspect_kept(const VeuTlb *tlb, uint64_t address, VeuInspector *v)
{
    VeuPage page;

    if (veu_tlb_find(tlb, address, VEU_ACCESS_READ, &page) ||
        veu_tlb_find(tlb, address, VEU_ACCESS_WRITE, &page)) {
        inspect_page("kept", &page, address, v);
    }
}

/*
 * The accesses that messages may make to the page's memory without a
 * translation. This may remain cached after the translation was replaced.
 */
static void inspect_host_page(VeuDevice *d, uint32_t context, uint64_t address,
                              VeuInspector *v)
{
    const VeuTlb *tlb = &d->tlbs[context];
    uint64_t word = veu_host_page_find(&tlb->host_pages, address, 1, 0);

    if (tlb->memory_version == d->host->memory_version &&
        word & (VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE)) {
        v->text(v, "host_page",
                permissions_name(word / VEU_HOST_PAGE_READ * VEU_PAGE_READ));
    }
}

bool veu_inspect_walk(VeuDevice *d, uint32_t context, uint64_t address,
                      VeuInspector *v)
{
    const uint64_t *regs;
    uint64_t root;

    if (context >= d->config.rings) {
        return false;
    }
    regs = d->context_reg[context];
    if (veu_register_get(regs, VEU_ROW_CONTEXT_TYPE) != VEU_CONTEXT_TABLES) {
        return false;
    }
    root = veu_register_get(regs, VEU_ROW_CONTEXT_ROOT);
    v->number(v, "context", context);
    v->bits(v, "address", address);
    v->bits(v, "root", root);
    inspect_tables(d->host, root, address, v);
    inspect_kept(&d->tlbs[context], address, v);
    inspect_host_page(d, context, address, v);
    return true;
}
