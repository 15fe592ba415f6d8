/*
 * veu execution unit: decoding of instructions' operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rules: docs/spec.md, "Instructions", after the vendor's page 5_operands. An
 * operand is legal if all its elements are inside its variable, including those
 * of lanes that do not run.
 */
#include "hw/veu/eu/decode/instruction_operand.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/program/variable.h"

#define CODE_0 1 /* the code of a region's number */
#define CODE_1 2

/* Splits a region into its codes. Returns false if one of them is illegal. */
static bool split_region(uint16_t region, unsigned *vertical, unsigned *width,
                         unsigned *horizontal)
{
    *vertical = region & 0xf;
    *width = region >> 4 & 0xf;
    *horizontal = region >> 8 & 0xf;
    return !(region & ~VEU_REGION_ALL);
}

/* <V;W,H> of @lanes lanes. Without V, an indirect operand by row. */
static bool source_region(uint16_t region, unsigned lanes, VeuOperand *o)
{
    unsigned vertical, width, horizontal;

    if (!split_region(region, &vertical, &width, &horizontal) ||
        width < CODE_1 || horizontal < CODE_0) {
        return false;
    }
    o->by_row = vertical == VEU_REGION_NONE;
    o->width_shift = width - CODE_1;
    o->row_step = veu_region_number(vertical);
    o->step = veu_region_number(horizontal);
    /* Widths are up to 16; steps within a row are up to 4 elements. */
    return (1u << o->width_shift) <= lanes && o->width_shift <= 4 &&
           o->step <= 4;
}

/* <H>: a single row. */
static bool destination_region(uint16_t region, VeuOperand *o)
{
    unsigned vertical, width, horizontal;

    if (!split_region(region, &vertical, &width, &horizontal)) {
        return false;
    }
    o->width_shift = 5;
    o->step = veu_region_number(horizontal);
    return o->step >= 1 && o->step <= 4;
}

/* Bytes from the first element to the end of the last that a lane uses. */
static uint32_t extent_bytes(const VeuOperand *o, unsigned lanes)
{
    unsigned last = lanes - 1;
    unsigned row = last >> o->width_shift;
    unsigned in_row = lanes > 1u << o->width_shift ?
                          (1u << o->width_shift) - 1 :
                          last;
    unsigned elements = row * o->row_step + in_row * o->step + 1;

    return elements * veu_type_bytes(o->type);
}

/* Places a general operand. @bytes: the size it must have from there on. */
static bool place_general(const VeuOperandContext *c,
                          const VeuEncodedVector *from, VeuOperand *o)
{
    const struct veu_variable *v = veu_variable_find(c->program, from->id);
    uint32_t element, at, bytes;

    if (!v) {
        return false;
    }
    element = veu_type_bytes(v->type);
    at = from->row * c->program->grf_bytes + from->column * element;
    bytes = v->elements * element;
    o->type = v->type;
    o->at = v->offset + at;
    return at < bytes && extent_bytes(o, c->lanes) <= bytes - at;
}

/* The address of a variable: &V32, with a row and a column. */
static bool decode_variable_address(const VeuOperandContext *c,
                                    const VeuEncodedVector *from, VeuOperand *o)
{
    const struct veu_variable *v = veu_variable_find(c->program, from->id);

    if (!v) {
        return false;
    }
    o->class = VEU_OPERAND_IMMEDIATE;
    o->is_address = true;
    o->type = VEU_TYPE_UW;
    o->value = v->offset + from->row * c->program->grf_bytes +
               from->column * veu_type_bytes(v->type);
    return !o->modifier && o->value < c->program->register_bytes;
}

/* The address elements that an operand reads: one, or one for each row. */
static bool place_addresses(const VeuOperandContext *c,
                            const VeuEncodedVector *from, unsigned elements,
                            VeuOperand *o)
{
    const VeuProgram *p = c->program;

    if (from->id >= p->address_count ||
        from->column + elements > p->addresses[from->id].elements) {
        return false;
    }
    o->at = p->addresses[from->id].first + from->column;
    return true;
}

static bool decode_indirect(const VeuOperandContext *c,
                            const VeuEncodedVector *from, VeuOperand *o)
{
    unsigned rows = o->by_row ? ((c->lanes - 1) >> o->width_shift) + 1 : 1;

    o->type = from->type;
    o->add_byte = from->add_byte;
    return veu_type_bytes(o->type) && place_addresses(c, from, rows, o);
}

/*
 * The elements of an address variable, repeated if there are fewer than lanes.
 */
static bool decode_address(const VeuOperandContext *c,
                           const VeuEncodedVector *from, VeuOperand *o)
{
    unsigned width = from->row <= 4 ? 1u << from->row : 0;

    width = width > c->lanes ? c->lanes : width;
    o->type = VEU_TYPE_UW;
    o->width_shift = width ? __builtin_ctz(width) : 0;
    return width && place_addresses(c, from, width, o);
}

static bool decode_predicate(const VeuOperandContext *c,
                             const VeuEncodedVector *from, VeuOperand *o)
{
    unsigned id = from->id & 0xfff;

    o->type = VEU_TYPE_BOOL;
    o->at = id - 1;
    o->inverse = from->id >> 15;
    return id && id <= c->program->predicate_count && !(from->id & 0x7000);
}

static bool decode_state(const VeuOperandContext *c,
                         const VeuEncodedVector *from, VeuOperand *o)
{
    const VeuProgram *p = c->program;
    bool sampler = from->type == VEU_STATE_SAMPLER;
    uint32_t first = sampler ? 0 : VEU_FIRST_SURFACE;
    uint32_t count = sampler ? p->state_count - p->surface_state_count :
                               p->surface_state_count;

    if (from->type > VEU_STATE_SAMPLER || from->id < first ||
        from->id - first >= count || from->column) {
        return false;
    }
    o->type = VEU_TYPE_BOOL;
    o->at = from->id - first + (sampler ? p->surface_state_count : 0);
    return true;
}

/* Packed vectors keep their 32 bits; others are extended. */
static bool decode_immediate(const VeuOperandContext *c,
                             const VeuEncodedVector *from, VeuOperand *o)
{
    bool packed = from->type == VEU_TYPE_V || from->type == VEU_TYPE_UV ||
                  from->type == VEU_TYPE_VF;

    o->type = from->type;
    o->value = packed ? (uint32_t)from->immediate :
                        veu_type_extend(from->type, from->immediate);
    return packed || veu_type_bytes(from->type);
}

/* Returns true for %null, whatever its region is. */
static bool is_null(const VeuEncodedVector *from)
{
    return from->class == VEU_OPERAND_GENERAL &&
           from->id == VEU_PREDEFINED_NULL;
}

static bool decode_by_class(const VeuOperandContext *c,
                            const VeuEncodedVector *from, VeuOperand *o)
{
    static bool (*const classes[8])(const VeuOperandContext *c,
                                    const VeuEncodedVector *from,
                                    VeuOperand *o) = {
        [VEU_OPERAND_GENERAL] = place_general,
        [VEU_OPERAND_ADDRESS] = decode_address,
        [VEU_OPERAND_PREDICATE] = decode_predicate,
        [VEU_OPERAND_INDIRECT] = decode_indirect,
        [VEU_OPERAND_IMMEDIATE] = decode_immediate,
        [VEU_OPERAND_STATE] = decode_state,
    };

    return classes[from->class](c, from, o);
}

static bool has_region(const VeuEncodedVector *from)
{
    return from->class == VEU_OPERAND_GENERAL ||
           from->class == VEU_OPERAND_INDIRECT;
}

bool veu_operand_decode_source(const VeuOperandContext *c, VeuOperand *o)
{
    const VeuEncodedVector *from = c->from;

    *o = (VeuOperand){ .class = from->class, .modifier = from->modifier };
    if (is_null(from)) {
        o->null = true;
        o->type = VEU_TYPE_UD;
        return true;
    }
    if (from->modifier && !has_region(from)) {
        return false;
    }
    if (from->class == VEU_OPERAND_GENERAL && c->is_address) {
        return decode_variable_address(c, from, o);
    }
    return (!has_region(from) || source_region(from->region, c->lanes, o)) &&
           (!o->by_row || from->class == VEU_OPERAND_INDIRECT) &&
           decode_by_class(c, from, o);
}

bool veu_operand_decode_destination(const VeuOperandContext *c, VeuOperand *o)
{
    const VeuEncodedVector *from = c->from;

    *o = (VeuOperand){ .class = from->class, .modifier = from->modifier };
    if (is_null(from)) {
        o->null = true;
        o->type = VEU_TYPE_UD;
        return true;
    }
    if (from->class == VEU_OPERAND_IMMEDIATE ||
        (from->modifier && !has_region(from))) {
        return false;
    }
    if (from->class == VEU_OPERAND_ADDRESS) {
        /* The width of a destination is ignored. */
        o->type = VEU_TYPE_UW;
        return place_addresses(c, from, c->lanes, o);
    }
    return (!has_region(from) || destination_region(from->region, o)) &&
           decode_by_class(c, from, o) && !o->inverse;
}
