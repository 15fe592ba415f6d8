/*
 * veu tests: a second implementation: operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * encoding.md, section 2; semantics.md, section 2, from "Raw operands" on.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/ref_decode.h"

static const struct veu_variable *variable(const RefProgram *p, uint32_t id)
{
    if (id < 32 && p->predefined) {
        return p->predefined[id].elements ? &p->predefined[id] : NULL;
    }
    return id >= 32 && id - 32 < p->variable_count ? &p->variables[id - 32] :
                                                     NULL;
}

unsigned ref_type_bytes(uint8_t type)
{
    /* ud d uw w ub b df f v vf bool uq uv q hf bf */
    static const uint8_t bytes[16] = { 4, 4, 2, 2, 1, 1, 8, 4,
                                       0, 0, 0, 8, 0, 8, 2, 2 };

    return type < 16 ? bytes[type] : 0;
}

/* @types has the form " ud d ". */
static bool type_in(uint8_t type, const char *types)
{
    static const char *const names[16] = { " ud ", " d ",  " uw ",   " w ",
                                           " ub ", " b ",  " df ",   " f ",
                                           " v ",  " vf ", " bool ", " uq ",
                                           " uv ", " q ",  " hf ",   " bf " };

    return type < 16 && strstr(types, names[type]);
}

static bool raw_type_ok(uint8_t type, char types)
{
    switch (types) {
    case REF_OFFSETS:
        return type_in(type, " ud d ");
    case REF_ADDRESSES:
        return type_in(type, " uq q ");
    case REF_DWORDS:
        return type_in(type, " ud d f ");
    case REF_QWORDS:
        return type_in(type, " uq q df ");
    default:
        return true;
    }
}

void ref_take_raw(RefDecoder *d, RefOperand *operand, char types,
                  uint32_t extent)
{
    uint32_t at = d->at;
    uint32_t id = ref_take(d, 4);
    uint16_t byte = ref_take(d, 2);
    const struct veu_variable *v = variable(d->program, id);

    if (id == 0) {
        operand->null = true;
        return;
    }
    if (!v || !(d->program->predefined || raw_type_ok(v->type, types)) ||
        byte % d->program->grf_bytes ||
        byte + extent > v->elements * ref_type_bytes(v->type)) {
        ref_refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
        return;
    }
    operand->at = v->offset + byte;
    operand->type = v->type;
}

static bool is_integer(uint8_t type)
{
    return type_in(type, " ud d uw w ub b uq q ");
}

uint64_t ref_extend(uint64_t value, uint8_t type)
{
    unsigned unused = 64 - 8 * ref_type_bytes(type);
    bool is_signed = type_in(type, " d w b q ");

    value <<= unused;
    return is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
}

/* Reads UD id, UB row, UB column, UW region; "a row is one GRF". */
static bool take_general(RefDecoder *d, RefScalar *s)
{
    const struct veu_variable *v = variable(d->program, ref_take(d, 4));
    unsigned row = ref_take(d, 1);
    unsigned column = ref_take(d, 1);
    unsigned size = v ? ref_type_bytes(v->type) : 0;
    unsigned byte = row * d->program->grf_bytes + column * size;

    ref_take(d, 2); /* region */
    if (!v || !is_integer(v->type) || byte + size > v->elements * size) {
        return false;
    }
    s->at = v->offset + byte;
    s->type = v->type;
    return true;
}

/* Reads UW address variable, UB element, W bytes to add, UB type, UW region. */
static bool take_indirect(RefDecoder *d, RefScalar *s)
{
    const RefProgram *p = d->program;
    unsigned id = ref_take(d, 2);
    unsigned element = ref_take(d, 1);

    s->add = (int16_t)ref_take(d, 2);
    s->type = ref_take(d, 1);
    ref_take(d, 2); /* region */
    if (id >= p->address_count || element >= p->addresses[id].elements ||
        !is_integer(s->type)) {
        return false;
    }
    /* the elements of all address variables are consecutive */
    s->address = element;
    for (unsigned i = 0; i < id; i++) {
        s->address += p->addresses[i].elements;
    }
    return true;
}

static bool take_immediate(RefDecoder *d, RefScalar *s)
{
    uint8_t type = ref_take(d, 1);
    uint64_t value = ref_take(d, type_in(type, " df q uq ") ? 8 : 4);

    if (!is_integer(type)) {
        return false;
    }
    s->value = ref_extend(value, type);
    return true;
}

void ref_take_scalar(RefDecoder *d, RefScalar *s)
{
    uint32_t at = d->at;
    uint8_t tag = ref_take(d, 1);
    bool ok = true;

    s->class = tag & 7;
    switch (s->class) {
    case TEST_CLASS_GENERAL:
        ok = take_general(d, s);
        break;
    case TEST_CLASS_INDIRECT:
        ok = take_indirect(d, s);
        break;
    case TEST_CLASS_IMMEDIATE:
        ok = take_immediate(d, s);
        break;
    default:
        d->lost_at = d->lost ? d->lost_at : at;
        d->lost = true;
    }
    if (!ok || tag >> 3) { /* modifiers are refused */
        ref_refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
    }
}
