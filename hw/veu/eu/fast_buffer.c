/*
 * veu execution unit: the fast ways of an element per lane: GATHER, SCATTER,
 * their SCALED forms, QW_GATHER, QW_SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/fast.h"
#include "hw/veu/eu/fast_avx2.h"
#include "hw/veu/eu/fast_avx512.h"
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

typedef bool OpenWindow(VeuThread *t, const VeuMessage *m,
                        enum veu_access access, VeuWindow *window);

/* A buffer without any element is left to the executor. */
VEU_CLONED bool open_elements(VeuThread *t, const VeuMessage *m,
                              OpenWindow *open, enum veu_access access,
                              Elements *e)
{
    uint64_t last;

    if (!open(t, m, access, &e->window) || e->window.bytes < m->element_bytes) {
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

static bool gather_lanes(VeuThread *t, const VeuMessage *m)
{
    uint8_t *to = t->registers + m->data.register_byte;
    unsigned lane_bytes = register_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint64_t value[VEU_MAX_LANES];
    uint32_t inside;
    Elements e;

    if (!open_elements(t, m, veu_window_open, VEU_ACCESS_READ, &e) ||
        !place_lanes(t, m, &e, VEU_ACCESS_READ, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        value[lane] = lane_bytes == 4 ? veu_undefined_dword(t) : 0;
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

    if (!open_elements(t, m, veu_window_open, VEU_ACCESS_WRITE, &e) ||
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

/* Where the first bytes of a dword are an element of so many bytes. */
VEU_AVX2 __m256i cut_elements(const VeuThread *t, const VeuMessage *m,
                              __m256i dwords)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * m->element_bytes);
    __m256i undefined = _mm256_set1_epi32(veu_undefined_dword(t) & ~element);

    return _mm256_or_si256(_mm256_and_si256(dwords, _mm256_set1_epi32(element)),
                           undefined);
}

/*
 * @m follows a message that has opened @e for its own buffer: for that of @m,
 * of which @bytes may be read at each element? False: it has to be alone.
 */
VEU_CLONED bool goes_on_in(VeuThread *t, const VeuMessage *m, unsigned bytes,
                           enum veu_access access, Elements *e)
{
    return m->surface == m[-1].surface ||
           (open_elements(t, m, veu_window_open_usual, access, e) &&
            suits_groups(e, m, bytes));
}

/* Messages from @first to before @end were done, and moved so many elements. */
VEU_CLONED bool finish_run(VeuThread *t, const VeuMessage *first,
                           const VeuMessage *end, unsigned moved)
{
    t->more = end - first - 1;
    t->moved_bytes = moved * first->element_bytes;
    return true;
}

/* Elements of up to 4 bytes, of which 4 bytes are read; returns how many. */
VEU_AVX2 unsigned gather_one(VeuThread *t, const VeuMessage *m,
                             const Elements *e, unsigned lanes)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint8_t *to = t->registers + m->data.register_byte;
    __m256i offset[4], inside[4];
    unsigned moved = 0;

    for (unsigned lane = 0; lane < lanes; lane += 8) {
        offset[lane / 8] = group_offsets(t, m, e, lane,
                                         veu_group_of(t->active >> lane),
                                         &inside[lane / 8]);
    }
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        __m256i in = inside[lane / 8];
        __m256i value = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(),
            (const int *)veu_signed_base(e->window.host),
            _mm256_xor_si256(offset[lane / 8], sign), in, 1);

        if (m->element_bytes < 4) {
            value = cut_elements(t, m, value);
        }
        veu_store_group(to + lane * 4, value, veu_group_of(t->active >> lane));
        moved += __builtin_popcount(veu_bits_of(in));
    }
    return moved;
}

VEU_AVX2 bool gather_dwords(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            OpenWindow *open, VeuFast *otherwise)
{
    const VeuMessage *first = m;
    unsigned moved = 0;
    Elements e;

    if (!open_elements(t, m, open, VEU_ACCESS_READ, &e)) {
        return otherwise(t, m);
    }
    if (!suits_groups(&e, m, 4)) {
        return gather_lanes(t, m);
    }
    do {
        moved += gather_one(t, m, &e, lanes);
    } while (veu_goes_on(t, &m) && goes_on_in(t, m, 4, VEU_ACCESS_READ, &e));
    return finish_run(t, first, m, moved);
}

/* The same of qwords: indices count bytes. */
VEU_AVX2 bool gather_qwords(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            OpenWindow *open, VeuFast *otherwise)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint8_t *to = t->registers + m->data.register_byte;
    __m256i offset[4], inside[4];
    uint32_t moved = 0;
    Elements e;

    if (!open_elements(t, m, open, VEU_ACCESS_READ, &e)) {
        return otherwise(t, m);
    }
    if (!suits_groups(&e, m, 8)) {
        return gather_lanes(t, m);
    }
    for (unsigned i = 0; i < lanes / 8; i++) {
        offset[i] = group_offsets(t, m, &e, i * 8,
                                  veu_group_of(t->active >> (i * 8)),
                                  &inside[i]);
        moved += __builtin_popcount(veu_bits_of(inside[i]));
        offset[i] = _mm256_xor_si256(offset[i], sign);
    }
    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i value = _mm256_mask_i32gather_epi64(
            _mm256_setzero_si256(),
            (const long long *)veu_signed_base(e.window.host),
            veu_half_of(offset[i / 2], i % 2),
            _mm256_cvtepi32_epi64(veu_half_of(inside[i / 2], i % 2)), 1);

        veu_store_group(to + i * 32, value,
                        veu_half_group_of(t->active >> (i * 4)));
    }
    t->moved_bytes = moved * 8;
    return true;
}

/* The lanes that are stored, and where; false: an element is not aligned. */
VEU_AVX2 bool target_lanes(const VeuThread *t, const VeuMessage *m,
                           const Elements *e, unsigned lanes, VeuTargets *to,
                           uint32_t *bits)
{
    __m256i host = _mm256_set1_epi64x((uintptr_t)e->window.host);
    uintptr_t noted = e->window.extent ? e->window.extent->noted : 0;
    __m256i all = _mm256_setzero_si256();

    *bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in;
        __m256i offset = group_offsets(t, m, e, i * 8,
                                       veu_group_of(t->active >> (i * 8)), &in);

        *bits |= veu_bits_of(in) << (i * 8);
        for (unsigned half = 0; half < 2; half++) {
            __m256i at = _mm256_add_epi64(host, _mm256_cvtepu32_epi64(
                                                    veu_half_of(offset, half)));

            at = veu_set_targets(to, i * 8 + half * 4, noted, at,
                                 _mm256_cvtepi32_epi64(veu_half_of(in, half)));
            all = _mm256_or_si256(all, at);
        }
    }
    return _mm256_testz_si256(all, _mm256_set1_epi64x(m->element_bytes - 1));
}

/* In the order of the lanes: the highest one wins. */
#define STORE_LANES(type, lane_bytes)                              \
    for (unsigned lane = 0; lane < lanes; lane++) {                \
        VEU_STORE(type, to->at[lane], from + lane * (lane_bytes)); \
    }

VEU_CLONED void store_targets(const uint8_t *from, unsigned element_bytes,
                              unsigned lanes, const VeuTargets *to)
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

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             OpenWindow *open, VeuFast *otherwise)
{
    uint32_t bits;
    VeuTargets to;
    Elements e;

    if (!open_elements(t, m, open, VEU_ACCESS_WRITE, &e)) {
        return otherwise(t, m);
    }
    if (!suits_groups(&e, m, m->element_bytes) ||
        !target_lanes(t, m, &e, lanes, &to, &bits)) {
        return scatter_lanes(t, m);
    }
    veu_note_window(t, &e.window, bits, lanes, &to);
    store_targets(t->registers + m->data.register_byte, m->element_bytes, lanes,
                  &to);
    t->moved_bytes = __builtin_popcount(bits) * m->element_bytes;
    return true;
}

static bool give_up(VeuThread *t, const VeuMessage *m)
{
    return false;
}

/* For a buffer as most are, or else for any. */
#define BY_LANES(name, body, lanes)                                           \
    VEU_TARGET_AVX2 static bool name##_any(VeuThread *t, const VeuMessage *m) \
    {                                                                         \
        return body(t, m, lanes, veu_window_open, give_up);                   \
    }                                                                         \
    VEU_TARGET_AVX2 static bool name(VeuThread *t, const VeuMessage *m)       \
    {                                                                         \
        return body(t, m, lanes, veu_window_open_usual, name##_any);          \
    }
BY_LANES(gather_8, gather_dwords, 8)
BY_LANES(gather_16, gather_dwords, 16)
BY_LANES(gather_32, gather_dwords, 32)
BY_LANES(gather_qwords_8, gather_qwords, 8)
BY_LANES(gather_qwords_16, gather_qwords, 16)
BY_LANES(scatter_8, scatter_groups, 8)
BY_LANES(scatter_16, scatter_groups, 16)
BY_LANES(scatter_32, scatter_groups, 32)

/* Of more than 8 lanes, for a buffer as most are; else as with AVX2. */
#define WIDE(way, lanes, access, bytes)                                     \
    VEU_TARGET_AVX512 static bool wide_##way##_##lanes(VeuThread *t,        \
                                                       const VeuMessage *m) \
    {                                                                       \
        const VeuMessage *first = m;                                        \
        unsigned moved = 0;                                                 \
        Elements e;                                                         \
                                                                            \
        if (!open_elements(t, m, veu_window_open_usual, access, &e) ||      \
            !suits_groups(&e, m, bytes) ||                                  \
            !wide_##way(t, m, &e, lanes, &moved)) {                         \
            return way##_##lanes(t, m);                                     \
        }                                                                   \
        while (veu_goes_on(t, &m) && goes_on_in(t, m, bytes, access, &e) && \
               wide_##way(t, m, &e, lanes, &moved)) {}                      \
        return finish_run(t, first, m, moved);                              \
    }
#define WIDE_ELEMENTS(way)                                                 \
    VEU_AVX512 bool wide_##way(VeuThread *t, const VeuMessage *m,          \
                               const Elements *e, unsigned lanes,          \
                               unsigned *moved)                            \
    {                                                                      \
        return veu_wide_##way(t, m,                                        \
                              &(VeuWide){ &e->window, e->shift, e->last }, \
                              lanes, moved);                               \
    }
WIDE_ELEMENTS(gather)
WIDE_ELEMENTS(scatter)
WIDE(gather, 16, VEU_ACCESS_READ, 4)
WIDE(gather, 32, VEU_ACCESS_READ, 4)
WIDE(scatter, 16, VEU_ACCESS_WRITE, 4)
WIDE(scatter, 32, VEU_ACCESS_WRITE, 4)

#else
#define gather_8         gather_lanes
#define gather_16        gather_lanes
#define gather_32        gather_lanes
#define gather_qwords_8  gather_lanes
#define gather_qwords_16 gather_lanes
#define scatter_8        scatter_lanes
#define scatter_16       scatter_lanes
#define scatter_32       scatter_lanes
#define wide_gather_16   gather_lanes
#define wide_gather_32   gather_lanes
#define wide_scatter_16  scatter_lanes
#define wide_scatter_32  scatter_lanes
#endif

VEU_FAST_TABLE_WIDE(gathers, gather_lanes, gather_8, gather_16, gather_32,
                    wide_gather_16, wide_gather_32);
VEU_FAST_TABLE(qword_gathers, gather_lanes, gather_qwords_8, gather_qwords_16,
               NULL);
VEU_FAST_TABLE(scatters, scatter_lanes, scatter_8, scatter_16, scatter_32);
VEU_FAST_TABLE_WIDE(dword_scatters, scatter_lanes, scatter_8, scatter_16,
                    scatter_32, wide_scatter_16, wide_scatter_32);

VeuFast *veu_fast_gather(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 8 ? qword_gathers : gathers, m);
}

VeuFast *veu_fast_scatter(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 4 ? dword_scatters : scatters, m);
}
