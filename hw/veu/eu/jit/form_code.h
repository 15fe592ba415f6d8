/*
 * veu execution unit: what the forms of host code have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Only files that write forms include this: its names are short.
 */
#ifndef VEU_EU_JIT_FORM_CODE_H
#define VEU_EU_JIT_FORM_CODE_H

#include "hw/veu/eu/jit/forms.h"
#include "hw/veu/eu/jit/vector_ops.h"

static inline unsigned take(const VeuJitPart *p)
{
    return veu_values_take(&p->t->values);
}

static inline unsigned number(const VeuJitPart *p, uint64_t value,
                              unsigned bytes)
{
    return veu_values_number(&p->t->values, value, bytes);
}

static inline VeuVectorOperands operands(const VeuJitPart *p, unsigned to,
                                         unsigned a, unsigned b)
{
    return (VeuVectorOperands){
        .length = p->length, .reg = to, .vector = a, .rm = b
    };
}

/* to = a OP b; for operations with one source, @a is 0. */
static inline void emit_op(const VeuJitPart *p, VeuVectorOp op, unsigned to,
                           unsigned a, unsigned b)
{
    veu_emit_vector(p->t->emit, op, operands(p, to, a, b));
}

/* Like emit_op(), with an immediate byte: the relation of a comparison. */
static inline void emit_op_byte(const VeuJitPart *p, VeuVectorOp op,
                                unsigned to, unsigned a, unsigned b,
                                uint8_t byte)
{
    emit_op(p, op, to, a, b);
    veu_emit_byte(p->t->emit, byte);
}

/* to = a OP count; the operation's digit replaces the first register. */
static inline void emit_count(const VeuJitPart *p, VeuVectorOp op, unsigned to,
                              unsigned a, unsigned count)
{
    emit_op_byte(p, op, op.digit, to, a, count);
}

static inline unsigned copy_of(const VeuJitPart *p, unsigned from)
{
    static const VeuVectorOp copy = F3(0x6f);
    unsigned to = take(p);

    emit_op(p, copy, to, 0, from);
    return to;
}

/* a OP b, in a new register */
static inline unsigned combine(const VeuJitPart *p, VeuVectorOp op, unsigned a,
                               unsigned b)
{
    unsigned to = take(p);

    emit_op(p, op, to, a, b);
    return to;
}

static inline bool is_double(const VeuJitPart *p)
{
    return p->row->from_bytes == 8;
}

#endif
