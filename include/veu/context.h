/*
 * veu ABI: contexts of type 1: the windows through which a ring reaches memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_CONTEXT_H
#define VEU_CONTEXT_H

#include "veu/base.h"

/** Windows begin and end at multiples of this many bytes. */
#define VEU_WINDOW_ALIGN 4096

/** Bits of a window's permissions. */
#define VEU_WINDOW_READ  0x1u
#define VEU_WINDOW_WRITE 0x2u

/**
 * A window: addresses that a ring may use. An array of them, in ascending
 * order and without overlap, is at CONTEXT_WINDOWS. The device copies it when a
 * ring that is bound to the context is enabled, and at VEU_RING_RELOAD; what is
 * not in a window, or not permitted there, is a fault, whatever the address is
 * used for.
 */
struct veu_window {
    uint64_t address;     /**< first address; a multiple of 4096 */
    uint64_t bytes;       /**< size, bytes; a multiple of 4096, not 0 */
    uint32_t permissions; /**< bit 0 read, bit 1 write; not 0 */
    uint32_t reserved;    /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_window, 24);
VEU_ASSERT_OFFSET(struct veu_window, permissions, 16);

#endif /* VEU_CONTEXT_H */
