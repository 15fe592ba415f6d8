/*
 * veu tests: a second implementation of the rules for legal operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, 17.2; regions: the loops of the vendor's page 5.
 */
#include <glib.h>
#include "tests/lib/isa_check.h"

/* plane ignores regions: 4 consecutive elements, or two for each lane. */
static unsigned lanes_of(const IsaChecker *c, const IsaInstruction *i,
                         unsigned source)
{
    if (i->row->types != 'P') {
        return i->lanes;
    }
    return source ? 2 * i->lanes : 4;
}

static const struct veu_variable *find_variable(const IsaChecker *c,
                                                uint32_t id)
{
    if (id < VEU_FIRST_VARIABLE) {
        return c->predefined[id].elements ? &c->predefined[id] : NULL;
    }
    return isa_entry(c, VEU_SECTION_VARIABLES, id - VEU_FIRST_VARIABLE,
                     sizeof(struct veu_variable));
}

/* The number null, 0, 1, 2, 4, ... 32; -1 for null, -2 for an illegal code. */
static int region_number(unsigned code)
{
    static const int numbers[] = { -1, 0, 1, 2, 4, 8, 16, 32 };

    return code < G_N_ELEMENTS(numbers) ? numbers[code] : -2;
}

typedef struct Region {
    int v, w, h;
} Region;

static Region region_of(const IsaOperand *o)
{
    return (Region){
        region_number(o->region & 15),
        region_number(o->region >> 4 & 15),
        o->region >> 12 ? -2 : region_number(o->region >> 8),
    };
}

static bool source_region(const IsaOperand *o, unsigned lanes)
{
    Region g = region_of(o);

    return g.w >= 1 && g.w <= 16 && g.w <= (int)lanes && g.h >= 0 && g.h <= 4 &&
           (g.v >= 0 || (g.v == -1 && o->class == ISA_INDIRECT));
}

static bool destination_region(const IsaOperand *o)
{
    Region g = region_of(o);

    return g.v >= -1 && g.w >= -1 && g.h >= 1 && g.h <= 4;
}

/*
 * The width as a divisor. Destinations have none, and do not need the quotient;
 * but GCC 14 computes it before it looks at that.
 */
static unsigned divisor(Region g)
{
    return MAX(g.w, 1);
}

/* The distance from the first to the last element of all lanes. */
static unsigned reach(Region g, unsigned lanes, bool is_destination)
{
    unsigned w = divisor(g), most = 0;

    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned at = is_destination ? lane * g.h :
                                       lane / w * g.v + lane % w * g.h;

        most = MAX(most, at);
    }
    return most + 1;
}

static bool inside_variable(const IsaChecker *c, const IsaInstruction *i,
                            const IsaOperand *o, unsigned elements)
{
    const struct veu_variable *v = find_variable(c, o->id);
    unsigned bytes = v ? isa_type_bytes(v->type) : 0;

    return v && o->row * c->header.grf_bytes + (o->column + elements) * bytes <=
                    v->elements * bytes;
}

static bool has_addresses(const IsaChecker *c, const IsaInstruction *i,
                          const IsaOperand *o, unsigned elements)
{
    const struct veu_address *a = isa_entry(c, VEU_SECTION_ADDRESSES, o->id,
                                            sizeof(*a));

    return a && o->column + elements <= a->elements;
}

static bool indirect_ok(const IsaChecker *c, const IsaInstruction *i,
                        const IsaOperand *o, unsigned lanes,
                        bool is_destination)
{
    Region g = region_of(o);
    bool by_row = g.v == -1 && !is_destination;

    return isa_type_bytes(o->type) &&
           has_addresses(c, i, o, by_row ? (lanes - 1) / divisor(g) + 1 : 1);
}

static bool state_ok(const IsaChecker *c, const IsaInstruction *i,
                     const IsaOperand *o)
{
    unsigned surfaces = c->messages.surface_variables;
    unsigned all = isa_entry_count(c, VEU_SECTION_STATES,
                                   sizeof(struct veu_state));

    if (o->column || o->type > VEU_STATE_SAMPLER) {
        return false;
    }
    return o->type == VEU_STATE_SAMPLER ?
               o->id < all - surfaces :
               o->id >= VEU_FIRST_SURFACE &&
                   o->id - VEU_FIRST_SURFACE < surfaces;
}

static bool predicate_ok(const IsaChecker *c, const IsaInstruction *i,
                         const IsaOperand *o)
{
    return !(o->id & 0x7000) &&
           isa_entry(c, VEU_SECTION_PREDICATES, (o->id & 0xfff) - 1,
                     sizeof(struct veu_predicate));
}

static bool is_packed(uint8_t type)
{
    return type == VEU_TYPE_V || type == VEU_TYPE_UV || type == VEU_TYPE_VF;
}

/* An address of any byte of the registers: &V32. */
static bool variable_address_ok(const IsaChecker *c, const IsaInstruction *i,
                                const IsaOperand *o)
{
    const struct veu_variable *v = find_variable(c, o->id);

    return v && v->offset + o->row * c->header.grf_bytes +
                        o->column * isa_type_bytes(v->type) <
                    c->header.register_bytes;
}

bool isa_is_null(const IsaOperand *o)
{
    return o->class == ISA_GENERAL && o->id == 0;
}

bool isa_may_be_modified(const IsaOperand *o)
{
    return o->class == ISA_GENERAL || o->class == ISA_INDIRECT;
}

static bool plane_source_ok(const IsaChecker *c, const IsaInstruction *i,
                            const IsaOperand *o, unsigned n)
{
    IsaOperand row = *o;
    unsigned align = n ? c->header.grf_bytes : 16;
    const struct veu_variable *v;

    row.region = 0x122;
    if (o->class == ISA_INDIRECT) {
        return indirect_ok(c, i, &row, lanes_of(c, i, n), false);
    }
    if (!inside_variable(c, i, o, lanes_of(c, i, n))) {
        return false;
    }
    v = find_variable(c, o->id);
    return (v->offset + o->row * c->header.grf_bytes +
            o->column * isa_type_bytes(v->type)) %
               align ==
           0;
}

bool isa_source_ok(const IsaChecker *c, const IsaInstruction *i,
                   const IsaOperand *o, unsigned n)
{
    if (isa_is_null(o)) {
        return true;
    }
    if (o->modifier && !isa_may_be_modified(o)) {
        return false;
    }
    switch (o->class) {
    case ISA_GENERAL:
        if (i->row->types == 'A' && n == 0) {
            return !o->modifier && variable_address_ok(c, i, o);
        }
        if (i->row->types == 'P') {
            return plane_source_ok(c, i, o, n);
        }
        return source_region(o, i->lanes) &&
               inside_variable(c, i, o, reach(region_of(o), i->lanes, false));
    case ISA_INDIRECT:
        if (i->row->types == 'P') {
            return plane_source_ok(c, i, o, n);
        }
        return source_region(o, i->lanes) &&
               indirect_ok(c, i, o, i->lanes, false);
    case ISA_ADDRESS:
        return o->row <= 4 &&
               has_addresses(c, i, o, MIN(1u << o->row, i->lanes));
    case ISA_PREDICATE:
        return predicate_ok(c, i, o);
    case ISA_STATE:
        return state_ok(c, i, o);
    default:
        return is_packed(o->type) || isa_type_bytes(o->type);
    }
}

bool isa_destination_ok(const IsaChecker *c, const IsaInstruction *i,
                        const IsaOperand *o)
{
    if (isa_is_null(o)) {
        return true;
    }
    if (o->modifier && !isa_may_be_modified(o)) {
        return false;
    }
    switch (o->class) {
    case ISA_GENERAL:
        return destination_region(o) &&
               inside_variable(c, i, o, reach(region_of(o), i->lanes, true));
    case ISA_INDIRECT:
        return destination_region(o) && indirect_ok(c, i, o, i->lanes, true);
    case ISA_ADDRESS:
        return has_addresses(c, i, o, i->lanes);
    case ISA_PREDICATE:
        return predicate_ok(c, i, o) && !(o->id >> 15);
    case ISA_STATE:
        return state_ok(c, i, o);
    default:
        return false;
    }
}

/* Returns the set of types that an operand belongs to. */
uint32_t isa_type_set(const IsaChecker *c, const IsaInstruction *i,
                      const IsaOperand *o, bool is_address)
{
    const struct veu_variable *v;

    switch (o->class) {
    case ISA_GENERAL:
        v = find_variable(c, o->id);
        return is_address && o->id ? ISA_ADDRESSES :
               v                   ? 1u << v->type :
                                     ISA_MASK(UD);
    case ISA_ADDRESS:
        return ISA_ADDRESSES;
    case ISA_PREDICATE:
        return ISA_BOOLEANS;
    case ISA_STATE:
        return ISA_STATES;
    default:
        return o->type == VEU_TYPE_V  ? ISA_MASK(W) :
               o->type == VEU_TYPE_UV ? ISA_MASK(UW) :
               o->type == VEU_TYPE_VF ? ISA_MASK(F) :
                                        1u << o->type;
    }
}
