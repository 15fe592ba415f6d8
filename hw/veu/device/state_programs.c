/*
 * veu device model: the state of loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Their bytes are saved, and decoded again at the destination, which may decode
 * them differently. A program that is being loaded continues with the bytes
 * copied so far.
 */
#include <limits.h>
#include "hw/veu/device/command_load.h"
#include "hw/veu/device/state_programs.h"

/* As in streams. */
enum {
    SAVED_PARTLY,
    SAVED_READY,
    SAVED_GONE,
    SAVED_STATES
};

static bool exists(const VeuLoaded *loaded)
{
    return loaded->state != VEU_LOADED_FREE;
}

/* The number of programs before index @end of the table. */
static uint32_t count_before(const VeuPrograms *programs, unsigned end)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < end; i++) {
        count += exists(&programs->loaded[i]);
    }
    return count;
}

bool veu_programs_are_any(VeuDevice *d)
{
    veu_programs_collect(d);
    return count_before(&d->programs, VEU_LIMIT_PROGRAMS);
}

static uint32_t saved_state(const VeuLoaded *loaded)
{
    return loaded->state == VEU_LOADED_READY ? SAVED_READY :
           loaded->state == VEU_LOADED_GONE  ? SAVED_GONE :
                                               SAVED_PARTLY;
}

/*
 * Saves or loads the owner and size of a program, and checks what was loaded.
 */
static bool move_form(VeuDevice *d, VeuLoaded *form, uint32_t *state,
                      VeuStream *s)
{
    uint32_t at;

    if (!veu_stream_upto(s, state, SAVED_STATES - 1,
                         "a loaded program's state does not exist") ||
        !veu_stream_upto(s, &form->context, d->config.rings - 1,
                         "a loaded program has no context") ||
        !veu_stream_u32(s, &form->handle) || !veu_stream_u32(s, &form->simd) ||
        !veu_stream_u32(s, &form->code_bytes)) {
        return false;
    }
    return !s->loading ||
           !veu_load_bad_field(
               &(struct veu_command_load){
                   .code_bytes = form->code_bytes,
                   .program = form->handle,
                   .simd = form->simd <= 32 ? form->simd : 0 },
               &at) ||
           veu_stream_refuse(s, "a loaded program is illegal");
}

static VeuLoaded *add(VeuDevice *d, const VeuLoaded *form, uint32_t state,
                      VeuStream *s)
{
    VeuLoaded *loaded = NULL;
    uint32_t needed;

    if (state != SAVED_GONE &&
        veu_programs_find(d, form->context, form->handle)) {
        veu_stream_refuse(s, "two loaded programs have a handle");
        return NULL;
    }
    loaded = veu_programs_add(&d->programs, form, &needed);
    if (!loaded) {
        veu_stream_refuse(s, "its programs need more program-memory");
    }
    return loaded;
}

static bool move_code(VeuLoaded *loaded, VeuStream *s)
{
    return veu_stream_upto(s, &loaded->copied_bytes, loaded->code_bytes,
                           "a loaded program is longer than it says") &&
           veu_stream_bytes(s, loaded->code, loaded->copied_bytes);
}

static bool decode(VeuDevice *d, VeuLoaded *l, VeuStream *s)
{
    VeuFault fault;
    uint32_t offset;

    if (l->copied_bytes != l->code_bytes ||
        !veu_measure_open(&l->measure, l->code, l->code_bytes, &fault)) {
        return veu_stream_refuse(s, "a loaded program is illegal");
    }
    veu_measure_count(&l->measure, UINT_MAX);
    if (!veu_programs_place(&d->programs, l)) {
        return veu_stream_refuse(s, "its programs need more program-memory");
    }
    return (veu_program_open(l->program, l->code, l->code_bytes, l->simd,
                             &fault) &&
            veu_program_decode(l->program, UINT_MAX, &fault, &offset) ==
                VEU_LOAD_DONE) ||
           veu_stream_refuse(s, "a loaded program is illegal");
}

static bool load_program(VeuDevice *d, VeuStream *s)
{
    VeuLoaded form = { 0 };
    VeuLoaded *loaded;
    uint32_t state;

    if (!move_form(d, &form, &state, s)) {
        return false;
    }
    loaded = add(d, &form, state, s);
    if (!loaded || !move_code(loaded, s)) {
        return false;
    }
    if (state == SAVED_PARTLY) {
        loaded->hurries = true;
        return true;
    }
    loaded->state = state == SAVED_READY ? VEU_LOADED_READY : VEU_LOADED_GONE;
    if (!decode(d, loaded, s)) {
        return false;
    }
    veu_programs_compile(&d->programs, loaded);
    return true;
}

static bool save_program(VeuDevice *d, VeuLoaded *loaded, VeuStream *s)
{
    uint32_t state = saved_state(loaded);

    return move_form(d, loaded, &state, s) && move_code(loaded, s);
}

bool veu_programs_move(VeuDevice *d, VeuStream *s)
{
    uint32_t count = count_before(&d->programs, VEU_LIMIT_PROGRAMS);

    if (s->version < VEU_STATE_PROGRAMS) {
        return true;
    }
    if (!veu_stream_upto(s, &count, VEU_LIMIT_PROGRAMS,
                         "it has too many loaded programs")) {
        return false;
    }
    for (unsigned i = 0; i < (s->loading ? count : VEU_LIMIT_PROGRAMS); i++) {
        VeuLoaded *loaded = &d->programs.loaded[i];

        if (s->loading ? !load_program(d, s) :
                         exists(loaded) && !save_program(d, loaded, s)) {
            return false;
        }
    }
    return true;
}

/*
 * Returns true if a ring before this one in the stream loads the same program.
 */
static bool is_loading(const VeuRing *ring)
{
    for (const VeuRing *r = ring->device->ring; r < ring; r++) {
        if (r->command.info && r->command.loaded == ring->command.loaded) {
            return true;
        }
    }
    return false;
}

/* Returns true if the command can have loaded this program. */
static bool check_use(const VeuRing *ring, const VeuLoaded *l)
{
    const VeuCommand *c = &ring->command;

    if (l->context != ring->context.number) {
        return false;
    }
    switch (c->info->opcode) {
    case VEU_COMMAND_LOAD:
        return c->begun && l->state == VEU_LOADED_COPY && !is_loading(ring) &&
               l->handle == c->load.program && l->simd == c->load.simd &&
               l->code_bytes == c->load.code_bytes;
    case VEU_COMMAND_DISPATCH:
        return l->state >= VEU_LOADED_READY && !c->dispatch.launch.code_bytes &&
               l->simd == c->dispatch.launch.simd;
    case VEU_COMMAND_KERNEL:
        return l->state >= VEU_LOADED_READY && !c->kernel.code_bytes &&
               l->simd == c->kernel.simd;
    default:
        return false;
    }
}

/* A LOAD that has begun has a program, which no other command has. */
static bool check_none(const VeuRing *ring)
{
    return ring->command.info->opcode != VEU_COMMAND_LOAD ||
           !ring->command.begun;
}

bool veu_programs_move_use(VeuRing *ring, VeuStream *s)
{
    VeuDevice *d = ring->device;
    const VeuLoaded *loaded = ring->command.loaded;
    uint32_t number = 0;
    uint32_t count = count_before(&d->programs, VEU_LIMIT_PROGRAMS);

    if (loaded) {
        number = 1 + count_before(&d->programs, loaded - d->programs.loaded);
    }
    if (s->version >= VEU_STATE_PROGRAMS &&
        !veu_stream_upto(s, &number, count,
                         "a command's program does not exist")) {
        return false;
    }
    if (!s->loading) {
        return true;
    }
    ring->command.loaded = number ? &d->programs.loaded[number - 1] : NULL;
    return (number ? check_use(ring, ring->command.loaded) :
                     check_none(ring)) ||
           veu_stream_refuse(s, "a command cannot have its program");
}
