/*
 * veu execution unit: the executors of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They follow the rules, for every legal combination of types, regions, sizes
 * and masks. The decoder chooses one by the row's operation. @active has bit n
 * set if element n of the operands is executed.
 */
#ifndef VEU_EU_INSTRUCTION_EXECUTORS_H
#define VEU_EU_INSTRUCTION_EXECUTORS_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/instruction/instruction.h"

typedef bool VeuExecutor(VeuThread *thread, const VeuInstruction *instruction,
                         uint32_t active);

/*
 * The executor of an instruction that is not a message: chosen by its operation
 * and its operands, which have been decoded.
 */
VeuExecutor *veu_executor(const VeuInstruction *instruction);

/* The value of a predication for the lanes @all from @mask_offset on. */
static inline __attribute__((always_inline)) uint32_t veu_predicate_bits(
    const VeuThread *t, const VeuPredication *p, unsigned mask_offset,
    uint32_t all)
{
    uint32_t bits = t->predicates[p->index] >> mask_offset & all;

    if (__builtin_expect(p->combine, VEU_COMBINE_NONE) != VEU_COMBINE_NONE) {
        bits = (p->combine == VEU_COMBINE_ANY ? bits != 0 : bits == all) ? all :
                                                                           0;
    }
    return (bits ^ -(uint32_t)p->inverse) & all;
}

/*
 * The value of the instruction's predicate for its lanes; all 1 if it has none.
 */
static inline uint32_t veu_predicate_of(const VeuThread *t,
                                        const VeuInstruction *i)
{
    return i->predication.used ?
               veu_predicate_bits(t, &i->predication, i->mask_offset,
                                  i->all_lanes) :
               i->all_lanes;
}

/* arithmetic.c: one for all operations from add to madw, by their types */
VeuExecutor veu_execute_reals;
VeuExecutor veu_execute_narrow;
VeuExecutor veu_execute_wide;
VeuExecutor veu_execute_early_out;
/* narrow.c */
VeuExecutor veu_execute_fcvt;
VeuExecutor veu_execute_srnd;
/* several.c */
VeuExecutor veu_execute_sad2;
VeuExecutor veu_execute_plane;
/* convert.c */
VeuExecutor veu_execute_mov;
VeuExecutor veu_execute_sel;
/* compare.c */
VeuExecutor veu_execute_cmp;
VeuExecutor veu_execute_logic;
VeuExecutor veu_execute_setp;
/* address.c */
VeuExecutor veu_execute_addr_add;
VeuExecutor veu_execute_movs;
VeuExecutor veu_execute_faddr;
/* flow.c */
VeuExecutor veu_execute_goto;
VeuExecutor veu_execute_call;
VeuExecutor veu_execute_fcall;
VeuExecutor veu_execute_ifcall;
VeuExecutor veu_execute_ret;
VeuExecutor veu_execute_barrier;
/* run.c */
VeuExecutor veu_execute_nothing;
/* run_message.c */
VeuExecutor veu_execute_message;

#endif
