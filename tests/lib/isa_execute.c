/*
 * veu tests: the effect of an instruction on the state of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Elements of operands follow the loops of the vendor's page 5, for one lane.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/isa_integer.h"
#include "tests/lib/isa_real.h"

/* The state before the instruction, and its effect. */
typedef struct Step {
    IsaThread *thread;
    const IsaThread *before;
    const IsaInstruction *i;
    uint32_t cr0;
    uint32_t active;
    IsaWide *seconds; /* of each lane; written last */
} Step;

static uint32_t low_bits(unsigned count)
{
    return count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* Code 0 stands for null; the next ones are 0, 1, 2, 4, ... */
static unsigned region_number(unsigned code)
{
    static const uint8_t numbers[8] = { 0, 0, 1, 2, 4, 8, 16, 32 };

    return numbers[code & 7];
}

/* Returns the lanes that a predicate's control word selects. */
static uint32_t predicate_lanes(const IsaThread *t, const IsaInstruction *i)
{
    uint32_t mask = low_bits(i->lanes);
    uint32_t bits;

    if (!(i->predicate & 0xfff)) {
        return mask;
    }
    bits = t->predicates[(i->predicate & 0xfff) - 1] >> i->mask_offset & mask;
    if ((i->predicate >> 13 & 3) == 1) {
        bits = bits ? mask : 0;
    } else if ((i->predicate >> 13 & 3) == 2) {
        bits = bits == mask ? mask : 0;
    }
    return i->predicate >> 15 ? ~bits & mask : bits;
}

static uint32_t enabled_lanes(const IsaInstruction *i, uint32_t running)
{
    return (i->no_mask ? UINT32_MAX : running >> i->mask_offset) &
           low_bits(i->lanes);
}

uint32_t isa_predicated(const IsaThread *t, const IsaInstruction *i,
                        uint32_t running)
{
    return enabled_lanes(i, running) & predicate_lanes(t, i);
}

static unsigned address_index(const Step *s, const IsaOperand *o)
{
    unsigned index = o->column;

    for (unsigned a = 0; a < o->id; a++) {
        index += s->before->program->addresses[a].elements;
    }
    return index;
}

static uint8_t type_of(const Step *s, const IsaOperand *o)
{
    const struct veu_variable *v;

    if (o->class != ISA_GENERAL) {
        return o->type;
    }
    v = isa_variable(s->before->program, o->id);
    return v ? v->type : VEU_TYPE_UD;
}

/* Returns the byte of the first element of a general or indirect operand. */
static int origin(const Step *s, const IsaOperand *o, unsigned row, bool by_row)
{
    const IsaProgram *p = s->before->program;

    if (o->class == ISA_GENERAL) {
        return isa_variable(p, o->id)->offset + o->row * p->header.grf_bytes +
               o->column * isa_type_bytes(type_of(s, o));
    }
    return s->before->addresses[address_index(s, o) + (by_row ? row : 0)] +
           o->add;
}

static int source_place(const Step *s, const IsaOperand *o, unsigned lane)
{
    bool by_row = !(o->region & 15);
    unsigned v = region_number(o->region & 15);
    unsigned w = region_number(o->region >> 4 & 15);
    unsigned h = region_number(o->region >> 8 & 15);
    unsigned row = lane / w;

    return origin(s, o, row, by_row) +
           (int)((row * v + lane % w * h) * isa_type_bytes(type_of(s, o)));
}

static int destination_place(const Step *s, const IsaOperand *o, unsigned lane)
{
    return origin(s, o, 0, false) +
           (int)(lane * region_number(o->region >> 8 & 15) *
                 isa_type_bytes(type_of(s, o)));
}

static bool in_registers(const Step *s, const IsaOperand *o, int place)
{
    return place >= 0 && place + isa_type_bytes(type_of(s, o)) <=
                             s->before->program->header.register_bytes;
}

/*
 * sel reads only the source that it copies; an index is that of the first lane.
 */
static bool is_read(const Step *s, unsigned n, unsigned lane)
{
    bool chosen = predicate_lanes(s->before, s->i) >> lane & 1;
    bool first = !(s->active & low_bits(lane));

    if (s->i->dst[0].class == ISA_STATE) {
        return first;
    }
    return s->i->row->opcode != 0x2a || n == !chosen;
}

/*
 * Returns the number of elements of source @n that a lane reads: for sad2 those
 * of two lanes if it is even; for plane p, q, r, or u and v.
 */
static unsigned elements_of(const Step *s, unsigned n, unsigned lane,
                            unsigned *element)
{
    switch (s->i->row->types) {
    case 's':
        element[0] = lane;
        element[1] = lane + 1;
        return lane % 2 ? 0 : n < 2 ? 2 : 1;
    case 'P':
        element[0] = n ? lane / 8 * 16 + lane % 8 : 0;
        element[1] = n ? element[0] + 8 : 1;
        element[2] = 3;
        return n ? 2 : 3;
    default:
        element[0] = lane;
        return is_read(s, n, lane);
    }
}

/* plane ignores regions: its elements are consecutive. */
static IsaOperand source_operand(const Step *s, unsigned n)
{
    IsaOperand o = s->i->src[n];

    if (s->i->row->types == 'P') {
        o.region = 0x122;
    }
    return o;
}

static bool source_is_in_bounds(const Step *s, unsigned n, unsigned lane)
{
    IsaOperand o = source_operand(s, n);
    unsigned element[3];
    unsigned count = elements_of(s, n, lane, element);

    for (unsigned k = 0; k < count && o.class == ISA_INDIRECT; k++) {
        if (!in_registers(s, &o, source_place(s, &o, element[k]))) {
            return false;
        }
    }
    return true;
}

/* Only indirect operands can be out of bounds. */
static bool lane_is_in_bounds(const Step *s, unsigned lane)
{
    const IsaInstruction *i = s->i;

    for (unsigned n = 0; n < i->src_count; n++) {
        if (!source_is_in_bounds(s, n, lane)) {
            return false;
        }
    }
    for (unsigned n = 0; n < i->dst_count; n++) {
        const IsaOperand *o = &i->dst[n];

        if (o->class == ISA_INDIRECT &&
            !in_registers(s, o, destination_place(s, o, lane))) {
            return false;
        }
    }
    return true;
}

static bool operands_are_in_bounds(const Step *s)
{
    for (unsigned lane = 0; lane < s->i->lanes; lane++) {
        if ((s->active >> lane & 1) && !lane_is_in_bounds(s, lane)) {
            return false;
        }
    }
    return true;
}

static uint64_t load(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < bytes; n++) {
        value |= (uint64_t)from[n] << 8 * n;
    }
    return value;
}

static void store(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned n = 0; n < bytes; n++) {
        to[n] = value >> 8 * n;
    }
}

/*
 * A restricted float has a sign, 3 bits of exponent and 4 of fraction; 0 is 0.
 */
static uint64_t unpack_vf(uint8_t packed)
{
    uint32_t sign = (uint32_t)(packed >> 7) << 31;
    uint32_t rest = packed & 0x7f;

    return rest ? sign | ((rest >> 4) + 124) << 23 | (rest & 15) << 19 : sign;
}

/* Returns an immediate's element; packed vectors repeat. */
static uint64_t immediate_bits(const IsaOperand *o, unsigned lane)
{
    uint64_t nibble = o->immediate >> 4 * (lane % 8) & 15;

    switch (o->type) {
    case VEU_TYPE_V:
        return nibble < 8 ? nibble : nibble | 0xfff0;
    case VEU_TYPE_UV:
        return nibble;
    case VEU_TYPE_VF:
        return unpack_vf(o->immediate >> 8 * (lane % 4));
    default:
        return o->immediate;
    }
}

static uint8_t element_type(uint8_t type)
{
    switch (type) {
    case VEU_TYPE_V:
        return VEU_TYPE_W;
    case VEU_TYPE_UV:
        return VEU_TYPE_UW;
    case VEU_TYPE_VF:
        return VEU_TYPE_F;
    default:
        return type;
    }
}

static IsaValue raw_source(const Step *s, const IsaOperand *o, unsigned lane)
{
    IsaValue v = { .type = element_type(type_of(s, o)) };

    if (o->class == ISA_IMMEDIATE) {
        v.raw = immediate_bits(o, lane);
    } else if (o->class == ISA_INDIRECT || o->id) {
        v.raw = load(s->before->registers + source_place(s, o, lane),
                     isa_type_bytes(v.type));
    }
    if (isa_type_bytes(v.type) < 8) {
        v.raw &= (UINT64_C(1) << 8 * isa_type_bytes(v.type)) - 1;
    }
    return v;
}

static IsaWide modify_integer(IsaWide n, unsigned modifier)
{
    switch (modifier) {
    case ISA_ABS:
        return n < 0 ? -n : n;
    case ISA_NEG:
        return -n;
    case ISA_NEG_ABS:
        return n < 0 ? n : -n;
    case ISA_NOT:
        return -1 - n;
    default:
        return n;
    }
}

static uint64_t modify_float(uint64_t bits, uint64_t sign, unsigned modifier)
{
    switch (modifier) {
    case ISA_ABS:
        return bits & ~sign;
    case ISA_NEG:
        return bits ^ sign;
    case ISA_NEG_ABS:
        return bits | sign;
    default:
        return bits;
    }
}

static IsaValue source(const Step *s, const IsaOperand *o, unsigned lane)
{
    IsaValue v = raw_source(s, o, lane);

    if (isa_is_float(v.type)) {
        v.bits = modify_float(isa_flush(v.type, v.raw, s->cr0),
                              isa_sign_bit(v.type), o->modifier);
    } else {
        v.number = modify_integer(isa_extend(v.type, v.raw), o->modifier);
    }
    return v;
}

static bool is_null(const IsaOperand *o)
{
    return o->class == ISA_GENERAL && o->id == 0;
}

/* Reads several elements of the sources. */
static void take_elements(const Step *s, unsigned lane, IsaElement *e)
{
    unsigned value = 0;

    e->odd = lane % 2;
    for (unsigned n = 0; n < s->i->src_count; n++) {
        IsaOperand o = source_operand(s, n);
        unsigned element[3];
        unsigned count = elements_of(s, n, lane, element);

        for (unsigned k = 0; k < count; k++) {
            IsaValue v = source(s, &o, element[k]);

            if (s->i->row->types == 'P') {
                e->plane[value++] = v.bits;
                e->src[n].type = v.type;
            } else if (k) {
                e->next[n] = v.number;
            } else {
                e->src[n] = v;
            }
        }
    }
}

static bool takes_elements(const IsaRow *row)
{
    return row->types == 's' || row->types == 'P';
}

static IsaElement element_of(const Step *s, unsigned lane)
{
    IsaElement e = {
        .instruction = s->i,
        .type = s->i->dst_count ? type_of(s, &s->i->dst[0]) : 0,
        .cr0 = s->cr0,
    };

    if (takes_elements(s->i->row)) {
        take_elements(s, lane, &e);
    }
    for (unsigned n = 0; n < s->i->src_count; n++) {
        const IsaOperand *o = &s->i->src[n];

        if (o->class == ISA_PREDICATE || takes_elements(s->i->row)) {
            continue;
        }
        if (is_read(s, n, lane)) {
            e.src[n] = source(s, o, lane);
        } else {
            e.src[n].type = element_type(type_of(s, o));
        }
    }
    if (s->i->dst_count && is_null(&s->i->dst[0])) {
        e.type = e.src[0].type;
    }
    return e;
}

static void write_at(const Step *s, int place, uint64_t bits, unsigned bytes)
{
    store(s->thread->registers + place, bits, bytes);
}

static void write_lane(const Step *s, const IsaOperand *o, unsigned lane,
                       uint64_t bits)
{
    if (!is_null(o)) {
        write_at(s, destination_place(s, o, lane), bits,
                 isa_type_bytes(type_of(s, o)));
    }
}

static void note_other(const Step *s, unsigned lane, uint64_t bits)
{
    const IsaOperand *o = &s->i->dst[0];

    if (!is_null(o)) {
        s->thread->others[s->thread->other_count++] = (IsaOther){
            .at = destination_place(s, o, lane),
            .bytes = isa_type_bytes(type_of(s, o)),
            .bits = bits,
        };
    }
}

static bool saturates(const Step *s)
{
    return s->i->dst[0].modifier == ISA_SAT;
}

static uint64_t finish_float(const Step *s, uint8_t type, mpfr_srcptr x,
                             mpfr_rnd_t mode)
{
    uint64_t bits = isa_real_put(type, x, mode,
                                 isa_keeps_subnormal(s->cr0, type));

    return saturates(s) ? isa_real_saturate(type, bits) : bits;
}

static uint64_t finish_integer(const Step *s, uint8_t type, IsaWide n)
{
    return saturates(s) ? isa_clamp(type, n) : n;
}

/*
 * A function rounds to the nearest or, close to a tie, to the other neighbour.
 */
static void function_lane(const Step *s, unsigned lane, uint8_t type,
                          mpfr_srcptr x)
{
    uint64_t nearest = finish_float(s, type, x, MPFR_RNDN);
    uint64_t down = finish_float(s, type, x, MPFR_RNDD);

    write_lane(s, &s->i->dst[0], lane, nearest);
    if (isa_real_is_near_tie(type, x)) {
        note_other(s, lane,
                   down == nearest ? finish_float(s, type, x, MPFR_RNDU) :
                                     down);
    }
}

static bool is_nan_infinity_or_zero(uint8_t type, uint64_t bits)
{
    bool is;
    mpfr_t x;

    mpfr_init2(x, 64);
    isa_real_get(x, type, bits);
    is = !mpfr_regular_p(x);
    mpfr_clear(x);
    return is;
}

static void float_lane(const Step *s, const IsaElement *e, unsigned lane)
{
    IsaRounding rounding = s->i->row->rounding;
    mpfr_rnd_t mode = rounding == ISA_ROUND_CR0 ? isa_rounding(s->cr0) :
                                                  MPFR_RNDN;
    mpfr_t x;

    mpfr_init2(x, ISA_LONG_BITS);
    s->i->row->real(e, x);
    if (rounding == ISA_ROUND_NEARLY) {
        function_lane(s, lane, e->type, x);
    } else {
        write_lane(s, &s->i->dst[0], lane, finish_float(s, e->type, x, mode));
    }
    if (s->i->dst_count == 2) {
        s->seconds[lane] = is_nan_infinity_or_zero(
            e->type, finish_float(s, e->type, x, MPFR_RNDN));
    }
    mpfr_clear(x);
}

static void float_to_integer_lane(const Step *s, const IsaElement *e,
                                  unsigned lane)
{
    mpfr_t x;

    mpfr_init2(x, ISA_LONG_BITS);
    isa_source(e, 0, x);
    write_lane(s, &s->i->dst[0], lane, isa_real_to_integer(e->type, x, s->cr0));
    mpfr_clear(x);
}

static void integer_to_float_lane(const Step *s, const IsaElement *e,
                                  unsigned lane)
{
    mpfr_t x;

    mpfr_init2(x, ISA_LONG_BITS);
    isa_integer_to_real(e->src[0].number, x);
    write_lane(s, &s->i->dst[0], lane,
               finish_float(s, e->type, x, isa_rounding(s->cr0)));
    mpfr_clear(x);
}

static void set_predicate(const Step *s, const IsaOperand *o, unsigned lane,
                          bool value)
{
    uint32_t bit = UINT32_C(1) << (lane + s->i->mask_offset);
    uint32_t *predicate = &s->thread->predicates[(o->id & 0xfff) - 1];

    *predicate = value ? *predicate | bit : *predicate & ~bit;
}

/*
 * The second destination is named, except that of madw, which follows the
 * first.
 */
static void write_second(const Step *s, unsigned lane, IsaWide second)
{
    unsigned grf = s->before->program->header.grf_bytes;
    unsigned apart = (4 * s->i->lanes + grf - 1) / grf * grf;

    if (s->i->dst_count == 2 && s->i->dst[1].class == ISA_PREDICATE) {
        set_predicate(s, &s->i->dst[1], lane, second);
    } else if (s->i->dst_count == 2) {
        write_lane(s, &s->i->dst[1], lane, second);
    } else if (s->i->row->integer == isa_madw && !is_null(&s->i->dst[0])) {
        write_at(s, destination_place(s, &s->i->dst[0], lane) + apart, second,
                 4);
    }
}

static void integer_lane(const Step *s, const IsaElement *e, unsigned lane)
{
    IsaWide n = s->i->row->integer(e, &s->seconds[lane]);

    write_lane(s, &s->i->dst[0], lane, finish_integer(s, e->type, n));
}

/* mov and sel between equal types keep bits. */
static bool keeps_bits(const Step *s, const IsaElement *e, unsigned source)
{
    return !saturates(s) && !s->i->src[source].modifier &&
           e->src[source].type == e->type;
}

/* Performs mov, and sel with the chosen source. */
static void copy_lane(const Step *s, IsaElement *e, unsigned lane,
                      unsigned chosen)
{
    if (keeps_bits(s, e, chosen)) {
        write_lane(s, &s->i->dst[0], lane, e->src[chosen].raw);
        return;
    }
    e->src[0] = e->src[chosen];
    if (isa_is_float(e->src[0].type)) {
        (isa_is_float(e->type) ? float_lane : float_to_integer_lane)(s, e,
                                                                     lane);
    } else {
        (isa_is_float(e->type) ? integer_to_float_lane : integer_lane)(s, e,
                                                                       lane);
    }
}

static void mov_predicate_lane(const Step *s, unsigned lane)
{
    unsigned id = s->i->src[0].id & 0xfff;
    unsigned bits = s->before->program->predicates[id - 1].bits;
    uint32_t inverse = s->i->src[0].id >> 15 ? UINT32_MAX : 0;
    uint32_t value = (s->before->predicates[id - 1] ^ inverse) & low_bits(bits);

    write_lane(s, &s->i->dst[0], lane,
               finish_integer(s, type_of(s, &s->i->dst[0]), value));
}

static bool compare(const IsaElement *e)
{
    int order;

    if (isa_is_float(e->src[0].type)) {
        mpfr_t a, b;
        bool unordered;

        mpfr_inits2(64, a, b, (mpfr_ptr)NULL);
        isa_source(e, 0, a);
        isa_source(e, 1, b);
        unordered = mpfr_unordered_p(a, b);
        order = unordered ? 0 : mpfr_cmp(a, b);
        mpfr_clears(a, b, (mpfr_ptr)NULL);
        if (unordered) {
            return e->instruction->number == 1;
        }
    } else {
        order = (e->src[0].number > e->src[1].number) -
                (e->src[0].number < e->src[1].number);
    }
    switch (e->instruction->number) {
    case 0:
        return order == 0;
    case 1:
        return order != 0;
    case 2:
        return order > 0;
    case 3:
        return order >= 0;
    case 4:
        return order < 0;
    default:
        return order <= 0;
    }
}

static void cmp_lane(const Step *s, const IsaElement *e, unsigned lane)
{
    const IsaOperand *o = &s->i->dst[0];

    if (o->class == ISA_PREDICATE) {
        set_predicate(s, o, lane, compare(e));
    } else {
        write_lane(s, o, lane, compare(e) ? UINT64_MAX : 0);
    }
}

static bool predicate_bit(const Step *s, const IsaOperand *o, unsigned lane)
{
    uint32_t bits = s->before->predicates[(o->id & 0xfff) - 1];

    return (bits >> (lane + s->i->mask_offset) & 1) ^ o->id >> 15;
}

/* Performs and, or and xor; on predicates, on one bit each. */
static void logic_lane(const Step *s, unsigned lane)
{
    IsaElement e = { .instruction = s->i };

    for (unsigned n = 0; n < s->i->src_count; n++) {
        e.src[n].number = predicate_bit(s, &s->i->src[n], lane);
    }
    set_predicate(s, &s->i->dst[0], lane, s->i->row->integer(&e, NULL) & 1);
}

/* Returns true if all lanes use the same element. */
static bool is_scalar(const IsaOperand *o)
{
    unsigned v = o->region & 15, w = o->region >> 4 & 15, h = o->region >> 8;

    if (o->class == ISA_IMMEDIATE) {
        return o->type != VEU_TYPE_V && o->type != VEU_TYPE_UV;
    }
    return is_null(o) || (v == 1 && (w == 2 || h == 1));
}

static void setp(const Step *s)
{
    const IsaOperand *o = &s->i->src[0];
    bool scalar = is_scalar(o);

    for (unsigned lane = 0; lane < s->i->lanes; lane++) {
        if (scalar) {
            uint32_t bits = source(s, o, 0).number;

            set_predicate(s, &s->i->dst[0], lane, bits >> lane & 1);
        } else if (s->active >> lane & 1) {
            set_predicate(s, &s->i->dst[0], lane,
                          source(s, o, lane).number & 1);
        }
    }
}

static void addr_add_lane(const Step *s, unsigned lane)
{
    const IsaOperand *a = &s->i->src[0];
    uint16_t base =
        a->class == ISA_ADDRESS ?
            s->before->addresses[address_index(s, a) + lane % (1u << a->row)] :
            origin(s, a, 0, false);

    s->thread->addresses[address_index(s, &s->i->dst[0]) + lane] =
        base + (uint16_t)source(s, &s->i->src[1], lane).number;
}

static unsigned state_index(const Step *s, const IsaOperand *o)
{
    unsigned surfaces = 0;

    while (surfaces < s->before->program->state_count &&
           s->before->program->states[surfaces].kind == VEU_STATE_SURFACE) {
        surfaces++;
    }
    return o->type ? surfaces + o->id : o->id - VEU_FIRST_SURFACE;
}

/* A state takes the value of the first active lane, the only one that reads. */
static void movs(const Step *s)
{
    const IsaOperand *from = &s->i->src[0], *to = &s->i->dst[0];
    bool done = false;

    for (unsigned lane = 0; lane < s->i->lanes && !done; lane++) {
        uint32_t value;

        if (!(s->active >> lane & 1)) {
            continue;
        }
        value = from->class == ISA_STATE ?
                    s->before->states[state_index(s, from)] :
                    (uint32_t)source(s, from, lane).number;
        if (to->class != ISA_STATE) {
            write_lane(s, to, lane, value);
        } else {
            s->thread->states[state_index(s, to)] = value;
            done = true;
        }
    }
}

static void do_lane(const Step *s, unsigned lane, bool chosen)
{
    const IsaRow *row = s->i->row;
    IsaElement e;

    if (s->i->src[0].class == ISA_PREDICATE) {
        (row->types == 'v' ? mov_predicate_lane : logic_lane)(s, lane);
        return;
    }
    if (row->opcode == 0x28) {
        addr_add_lane(s, lane);
        return;
    }
    e = element_of(s, lane);
    if (row->opcode == 0x29) {
        copy_lane(s, &e, lane, 0);
    } else if (row->opcode == 0x2a) {
        copy_lane(s, &e, lane, chosen ? 0 : 1);
    } else if (row->opcode == 0x2c) {
        cmp_lane(s, &e, lane);
    } else if (row->bits) {
        write_lane(s, &s->i->dst[0], lane, row->bits(&e));
    } else if (row->real && isa_is_float(e.src[0].type)) {
        float_lane(s, &e, lane);
    } else {
        integer_lane(s, &e, lane);
    }
}

/*
 * Sets %tsc and %ce0 to their values while an operand is read that may name
 * them.
 */
static void update_clock(IsaThread *t, const IsaInstruction *i,
                         uint32_t running)
{
    const struct veu_variable *tsc = isa_variable(t->program,
                                                  VEU_PREDEFINED_TSC);
    const struct veu_variable *ce0 = isa_variable(t->program,
                                                  VEU_PREDEFINED_CE0);

    for (unsigned n = 0; n < i->src_count && tsc && ce0; n++) {
        const IsaOperand *o = &i->src[n];

        if (o->class == ISA_INDIRECT ||
            (o->class == ISA_GENERAL &&
             (o->id == VEU_PREDEFINED_CE0 || o->id == VEU_PREDEFINED_TSC))) {
            store(t->registers + tsc->offset, t->work, 8);
            store(t->registers + ce0->offset, running, 4);
        }
    }
}

static uint32_t read_cr0(const IsaThread *t)
{
    const struct veu_variable *v = isa_variable(t->program, VEU_PREDEFINED_CR0);

    return v ? load(t->registers + v->offset, 4) : 0;
}

static bool has_work(const IsaInstruction *i)
{
    return i->dst_count && strcmp(i->row->name, "faddr");
}

static bool perform(Step *s)
{
    uint32_t chosen = predicate_lanes(s->before, s->i);

    if (s->i->row->opcode == 0x2b && is_scalar(&s->i->src[0])) {
        s->active = low_bits(s->i->lanes);
    }
    if (!operands_are_in_bounds(s)) {
        return false;
    }
    if (s->i->row->opcode == 0x2b) {
        setp(s);
        return true;
    }
    if (s->i->row->opcode == 0x2d) {
        movs(s);
        return true;
    }
    for (unsigned lane = 0; lane < s->i->lanes; lane++) {
        if (s->active >> lane & 1) {
            do_lane(s, lane, chosen >> lane & 1);
        }
    }
    for (unsigned lane = 0; lane < s->i->lanes; lane++) {
        if (s->active >> lane & 1) {
            write_second(s, lane, s->seconds[lane]);
        }
    }
    return true;
}

uint64_t isa_scalar(const IsaThread *t, const IsaInstruction *i, unsigned n)
{
    Step s = { .before = t, .i = i };

    return raw_source(&s, &i->src[n], 0).raw;
}

/* Returns the offset of a function in the code. */
static void faddr(IsaThread *t, const IsaInstruction *i)
{
    Step s = { .thread = t, .before = t, .i = i };

    write_lane(&s, &i->dst[0], 0, t->program->functions[i->number].offset);
}

bool isa_execute(IsaThread *t, const IsaInstruction *i, uint32_t running)
{
    static _Thread_local IsaThread before;
    IsaWide seconds[ISA_MAX_LANES] = { 0 };
    Step s = { .thread = t, .before = &before, .i = i, .seconds = seconds };

    t->other_count = 0;
    if (i->row == &isa_message_row) {
        return isa_execute_message(t, i, running);
    }
    if (!strcmp(i->row->name, "faddr")) {
        faddr(t, i);
    }
    if (!has_work(i)) {
        return true;
    }
    update_clock(t, i, running);
    before = *t;
    s.cr0 = read_cr0(t);
    s.active = i->row->opcode == 0x2a ? enabled_lanes(i, running) :
                                        isa_predicated(t, i, running);
    return perform(&s);
}

void isa_adopt(IsaThread *t, const uint8_t *registers)
{
    for (unsigned n = 0; n < t->other_count; n++) {
        const IsaOther *o = &t->others[n];

        if (load(registers + o->at, o->bytes) == o->bits) {
            store(t->registers + o->at, o->bits, o->bytes);
        }
    }
}
