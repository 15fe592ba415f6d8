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

/*
 * The end of the part that is inside, for a lane at @offset. Of several
 * channels, those before the end of the buffer are, as in gather4.c.
 */
static uint32_t end_inside(const VeuMessage *m, const VeuFootprintPlan *p,
                           uint64_t bytes, uint64_t offset)
{
    uint64_t left = offset < bytes ? bytes - offset : 0;
    uint32_t end = p->first + p->bytes;
    unsigned channels;

    if (left >= end) {
        return end;
    }
    if (!is_scaled4(m)) {
        return 0;
    }
    channels = m->channels & ((1u << left / 4) - 1);
    return channels ? 4 * (32 - __builtin_clz(channels)) : 0;
}

static void measure_lane(VeuThread *t, const VeuMessage *m,
                         const VeuFootprintPlan *p, const VeuBuffer *b,
                         unsigned lane, VeuFootprint *f)
{
    uint64_t offset = (uint64_t)veu_buffer_index(t, m, b, lane) * p->scale;
    uint32_t end;

    offset = veu_buffer_offset(t, b, offset);
    end = end_inside(m, p, b->range.bytes, offset);
    if (end <= p->first) {
        return;
    }
    offset += b->range.base + p->first;
    if (b->range.slm) {
        add_slm(f, lane, offset, end - p->first);
    } else {
        add_bytes(f, offset, end - p->first);
    }
}

/* Any lanes, one by one. */
static __attribute__((noinline)) bool measure_lanes(VeuThread *t,
                                                    const VeuMessage *m,
                                                    const VeuFootprintPlan *p,
                                                    VeuFootprint *f)
{
    VeuBuffer b;

    if (!veu_buffer_open(t, m, &b)) {
        return false;
    }
    begin(f);
    VEU_FOR_EACH_LANE(lane, t->active) {
        measure_lane(t, m, p, &b, lane, f);
    }
    if (f->slm_lanes) {
        count_conflicts(f);
    }
    return true;
}

/* Like veu_surface_range(), only for buffers of the table. */
VEU_CLONED bool find_buffer(const VeuThread *t, const VeuMessage *m,
                            VeuRange *range)
{
    const VeuSurface *s = veu_table_buffer(t, m);

    if (s) {
        *range = (VeuRange){ s->base, s->bytes, NULL };
    }
    return s;
}

/* Like veu_buffer_open(), only for the usual surfaces and global offsets. */
VEU_CLONED bool open_usual(VeuThread *t, const VeuMessage *m, bool slm,
                           VeuBuffer *b)
{
    b->range = (VeuRange){ 0, t->slm_bytes, t->slm };
    b->global = m->global_offset.value;
    return slm || find_buffer(t, m, &b->range);
}

/*
 * Counts lanes at equal distances, whose indices are in @s. Returns false if
 * they must be counted one by one: they wrap, or are not all inside.
 */
VEU_CLONED bool count_steps(const VeuFootprintPlan *p, const VeuBuffer *b,
                            bool slm, VeuSteps *s, VeuFootprint *f)
{
    s->first = (uint64_t)(uint32_t)(s->first + b->global) * p->scale + p->first;
    s->step *= p->scale;
    s->last = s->first + s->step * veu_steps_between(s->active);
    if (s->last > UINT32_MAX || s->last + s->bytes > b->range.bytes) {
        return false;
    }
    f->lines = 0;
    f->conflicts = 0;
    if (slm) {
        return veu_steps_conflicts(s, &f->conflicts);
    }
    s->first += b->range.base;
    s->last += b->range.base;
    return veu_steps_lines(s, &f->lines);
}

/* Lanes of a message some of which do not run. */
VEU_CLONED bool measure_some(VeuThread *t, const VeuMessage *m,
                             const VeuFootprintPlan *p, bool slm,
                             VeuFootprint *f)
{
    VeuSteps s = { .active = t->active, .bytes = p->bytes };
    VeuBuffer b;

    if (open_usual(t, m, slm, &b) &&
        veu_steps_find_dwords_some(t->registers + m->address.register_byte,
                                   m->lanes, &s) &&
        count_steps(p, &b, slm, &s, f)) {
        return true;
    }
    return measure_lanes(t, m, p, f);
}

/* A function measure_SURFACE_some() for each level of the CPU. */
#define MEASURE_SOME(surface, slm)                                      \
    VEU_CLONED bool measure_##surface##_some(VeuThread *t,              \
                                             const VeuMessage *m,       \
                                             const VeuFootprintPlan *p, \
                                             VeuFootprint *f)           \
    {                                                                   \
        return measure_some(t, m, p, slm, f);                           \
    }                                                                   \
                                                                        \
    VEU_CPU_CLONES(bool, measure_##surface##_some,                      \
                   (VeuThread * t, const VeuMessage *m,                 \
                    const VeuFootprintPlan *p, VeuFootprint *f),        \
                   (t, m, p, f))

MEASURE_SOME(slm, true);
MEASURE_SOME(buffer, false);

/*
 * The same for messages of @lanes, a constant, of which mostly all run. Calls
 * are the last thing that it does, so that it needs no stack.
 */
VEU_CLONED bool measure_all(VeuThread *t, const VeuMessage *m,
                            const VeuFootprintPlan *p, unsigned lanes, bool slm,
                            VeuFootprint *f)
{
    VeuSteps s = { .active = UINT32_MAX >> (32 - lanes), .bytes = p->bytes };
    VeuBuffer b;

    if (__builtin_expect(t->active != s.active, 0)) {
        return (slm ? measure_slm_some_clones :
                      measure_buffer_some_clones)[veu_cpu](t, m, p, f);
    }
    if (open_usual(t, m, slm, &b) &&
        veu_steps_find_dwords_all(t->registers + m->address.register_byte,
                                  lanes, &s) &&
        count_steps(p, &b, slm, &s, f)) {
        return true;
    }
    return measure_lanes(t, m, p, f);
}

/* A function measure_SURFACE_LANES() for each level of the CPU. */
#define MEASURE_ALL(surface, lanes, slm)                                   \
    VEU_CLONED bool measure_##surface##_##lanes(VeuThread *t,              \
                                                const VeuMessage *m,       \
                                                const VeuFootprintPlan *p, \
                                                VeuFootprint *f)           \
    {                                                                      \
        return measure_all(t, m, p, lanes, slm, f);                        \
    }                                                                      \
                                                                           \
    VEU_CPU_CLONES(bool, measure_##surface##_##lanes,                      \
                   (VeuThread * t, const VeuMessage *m,                    \
                    const VeuFootprintPlan *p, VeuFootprint *f),           \
                   (t, m, p, f))

MEASURE_ALL(slm, 8, true);
MEASURE_ALL(slm, 16, true);
MEASURE_ALL(buffer, 8, false);
MEASURE_ALL(buffer, 16, false);

static VeuMeasureFootprint *measure_of_lanes(const VeuMessage *m)
{
    bool slm = m->surface == VEU_SLM_SURFACE;

    if (m->address.null || m->global_offset.class != VEU_SCALAR_IMMEDIATE) {
        return measure_lanes;
    }
    if (m->lanes == 16) {
        return (slm ? measure_slm_16_clones :
                      measure_buffer_16_clones)[veu_cpu];
    }
    if (m->lanes == 8) {
        return (slm ? measure_slm_8_clones : measure_buffer_8_clones)[veu_cpu];
    }
    return (slm ? measure_slm_some_clones :
                  measure_buffer_some_clones)[veu_cpu];
}

/* Returns false if a lane wraps. */
static inline bool set_last(VeuSteps *s)
{
    uint64_t all, end;

    return !__builtin_mul_overflow(s->step, veu_steps_between(s->active),
                                   &all) &&
           !__builtin_add_overflow(s->first, all, &s->last) &&
           !__builtin_add_overflow(s->last, s->bytes, &end);
}

VEU_CLONED bool measure_svm(VeuThread *t, const VeuMessage *m,
                            const VeuFootprintPlan *p, VeuFootprint *f)
{
    const uint8_t *lane0 = t->registers + m->address.register_byte;
    VeuSteps s = { .active = t->active, .bytes = p->bytes };

    f->conflicts = 0;
    if (!m->address.null &&
        (t->active == 0xffff && m->lanes == 16 ?
             veu_steps_find_qwords_all(lane0, 16, &s) :
             veu_steps_find_qwords_some(lane0, m->lanes, &s)) &&
        set_last(&s) && veu_steps_lines(&s, &f->lines)) {
        return true;
    }
    begin(f);
    VEU_FOR_EACH_LANE(lane, t->active) {
        add_bytes(f, veu_lane_qword(t, &m->address, lane), s.bytes);
    }
    return true;
}

VEU_CPU_CLONES(bool, measure_svm,
               (VeuThread * t, const VeuMessage *m, const VeuFootprintPlan *p,
                VeuFootprint *f),
               (t, m, p, f));

/* A block that is inside as a whole: its bytes are contiguous. */
static bool measure_block(VeuThread *t, const VeuMessage *m,
                          const VeuFootprintPlan *p, VeuFootprint *f)
{
    uint64_t offset;
    VeuRange range;

    if (!find_buffer(t, m, &range) ||
        !veu_fast_scalar(t, &m->global_offset, &offset)) {
        return false;
    }
    offset = (uint64_t)(uint32_t)offset * p->scale;
    if (offset + p->bytes > range.bytes) {
        return false;
    }
    f->conflicts = 0;
    f->lines = veu_lines_between(range.base + offset,
                                 range.base + offset + p->bytes);
    return true;
}

static bool measure_fence(VeuThread *t, const VeuMessage *m,
                          const VeuFootprintPlan *p, VeuFootprint *f)
{
    f->lines = 0;
    f->conflicts = 0;
    return true;
}

/* Only the executor knows which memory is accessed. */
static bool measure_nothing(VeuThread *t, const VeuMessage *m,
                            const VeuFootprintPlan *p, VeuFootprint *f)
{
    return false;
}

static VeuFootprintPlan plan_channels(const VeuMessage *m)
{
    uint32_t first = 4 * __builtin_ctz(m->channels);

    return (VeuFootprintPlan){
        .measure = measure_of_lanes(m),
        .scale = 1,
        .first = first,
        .bytes = 4 * (32 - __builtin_clz(m->channels)) - first,
    };
}

static VeuFootprintPlan plan_elements(const VeuMessage *m)
{
    return (VeuFootprintPlan){
        .measure = measure_of_lanes(m),
        .scale = m->info->unit == VEU_UNIT_ELEMENT ? m->element_bytes : 1,
        .bytes = m->element_bytes,
    };
}

VeuFootprintPlan veu_footprint_plan(const VeuMessage *m)
{
    VeuFootprintPlan plan = {
        .measure = measure_nothing,
        .scale = m->info->unit == VEU_UNIT_OWORD ? m->element_bytes : 1,
        .bytes = m->element_bytes * m->blocks,
    };

    if (is_scaled4(m)) {
        return plan_channels(m);
    }
    if (m->info->execute == veu_execute_gather ||
        m->info->execute == veu_execute_scatter) {
        return plan_elements(m);
    }
    if (m->info->execute == veu_execute_svm_gather ||
        m->info->execute == veu_execute_svm_scatter) {
        plan.measure = measure_svm_clones[veu_cpu];
    } else if (m->info->execute == veu_execute_oword_ld ||
               m->info->execute == veu_execute_oword_st) {
        plan.measure = measure_block;
    } else if (m->info->execute == veu_execute_fence) {
        plan.measure = measure_fence;
    }
    return plan;
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
