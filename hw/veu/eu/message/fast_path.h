/*
 * veu execution unit: fast paths through messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The executor of a message (gather.c) implements all rules, lane by lane. The
 * fast path beside it (gather_fast.c) implements the same rules for the common
 * case only, for all lanes at once. Both give the same results, bit for bit;
 * the random test compares them with the second implementation.
 *
 * Who is eligible. When a message is decoded, the chooser of its row returns a
 * fast path or NULL. veu_execute() calls the fast path only while no observer
 * watches the lanes and the property `check` is off: a fast path reports
 * neither lanes nor broken contracts. It handles lanes in bounds and lanes out
 * of bounds, but not faults, nor elements that lie in two extents.
 *
 * Refusal. A fast path returns false if it meets something that it cannot
 * handle. It must not have changed registers, guest memory, or the state of the
 * thread by then: everything is checked first, and nothing becomes visible
 * before the last check. The executor runs then, as if the fast path had not
 * been called, and finds the fault if there is one.
 *
 * Views. A fast path looks up the message's buffer once, as a VeuWindow: its
 * host address, its size, and the extent that it lies in (memory/mem.h). Three
 * functions do that. veu_window_open_usual() expects the extent that was used
 * last and an immediate offset; it calls nothing, so its caller needs no stack
 * frame. veu_window_open_any() tries that first, and accepts any offset.
 * veu_window_open() is the general one.
 *
 * Dirty bytes. Code that stores through a view marks the pages as dirty before
 * the message ends: veu_window_at() does it for one access, and the functions
 * of fast_avx2.h and fast_avx512.h do it for all lanes.
 *
 * Messages that follow. VeuMessage.follows says that a message differs from the
 * one before it in its operands only. A fast path may execute such messages in
 * a loop (veu_goes_on()) while no other thread waits for the step to end; it
 * counts them in thread->more. If a later message of the loop is refused, those
 * before it stand, and the loop ends in front of it.
 *
 * Levels of CPUs. A table (VeuFastTable) has a function for each level of
 * simd/cpu.h and each execution size; a level without an entry uses the next
 * lower one. VEU_CPU in the environment chooses a lower level for tests.
 */
#ifndef VEU_EU_FAST_H
#define VEU_EU_FAST_H

#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/simd/cpu.h"
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "veu/program.h"

/*
 * Choosers: return the fast path for a decoded message, or NULL. The rows of
 * the message table name them.
 */
VeuFast *veu_fast_gather(const VeuMessage *message);
VeuFast *veu_fast_scatter(const VeuMessage *message);
VeuFast *veu_fast_gather4(const VeuMessage *message);
VeuFast *veu_fast_scatter4(const VeuMessage *message);
VeuFast *veu_fast_svm_gather(const VeuMessage *message);
VeuFast *veu_fast_svm_scatter(const VeuMessage *message);
VeuFast *veu_fast_svm_gather4(const VeuMessage *message);
VeuFast *veu_fast_svm_scatter4(const VeuMessage *message);
VeuFast *veu_fast_oword_ld(const VeuMessage *message);
VeuFast *veu_fast_oword_st(const VeuMessage *message);
VeuFast *veu_fast_media_ld(const VeuMessage *message);
VeuFast *veu_fast_media_st(const VeuMessage *message);
VeuFast *veu_fast_svm_block_ld(const VeuMessage *message);
VeuFast *veu_fast_svm_block_st(const VeuMessage *message);
VeuFast *veu_fast_dword_atomic(const VeuMessage *message);
VeuFast *veu_fast_typed_atomic(const VeuMessage *message);
VeuFast *veu_fast_svm_atomic(const VeuMessage *message);
VeuFast *veu_fast_gather4_typed(const VeuMessage *message);
VeuFast *veu_fast_scatter4_typed(const VeuMessage *message);
/* Choosers for SLM in programs of instructions, where offsets wrap. */
VeuFast *veu_slm_gather(const VeuMessage *message);
VeuFast *veu_slm_scatter(const VeuMessage *message);
VeuFast *veu_slm_gather4(const VeuMessage *message);
VeuFast *veu_slm_scatter4(const VeuMessage *message);
VeuFast *veu_slm_oword_ld(const VeuMessage *message);
VeuFast *veu_slm_oword_st(const VeuMessage *message);
VeuFast *veu_slm_dword_atomic(const VeuMessage *message);

/*
 * Indexed by CPU level and log2 of the lanes. A level without an entry uses the
 * next lower one; every table has the lowest level.
 */
#define VEU_FAST_SIZES 6
typedef VeuFast *VeuFastTable[VEU_CPU_COUNT][VEU_FAST_SIZES];

/* @wide_16 and @wide_32 use AVX-512. For the others, see below. */
#define VEU_FAST_TABLE_WIDE(name, any, of_8, of_16, of_32, wide_16, wide_32) \
    static const VeuFastTable name = {                                       \
        [VEU_CPU_SCALAR] = { any, any, any, any, any, any },                 \
        [VEU_CPU_AVX2] = { any, any, any, of_8, of_16, of_32 },              \
        [VEU_CPU_AVX512] = { [4] = wide_16, [5] = wide_32 },                 \
    }

/* @any serves the lowest level, and fewer than 8 lanes. */
#define VEU_FAST_TABLE(name, any, of_8, of_16, of_32)           \
    static const VeuFastTable name = {                          \
        [VEU_CPU_SCALAR] = { any, any, any, any, any, any },    \
        [VEU_CPU_AVX2] = { any, any, any, of_8, of_16, of_32 }, \
    }

/* Returns NULL if an operand is null. */
static inline VeuFast *veu_fast_pick(const VeuFastTable table,
                                     const VeuMessage *message)
{
    unsigned size = __builtin_ctz(message->lanes);
    unsigned level = veu_cpu;

    while (!table[level][size]) {
        level--;
    }
    return message->data.null || message->address.null ? NULL :
                                                         table[level][size];
}

/*
 * Executes one message and adds up what it moved. Returns false if it has done
 * nothing.
 */
typedef bool VeuFastOne(VeuThread *thread, const VeuMessage *message,
                        uint32_t *moved_bytes);

/*
 * The fast path that executes a message with @one, and then those that follow.
 */
VEU_CLONED bool veu_fast_each(VeuThread *t, const VeuMessage *m,
                              VeuFastOne *one)
{
    const VeuMessage *first = m;
    uint32_t moved_bytes = 0;

    while (one(t, m, &moved_bytes) && veu_goes_on(t, &m)) {}
    if (m == first) {
        return false;
    }
    t->more = m - first - 1;
    t->moved_bytes = moved_bytes;
    return true;
}

/*
 * Defines the fast path @name. @call is the body of its VeuFastOne, which
 * executes one message. Both functions have @attributes.
 */
#define VEU_FAST_WAY(attributes, name, call)                      \
    attributes bool name##_one(VeuThread *t, const VeuMessage *m, \
                               uint32_t *moved_bytes)             \
    {                                                             \
        return call;                                              \
    }                                                             \
    attributes bool name(VeuThread *t, const VeuMessage *m)       \
    {                                                             \
        return veu_fast_each(t, m, name##_one);                   \
    }

/* The upper bytes of elements of less than a dword. */
static inline uint32_t veu_undefined_dword(const VeuThread *thread)
{
    return thread->config->undefined * UINT32_C(0x01010101);
}

/* The blocks of a small buffer or surface are all listed at once. */
#define VEU_SMALL_BYTES (UINT64_C(32) << VEU_NOTE_BITS)

/* A buffer, and the extent that contains it. */
typedef struct VeuWindow {
    /* address of its first byte; NULL: it is in several extents */
    uint8_t *host;
    const VeuExtent *extent; /* NULL: not needed, for SLM */
    uint64_t base;
    uint64_t bytes;
    uint64_t spare_bytes; /* bytes that follow the buffer in the extent */
    uint32_t global;
} VeuWindow;

/* Finds the buffer that @message names. Returns false to give up. */
VEU_CLONED bool veu_window_range(VeuThread *thread, const VeuMessage *message,
                                 VeuRange *range)
{
    unsigned index = message->surface - VEU_FIRST_SURFACE;

    if (index < thread->surfaces->count) {
        const VeuSurface *s = &thread->surfaces->surface[index];

        if (s->type == VEU_SURFACE_BUFFER && !s->slm) {
            range->base = s->base;
            range->bytes = s->bytes;
            range->slm = NULL;
            return true;
        }
    }
    return veu_surface_range(thread, message, range);
}

static inline bool veu_window_scalar(VeuThread *thread, const VeuScalar *scalar,
                                     uint64_t *value)
{
    if (scalar->class == VEU_SCALAR_IMMEDIATE) {
        *value = scalar->value;
        return true;
    }
    if (scalar->class == VEU_SCALAR_GENERAL) {
        *value = veu_type_load(scalar->type,
                               thread->registers + scalar->register_byte);
        return true;
    }
    return veu_scalar_value(thread, scalar, value);
}

/*
 * Returns true if memory is known to begin in one page of 4 KiB and end in
 * another. No single extent has it then.
 */
VEU_CLONED bool veu_is_apart(const VeuThread *thread, uint64_t base,
                             uint64_t bytes)
{
    const VeuHostPages *pages = thread->mem->host_pages;
    uint64_t word;

    if (!pages || base % VEU_PAGE_BYTES + bytes <= VEU_PAGE_BYTES) {
        return false;
    }
    word = veu_host_page_find(pages, base, 1, 0);
    return (word & (VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE)) &&
           !(word & VEU_HOST_PAGE_PART);
}

VEU_CLONED bool veu_window_open(VeuThread *thread, const VeuMessage *message,
                                enum veu_access access, VeuWindow *window)
{
    VeuRange range;
    uint64_t global;

    if (!veu_window_range(thread, message, &range) ||
        !veu_window_scalar(thread, &message->global_offset, &global) ||
        (range.slm && thread->slm_wraps)) {
        return false;
    }
    window->global = global;
    window->base = range.base;
    window->bytes = range.bytes;
    window->host = range.slm;
    window->extent = NULL;
    window->spare_bytes = 0;
    if (!range.slm && !veu_is_apart(thread, range.base, range.bytes)) {
        const VeuExtent *e = veu_mem_find_buffer(thread->mem, range.base,
                                                 range.bytes, access);

        if (e) {
            window->extent = e;
            window->host = veu_extent_at(e, range.base);
            window->spare_bytes = e->bytes - (range.base - e->iova) -
                                  range.bytes;
        }
    }
    return true;
}

/*
 * Handles the common kind of buffer: one of the table, in the extent that was
 * found last, with any offset. It calls nothing; so a caller that ends in a
 * tail call if this returns false needs no stack frame.
 */
VEU_CLONED bool veu_window_open_last(VeuThread *thread,
                                     const VeuMessage *message,
                                     enum veu_access access, VeuWindow *window)
{
    const VeuExtent *e = &thread->mem->kept[access == VEU_ACCESS_WRITE].last;
    unsigned index = message->surface - VEU_FIRST_SURFACE;
    const VeuSurface *s;
    uint64_t at;

    if (index >= thread->surfaces->count) {
        return false;
    }
    s = &thread->surfaces->surface[index];
    if (s->type != VEU_SURFACE_BUFFER || s->slm ||
        !veu_extent_has(e, s->base, s->bytes)) {
        return false;
    }
    at = s->base - e->iova;
    *window = (VeuWindow){
        .host = e->host + at,
        .extent = e,
        .base = s->base,
        .bytes = s->bytes,
        .spare_bytes = e->bytes - at - s->bytes,
    };
    return true;
}

/* Like veu_window_open_last(), with an immediate offset. */
VEU_CLONED bool veu_window_open_usual(VeuThread *thread,
                                      const VeuMessage *message,
                                      enum veu_access access, VeuWindow *window)
{
    if (message->global_offset.class != VEU_SCALAR_IMMEDIATE ||
        !veu_window_open_last(thread, message, access, window)) {
        return false;
    }
    window->global = message->global_offset.value;
    return true;
}

/*
 * Handles any buffer, and common ones quickly: *@window is not passed on, so it
 * stays in registers.
 */
VEU_CLONED bool veu_window_open_any(VeuThread *thread,
                                    const VeuMessage *message,
                                    enum veu_access access, VeuWindow *window)
{
    VeuWindow other;
    uint64_t global;

    if (!veu_window_open_last(thread, message, access, window)) {
        if (!veu_window_open(thread, message, access, &other)) {
            return false;
        }
        *window = other;
        return true;
    }
    if (!veu_window_scalar(thread, &message->global_offset, &global)) {
        return false;
    }
    window->global = global;
    return true;
}

/*
 * The place of [offset, offset + bytes), which is inside the buffer; NULL if
 * this must be left to the executor.
 */
VEU_CLONED uint8_t *veu_window_at(VeuThread *thread, const VeuWindow *window,
                                  uint64_t offset, uint32_t bytes,
                                  enum veu_access access)
{
    uint8_t *host;

    if (!window->host) {
        return veu_mem_at(thread->mem, window->base + offset, bytes, access);
    }
    host = window->host + offset;
    if (access == VEU_ACCESS_WRITE && window->extent) {
        veu_mem_note(thread->mem, window->extent, host, bytes);
    }
    return host;
}

#endif
