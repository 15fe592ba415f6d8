/*
 * veu execution unit: the fast paths of GATHER4_TYPED, SCATTER4_TYPED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They write whole texels only. The number of lanes is a constant in every loop
 * over them, so that it becomes vector instructions. Texels of a surface in
 * several pages are copied one by one.
 */
#include <string.h>
#include "hw/veu/eu/message/fast_texels.h"
#include "hw/veu/eu/message/fast_unorm8.h"
#include "hw/veu/eu/surface/format_pack.h"
#include "hw/veu/eu/surface/format_unpack.h"
#include "hw/veu/eu/memory/guest_copy.h"

/* --- Writes --------------------------------------------------------------- */

VEU_CLONED void pack_texels(const VeuThread *t, const VeuMessage *m,
                            const VeuSurface *s, unsigned lanes,
                            VeuTexels *texel)
{
    const VeuPackSource from = { veu_channel_data(t, m, 0), m->first_lane };
    const VeuChannel *c = s->format->channels;

    for (const VeuChannelRun *run = s->runs; run->count;
         c += run->count, run++) {
        uint32_t *dwords = texel->dword[c->bit / 32];
        VEU_ALIGNED_LANES uint32_t codes[VEU_TYPED_LANES];

        veu_pack_lanes(c, run->count, from, lanes,
                       run->is_first ? dwords : codes);
        for (unsigned i = 0; !run->is_first && i < lanes; i++) {
            dwords[i] |= codes[i];
        }
    }
}

/* --- Surfaces in several pages -------------------------------------------- */

/* The texels of all lanes, stored consecutively. */
typedef struct TexelBytes {
    _Alignas(16) uint8_t bytes[VEU_TYPED_LANES * 16];
} TexelBytes;

static bool find_texels_one_by_one(VeuThread *t, const VeuPlaced *texels,
                                   enum veu_access access,
                                   uint8_t *at[VEU_TYPED_LANES])
{
    VEU_FOR_EACH_LANE(lane, texels->live) {
        at[lane] = veu_mem_lane_at(t->mem,
                                   texels->surface->base + texels->offset[lane],
                                   texels->surface->format->bytes, access);
        if (!at[lane]) {
            return false;
        }
    }
    return true;
}

/* Finds the places of the live lanes. Returns false to give up. */
VEU_CLONED bool find_texels(VeuThread *t, const VeuPlaced *texels,
                            enum veu_access access, unsigned lanes,
                            uint8_t *at[VEU_TYPED_LANES])
{
    uint64_t needs = access == VEU_ACCESS_WRITE ? VEU_HOST_PAGE_WRITE :
                                                  VEU_HOST_PAGE_READ;

    return veu_find_texel_pages(t, texels, lanes, needs, at) ||
           find_texels_one_by_one(t, texels, access, at);
}

/* Makes @copy the place of the texels. */
static void use_copy(VeuPlaced *texels, unsigned lanes, TexelBytes *copy)
{
    texels->host = copy->bytes;
    for (unsigned lane = 0; lane < lanes; lane++) {
        texels->offset[lane] = lane << texels->surface->texel_log2;
    }
}

static void copy_texels(VeuPlaced *texels, unsigned lanes,
                        uint8_t *const at[VEU_TYPED_LANES], TexelBytes *copy)
{
    unsigned bytes = texels->surface->format->bytes;

    for (unsigned lane = 0; lane < lanes; lane++) {
        veu_guest_load(copy->bytes + lane * bytes, at[lane], bytes);
    }
    use_copy(texels, lanes, copy);
}

#define QWORD(texel, n) \
    ((uint64_t)texel->dword[2 * n + 1][i] << 32 | texel->dword[2 * n][i])
#define STORE(type, n, value)                                                 \
    __atomic_store_n((type *)(texels->host + texels->offset[i]) + n, (value), \
                     __ATOMIC_RELAXED)

/* Lanes are stored in order, so the highest one wins. */
#define STORE_LANES(store)                        \
    if (veu_texels_are_all_live(texels, lanes)) { \
        VEU_UNROLL                                \
        for (unsigned i = 0; i < lanes; i++) {    \
            store;                                \
        }                                         \
    } else {                                      \
        VEU_FOR_EACH_LANE(i, texels->live) {      \
            store;                                \
        }                                         \
    }

VEU_CLONED void store_texels(const VeuPlaced *texels, const VeuTexels *texel,
                             unsigned lanes)
{
    switch (texels->surface->format->bytes) {
    case 1:
        STORE_LANES(STORE(uint8_t, 0, texel->dword[0][i]));
        break;
    case 2:
        STORE_LANES(STORE(uint16_t, 0, texel->dword[0][i]));
        break;
    case 4:
        STORE_LANES(STORE(uint32_t, 0, texel->dword[0][i]));
        break;
    case 8:
        STORE_LANES(STORE(uint64_t, 0, QWORD(texel, 0)));
        break;
    default:
        STORE_LANES(STORE(uint64_t, 0, QWORD(texel, 0));
                    STORE(uint64_t, 1, QWORD(texel, 1)));
        break;
    }
}

/* Stores lanes @live, in order, so the highest one wins. */
VEU_CLONED void store_dwords(const uint32_t *dwords, uint32_t live,
                             unsigned lanes, uint8_t *const at[VEU_TYPED_LANES])
{
    if (live == UINT32_MAX >> (32 - lanes)) {
        VEU_UNROLL
        for (unsigned i = 0; i < lanes; i++) {
            __atomic_store_n((uint32_t *)at[i], dwords[i], __ATOMIC_RELAXED);
        }
    } else {
        VEU_FOR_EACH_LANE(i, live) {
            __atomic_store_n((uint32_t *)at[i], dwords[i], __ATOMIC_RELAXED);
        }
    }
}

/* Lanes are stored in order, so the highest one wins. */
static __attribute__((noinline)) void store_through_copy(
    const VeuPlaced *texels, const VeuTexels *texel, unsigned lanes,
    uint8_t *const at[VEU_TYPED_LANES])
{
    unsigned bytes = texels->surface->format->bytes;
    VeuPlaced in_copy = *texels;
    TexelBytes copy;

    use_copy(&in_copy, lanes, &copy);
    store_texels(&in_copy, texel, VEU_TYPED_LANES);
    VEU_FOR_EACH_LANE(lane, texels->live) {
        veu_guest_store(at[lane], copy.bytes + lane * bytes, bytes);
    }
}

/* Like store_texels(), for a surface in several pages. */
VEU_CLONED bool store_apart(VeuThread *t, const VeuPlaced *texels,
                            const VeuTexels *texel, unsigned lanes)
{
    uint8_t *at[VEU_TYPED_LANES];

    if (!find_texels(t, texels, VEU_ACCESS_WRITE, lanes, at)) {
        return false;
    }
    if (texels->surface->format->bytes == 4) {
        store_dwords(texel->dword[0], texels->live, lanes, at);
    } else {
        store_through_copy(texels, texel, lanes, at);
    }
    return true;
}

typedef void StoreTexels(const VeuPlaced *texels, const VeuTexels *texel,
                         unsigned lanes);

VEU_CLONED bool write_texels(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             StoreTexels *store, const VeuPlaced *texels)
{
    VeuTexels texel;

    if (texels->surface->whole & ~m->channels) {
        return false;
    }
    pack_texels(t, m, texels->surface, lanes, &texel);
    if (!texels->extent) {
        return store_apart(t, texels, &texel, lanes);
    }
    veu_texels_note(t, texels, lanes);
    store(texels, &texel, lanes);
    return true;
}

/* Executes a message whose surface is @texels, and those that follow it. */
VEU_CLONED bool write_surface(VeuThread *t, const VeuMessage *m, unsigned lanes,
                              VeuPlaced *texels, VeuPlaceTexels *place,
                              StoreTexels *store)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;

    do {
        veu_find_lanes(t, f.m, lanes, place, texels);
        if (!write_texels(t, f.m, lanes, store, texels)) {
            break;
        }
        moved_bytes += __builtin_popcount(texels->live)
                       << texels->surface->texel_log2;
    } while (veu_follow_next(&f) &&
             veu_follow_surface(t, f.m, VEU_ACCESS_WRITE, texels));
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

VEU_CLONED bool write_each(VeuThread *t, const VeuMessage *m, unsigned lanes,
                           VeuPlaceTexels *place, StoreTexels *store)
{
    VeuPlaced texels;

    return veu_open_surface(t, m, VEU_ACCESS_WRITE, &texels) &&
           write_surface(t, m, lanes, &texels, place, store);
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

/* Lanes that are not live also load: some texel of the surface. */
VEU_CLONED void load_texels(const VeuPlaced *texels, unsigned lanes,
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

static __attribute__((noinline)) void load_through_copy(
    const VeuPlaced *texels, unsigned lanes, uint8_t *const at[VEU_TYPED_LANES],
    VeuTexels *texel)
{
    VeuPlaced in_copy = *texels;
    TexelBytes copy;

    copy_texels(&in_copy, lanes, at, &copy);
    load_texels(&in_copy, lanes, texel);
}

/*
 * Like load_texels(), for a surface in several pages; texels of 4 bytes are
 * loaded unchanged. Returns false to give up.
 */
VEU_CLONED bool load_apart(VeuThread *t, const VeuPlaced *texels,
                           unsigned lanes, VeuTexels *texel)
{
    uint32_t idle = ~texels->live & UINT32_MAX >> (32 - lanes);
    uint8_t *at[VEU_TYPED_LANES];

    if (!find_texels(t, texels, VEU_ACCESS_READ, lanes, at)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, idle) {
        at[lane] = (uint8_t *)veu_zeroes; /* all lanes are loaded */
    }
    if (texels->surface->format->bytes != 4) {
        load_through_copy(texels, lanes, at, texel);
        return true;
    }
    VEU_UNROLL
    for (unsigned i = 0; i < lanes; i++) {
        texel->dword[0][i] = __atomic_load_n((const uint32_t *)at[i],
                                             __ATOMIC_RELAXED);
    }
    return true;
}

/*
 * Lanes that are not @live read the default; those that are not @active keep
 * their values.
 */
VEU_CLONED void choose_values(uint32_t active, uint32_t live, uint32_t outside,
                              const uint32_t *values, unsigned lanes,
                              VeuWord *restrict to)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t is_live = -(live >> i & 1);
        uint32_t is_active = -(active >> i & 1);
        uint32_t value = (values[i] & is_live) | (outside & ~is_live);

        to[i] = (value & is_active) | (to[i] & ~is_active);
    }
}

/* Unpacks the channels that the format has. */
VEU_CLONED void unpack_texels(const VeuPlaced *texels, const VeuTexels *texel,
                              unsigned lanes, const VeuUnpackTarget to)
{
    const VeuChannel *c = texels->surface->format->channels;

    for (const VeuChannelRun *run = texels->surface->runs; run->count; run++) {
        veu_unpack_lanes(c, run->count, texel->dword[c->bit / 32], lanes, to);
        c += run->count;
    }
}

/* Like unpack_texels(), if some lanes do not run or are out of bounds. */
VEU_CLONED void unpack_some_texels(const VeuThread *t, const VeuMessage *m,
                                   const VeuPlaced *texels,
                                   const VeuTexels *texel, unsigned lanes)
{
    static const uint8_t first_lane[4] = { 0, 16, 32, 48 };
    VEU_ALIGNED_LANES uint32_t values[4 * VEU_TYPED_LANES];
    unsigned channels = m->channels & texels->surface->channels;

    unpack_texels(texels, texel, lanes,
                  (VeuUnpackTarget){ values, first_lane, channels });
    VEU_FOR_EACH_LANE(name, channels) {
        choose_values(t->active, texels->live,
                      veu_surface_default(texels->surface, name),
                      values + first_lane[name], lanes,
                      veu_channel_data(t, m, name));
    }
}

/* Writes the channels that the format lacks. */
VEU_CLONED void read_defaults(const VeuThread *t, const VeuMessage *m,
                              const VeuSurface *s, unsigned lanes)
{
    VEU_FOR_EACH_LANE(name, m->channels & ~s->channels) {
        choose_values(t->active, 0, veu_surface_default(s, name), veu_zeroes,
                      lanes, veu_channel_data(t, m, name));
    }
}

static inline unsigned texel_bytes(const VeuSurface *s, unsigned channels)
{
    return s->whole & ~channels ? veu_format_moved_bytes(s->format, channels) :
                                  s->format->bytes;
}

typedef void LoadTexels(const VeuPlaced *texels, unsigned lanes,
                        VeuTexels *texel);

/* All texels are loaded before any register is written. */
VEU_CLONED bool read_texels(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            LoadTexels *load, const VeuPlaced *texels)
{
    VeuTexels texel;

    if (texels->extent) {
        load(texels, lanes, &texel);
    } else if (!load_apart(t, texels, lanes, &texel)) {
        return false;
    }
    if (veu_texels_are_all_live(texels, lanes)) {
        unpack_texels(texels, &texel, lanes,
                      (VeuUnpackTarget){ veu_channel_data(t, m, 0),
                                         m->first_lane, m->channels });
    } else {
        unpack_some_texels(t, m, texels, &texel, lanes);
    }
    read_defaults(t, m, texels->surface, lanes);
    return true;
}

/* Executes a message whose surface is @texels, and those that follow it. */
VEU_CLONED bool read_surface(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             VeuPlaced *texels, VeuPlaceTexels *place,
                             LoadTexels *load)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;

    do {
        veu_find_lanes(t, f.m, lanes, place, texels);
        if (!read_texels(t, f.m, lanes, load, texels)) {
            break;
        }
        moved_bytes += __builtin_popcount(texels->live) *
                       texel_bytes(texels->surface, f.m->channels);
    } while (veu_follow_next(&f) &&
             veu_follow_surface(t, f.m, VEU_ACCESS_READ, texels));
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

VEU_CLONED bool read_each(VeuThread *t, const VeuMessage *m, unsigned lanes,
                          VeuPlaceTexels *place, LoadTexels *load)
{
    VeuPlaced texels;

    return veu_open_surface(t, m, VEU_ACCESS_READ, &texels) &&
           read_surface(t, m, lanes, &texels, place, load);
}

/* --- Levels of CPUs ------------------------------------------------------- */

/* The number of lanes is a constant in each. */
#define FOR_LANES(each, ...) \
    (m->lanes == 16 ? each(t, m, 16, __VA_ARGS__) : each(t, m, 8, __VA_ARGS__))

static bool write_scalar(VeuThread *t, const VeuMessage *m)
{
    return FOR_LANES(write_each, veu_place_texels, store_texels);
}

VEU_TARGET_AVX2 static bool write_avx2(VeuThread *t, const VeuMessage *m)
{
    return FOR_LANES(write_each, veu_place_texels, store_texels);
}

static bool read_scalar(VeuThread *t, const VeuMessage *m)
{
    return FOR_LANES(read_each, veu_place_texels, load_texels);
}

VEU_TARGET_AVX2 static bool read_avx2(VeuThread *t, const VeuMessage *m)
{
    return FOR_LANES(read_each, veu_place_texels, load_texels);
}

/* --- AVX-512 -------------------------------------------------------------- */

#ifdef VEU_HAS_AVX2
VEU_AVX512 void avx512_store_texels(const VeuPlaced *texels,
                                    const VeuTexels *texel, unsigned lanes)
{
    if (texels->surface->texel_log2 == 2) {
        veu_avx512_store_dwords(texels->host, texels->live, lanes,
                                texels->offset, texel->dword[0]);
    } else {
        store_texels(texels, texel, lanes);
    }
}

VEU_AVX512 void avx512_load_texels(const VeuPlaced *texels, unsigned lanes,
                                   VeuTexels *texel)
{
    if (texels->surface->texel_log2 == 2) {
        veu_avx512_load_dwords(texels->host, texels->live, lanes,
                               texels->offset, 0, texel->dword[0]);
    } else {
        load_texels(texels, lanes, texel);
    }
}

/*
 * GCC takes a chain of comparisons to be false, and loops after one for cold:
 * it would not make vectors of them.
 */
VEU_TARGET_AVX512 static bool write_avx512(VeuThread *t, const VeuMessage *m)
{
    VeuPlaced texels;

    if (!veu_open_surface(t, m, VEU_ACCESS_WRITE, &texels)) {
        return false;
    }
    return __builtin_expect(veu_texels_are_unorm8(t, m, &texels), 1) ?
               FOR_LANES(veu_write_unorm8, &texels) :
               FOR_LANES(write_surface, &texels, veu_avx512_place,
                         avx512_store_texels);
}

VEU_TARGET_AVX512 static bool read_avx512(VeuThread *t, const VeuMessage *m)
{
    VeuPlaced texels;

    if (!veu_open_surface(t, m, VEU_ACCESS_READ, &texels)) {
        return false;
    }
    return __builtin_expect(veu_texels_are_unorm8(t, m, &texels), 1) ?
               FOR_LANES(veu_read_unorm8, &texels) :
               FOR_LANES(read_surface, &texels, veu_avx512_place,
                         avx512_load_texels);
}
#else
#define write_avx512 write_avx2
#define read_avx512  read_avx2
#endif

static VeuFastTable writes = {
    [VEU_CPU_SCALAR] = write_scalar,
    [VEU_CPU_AVX2] = write_avx2,
    [VEU_CPU_AVX512] = write_avx512,
};

static VeuFastTable reads = {
    [VEU_CPU_SCALAR] = read_scalar,
    [VEU_CPU_AVX2] = read_avx2,
    [VEU_CPU_AVX512] = read_avx512,
};

VeuFast *veu_fast_gather4_typed(const VeuMessage *m)
{
    return m->data.null ? NULL : reads[veu_cpu];
}

VeuFast *veu_fast_scatter4_typed(const VeuMessage *m)
{
    return m->data.null ? NULL : writes[veu_cpu];
}
