/*
 * veu device model: injected faults: commands, EU threads, and the actions of
 * rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_piece.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/page_walk.h"
#include "hw/veu/device/ring_state.h"

/* ---- rules ---- */

const char *veu_inject_action_name(VeuInjectAction action)
{
    static const char *const names[] = {
        [VEU_INJECT_FAULT] = "fault", [VEU_INJECT_DELAY] = "delay",
        [VEU_INJECT_DROP] = "drop",   [VEU_INJECT_CORRUPT] = "corrupt",
        [VEU_INJECT_MISS] = "miss",   [VEU_INJECT_HANG] = "hang",
    };

    return names[action];
}

/* splitmix64, for which any seed is good. */
uint64_t veu_inject_random(VeuInjectRule *rule)
{
    uint64_t z = rule->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

bool veu_inject_looks(const VeuInjectRule *rule, const VeuRing *ring,
                      uint8_t point)
{
    return (rule->points & point) && (rule->rings >> ring->number & 1);
}

bool veu_inject_decide(VeuRing *ring, unsigned n)
{
    VeuInjectRule *r = &ring->device->inject.rules.rule[n];

    r->matched++;
    if ((r->nth && r->matched != r->nth) ||
        (r->every && r->matched % r->every) ||
        (r->probability < VEU_INJECT_ALWAYS &&
         veu_inject_random(r) % VEU_INJECT_ALWAYS >= r->probability)) {
        return false;
    }
    r->fired++;
    veu_emit(ring->device,
             &(VeuEvent){ .kind = VEU_EVENT_INJECT,
                          .ring = ring->number,
                          .name = veu_inject_action_name(r->action),
                          .at = n,
                          .value = r->fired });
    return true;
}

bool veu_inject_has_pages(const VeuInjectRule *rule, const VeuRing *ring)
{
    return rule->action != VEU_INJECT_MISS ||
           veu_context_has_tables(&ring->context);
}

/* The points at which rules apply to the ring. */
static uint8_t points_of(const VeuRing *ring, const VeuInjectRules *rules)
{
    uint8_t points = 0;

    for (unsigned i = 0; i < rules->count; i++) {
        if (rules->rule[i].rings >> ring->number & 1) {
            points |= rules->rule[i].points;
        }
    }
    return points;
}

void veu_device_inject(VeuDevice *d, const VeuInjectRules *rules)
{
    d->inject.rules = *rules;
    for (unsigned i = 0; i < d->config.rings; i++) {
        d->ring[i].injects = points_of(&d->ring[i], rules);
    }
}

void veu_inspect_inject(VeuDevice *d, VeuInspector *v)
{
    const VeuInjectRules *rules = &d->inject.rules;

    for (unsigned i = 0; i < rules->count; i++) {
        const VeuInjectRule *r = &rules->rule[i];
        char name[16];

        snprintf(name, sizeof(name), "rule[%u]", i);
        v->open(v, name);
        v->text(v, "rule", rules->split + r->text_at);
        v->number(v, "matched", r->matched);
        v->number(v, "fired", r->fired);
        v->close(v);
    }
}

/* ---- holding a ring ---- */

/* If several rules hold the ring, the longest hold counts. */
void veu_inject_hold(VeuRing *ring, uint64_t delay_ns)
{
    VeuHost *host = ring->device->host;
    VeuCommand *c = &ring->command;
    uint64_t end = delay_ns == VEU_NO_DEADLINE ? VEU_NO_DEADLINE :
                                                 host->now_ns(host) + delay_ns;

    c->deadline_ns = c->injected & VEU_INJECTED_HOLD ?
                         MAX(c->deadline_ns, end) :
                         end;
    c->injected |= VEU_INJECTED_HOLD;
}

bool veu_inject_holds(VeuRing *ring)
{
    VeuHost *host = ring->device->host;
    VeuCommand *c = &ring->command;

    return (c->injected & VEU_INJECTED_HOLD) &&
           (c->deadline_ns == VEU_NO_DEADLINE ||
            host->now_ns(host) < c->deadline_ns);
}

/* ---- commands ---- */

/* The addresses in a command itself, not those of its launch. */
typedef struct Access {
    uint64_t address;
    uint32_t bytes;
    enum veu_access access;
} Access;

bool veu_inject_in_range(const VeuInjectRule *rule, uint64_t address,
                         uint64_t bytes)
{
    uint64_t last = address + (bytes - 1);

    last = last < address ? UINT64_MAX : last;
    return !rule->has_range || (bytes && address <= rule->last_address &&
                                last >= rule->first_address);
}

static Access load_access(const VeuCommand *c, const VeuCommandAccess *row)
{
    Access a = { .bytes = sizeof(uint64_t), .access = row->how };

    memcpy(&a.address, c->bytes + row->address_at, sizeof(a.address));
    if (row->bytes_at) {
        memcpy(&a.bytes, c->bytes + row->bytes_at, sizeof(a.bytes));
    }
    return a;
}

/*
 * Finds the command's first access to an address in the rule's range, and only
 * a write if @writes is set. Returns false if there is none.
 */
static bool find_access(const VeuInjectRule *rule, const VeuCommand *c,
                        bool writes, Access *access)
{
    for (unsigned i = 0; i < VEU_COMMAND_ACCESSES; i++) {
        const VeuCommandAccess *row = &c->info->access[i];

        if (row->how == VEU_ACCESS_NONE ||
            (writes && row->how != VEU_ACCESS_WRITE)) {
            continue;
        }
        *access = load_access(c, row);
        if (veu_inject_in_range(rule, access->address, access->bytes)) {
            return true;
        }
    }
    return false;
}

static bool matches_command(const VeuRing *ring, const VeuInjectRule *r,
                            Access *access)
{
    const VeuCommand *c = &ring->command;
    bool has_access = find_access(r, c, r->action == VEU_INJECT_CORRUPT,
                                  access);

    return veu_inject_looks(r, ring, VEU_INJECT_COMMAND) &&
           veu_inject_has_pages(r, ring) &&
           (r->commands >> c->header.opcode & 1) &&
           (has_access || !r->has_range);
}

/* As run_copy() and its like would, at the first byte. */
static VeuRun fault_memory(VeuRing *ring, const Access *a)
{
    uint32_t in_page = VEU_PAGE_BYTES - a->address % VEU_PAGE_BYTES;

    return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, a->address,
                                    MIN(a->bytes, in_page), a->access);
}

static VeuRun fault_command(VeuRing *ring, const VeuInjectRule *rule,
                            const Access *access)
{
    VeuFault fault;

    if (rule->fault == VEU_FAULT_COMMAND_MEMORY) {
        return fault_memory(ring, access);
    }
    if (rule->fault < VEU_FAULT_COMMAND_OPCODE) {
        veu_fault_form(&fault, rule->fault, 0);
        veu_ring_halt(ring, &fault);
        return VEU_RUN_FAULT;
    }
    return veu_command_fault(ring, rule->fault, 0);
}

/*
 * A fence stores the wrong value from the start, because a driver that waits
 * for it must never see the right one. For other commands, drivers wait for the
 * head.
 */
static void corrupt_command(VeuRing *ring, VeuInjectRule *rule, const Access *a)
{
    VeuCommand *c = &ring->command;
    uint64_t random = veu_inject_random(rule);

    if (c->header.opcode == VEU_COMMAND_FENCE) {
        c->fence.value ^= UINT64_C(1) << random % 64;
    } else if (a->bytes) {
        c->injected |= VEU_INJECTED_CORRUPT;
        c->corrupt_address = a->address + (random >> 8) % a->bytes;
        c->corrupt_mask = 1u << random % 8;
    }
}

/* The part of the access in the rule's range is missed: miss_page(). */
static void plan_miss(VeuRing *ring, const VeuInjectRule *rule, const Access *a)
{
    VeuCommand *c = &ring->command;
    uint64_t address = rule->has_range ? MAX(a->address, rule->first_address) :
                                         a->address;

    if (a->bytes) {
        c->injected |= VEU_INJECTED_MISS;
        c->miss_address = address;
        c->miss_bytes = a->bytes - (address - a->address);
        c->miss_access = a->access;
        c->miss_delay_ns = rule->delay_ns;
    }
}

static VeuRun fire_at_command(VeuRing *ring, VeuInjectRule *rule,
                              const Access *access)
{
    switch (rule->action) {
    case VEU_INJECT_FAULT:
        return fault_command(ring, rule, access);
    case VEU_INJECT_DROP:
        ring->command.injected |= rule->drops;
        break;
    case VEU_INJECT_CORRUPT:
        corrupt_command(ring, rule, access);
        break;
    case VEU_INJECT_MISS:
        plan_miss(ring, rule, access);
        break;
    default:
        veu_inject_hold(ring, rule->delay_ns);
        break;
    }
    return VEU_RUN_MORE;
}

VeuRun veu_inject_at_command(VeuRing *ring)
{
    VeuInjectRules *rules = &ring->device->inject.rules;
    VeuRun run = VEU_RUN_MORE;

    for (unsigned i = 0; i < rules->count && run == VEU_RUN_MORE; i++) {
        Access access = { 0 };

        if (matches_command(ring, &rules->rule[i], &access) &&
            veu_inject_decide(ring, i)) {
            run = fire_at_command(ring, &rules->rule[i], &access);
        }
    }
    return run;
}

void veu_inject_flip(uint8_t *byte, uint8_t mask)
{
    __atomic_fetch_xor(byte, mask, __ATOMIC_RELAXED);
}

/*
 * The command has stored there: memory that has disappeared since is no error.
 */
static void corrupt_store(VeuRing *ring)
{
    VeuMem *mem = &ring->context.mem;
    uint32_t bytes = 1;
    uint8_t *at = mem->map(mem, ring->command.corrupt_address, &bytes,
                           VEU_ACCESS_WRITE);

    if (at) {
        veu_inject_flip(at, ring->command.corrupt_mask);
    }
}

void veu_inject_miss(VeuRing *ring, VeuMem *mem, uint64_t address,
                     enum veu_access access, uint64_t delay_ns)
{
    veu_mem_miss(mem, address, access, veu_walk_detail(VEU_WALK_NOT_VALID, 1),
                 true);
    if (delay_ns && mem->asks) {
        veu_inject_hold(ring, delay_ns);
    }
}

/* Runs in place of the first piece, which finds the page when it runs again. */
static VeuRun miss_page(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    Access access = { c->miss_address, c->miss_bytes, c->miss_access };

    c->injected &= ~VEU_INJECTED_MISS;
    veu_inject_miss(ring, &ring->context.mem, c->miss_address, c->miss_access,
                    c->miss_delay_ns);
    return fault_memory(ring, &access);
}

VeuRun veu_inject_run(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    VeuRun run;

    if (c->injected & VEU_INJECTED_MISS) {
        return miss_page(ring);
    }
    if (veu_inject_holds(ring)) {
        return VEU_RUN_WAIT;
    }
    c->injected &= ~VEU_INJECTED_HOLD;
    run = c->injected & VEU_INJECTED_DROP_STORE ? VEU_RUN_DONE :
                                                  veu_command_do_piece(ring);
    if (run == VEU_RUN_DONE && (c->injected & VEU_INJECTED_CORRUPT)) {
        corrupt_store(ring);
    }
    return run;
}

/* ---- EU threads ---- */

uint16_t veu_inject_at_thread(VeuRing *ring, uint8_t point)
{
    VeuInjectRules *rules = &ring->device->inject.rules;

    for (unsigned i = 0; i < rules->count; i++) {
        VeuInjectRule *r = &rules->rule[i];

        if (veu_inject_looks(r, ring, point) &&
            (r->commands >> ring->command.header.opcode & 1) &&
            veu_inject_decide(ring, i)) {
            return r->fault;
        }
    }
    return VEU_FAULT_NONE;
}
