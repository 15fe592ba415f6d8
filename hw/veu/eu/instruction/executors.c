/*
 * veu execution unit: the executors, by operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/program/type.h"

/* Returns true if 64 bits with a sign hold every value of the operand. */
static bool is_narrow_operand(const VeuOperand *o)
{
    uint8_t type = veu_operand_type(o);

    return veu_type_is_integer(type) && type != VEU_TYPE_UQ &&
           (type != VEU_TYPE_Q || !o->modifier);
}

static bool is_narrow(const VeuInstruction *i)
{
    bool narrow = i->dst.modifier != VEU_MODIFIER_SAT;

    for (unsigned k = 0; k < i->source_count; k++) {
        narrow &= is_narrow_operand(&i->src[k]);
    }
    return narrow;
}

/* Chooses one for an operation with a row in integer.c or real.c. */
static VeuExecutor *arithmetic_executor(const VeuInstruction *i)
{
    return veu_type_is_float(veu_operand_type(&i->src[0])) ? veu_execute_reals :
           is_narrow(i) ? veu_execute_narrow :
                          veu_execute_wide;
}

VeuExecutor *veu_executor(const VeuInstruction *i)
{
    static VeuExecutor *const executors[VEU_OPERATION_COUNT] = {
        [VEU_OPERATION_NONE] = veu_execute_nothing,
        [VEU_OPERATION_ADDR_ADD] = veu_execute_addr_add,
        [VEU_OPERATION_MOV] = veu_execute_mov,
        [VEU_OPERATION_SEL] = veu_execute_sel,
        [VEU_OPERATION_SETP] = veu_execute_setp,
        [VEU_OPERATION_CMP] = veu_execute_cmp,
        [VEU_OPERATION_MOVS] = veu_execute_movs,
        [VEU_OPERATION_FCVT] = veu_execute_fcvt,
        [VEU_OPERATION_SRND] = veu_execute_srnd,
        [VEU_OPERATION_SAD2] = veu_execute_sad2,
        [VEU_OPERATION_PLANE] = veu_execute_plane,
        [VEU_OPERATION_INVM] = veu_execute_early_out,
        [VEU_OPERATION_RSQTM] = veu_execute_early_out,
        [VEU_OPERATION_LABEL] = veu_execute_nothing,
        [VEU_OPERATION_GOTO] = veu_execute_goto,
        [VEU_OPERATION_CALL] = veu_execute_call,
        [VEU_OPERATION_RET] = veu_execute_ret,
        [VEU_OPERATION_FCALL] = veu_execute_fcall,
        [VEU_OPERATION_IFCALL] = veu_execute_ifcall,
        [VEU_OPERATION_FADDR] = veu_execute_faddr,
        [VEU_OPERATION_BARRIER] = veu_execute_barrier,
    };
    VeuExecutor *executor = executors[i->info->operation];

    return executor                              ? executor :
           i->dst.class == VEU_OPERAND_PREDICATE ? veu_execute_logic :
                                                   arithmetic_executor(i);
}
