/*
 * veu device model: its whole state as a stream of bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The layout is the order in which the functions below move the state. For a
 * ring with a launch under way, see state_launch.c.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/device/command.h"
#include "hw/veu/device/counters.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/reset.h"
#include "hw/veu/device/ring_start.h"
#include "hw/veu/device/ring_state.h"
#include "hw/veu/device/state_launch.h"
#include "hw/veu/device/state_programs.h"
#include "hw/veu/device/stream.h"

/* "VEUS", little endian; begins and ends the stream. */
#define STATE_MAGIC 0x53554556u

/*
 * Returns true if a context uses registers that version 8 of the stream added.
 */
static bool has_tables(const VeuDevice *d)
{
    for (uint32_t i = 0; i < d->config.rings; i++) {
        const uint64_t *regs = d->context_reg[i];

        for (unsigned row = VEU_ROW_CONTEXT_ROOT;
             row < VEU_ROW_CONTEXT_COUNTER_COMMANDS; row++) {
            if (veu_register_get(regs, row) !=
                veu_context_registers[row].reset) {
                return true;
            }
        }
        if (veu_context_has_tables(&d->ring[i].context) ||
            veu_ring_is_paused(&d->ring[i])) {
            return true;
        }
    }
    return veu_context_has_tables(&d->scanout.context) ||
           veu_context_has_tables(&d->scanout.last_context);
}

/*
 * Returns true if anything is used that was added together with the rings'
 * counters: times of commands, or the command INVALIDATE.
 */
static bool has_counters(const VeuDevice *d)
{
    bool has = d->shows_rings;

    for (uint32_t i = 0; i < d->config.rings; i++) {
        const VeuRing *ring = &d->ring[i];

        has |= veu_ring_get(ring, VEU_ROW_RING_TIMES) != 0 ||
               (ring->command.info &&
                ring->command.info->opcode == VEU_COMMAND_INVALIDATE);
    }
    return has;
}

/*
 * Uses the oldest version that contains everything in use, so that older
 * devices can load it. Counters that no driver has seen may begin at 0 there.
 */
static bool move_version(VeuDevice *d, VeuStream *s)
{
    s->contexts = d->config.rings;
    s->version = has_counters(d)         ? VEU_STATE_COUNTERS :
                 veu_programs_are_any(d) ? VEU_STATE_PROGRAMS :
                 has_tables(d)           ? VEU_STATE_TABLES :
                 d->host->screen         ? VEU_STATE_FLIPS :
                                           VEU_STATE_OLDEST;
    return veu_stream_u32(s, &s->version) &&
           ((s->version >= VEU_STATE_OLDEST &&
             s->version <= VEU_STATE_VERSION) ||
            veu_stream_refuse(s, "it was saved by another version of veu"));
}

/* The choices made when the devices were created; see the properties. */
static bool move_config(VeuDevice *d, VeuStream *s)
{
    const VeuDeviceConfig *c = &d->config;

    return veu_stream_same(s, STATE_MAGIC, "not a veu state") &&
           move_version(d, s) &&
           veu_stream_same(s, c->rings, "it has another number of rings") &&
           veu_stream_same(s, c->vectors, "it has other vectors") &&
           veu_stream_same(s, c->doorbell_stride_bytes,
                           "its doorbell-stride is another") &&
           veu_stream_same(s, c->eu.undefined, "its undefined is another") &&
           veu_stream_same(s, c->eu.strict_types,
                           "its strict-types is another") &&
           veu_stream_same(s, d->host->wants_kicks,
                           "its deterministic is another") &&
           veu_stream_same(s, d->host->screen != NULL,
                           "only one of the two has a display");
}

static bool move_numbers(VeuStream *s, uint64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!veu_stream_u64(s, &numbers[i])) {
            return false;
        }
    }
    return true;
}

/* Saves or loads the counters of ring @n and of context @n. */
static bool move_work(VeuDevice *d, VeuStream *s, uint32_t n)
{
    return s->version < VEU_STATE_COUNTERS ||
           (move_numbers(s, d->ring[n].counter, VEU_WORK_COUNTERS) &&
            move_numbers(s, d->context_counter[n], VEU_WORK_COUNTERS));
}

static bool move_counters(VeuDevice *d, VeuStream *s)
{
    veu_counters_gather(d);
    d->shows_rings = s->version >= VEU_STATE_COUNTERS;
    return move_numbers(s, d->counter, VEU_COUNTER_COUNT) &&
           veu_stream_registers(s,
                                veu_device_registers + VEU_ROW_COUNTER_COMMANDS,
                                VEU_COUNTER_COUNT,
                                d->reg + VEU_ROW_COUNTER_COMMANDS);
}

/* The slots of a command under way. */
static bool move_slots(VeuRing *ring, VeuStream *s)
{
    VeuCommand *c = &ring->command;
    uint32_t field;

    if (!veu_stream_bytes(s, c->bytes, VEU_SLOT_BYTES)) {
        return false;
    }
    c->info = veu_command_find(c->header.opcode);
    if (!c->info || !veu_stream_bytes(s, c->bytes + VEU_SLOT_BYTES,
                                      (c->info->slots - 1) * VEU_SLOT_BYTES)) {
        return veu_stream_refuse(s, "a command is unknown");
    }
    return !veu_command_bad_field(ring, c->info, &field) ||
           veu_stream_refuse(s, "a command is illegal");
}

/*
 * The progress of a command, without its launch. A command that a rule holds
 * continues at the destination, because it is not a WAIT.
 */
static bool move_progress(VeuRing *ring, VeuStream *s)
{
    VeuCommand *c = &ring->command;
    bool waits = c->waits && !(c->injected & VEU_INJECTED_HOLD);

    if (!veu_stream_bool(s, &waits)) {
        return false;
    }
    if (s->loading) {
        c->waits = waits;
    }
    return veu_stream_u64(s, &c->deadline_ns) &&
           veu_stream_u32(s, &c->bytes_done) && veu_stream_u64(s, &c->cost) &&
           (s->version < VEU_STATE_COUNTERS ||
            veu_stream_u64(s, &c->begin_ns)) &&
           (veu_command_progress_is_legal(ring, waits) ||
            veu_stream_refuse(s, "a command cannot have come so far"));
}

static bool move_command(VeuRing *ring, VeuStream *s)
{
    VeuCommand *c = &ring->command;
    bool under_way = c->info;

    if (!veu_stream_u32(s, &c->slot) || !veu_stream_bool(s, &under_way) ||
        !veu_stream_bool(s, &c->begun)) {
        return false;
    }
    if (!under_way) {
        return true;
    }
    if (!move_slots(ring, s) || !move_progress(ring, s) ||
        !veu_request_move(ring, &ring->request, s) ||
        !veu_programs_move_use(ring, s)) {
        return false;
    }
    return !c->begun || !c->info->is_launch || veu_launch_move(ring, s);
}

/*
 * A disabled ring uses no fault queue: the driver may be creating another one.
 */
static bool move_fault_queue(VeuRing *ring, VeuStream *s)
{
    uint32_t records = veu_ring_get(ring, VEU_ROW_RING_FAULT_RECORDS);

    if (ring->state == VEU_RING_DISABLED) {
        ring->fault_records = 0;
    }
    return veu_stream_u32(s, &ring->fault_records) &&
           veu_stream_u32(s, &ring->fault_tail) &&
           veu_stream_u32(s, &ring->fault_overflow) &&
           (ring->fault_records == 0 || ring->fault_records == records ||
            veu_stream_refuse(s, "a fault queue has another size"));
}

/* The fault whose code RING_LAST_FAULT contains. */
static bool move_last_fault(VeuRing *ring, VeuStream *s)
{
    struct veu_fault_record *f = &ring->last_fault;

    return veu_stream_bytes(s, f, sizeof(*f)) &&
           (f->code == veu_ring_get(ring, VEU_ROW_RING_LAST_FAULT) ||
            veu_stream_refuse(s, "a ring's last fault is another"));
}

/*
 * The distance of the ring's pass from that of the ring that had the last turn,
 * which is 0 in a device that is loaded.
 */
static bool move_pass(VeuRing *ring, VeuStream *s)
{
    uint64_t last = ring->device->pass;
    uint32_t lead = ring->pass > last ? ring->pass - last : 0;

    if (!veu_stream_u32(s, &lead)) {
        return false;
    }
    if (s->loading) {
        ring->pass = lead;
    }
    return true;
}

static bool move_flags(VeuRing *ring, VeuStream *s)
{
    uint32_t state = ring->state;

    if (!veu_stream_upto(s, &state, VEU_RING_HALTED,
                         "a ring's state does not exist")) {
        return false;
    }
    ring->state = state;
    return veu_stream_bool(s, &ring->start) &&
           veu_stream_bool(s, &ring->asleep) &&
           veu_stream_bool(s, &ring->publish) &&
           veu_stream_bool(s, &ring->interrupt);
}

/* Returns true if a ring that takes commands can be in this state. */
static bool check_ring(const VeuRing *ring)
{
    bool runs = ring->state == VEU_RING_RUNNING ||
                ring->state == VEU_RING_DRAINING;

    if (ring->command.info ||
        (ring->state == VEU_RING_RUNNING && !ring->start)) {
        return runs && !ring->start && ring->context.mem.map &&
               !veu_ring_bad_register(ring);
    }
    return true;
}

/* Only contexts with page tables have their number in the stream. */
static void take_context_number(VeuRing *ring)
{
    uint64_t number = veu_ring_get(ring, VEU_ROW_RING_CONTEXT);

    if (!veu_context_has_tables(&ring->context)) {
        ring->context.number = number < ring->device->config.rings ? number : 0;
    }
}

static bool move_context(VeuRing *ring, VeuStream *s)
{
    if (!veu_context_move(&ring->context, ring->device->host, s)) {
        return false;
    }
    if (s->loading) {
        take_context_number(ring);
    }
    return true;
}

static unsigned ring_rows(const VeuStream *s)
{
    return s->version < VEU_STATE_COUNTERS ? VEU_ROW_RING_TIMES : VEU_RING_ROWS;
}

static bool move_ring(VeuRing *ring, VeuStream *s)
{
    s->ring = ring->number;
    return veu_stream_registers(s, veu_ring_registers, ring_rows(s),
                                ring->reg) &&
           move_flags(ring, s) && move_pass(ring, s) &&
           veu_stream_u32(s, &ring->tail) && move_fault_queue(ring, s) &&
           move_last_fault(ring, s) && move_context(ring, s) &&
           move_command(ring, s) &&
           (check_ring(ring) || veu_stream_refuse(s, "a ring cannot be so"));
}

static unsigned context_rows(const VeuStream *s)
{
    return s->version < VEU_STATE_TABLES   ? VEU_ROW_CONTEXT_ROOT :
           s->version < VEU_STATE_COUNTERS ? VEU_ROW_CONTEXT_COUNTER_COMMANDS :
                                             VEU_CONTEXT_ROWS;
}

static bool move_queue(VeuRequestQueue *queue, VeuStream *s)
{
    return s->version < VEU_STATE_TABLES ||
           (veu_stream_u32(s, &queue->tail) &&
            veu_stream_u32(s, &queue->next_id));
}

static bool move_rings(VeuDevice *d, VeuStream *s)
{
    for (uint32_t i = 0; i < d->config.rings; i++) {
        if (!veu_stream_registers(s, veu_context_registers, context_rows(s),
                                  d->context_reg[i]) ||
            !move_queue(&d->queue[i], s) || !move_ring(&d->ring[i], s) ||
            !move_work(d, s, i)) {
            return false;
        }
    }
    s->ring = VEU_EVENT_NO_RING;
    return true;
}

bool veu_device_move(VeuDevice *d, VeuStream *s)
{
    bool ok;

    s->error = NULL;
    s->ring = VEU_EVENT_NO_RING;
    if (s->loading) {
        veu_device_clear(d);
    }
    ok = move_config(d, s) && move_counters(d, s) && veu_programs_move(d, s) &&
         move_rings(d, s) && veu_scanout_move(d, s) &&
         veu_stream_same(s, STATE_MAGIC, "its end is not where it should be");
    if (!ok && s->loading) {
        veu_device_reset(d);
    }
    return ok;
}
