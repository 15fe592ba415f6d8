/*
 * veu execution unit: the fast paths of OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST,
 * SVM BLOCK_LD, SVM BLOCK_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Consecutive messages have blocks of one size, each at its own offset or
 * address. Of a block in a buffer, owords may be out of bounds: they are the
 * last ones.
 */
#include <string.h>
#include "hw/veu/eu/message/buffer.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/fast_blocks.h"
#include "hw/veu/eu/message/fast_path.h"

/* 8 owords, the largest block of most generations of hardware. */
#define COMMON_BYTES 128

/* What the blocks of consecutive messages have in common. */
typedef struct Blocks {
    uint8_t *registers;
    uint32_t bytes;
    unsigned shift;    /* log2 of the unit of offsets */
    uint32_t low_bits; /* those that must be 0 in an offset or address */
    enum veu_access access;
    VeuMoveBlock *move;
    /* size of an offset or address in a general register; 0: any operand */
    uint8_t scalar_bytes;
} Blocks;

VEU_CLONED Blocks open_blocks(const VeuThread *t, const VeuMessage *m,
                              enum veu_access access, VeuMoveBlock *move)
{
    return (Blocks){
        .registers = t->registers,
        .bytes = m->element_bytes * m->blocks,
        .shift = m->info->unit == VEU_UNIT_OWORD ? 4 : 0,
        .low_bits = m->align_bytes ? m->align_bytes - 1 : 0,
        .access = access,
        .move = move,
    };
}

/* The offset or address of @m. Returns false if it cannot be read. */
VEU_CLONED bool read_scalar(VeuThread *t, const VeuMessage *m, const Blocks *b,
                            uint64_t *value)
{
    const VeuScalar *scalar = &m->global_offset;

    if (!b->scalar_bytes) {
        return veu_fast_scalar(t, scalar, value);
    }
    *value = 0;
    memcpy(value, b->registers + scalar->register_byte, b->scalar_bytes);
    return true;
}

/* Moves a block from or to the registers of @m. */
VEU_CLONED void move_block(const Blocks *b, const VeuMessage *m, uint8_t *guest)
{
    b->move(b->registers + m->data.register_byte, guest, b->bytes);
}

/*
 * Marks the pages of a block, whose dirty blocks are listed. Few blocks have a
 * second page.
 */
VEU_CLONED void mark_block(const Blocks *b, uintptr_t noted, uint8_t *host)
{
    uintptr_t page = (uintptr_t)host >> VEU_PAGE_BITS;
    uintptr_t last = (uintptr_t)(host + b->bytes - 1) >> VEU_PAGE_BITS;

    *(uint8_t *)(noted + page) = 1;
    if (__builtin_expect(page != last, 0)) {
        *(uint8_t *)(noted + last) = 1;
    }
}

/* --- In a buffer ---------------------------------------------------------- */

/*
 * Returns true if run_in_view() can have the buffer. It marks pages without
 * looking whether they are listed, so those of a small buffer are all listed
 * here.
 */
VEU_CLONED bool open_view(VeuThread *t, const Blocks *b, const VeuView *view)
{
    if (!view->host || view->bytes < b->bytes) {
        return false;
    }
    if (b->access != VEU_ACCESS_WRITE || !view->extent) {
        return true;
    }
    if (!view->extent->noted || view->bytes > VEU_SMALL_BYTES) {
        return false;
    }
    veu_mem_list_all(t->mem, view->extent, view->host, view->bytes);
    return true;
}

/*
 * Executes a message of whose block owords are out of bounds. Loads return 0
 * for them. Returns how many bytes they are, or 0 to refuse the message. It is
 * not inlined, and takes a copy, so that loops keep theirs in registers.
 */
static __attribute__((noinline)) uint32_t move_part(VeuThread *t,
                                                    const VeuMessage *m,
                                                    VeuView view,
                                                    uint64_t offset)
{
    uint8_t *registers = t->registers + m->data.register_byte;
    const Blocks b = open_blocks(t, m, m->info->access, NULL);
    uint32_t bytes = veu_owords_inside(view.bytes, offset, b.bytes);

    if (bytes) {
        uint8_t *guest = veu_view_at(t, &view, offset, bytes, b.access);

        if (!guest) {
            return 0;
        }
        if (b.access == VEU_ACCESS_WRITE) {
            veu_guest_store_block(guest, registers, bytes);
        } else {
            veu_guest_load_block(registers, guest, bytes);
        }
    }
    if (b.access == VEU_ACCESS_READ) {
        memset(registers + bytes, 0, b.bytes - bytes);
    }
    return b.bytes - bytes;
}

/*
 * Executes @m and those that follow it closely. Returns the first message that
 * has not been executed, and adds up what was out of bounds.
 */
VEU_CLONED const VeuMessage *run_in_view(VeuThread *t, const VeuMessage *m,
                                         Blocks b, VeuView view,
                                         uint32_t *outside_bytes)
{
    const bool marks = b.access == VEU_ACCESS_WRITE && view.extent &&
                       !veu_mem_is_noted(t->mem, view.extent, view.host,
                                         view.bytes);
    const uintptr_t noted = marks ? view.extent->noted : 0;
    const uint64_t last = view.bytes - b.bytes;
    VeuFollow f = veu_follow_open(t, m);
    uint64_t offset = view.global;

    for (;;) {
        offset = (uint64_t)(uint32_t)offset << b.shift;
        if (offset & b.low_bits) {
            break;
        }
        if (__builtin_expect(offset > last, 0)) {
            *outside_bytes += move_part(t, f.m, view, offset);
        } else {
            uint8_t *host = view.host + offset;

            if (marks) {
                mark_block(&b, noted, host);
            }
            move_block(&b, f.m, host);
        }
        if (!veu_follow_closely(&f) || !read_scalar(t, f.m, &b, &offset)) {
            break;
        }
    }
    return f.m;
}

/*
 * Executes a message with any buffer. Returns false to refuse it, and adds up
 * what was out of bounds.
 */
VEU_CLONED bool move_in_any(VeuThread *t, const VeuMessage *m, const Blocks *b,
                            const VeuView *view, uint32_t *outside_bytes)
{
    uint64_t offset = (uint64_t)view->global << b->shift;
    uint32_t outside;
    uint8_t *guest;

    if (offset & b->low_bits) {
        return false;
    }
    if (offset + b->bytes > view->bytes) {
        outside = move_part(t, m, *view, offset);
        *outside_bytes += outside;
        return outside;
    }
    guest = veu_view_at(t, view, offset, b->bytes, b->access);
    if (guest) {
        move_block(b, m, guest);
    }
    return guest;
}

/* Like run_in_view(), for any buffer, and for all messages that follow. */
VEU_CLONED const VeuMessage *run_in_any(VeuThread *t, const VeuMessage *m,
                                        const Blocks *b, VeuView view,
                                        uint32_t *outside_bytes)
{
    VeuFollow f = veu_follow_open(t, m);

    while (move_in_any(t, f.m, b, &view, outside_bytes) &&
           veu_follow_next(&f) && veu_view_follow(t, f.m, b->access, &view)) {}
    return f.m;
}

VEU_CLONED bool has_common_form(const VeuMessage *m, const Blocks *b,
                                const VeuView *view)
{
    return b->bytes == COMMON_BYTES && b->shift == 4 && !b->low_bits &&
           (uintptr_t)view->host % 16 == 0 &&
           veu_is_general(&m->global_offset, VEU_TYPE_UD);
}

/* The common form has a loop of its own, in which it is constant. */
VEU_CLONED bool move_in_buffer(VeuThread *t, const VeuMessage *m,
                               enum veu_access access, VeuMoveBlock *move,
                               VeuMoveBlock *move_common)
{
    Blocks b = open_blocks(t, m, access, move);
    uint32_t outside_bytes = 0;
    const VeuMessage *end;
    VeuView view;

    if (!veu_view_find(t, m, access, &view)) {
        return false;
    }
    if (!open_view(t, &b, &view)) {
        end = run_in_any(t, m, &b, view, &outside_bytes);
    } else if (has_common_form(m, &b, &view)) {
        b.bytes = COMMON_BYTES;
        b.shift = 4;
        b.low_bits = 0;
        b.move = move_common;
        b.scalar_bytes = sizeof(uint32_t);
        end = run_in_view(t, m, b, view, &outside_bytes);
    } else {
        end = run_in_view(t, m, b, view, &outside_bytes);
    }
    return veu_follow_finish(t, m, end, (end - m) * b.bytes - outside_bytes);
}

/* --- At an address -------------------------------------------------------- */

/* The extent that was found last, and where a block may begin in it. */
typedef struct Place {
    VeuExtent extent;
    uint64_t offsets; /* number of those at which a block may begin */
} Place;

/* Returns the host address of a block, or NULL if it is not in @p. */
VEU_CLONED uint8_t *find_in_place(VeuThread *t, const Blocks *b, const Place *p,
                                  uint64_t iova)
{
    uint64_t offset = iova - p->extent.iova;
    uint8_t *host;

    if (offset >= p->offsets) {
        return NULL;
    }
    host = p->extent.host + offset;
    if (b->access == VEU_ACCESS_WRITE) {
        veu_mem_list(t->mem, &p->extent, host, b->bytes);
        mark_block(b, p->extent.noted, host);
    }
    return host;
}

/* The extent that was found last, if pages that are written can be marked. */
VEU_CLONED Place last_place(const VeuThread *t, const Blocks *b)
{
    bool is_write = b->access == VEU_ACCESS_WRITE;
    const VeuExtent *e = &t->mem->kept[is_write].last;
    bool fits = e->bytes >= b->bytes && (!is_write || e->noted);

    return (Place){ *e, fits ? e->bytes - b->bytes + 1 : 0 };
}

/*
 * Executes @m and those that follow it closely. Returns the first message that
 * has not been executed.
 */
VEU_CLONED const VeuMessage *run_at_addresses(VeuThread *t, const VeuMessage *m,
                                              Blocks b)
{
    Place place = last_place(t, &b);
    VeuFollow f = veu_follow_open(t, m);
    uint64_t iova;

    do {
        uint8_t *guest;

        if (!read_scalar(t, f.m, &b, &iova) || (iova & b.low_bits)) {
            break;
        }
        guest = find_in_place(t, &b, &place, iova);
        if (!guest) {
            guest = veu_mem_at(t->mem, iova, b.bytes, b.access);
            place = last_place(t, &b);
        }
        if (!guest) {
            break;
        }
        move_block(&b, f.m, guest);
    } while (veu_follow_closely(&f));
    return f.m;
}

VEU_CLONED bool move_at_address(VeuThread *t, const VeuMessage *m,
                                enum veu_access access, VeuMoveBlock *move)
{
    Blocks b = open_blocks(t, m, access, move);
    const VeuMessage *end;

    if (b.bytes == COMMON_BYTES &&
        veu_is_general(&m->global_offset, VEU_TYPE_UQ)) {
        b.bytes = COMMON_BYTES;
        b.scalar_bytes = sizeof(uint64_t);
        end = run_at_addresses(t, m, b);
    } else {
        end = run_at_addresses(t, m, b);
    }
    return veu_follow_finish(t, m, end, (end - m) * b.bytes);
}

/* --- Levels --------------------------------------------------------------- */

/* The four messages, for a level of CPUs. */
#define BLOCKS(level, target)                                                  \
    target static bool load_oword_##level(VeuThread *t, const VeuMessage *m)   \
    {                                                                          \
        return move_in_buffer(t, m, VEU_ACCESS_READ, veu_##level##_load_block, \
                              veu_##level##_load_owords);                      \
    }                                                                          \
    target static bool store_oword_##level(VeuThread *t, const VeuMessage *m)  \
    {                                                                          \
        return move_in_buffer(t, m, VEU_ACCESS_WRITE,                          \
                              veu_##level##_store_block,                       \
                              veu_##level##_store_owords);                     \
    }                                                                          \
    target static bool load_svm_##level(VeuThread *t, const VeuMessage *m)     \
    {                                                                          \
        return move_at_address(t, m, VEU_ACCESS_READ,                          \
                               veu_##level##_load_block);                      \
    }                                                                          \
    target static bool store_svm_##level(VeuThread *t, const VeuMessage *m)    \
    {                                                                          \
        return move_at_address(t, m, VEU_ACCESS_WRITE,                         \
                               veu_##level##_store_block);                     \
    }

BLOCKS(scalar, )
#ifdef VEU_HAS_AVX2
BLOCKS(avx2, VEU_TARGET_AVX2)
BLOCKS(avx512, VEU_TARGET_AVX512)
#define LEVELS(name)                                                    \
    {                                                                   \
        [VEU_CPU_SCALAR] = name##_scalar, [VEU_CPU_AVX2] = name##_avx2, \
        [VEU_CPU_AVX512] = name##_avx512                                \
    }
#else
#define LEVELS(name)                     \
    {                                    \
        [VEU_CPU_SCALAR] = name##_scalar \
    }
#endif

static VeuFastTable oword_loads = LEVELS(load_oword);
static VeuFastTable oword_stores = LEVELS(store_oword);
static VeuFastTable svm_loads = LEVELS(load_svm);
static VeuFastTable svm_stores = LEVELS(store_svm);

VeuFast *veu_fast_oword_ld(const VeuMessage *m)
{
    return veu_fast_pick(oword_loads, m);
}

VeuFast *veu_fast_oword_st(const VeuMessage *m)
{
    return veu_fast_pick(oword_stores, m);
}

VeuFast *veu_fast_svm_block_ld(const VeuMessage *m)
{
    return veu_fast_pick(svm_loads, m);
}

VeuFast *veu_fast_svm_block_st(const VeuMessage *m)
{
    return veu_fast_pick(svm_stores, m);
}
