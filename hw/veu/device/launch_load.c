/*
 * veu device model: launches: program and surfaces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Launches". Everything is checked before the first EU thread
 * runs, so a refused command has no effect.
 */
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/rule.h"
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/group.h"
#include "hw/veu/device/kernel.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/launch_load.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/eu/zero.h"

void veu_launch_forget(VeuLaunch *l)
{
    l->form = 0;
    memset(l->known, false, sizeof(l->known));
    l->has_again = false;
}

/* A program of instructions may have entries that are never accessed. */
bool veu_launch_decode_surface(VeuLaunch *l, uint32_t index, uint32_t *field)
{
    if (l->program->kind == VEU_PROGRAM_INSTRUCTIONS &&
        veu_is_zero(&l->descriptors[index], sizeof(l->descriptors[0]))) {
        l->surfaces.surface[index] = (VeuSurface){ .type = VEU_SURFACE_NULL };
        return true;
    }
    return veu_surface_decode(&l->descriptors[index],
                              &l->surfaces.surface[index], field);
}

static uint64_t descriptor_address(const VeuRing *ring, uint32_t entry)
{
    return veu_launch_args(ring)->surface_table +
           entry * sizeof(struct veu_surface);
}

/*
 * Returns true if the descriptor is the one that was last decoded for that
 * entry.
 */
static bool knows_surface(VeuRing *ring, uint32_t entry)
{
    const VeuLaunch *l = ring->launch;

    return l->known[entry] &&
           veu_mem_equals(&ring->context.mem, descriptor_address(ring, entry),
                          &l->descriptors[entry]);
}

static bool read_surface(VeuRing *ring, uint32_t entry)
{
    VeuLaunch *l = ring->launch;
    uint64_t failed;

    if (knows_surface(ring, entry)) {
        return true;
    }
    l->known[entry] = false;
    if (veu_mem_read(&ring->context.mem, descriptor_address(ring, entry),
                     &l->descriptors[entry], sizeof(l->descriptors[0]),
                     &failed)) {
        return true;
    }
    veu_command_memory_fault(ring, VEU_FAULT_SURFACE_TABLE, failed,
                             l->surfaces.count * sizeof(l->descriptors[0]),
                             VEU_ACCESS_READ);
    return false;
}

static bool check_surface(VeuRing *ring, uint32_t entry)
{
    VeuLaunch *l = ring->launch;
    uint32_t field;

    if (!l->known[entry] && !veu_launch_decode_surface(l, entry, &field)) {
        veu_command_fault(ring, VEU_FAULT_SURFACE_FIELD,
                          entry * sizeof(l->descriptors[0]) + field);
        return false;
    }
    /* An all-zero descriptor is null in programs of instructions only. */
    l->known[entry] = !veu_is_zero(&l->descriptors[entry],
                                   sizeof(l->descriptors[0]));
    return true;
}

/*
 * Returns true if every surface entry that messages name and the table contains
 * satisfies @are.
 */
static inline bool all_surfaces(VeuRing *ring,
                                bool (*are)(VeuRing *ring, uint32_t entry))
{
    const VeuProgram *p = ring->launch->program;
    uint32_t count = ring->launch->surfaces.count;

    for (uint32_t i = 0; i < p->entry_count && p->entries[i] < count; i++) {
        if (!are(ring, p->entries[i])) {
            return false;
        }
    }
    return true;
}

/* A piece that may request pages begins without an open request. */
static bool has_asked(const VeuRing *ring)
{
    return ring->context.mem.asks && ring->request.state != VEU_REQUEST_NONE;
}

/* The last step of loading: reads all surfaces, then checks them. */
static VeuRun load_surfaces(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    uint32_t count = veu_launch_args(ring)->surface_count;
    bool is_same = l->surfaces.count == count;

    l->surfaces.count = count;
    is_same = all_surfaces(ring, knows_surface) && is_same;
    if (!is_same) {
        veu_mem_forget_windows(&ring->context.mem);
        if (!all_surfaces(ring, read_surface) ||
            !all_surfaces(ring, check_surface)) {
            return has_asked(ring) ? VEU_RUN_BLOCKED : VEU_RUN_FAULT;
        }
    }
    l->phase = VEU_LAUNCH_RUN;
    return VEU_RUN_MORE;
}

VeuRun veu_launch_load_fault(VeuRing *ring, const VeuProgram *p,
                             const VeuFault *fault, uint32_t offset)
{
    VeuFaultPlace place = {
        .group = VEU_FAULT_NOT_APPLICABLE,
        .thread = VEU_FAULT_NOT_APPLICABLE,
        .message_offset = offset,
    };

    if (offset < p->code_bytes) {
        const VeuMessageInfo *info = veu_message_find(p->code + offset,
                                                      p->code_bytes - offset);

        place.opcode = p->code[offset];
        place.sub = info ? info->sub : 0;
    }
    veu_fault_record(ring, fault, &place);
    return VEU_RUN_FAULT;
}

bool veu_launch_misfit(const VeuRing *ring, uint32_t *at)
{
    const VeuProgram *program = ring->launch->program;

    if (veu_launch_is_kernel(ring)) {
        return veu_kernel_misfit(&ring->command.kernel, program, at);
    }
    VEU_RULE(struct veu_command_dispatch, launch.code_bytes,
             veu_launch_is_inline(ring) && program->message_count != 1);
    if (veu_launch_bad_size(veu_launch_args(ring), program, at)) {
        *at += offsetof(struct veu_command_dispatch, launch);
        return true;
    }
    return false;
}

/* The end of loading: checks what is known only now. */
static VeuRun check_sizes(VeuRing *ring)
{
    uint32_t field;

    if (veu_launch_misfit(ring, &field)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, field);
    }
    veu_launch_set_up_slices(ring, 0);
    if (veu_launch_is_kernel(ring)) {
        veu_groups_begin(ring);
    }
    if (veu_launch_is_inline(ring)) {
        ring->launch->again = ring->command.message;
        ring->launch->has_again = true;
    }
    return load_surfaces(ring);
}

/* Everything a program is opened with, except its bytes; never 0. */
static uint64_t form_of(const struct veu_launch *args)
{
    uint64_t form;

    memcpy(&form, &args->code_bytes, sizeof(form));
    return form;
}

_Static_assert(offsetof(struct veu_launch, surface_table) -
                       offsetof(struct veu_launch, code_bytes) ==
                   sizeof(uint64_t),
               "form_of() has code_bytes to predicate_count");

/*
 * A program that is already decoded takes as many pieces as one that is not, so
 * that the cost of a launch does not depend on earlier ones.
 */
static VeuRun pass_messages(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;

    if (l->passed_messages < veu_program_length(l->own)) {
        l->passed_messages += VEU_DECODE_MESSAGES;
    }
    return !l->hurries && l->passed_messages < veu_program_length(l->own) ?
               VEU_RUN_MORE :
               check_sizes(ring);
}

VeuRun veu_launch_decode(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    uint32_t offset;
    VeuFault fault;

    if (l->form) {
        return pass_messages(ring);
    }
    switch (veu_program_decode(
        l->own, l->hurries ? UINT_MAX : VEU_DECODE_MESSAGES, &fault, &offset)) {
    case VEU_LOAD_MORE:
        return VEU_RUN_MORE;
    case VEU_LOAD_DONE:
        l->form = form_of(veu_launch_args(ring));
        /* If the surface table must be waited for, only that is left. */
        l->passed_messages = veu_program_length(l->own);
        return check_sizes(ring);
    default:
        return veu_launch_load_fault(ring, l->own, &fault, offset);
    }
}

static bool open_inline(VeuRing *ring, VeuFault *fault)
{
    const struct veu_command_message *c = &ring->command.message;

    if (veu_program_open_inline(ring->launch->own, c->launch.simd,
                                c->launch.grf_bytes, c->variables,
                                c->launch.variable_count,
                                c->launch.predicate_count, c->message,
                                c->launch.code_bytes, fault)) {
        return true;
    }
    return veu_fault_form(fault, VEU_FAULT_COMMAND_FIELD,
                          offsetof(struct veu_command_message, variables) +
                              fault->detail);
}

bool veu_launch_open(VeuRing *ring, VeuFault *fault)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;

    l->form = 0;
    return veu_launch_is_inline(ring) ?
               open_inline(ring, fault) :
               veu_program_open(l->own, l->code, args->code_bytes, args->simd,
                                fault);
}

bool veu_launch_has_wrong_kind(const VeuRing *ring)
{
    return veu_launch_is_kernel(ring) &&
           ring->launch->program->kind != VEU_PROGRAM_INSTRUCTIONS;
}

/*
 * The program has been copied: opening it and decoding the first messages is
 * one piece.
 */
static VeuRun open_program(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    VeuFault fault;

    if (l->form != form_of(veu_launch_args(ring)) &&
        !veu_launch_open(ring, &fault)) {
        return veu_command_fault(ring, fault.code, fault.detail);
    }
    if (veu_launch_has_wrong_kind(ring)) {
        l->form = 0;
        return veu_command_fault(ring, VEU_FAULT_PROGRAM_FIELD,
                                 offsetof(struct veu_program_header, kind));
    }
    l->passed_messages = 0;
    l->phase = VEU_LAUNCH_DECODE;
    return veu_launch_decode(ring);
}

/*
 * Takes a copied part of the program. Copies are compared, because guest memory
 * may change at any time.
 */
static void take_code(VeuLaunch *l, const void *copy, uint32_t bytes)
{
    uint8_t *code = l->code + l->copied_bytes;

    if (memcmp(code, copy, bytes)) {
        l->form = 0;
        memcpy(code, copy, bytes);
    }
    l->copied_bytes += bytes;
}

VeuRun veu_launch_read_code(VeuRing *ring, uint64_t address, void *to,
                            uint32_t bytes, uint32_t all)
{
    VeuMem *mem = &ring->context.mem;
    uint64_t failed;

    if (!veu_mem_read(mem, address, to, bytes, &failed)) {
        veu_mem_probe(mem, failed, address + bytes - failed, VEU_ACCESS_READ);
        return veu_command_memory_fault(ring, VEU_FAULT_PROGRAM_MEMORY, failed,
                                        all, VEU_ACCESS_READ);
    }
    ring->cost += bytes / VEU_COST_BYTES;
    return VEU_RUN_MORE;
}

/* Copies the program in chunks, then reads its header. */
VeuRun veu_launch_copy(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;
    uint32_t bytes = args->code_bytes - l->copied_bytes;
    VeuRun run;

    bytes = bytes < VEU_LOAD_BYTES ? bytes : VEU_LOAD_BYTES;
    run = veu_launch_read_code(ring, args->code_address + l->copied_bytes,
                               l->copy, bytes, args->code_bytes);
    if (run != VEU_RUN_MORE) {
        return run;
    }
    take_code(l, l->copy, bytes);
    if (l->copied_bytes < args->code_bytes) {
        return VEU_RUN_MORE;
    }
    return open_program(ring);
}

/* Takes variables and message of an inline message from the command. */
static VeuRun take_inline(VeuRing *ring)
{
    const struct veu_command_message *c = &ring->command.message;
    const uint32_t at = offsetof(struct veu_command_message, variables);
    const uint8_t *copy = ring->command.bytes + at;
    VeuLaunch *l = ring->launch;
    uint32_t field;

    if (l->form == form_of(&c->launch) &&
        !memcmp(l->code, copy, sizeof(*c) - at)) {
        return open_program(ring);
    }
    l->form = 0;
    if (veu_message_bad_rest(c, &field)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, field);
    }
    memcpy(l->code, copy, sizeof(*c) - at);
    return open_program(ring);
}

bool veu_launch_bad_field(VeuRing *ring, uint32_t *at)
{
    if (veu_launch_is_kernel(ring)) {
        veu_kernel_to_launch(&ring->command.kernel, &ring->launch->kernel_args);
        return veu_kernel_bad_field(&ring->command.kernel, at);
    }
    return veu_launch_is_inline(ring) ?
               veu_message_bad_field(&ring->command.message, at) :
               veu_dispatch_bad_field(&ring->command.dispatch, at);
}

/*
 * Returns true if an inline message equals the last one, except for the
 * addresses of its surfaces, payload and result. It is then known to be legal,
 * and is decoded.
 */
static bool is_again(const VeuRing *ring)
{
    const struct veu_command_message *a = &ring->command.message;
    const struct veu_command_message *b = &ring->launch->again;

#define SAME(from, to)                                                    \
    !memcmp((const uint8_t *)a + AT(from), (const uint8_t *)b + AT(from), \
            AT(to) - AT(from))
#define AT(field) offsetof(struct veu_command_message, field)
    return ring->launch->has_again && veu_launch_is_inline(ring) &&
           SAME(launch.code_address, launch.surface_table) &&
           SAME(launch.surface_count, launch.payload_address) &&
           SAME(launch.payload_stride, message[sizeof(a->message)]);
#undef AT
#undef SAME
}

static VeuRun begin_again(VeuRing *ring)
{
    veu_launch_reset_slices(ring->launch);
    return load_surfaces(ring);
}

void veu_launch_use_loaded(VeuRing *ring)
{
    ring->launch->program = ring->command.loaded->program;
}

/* The field for the lanes if the program was loaded for others, or 0. */
static uint32_t bad_lanes(const VeuRing *ring)
{
    if (veu_launch_args(ring)->simd == ring->command.loaded->simd) {
        return 0;
    }
    return veu_launch_is_kernel(ring) ?
               offsetof(struct veu_command_kernel, simd) :
               offsetof(struct veu_command_dispatch, launch.simd);
}

/* Nothing is copied or decoded, so this is a single piece. */
static VeuRun begin_loaded(VeuRing *ring)
{
    uint32_t handle = veu_launch_args(ring)->code_address;
    VeuCommand *c = &ring->command;

    /* After a wait for pages, the command already has the program. */
    if (!c->loaded) {
        c->loaded = veu_programs_find(ring->device, ring->context.number,
                                      handle);
    }
    if (!c->loaded || c->loaded->state < VEU_LOADED_READY) {
        return veu_command_fault(ring, VEU_FAULT_PROGRAM_HANDLE, handle);
    }
    if (bad_lanes(ring)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD,
                                 bad_lanes(ring));
    }
    veu_launch_use_loaded(ring);
    return veu_launch_has_wrong_kind(ring) ?
               veu_command_fault(ring, VEU_FAULT_PROGRAM_FIELD,
                                 offsetof(struct veu_program_header, kind)) :
               check_sizes(ring);
}

static VeuRun begin_anew(VeuRing *ring)
{
    uint32_t field;
    bool is_bad = veu_launch_bad_field(ring, &field);

    ring->launch->has_again = false;
    if (is_bad) {
        ring->command.begun = false;
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, field);
    }
    if (veu_launch_is_inline(ring)) {
        return take_inline(ring);
    }
    return veu_launch_is_of_loaded(ring) ? begin_loaded(ring) : VEU_RUN_MORE;
}

VeuRun veu_launch_begin(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    VeuRun run;

    l->copied_bytes = 0;
    l->hurries = false;
    l->program = l->own;
    ring->command.cost = 0;
    l->next_group = 0;
    l->phase = VEU_LAUNCH_COPY;
    ring->command.begun = true;
    run = is_again(ring) ? begin_again(ring) : begin_anew(ring);
    /* What is in the command itself need not be kept while it waits. */
    ring->command.begun = ring->command.begun && run != VEU_RUN_BLOCKED;
    return run;
}
