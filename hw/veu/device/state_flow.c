/*
 * veu device model: the state of an EU thread's control flow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Places are saved as offsets in the code, so that they mean the same if a
 * program is decoded differently. Lanes that have ended have none.
 */
#include "hw/veu/device/state_flow.h"
#include "hw/veu/eu/instruction/run.h"

#define NO_OFFSET UINT32_MAX

static uint32_t offset_of(const VeuProgram *p, uint32_t place)
{
    return place < p->instruction_count  ? p->instructions[place].offset :
           place == p->instruction_count ? p->code_bytes :
                                           NO_OFFSET;
}

/*
 * The instruction at the offset, or the end; VEU_FLOW_NOWHERE if there is
 * neither.
 */
static uint32_t place_of(const VeuProgram *p, uint32_t offset)
{
    uint32_t at = veu_find_offset(&p->instructions[0].offset,
                                  p->instruction_count,
                                  sizeof(p->instructions[0]), offset);

    return offset_of(p, at) == offset ? at : VEU_FLOW_NOWHERE;
}

static bool move_place(const VeuProgram *p, uint32_t *place, VeuStream *s)
{
    uint32_t offset = s->loading ? 0 : offset_of(p, *place);

    if (!veu_stream_u32(s, &offset)) {
        return false;
    }
    if (s->loading) {
        *place = place_of(p, offset);
    }
    return *place != VEU_FLOW_NOWHERE ||
           veu_stream_refuse(s, "a lane is at no instruction");
}

/* @lanes: those of the frame that the call created. */
static bool move_frame(const VeuProgram *p, VeuCallFrame *frame, VeuStream *s)
{
    return veu_stream_u32(s, &frame->lanes) &&
           move_place(p, &frame->returns_to, s) &&
           move_place(p, &frame->callee, s);
}

/*
 * The lanes of a frame must be some of those of the frame below it, and not
 * none.
 */
static bool frames_nest(const VeuFlow *f)
{
    uint32_t inner = f->lanes;

    for (uint32_t n = f->depth; n-- > 0;) {
        if (!inner || (inner & ~f->frames[n].lanes)) {
            return false;
        }
        inner = f->frames[n].lanes;
    }
    return true;
}

/* All lanes that have not ended. */
static uint32_t all_lanes(const VeuFlow *f)
{
    return f->depth ? f->frames[0].lanes : f->lanes;
}

static bool move_frames(const VeuProgram *p, VeuFlow *f, VeuStream *s)
{
    if (!veu_stream_u32(s, &f->lanes) ||
        !veu_stream_upto(s, &f->depth, VEU_LIMIT_CALLS,
                         "an EU thread has too many calls")) {
        return false;
    }
    for (uint32_t n = 0; n < f->depth; n++) {
        if (!move_frame(p, &f->frames[n], s)) {
            return false;
        }
    }
    if (all_lanes(f) & ~(UINT32_MAX >> (32 - p->simd))) {
        return veu_stream_refuse(s, "an EU thread has lanes that do not exist");
    }
    return frames_nest(f) || veu_stream_refuse(s, "calls do not nest");
}

static bool move_places(const VeuProgram *p, VeuFlow *f, VeuStream *s)
{
    uint32_t lanes = all_lanes(f);

    for (unsigned lane = 0; lane < VEU_MAX_LANES; lane++) {
        if (lanes >> lane & 1 && !move_place(p, &f->place[lane], s)) {
            return false;
        }
    }
    return true;
}

static bool move_work(const VeuProgram *p, VeuFlow *f, VeuStream *s)
{
    return veu_stream_upto(s, &f->cost, VEU_INSTRUCTION_UNIT - 1,
                           "an EU thread owes too much work") &&
           veu_stream_bytes(s, &f->work, sizeof(f->work)) &&
           veu_stream_bytes(s, f->states,
                            p->state_count * sizeof(f->states[0]));
}

static bool move_flow(const VeuProgram *p, VeuFlow *f, VeuStream *s)
{
    if (!s->loading) {
        veu_flow_park(f);
    }
    if (!move_frames(p, f, s) || !move_places(p, f, s) || !move_work(p, f, s)) {
        return false;
    }
    if (s->loading) {
        veu_flow_choose(f);
    }
    return true;
}

bool veu_registers_move(VeuThread *t, VeuStream *s)
{
    const VeuProgram *p = t->program;

    return veu_stream_bytes(s, t->predicates,
                            p->predicate_count * sizeof(t->predicates[0])) &&
           veu_stream_bytes(s, t->addresses,
                            p->address_element_count *
                                sizeof(t->addresses[0])) &&
           veu_stream_bytes(s, t->registers, p->register_bytes) &&
           (p->kind == VEU_PROGRAM_MESSAGES || move_flow(p, t->flow, s));
}
