/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: programs that were built in advance, for example by
 * `veu-as --program`, and the payloads of their EU threads.
 *
 *     if (veu_image_open(&image, bytes, size)) { payload =
 *         allocate(veu_image_payload_bytes(&image)); payload->exec_mask = ~0u;
 *         (struct veu_payload_header) registers = veu_image_registers(&image,
 *         payload); ... the inputs, where the program expects them command =
 *         veu_make_dispatch(tag, bytes, image.bytes, 16);
 *         veu_launch_payload(&command.launch, payload,
 *                            veu_image_payload_bytes(&image)); }
 *
 * A program of instructions (VEU_PROGRAM_INSTRUCTIONS) runs where bit 1 of
 * limits.program_kinds is set (struct veu_device).
 */
#ifndef VEU_GUEST_IMAGE_H
#define VEU_GUEST_IMAGE_H

#include <stdbool.h>
#include "veu/veu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest program, and the largest register file, that can be read. */
#define VEU_IMAGE_MAX_BYTES (16u << 20)

/** The properties of a program that a driver needs to launch it. */
struct veu_image {
    const uint8_t *program;     /**< its first byte */
    uint32_t bytes;             /**< its size */
    enum veu_program_kind kind; /**< messages, or instructions */
    uint32_t grf_bytes;         /**< size of a register: 32 or 64 */
    uint32_t register_bytes;    /**< size of the register file */
    uint32_t variable_count;    /**< the first is V32 */
    uint32_t predicate_count;   /**< the first is P1 */
    uint32_t address_elements;  /**< of all address variables */
    const uint8_t *variables;   /**< array of struct veu_variable */
};

/**
 * Reads the header and the section table of a program. @program: the bytes,
 * @capacity of them readable. Returns false if they are not a program, or if
 * it ends beyond @capacity. The device checks everything else at the launch.
 */
bool veu_image_open(struct veu_image *image, const void *program,
                    uint32_t capacity);

/**
 * The byte of the register file where variable @id, 32 or more, begins, or
 * UINT32_MAX if the program does not have it.
 */
uint32_t veu_image_offset(const struct veu_image *image, uint32_t id);

/** Bytes of a payload that sets the whole register file. */
uint32_t veu_image_payload_bytes(const struct veu_image *image);

/** The register file in a payload. */
uint8_t *veu_image_registers(const struct veu_image *image, void *payload);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_IMAGE_H */
