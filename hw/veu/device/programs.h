/*
 * veu device model: loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "LOAD". A program belongs to a context, by its number, and has
 * a handle there. Commands that use it point to it. Its users are not counted,
 * but searched when memory is needed, so that a ring that is halted, reset or
 * unplugged in the middle of a command need not release anything.
 */
#ifndef VEU_DEVICE_PROGRAMS_H
#define VEU_DEVICE_PROGRAMS_H

#include "hw/veu/device/pool.h"
#include "hw/veu/eu/decode/measure.h"
#include "hw/veu/eu/jit/host_code.h"
#include "hw/veu/eu/jit/jit.h"

typedef struct VeuDevice VeuDevice;

typedef enum VeuLoadedState {
    VEU_LOADED_FREE,    /* is no program */
    VEU_LOADED_COPY,    /* next: copy a part of its bytes */
    VEU_LOADED_MEASURE, /* next: count some messages */
    VEU_LOADED_DECODE,  /* next: decode some messages */
    VEU_LOADED_READY,   /* launches may use it */
    VEU_LOADED_GONE,    /* unloaded: commands that use it still may */
} VeuLoadedState;

typedef struct VeuLoaded {
    VeuLoadedState state;
    uint64_t serial; /* from 1; no other program of the device has had it */
    uint32_t context;
    uint32_t handle; /* not 0 */
    uint32_t simd;
    uint32_t code_bytes;
    uint32_t copied_bytes;
    uint8_t *code;       /* in the pool */
    VeuProgram *program; /* in the pool; NULL until it is measured */
    VeuMeasure measure;
    VeuHostCode host_code; /* in the pool of host code, or nothing */
    uint32_t compiled;     /* the first instruction that is not yet */
    /*
     * It came from another device, and is decoded in one piece. Otherwise, a
     * device that is migrated after each piece would never load it.
     */
    bool hurries;
} VeuLoaded;

typedef struct VeuPrograms {
    VeuPool pool;
    VeuHostMemory host_memory; /* nothing if the host compiles nothing */
    VeuPool host_pool;         /* its writable addresses */
    uint64_t serial;           /* of the program that was added last */
    VeuLoaded loaded[VEU_LIMIT_PROGRAMS];
} VeuPrograms;

/* Removes all programs; no command uses one. */
void veu_programs_clear(VeuPrograms *programs);

/* Frees programs that no command uses and no handle names. */
void veu_programs_collect(VeuDevice *device);

/* The program that a handle names, or NULL. It may still be loading. */
VeuLoaded *veu_programs_find(VeuDevice *device, uint32_t context,
                             uint32_t handle);

/*
 * Reserves an entry with @like's context, handle, simd and code_bytes, and
 * memory for its bytes. Returns NULL if there is no room, with the bytes
 * needed, or 0, in *needed.
 */
VeuLoaded *veu_programs_add(VeuPrograms *programs, const VeuLoaded *like,
                            uint32_t *needed);

/*
 * Reserves memory for the decoded form, after the bytes were measured. Returns
 * false if there is no room.
 */
bool veu_programs_place(VeuPrograms *programs, VeuLoaded *loaded);

/*
 * Compiles what has been decoded since the last call, as far as there is room
 * for host code. This is part of decoding, so that what a guest sees of a LOAD
 * does not depend on the host.
 */
void veu_programs_compile(VeuPrograms *programs, VeuLoaded *loaded);

#endif
