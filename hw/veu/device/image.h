/*
 * veu device model: the operands with which an EU thread of a KERNEL starts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DEV-6.6 of docs/spec.md, except for what depends on an EU thread's slot.
 */
#ifndef VEU_DEVICE_IMAGE_H
#define VEU_DEVICE_IMAGE_H

#include <stdint.h>

/* Sizes and places are in bytes. */
typedef struct VeuImage {
    /* Predicates, addresses and registers, in this order. */
    uint32_t operand_bytes; /* a multiple of 64 */
    uint32_t registers_at;
    /* In the registers, after r0: the local ids, then the other inputs. */
    uint32_t inputs_at;
    uint32_t local_id_bytes;
    uint32_t cross_thread_bytes;
    uint32_t r0[8]; /* what follows in r0 is 0 */
    /*
     * Guest memory with the local ids of a group's EU threads, and with what
     * all of them have in common. NULL: it has to be looked up.
     */
    const uint8_t *local_ids;
    const uint8_t *cross_thread;
} VeuImage;

/* Writes @operands, at a multiple of 64, except for the inputs. */
void veu_image_clear(uint8_t *operands, const VeuImage *image);

/* Writes all operands of @thread. The inputs need no look-up. */
void veu_image_write(uint8_t *operands, const VeuImage *image, uint32_t thread);

#endif
