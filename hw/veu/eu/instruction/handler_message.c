/*
 * veu execution unit: handlers of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * veu_handler_message() executes any message by its fast path, which decodes
 * the message's form each time. The handlers here are for the form that
 * compilers use most: 16 lanes, each with one element of 1, 2 or 4 bytes, whose
 * offsets count bytes; no predicate; a surface of the table, or SLM. That is
 * decided once, when the program is decoded. A handler checks what depends on
 * the run: the lanes, the surface, its extent, the bounds and alignment. It
 * leaves all else to veu_handler_message(), before it has had any effect.
 *
 * Most messages access a row: all lanes run, and their elements are consecutive
 * and inside. It is moved without a gather.
 */
#include "hw/veu/eu/instruction/handler_message.h"
#include "hw/veu/eu/instruction/handler_message_load.h"
#include "hw/veu/eu/instruction/handler_message_store.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/message/message.h"

#ifdef VEU_HAS_AVX2

/* For messages that are not to SLM, where a handler gives up. */
static VEU_HANDLER(veu_handler_leave_load)
{
    if (t->message_sum) {
        veu_step_keep(t, i, VEU_ACCESS_READ);
    }
    VEU_TAIL return veu_handler_message(t, i, registers, some);
}

static VEU_HANDLER(veu_handler_leave_store)
{
    if (t->message_sum) {
        veu_step_keep(t, i, VEU_ACCESS_WRITE);
    }
    VEU_TAIL return veu_handler_message(t, i, registers, some);
}

/*
 * Handlers of rows, which continue with those of other lanes: so the handlers
 * of rows need no stack.
 */
#define LOAD(name, target, leave, row, lanes, bytes, slm)             \
    target static __attribute__((noinline)) VEU_HANDLER(name##_lanes) \
    {                                                                 \
        if (!lanes(t, i, registers, bytes, slm)) {                    \
            VEU_TAIL return leave(t, i, registers, some);             \
        }                                                             \
        VEU_CONTINUE_AFTER_MESSAGE();                                 \
    }                                                                 \
                                                                      \
    target static VEU_HANDLER(name)                                   \
    {                                                                 \
        if (__builtin_expect(!t->message_sum, 0)) {                   \
            VEU_TAIL return leave(t, i, registers, some);             \
        }                                                             \
        if (__builtin_expect(!row(t, i, registers, bytes, slm), 0)) { \
            VEU_TAIL return name##_lanes(t, i, registers, some);      \
        }                                                             \
        VEU_CONTINUE_AFTER_MESSAGE();                                 \
    }

/* Other lanes are stored by a function that returns, as it needs an array. */
#define STORE(name, target, leave, row, lanes, bytes, slm)                   \
    target static                                                            \
        __attribute__((noinline)) bool name##_lanes(VeuThread *t,            \
                                                    const VeuHandlerStep *i) \
    {                                                                        \
        return lanes(t, i, bytes, slm);                                      \
    }                                                                        \
                                                                             \
    target static VEU_HANDLER(name)                                          \
    {                                                                        \
        if (__builtin_expect(!t->message_sum ||                              \
                                 (!row(t, i, registers, bytes, slm) &&       \
                                  !name##_lanes(t, i)),                      \
                             0)) {                                           \
            VEU_TAIL return leave(t, i, registers, some);                    \
        }                                                                    \
        VEU_CONTINUE_AFTER_MESSAGE();                                        \
    }

#define HANDLERS(level, target, bytes, place, slm, load, store)         \
    LOAD(veu_handler_load_##bytes##_##place##_##level, target, load,    \
         load_row_##level, load_lanes_##level, bytes, slm)              \
    STORE(veu_handler_store_##bytes##_##place##_##level, target, store, \
          store_row_##level, store_lanes_##level, bytes, slm)

#define BUFFER_HANDLERS(level, target, bytes)                             \
    HANDLERS(level, target, bytes, buffer, false, veu_handler_leave_load, \
             veu_handler_leave_store)
#define SLM_HANDLERS(level, target, bytes)                         \
    HANDLERS(level, target, bytes, slm, true, veu_handler_message, \
             veu_handler_message)

#define ALL_HANDLERS(level, target)   \
    BUFFER_HANDLERS(level, target, 1) \
    BUFFER_HANDLERS(level, target, 2) \
    BUFFER_HANDLERS(level, target, 4) \
    SLM_HANDLERS(level, target, 1)    \
    SLM_HANDLERS(level, target, 2)    \
    SLM_HANDLERS(level, target, 4)

ALL_HANDLERS(avx2, VEU_TARGET_AVX2)
ALL_HANDLERS(avx512, VEU_TARGET_AVX512)

#define ROW(level, place)                              \
    {                                                  \
        { veu_handler_load_1_##place##_##level,        \
          veu_handler_store_1_##place##_##level },     \
            { veu_handler_load_2_##place##_##level,    \
              veu_handler_store_2_##place##_##level }, \
            { veu_handler_load_4_##place##_##level,    \
              veu_handler_store_4_##place##_##level }, \
    }
#define ROWS(level)                          \
    {                                        \
        ROW(level, buffer), ROW(level, slm), \
    }

/* [level][in SLM][log2 of the element's bytes][stores] */
static VeuHandler *const handlers[VEU_CPU_COUNT][2][3][2] = {
    [VEU_CPU_AVX2] = ROWS(avx2),
    [VEU_CPU_AVX512] = ROWS(avx512),
};

/* Returns true if the message accesses a row, from offset *@first on. */
VEU_AVX2 bool find_row_avx2(const VeuThread *t, const VeuHandlerStep *i,
                            unsigned bytes, uint32_t *first)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    veu_step_offsets_avx2(i, t->registers, false, &g);
    *first = veu_step_first_avx2(&g);
    return veu_step_is_row_avx2(&b, bytes, &g);
}

/* Like find_row_avx2(). */
VEU_AVX512 bool find_row_avx512(const VeuThread *t, const VeuHandlerStep *i,
                                unsigned bytes, uint32_t *first)
{
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    l.offset = veu_step_offsets_avx512(i, t->registers, false);
    *first = veu_step_first_avx512(&l);
    return veu_step_is_row_avx512(&b, bytes, &l);
}

/*
 * Host code has found no row in a window of the buffer. A buffer that is kept
 * has a window; others have one around the row that has been accessed, at
 * offset *@row, unless that is NULL.
 */
static __attribute__((noinline)) void keep_window(VeuThread *t,
                                                  const VeuHandlerStep *i,
                                                  const uint32_t *row,
                                                  enum veu_access access)
{
    uint32_t index = veu_step_index(t, i);
    const VeuMemWindow *w = &t->mem->kept[access == VEU_ACCESS_WRITE]
                                 .window[index % VEU_MEM_BUFFERS];
    const VeuSurface *s = veu_step_surface(t, i);
    bool is_known = !s || (w->is_whole && w->owner == (uintptr_t)s);

    if (!is_known && (row || veu_step_kept(t, i, s, access))) {
        veu_mem_keep_window(t->mem,
                            &(VeuMemSurface){ s, s->base, s->bytes, index },
                            s->base + (row ? *row : 0), access);
    }
}

/* Executes a message by its fast path, rather than leave host code. */
static __attribute__((noinline)) bool execute_fast(VeuThread *t,
                                                   const VeuHandlerStep *i,
                                                   enum veu_access access,
                                                   bool slm)
{
    if (!veu_execute_fast(t, &t->program->messages[i->to])) {
        return false;
    }
    veu_step_count(t, __builtin_popcount(t->active), t->moved_bytes);
    if (!slm) {
        veu_step_keep(t, i, access);
    }
    return true;
}

/*
 * A load may change its offsets, so they are read before. @row executes a
 * message whose lanes are a row, and @lanes any other.
 */
#define EXECUTE_ONE(level, target, name, bytes, slm, access, row, lanes)     \
    target static bool name##_##level(VeuThread *t, const VeuHandlerStep *i) \
    {                                                                        \
        uint32_t first = 0;                                                  \
        bool is_row = !slm && find_row_##level(t, i, bytes, &first);         \
                                                                             \
        if (!(is_row && row) && !lanes &&                                    \
            (slm || !execute_fast(t, i, access, slm))) {                     \
            return false;                                                    \
        }                                                                    \
        if (!slm) {                                                          \
            keep_window(t, i, is_row ? &first : NULL, access);               \
        }                                                                    \
        return true;                                                         \
    }
#define EXECUTE(level, target, name, bytes, slm)                           \
    EXECUTE_ONE(level, target, load_##name, bytes, slm, VEU_ACCESS_READ,   \
                load_apart_row_##level(t, i, first, bytes),                \
                load_lanes_##level(t, i, t->registers, bytes, slm))        \
    EXECUTE_ONE(level, target, store_##name, bytes, slm, VEU_ACCESS_WRITE, \
                store_apart_row_##level(t, i, first, bytes),               \
                store_lanes_##level(t, i, bytes, slm))
#define EXECUTE_ALL(level, target)             \
    EXECUTE(level, target, 1_buffer, 1, false) \
    EXECUTE(level, target, 2_buffer, 2, false) \
    EXECUTE(level, target, 4_buffer, 4, false) \
    EXECUTE(level, target, 1_slm, 1, true)     \
    EXECUTE(level, target, 2_slm, 2, true)     \
    EXECUTE(level, target, 4_slm, 4, true)

EXECUTE_ALL(avx2, VEU_TARGET_AVX2)
EXECUTE_ALL(avx512, VEU_TARGET_AVX512)

/* Loads of several elements have only a fast path. */
static bool load_several(VeuThread *t, const VeuHandlerStep *i)
{
    const VeuMessage *m = &t->program->messages[i->to];
    bool slm = m->surface == VEU_SLM_SURFACE;

    if (!execute_fast(t, i, VEU_ACCESS_READ, slm)) {
        return false;
    }
    if (!slm) {
        keep_window(t, i, NULL, VEU_ACCESS_READ);
    }
    return true;
}

#define MESSAGE_ROW(level, place, bytes, slm)                           \
    {                                                                   \
        { bytes, 1, slm, false, load_##bytes##_##place##_##level },     \
            { bytes, 1, slm, true, store_##bytes##_##place##_##level }, \
    }
#define MESSAGE_ROWS(level, place, slm)                                       \
    {                                                                         \
        MESSAGE_ROW(level, place, 1, slm), MESSAGE_ROW(level, place, 2, slm), \
            MESSAGE_ROW(level, place, 4, slm),                                \
    }

/* Like handlers[]. */
static const VeuMessageRow message_rows[VEU_CPU_COUNT][2][3][2] = {
    [VEU_CPU_AVX2] = { MESSAGE_ROWS(avx2, buffer, false),
                       MESSAGE_ROWS(avx2, slm, true) },
    [VEU_CPU_AVX512] = { MESSAGE_ROWS(avx512, buffer, false),
                         MESSAGE_ROWS(avx512, slm, true) },
};

/* [in SLM][elements of a lane, from 2 on] */
static const VeuMessageRow several_rows[2][3] = {
    {
        { 4, 2, false, false, load_several },
        { 4, 3, false, false, load_several },
        { 4, 4, false, false, load_several },
    },
    {
        { 4, 2, true, false, load_several },
        { 4, 3, true, false, load_several },
        { 4, 4, true, false, load_several },
    },
};

/* Returns the bytes of the only element of a lane, or 0. */
static unsigned element_bytes(const VeuMessage *m)
{
    switch (m->info->opcode) {
    case VEU_OPCODE_GATHER4_SCALED:
    case VEU_OPCODE_SCATTER4_SCALED:
        return m->channels == 1 ? sizeof(uint32_t) : 0;
    case VEU_OPCODE_GATHER_SCALED:
    case VEU_OPCODE_SCATTER_SCALED:
        return m->element_bytes;
    default:
        return 0;
    }
}

static bool is_in_slm(const VeuMessage *m)
{
    return m->surface == VEU_SLM_SURFACE;
}

/* Returns true for messages that handlers or host code may take. */
static bool is_usual(const VeuMessage *m)
{
    return m->fast && m->lanes == VEU_ROW_LANES && !m->predication.used &&
           (is_in_slm(m) || m->surface >= VEU_FIRST_SURFACE) &&
           m->global_offset.class == VEU_SCALAR_IMMEDIATE;
}

/* Returns true if the message has a handler, whose place in tables is @at. */
static bool find_handler(const VeuMessage *m, unsigned at[3])
{
    unsigned bytes = element_bytes(m);

    at[0] = is_in_slm(m);
    at[1] = bytes ? __builtin_ctz(bytes) : 0;
    at[2] = m->info->access == VEU_ACCESS_WRITE;
    return bytes && is_usual(m);
}

/* Loads of R and G, of R, G and B, or of all channels; else NULL. */
static const VeuMessageRow *find_several(const VeuMessage *m)
{
    unsigned elements = __builtin_popcount(m->channels);

    return m->info->opcode == VEU_OPCODE_GATHER4_SCALED && is_usual(m) &&
                   elements > 1 && m->channels == (1u << elements) - 1 ?
               &several_rows[is_in_slm(m)][elements - 2] :
               NULL;
}

static const VeuMessageRow fence_row = { 0 };

const VeuMessageRow *veu_message_row(const VeuMessage *m)
{
    unsigned at[3];

    return veu_cpu < VEU_CPU_AVX2    ? NULL :
           veu_fence_does_nothing(m) ? &fence_row :
           find_handler(m, at) ? &message_rows[veu_cpu][at[0]][at[1]][at[2]] :
                                 find_several(m);
}

VeuHandler *veu_handler_of_message(const VeuMessage *m, VeuHandlerStep *step)
{
    VeuHandler *handler = NULL;
    unsigned at[3];

    if (find_handler(m, at)) {
        handler = handlers[veu_cpu][at[0]][at[1]][at[2]];
    }
    step->mask_offset = m->mask_offset;
    step->always = -(uint32_t)m->no_mask;
    step->from[VEU_STEP_OFFSETS] = m->address.register_byte;
    step->from[VEU_STEP_DATA] = m->data.register_byte;
    step->from[VEU_STEP_STATE] = m->state;
    step->value = m->global_offset.value;
    return handler ? handler : veu_handler_message;
}

#else

const VeuMessageRow *veu_message_row(const VeuMessage *m)
{
    return NULL;
}

VeuHandler *veu_handler_of_message(const VeuMessage *m, VeuHandlerStep *step)
{
    return veu_handler_message;
}

#endif
