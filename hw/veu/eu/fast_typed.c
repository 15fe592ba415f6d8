/*
 * veu execution unit: the fast ways of GATHER4_TYPED, SCATTER4_TYPED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For a surface that is in one extent; a write is of whole texels. Every loop
 * over lanes knows their number, so that it becomes vector instructions.
 */
#include <string.h>
#include "hw/veu/eu/fast.h"
#include "hw/veu/eu/format_pack.h"
#include "hw/veu/eu/format_unpack.h"
#include "hw/veu/eu/guest_copy.h"
#include "hw/veu/eu/surface_lanes.h"

static const uint32_t zeroes[VEU_TYPED_LANES];

/* The texels that a message accesses. */
typedef struct Texels {
    const VeuSurface *surface;
    const VeuExtent *extent;
    uint8_t *host;                    /* of the surface's base */
    uint32_t live;                    /* lanes that run and are in bounds */
    uint32_t offset[VEU_TYPED_LANES]; /* from the base; not in bounds: 0 */
} Texels;

static inline const VeuWord *operand(const VeuThread *t, const VeuRaw *raw)
{
    return raw->null ? zeroes :
                       (const VeuWord *)(t->registers + raw->register_byte);
}

/* First lane of a channel's data in the registers. */
static inline VeuWord *channel_data(const VeuThread *t, const VeuMessage *m,
                                    unsigned channel)
{
    return (VeuWord *)(t->registers + m->data.register_byte) +
           m->first_lane[channel];
}

static inline const VeuSurface *find_surface(const VeuThread *t,
                                             const VeuMessage *m)
{
    unsigned index = m->surface - VEU_FIRST_SURFACE;

    if (index >= t->surfaces->count || t->config->strict_types) {
        return NULL;
    }
    return &t->surfaces->surface[index];
}

/* False: give up. */
VEU_CLONED bool open_texels(const VeuThread *t, const VeuMessage *m,
                            enum veu_access access, unsigned lanes,
                            Texels *texels)
{
    VeuLaneCoordinates at = { operand(t, &m->address), operand(t, &m->v),
                              operand(t, &m->r), operand(t, &m->lod) };
    const VeuSurface *s = find_surface(t, m);

    if (!s || !s->is_narrow) {
        return false;
    }
    texels->surface = s;
    texels->extent = veu_mem_find(t->mem, s->base, s->bytes, access);
    if (!texels->extent) {
        return false;
    }
    texels->host = texels->extent->host + (s->base - texels->extent->iova);
    texels->live = t->active & veu_place_lanes(s, &at, lanes, texels->offset);
    return true;
}

/* --- Writes --------------------------------------------------------------- */

/* Where each lane is stored to; those that are not live go to the sink. */
typedef struct Targets {
    uint64_t at[VEU_TYPED_LANES];
    uint64_t noted[VEU_TYPED_LANES]; /* a byte that is not 0 */
    uint64_t sink[2];
} Targets;

VEU_CLONED void find_targets(const Texels *texels, unsigned lanes,
                             Targets *restrict to)
{
    static const uint8_t is_noted = 1;
    uint64_t noted = texels->extent->noted;
    uint64_t known = (uintptr_t)&is_noted;
    uint64_t host = (uintptr_t)texels->host;
    uint64_t sink = (uintptr_t)to->sink;
    uint32_t watched = noted ? texels->live : 0;

    for (unsigned i = 0; i < lanes; i++) {
        uint64_t at = host + texels->offset[i];
        uint64_t page = noted + (at >> VEU_PAGE_BITS);

        to->at[i] = texels->live & (1u << i) ? at : sink;
        to->noted[i] = watched & (1u << i) ? page : known;
    }
}

VEU_CLONED void note_targets(VeuThread *t, const Texels *texels, unsigned lanes,
                             const Targets *to)
{
    uint8_t all = 1;

    VEU_UNROLL
    for (unsigned i = 0; i < lanes; i++) {
        all &= *(const uint8_t *)(uintptr_t)to->noted[i];
    }
    if (!all) {
        VEU_FOR_EACH_LANE(lane, texels->live) {
            veu_mem_note(t->mem, texels->extent, (uint8_t *)to->at[lane], 1);
        }
    }
}

VEU_CLONED void pack_texels(const VeuThread *t, const VeuMessage *m,
                            const VeuSurface *s, unsigned lanes,
                            VeuTexels *texel)
{
    const VeuPackSource from = { channel_data(t, m, 0), m->first_lane };
    const VeuChannel *c = s->format->channels;

    for (const VeuChannelRun *run = s->runs; run->count;
         c += run->count, run++) {
        uint32_t *dwords = texel->dword[c->bit / 32];
        uint32_t codes[VEU_TYPED_LANES];

        veu_pack_lanes(c, run->count, from, lanes,
                       run->is_first ? dwords : codes);
        for (unsigned i = 0; !run->is_first && i < lanes; i++) {
            dwords[i] |= codes[i];
        }
    }
}

#define QWORD(texel, n) \
    ((uint64_t)texel->dword[2 * n + 1][i] << 32 | texel->dword[2 * n][i])

/* In the order of the lanes: the highest one wins. */
#define STORE_LANES(type, n, value)                                 \
    VEU_UNROLL                                                      \
    for (unsigned i = 0; i < lanes; i++) {                          \
        __atomic_store_n((type *)(uintptr_t)to->at[i] + n, (value), \
                         __ATOMIC_RELAXED);                         \
    }

VEU_CLONED void store_texels(const VeuTexels *texel, unsigned bytes,
                             unsigned lanes, const Targets *to)
{
    switch (bytes) {
    case 1:
        STORE_LANES(uint8_t, 0, texel->dword[0][i]);
        break;
    case 2:
        STORE_LANES(uint16_t, 0, texel->dword[0][i]);
        break;
    case 4:
        STORE_LANES(uint32_t, 0, texel->dword[0][i]);
        break;
    case 8:
        STORE_LANES(uint64_t, 0, QWORD(texel, 0));
        break;
    default:
        STORE_LANES(uint64_t, 0, QWORD(texel, 0));
        STORE_LANES(uint64_t, 1, QWORD(texel, 1));
        break;
    }
}

VEU_CLONED bool write_texels(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    Texels texels;
    Targets to;
    VeuTexels texel;
    unsigned bytes;

    if (!open_texels(t, m, VEU_ACCESS_WRITE, lanes, &texels) ||
        texels.surface->whole & ~m->channels) {
        return false;
    }
    bytes = texels.surface->format->bytes;
    find_targets(&texels, lanes, &to);
    note_targets(t, &texels, lanes, &to);
    pack_texels(t, m, texels.surface, lanes, &texel);
    store_texels(&texel, bytes, lanes, &to);
    t->moved_bytes = __builtin_popcount(texels.live) * bytes;
    return true;
}

/* --- Reads ---------------------------------------------------------------- */

#define LOAD(type, n)                                                     \
    __atomic_load_n((const type *)(texels->host + texels->offset[i]) + n, \
                    __ATOMIC_RELAXED)
#define LOAD_LANES(type)                    \
    for (unsigned i = 0; i < lanes; i++) {  \
        texel->dword[0][i] = LOAD(type, 0); \
    }
#define LOAD_QWORDS(n)                            \
    for (unsigned i = 0; i < lanes; i++) {        \
        uint64_t qword = LOAD(uint64_t, n);       \
                                                  \
        texel->dword[2 * n][i] = qword;           \
        texel->dword[2 * n + 1][i] = qword >> 32; \
    }

/* Lanes that are not live load, too: a texel that is in the surface. */
VEU_CLONED void load_texels(const Texels *texels, unsigned lanes,
                            VeuTexels *texel)
{
    switch (texels->surface->format->bytes) {
    case 1:
        LOAD_LANES(uint8_t);
        break;
    case 2:
        LOAD_LANES(uint16_t);
        break;
    case 4:
        LOAD_LANES(uint32_t);
        break;
    case 8:
        LOAD_QWORDS(0);
        break;
    default:
        LOAD_QWORDS(0);
        LOAD_QWORDS(1);
        break;
    }
}

/* Lanes that are out of bounds read the default, those that do not run keep. */
VEU_CLONED void choose_values(const VeuThread *t, const Texels *texels,
                              uint32_t outside, const uint32_t *values,
                              unsigned lanes, VeuWord *restrict to)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t value = texels->live & (1u << i) ? values[i] : outside;

        to[i] = t->active & (1u << i) ? value : to[i];
    }
}

/* A channel that the format has. */
VEU_CLONED void read_channel(const VeuThread *t, const VeuMessage *m,
                             const Texels *texels, const VeuTexels *texel,
                             const VeuChannel *c, unsigned lanes)
{
    bool all = texels->live == UINT32_MAX >> (32 - lanes);
    VeuWord *to = channel_data(t, m, c->name);
    uint32_t values[VEU_TYPED_LANES];

    veu_unpack_lanes(c, texel->dword[c->bit / 32], lanes, all ? to : values);
    if (!all) {
        choose_values(t, texels, veu_surface_default(texels->surface, c->name),
                      values, lanes, to);
    }
}

/* The channels of @names, which the format lacks. */
VEU_CLONED void read_defaults(const VeuThread *t, const VeuMessage *m,
                              const VeuSurface *s, unsigned names,
                              unsigned lanes)
{
    VEU_FOR_EACH_LANE(name, names) {
        VeuWord *to = channel_data(t, m, name);
        uint32_t value = veu_surface_default(s, name);

        for (unsigned i = 0; i < lanes; i++) {
            to[i] = t->active & (1u << i) ? value : to[i];
        }
    }
}

static inline unsigned moved_bytes(const VeuSurface *s, unsigned channels)
{
    return s->whole & ~channels ? veu_format_moved_bytes(s->format, channels) :
                                  s->format->bytes;
}

/* All texels are loaded before a register is written. */
VEU_CLONED bool read_texels(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    Texels texels;
    VeuTexels texel;

    if (!open_texels(t, m, VEU_ACCESS_READ, lanes, &texels)) {
        return false;
    }
    load_texels(&texels, lanes, &texel);
    VEU_FOR_EACH_CHANNEL(c, texels.surface->format) {
        if (m->channels & (1u << c->name)) {
            read_channel(t, m, &texels, &texel, c, lanes);
        }
    }
    read_defaults(t, m, texels.surface, m->channels & ~texels.surface->channels,
                  lanes);
    t->moved_bytes = __builtin_popcount(texels.live) *
                     moved_bytes(texels.surface, m->channels);
    return true;
}

#define BY_LANES(name, body, lanes)                         \
    VEU_CLONED bool name(VeuThread *t, const VeuMessage *m) \
    {                                                       \
        return body(t, m, lanes);                           \
    }                                                       \
    VEU_CPU_CLONES(bool, name, (VeuThread * t, const VeuMessage *m), (t, m))
BY_LANES(write_8, write_texels, 8);
BY_LANES(write_16, write_texels, 16);
BY_LANES(read_8, read_texels, 8);
BY_LANES(read_16, read_texels, 16);

VeuFast *veu_fast_gather4_typed(const VeuMessage *m)
{
    return m->data.null  ? NULL :
           m->lanes == 8 ? read_8_clones[veu_cpu] :
                           read_16_clones[veu_cpu];
}

VeuFast *veu_fast_scatter4_typed(const VeuMessage *m)
{
    return m->data.null  ? NULL :
           m->lanes == 8 ? write_8_clones[veu_cpu] :
                           write_16_clones[veu_cpu];
}
