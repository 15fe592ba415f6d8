/*
 * veu device model: the commands LOAD and UNLOAD.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "LOAD". A piece copies, counts or decodes a part of the
 * program. Between the pieces, the program belongs to the command, and is freed
 * when that ends.
 */
#include <limits.h>
#include <sys/param.h>
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_load.h"
#include "hw/veu/device/command_row.h"
#include "hw/veu/device/launch_load.h"
#include "hw/veu/eu/rule.h"

typedef struct veu_command_load Load;

bool veu_load_bad_field(const Load *c, uint32_t *at)
{
    VEU_RULE(Load, code_bytes,
             c->code_bytes < sizeof(struct veu_program_header) ||
                 c->code_bytes > VEU_LIMIT_LOAD_BYTES);
    VEU_RULE(Load, program, !c->program || c->program > VEU_HANDLE_MAX);
    VEU_RULE(Load, simd, c->simd != 8 && c->simd != 16 && c->simd != 32);
    return false;
}

static bool bad_load(const VeuRing *ring, uint32_t *at)
{
    return veu_load_bad_field(&ring->command.load, at);
}

static VeuRun begin(VeuRing *ring)
{
    const Load *c = &ring->command.load;
    VeuDevice *d = ring->device;
    VeuLoaded like = { .context = ring->context.number,
                       .handle = c->program,
                       .simd = c->simd,
                       .code_bytes = c->code_bytes };
    uint32_t needed;

    veu_programs_collect(d);
    if (veu_programs_find(d, like.context, like.handle)) {
        return veu_command_fault(ring, VEU_FAULT_PROGRAM_HANDLE, like.handle);
    }
    ring->command.loaded = veu_programs_add(&d->programs, &like, &needed);
    if (!ring->command.loaded) {
        return veu_command_fault(ring, VEU_FAULT_PROGRAM_SPACE, needed);
    }
    ring->command.begun = true;
    return VEU_RUN_MORE;
}

static VeuRun copy(VeuRing *ring)
{
    VeuLoaded *l = ring->command.loaded;
    uint64_t address = ring->command.load.code_address + l->copied_bytes;
    uint32_t bytes = MIN(l->code_bytes - l->copied_bytes, VEU_LOAD_BYTES);
    VeuRun run = veu_launch_read_code(ring, address, l->code + l->copied_bytes,
                                      bytes, l->code_bytes);
    VeuFault fault;

    if (run != VEU_RUN_MORE) {
        return run;
    }
    l->copied_bytes += bytes;
    if (l->copied_bytes < l->code_bytes) {
        return VEU_RUN_MORE;
    }
    if (!veu_measure_open(&l->measure, l->code, l->code_bytes, &fault)) {
        return veu_command_fault(ring, fault.code, fault.detail);
    }
    l->state = VEU_LOADED_MEASURE;
    return VEU_RUN_MORE;
}

static unsigned piece_of(const VeuLoaded *l)
{
    return l->hurries ? UINT_MAX : VEU_DECODE_MESSAGES;
}

static VeuRun measure(VeuRing *ring)
{
    VeuLoaded *l = ring->command.loaded;
    VeuFault fault;

    if (!veu_measure_count(&l->measure, piece_of(l))) {
        return VEU_RUN_MORE;
    }
    if (!veu_programs_place(&ring->device->programs, l)) {
        return veu_command_fault(ring, VEU_FAULT_PROGRAM_SPACE,
                                 veu_program_room_bytes(&l->measure.room));
    }
    if (!veu_program_open(l->program, l->code, l->code_bytes, l->simd,
                          &fault)) {
        return veu_command_fault(ring, fault.code, fault.detail);
    }
    l->state = VEU_LOADED_DECODE;
    return VEU_RUN_MORE;
}

static VeuRun decode(VeuRing *ring)
{
    VeuLoaded *l = ring->command.loaded;
    uint32_t offset;
    VeuFault fault;

    switch (veu_program_decode(l->program, piece_of(l), &fault, &offset)) {
    case VEU_LOAD_MORE:
        veu_programs_compile(&ring->device->programs, l);
        return VEU_RUN_MORE;
    case VEU_LOAD_DONE:
        veu_programs_compile(&ring->device->programs, l);
        l->state = VEU_LOADED_READY;
        return VEU_RUN_DONE;
    default:
        return veu_launch_load_fault(ring, l->program, &fault, offset);
    }
}

static VeuRun run_load(VeuRing *ring)
{
    static VeuRun (*const pieces[])(VeuRing * ring) = {
        [VEU_LOADED_COPY] = copy,
        [VEU_LOADED_MEASURE] = measure,
        [VEU_LOADED_DECODE] = decode,
    };
    VeuLoaded *l = ring->command.loaded;
    VeuRun run;

    if (!l) {
        return begin(ring);
    }
    do {
        run = pieces[l->state](ring);
    } while (run == VEU_RUN_MORE && l->hurries && l->state != VEU_LOADED_COPY);
    return run;
}

const VeuCommandInfo veu_command_row_load = {
    VEU_COMMAND_ROW(LOAD, load, reserved),
    .progress = VEU_PROGRESS_BEGUN,
    .faults = { VEU_COMMAND_FAULT_RANGE(PROGRAM_MEMORY, PROGRAM_SPACE) },
    .bad_field = bad_load,
    .run = run_load,
    .summary = "Loads a program, which stays for later launches.",
};

static void unload(VeuLoaded *loaded)
{
    if (loaded->state == VEU_LOADED_READY) {
        loaded->state = VEU_LOADED_GONE;
    }
}

static void unload_all(VeuDevice *d, uint32_t context)
{
    for (unsigned i = 0; i < VEU_LIMIT_PROGRAMS; i++) {
        if (d->programs.loaded[i].context == context) {
            unload(&d->programs.loaded[i]);
        }
    }
}

static VeuRun run_unload(VeuRing *ring)
{
    uint32_t context = ring->context.number;
    uint32_t handle = ring->command.unload.program;
    VeuDevice *d = ring->device;

    if (handle) {
        VeuLoaded *loaded = veu_programs_find(d, context, handle);

        if (!loaded || loaded->state != VEU_LOADED_READY) {
            return veu_command_fault(ring, VEU_FAULT_PROGRAM_HANDLE, handle);
        }
        unload(loaded);
    } else {
        unload_all(d, context);
    }
    veu_programs_collect(d);
    return VEU_RUN_DONE;
}

const VeuCommandInfo veu_command_row_unload = {
    VEU_COMMAND_ROW(UNLOAD, unload, reserved),
    .faults = { VEU_COMMAND_FAULT_RANGE(PROGRAM_HANDLE, PROGRAM_HANDLE) },
    .run = run_unload,
    .summary = "Unloads a program.",
};
