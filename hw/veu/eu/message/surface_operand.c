/*
 * veu execution unit: the surface that a message names, and its memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/surface/surface.h"

#define SURFACE_STATELESS 5

static bool bad_surface(VeuThread *t, uint16_t code)
{
    return veu_fault_form(&t->fault, code, 0);
}

/* @surface: VEU_TAKES_* of the named surface; 0: no message takes it. */
static bool takes(VeuThread *t, const VeuMessage *m, uint32_t surface)
{
    return (m->info->surfaces & surface) ||
           bad_surface(t, VEU_FAULT_SURFACE_KIND);
}

/* A surface of the dispatch's table. Returns NULL with a fault. */
static const VeuSurface *table_surface(VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s = veu_table_surface(t, m);

    if (!s) {
        bad_surface(t, m->surface < VEU_FIRST_SURFACE ?
                           VEU_FAULT_SURFACE_NOT_MODELLED :
                           VEU_FAULT_SURFACE_INDEX);
    }
    return s;
}

/* A window of SLM, limited to the group's SLM. */
static void slm_range(const VeuThread *t, uint64_t base, uint64_t bytes,
                      VeuRange *range)
{
    uint64_t left = base < t->slm_bytes ? t->slm_bytes - base : 0;

    range->base = base;
    range->bytes = MIN(bytes, left);
    range->slm = left ? t->slm + base : t->slm;
}

bool veu_surface_range(VeuThread *t, const VeuMessage *m, VeuRange *range)
{
    const VeuSurface *s;

    *range = (VeuRange){ 0 };
    if (m->surface == VEU_SLM_SURFACE) {
        slm_range(t, 0, t->slm_bytes, range);
        return takes(t, m, VEU_TAKES_SLM);
    }
    if (m->surface == SURFACE_STATELESS) {
        range->base = t->stateless_base;
        range->bytes = t->stateless_bytes;
        return takes(t, m, VEU_TAKES_STATELESS);
    }
    s = table_surface(t, m);
    if (!s ||
        !takes(t, m, s->type == VEU_SURFACE_BUFFER ? VEU_TAKES_BUFFER : 0)) {
        return false;
    }
    if (s->slm) {
        slm_range(t, s->base, s->bytes, range);
    } else {
        range->base = s->base;
        range->bytes = s->bytes;
    }
    return true;
}

/* A descriptor in SLM is not typed memory; RAW has no channels. */
static bool has_texels(const VeuSurface *s)
{
    return s->type != VEU_SURFACE_NULL && !s->slm &&
           s->format->channels[0].bits != 0;
}

const VeuSurface *veu_surface_typed(VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s;

    if (m->surface == VEU_SLM_SURFACE || m->surface == SURFACE_STATELESS) {
        bad_surface(t, VEU_FAULT_SURFACE_KIND);
        return NULL;
    }
    s = table_surface(t, m);
    if (!s || !takes(t, m, has_texels(s) ? 1u << s->type : 0) ||
        (veu_format_is_srgb(s->format) && !takes(t, m, VEU_TAKES_SRGB))) {
        return NULL;
    }
    return s;
}

bool veu_surface_ignores(const VeuSurface *s, const VeuMessage *m)
{
    const VeuShape *shape = s->shape;

    return (!m->v.null && !shape->v_row && !shape->v_slice) ||
           (!m->r.null && !shape->r_slice) || (!m->lod.null && !shape->lod);
}
