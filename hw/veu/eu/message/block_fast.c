/*
 * veu execution unit: the fast paths of OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST,
 * SVM BLOCK_LD and SVM BLOCK_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They handle only blocks that are in bounds as a whole.
 */
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/memory/guest_copy.h"

/* Finds the @bytes of the message. Returns NULL to give up. */
typedef uint8_t *FindBlock(VeuThread *t, const VeuMessage *m, uint32_t bytes,
                           enum veu_access access);

VEU_CLONED uint8_t *in_buffer(VeuThread *t, const VeuMessage *m, uint32_t bytes,
                              enum veu_access access)
{
    VeuWindow w;
    uint64_t offset;

    if (!veu_window_open_any(t, m, access, &w)) {
        return NULL;
    }
    offset = w.global;
    if (m->info->unit == VEU_UNIT_OWORD) {
        offset *= m->element_bytes;
    }
    if ((m->align_bytes && offset % m->align_bytes) ||
        offset + bytes > w.bytes) {
        return NULL;
    }
    return veu_window_at(t, &w, offset, bytes, access);
}

VEU_CLONED uint8_t *at_address(VeuThread *t, const VeuMessage *m,
                               uint32_t bytes, enum veu_access access)
{
    uint64_t iova;

    if (!veu_window_scalar(t, &m->global_offset, &iova) ||
        iova % m->align_bytes) {
        return NULL;
    }
    return veu_mem_at(t->mem, iova, bytes, access);
}

VEU_CLONED bool load_block(VeuThread *t, const VeuMessage *m, FindBlock *find,
                           uint32_t *moved_bytes)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    const uint8_t *from = find(t, m, bytes, VEU_ACCESS_READ);
    uint8_t *to = t->registers + m->data.register_byte;

    if (!from) {
        return false;
    }
    veu_guest_load_block(to, from, bytes);
    *moved_bytes += bytes;
    return true;
}

VEU_CLONED bool store_block(VeuThread *t, const VeuMessage *m, FindBlock *find,
                            uint32_t *moved_bytes)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    uint8_t *to = find(t, m, bytes, VEU_ACCESS_WRITE);
    const uint8_t *from = t->registers + m->data.register_byte;

    if (!to) {
        return false;
    }
    veu_guest_store_block(to, from, bytes);
    *moved_bytes += bytes;
    return true;
}

#define WAY(name, body, find)                                       \
    VEU_FAST_WAY(static, name##_way, body(t, m, find, moved_bytes)) \
    VeuFast *veu_fast_##name(const VeuMessage *m)                   \
    {                                                               \
        return m->data.null ? NULL : name##_way;                    \
    }
WAY(oword_ld, load_block, in_buffer)
WAY(oword_st, store_block, in_buffer)
WAY(svm_block_ld, load_block, at_address)
WAY(svm_block_st, store_block, at_address)
