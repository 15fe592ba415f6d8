/*
 * veu tests: a second implementation of the rules for legal instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, 17.2. All fields are checked, so that the device may name any
 * illegal one.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/isa_check.h"

/* An instruction that is being read. */
typedef struct Reading {
    IsaChecker *c;
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    IsaInstruction *i;
    uint32_t dst_at[2];
    uint32_t src_at[ISA_MAX_SOURCES];
    uint32_t dst_types[2];
    uint32_t src_types[ISA_MAX_SOURCES];
    bool truncated;
    bool lost; /* after an operand without a class, whose length is unknown */
} Reading;

static uint64_t take(Reading *r, unsigned bytes)
{
    uint64_t value = 0;

    if (r->bytes - r->at < bytes) {
        r->truncated = true;
        r->at = r->bytes;
        return 0;
    }
    for (unsigned n = 0; n < bytes; n++) {
        value |= (uint64_t)r->code[r->at++] << 8 * n;
    }
    return value;
}

static void take_operand(Reading *r, IsaOperand *o)
{
    uint32_t at = r->at;
    uint8_t tag = take(r, 1);

    *o = (IsaOperand){ .class = tag & 7, .modifier = tag >> 3 };
    switch (o->class) {
    case ISA_GENERAL:
        o->id = take(r, 4);
        o->row = take(r, 1);
        o->column = take(r, 1);
        o->region = take(r, 2);
        break;
    case ISA_ADDRESS:
        o->id = take(r, 2);
        o->column = take(r, 1);
        o->row = take(r, 1);
        break;
    case ISA_PREDICATE:
        o->id = take(r, 2);
        break;
    case ISA_INDIRECT:
        o->id = take(r, 2);
        o->column = take(r, 1);
        o->add = take(r, 2);
        o->type = take(r, 1) & 15;
        o->region = take(r, 2);
        break;
    case ISA_IMMEDIATE:
        o->type = take(r, 1) & 15;
        o->immediate = take(r, isa_type_bytes(o->type) == 8 ? 8 : 4);
        break;
    case ISA_STATE:
        o->type = take(r, 1);
        o->id = take(r, 2);
        o->column = take(r, 1);
        break;
    default:
        if (!r->truncated) {
            r->lost = true;
            isa_refuse(r->c, VEU_FAULT_MESSAGE_FIELD, at);
        }
    }
}

/* Checks the lanes of a predicate operand; mov takes all bits. */
static void check_lanes(Reading *r, const IsaOperand *o, uint32_t at)
{
    const struct veu_predicate *p;

    if (o->class != ISA_PREDICATE || r->i->row->types == 'v') {
        return;
    }
    p = isa_entry(r->c, VEU_SECTION_PREDICATES, (o->id & 0xfff) - 1,
                  sizeof(*p));
    if (p && r->i->mask_offset + r->i->lanes > p->bits) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_PREDICATE, at);
    }
}

static void take_destination(Reading *r)
{
    unsigned n = r->i->dst_count++;
    IsaOperand *o = &r->i->dst[n];

    r->dst_at[n] = r->at;
    take_operand(r, o);
    if (r->truncated || r->lost) {
        return;
    }
    if (isa_destination_ok(r->c, r->i, o)) {
        check_lanes(r, o, r->dst_at[n]);
    } else {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[n]);
    }
    r->dst_types[n] = isa_type_set(r->c, r->i, o, false);
}

/* ifcall takes one integer, without a modifier. */
static bool function_address_ok(const Reading *r, const IsaOperand *o)
{
    return isa_may_be_modified(o) || o->class == ISA_IMMEDIATE ?
               !o->modifier &&
                   (isa_type_set(r->c, r->i, o, false) & ISA_INTEGERS) :
               false;
}

static void take_source(Reading *r)
{
    unsigned n = r->i->src_count++;
    IsaOperand *o = &r->i->src[n];
    bool is_function = r->i->row->opcode == 0x4f;
    unsigned lanes = r->i->lanes;
    bool ok;

    r->src_at[n] = r->at;
    take_operand(r, o);
    if (r->truncated || r->lost) {
        return;
    }
    r->i->lanes = is_function ? 1 : lanes;
    ok = isa_source_ok(r->c, r->i, o, n) &&
         (!is_function || function_address_ok(r, o));
    r->i->lanes = lanes;
    if (ok) {
        check_lanes(r, o, r->src_at[n]);
    } else {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->src_at[n]);
    }
    r->src_types[n] = isa_type_set(r->c, r->i, o,
                                   r->i->row->types == 'A' && n == 0);
}

/* Checks the size against those of the row. */
static bool size_ok(const IsaRow *row, unsigned lanes)
{
    return row->types == 's' ? lanes >= 2 :
           row->types == 'P' ? lanes == 8 || lanes == 16 :
                               true;
}

static bool take_size(Reading *r)
{
    uint32_t at = r->at;
    uint8_t size = take(r, 1);

    if (r->truncated) {
        return true;
    }
    r->i->lanes = (size & 15) <= 5 ? 1u << (size & 15) : 0;
    r->i->mask_offset = 4 * (size >> 4 & 7);
    return (r->i->lanes && r->i->mask_offset % r->i->lanes == 0 &&
            size_ok(r->i->row, r->i->lanes)) ||
           isa_refuse(r->c, VEU_FAULT_MESSAGE_FIELD, at);
}

static void take_predicate(Reading *r)
{
    uint32_t at = r->at;
    uint16_t control = take(r, 2);
    const struct veu_predicate *p = isa_entry(r->c, VEU_SECTION_PREDICATES,
                                              (control & 0xfff) - 1,
                                              sizeof(*p));

    r->i->predicate = control;
    if (r->truncated || !control) {
        return;
    }
    if ((control & 0x1000) || (control & 0x6000) == 0x6000 ||
        !(control & 0xfff)) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_FIELD, at);
    } else if (!p || r->i->mask_offset + r->i->lanes > p->bits) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_PREDICATE, at);
    }
}

/* A relation, a minimum or a maximum, or a function of bits. */
static void take_code(Reading *r)
{
    uint32_t at = r->at;
    unsigned end = r->i->row->opcode == 0x2c ? 6 :
                   r->i->row->opcode == 0x45 ? 2 :
                                               256;

    r->i->number = take(r, 1);
    if (r->i->number >= end) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_FIELD, at);
    }
}

static bool is_label(const IsaRow *row)
{
    return row->opcode == 0x30 || row->opcode == 0x31;
}

static void take_label(Reading *r)
{
    uint32_t at = r->at;
    const struct veu_label *label;

    r->i->number = take(r, 2);
    label = isa_entry(r->c, VEU_SECTION_LABELS, r->i->number, sizeof(*label));
    if (!r->truncated &&
        (!label || (!is_label(r->i->row) &&
                    label->kind != (r->i->row->opcode == 0x33)))) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, at);
    }
}

static void take_function(Reading *r)
{
    uint32_t at = r->at;

    r->i->number = take(r, 2);
    if (!r->truncated && !isa_entry(r->c, VEU_SECTION_FUNCTIONS, r->i->number,
                                    sizeof(struct veu_function))) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, at);
    }
}

static void take_field(Reading *r, char field)
{
    IsaOperand ignored;

    switch (field) {
    case 'p':
        take_predicate(r);
        break;
    case 'b':
        take_code(r);
        break;
    case 'd':
        take_destination(r);
        break;
    case 's':
        take_source(r);
        break;
    case 'l':
        take_label(r);
        break;
    case 'f':
        take_function(r);
        break;
    case 'n':
        take_operand(r, &ignored);
        break;
    default:
        take(r, field == 'u' ? 4 : 1);
    }
}

static bool fits(const Reading *r, const IsaTypes *t)
{
    if (!isa_is_null(&r->i->dst[0]) && !(t->dst & r->dst_types[0])) {
        return false;
    }
    for (unsigned n = 0; n < r->i->src_count; n++) {
        if (!(t->src[n] & r->src_types[n])) {
            return false;
        }
    }
    return true;
}

static bool types_ok(const Reading *r)
{
    if (r->i->row->opcode == 0x50) { /* faddr */
        return isa_is_null(&r->i->dst[0]) ||
               (r->dst_types[0] & (ISA_DWORDS | ISA_MASK(UQ) | ISA_MASK(Q)));
    }
    for (unsigned n = 0; n < isa_types_count; n++) {
        if (isa_types[n].types == r->i->row->types && fits(r, &isa_types[n])) {
            return true;
        }
    }
    return false;
}

static void check_types(Reading *r)
{
    if (types_ok(r)) {
        return;
    }
    isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[0]);
    for (unsigned n = 0; n < r->i->src_count; n++) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->src_at[n]);
    }
}

static bool is_float(uint32_t types)
{
    return types & (ISA_HALVES | ISA_BRAINS | ISA_MASK(DF));
}

static bool destination_modifier_ok(const Reading *r)
{
    const IsaRow *row = r->i->row;

    if (r->i->dst[0].modifier != ISA_SAT) {
        return !r->i->dst[0].modifier;
    }
    return row->saturation == 'y' ||
           (row->saturation == 'f' && is_float(r->dst_types[0]));
}

static bool source_modifier_ok(const IsaRow *row, unsigned modifier)
{
    switch (modifier) {
    case ISA_PLAIN:
        return true;
    case ISA_ABS:
    case ISA_NEG:
    case ISA_NEG_ABS:
        return row->modifiers == 'a';
    case ISA_NOT:
        return row->modifiers == 'l';
    default:
        return false;
    }
}

static void check_modifiers(Reading *r)
{
    if (!destination_modifier_ok(r)) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[0]);
    }
    for (unsigned n = 0; n < r->i->src_count; n++) {
        if (!source_modifier_ok(r->i->row, r->i->src[n].modifier)) {
            isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->src_at[n]);
        }
    }
}

/* A carry or borrow is a dword; the second result of invm is a predicate. */
static void check_second(Reading *r)
{
    const IsaOperand *o = &r->i->dst[1];
    bool ok = r->i->row->types == 'm' ?
                  o->class == ISA_PREDICATE :
                  !o->modifier &&
                      (isa_is_null(o) || (r->dst_types[1] & ISA_DWORDS));

    if (r->i->dst_count == 2 && !ok) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[1]);
    }
}

/* The high dwords of madw are in whole registers after the low ones. */
static void check_high_dwords(Reading *r)
{
    unsigned grf = r->c->header.grf_bytes;
    IsaOperand high = r->i->dst[0];
    unsigned rows = (4 * r->i->lanes + grf - 1) / grf;

    if (r->i->row->opcode != 0x91 || isa_is_null(&high)) {
        return;
    }
    if (high.class != ISA_GENERAL || high.row + rows > 255) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[0]);
        return;
    }
    high.row += rows;
    if (!isa_destination_ok(r->c, r->i, &high)) {
        isa_refuse(r->c, VEU_FAULT_MESSAGE_OPERAND, r->dst_at[0]);
    }
}

/* Instructions that are known but not modelled: docs/spec.md, 17.2. */
static bool is_listed(uint8_t opcode)
{
    static const uint8_t opcodes[] = {
        0x04, 0x05, 0x06, 0x07, 0x0a, 0x1c, 0x40, 0x41, 0x42, 0x43, 0x44,
        0x4d, 0x54, 0x55, 0x56, 0x57, 0x5d, 0x60, 0x69, 0x71, 0x72, 0x7a,
        0x7c, 0x83, 0x89, 0x8a, 0x8b, 0x92, 0x93, 0x94, 0x96, 0x97,
    };

    return memchr(opcodes, opcode, sizeof(opcodes));
}

static bool check_message(IsaChecker *c, const uint8_t *code, uint32_t bytes,
                          IsaInstruction *i)
{
    RefFault fault;

    if (code[0] >= 0x6d && code[0] <= 0x70) {
        c->refusal->unknown = true;
        return isa_refuse(c, VEU_FAULT_INSTRUCTION_NOT_MODELLED, 0);
    }
    if (is_listed(code[0])) {
        isa_refuse(c, VEU_FAULT_INSTRUCTION_NOT_MODELLED, 0);
        return isa_refuse(c, VEU_FAULT_MESSAGE_OPCODE, 0);
    }
    i->row = &isa_message_row;
    if (!ref_decode(&c->messages, code, bytes, &i->message, &fault)) {
        return isa_refuse(c, fault.code, fault.detail);
    }
    i->bytes = i->message.bytes;
    return true;
}

bool isa_check_instruction(IsaChecker *c, const uint8_t *code, uint32_t bytes,
                           IsaInstruction *i)
{
    Reading r = { .c = c, .code = code, .bytes = bytes, .at = 1, .i = i };

    *i = (IsaInstruction){ .row = isa_row(code[0]), .lanes = 1 };
    if (!i->row) {
        return check_message(c, code, bytes, i);
    }
    for (const char *f = i->row->fields; *f && !r.truncated && !r.lost; f++) {
        if (*f != 'e') {
            take_field(&r, *f);
        } else if (!take_size(&r)) {
            i->lanes = 1; /* later fields have no lanes to be compared with */
        }
    }
    i->bytes = r.at;
    if (r.truncated || r.lost) {
        /* what cannot be split into fields is refused for that alone */
        c->refusal->count = 0;
        return isa_refuse(c,
                          r.truncated ? VEU_FAULT_MESSAGE_TRUNCATED :
                                        VEU_FAULT_MESSAGE_FIELD,
                          r.truncated ? bytes : ISA_ANY_DETAIL);
    }
    if (!c->refusal->count && i->dst_count) {
        check_types(&r);
        check_modifiers(&r);
        check_second(&r);
        check_high_dwords(&r);
    }
    return !c->refusal->count;
}
