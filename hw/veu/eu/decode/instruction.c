/*
 * veu execution unit: instructions, decoded for execution.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/float.h"
#include "hw/veu/eu/instruction/handler_choose.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/decode/instruction.h"
#include "hw/veu/eu/decode/instruction_check.h"
#include "hw/veu/eu/decode/instruction_operand.h"
#include "hw/veu/eu/decode/message.h"
#include "hw/veu/eu/program/type.h"

/* The state of the decoder. */
typedef struct Decoder {
    VeuProgram *program;
    const VeuInstructionEncoding *encoding;
    VeuInstruction *instruction;
    VeuFault *fault;
} Decoder;

static bool bad(const Decoder *d, uint16_t code, VeuInstructionField field)
{
    return veu_fault_form(d->fault, code, d->encoding->at[field]);
}

/* Lanes past the SIMD size of the launch never run, so naming them is legal. */
static bool decode_lanes(const Decoder *d, VeuInstructionField field)
{
    VeuInstruction *i = d->instruction;
    unsigned code = d->encoding->field[field].number;
    unsigned offset = (code >> 4 & 7) * 4;
    unsigned lanes = 1u << (code & 0xf);

    if ((code & 0xf) > 5 || offset % lanes ||
        (i->info->sizes && !(i->info->sizes & lanes))) {
        return bad(d, VEU_FAULT_MESSAGE_FIELD, field);
    }
    i->lanes = lanes;
    i->mask_offset = offset;
    i->no_mask = code >> 7;
    i->all_lanes = UINT32_MAX >> (32 - lanes);
    return true;
}

/* Bits 0..11: id; 12: unassigned; 13..14: combine; 15: inverse. */
static bool decode_pred(const Decoder *d, VeuInstructionField field)
{
    VeuInstruction *i = d->instruction;
    unsigned pred = d->encoding->field[field].number;
    unsigned id = pred & 0xfff;
    unsigned combine = pred >> 13 & 3;

    if ((pred & 0x1000) || combine > VEU_COMBINE_ALL || (!id && pred)) {
        return bad(d, VEU_FAULT_MESSAGE_FIELD, field);
    }
    if (!id) {
        return true;
    }
    if (id > d->program->predicate_count ||
        i->mask_offset + i->lanes > d->program->predicate_bits[id - 1]) {
        return bad(d, VEU_FAULT_MESSAGE_PREDICATE, field);
    }
    i->predication = (VeuPredication){
        .used = true,
        .inverse = pred >> 15,
        .combine = combine,
        .index = id - 1,
    };
    return true;
}

/* A code for one of the field's names. */
static bool decode_code(const Decoder *d, VeuInstructionField field)
{
    const VeuInstructionFieldInfo *info = &veu_instruction_fields[field];
    uint32_t code = d->encoding->field[field].number;

    d->instruction->code = code;
    return !info->names || code < info->name_count ||
           bad(d, VEU_FAULT_MESSAGE_FIELD, field);
}

static bool decode_label(const Decoder *d, VeuInstructionField field)
{
    VeuInstruction *i = d->instruction;
    bool calls = i->info->operation == VEU_OPERATION_CALL;

    i->target = d->encoding->field[field].number;
    if (i->target >= d->program->label_count) {
        return bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
    }
    return i->info->operation == VEU_OPERATION_LABEL ||
           calls ==
               (d->program->labels[i->target].kind == VEU_LABEL_SUBROUTINE) ||
           bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
}

static bool decode_function(const Decoder *d, VeuInstructionField field)
{
    d->instruction->target = d->encoding->field[field].number;
    return d->instruction->target < d->program->function_count ||
           bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
}

/* Returns true if a predicate operand has a bit for each of the lanes. */
static bool predicate_reaches(const Decoder *d, const VeuOperand *o)
{
    const VeuInstruction *i = d->instruction;

    return o->class != VEU_OPERAND_PREDICATE ||
           i->info->operation == VEU_OPERATION_MOV ||
           (unsigned)i->mask_offset + i->lanes <=
               d->program->predicate_bits[o->at];
}

static VeuOperandContext context_of(const Decoder *d, VeuInstructionField field)
{
    return (VeuOperandContext){
        .program = d->program,
        .from = &d->encoding->field[field].vector,
        .lanes = d->instruction->lanes,
    };
}

static bool decode_destination(const Decoder *d, VeuInstructionField field)
{
    VeuOperandContext c = context_of(d, field);
    VeuOperand *o = field == VEU_IFIELD_DST ? &d->instruction->dst :
                                              &d->instruction->dst2;

    if (!veu_operand_decode_destination(&c, o)) {
        return bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
    }
    return predicate_reaches(d, o) ||
           bad(d, VEU_FAULT_MESSAGE_PREDICATE, field);
}

/*
 * The regions of plane are ignored. src0 has 4 consecutive elements and src1
 * two for each lane, both from an aligned place.
 */
static bool decode_plane(const Decoder *d, bool first, VeuOperandContext *c,
                         VeuOperand *o)
{
    VeuEncodedVector from = *c->from;
    uint32_t align = first ? 16 : d->program->grf_bytes;

    from.region = first ? VEU_REGION(4, 4, 2) : VEU_REGION(6, 6, 2);
    c->from = &from;
    c->lanes = first ? 4 : 2 * d->instruction->lanes;
    return veu_operand_decode_source(c, o) &&
           (o->class != VEU_OPERAND_GENERAL || o->at % align == 0);
}

static bool decode_source(const Decoder *d, VeuInstructionField field)
{
    VeuOperandContext c = context_of(d, field);
    VeuInstruction *i = d->instruction;
    VeuOperand *o = &i->src[i->source_count++];
    bool plane = i->info->operation == VEU_OPERATION_PLANE;
    bool first = field == VEU_IFIELD_SRC0;

    c.is_address = first && i->info->operation == VEU_OPERATION_ADDR_ADD;
    if (!(plane ? decode_plane(d, first, &c, o) :
                  veu_operand_decode_source(&c, o))) {
        return bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
    }
    return predicate_reaches(d, o) ||
           bad(d, VEU_FAULT_MESSAGE_PREDICATE, field);
}

/* The address of a function is a single value, and an integer. */
static bool decode_function_address(const Decoder *d, VeuInstructionField field)
{
    VeuOperandContext c = context_of(d, field);
    VeuOperand *o = &d->instruction->src[0];
    bool ok;

    c.lanes = 1;
    ok = veu_operand_decode_source(&c, o) && !o->modifier &&
         !veu_type_is_float(veu_operand_type(o)) &&
         (o->class == VEU_OPERAND_GENERAL || o->class == VEU_OPERAND_INDIRECT ||
          o->class == VEU_OPERAND_IMMEDIATE);
    return ok || bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
}

static bool decode_ignored(const Decoder *d, VeuInstructionField field)
{
    return true;
}

static bool decode_field(const Decoder *d, VeuInstructionField field)
{
    static bool (*const decoders[VEU_IFIELD_COUNT])(
        const Decoder *d, VeuInstructionField field) = {
        [VEU_IFIELD_EXEC_SIZE] = decode_lanes,
        [VEU_IFIELD_PRED] = decode_pred,
        [VEU_IFIELD_RELATION] = decode_code,
        [VEU_IFIELD_MINMAX] = decode_code,
        [VEU_IFIELD_DST] = decode_destination,
        [VEU_IFIELD_CARRY] = decode_destination,
        [VEU_IFIELD_BORROW] = decode_destination,
        [VEU_IFIELD_EARLY_OUT] = decode_destination,
        [VEU_IFIELD_SRC0] = decode_source,
        [VEU_IFIELD_SRC1] = decode_source,
        [VEU_IFIELD_SRC2] = decode_source,
        [VEU_IFIELD_SRC3] = decode_source,
        [VEU_IFIELD_BOOLEAN_FUNCTION] = decode_code,
        [VEU_IFIELD_LABEL] = decode_label,
        [VEU_IFIELD_FUNCTION] = decode_function,
        [VEU_IFIELD_FUNCTION_ADDRESS] = decode_function_address,
        [VEU_IFIELD_ARGUMENT_GRFS] = decode_ignored,
        [VEU_IFIELD_RETURN_GRFS] = decode_ignored,
        [VEU_IFIELD_FILE] = decode_ignored,
        [VEU_IFIELD_LINE] = decode_ignored,
        [VEU_IFIELD_LIFETIME] = decode_ignored,
        [VEU_IFIELD_LIFETIME_VARIABLE] = decode_ignored,
        [VEU_IFIELD_WAIT_MASK] = decode_ignored,
    };

    return decoders[field](d, field);
}

/*
 * The high dwords of madw are stored a whole number of registers after the low
 * ones.
 */
static bool place_high_dwords(const Decoder *d, VeuInstruction *i)
{
    uint32_t grf = d->program->grf_bytes;
    uint32_t apart = (i->lanes * 4 + grf - 1) / grf * grf;
    VeuOperandContext c = context_of(d, VEU_IFIELD_DST);
    VeuEncodedVector high = *c.from;

    high.row += apart / grf;
    if (i->dst.class != VEU_OPERAND_GENERAL || high.row < apart / grf) {
        return false;
    }
    c.from = &high;
    return veu_operand_decode_destination(&c, &i->dst2);
}

static bool is_clock(const VeuInstructionEncoding *e, VeuInstructionField field)
{
    const VeuEncodedVector *v = &e->field[field].vector;

    return v->class == VEU_OPERAND_INDIRECT ||
           (v->class == VEU_OPERAND_GENERAL &&
            (v->id == VEU_PREDEFINED_TSC || v->id == VEU_PREDEFINED_CE0));
}

static bool reads_clock(const VeuProgram *p, const VeuInstructionEncoding *e)
{
    if (!p->predefined[VEU_PREDEFINED_TSC].elements &&
        !p->predefined[VEU_PREDEFINED_CE0].elements) {
        return false;
    }
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        if (*f >= VEU_IFIELD_SRC0 && *f <= VEU_IFIELD_SRC3 && is_clock(e, *f)) {
            return true;
        }
    }
    return false;
}

static bool decode_fields(const Decoder *d)
{
    VeuInstructionField field = VEU_IFIELD_DST;
    VeuInstruction *i = d->instruction;

    for (const uint8_t *f = d->encoding->info->fields; *f != VEU_IFIELD_END;
         f++) {
        if (!decode_field(d, *f)) {
            return false;
        }
    }
    if (!veu_instruction_check(i, &field)) {
        return bad(d, VEU_FAULT_MESSAGE_OPERAND, field);
    }
    return i->info->operation != VEU_OPERATION_MADW || i->dst.null ||
           place_high_dwords(d, i) ||
           bad(d, VEU_FAULT_MESSAGE_OPERAND, VEU_IFIELD_DST);
}

static bool decode_row(VeuProgram *p, const VeuInstructionInfo *info,
                       VeuInstruction *i, VeuFault *fault)
{
    VeuInstructionEncoding encoding;
    Decoder d = { p, &encoding, i, fault };

    if (info->listed) {
        return veu_fault_form(fault, VEU_FAULT_INSTRUCTION_NOT_MODELLED, 0);
    }
    if (!veu_instruction_parse(info, p->code + p->code_at,
                               p->code_bytes - p->code_at, &encoding, fault)) {
        return false;
    }
    i->info = info;
    i->cost = info->cost;
    if (!decode_fields(&d)) {
        return false;
    }
    i->execute = veu_executor(i);
    i->reads_clock = reads_clock(p, &encoding);
    i->predicated = i->predication.used && info->operation != VEU_OPERATION_SEL;
    veu_handler_choose(p, i);
    p->has_barrier |= info->operation == VEU_OPERATION_BARRIER;
    p->code_at += encoding.bytes;
    return true;
}

static bool decode_message(VeuProgram *p, VeuInstruction *i, VeuFault *fault)
{
    VeuMessage *m = &p->messages[p->message_count];

    if (p->message_count == p->room.messages) {
        return veu_fault_form(fault, VEU_FAULT_PROGRAM_MESSAGES, 0);
    }
    if (!veu_message_decode(p, p->code, p->code_bytes, p->code_at, m,
                            &p->code_at, fault)) {
        return false;
    }
    m->follows = VEU_FOLLOWS_NOT;
    m->state = m->surface - VEU_FIRST_SURFACE;
    i->execute = veu_execute_message;
    i->cost = VEU_INSTRUCTION_UNIT;
    i->stop = VEU_STOP_MESSAGE;
    i->target = p->message_count++;
    veu_handler_choose(p, i);
    return true;
}

bool veu_instruction_decode(VeuProgram *p, VeuInstruction *i, VeuFault *fault)
{
    const VeuInstructionInfo *info;

    *i = (VeuInstruction){
        .offset = p->code_at,
        .lanes = 1,
        .all_lanes = 1,
        .no_mask = true,
        .dst = { .null = true },
        .dst2 = { .null = true },
    };
    info = veu_instruction_find(p->code + p->code_at,
                                p->code_bytes - p->code_at);
    return info ? decode_row(p, info, i, fault) : decode_message(p, i, fault);
}
