/*
 * veu execution unit: copies of blocks between registers and guest memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A block is a multiple of 16 bytes. Where it begins at a multiple of 16, it is
 * moved by vectors of up to 64 bytes: the CPU accesses such a vector as a whole
 * or in parts that are multiples of 16 bytes, so no element is split. Other
 * blocks are moved by guest_copy.h, element by element.
 */
#ifndef VEU_EU_FAST_BLOCKS_H
#define VEU_EU_FAST_BLOCKS_H

#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/message/fast_avx512.h"

/* Moves @bytes between registers and memory at @guest. */
typedef void VeuMoveBlock(uint8_t *registers, uint8_t *guest, uint32_t bytes);

VEU_CLONED void veu_scalar_load_block(uint8_t *registers, uint8_t *guest,
                                      uint32_t bytes)
{
    veu_guest_load_block(registers, guest, bytes);
}

VEU_CLONED void veu_scalar_store_block(uint8_t *registers, uint8_t *guest,
                                       uint32_t bytes)
{
    veu_guest_store_block(guest, registers, bytes);
}

/* Without vectors, blocks at multiples of 16 are moved like any others. */
#define veu_scalar_load_owords  veu_scalar_load_block
#define veu_scalar_store_owords veu_scalar_store_block

#ifdef VEU_HAS_AVX2

VEU_AVX2 void veu_avx2_copy_group(uint8_t *to, const uint8_t *from)
{
    _mm256_storeu_si256((__m256i *)to, veu_load_group(from));
}

VEU_AVX2 void veu_avx2_copy(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    uint32_t at = 0;

    for (; bytes - at >= 64; at += 64) {
        veu_avx2_copy_group(to + at, from + at);
        veu_avx2_copy_group(to + at + 32, from + at + 32);
    }
    if (bytes & 32) {
        veu_avx2_copy_group(to + at, from + at);
        at += 32;
    }
    if (bytes & 16) {
        _mm_storeu_si128((__m128i *)(to + at),
                         _mm_loadu_si128((const __m128i *)(from + at)));
    }
}

VEU_AVX512 void veu_avx512_copy(uint8_t *to, const uint8_t *from,
                                uint32_t bytes)
{
    uint32_t at = 0;

    for (; bytes - at >= 64; at += 64) {
        _mm512_storeu_si512(to + at, _mm512_loadu_si512(from + at));
    }
    if (at < bytes) {
        veu_avx2_copy(to + at, from + at, bytes - at);
    }
}

VEU_CLONED bool veu_has_vectors(const uint8_t *guest)
{
    return __builtin_expect((uintptr_t)guest % 16 == 0, 1);
}

/*
 * Moves of a level of CPUs: of blocks that begin at a multiple of 16, and of
 * any, by vectors where the block has them.
 */
#define VEU_BLOCK_MOVES(level, target)                                         \
    target void veu_##level##_load_owords(uint8_t *registers, uint8_t *guest,  \
                                          uint32_t bytes)                      \
    {                                                                          \
        veu_##level##_copy(registers, guest, bytes);                           \
    }                                                                          \
                                                                               \
    target void veu_##level##_store_owords(uint8_t *registers, uint8_t *guest, \
                                           uint32_t bytes)                     \
    {                                                                          \
        veu_##level##_copy(guest, registers, bytes);                           \
    }                                                                          \
                                                                               \
    target void veu_##level##_load_block(uint8_t *registers, uint8_t *guest,   \
                                         uint32_t bytes)                       \
    {                                                                          \
        if (veu_has_vectors(guest)) {                                          \
            veu_##level##_copy(registers, guest, bytes);                       \
        } else {                                                               \
            veu_guest_load_block(registers, guest, bytes);                     \
        }                                                                      \
    }                                                                          \
                                                                               \
    target void veu_##level##_store_block(uint8_t *registers, uint8_t *guest,  \
                                          uint32_t bytes)                      \
    {                                                                          \
        if (veu_has_vectors(guest)) {                                          \
            veu_##level##_copy(guest, registers, bytes);                       \
        } else {                                                               \
            veu_guest_store_block(guest, registers, bytes);                    \
        }                                                                      \
    }

VEU_BLOCK_MOVES(avx2, VEU_AVX2)
VEU_BLOCK_MOVES(avx512, VEU_AVX512)

#endif
#endif
