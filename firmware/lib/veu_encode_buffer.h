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

/**
 * (pred) svm_gather4scaled.<channels> and svm_scatter4scaled: the offsets have
 * 64 bits, and count bytes from @address.
 */
bool veu_encode_svm_gather4scaled(struct veu_code *code, uint16_t pred,
                                  unsigned channels, struct veu_exec exec,
                                  struct veu_scalar address,
                                  struct veu_raw offsets, struct veu_raw dst);
bool veu_encode_svm_scatter4scaled(struct veu_code *code, uint16_t pred,
                                   unsigned channels, struct veu_exec exec,
                                   struct veu_scalar address,
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
/** Like veu_encode_oword_ld(), but the offset counts bytes. */
bool veu_encode_oword_ld_unaligned(struct veu_code *code, unsigned owords,
                                   uint8_t surface, struct veu_scalar offset,
                                   struct veu_raw dst);

/**
 * svm_block_ld, svm_block_st: 1, 2, 4 or 8 owords. @flags: VEU_SVM_UNALIGNED
 * if the address is a multiple of 4, 0 if it is one of 16.
 */
bool veu_encode_svm_block_ld(struct veu_code *code, unsigned owords,
                             uint8_t flags, struct veu_scalar address,
                             struct veu_raw dst);
bool veu_encode_svm_block_st(struct veu_code *code, unsigned owords,
                             uint8_t flags, struct veu_scalar address,
                             struct veu_raw src);

/** A rectangle of a surface: @width bytes by @height rows. */
struct veu_block {
    enum veu_media_mode mode;
    uint8_t width;
    uint8_t height;
    struct veu_scalar x;
    struct veu_scalar y;
};

/** media_ld, media_st: plane 0 */
bool veu_encode_media_ld(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw dst);
bool veu_encode_media_st(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw src);

/** fence: @mask is a sum of VEU_FENCE_*. */
bool veu_encode_fence(struct veu_code *code, uint8_t mask);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_ENCODE_BUFFER_H */
