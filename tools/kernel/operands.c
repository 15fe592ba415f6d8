/*
 * libveu-kernel: the variables and predicates that an instruction names.
 *
 * SPDX-License-Identifier: MIT
 *
 * The encoding of an instruction is read according to the rows of the device's
 * tables. Each operand is visited with its id, which may be changed.
 */
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/field.h"
#include "tools/kernel/operands.h"
#include "tools/visa/instruction.h"
#include "tools/visa/message_text.h"

#define PREDICATE_ID 0xfffu
/* Region codes: 2 is a stride of 1. */
#define STRIDE_ONE   2

typedef void Visit(void *opaque, const KernelOperand *operand, uint32_t *id);

typedef struct Visitor {
    Visit *visit;
    void *opaque;
    const VisaRoutine *routine; /* NULL: sizes are not needed */
    unsigned lanes;
    bool masked; /* lanes that a reader reads may not be written */
} Visitor;

static void visit_predicate(const Visitor *v, KernelOperand operand,
                            uint32_t *word)
{
    uint32_t id = *word & PREDICATE_ID;

    if (id) {
        operand.kind = VISA_PREDICATE;
        operand.id = id;
        v->visit(v->opaque, &operand, &id);
        *word = (*word & ~PREDICATE_ID) | (id & PREDICATE_ID);
    }
}

static void visit_variable(const Visitor *v, KernelOperand operand,
                           uint32_t *id)
{
    if (*id >= VEU_FIRST_VARIABLE) {
        operand.kind = VISA_VARIABLE;
        operand.id = *id;
        v->visit(v->opaque, &operand, id);
    }
}

/* Lanes and mask in an Exec_size byte: size code, mask offset, NoMask. */
static void take_lanes(Visitor *v, uint32_t number, bool has_predicate)
{
    v->lanes = 1u << MIN(number & 0xf, 5);
    /* A single lane writes whenever the instruction runs. */
    v->masked = has_predicate || (v->lanes == 1 && !(number & 0x80));
}

/* --- Instructions -------------------------------------------------------- */

/* Bytes that a destination covers from its variable's start. */
static uint32_t covered(const Visitor *v, const VeuEncodedVector *vector)
{
    const VisaSymbol *s = v->routine ? visa_symbol(v->routine, VISA_VARIABLE,
                                                   vector->id) :
                                       NULL;

    if (!s || v->masked || vector->row || vector->column ||
        (v->lanes > 1 && vector->region >> 8 != STRIDE_ONE)) {
        return 0;
    }
    return v->lanes * veu_type_bytes(s->type);
}

static void visit_vector(const Visitor *v, VeuEncodedVector *vector,
                         bool writes)
{
    KernelOperand operand = { .writes = writes };

    if (vector->class == VEU_OPERAND_GENERAL) {
        operand.whole = writes ? covered(v, vector) : 0;
        visit_variable(v, operand, &vector->id);
    } else if (vector->class == VEU_OPERAND_PREDICATE) {
        operand.whole = writes && !v->masked ? v->lanes : 0;
        visit_predicate(v, operand, &vector->id);
    }
}

/* &V32: a general operand of addr_add means the variable's address. */
static void visit_address(const Visitor *v, VeuEncodedVector *vector)
{
    const KernelOperand operand = { .address = true };

    if (vector->class == VEU_OPERAND_GENERAL) {
        visit_variable(v, operand, &vector->id);
    }
}

static void visit_sources(const Visitor *v, VeuInstructionEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        const VeuInstructionFieldInfo *field = &veu_instruction_fields[*f];
        VeuInstructionValue *value = &e->field[*f];

        if (*f == VEU_IFIELD_SRC0 &&
            e->info->operation == VEU_OPERATION_ADDR_ADD) {
            visit_address(v, &value->vector);
        } else if (field->kind == VEU_IKIND_VECTOR &&
                   field->text != VEU_ITEXT_DESTINATION) {
            visit_vector(v, &value->vector, false);
        } else if (*f == VEU_IFIELD_PRED) {
            visit_predicate(v, (KernelOperand){ 0 }, &value->number);
        }
    }
}

static void visit_destinations(const Visitor *v, VeuInstructionEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].kind == VEU_IKIND_VECTOR &&
            veu_instruction_fields[*f].text == VEU_ITEXT_DESTINATION) {
            visit_vector(v, &e->field[*f].vector, true);
        }
    }
}

static void visit_instruction(Visitor *v, VeuInstructionEncoding *e)
{
    bool has_predicate = e->info->operation != VEU_OPERATION_SEL &&
                         veu_instruction_has(e->info, VEU_IFIELD_PRED) &&
                         e->field[VEU_IFIELD_PRED].number & PREDICATE_ID;

    if (veu_instruction_has(e->info, VEU_IFIELD_EXEC_SIZE)) {
        take_lanes(v, e->field[VEU_IFIELD_EXEC_SIZE].number, has_predicate);
    }
    visit_sources(v, e);
    visit_destinations(v, e);
}

/* --- Messages ------------------------------------------------------------ */

static bool is_destination(const VeuEncoding *e, VeuField f)
{
    switch (f) {
    case VEU_FIELD_ATOMIC_DST:
        return true;
    case VEU_FIELD_LANE_DATA:
    case VEU_FIELD_CHANNEL_DATA:
    case VEU_FIELD_QW_DATA:
    case VEU_FIELD_SVM_DATA:
    case VEU_FIELD_SVM_CHANNEL_DATA:
    case VEU_FIELD_BLOCK_DATA:
    case VEU_FIELD_MEDIA_DATA:
        return e->info->access == VEU_ACCESS_READ;
    default:
        return false;
    }
}

/* A sampler's data may be declared as halves. */
static uint32_t channel_bytes(const Visitor *v, const VeuEncoding *e,
                              VeuField f)
{
    const VisaSymbol *s = v->routine ? visa_symbol(v->routine, VISA_VARIABLE,
                                                   e->field[f].raw.id) :
                                       NULL;

    return e->info->samples && s && s->type == VEU_TYPE_HF ? 2 : 4;
}

/* Bytes of a result: at least what any message of this form writes. */
static uint32_t result_bytes(const Visitor *v, const VeuEncoding *e, VeuField f)
{
    if (v->masked || e->field[f].raw.offset_byte) {
        return 0;
    }
    switch (f) {
    case VEU_FIELD_ATOMIC_DST:
    case VEU_FIELD_LANE_DATA:
    case VEU_FIELD_SVM_DATA:
        return v->lanes * 4;
    case VEU_FIELD_CHANNEL_DATA:
    case VEU_FIELD_SVM_CHANNEL_DATA:
        return v->lanes * channel_bytes(v, e, f) *
               __builtin_popcount(e->field[VEU_FIELD_CHANNELS].number);
    case VEU_FIELD_BLOCK_DATA:
        return visa_block_bytes(e);
    default:
        return 0;
    }
}

static void visit_raw(const Visitor *v, VeuEncoding *e, VeuField f,
                      bool destinations)
{
    bool writes = is_destination(e, f);
    KernelOperand operand = {
        .writes = writes,
        .raw = true,
        .whole = writes ? result_bytes(v, e, f) : 0,
    };

    if (writes == destinations) {
        visit_variable(v, operand, &e->field[f].raw.id);
    }
}

static void visit_message_field(const Visitor *v, VeuEncoding *e, VeuField f)
{
    uint32_t number = e->field[f].number;

    if (veu_fields[f].kind == VEU_KIND_RAW) {
        visit_raw(v, e, f, false);
    } else if (veu_fields[f].kind == VEU_KIND_SCALAR) {
        if (e->field[f].scalar.class == VEU_SCALAR_GENERAL) {
            visit_variable(v, (KernelOperand){ 0 }, &e->field[f].scalar.id);
        }
    } else if (f == VEU_FIELD_PRED) {
        visit_predicate(v, (KernelOperand){ 0 }, &number);
        e->field[f].number = number;
    }
}

static void visit_message(Visitor *v, VeuEncoding *e)
{
    if (visa_has_field(e->info, VEU_FIELD_EXEC_SIZE)) {
        take_lanes(v, e->field[VEU_FIELD_EXEC_SIZE].number,
                   visa_has_field(e->info, VEU_FIELD_PRED) &&
                       e->field[VEU_FIELD_PRED].number & PREDICATE_ID);
    }
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        visit_message_field(v, e, *f);
    }
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        if (veu_fields[*f].kind == VEU_KIND_RAW) {
            visit_raw(v, e, *f, true);
        }
    }
}

/* --- Reading ------------------------------------------------------------- */

static void add_operand(void *opaque, const KernelOperand *operand,
                        uint32_t *id)
{
    KernelInstruction *i = opaque;

    if (i->operand_count < KERNEL_MAX_OPERANDS) {
        i->operands[i->operand_count++] = *operand;
    }
}

static bool read_instruction(Visitor *v, const VeuInstructionInfo *info,
                             const uint8_t *code, uint32_t bytes,
                             KernelInstruction *i)
{
    VeuInstructionEncoding e;
    VeuFault fault;

    if (info->listed || !veu_instruction_parse(info, code, bytes, &e, &fault)) {
        return false;
    }
    i->bytes = e.bytes;
    if (veu_instruction_has(info, VEU_IFIELD_LABEL)) {
        i->label = e.field[VEU_IFIELD_LABEL].number;
    }
    if (veu_instruction_has(info, VEU_IFIELD_FUNCTION)) {
        i->callee = e.field[VEU_IFIELD_FUNCTION].number;
    }
    visit_instruction(v, &e);
    return true;
}

bool kernel_instruction_read(const VisaRoutine *routine, const uint8_t *code,
                             uint32_t bytes, KernelInstruction *i)
{
    Visitor v = { .visit = add_operand, .opaque = i, .routine = routine };
    const VeuInstructionInfo *info = veu_instruction_find(code, bytes);
    VeuEncoding e;
    VeuFault fault;

    *i = (KernelInstruction){ .label = -1, .callee = -1 };
    i->opcode = bytes ? code[0] : 0;
    if (info) {
        return read_instruction(&v, info, code, bytes, i);
    }
    if (!veu_encoding_parse(code, bytes, &e, &fault)) {
        return false;
    }
    i->bytes = e.bytes;
    visit_message(&v, &e);
    return true;
}

/* --- Renaming ------------------------------------------------------------ */

static void rename_operand(void *opaque, const KernelOperand *operand,
                           uint32_t *id)
{
    const KernelIds *ids = opaque;

    *id = operand->kind == VISA_VARIABLE ?
              ids->variables[*id - VEU_FIRST_VARIABLE] :
              ids->predicates[*id - 1];
}

void kernel_instruction_rename(uint8_t *code, uint32_t bytes,
                               const KernelIds *ids)
{
    Visitor v = { .visit = rename_operand, .opaque = (void *)ids };
    const VeuInstructionInfo *info = veu_instruction_find(code, bytes);
    VeuInstructionEncoding instruction;
    VeuEncoding message;
    uint8_t out[MAX(VEU_INSTRUCTION_MAX_BYTES, VEU_MESSAGE_MAX_BYTES)];
    VeuFault fault;
    uint32_t length = 0;

    if (info &&
        veu_instruction_parse(info, code, bytes, &instruction, &fault)) {
        visit_instruction(&v, &instruction);
        length = veu_instruction_write(&instruction, out);
    } else if (!info && veu_encoding_parse(code, bytes, &message, &fault)) {
        visit_message(&v, &message);
        length = veu_encoding_write(&message, out);
    }
    memcpy(code, out, MIN(length, bytes));
}
