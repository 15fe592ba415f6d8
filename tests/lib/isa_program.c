/*
 * veu tests: a second reader of programs of kind 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sections: docs/spec.md, 7 and 17.1; bytes of instructions: the Format
 * sections of the vendor's pages, operands: its page 5.
 */
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include "tests/lib/isa.h"

/* The unread bytes of the code. */
typedef struct Reader {
    const uint8_t *at;
} Reader;

static uint64_t read_bytes(Reader *r, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)*r->at++ << 8 * i;
    }
    return value;
}

static IsaOperand read_operand(Reader *r)
{
    uint8_t tag = read_bytes(r, 1);
    IsaOperand o = { .class = tag & 7, .modifier = tag >> 3 & 7 };

    switch (o.class) {
    case ISA_GENERAL:
        o.id = read_bytes(r, 4);
        o.row = read_bytes(r, 1);
        o.column = read_bytes(r, 1);
        o.region = read_bytes(r, 2);
        break;
    case ISA_ADDRESS:
        o.id = read_bytes(r, 2);
        o.column = read_bytes(r, 1);
        o.row = read_bytes(r, 1);
        break;
    case ISA_PREDICATE:
        o.id = read_bytes(r, 2);
        break;
    case ISA_INDIRECT:
        o.id = read_bytes(r, 2);
        o.column = read_bytes(r, 1);
        o.add = read_bytes(r, 2);
        o.type = read_bytes(r, 1) & 15;
        o.region = read_bytes(r, 2);
        break;
    case ISA_IMMEDIATE:
        o.type = read_bytes(r, 1) & 15;
        o.immediate = read_bytes(r, isa_type_bytes(o.type) == 8 ? 8 : 4);
        break;
    default:
        g_assert_cmpuint(o.class, ==, ISA_STATE);
        o.type = read_bytes(r, 1);
        o.id = read_bytes(r, 2);
        o.column = read_bytes(r, 1);
    }
    return o;
}

static void read_size(Reader *r, IsaInstruction *i)
{
    uint8_t size = read_bytes(r, 1);

    i->lanes = 1u << (size & 7);
    i->mask_offset = 4 * (size >> 4 & 7);
    i->no_mask = size >> 7;
}

static void read_field(Reader *r, IsaInstruction *i, char field)
{
    static const char letters[] = "blfu";
    static const uint8_t bytes[] = { 1, 2, 2, 4 };
    const char *number = strchr(letters, field);

    if (number) {
        i->number = read_bytes(r, bytes[number - letters]);
    } else if (field == 'e') {
        read_size(r, i);
    } else if (field == 'p') {
        i->predicate = read_bytes(r, 2);
    } else if (field == 'd') {
        i->dst[i->dst_count++] = read_operand(r);
    } else if (field == 's') {
        i->src[i->src_count++] = read_operand(r);
    } else if (field == 'B') {
        read_bytes(r, 1);
    } else {
        read_operand(r);
    }
}

static IsaInstruction read_instruction(const uint8_t *code, uint32_t offset)
{
    Reader r = { .at = code + offset };
    IsaInstruction i = {
        .row = isa_row(read_bytes(&r, 1)),
        .offset = offset,
        .lanes = 1,
        .no_mask = true,
    };

    for (const char *f = i.row ? i.row->fields : ""; *f; f++) {
        read_field(&r, &i, *f);
    }
    i.bytes = r.at - code - offset;
    return i;
}

/* An opcode that is in no table may be that of a message. */
static void read_message(IsaProgram *p, const uint8_t *code, uint32_t bytes,
                         IsaInstruction *i)
{
    RefFault fault;

    if (ref_decode(&p->messages, code + i->offset, bytes - i->offset,
                   &i->message, &fault)) {
        i->row = &isa_message_row;
        i->bytes = i->message.bytes;
        p->has_messages = true;
    }
}

/* Returns false if an instruction is missing in the model. */
static bool read_code(IsaProgram *p, const uint8_t *code, uint32_t bytes)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(IsaInstruction));
    bool known = true;

    for (uint32_t at = 0; at < bytes && known;) {
        IsaInstruction i = read_instruction(code, at);

        if (!i.row) {
            read_message(p, code, bytes, &i);
        }
        g_array_append_val(all, i);
        at += i.bytes;
        known = i.row;
    }
    p->count = all->len;
    p->instructions = (IsaInstruction *)g_array_free(all, FALSE);
    return known;
}

static void read_predefined(IsaProgram *p, const uint8_t *from, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += sizeof(struct veu_predefined)) {
        struct veu_predefined one;

        memcpy(&one, from + at, sizeof(one));
        p->predefined[one.id] = (struct veu_variable){
            .offset = one.offset,
            .elements = one.elements,
            .type = one.type,
        };
    }
}

static void read_section(IsaProgram *p, const uint8_t *bytes,
                         const struct veu_section *s)
{
    const void *from = bytes + s->offset;

    switch (s->type) {
    case VEU_SECTION_VARIABLES:
        p->variables = from;
        p->variable_count = s->bytes / sizeof(p->variables[0]);
        break;
    case VEU_SECTION_PREDICATES:
        p->predicates = from;
        p->predicate_count = s->bytes / sizeof(p->predicates[0]);
        break;
    case VEU_SECTION_ADDRESSES:
        p->addresses = from;
        p->address_count = s->bytes / sizeof(p->addresses[0]);
        break;
    case VEU_SECTION_LABELS:
        p->labels = from;
        break;
    case VEU_SECTION_PREDEFINED:
        read_predefined(p, from, s->bytes);
        break;
    case VEU_SECTION_STATES:
        p->states = from;
        p->state_count = s->bytes / sizeof(p->states[0]);
        break;
    case VEU_SECTION_FUNCTIONS:
        p->functions = from;
        p->function_count = s->bytes / sizeof(p->functions[0]);
        break;
    }
}

static bool read_code_section(IsaProgram *p, const uint8_t *bytes,
                              const struct veu_section *sections)
{
    unsigned i = 0;

    while (sections[i].type != VEU_SECTION_CODE) {
        i++;
    }
    return read_code(p, bytes + sections[i].offset, sections[i].bytes);
}

static unsigned count_surfaces(const IsaProgram *p)
{
    unsigned count = 0;

    for (unsigned n = 0; n < p->state_count; n++) {
        count += p->states[n].kind == VEU_STATE_SURFACE;
    }
    return count;
}

static void describe_to_messages(IsaProgram *p)
{
    p->messages = (RefProgram){
        .grf_bytes = p->header.grf_bytes,
        .variable_count = p->variable_count,
        .variables = p->variables,
        .predicate_count = p->predicate_count,
        .predicates = p->predicates,
        .address_count = p->address_count,
        .addresses = p->addresses,
        .predefined = p->predefined,
        .surface_variables = count_surfaces(p),
    };
}

IsaProgram *isa_program_new(const uint8_t *bytes)
{
    IsaProgram *p = g_new0(IsaProgram, 1);
    const struct veu_section *sections;

    memcpy(&p->header, bytes, sizeof(p->header));
    g_assert_cmpuint(p->header.register_bytes, <=, ISA_MAX_REGISTERS);
    sections = (const void *)(bytes + sizeof(p->header));
    for (unsigned i = 0; i < p->header.section_count; i++) {
        read_section(p, bytes, &sections[i]);
    }
    describe_to_messages(p);
    if (!read_code_section(p, bytes, sections)) {
        isa_program_free(p);
        return NULL;
    }
    p->entry = isa_at(p, p->header.entry);
    return p;
}

void isa_program_free(IsaProgram *p)
{
    g_free(p->instructions);
    g_free(p);
}

unsigned isa_at(const IsaProgram *p, uint32_t offset)
{
    unsigned i = 0;

    while (p->instructions[i].offset != offset) {
        i++;
        g_assert_cmpuint(i, <, p->count);
    }
    return i;
}

const struct veu_variable *isa_variable(const IsaProgram *p, uint32_t id)
{
    if (id < VEU_FIRST_VARIABLE) {
        return p->predefined[id].elements ? &p->predefined[id] : NULL;
    }
    id -= VEU_FIRST_VARIABLE;
    return id < p->variable_count ? &p->variables[id] : NULL;
}

unsigned isa_type_bytes(uint8_t type)
{
    static const uint8_t bytes[16] = {
        [VEU_TYPE_UD] = 4, [VEU_TYPE_D] = 4,  [VEU_TYPE_UW] = 2,
        [VEU_TYPE_W] = 2,  [VEU_TYPE_UB] = 1, [VEU_TYPE_B] = 1,
        [VEU_TYPE_DF] = 8, [VEU_TYPE_F] = 4,  [VEU_TYPE_UQ] = 8,
        [VEU_TYPE_Q] = 8,  [VEU_TYPE_HF] = 2, [VEU_TYPE_BF] = 2,
    };

    return bytes[type & 15];
}

bool isa_is_float(uint8_t type)
{
    return type == VEU_TYPE_HF || type == VEU_TYPE_F || type == VEU_TYPE_DF ||
           type == VEU_TYPE_BF;
}

static void describe_operand(GString *text, const IsaOperand *o)
{
    static const char *const types[] = { "ud", "d", "uw", "w",  "ub", "b",
                                         "df", "f", "v",  "vf", "?",  "uq",
                                         "uv", "q", "hf", "bf" };
    static const char *const modifiers[] = { "",     "(abs)", "(-)", "(-abs)",
                                             ".sat", "(~)",   "?",   "?" };

    g_string_append_printf(text, " %s", modifiers[o->modifier]);
    if (o->class == ISA_IMMEDIATE) {
        g_string_append_printf(text, "0x%" PRIx64 ":%s", o->immediate,
                               types[o->type]);
    } else if (o->class == ISA_GENERAL) {
        g_string_append_printf(text, "V%u(%u,%u)<%03x>", o->id, o->row,
                               o->column, o->region);
    } else if (o->class == ISA_INDIRECT) {
        g_string_append_printf(text, "r[A%u(%u),%d]<%03x>:%s", o->id, o->column,
                               o->add, o->region, types[o->type]);
    } else {
        g_string_append_printf(text, "%c%u(%u)w%u", "?AP???T"[o->class],
                               o -> id, o -> column, o -> row);
    }
}

char *isa_describe(const IsaInstruction *i)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "%04x: (pred %04x) %s.%x (M+%u%s, %u)",
                           i->offset, i->predicate, i->row->name, i->number,
                           i->mask_offset, i->no_mask ? "_NM" : "", i->lanes);
    for (unsigned n = 0; n < i->dst_count; n++) {
        describe_operand(text, &i->dst[n]);
    }
    for (unsigned n = 0; n < i->src_count; n++) {
        describe_operand(text, &i->src[n]);
    }
    return g_string_free(text, FALSE);
}
