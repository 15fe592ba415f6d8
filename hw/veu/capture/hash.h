/*
 * veu captures: hashes, which name programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_CAPTURE_HASH_H
#define VEU_CAPTURE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include "hw/veu/device/host/capture.h"

/* A power of 2. */
#define VEU_CAPTURE_HASHES 64

/*
 * Hashes of programs that a device has loaded, by their serial numbers: to hash
 * a program takes longer than many a launch. Zeros are an empty table.
 */
typedef struct VeuCaptureHashes {
    struct {
        uint64_t serial;
        uint64_t hash;
    } known[VEU_CAPTURE_HASHES];
} VeuCaptureHashes;

/* FNV-1a with 64 bits. */
uint64_t veu_capture_hash(const uint8_t *code, size_t bytes);

/* The same for the program of a launch; @view->code is not NULL. */
uint64_t veu_capture_hash_launch(VeuCaptureHashes *hashes,
                                 const VeuLaunchView *view);

#endif
