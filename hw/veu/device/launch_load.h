/*
 * veu device model: launches: program and surfaces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_LOAD_H
#define VEU_DEVICE_LAUNCH_LOAD_H

#include "hw/veu/device/model.h"

/* ---- the first pieces of a launch ---- */

VeuRun veu_launch_begin(VeuRing *ring);
VeuRun veu_launch_copy(VeuRing *ring);
VeuRun veu_launch_decode(VeuRing *ring);

/* ---- for LOAD, which is loaded as launches are ---- */

/*
 * Reads a part of a program of @all bytes, which costs its size. MORE: it has
 * been read; else the command ends, or waits for pages.
 */
VeuRun veu_launch_read_code(VeuRing *ring, uint64_t address, void *to,
                            uint32_t bytes, uint32_t all);
/* A fault of decoding; @offset: of a message, or not applicable. */
VeuRun veu_launch_load_fault(VeuRing *ring, const VeuProgram *program,
                             const VeuFault *fault, uint32_t offset);

/* ---- for state.c: launches that another device had begun ---- */

/*
 * True: *at is the byte offset in the command of the first illegal field. Of a
 * KERNEL, it makes the arguments of the launch.
 */
bool veu_launch_bad_field(VeuRing *ring, uint32_t *at);
/* Nothing is decoded any more: code[] and descriptors[] may be written. */
void veu_launch_forget(VeuLaunch *launch);
/* Opens the program that was copied; false with a fault. */
bool veu_launch_open(VeuRing *ring, VeuFault *fault);
/* The program of the launch is the loaded one that its command has. */
void veu_launch_use_loaded(VeuRing *ring);

/* A KERNEL has no payload, which programs of messages begin with. */
bool veu_launch_has_wrong_kind(const VeuRing *ring);
/*
 * When all messages are decoded. True: *at is the byte offset in the command of
 * the field that they do not fit to.
 */
bool veu_launch_misfit(const VeuRing *ring, uint32_t *at);
/* Checks a descriptor that was copied; false: the offset of what is wrong. */
bool veu_launch_decode_surface(VeuLaunch *launch, uint32_t index,
                               uint32_t *field);

#endif
