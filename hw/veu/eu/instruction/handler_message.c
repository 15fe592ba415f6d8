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

static VeuHandler *find_handler(const VeuMessage *m)
{
    unsigned bytes = element_bytes(m);
    bool is_store = m->info->access == VEU_ACCESS_WRITE;
    bool slm = m->surface == VEU_SLM_SURFACE;

    if (!bytes || !m->fast || m->lanes != VEU_ROW_LANES ||
        m->predication.used || (!slm && m->surface < VEU_FIRST_SURFACE) ||
        m->global_offset.class != VEU_SCALAR_IMMEDIATE) {
        return NULL;
    }
    return handlers[veu_cpu][slm][__builtin_ctz(bytes)][is_store];
}

VeuHandler *veu_handler_of_message(const VeuMessage *m, VeuHandlerStep *step)
{
    VeuHandler *handler = find_handler(m);

    step->mask_offset = m->mask_offset;
    step->always = -(uint32_t)m->no_mask;
    step->from[VEU_STEP_OFFSETS] = m->address.register_byte;
    step->from[VEU_STEP_DATA] = m->data.register_byte;
    step->from[VEU_STEP_STATE] = m->state;
    step->value = m->global_offset.value;
    return handler ? handler : veu_handler_message;
}

#else

VeuHandler *veu_handler_of_message(const VeuMessage *m, VeuHandlerStep *step)
{
    return veu_handler_message;
}

#endif
