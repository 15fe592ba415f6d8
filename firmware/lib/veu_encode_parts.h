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

/** What no field may say: makes the message fail. */
#define VEU_CODE_BAD 0xff

void veu_put(struct veu_code *code, unsigned bytes, uint64_t value);
void veu_put_raw(struct veu_code *code, struct veu_raw raw);
void veu_put_scalar(struct veu_code *code, struct veu_scalar scalar);

/** A byte that is a field's code, or VEU_CODE_BAD. */
void veu_put_code(struct veu_code *code, unsigned value);

/** log2 of a power of two up to @limit. */
unsigned veu_log2_code(unsigned value, unsigned limit);

/** Exec_size; Num_elts of gather and scatter; Channels. */
unsigned veu_exec_code(struct veu_exec exec);
unsigned veu_num_elts_code(struct veu_exec exec);
unsigned veu_channels_code(unsigned channels);

/** The last step: whether the message could be encoded. */
bool veu_end_message(struct veu_code *code);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_ENCODE_PARTS_H */
