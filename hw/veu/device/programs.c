/*
 * veu device model: loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "hw/veu/device/programs.h"

void veu_programs_clear(VeuPrograms *programs)
{
    programs->pool.count = 0;
    programs->host_pool.count = 0;
    for (unsigned i = 0; i < VEU_LIMIT_PROGRAMS; i++) {
        programs->loaded[i].state = VEU_LOADED_FREE;
    }
}

static bool is_used(const VeuDevice *d, const VeuLoaded *loaded)
{
    for (unsigned i = 0; i < d->config.rings; i++) {
        const VeuCommand *c = &d->ring[i].command;

        if (c->info && c->loaded == loaded) {
            return true;
        }
    }
    return false;
}

/* Makes the entry VEU_LOADED_FREE again. */
static void free_loaded(VeuPrograms *programs, VeuLoaded *loaded)
{
    veu_pool_give(&programs->pool, loaded->program);
    veu_pool_give(&programs->pool, loaded->code);
    veu_pool_give(&programs->host_pool, loaded->host_code.writable);
    loaded->state = VEU_LOADED_FREE;
}

void veu_programs_collect(VeuDevice *d)
{
    for (unsigned i = 0; i < VEU_LIMIT_PROGRAMS; i++) {
        VeuLoaded *loaded = &d->programs.loaded[i];

        if (loaded->state != VEU_LOADED_FREE &&
            loaded->state != VEU_LOADED_READY && !is_used(d, loaded)) {
            free_loaded(&d->programs, loaded);
        }
    }
}

VeuLoaded *veu_programs_find(VeuDevice *d, uint32_t context, uint32_t handle)
{
    for (unsigned i = 0; i < VEU_LIMIT_PROGRAMS; i++) {
        VeuLoaded *loaded = &d->programs.loaded[i];

        if (loaded->handle == handle && loaded->context == context &&
            loaded->state != VEU_LOADED_FREE &&
            loaded->state != VEU_LOADED_GONE) {
            return loaded;
        }
    }
    return NULL;
}

static VeuLoaded *find_free(VeuPrograms *programs)
{
    for (unsigned i = 0; i < VEU_LIMIT_PROGRAMS; i++) {
        if (programs->loaded[i].state == VEU_LOADED_FREE) {
            return &programs->loaded[i];
        }
    }
    return NULL;
}

VeuLoaded *veu_programs_add(VeuPrograms *programs, const VeuLoaded *like,
                            uint32_t *needed)
{
    VeuLoaded *loaded = find_free(programs);
    uint8_t *code;

    *needed = loaded ? like->code_bytes : 0;
    code = veu_pool_take(&programs->pool, *needed);
    if (!code) {
        return NULL;
    }
    *loaded = (VeuLoaded){
        .state = VEU_LOADED_COPY,
        .serial = ++programs->serial,
        .context = like->context,
        .handle = like->handle,
        .simd = like->simd,
        .code_bytes = like->code_bytes,
        .code = code,
    };
    return loaded;
}

bool veu_programs_place(VeuPrograms *programs, VeuLoaded *loaded)
{
    const VeuProgramRoom *room = &loaded->measure.room;
    void *block = veu_pool_take(&programs->pool, veu_program_room_bytes(room));

    if (!block) {
        return false;
    }
    loaded->program = veu_program_place(block, room);
    return true;
}

static bool take_host_code(VeuPrograms *programs, VeuLoaded *l)
{
    uint32_t bytes = veu_jit_bytes(&l->measure.room);

    l->host_code.writable = veu_pool_take(&programs->host_pool, bytes);
    if (!l->host_code.writable) {
        return false;
    }
    l->host_code.bytes = bytes;
    l->host_code.executable = programs->host_memory.executable +
                              (l->host_code.writable -
                               programs->host_memory.writable);
    return true;
}

/* A block of no bytes would have the place of another. */
static void keep_used(VeuPrograms *programs, VeuLoaded *l)
{
    VeuHostCode *code = &l->host_code;

    if (code->used) {
        veu_pool_shrink(&programs->host_pool, code->writable, code->used);
        code->bytes = code->used;
    } else {
        veu_pool_give(&programs->host_pool, code->writable);
        *code = (VeuHostCode){ .writable = NULL };
        l->compiled = UINT32_MAX;
    }
}

/* The room that is not needed in the end is given back. */
void veu_programs_compile(VeuPrograms *programs, VeuLoaded *l)
{
    VeuProgram *p = l->program;

    if (l->compiled == UINT32_MAX) {
        return;
    }
    if (!l->host_code.writable && !take_host_code(programs, l)) {
        l->compiled = UINT32_MAX;
        return;
    }
    l->compiled = veu_jit_compile(p, &l->host_code, l->compiled);
    if (p->code_at == p->code_bytes) {
        keep_used(programs, l);
    }
}
