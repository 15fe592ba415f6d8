/*
 * veu device model: contexts with page tables: from virtual addresses to
 * memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.4. A translation has two halves: from the virtual to
 * the DMA address, by the context's TLB and tables, and from there to host
 * memory, by the host. The gate remembers refusals (veu_mem_miss()), so that a
 * fault record can give the reason.
 */
#include <sys/param.h>
#include "hw/veu/device/context.h"
#include "hw/veu/device/context_tables.h"
#include "hw/veu/device/host/registers.h"

/*
 * A ring that is bound to an older root, or sets bits of pages where other
 * rings do not, must not use translations of the newer binding, nor cache its
 * own.
 */
static VeuTlb *own_tlb(const VeuContext *context)
{
    VeuTlb *tlb = &context->tlbs[context->number];
    bool is_own = tlb->root == context->root && tlb->marks == context->marks;

    return is_own ? tlb : NULL;
}

/* Returns true for what a driver can repair by storing entries. */
static bool can_ask(uint32_t detail)
{
    enum veu_walk reason = VEU_WALK_REASON(detail);

    return reason == VEU_WALK_NOT_VALID || reason == VEU_WALK_NO_READ ||
           reason == VEU_WALK_NO_WRITE;
}

/*
 * A probe only asks whether a page is present. It sets no bits, and its result
 * is not cached, because an access that found it would set none either.
 */
static bool only_looks(const VeuContext *context, const VeuMem *mem)
{
    return context->marks && mem->probes;
}

static uint32_t walk(const VeuContext *context, VeuHost *host,
                     const VeuMem *mem, uint64_t iova, enum veu_access access,
                     VeuPage *page)
{
    return context->marks && !mem->probes ?
               veu_page_access(host, context->root, iova, access, page) :
               veu_page_walk(host, context->root, iova, access, page);
}

static bool find_kept(const VeuContext *context, uint64_t iova,
                      enum veu_access access, VeuPage *page)
{
    const VeuTlb *tlb = own_tlb(context);

    return tlb && veu_tlb_find(tlb, iova, access, page);
}

/*
 * Before an access is refused, the tables are walked again: the cached entry
 * may be older.
 */
static bool find_page(const VeuContext *context, VeuHost *host, VeuMem *mem,
                      uint64_t iova, enum veu_access access, VeuPage *page)
{
    VeuTlb *tlb = own_tlb(context);
    uint32_t detail;

    if (find_kept(context, iova, access, page)) {
        return true;
    }
    detail = walk(context, host, mem, iova, access, page);
    if (detail) {
        veu_mem_miss(mem, iova, access, detail, can_ask(detail));
        return false;
    }
    if (tlb && !only_looks(context, mem)) {
        veu_tlb_keep(tlb, iova, page);
    }
    return true;
}

static void miss_memory(VeuMem *mem, uint64_t iova, enum veu_access access)
{
    veu_mem_miss(mem, iova, access, veu_walk_detail(VEU_WALK_PAGE_MEMORY, 0),
                 false);
}

uint8_t *veu_tables_map(const VeuContext *context, VeuHost *host, VeuMem *mem,
                        uint64_t iova, uint32_t *bytes, enum veu_access access)
{
    uint64_t offset;
    uint8_t *at;
    VeuPage page;

    if (!find_page(context, host, mem, iova, access, &page)) {
        return NULL;
    }
    offset = iova - page.address;
    *bytes = *bytes < page.bytes - offset ? *bytes : page.bytes - offset;
    at = host->map(host, page.iova + offset, bytes, access);
    if (!at) {
        miss_memory(mem, iova, access);
    }
    return at;
}

/* The part of an extent of DMA addresses that lies in @page. */
static void clip_extent(const VeuPage *page, VeuExtent *extent)
{
    uint64_t skip = extent->iova < page->iova ? page->iova - extent->iova : 0;
    uint64_t offset = extent->iova + skip - page->iova;
    uint64_t left = page->bytes - offset;

    extent->iova = page->address + offset;
    extent->host += skip;
    extent->bytes -= skip;
    extent->bytes = MIN(extent->bytes, left);
    extent->write_only |= !(page->permissions & VEU_PAGE_READ);
    extent->page_bits = __builtin_ctzll(page->bytes);
}

/* An extent without an access is found only if its bits are set already. */
bool veu_tables_open(const VeuContext *context, VeuHost *host, VeuMem *mem,
                     uint64_t iova, enum veu_access access, VeuExtent *extent)
{
    VeuPage page;

    if ((only_looks(context, mem) &&
         !find_kept(context, iova, access, &page)) ||
        !find_page(context, host, mem, iova, access, &page)) {
        return false;
    }
    if (!host->open(host, page.iova + (iova - page.address), access, extent)) {
        miss_memory(mem, iova, access);
        return false;
    }
    if (access == VEU_ACCESS_WRITE) {
        veu_mem_set_written(mem, extent);
    }
    clip_extent(&page, extent);
    return true;
}

void veu_tables_begin(VeuContext *context)
{
    VeuTlb *tlb = own_tlb(context);

    context->mem.host_pages = tlb ? veu_tlb_host_pages(tlb, context->host) :
                                    NULL;
}

bool veu_context_queue_is_legal(const uint64_t *regs)
{
    uint64_t at = veu_register_get(regs, VEU_ROW_CONTEXT_QUEUE);
    uint64_t records = veu_register_get(regs, VEU_ROW_CONTEXT_QUEUE_RECORDS);

    return records >= VEU_QUEUE_MIN_RECORDS &&
           records <= VEU_LIMIT_REQUEST_RECORDS && !(records & (records - 1)) &&
           at + sizeof(struct veu_request_queue) +
                   records * sizeof(struct veu_request) >
               at;
}
