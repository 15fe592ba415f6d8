/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the parts of messages, for the encoders only.
 */
#ifndef VEU_GUEST_ENCODE_PARTS_H
#define VEU_GUEST_ENCODE_PARTS_H

#include "veu_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Appends the low @bytes bytes of @value. */
void veu_put(struct veu_code *code, unsigned bytes, uint64_t value);
void veu_put_raw(struct veu_code *code, struct veu_raw raw);
void veu_put_scalar(struct veu_code *code, struct veu_scalar scalar);

/** Appends the byte of a field; VEU_FIELD_BAD makes the message fail. */
void veu_put_field(struct veu_code *code, unsigned value);

/** Field Exec_size of a message that takes up to @limit lanes. */
unsigned veu_exec_field(struct veu_exec exec, unsigned limit);

/** The last step. Returns false if the message could not be encoded. */
bool veu_end_message(struct veu_code *code);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_ENCODE_PARTS_H */
