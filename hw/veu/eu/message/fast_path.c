/*
 * veu execution unit: views of buffers for fast paths.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/fast_path.h"

static const VeuExtent *find_extent(VeuThread *t, const VeuMessage *m,
                                    const VeuRange *range,
                                    enum veu_access access)
{
    const VeuExtent *e = veu_mem_known_extent(t->mem, veu_surface_index(m),
                                              range->base, range->bytes,
                                              access);

    return e ? e :
               veu_mem_find_buffer(t->mem, range->base, range->bytes, access);
}

bool veu_view_find_uncached(VeuThread *t, const VeuMessage *m,
                            enum veu_access access, VeuView *view)
{
    const VeuExtent *e = NULL;
    VeuRange range;
    uint64_t global;

    if (!veu_surface_range(t, m, &range) ||
        !veu_fast_scalar(t, &m->global_offset, &global) ||
        (range.slm && t->slm_wraps)) {
        return false;
    }
    *view = (VeuView){
        .host = range.slm,
        .base = range.base,
        .bytes = range.bytes,
        .global = global,
    };
    if (!range.slm && !veu_is_apart(t, range.base, range.bytes)) {
        e = find_extent(t, m, &range, access);
    }
    if (e) {
        view->extent = e;
        view->host = veu_extent_at(e, range.base);
        view->spare_bytes = e->bytes - (range.base - e->iova) - range.bytes;
        if (veu_table_surface(t, m) &&
            !veu_mem_kept_buffer(t->mem, veu_surface_index(m), range.base,
                                 range.bytes, access)) {
            veu_mem_keep_buffer(t->mem, veu_surface_index(m), range.base,
                                range.bytes, e, access);
        }
    }
    return true;
}
