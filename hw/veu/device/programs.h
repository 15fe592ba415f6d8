/*
 * veu device model: programs that stay loaded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "LOAD". A program belongs to a context, by its number, and has
 * a handle there. Commands that use it point to it. Its users are searched when
 * memory is needed, not counted: a ring that is halted, reset or unplugged in
 * the middle of a command has nothing to give back.
 */
#ifndef VEU_DEVICE_PROGRAMS_H
#define VEU_DEVICE_PROGRAMS_H

#include "hw/veu/device/pool.h"
#include "hw/veu/eu/decode/measure.h"

typedef struct VeuDevice VeuDevice;

typedef enum VeuLoadedState {
    VEU_LOADED_FREE,    /* is no program */
    VEU_LOADED_COPY,    /* next: a part of its bytes */
    VEU_LOADED_MEASURE, /* next: some messages are counted */
    VEU_LOADED_DECODE,  /* next: some messages are decoded */
    VEU_LOADED_READY,   /* launches may use it */
    VEU_LOADED_GONE,    /* was unloaded: those that use it still may */
} VeuLoadedState;

typedef struct VeuLoaded {
    VeuLoadedState state;
    uint32_t context;
    uint32_t handle; /* not 0 */
    uint32_t simd;
    uint32_t code_bytes;
    uint32_t copied_bytes;
    uint8_t *code;       /* in the pool */
    VeuProgram *program; /* in the pool; NULL before it is measured */
    VeuMeasure measure;
    /*
     * It came from another device, and is decoded in one piece: one that moves
     * after each piece would never be loaded otherwise.
     */
    bool hurries;
} VeuLoaded;

typedef struct VeuPrograms {
    VeuPool pool;
    VeuLoaded loaded[VEU_LIMIT_PROGRAMS];
} VeuPrograms;

/* All programs are gone; no command uses one. */
void veu_programs_clear(VeuPrograms *programs);

/* Frees what no command uses, and no handle names. */
void veu_programs_collect(VeuDevice *device);

/* The one that a handle names, or NULL; it may be being loaded. */
VeuLoaded *veu_programs_find(VeuDevice *device, uint32_t context,
                             uint32_t handle);

/*
 * Sets aside a program of @like's context, handle, simd and code_bytes, and
 * memory for its bytes. NULL: there is no room. *needed: bytes, or 0.
 */
VeuLoaded *veu_programs_add(VeuPrograms *programs, const VeuLoaded *like,
                            uint32_t *needed);

/*
 * Its bytes were measured: sets aside memory for what is decoded of them. False
 * where there is no room.
 */
bool veu_programs_place(VeuPrograms *programs, VeuLoaded *loaded);

#endif
