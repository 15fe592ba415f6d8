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
 * Reads a part of a program of @all bytes, which costs its size. Returns MORE
 * if it has been read; otherwise the command ends or waits for pages.
 */
VeuRun veu_launch_read_code(VeuRing *ring, uint64_t address, void *to,
                            uint32_t bytes, uint32_t all);
/*
 * Reports a fault of decoding. @offset: that of a message, or not applicable.
 */
VeuRun veu_launch_load_fault(VeuRing *ring, const VeuProgram *program,
                             const VeuFault *fault, uint32_t offset);

/* ---- for state.c: launches that another device had begun ---- */

/*
 * Returns true if a field is illegal, with the first one's byte offset in *at.
 * For a KERNEL, it also makes the arguments of the launch.
 */
bool veu_launch_bad_field(VeuRing *ring, uint32_t *at);
/* Forgets what is decoded: code[] and descriptors[] may then be written. */
void veu_launch_forget(VeuLaunch *launch);
/* Opens the copied program. Returns false with a fault. */
bool veu_launch_open(VeuRing *ring, VeuFault *fault);
/* Makes the loaded program of the command the program of the launch. */
void veu_launch_use_loaded(VeuRing *ring);

/* A KERNEL has no payload, which programs of messages require. */
bool veu_launch_has_wrong_kind(const VeuRing *ring);
/*
 * Called after all messages are decoded. Returns true if a field does not fit
 * them, with its byte offset in *at.
 */
bool veu_launch_misfit(const VeuRing *ring, uint32_t *at);
/*
 * Checks a copied descriptor. Returns false with the offset of the illegal
 * field.
 */
bool veu_launch_decode_surface(VeuLaunch *launch, uint32_t index,
                               uint32_t *field);

#endif
