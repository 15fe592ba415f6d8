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
 * Views. A fast path looks the buffer that the message names up once, as a
 * VeuView: its host address, its size, and the extent that it lies in
 * (memory/mem.h). veu_view_find_cached() expects a surface of the table that
 * lies in the extent that was used last, veu_view_find_apart() one that is in
 * several pages. veu_view_find_uncached() takes any buffer. veu_view_find()
 * tries them in this order; that is what fast paths call. Without an extent of
 * its own the buffer is in several pages.
 *
 * Dirty bytes. What stores through a view marks the pages as dirty before the
 * fast path returns: veu_view_at() does it for one access, the functions of
 * fast_targets.h for all lanes of a message, and those of fast_avx512_marks.h
 * for all messages of a loop that has ended.
 *
 * Messages that follow. VeuMessage.follows states how closely a message
 * resembles the one before it. A fast path executes messages that follow in a
 * loop (VeuFollow) while no other thread waits for the step to end, with the
 * view of the first as long as they name its surface. The shortest loops take
 * only messages that follow closely, so that they need not compare anything.
 * A fast path counts the messages after the first in thread->more. If a later
 * message of the loop is refused, those before it stand, and the loop ends in
 * front of it.
 *
 * Levels of CPUs. A fast path is a function for each level of simd/cpu.h, and a
 * VeuFastTable has their names: loops over lanes, gather_lanes(), for any CPU;
 * gather_avx2(); gather_avx512(). A level without an entry uses the next lower
 * one. Where loops over lanes are vector instructions, the function passes the
 * number of lanes as a constant. VEU_CPU in the environment chooses a lower
 * level for tests.
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
VeuFast *veu_fast_fence(const VeuMessage *message);

/* Returns true for a fence of what the EU thread's own messages do anyway. */
bool veu_fence_does_nothing(const VeuMessage *message);
/* Choosers for SLM in programs of instructions, where offsets wrap. */
VeuFast *veu_slm_gather(const VeuMessage *message);
VeuFast *veu_slm_scatter(const VeuMessage *message);
VeuFast *veu_slm_gather4(const VeuMessage *message);
VeuFast *veu_slm_scatter4(const VeuMessage *message);
VeuFast *veu_slm_oword_ld(const VeuMessage *message);
VeuFast *veu_slm_oword_st(const VeuMessage *message);
VeuFast *veu_slm_dword_atomic(const VeuMessage *message);

/* A fast path, by level of the CPU. Every table has the lowest level. */
typedef VeuFast *const VeuFastTable[VEU_CPU_COUNT];

/* Returns the function for this CPU, or NULL if an operand is null. */
static inline VeuFast *veu_fast_pick(const VeuFastTable table,
                                     const VeuMessage *message)
{
    unsigned level = veu_cpu;

    while (!table[level]) {
        level--;
    }
    return message->data.null || message->address.null ? NULL : table[level];
}

/*
 * The fast path @table, which is @call for each level: functions @scalar,
 * @avx2 and @avx512, which take a thread @t and a message @m.
 */
#define VEU_FAST_LEVELS(table, scalar, avx2, avx512, call)                  \
    static bool scalar(VeuThread *t, const VeuMessage *m)                   \
    {                                                                       \
        return call;                                                        \
    }                                                                       \
    VEU_TARGET_AVX2 static bool avx2(VeuThread *t, const VeuMessage *m)     \
    {                                                                       \
        return call;                                                        \
    }                                                                       \
    VEU_TARGET_AVX512 static bool avx512(VeuThread *t, const VeuMessage *m) \
    {                                                                       \
        return call;                                                        \
    }                                                                       \
    static VeuFastTable table = {                                           \
        [VEU_CPU_SCALAR] = scalar,                                          \
        [VEU_CPU_AVX2] = avx2,                                              \
        [VEU_CPU_AVX512] = avx512,                                          \
    }

/*
 * Calls @each with thread @t, message @m and the number of its lanes: a
 * constant, which loops over lanes need. For fewer than 8 lanes it is @other.
 */
#define VEU_FOR_LANES(t, m, other, each, ...)           \
    ((m)->lanes == 16 ? each(t, m, 16, ##__VA_ARGS__) : \
     (m)->lanes == 8  ? each(t, m, 8, ##__VA_ARGS__) :  \
     (m)->lanes == 32 ? each(t, m, 32, ##__VA_ARGS__) : \
                        other)

/*
 * Executes one message and adds up what it moved. Returns false if it has done
 * nothing.
 */
typedef bool VeuFastOne(VeuThread *thread, const VeuMessage *message,
                        uint32_t *moved_bytes);

/*
 * A loop over consecutive messages. What it reads to find its end is in
 * variables, which stores to memory do not make the compiler read again.
 */
typedef struct VeuFollow {
    const VeuMessage *m; /* to be executed next */
    const VeuMessage *end;
    const unsigned *awaited;
} VeuFollow;

VEU_CLONED VeuFollow veu_follow_open(const VeuThread *t, const VeuMessage *m)
{
    static const unsigned never;

    return (VeuFollow){ m, t->end, t->awaited ? t->awaited : &never };
}

/*
 * Returns true if the loop may continue with the message, which must follow the
 * one before it as @least says, or more closely.
 */
VEU_CLONED bool veu_follow_may(const VeuFollow *f, VeuFollows least)
{
    return f->m < f->end && f->m->follows >= least &&
           !__atomic_load_n(f->awaited, __ATOMIC_RELAXED);
}

/* Returns true if the loop may continue with the message. */
VEU_CLONED bool veu_follow_is_next(const VeuFollow *f)
{
    return veu_follow_may(f, VEU_FOLLOWS);
}

/*
 * Proceeds to the next message. Returns false if it does not follow closely, or
 * if the loop must end before it.
 */
VEU_CLONED bool veu_follow_closely(VeuFollow *f)
{
    f->m++;
    return veu_follow_may(f, VEU_FOLLOWS_CLOSELY);
}

/* The message with which the loop is likely to continue, or NULL. */
VEU_CLONED const VeuMessage *veu_follow_after(const VeuFollow *f)
{
    const VeuMessage *next = f->m + 1;

    return next < f->end && next->follows ? next : NULL;
}

/* Proceeds to the next message. Returns false if the loop ends before it. */
VEU_CLONED bool veu_follow_next(VeuFollow *f)
{
    f->m++;
    return veu_follow_is_next(f);
}

/*
 * Completes the messages from @first to before @end, which moved @moved_bytes.
 * Returns false if there are none.
 */
VEU_CLONED bool veu_follow_finish(VeuThread *t, const VeuMessage *first,
                                  const VeuMessage *end, uint32_t moved_bytes)
{
    if (end == first) {
        return false;
    }
    t->more = end - first - 1;
    t->moved_bytes = moved_bytes;
    return true;
}

/*
 * The fast path that executes a message with @one, and then those that follow.
 */
VEU_CLONED bool veu_fast_each(VeuThread *t, const VeuMessage *m,
                              VeuFastOne *one)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;

    while (one(t, f.m, &moved_bytes) && veu_follow_next(&f)) {}
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

/* The upper bytes of elements of less than a dword. */
static inline uint32_t veu_undefined_dword(const VeuThread *thread)
{
    return thread->config->undefined * UINT32_C(0x01010101);
}

/* The blocks of a small buffer or surface are all listed at once. */
#define VEU_SMALL_BYTES (UINT64_C(32) << VEU_NOTE_BITS)

/* A buffer, and the extent that contains it. */
typedef struct VeuView {
    /* address of its first byte; NULL: it is in several extents */
    uint8_t *host;
    const VeuExtent *extent; /* NULL: not needed, for SLM */
    uint64_t base;
    uint64_t bytes;
    uint64_t spare_bytes; /* bytes that follow the buffer in the extent */
    uint32_t global;      /* the offset that the message adds */
} VeuView;

/* Returns true if @scalar is in a general register, and has this type. */
VEU_CLONED bool veu_is_general(const VeuScalar *scalar, enum veu_type type)
{
    return scalar->class == VEU_SCALAR_GENERAL && scalar->type == type;
}

/*
 * Like veu_scalar_value(). *@value is not passed on, so it stays in a register.
 */
VEU_CLONED bool veu_fast_scalar(VeuThread *thread, const VeuScalar *scalar,
                                uint64_t *value)
{
    const uint8_t *from = thread->registers + scalar->register_byte;
    uint64_t other;
    uint32_t low;

    if (scalar->class == VEU_SCALAR_IMMEDIATE) {
        *value = scalar->value;
        return true;
    }
    if (veu_is_general(scalar, VEU_TYPE_UD)) {
        memcpy(&low, from, sizeof(low));
        *value = low;
        return true;
    }
    if (veu_is_general(scalar, VEU_TYPE_UQ)) {
        memcpy(value, from, sizeof(*value));
        return true;
    }
    if (!veu_scalar_value(thread, scalar, &other)) {
        return false;
    }
    *value = other;
    return true;
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

/*
 * The buffer that @message names, if it is a surface of the table that lies in
 * the extent that was used last for @access. Returns false to look it up.
 */
VEU_CLONED bool veu_view_find_cached(VeuThread *thread,
                                     const VeuMessage *message,
                                     enum veu_access access, VeuView *view)
{
    const VeuExtent *e = &thread->mem->kept[access == VEU_ACCESS_WRITE].last;
    const VeuSurface *s = veu_table_buffer(thread, message);
    uint64_t at, global;

    if (!s || !veu_extent_has(e, s->base, s->bytes) ||
        !veu_fast_scalar(thread, &message->global_offset, &global)) {
        return false;
    }
    at = s->base - e->iova;
    *view = (VeuView){
        .host = e->host + at,
        .extent = e,
        .base = s->base,
        .bytes = s->bytes,
        .spare_bytes = e->bytes - at - s->bytes,
        .global = global,
    };
    return true;
}

/*
 * Like veu_view_find_cached(), for a surface of the table that is known to be
 * in several pages.
 */
VEU_CLONED bool veu_view_find_apart(VeuThread *thread,
                                    const VeuMessage *message, VeuView *view)
{
    const VeuSurface *s = thread->mem->host_pages ?
                              veu_table_buffer(thread, message) :
                              NULL;
    uint64_t global;

    if (!s || !veu_is_apart(thread, s->base, s->bytes) ||
        !veu_fast_scalar(thread, &message->global_offset, &global)) {
        return false;
    }
    *view = (VeuView){ .base = s->base, .bytes = s->bytes, .global = global };
    return true;
}

/*
 * Like veu_view_find_cached(), for any buffer. Returns false to refuse the
 * message.
 */
bool veu_view_find_uncached(VeuThread *thread, const VeuMessage *message,
                            enum veu_access access, VeuView *view);

/* Finds any buffer. *@view is not passed on, so it stays in registers. */
VEU_CLONED bool veu_view_find(VeuThread *thread, const VeuMessage *message,
                              enum veu_access access, VeuView *view)
{
    VeuView other;

    if (veu_view_find_cached(thread, message, access, view) ||
        veu_view_find_apart(thread, message, view)) {
        return true;
    }
    if (!veu_view_find_uncached(thread, message, access, &other)) {
        return false;
    }
    *view = other;
    return true;
}

/*
 * @message follows one whose buffer is @view. Makes @view the buffer of
 * @message, with the offset in its register. Returns false if that is not
 * found at once.
 */
VEU_CLONED bool veu_view_follow(VeuThread *thread, const VeuMessage *message,
                                enum veu_access access, VeuView *view)
{
    uint64_t global;

    if (message->surface != message[-1].surface) {
        return veu_view_find_cached(thread, message, access, view);
    }
    if (!veu_fast_scalar(thread, &message->global_offset, &global)) {
        return false;
    }
    view->global = global;
    return true;
}

/*
 * The place of [offset, offset + bytes), which is inside the buffer; NULL if
 * this must be left to the executor.
 */
VEU_CLONED uint8_t *veu_view_at(VeuThread *thread, const VeuView *view,
                                uint64_t offset, uint32_t bytes,
                                enum veu_access access)
{
    uint8_t *host;

    if (!view->host) {
        return veu_mem_lane_at(thread->mem, view->base + offset, bytes, access);
    }
    host = view->host + offset;
    if (access == VEU_ACCESS_WRITE && view->extent) {
        veu_mem_note(thread->mem, view->extent, host, bytes);
    }
    return host;
}

#endif
