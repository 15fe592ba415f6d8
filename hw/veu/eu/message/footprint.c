/*
 * veu execution unit: the memory that a message touches, for profiles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/buffer.h"
#include "hw/veu/eu/message/channels.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/footprint.h"
#include "hw/veu/eu/message/footprint_steps.h"

/* --- Lines --------------------------------------------------------------- */

static void add_line(VeuFootprint *f, uint64_t line)
{
    uint32_t at = (line * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

    for (unsigned i = 0; i < VEU_FOOTPRINT_SLOTS; i++, at++) {
        uint32_t slot = at % VEU_FOOTPRINT_SLOTS;

        if (f->stamps[slot] != f->stamp) {
            f->stamps[slot] = f->stamp;
            f->line[slot] = line;
            f->lines++;
            return;
        }
        if (f->line[slot] == line) {
            return;
        }
    }
}

static inline void add_bytes(VeuFootprint *f, uint64_t address, uint32_t bytes)
{
    uint64_t first = address / VEU_LINE_BYTES;
    uint64_t last = (address + bytes - 1) / VEU_LINE_BYTES;

    /* Usually the previous lane's line; accesses that wrap touch one line. */
    if (first == last && last + 1 == f->last) {
        return;
    }
    f->last = last + 1;
    for (uint64_t line = first; line < last; line++) {
        add_line(f, line);
    }
    add_line(f, last);
}

/* --- Banks --------------------------------------------------------------- */

static inline void add_slm(VeuFootprint *f, unsigned lane, uint32_t offset,
                           uint32_t bytes)
{
    f->slm_lanes |= 1u << lane;
    f->slm[lane] = offset;
    f->slm_bytes = bytes;
}

/* The number of turns that dword @number of 16 lanes takes. */
static unsigned turns_of(const VeuFootprint *f, uint32_t lanes, unsigned number)
{
    uint32_t dwords[VEU_BANKS][VEU_BANKS];
    uint8_t count[VEU_BANKS] = { 0 };
    unsigned turns = 0;

    VEU_FOR_EACH_LANE(lane, lanes) {
        uint32_t dword = f->slm[lane] / 4 + number;
        unsigned bank = dword % VEU_BANKS;
        unsigned i = 0;

        while (i < count[bank] && dwords[bank][i] != dword) {
            i++;
        }
        if (i == count[bank]) {
            dwords[bank][count[bank]++] = dword;
            turns = count[bank] > turns ? count[bank] : turns;
        }
    }
    return turns;
}

/* Usually lanes access consecutive dwords, so that each has its own bank. */
static bool is_straight(const VeuFootprint *f)
{
    unsigned first = __builtin_ctz(f->slm_lanes);

    VEU_FOR_EACH_LANE(lane, f->slm_lanes) {
        if (f->slm[lane] / 4 - f->slm[first] / 4 != lane - first) {
            return false;
        }
    }
    return true;
}

static void count_conflicts(VeuFootprint *f)
{
    unsigned dwords = (f->slm_bytes + 3) / 4;

    if (is_straight(f)) {
        return;
    }

    for (unsigned half = 0; half < VEU_MAX_LANES; half += VEU_BANKS) {
        uint32_t lanes = f->slm_lanes & UINT32_C(0xffff) << half;

        for (unsigned n = 0; lanes && n < dwords; n++) {
            f->conflicts += turns_of(f, lanes, n) - 1;
        }
    }
}

/* --- By its operands ----------------------------------------------------- */

static void begin(VeuFootprint *f)
{
    f->stamp++;
    f->lines = 0;
    f->conflicts = 0;
    f->last = 0;
    f->slm_lanes = 0;
    f->slm_bytes = 0;
}

static inline bool is_scaled4(const VeuMessage *m)
{
    return m->info->execute == veu_execute_gather4_scaled ||
           m->info->execute == veu_execute_scatter4_scaled;
}

static inline bool is_element(const VeuMessage *m)
{
    return m->info->execute == veu_execute_gather ||
           m->info->execute == veu_execute_scatter;
}

/*
 * The part of a buffer that lanes access: bytes [first, end) from their
 * offsets.
 */
typedef struct Lanes {
    VeuBuffer buffer;
    const uint8_t *index; /* lane 0's, in the registers */
    uint32_t scale;       /* bytes for which an index counts */
    uint32_t mask;        /* mask of offsets, which wrap in SLM */
    uint32_t first;
    uint32_t end;
} Lanes;

/* Like veu_surface_range(), only for SLM and buffers of the table. */
static inline bool find_usual(const VeuThread *t, const VeuMessage *m,
                              VeuRange *range)
{
    const VeuSurface *s;

    if (m->surface == VEU_SLM_SURFACE) {
        *range = (VeuRange){ 0, t->slm_bytes, t->slm };
        return true;
    }
    s = veu_table_buffer(t, m);
    if (!s) {
        return false;
    }
    *range = (VeuRange){ s->base, s->bytes, NULL };
    return true;
}

/* Like veu_buffer_open(), only for the usual surfaces. */
static inline bool open_usual(VeuThread *t, const VeuMessage *m,
                              VeuBuffer *buffer)
{
    uint64_t global;

    if (!find_usual(t, m, &buffer->range) ||
        !veu_fast_scalar(t, &m->global_offset, &global)) {
        return false;
    }
    buffer->global = global;
    return true;
}

/* Completes @l, whose buffer is known. */
static inline void place_lanes(const VeuThread *t, const VeuMessage *m,
                               bool scaled4, Lanes *l)
{
    static const uint32_t zeros[VEU_MAX_LANES];

    l->index = m->address.null ? (const uint8_t *)zeros :
                                 t->registers + m->address.register_byte;
    l->scale = !scaled4 && m->info->unit == VEU_UNIT_ELEMENT ?
                   m->element_bytes :
                   1;
    l->mask = l->buffer.range.slm && t->slm_wraps ? 0xffff : UINT32_MAX;
    l->first = scaled4 ? 4 * __builtin_ctz(m->channels) : 0;
    l->end = scaled4 ? 4 * (32 - __builtin_clz(m->channels)) : m->element_bytes;
}

/*
 * The end of the part that is inside. Of several channels, those before the end
 * of the buffer are, as in gather4.c.
 */
static uint32_t end_inside(const VeuMessage *m, const Lanes *l, uint64_t offset)
{
    uint64_t bytes = l->buffer.range.bytes;
    uint64_t left = offset < bytes ? bytes - offset : 0;
    unsigned channels;

    if (left >= l->end) {
        return l->end;
    }
    if (!is_scaled4(m)) {
        return 0;
    }
    channels = m->channels & ((1u << left / 4) - 1);
    return channels ? 4 * (32 - __builtin_clz(channels)) : 0;
}

/* Returns true if the lanes are at equal distances, and all are inside. */
static inline bool find_steps(const VeuThread *t, const VeuMessage *m,
                              const Lanes *l, VeuSteps *s)
{
    uint32_t first;

    s->active = t->active;
    s->bytes = l->end - l->first;
    if (!veu_steps_find_dwords(l->index, m->lanes, s)) {
        return false;
    }
    first = s->first + l->buffer.global;
    s->last = (first + (s->last - s->first)) * l->scale + l->first;
    s->first = (uint64_t)first * l->scale + l->first;
    s->step *= l->scale;
    return s->last + s->bytes <= l->buffer.range.bytes && s->last <= l->mask;
}

/*
 * Returns false if the lanes must be measured one by one. It is part of its
 * callers, for which @scaled4 is constant.
 */
VEU_CLONED bool measure_steps(VeuThread *t, const VeuMessage *m, bool scaled4,
                              VeuFootprint *f)
{
    VeuSteps s;
    Lanes l;

    if (!open_usual(t, m, &l.buffer)) {
        return false;
    }
    place_lanes(t, m, scaled4, &l);
    if (!find_steps(t, m, &l, &s)) {
        return false;
    }
    s.first += l.buffer.range.base;
    s.last += l.buffer.range.base;
    return l.buffer.range.slm ? veu_steps_conflicts(&s, &f->conflicts) :
                                veu_steps_lines(&s, &f->lines);
}

static void measure_lane(const VeuMessage *m, const Lanes *l, unsigned lane,
                         VeuFootprint *f)
{
    uint32_t index, end;
    uint64_t offset;

    memcpy(&index, l->index + lane * 4, 4);
    index += l->buffer.global;
    offset = (uint64_t)index * l->scale;
    offset = l->mask == UINT32_MAX ? offset : offset & l->mask;
    end = end_inside(m, l, offset);
    if (end <= l->first) {
        return;
    }
    offset += l->buffer.range.base;
    if (l->buffer.range.slm) {
        add_slm(f, lane, offset + l->first, end - l->first);
    } else {
        add_bytes(f, offset + l->first, end - l->first);
    }
}

static __attribute__((noinline)) bool measure_lanes(VeuThread *t,
                                                    const VeuMessage *m,
                                                    VeuFootprint *f)
{
    Lanes l;

    if (!veu_buffer_open(t, m, &l.buffer)) {
        return false;
    }
    place_lanes(t, m, is_scaled4(m), &l);
    begin(f);
    VEU_FOR_EACH_LANE(lane, t->active) {
        measure_lane(m, &l, lane, f);
    }
    if (f->slm_lanes) {
        count_conflicts(f);
    }
    return true;
}

static bool measure_svm(VeuThread *t, const VeuMessage *m, VeuFootprint *f)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    VeuSteps s = { .active = t->active, .bytes = bytes };

    if (!m->address.null &&
        veu_steps_find_qwords(t->registers + m->address.register_byte, m->lanes,
                              &s) &&
        s.last + bytes > s.last && veu_steps_lines(&s, &f->lines)) {
        return true;
    }
    begin(f);
    VEU_FOR_EACH_LANE(lane, t->active) {
        add_bytes(f, veu_lane_qword(t, &m->address, lane), bytes);
    }
    return true;
}

/* A block that is inside as a whole: its bytes are contiguous. */
static bool measure_block(VeuThread *t, const VeuMessage *m, VeuFootprint *f)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    VeuBuffer buffer;
    uint64_t offset;

    if (!open_usual(t, m, &buffer)) {
        return false;
    }
    offset = buffer.global;
    if (m->info->unit == VEU_UNIT_OWORD) {
        offset *= m->element_bytes;
    }
    if (buffer.range.slm || offset + bytes > buffer.range.bytes) {
        return false;
    }
    f->lines = veu_lines_between(buffer.range.base + offset,
                                 buffer.range.base + offset + bytes);
    return true;
}

bool veu_footprint_measure(VeuThread *t, const VeuMessage *m, VeuFootprint *f)
{
    f->lines = 0;
    f->conflicts = 0;
    if (is_scaled4(m)) {
        return measure_steps(t, m, true, f) || measure_lanes(t, m, f);
    }
    if (is_element(m)) {
        return measure_steps(t, m, false, f) || measure_lanes(t, m, f);
    }
    if (m->info->execute == veu_execute_svm_gather ||
        m->info->execute == veu_execute_svm_scatter) {
        return measure_svm(t, m, f);
    }
    if (m->info->execute == veu_execute_oword_ld ||
        m->info->execute == veu_execute_oword_st) {
        return measure_block(t, m, f);
    }
    return m->info->execute == veu_execute_fence;
}

/* --- By its executor ----------------------------------------------------- */

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    VeuFootprint *f = (VeuFootprint *)observer;

    if (place == VEU_LANE_MEMORY) {
        add_bytes(f, access->address, access->bytes);
    } else if (place == VEU_LANE_SLM) {
        add_slm(f, access->lane, access->address, access->bytes);
    }
    return f->next ? f->next->lane(f->next, access, place, span) : 0;
}

static bool begin_message(VeuObserver *observer, VeuThread *t,
                          const VeuMessage *m)
{
    VeuObserver *next = ((VeuFootprint *)observer)->next;

    return !next || !next->begin || next->begin(next, t, m);
}

static void end_message(VeuObserver *observer)
{
    VeuObserver *next = ((VeuFootprint *)observer)->next;

    if (next && next->end) {
        next->end(next);
    }
}

VeuObserver *veu_footprint_begin(VeuFootprint *f, VeuObserver *next)
{
    begin(f);
    f->next = next;
    f->observer = (VeuObserver){
        .lane = see_lane,
        .begin = begin_message,
        .end = end_message,
    };
    return &f->observer;
}

void veu_footprint_end(VeuFootprint *f)
{
    if (f->slm_lanes) {
        count_conflicts(f);
    }
}
