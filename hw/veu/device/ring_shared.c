/*
 * veu device model: rings: the block that driver and device share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 4.
 */
#include <stddef.h>
#include "hw/veu/device/ring_shared.h"

#define SHARED_OFFSET(field) offsetof(struct veu_ring_shared, field)

uint32_t *veu_shared_map(VeuRing *ring, uint32_t offset, uint32_t bytes,
                         enum veu_access access)
{
    VeuMem *mem = veu_context_own(&ring->context);
    uint64_t iova = veu_ring_get(ring, VEU_ROW_RING_SHARED) + offset;
    uint32_t mapped = bytes;
    uint8_t *words = mem->map ? mem->map(mem, iova, &mapped, access) : NULL;

    return mapped == bytes ? (uint32_t *)words : NULL;
}

const uint32_t *veu_shared_tail(VeuRing *ring)
{
    return veu_shared_map(ring, SHARED_OFFSET(tail), sizeof(uint32_t),
                          VEU_ACCESS_READ);
}

bool veu_shared_load(VeuRing *ring, uint32_t offset, uint32_t *value)
{
    uint32_t *word = veu_shared_map(ring, offset, sizeof(*word),
                                    VEU_ACCESS_READ);

    if (word) {
        *value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    }
    return word;
}
