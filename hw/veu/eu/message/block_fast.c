/*
 * veu execution unit: the fast paths of OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST,
 * SVM BLOCK_LD, SVM BLOCK_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They handle only blocks that are in bounds as a whole. Consecutive messages
 * have blocks of one size, each at its own offset or address.
 */
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/memory/guest_copy.h"

/* Moves @bytes between registers and memory at @guest. */
typedef void MoveBlock(uint8_t *registers, uint8_t *guest, uint32_t bytes);

VEU_CLONED void load_block(uint8_t *registers, uint8_t *guest, uint32_t bytes)
{
    veu_guest_load_block(registers, guest, bytes);
}

VEU_CLONED void store_block(uint8_t *registers, uint8_t *guest, uint32_t bytes)
{
    veu_guest_store_block(guest, registers, bytes);
}

VEU_CLONED uint32_t block_bytes(const VeuMessage *m)
{
    return m->element_bytes * m->blocks;
}

/* Completes the messages from @first to before @end. */
VEU_CLONED bool finish(VeuThread *t, const VeuMessage *first,
                       const VeuMessage *end)
{
    if (end == first) {
        return false;
    }
    t->more = end - first - 1;
    t->moved_bytes = (end - first) * block_bytes(first);
    return true;
}

/* --- In a buffer ---------------------------------------------------------- */

/* Finds the block of @m. Returns NULL to refuse the message. */
VEU_CLONED uint8_t *find_in_view(VeuThread *t, const VeuMessage *m,
                                 const VeuView *view, enum veu_access access)
{
    uint32_t bytes = block_bytes(m);
    uint64_t offset = view->global;

    if (m->info->unit == VEU_UNIT_OWORD) {
        offset *= m->element_bytes;
    }
    if ((m->align_bytes && offset % m->align_bytes) ||
        offset + bytes > view->bytes) {
        return NULL;
    }
    return veu_view_at(t, view, offset, bytes, access);
}

VEU_CLONED bool move_in_buffer(VeuThread *t, const VeuMessage *m,
                               enum veu_access access, MoveBlock *move)
{
    const VeuMessage *first = m;
    VeuView view;

    if (!veu_view_find(t, m, access, &view)) {
        return false;
    }
    do {
        uint8_t *guest = find_in_view(t, m, &view, access);

        if (!guest) {
            break;
        }
        move(t->registers + m->data.register_byte, guest, block_bytes(first));
    } while (veu_goes_on(t, &m) && veu_view_follow(t, m, access, &view));
    return finish(t, first, m);
}

static bool load_oword(VeuThread *t, const VeuMessage *m)
{
    return move_in_buffer(t, m, VEU_ACCESS_READ, load_block);
}

static bool store_oword(VeuThread *t, const VeuMessage *m)
{
    return move_in_buffer(t, m, VEU_ACCESS_WRITE, store_block);
}

VeuFast *veu_fast_oword_ld(const VeuMessage *m)
{
    return m->data.null ? NULL : load_oword;
}

VeuFast *veu_fast_oword_st(const VeuMessage *m)
{
    return m->data.null ? NULL : store_oword;
}

/* --- At an address -------------------------------------------------------- */

/* Finds the block of @m. Returns NULL to refuse the message. */
VEU_CLONED uint8_t *find_at_address(VeuThread *t, const VeuMessage *m,
                                    enum veu_access access)
{
    uint64_t iova;

    if (!veu_fast_scalar(t, &m->global_offset, &iova) ||
        iova % m->align_bytes) {
        return NULL;
    }
    return veu_mem_at(t->mem, iova, block_bytes(m), access);
}

VEU_CLONED bool move_at_address(VeuThread *t, const VeuMessage *m,
                                enum veu_access access, MoveBlock *move)
{
    const VeuMessage *first = m;

    do {
        uint8_t *guest = find_at_address(t, m, access);

        if (!guest) {
            break;
        }
        move(t->registers + m->data.register_byte, guest, block_bytes(first));
    } while (veu_goes_on(t, &m));
    return finish(t, first, m);
}

static bool load_svm(VeuThread *t, const VeuMessage *m)
{
    return move_at_address(t, m, VEU_ACCESS_READ, load_block);
}

static bool store_svm(VeuThread *t, const VeuMessage *m)
{
    return move_at_address(t, m, VEU_ACCESS_WRITE, store_block);
}

VeuFast *veu_fast_svm_block_ld(const VeuMessage *m)
{
    return m->data.null ? NULL : load_svm;
}

VeuFast *veu_fast_svm_block_st(const VeuMessage *m)
{
    return m->data.null ? NULL : store_svm;
}
