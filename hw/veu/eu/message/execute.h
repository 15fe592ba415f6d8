/*
 * veu execution unit: an EU thread and the messages that it executes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_EXECUTE_H
#define VEU_EU_EXECUTE_H

#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/memory/mem.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/observer.h"
#include "hw/veu/eu/surface/surface.h"

/* Rules that a program may break without a fault (contract events). */
typedef enum VeuContract {
    VEU_CONTRACT_LANE_COLLISION, /* two lanes write the same byte */
    /* data register's type does not match the surface's */
    VEU_CONTRACT_REGISTER_TYPE,
    /* coordinate that does not apply is not null */
    VEU_CONTRACT_UNUSED_OPERAND,
    VEU_CONTRACT_FEW_LANES, /* several SVM blocks, fewer than 8 lanes */
    VEU_CONTRACT_COUNT
} VeuContract;

/* Results that the vendor leaves undefined and that the user selects. */
typedef struct VeuConfig {
    uint8_t undefined; /* the byte that undefined results consist of */
    bool strict_types; /* a register type mismatch faults */
    bool check;        /* report broken contracts */
} VeuConfig;

/* Counts for the messages of a program of instructions. */
typedef struct VeuMessageSum {
    uint64_t messages;
    uint64_t lanes;
    uint64_t moved_bytes;
} VeuMessageSum;

/*
 * Of VeuThread.floats: what differs from subnormal numbers that are kept,
 * rounding to nearest, and float to integer that truncates. The bits are those
 * of %cr0; those that keep subnormal numbers are inverted.
 */
#define VEU_FLOATS_FLUSH_DF (1u << 6) /* subnormal numbers are zeros */
#define VEU_FLOATS_FLUSH_F  (1u << 7)
#define VEU_FLOATS_FLUSH_HF (1u << 10)
#define VEU_FLOATS_FLUSH \
    (VEU_FLOATS_FLUSH_DF | VEU_FLOATS_FLUSH_F | VEU_FLOATS_FLUSH_HF)
/* Float to integer rounds as bits 5:4 specify only if bit 12 asks for it. */
#define VEU_FLOATS_ROUND (1u << 12 | 3u << 4)

struct VeuThread {
    const VeuConfig *config;
    const VeuProgram *program;
    const VeuSurfaceTable *surfaces;
    struct veu_sampler samplers[VEU_SAMPLERS]; /* legal ones */
    uint32_t sampler_index; /* of the message; may exceed the samplers */
    VeuMem *mem;
    uint8_t *registers;   /* program->register_bytes */
    uint32_t *predicates; /* program->predicate_count */
    uint16_t *addresses;  /* program->address_element_count */
    uint32_t exec_mask;
    uint8_t *slm;
    uint32_t slm_bytes;
    /*
     * Programs of instructions: only the low 16 bits of an SLM address count.
     */
    bool slm_wraps;
    /* For handlers of instructions: VEU_FLOATS_ bits, by %cr0. */
    uint32_t floats;
    /*
     * How the host rounds: as bits 5:4 of %cr0 specify while handlers run, and
     * to nearest (0) otherwise.
     */
    uint8_t rounding;
    uint32_t cost_limit;             /* limit of the flow's cost */
    uint32_t all_lanes;              /* lanes of the dispatch, for handlers */
    const VeuHandlerStep *steps_end; /* where handlers stop */
    struct VeuFlow *flow;            /* state of programs of instructions */
    struct VeuWait *wait;            /* lanes that handlers meet next */
    /*
     * Where veu_run_handlers() adds its counts. NULL: it executes no messages.
     * A thread with an observer, or that checks contracts, must have NULL.
     */
    VeuMessageSum *message_sum;
    uint64_t stateless_base;
    uint64_t stateless_bytes;
    VeuObserver *observer; /* NULL: lanes are not observed */
    /* Enabled lanes of the current message or instruction. */
    uint32_t active;
    /* The bytes moved by the last message and those executed after it. */
    uint32_t moved_bytes;
    /*
     * A fast path continues with the following messages, up to @end, while no
     * thread waits (veu_is_awaited()). @more counts those after the first.
     */
    const VeuMessage *end;
    const unsigned *awaited;
    uint32_t more;
    /* Set by a message that faults; otherwise its code is 0. */
    VeuFault fault;
    /* Contracts that the last message broke, if config->check is on. */
    uint32_t contracts;         /* bit n: VeuContract n */
    struct VeuProfile *profile; /* NULL: instructions are not counted */
};

/*
 * The number of lanes in a mask. On a CPU without POPCNT, the built-in is a
 * call.
 */
static inline unsigned veu_lane_count(uint32_t mask)
{
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* The predicate's value for the lanes of @message. */
uint32_t veu_predicate_lanes(const VeuThread *thread,
                             const VeuMessage *message);

/* Executes the message by its executor: the fast path, if any, has given up. */
bool veu_execute_by_rules(VeuThread *thread, const VeuMessage *message);

/* ChEn: the enabled lanes of @m (semantics.md, section 1). */
static inline uint32_t veu_active_lanes(const VeuThread *t, const VeuMessage *m)
{
    uint32_t mask = t->exec_mask | -(uint32_t)m->no_mask;
    uint32_t lanes = mask >> m->mask_offset & m->all_lanes;

    return __builtin_expect(m->predication.used, 0) ?
               lanes & veu_predicate_lanes(t, m) :
               lanes;
}

/*
 * Returns true if a thread waits for the step to end. NULL: no thread ever
 * does.
 */
static inline bool veu_is_awaited(const unsigned *awaited)
{
    return awaited && __atomic_load_n(awaited, __ATOMIC_RELAXED);
}

/*
 * Executes @m. Returns false with the thread's fault set. An observer is shown
 * each lane, which a fast path cannot do.
 */
static inline bool veu_execute(VeuThread *t, const VeuMessage *m)
{
    t->fault.code = VEU_FAULT_NONE;
    t->contracts = 0;
    t->more = 0;
    t->active = veu_active_lanes(t, m);
    return (m->fast && t->active && !t->observer && !t->config->check &&
            m->fast(t, m)) ||
           veu_execute_by_rules(t, m);
}

/* The executors, which the message table names. At least one lane runs. */
bool veu_execute_gather(VeuThread *thread, const VeuMessage *message);
bool veu_execute_scatter(VeuThread *thread, const VeuMessage *message);
bool veu_execute_gather4_typed(VeuThread *thread, const VeuMessage *message);
bool veu_execute_scatter4_typed(VeuThread *thread, const VeuMessage *message);
bool veu_execute_gather4_scaled(VeuThread *thread, const VeuMessage *message);
bool veu_execute_scatter4_scaled(VeuThread *thread, const VeuMessage *message);
bool veu_execute_oword_ld(VeuThread *thread, const VeuMessage *message);
bool veu_execute_oword_st(VeuThread *thread, const VeuMessage *message);
bool veu_execute_media_ld(VeuThread *thread, const VeuMessage *message);
bool veu_execute_media_st(VeuThread *thread, const VeuMessage *message);
bool veu_execute_fence(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_block_ld(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_block_st(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_gather(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_scatter(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_atomic(VeuThread *thread, const VeuMessage *message);
bool veu_execute_svm_gather4scaled(VeuThread *thread,
                                   const VeuMessage *message);
bool veu_execute_svm_scatter4scaled(VeuThread *thread,
                                    const VeuMessage *message);
bool veu_execute_sample(VeuThread *thread, const VeuMessage *message);
bool veu_execute_load(VeuThread *thread, const VeuMessage *message);
bool veu_execute_typed_atomic(VeuThread *thread, const VeuMessage *message);
bool veu_execute_dword_atomic(VeuThread *thread, const VeuMessage *message);

#endif
