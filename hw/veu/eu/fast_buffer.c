/*
 * veu execution unit: the fast ways of an element per lane: GATHER, SCATTER,
 * their SCALED forms, QW_GATHER, QW_SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/fast.h"
#include "hw/veu/eu/fast_avx2.h"
#include "hw/veu/eu/guest_copy.h"

/* What the message accesses, and how its indices become offsets. */
typedef struct Elements {
    VeuWindow window;
    unsigned shift;
    uint32_t last; /* index of an element that is inside */
} Elements;

static unsigned index_shift(const VeuMessage *m)
{
    return m->info->unit == VEU_UNIT_ELEMENT ? __builtin_ctz(m->element_bytes) :
                                               0;
}

/* A buffer without any element is left to the executor. */
VEU_CLONED bool open_elements(VeuThread *t, const VeuMessage *m,
                              enum veu_access access, Elements *e)
{
    uint64_t last;

    if (!veu_window_open(t, m, access, &e->window) ||
        e->window.bytes < m->element_bytes) {
        return false;
    }
    e->shift = index_shift(m);
    last = (e->window.bytes - m->element_bytes) >> e->shift;
    e->last = last < UINT32_MAX ? last : UINT32_MAX;
    return true;
}

static unsigned register_lane_bytes(const VeuMessage *m)
{
    return m->element_bytes < 4 ? 4 : m->element_bytes;
}

/* Where the lanes that are inside go; false: give up. */
static bool place_lanes(VeuThread *t, const VeuMessage *m, const Elements *e,
                        enum veu_access access, uint8_t *at[VEU_MAX_LANES],
                        uint32_t *inside)
{
    *inside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint32_t index = e->window.global +
                         veu_lane_dword(t, &m->address, lane);

        if (index <= e->last) {
            at[lane] = veu_window_at(t, &e->window, (uint64_t)index << e->shift,
                                     m->element_bytes, access);
            if (!at[lane]) {
                return false;
            }
            *inside |= 1u << lane;
        }
    }
    return true;
}

/* What the upper bytes of small elements are, as a dword. */
static uint32_t undefined_dword(const VeuThread *t)
{
    return t->config->undefined * UINT32_C(0x01010101);
}

static bool gather_lanes(VeuThread *t, const VeuMessage *m)
{
    uint8_t *to = t->registers + m->data.register_byte;
    unsigned lane_bytes = register_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint64_t value[VEU_MAX_LANES];
    uint32_t inside;
    Elements e;

    if (!open_elements(t, m, VEU_ACCESS_READ, &e) ||
        !place_lanes(t, m, &e, VEU_ACCESS_READ, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        value[lane] = lane_bytes == 4 ? undefined_dword(t) : 0;
        if (inside & (1u << lane)) {
            veu_guest_load(&value[lane], at[lane], m->element_bytes);
        } else {
            memset(&value[lane], 0, m->element_bytes);
        }
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        memcpy(to + lane * lane_bytes, &value[lane], lane_bytes);
    }
    t->moved_bytes = __builtin_popcount(inside) * m->element_bytes;
    return true;
}

static bool scatter_lanes(VeuThread *t, const VeuMessage *m)
{
    const uint8_t *from = t->registers + m->data.register_byte;
    unsigned lane_bytes = register_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint32_t inside;
    Elements e;

    if (!open_elements(t, m, VEU_ACCESS_WRITE, &e) ||
        !place_lanes(t, m, &e, VEU_ACCESS_WRITE, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, inside) {
        veu_guest_store(at[lane], from + lane * lane_bytes, m->element_bytes);
    }
    t->moved_bytes = __builtin_popcount(inside) * m->element_bytes;
    return true;
}

#ifdef VEU_HAS_AVX2

/*
 * Are the offsets of elements that are inside 32 bits, and may @bytes be read
 * at each of them?
 */
VEU_CLONED bool suits_groups(const Elements *e, const VeuMessage *m,
                             unsigned bytes)
{
    return e->window.host && e->last <= UINT32_MAX >> e->shift &&
           e->window.spare_bytes + m->element_bytes >= bytes;
}

/* The byte offsets of a group's elements, and which are inside. */
VEU_AVX2 __m256i group_offsets(const VeuThread *t, const VeuMessage *m,
                               const Elements *e, unsigned lane, __m256i on,
                               __m256i *inside)
{
    __m256i index = _mm256_add_epi32(
        _mm256_set1_epi32(e->window.global),
        veu_load_group(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm256_and_si256(on, veu_group_at_most(index, _mm256_set1_epi32(
                                                                e->last)));
    return _mm256_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/* Where the CPU counts offsets from, which it takes as signed. */
static inline uintptr_t signed_base(const uint8_t *host)
{
    return (uintptr_t)host + VEU_SIGN_BIT;
}

/* Elements of up to 4 bytes, of which 4 bytes are read. */
VEU_AVX2 bool gather_dwords(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint32_t element = UINT32_MAX >> (32 - 8 * m->element_bytes);
    __m256i keep = _mm256_set1_epi32(element);
    __m256i undefined = _mm256_set1_epi32(undefined_dword(t) & ~element);
    uint8_t *to = t->registers + m->data.register_byte;
    __m256i offset[4], inside[4];
    uint32_t moved = 0;
    Elements e;

    if (!open_elements(t, m, VEU_ACCESS_READ, &e)) {
        return false;
    }
    if (!suits_groups(&e, m, 4)) {
        return gather_lanes(t, m);
    }
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        offset[lane / 8] = group_offsets(t, m, &e, lane,
                                         veu_group_of(t->active >> lane),
                                         &inside[lane / 8]);
    }
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        __m256i in = inside[lane / 8];
        __m256i value = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(), (const int *)signed_base(e.window.host),
            _mm256_xor_si256(offset[lane / 8], sign), in, 1);

        value = _mm256_or_si256(_mm256_and_si256(value, keep), undefined);
        veu_store_group(to + lane * 4, value, veu_group_of(t->active >> lane));
        moved += __builtin_popcount(veu_bits_of(in));
    }
    t->moved_bytes = moved * m->element_bytes;
    return true;
}

/* Where each lane is stored to; those that are not inside go to @sink. */
typedef struct Targets {
    _Alignas(32) uint64_t at[VEU_MAX_LANES];
    _Alignas(32) uint64_t noted[VEU_MAX_LANES]; /* a byte that is not 0 */
    uint64_t sink;
    uint32_t inside;
} Targets;

static const uint8_t is_noted = 1;

/* Half a group: 4 lanes. Returns the addresses. */
VEU_AVX2 __m256i target_half(const VeuWindow *w, __m128i offset, __m128i inside,
                             unsigned lane, Targets *to)
{
    __m256i in = _mm256_cvtepi32_epi64(inside);
    __m256i at = _mm256_add_epi64(_mm256_set1_epi64x((uintptr_t)w->host),
                                  _mm256_cvtepu32_epi64(offset));
    uintptr_t noted = w->extent ? w->extent->noted : 0;
    __m256i page = _mm256_add_epi64(_mm256_set1_epi64x(noted),
                                    _mm256_srli_epi64(at, VEU_PAGE_BITS));

    at = _mm256_blendv_epi8(_mm256_set1_epi64x((uintptr_t)&to->sink), at, in);
    page = _mm256_blendv_epi8(_mm256_set1_epi64x((uintptr_t)&is_noted), page,
                              in);
    _mm256_store_si256((__m256i *)(to->at + lane), at);
    _mm256_store_si256((__m256i *)(to->noted + lane), page);
    return at;
}

/* False: an element is not aligned, so it may be in two pages. */
VEU_AVX2 bool target_lanes(const VeuThread *t, const VeuMessage *m,
                           const Elements *e, unsigned lanes, Targets *to)
{
    __m256i all = _mm256_setzero_si256();

    to->inside = 0;
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        __m256i in;
        __m256i offset = group_offsets(t, m, e, lane,
                                       veu_group_of(t->active >> lane), &in);

        all = _mm256_or_si256(
            all, target_half(&e->window, _mm256_castsi256_si128(offset),
                             _mm256_castsi256_si128(in), lane, to));
        all = _mm256_or_si256(
            all, target_half(&e->window, _mm256_extracti128_si256(offset, 1),
                             _mm256_extracti128_si256(in, 1), lane + 4, to));
        to->inside |= veu_bits_of(in) << lane;
    }
    return _mm256_testz_si256(all, _mm256_set1_epi64x(m->element_bytes - 1));
}

VEU_CLONED void note_targets(VeuThread *t, const VeuWindow *w, unsigned lanes,
                             const Targets *to)
{
    uint8_t all = 1;

    if (!w->extent || !w->extent->noted) {
        return;
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        all &= *(const uint8_t *)to->noted[lane];
    }
    if (!all) {
        VEU_FOR_EACH_LANE(lane, to->inside) {
            veu_mem_note(t->mem, w->extent, (uint8_t *)to->at[lane], 1);
        }
    }
}

/* In the order of the lanes: the highest one wins. */
#define STORE_LANES(type, lane_bytes)                               \
    for (unsigned lane = 0; lane < lanes; lane++) {                 \
        __atomic_store_n((type *)to->at[lane],                      \
                         *(const type *)(from + lane * lane_bytes), \
                         __ATOMIC_RELAXED);                         \
    }

VEU_CLONED void store_targets(const uint8_t *from, unsigned element_bytes,
                              unsigned lanes, const Targets *to)
{
    switch (element_bytes) {
    case 1:
        STORE_LANES(uint8_t, 4);
        break;
    case 2:
        STORE_LANES(uint16_t, 4);
        break;
    case 4:
        STORE_LANES(uint32_t, 4);
        break;
    default:
        STORE_LANES(uint64_t, 8);
        break;
    }
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    Targets to;
    Elements e;

    if (!open_elements(t, m, VEU_ACCESS_WRITE, &e)) {
        return false;
    }
    if (!suits_groups(&e, m, m->element_bytes) ||
        !target_lanes(t, m, &e, lanes, &to)) {
        return scatter_lanes(t, m);
    }
    note_targets(t, &e.window, lanes, &to);
    store_targets(t->registers + m->data.register_byte, m->element_bytes, lanes,
                  &to);
    t->moved_bytes = __builtin_popcount(to.inside) * m->element_bytes;
    return true;
}

#define BY_LANES(name, body, lanes)                                     \
    VEU_TARGET_AVX2 static bool name(VeuThread *t, const VeuMessage *m) \
    {                                                                   \
        return body(t, m, lanes);                                       \
    }
BY_LANES(gather_8, gather_dwords, 8)
BY_LANES(gather_16, gather_dwords, 16)
BY_LANES(gather_32, gather_dwords, 32)
BY_LANES(scatter_8, scatter_groups, 8)
BY_LANES(scatter_16, scatter_groups, 16)
BY_LANES(scatter_32, scatter_groups, 32)

#else
#define gather_8   gather_lanes
#define gather_16  gather_lanes
#define gather_32  gather_lanes
#define scatter_8  scatter_lanes
#define scatter_16 scatter_lanes
#define scatter_32 scatter_lanes
#endif

static const VeuFastTable gathers = {
    [VEU_CPU_SCALAR] = { gather_lanes, gather_lanes, gather_lanes, gather_lanes,
                         gather_lanes, gather_lanes },
    [VEU_CPU_AVX2] = { gather_lanes, gather_lanes, gather_lanes, gather_8,
                       gather_16, gather_32 },
};

static const VeuFastTable scatters = {
    [VEU_CPU_SCALAR] = { scatter_lanes, scatter_lanes, scatter_lanes,
                         scatter_lanes, scatter_lanes, scatter_lanes },
    [VEU_CPU_AVX2] = { scatter_lanes, scatter_lanes, scatter_lanes, scatter_8,
                       scatter_16, scatter_32 },
};

VeuFast *veu_fast_gather(const VeuMessage *m)
{
    if (m->data.null || m->address.null) {
        return NULL;
    }
    return m->element_bytes == 8 ? gather_lanes : veu_fast_pick(gathers, m);
}

VeuFast *veu_fast_scatter(const VeuMessage *m)
{
    return m->data.null || m->address.null ? NULL : veu_fast_pick(scatters, m);
}
