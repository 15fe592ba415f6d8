/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: messages on buffers and blocks, encoded.
 */
#ifndef VEU_GUEST_ENCODE_BUFFER_H
#define VEU_GUEST_ENCODE_BUFFER_H

#include "veu_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** scatter.<element_bytes>: @exec of 1, 8 or 16 lanes. */
bool veu_encode_scatter(struct veu_code *code, unsigned element_bytes,
                        struct veu_exec exec, uint8_t surface,
                        struct veu_scalar global, struct veu_raw offsets,
                        struct veu_raw src);

/** (pred) gather4_scaled.<channels> and scatter4_scaled */
bool veu_encode_gather4_scaled(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_scalar global,
                               struct veu_raw offsets, struct veu_raw dst);
bool veu_encode_scatter4_scaled(struct veu_code *code, uint16_t pred,
                                unsigned channels, struct veu_exec exec,
                                uint8_t surface, struct veu_scalar global,
                                struct veu_raw offsets, struct veu_raw src);

/** (pred) qw_gather.1 and qw_scatter.1: up to 16 lanes. */
bool veu_encode_qw_gather(struct veu_code *code, uint16_t pred,
                          struct veu_exec exec, uint8_t surface,
                          struct veu_raw offsets, struct veu_raw dst);
bool veu_encode_qw_scatter(struct veu_code *code, uint16_t pred,
                           struct veu_exec exec, uint8_t surface,
                           struct veu_raw offsets, struct veu_raw src);

/** oword_ld, oword_st: 1 to 16 owords; the offset counts owords. */
bool veu_encode_oword_ld(struct veu_code *code, unsigned owords,
                         uint8_t surface, struct veu_scalar offset,
                         struct veu_raw dst);
bool veu_encode_oword_st(struct veu_code *code, unsigned owords,
                         uint8_t surface, struct veu_scalar offset,
                         struct veu_raw src);
/** The same; the offset counts bytes. */
bool veu_encode_oword_ld_unaligned(struct veu_code *code, unsigned owords,
                                   uint8_t surface, struct veu_scalar offset,
                                   struct veu_raw dst);

/** Modifiers of media messages; stores take the even ones and BOTTOM. */
enum veu_media_mode {
    VEU_MEDIA_NOMOD = 0,
    VEU_MEDIA_MODIFIED = 1,
    VEU_MEDIA_TOP = 2,
    VEU_MEDIA_BOTTOM = 3,
    VEU_MEDIA_TOP_MOD = 4,
    VEU_MEDIA_BOTTOM_MOD = 5,
};

/** A rectangle of a surface: @width bytes by @height rows. */
struct veu_block {
    enum veu_media_mode mode;
    uint8_t width;
    uint8_t height;
    struct veu_scalar x;
    struct veu_scalar y;
};

/** Bytes in registers from one row of a block to the next. */
unsigned veu_block_pitch(unsigned width);

/** media_ld, media_st: plane 0 */
bool veu_encode_media_ld(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw dst);
bool veu_encode_media_st(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw src);

/** What a fence may say; LOCAL: shared local memory only. */
#define VEU_FENCE_COMMIT 0x01
#define VEU_FENCE_LOCAL  0x20
#define VEU_FENCE_SW     0x80

bool veu_encode_fence(struct veu_code *code, uint8_t mask);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_ENCODE_BUFFER_H */
