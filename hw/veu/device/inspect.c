/*
 * veu device model: its live state, for users and monitors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/device/counters.h"
#include "hw/veu/device/group.h"
#include "hw/veu/device/host/inspect.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/launch_args.h"

/* ---- counters ---- */

void veu_inspect_counters(VeuDevice *d, VeuInspector *v)
{
#define NAME(name, number, text) #name,
    static const char *const names[] = { VEU_COUNTERS(NAME) };
#undef NAME

    veu_counters_gather(d);
    for (unsigned i = 0; i < VEU_COUNTER_COUNT; i++) {
        v->number(v, names[i], d->counter[i]);
    }
}

/* ---- faults ---- */

typedef enum Kind {
    NUMBER,
    MASK
} Kind;

typedef struct Field {
    const char *name;
    uint8_t at;
    uint8_t bytes;
    Kind kind;
    uint64_t none; /* the value that means "does not apply" */
} Field;

#define FIELD_BYTES(name) sizeof(((struct veu_fault_record *)0)->name)
#define FIELD(name, kind, none)                                                \
    { #name, offsetof(struct veu_fault_record, name), FIELD_BYTES(name), kind, \
      none },
static const Field fault_fields[] = { VEU_FAULT_FIELDS(FIELD) };
#undef FIELD

/* A new field is a row of VEU_FAULT_FIELDS, or is inspected by name below. */
#define PLUS_BYTES(name, kind, none) +FIELD_BYTES(name)
_Static_assert(sizeof(struct veu_fault_record) ==
                   FIELD_BYTES(code) + FIELD_BYTES(command) +
                       FIELD_BYTES(access) + FIELD_BYTES(message_opcode) +
                       FIELD_BYTES(message_sub) + FIELD_BYTES(reserved) +
                       FIELD_BYTES(address) VEU_FAULT_FIELDS(PLUS_BYTES),
               "a field of the record is missing");
#undef PLUS_BYTES

static void inspect_field(const struct veu_fault_record *f, const Field *field,
                          VeuInspector *v)
{
    uint64_t value = 0;

    memcpy(&value, (const uint8_t *)f + field->at, field->bytes);
    if (value == field->none) {
        return;
    }
    if (field->kind == MASK) {
        v->bits(v, field->name, value);
    } else {
        v->number(v, field->name, value);
    }
}

/* What was accessed. 0 is an address, too. */
static void inspect_access(const struct veu_fault_record *f, VeuInspector *v)
{
    if (f->access != VEU_ACCESS_NONE) {
        v->text(v, "access", f->access == VEU_ACCESS_READ ? "read" : "write");
        v->bits(v, "address", f->address);
    }
}

/* The opcodes in the record. */
static void inspect_opcodes(const struct veu_fault_record *f, VeuInspector *v)
{
    const uint8_t code[] = { f->message_opcode, f->message_sub };
    const VeuCommandInfo *command = veu_command_find(f->command);
    const VeuMessageInfo *message = veu_message_find(code, sizeof(code));

    if (command) {
        v->text(v, "command", command->name);
    }
    if (message) {
        v->text(v, "message", message->mnemonic);
    }
}

static void inspect_fault(const struct veu_fault_record *f, VeuInspector *v)
{
    const VeuFaultInfo *info = veu_fault_info(f->code);

    if (!info) {
        v->text(v, "fault", "none");
        return;
    }
    v->text(v, "fault", info->name);
    v->text(v, "cause", info->cause);
    inspect_opcodes(f, v);
    inspect_access(f, v);
    for (unsigned i = 0; i < VEU_ARRAY_SIZE(fault_fields); i++) {
        inspect_field(f, &fault_fields[i], v);
    }
}

void veu_inspect_last_fault(VeuDevice *d, VeuInspector *v)
{
    const struct veu_fault_record *last = &d->ring[0].last_fault;

    for (uint32_t i = 1; i < d->config.rings; i++) {
        const struct veu_fault_record *f = &d->ring[i].last_fault;

        if (f->code && (!last->code || f->time > last->time)) {
            last = f;
        }
    }
    inspect_fault(last, v);
}

/* ---- rings ---- */

static void inspect_register(const VeuRing *ring, unsigned row, VeuInspector *v)
{
    const VeuRegister *r = &veu_ring_registers[row];
    uint64_t value = veu_ring_get(ring, row);
    const char *name = veu_ring_value_name(row, value);

    if (row == VEU_ROW_RING_LAST_FAULT) {
        return; /* as a whole, below */
    }
    if (name) {
        v->text(v, r->name, name);
    } else if (r->bytes == 8) {
        v->bits(v, r->name, value);
    } else {
        v->number(v, r->name, value);
    }
}

static void inspect_progress(const VeuRing *ring, VeuInspector *v)
{
    const VeuCommand *c = &ring->command;

    if (c->begun && c->info->is_launch) {
        v->number(v, "groups", veu_launch_args(ring)->groups);
        v->number(v, "groups_begun",
                  veu_launch_is_kernel(ring) ? veu_groups_begun(ring->launch) :
                                               ring->launch->next_group);
    } else if (c->bytes_done) {
        v->number(v, "bytes_done", c->bytes_done);
    } else if (c->waits && c->deadline_ns != VEU_NO_DEADLINE) {
        v->number(v, "deadline_ns", c->deadline_ns);
    }
}

/* A waiting request. @group: its group, or VEU_FAULT_NOT_APPLICABLE. */
static void inspect_request(const VeuRequest *r, uint32_t group,
                            VeuInspector *v)
{
    char name[24];

    if (!veu_request_waits(r)) {
        return;
    }
    if (group == VEU_FAULT_NOT_APPLICABLE) {
        snprintf(name, sizeof(name), "request");
    } else {
        snprintf(name, sizeof(name), "request-%" PRIu32, group);
    }
    v->open(v, name);
    v->text(v, "waits_for", r->state == VEU_REQUEST_OPEN ? "response" : "room");
    v->number(v, "id", r->id);
    v->number(v, "asked", r->asked);
    v->close(v);
}

/* Requests of the command itself, and of groups of its launch. */
static void inspect_requests(const VeuRing *ring, VeuInspector *v)
{
    const VeuLaunch *l = ring->launch;
    bool runs = ring->command.info->is_launch && ring->command.begun &&
                l->phase == VEU_LAUNCH_RUN;

    inspect_request(&ring->request, VEU_FAULT_NOT_APPLICABLE, v);
    if (runs && veu_launch_is_kernel(ring)) {
        for (uint32_t i = 0; i < l->groups.count; i++) {
            inspect_request(&l->groups.group[i].request,
                            l->groups.group[i].number, v);
        }
    } else if (runs) {
        for (unsigned n = 0; n < l->slice_count; n++) {
            inspect_request(&l->slice[n].request, l->slice[n].group, v);
        }
    }
}

static void inspect_command(const VeuRing *ring, VeuInspector *v)
{
    const VeuCommand *c = &ring->command;

    v->open(v, "command");
    v->text(v, "name", c->info->name);
    v->number(v, "slot", c->slot);
    v->number(v, "tag", c->header.tag);
    v->number(v, "cost", c->cost);
    if (c->injected & VEU_INJECTED_HOLD) {
        v->text(v, "held", "yes");
    }
    inspect_progress(ring, v);
    inspect_requests(ring, v);
    v->close(v);
}

/*
 * The current values, without a snapshot. @first: the row of the first counter.
 */
static void inspect_work(const VeuRegister *first, const uint64_t *counter,
                         VeuInspector *v)
{
    for (unsigned i = 0; i < VEU_WORK_COUNTERS; i++) {
        v->number(v, first[i].name, counter[i]);
    }
}

void veu_inspect_ring(VeuDevice *d, uint32_t number, VeuInspector *v)
{
    const VeuRing *ring = &d->ring[number];

    for (unsigned i = 0; i < VEU_ROW_RING_COUNTER_COMMANDS; i++) {
        inspect_register(ring, i, v);
    }
    veu_counters_gather(d);
    inspect_work(veu_ring_registers + VEU_ROW_RING_COUNTER_COMMANDS,
                 ring->counter, v);
    v->number(v, "tail", ring->tail);
    v->number(v, "fault_tail", ring->fault_tail);
    v->number(v, "fault_overflow", ring->fault_overflow);
    v->text(v, "asleep", ring->asleep ? "yes" : "no");
    if (ring->command.info) {
        inspect_command(ring, v);
    }
    if (ring->last_fault.code) {
        v->open(v, "last_fault");
        inspect_fault(&ring->last_fault, v);
        v->close(v);
    }
}

/* ---- contexts ---- */

void veu_inspect_context(VeuDevice *d, uint32_t number, VeuInspector *v)
{
    for (unsigned i = 0; i < VEU_ROW_CONTEXT_COUNTER_COMMANDS; i++) {
        const VeuRegister *r = &veu_context_registers[i];

        v->bits(v, r->name, veu_register_get(d->context_reg[number], i));
    }
    v->number(v, "queue_tail", d->queue[number].tail);
    v->number(v, "next_request", d->queue[number].next_id);
    veu_counters_gather(d);
    inspect_work(veu_context_registers + VEU_ROW_CONTEXT_COUNTER_COMMANDS,
                 d->context_counter[number], v);
}
