/*
 * veu tests: a second implementation of the rules for legal programs of
 * instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stddef.h>
#include <string.h>
#include "tests/lib/isa_check.h"

bool isa_refuse(IsaChecker *c, uint16_t code, uint32_t detail)
{
    IsaRefusal *r = c->refusal;

    if (r->count < ISA_MAX_REASONS) {
        r->reasons[r->count++] = (IsaReason){ code, detail };
    }
    return false;
}

bool isa_refusal_has(const IsaRefusal *r, uint16_t code, uint32_t detail)
{
    for (unsigned n = 0; n < r->count; n++) {
        if (r->reasons[n].code == code &&
            (r->reasons[n].detail == detail ||
             r->reasons[n].detail == ISA_ANY_DETAIL)) {
            return true;
        }
    }
    return false;
}

unsigned isa_entry_count(const IsaChecker *c, unsigned type, unsigned bytes)
{
    return c->sections[type].bytes / bytes;
}

const void *isa_entry(const IsaChecker *c, unsigned type, unsigned index,
                      unsigned bytes)
{
    return index < isa_entry_count(c, type, bytes) ?
               c->program + c->sections[type].offset + index * bytes :
               NULL;
}

static bool bad(IsaChecker *c, uint32_t at)
{
    return isa_refuse(c, VEU_FAULT_PROGRAM_FIELD, at);
}

#define HEADER(field)  offsetof(struct veu_program_header, field)
#define SECTION(field) offsetof(struct veu_section, field)

static bool check_header(IsaChecker *c)
{
    const struct veu_program_header *h = &c->header;
    const struct {
        bool ok;
        uint32_t at;
    } rules[] = {
        { h->magic == 0x50554556, HEADER(magic) },
        { h->version == 1, HEADER(version) },
        { h->kind == 1, HEADER(kind) },
        { h->bytes == c->bytes, HEADER(bytes) },
        { h->grf_bytes == 32 || h->grf_bytes == 64, HEADER(grf_bytes) },
        { h->section_count >= 1 && h->section_count <= 8 &&
              32 + 16u * h->section_count <= c->bytes,
          HEADER(section_count) },
        { h->register_bytes <= 65536, HEADER(register_bytes) },
        { !h->reserved[0] && !h->reserved[1], HEADER(reserved) },
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(rules); n++) {
        if (!rules[n].ok) {
            return bad(c, rules[n].at);
        }
    }
    return true;
}

/* The bytes of an entry, and the maximum number of entries, by type. */
static const struct {
    unsigned bytes, most;
} entries[] = {
    { 0, 0 },     { 1, 256 * 1024 }, { 8, 4096 }, { 4, 1024 }, { 4, 256 },
    { 8, 32768 }, { 8, 32 },         { 8, 282 },  { 8, 1024 },
};

static bool check_section(IsaChecker *c, uint32_t at)
{
    struct veu_section s;

    memcpy(&s, c->program + at, sizeof(s));
    if (s.type < 1 || s.type > 8) {
        return bad(c, at + SECTION(type));
    }
    if (s.offset % 4 || s.offset > c->bytes) {
        return bad(c, at + SECTION(offset));
    }
    if (s.bytes > c->bytes - s.offset || s.bytes % entries[s.type].bytes ||
        s.bytes / entries[s.type].bytes > entries[s.type].most) {
        return bad(c, at + SECTION(bytes));
    }
    if (s.reserved) {
        return bad(c, at + SECTION(reserved));
    }
    if (c->sections[s.type].type) {
        return bad(c, at);
    }
    c->sections[s.type] = s;
    return true;
}

static bool check_sections(IsaChecker *c)
{
    for (unsigned n = 0; n < c->header.section_count; n++) {
        if (!check_section(c, 32 + 16 * n)) {
            return false;
        }
    }
    if (!c->sections[VEU_SECTION_CODE].type) {
        return bad(c, HEADER(section_count));
    }
    return c->header.entry <= c->sections[VEU_SECTION_CODE].bytes ||
           bad(c, HEADER(entry));
}

/* Offset, elements and type have the same places in both structures. */
static bool check_variable(IsaChecker *c, const struct veu_variable *v,
                           uint32_t at, bool has_reserved)
{
    uint64_t bytes = (uint64_t)v->elements * isa_type_bytes(v->type);

    if (v->type > 15 || !isa_type_bytes(v->type)) {
        return bad(c, at + 6);
    }
    if (!v->elements) {
        return bad(c, at + 4);
    }
    if (v->offset + bytes > c->header.register_bytes) {
        return bad(c, at);
    }
    return !has_reserved || !v->reserved || bad(c, at + 7);
}

static bool check_predefined(IsaChecker *c, const struct veu_predefined *p,
                             uint32_t at)
{
    struct veu_variable v = { p->offset, p->elements, p->type, 0 };

    if (p->id < 1 || p->id > 31 || c->predefined[p->id].elements) {
        return bad(c, at + 7);
    }
    if (!check_variable(c, &v, at, false)) {
        return false;
    }
    c->predefined[p->id] = v;
    return true;
}

static bool is_zero(const uint8_t *bytes, unsigned count)
{
    while (count && !bytes[count - 1]) {
        count--;
    }
    return !count;
}

static bool check_label(IsaChecker *c, const struct veu_label *label,
                        uint32_t at)
{
    if (label->kind > 1) {
        return bad(c, at + 4);
    }
    return is_zero(label->reserved, 3) || bad(c, at + 5);
}

static bool check_state(IsaChecker *c, const struct veu_state *s, uint32_t at,
                        const struct veu_state *before)
{
    if (s->kind > 1 || (before && before->kind > s->kind)) {
        return bad(c, at + 4);
    }
    c->messages.surface_variables += !s->kind;
    return is_zero(s->reserved, 3) || bad(c, at + 5);
}

static bool check_function(IsaChecker *c, const struct veu_function *f,
                           uint32_t at, const struct veu_function *before)
{
    if (before && before->offset >= f->offset) {
        return bad(c, at);
    }
    return !f->reserved || bad(c, at + 4);
}

/* Checks the bits of a predicate, or the elements of an address variable. */
static bool check_count(IsaChecker *c, const uint16_t *entry, uint32_t at,
                        unsigned most)
{
    if (!entry[0] || entry[0] > most) {
        return bad(c, at);
    }
    return !entry[1] || bad(c, at + 2);
}

static bool check_entry(IsaChecker *c, unsigned type, unsigned n)
{
    unsigned bytes = entries[type].bytes;
    uint32_t at = c->sections[type].offset + n * bytes;
    const void *entry = c->program + at;
    const void *before = n ? c->program + at - bytes : NULL;

    switch (type) {
    case VEU_SECTION_VARIABLES:
        return check_variable(c, entry, at, true);
    case VEU_SECTION_PREDICATES:
        return check_count(c, entry, at, 32);
    case VEU_SECTION_ADDRESSES:
        return check_count(c, entry, at, 16);
    case VEU_SECTION_LABELS:
        return check_label(c, entry, at);
    case VEU_SECTION_PREDEFINED:
        return check_predefined(c, entry, at);
    case VEU_SECTION_STATES:
        return check_state(c, entry, at, before);
    default:
        return check_function(c, entry, at, before);
    }
}

static bool check_entries(IsaChecker *c)
{
    for (unsigned type = VEU_SECTION_VARIABLES; type <= VEU_SECTION_FUNCTIONS;
         type++) {
        unsigned count = isa_entry_count(c, type, entries[type].bytes);

        for (unsigned n = 0; n < count; n++) {
            if (!check_entry(c, type, n)) {
                return false;
            }
        }
        if (type == VEU_SECTION_STATES && c->messages.surface_variables > 250) {
            return bad(c, c->sections[type].offset);
        }
    }
    return true;
}

static void describe_to_messages(IsaChecker *c)
{
    RefProgram *m = &c->messages;

    m->grf_bytes = c->header.grf_bytes;
    m->variables = isa_entry(c, VEU_SECTION_VARIABLES, 0, 8);
    m->variable_count = isa_entry_count(c, VEU_SECTION_VARIABLES, 8);
    m->predicates = isa_entry(c, VEU_SECTION_PREDICATES, 0, 4);
    m->predicate_count = isa_entry_count(c, VEU_SECTION_PREDICATES, 4);
    m->addresses = isa_entry(c, VEU_SECTION_ADDRESSES, 0, 4);
    m->address_count = isa_entry_count(c, VEU_SECTION_ADDRESSES, 4);
    m->predefined = c->predefined;
}

/* A program that is split into instructions, and these into routines. */
typedef struct Graph {
    IsaChecker *c;
    GArray *all;     /* IsaInstruction */
    GArray *routine; /* unsigned, for each instruction */
    unsigned routines;
    bool open; /* the last instruction may proceed to the next one */
    unsigned *label_routine; /* from 1; 0 if not seen */
    unsigned *label_wanted;
} Graph;

static bool is_function(const IsaChecker *c, uint32_t offset)
{
    const struct veu_function *f;

    for (unsigned n = 0;
         (f = isa_entry(c, VEU_SECTION_FUNCTIONS, n, sizeof(*f))); n++) {
        if (f->offset == offset) {
            return true;
        }
    }
    return false;
}

static bool is(const IsaInstruction *i, const char *names)
{
    g_auto(GStrv) list = g_strsplit(names, " ", 0);

    return g_strv_contains((const char *const *)list, i->row->name);
}

/*
 * Remarks for debuggers do not change which instruction precedes a routine's
 * end.
 */
static bool is_remark(const IsaInstruction *i)
{
    return is(i, "file loc lifetime wait yield sampler_cache_flush");
}

static bool flow(Graph *g, uint32_t offset)
{
    return isa_refuse(g->c, VEU_FAULT_PROGRAM_FLOW, offset);
}

static bool label_fault(Graph *g, unsigned label)
{
    return isa_refuse(g->c, VEU_FAULT_PROGRAM_LABEL, label);
}

/* A label has one place, and gotos to it are in its routine. */
static bool check_place(Graph *g, const IsaInstruction *i)
{
    const struct veu_label *label = isa_entry(g->c, VEU_SECTION_LABELS,
                                              i->number, sizeof(*label));
    unsigned routine = g->routines;
    unsigned n = i->number;

    if (is(i, "label subroutine")) {
        if (label->offset != i->offset || label->kind != is(i, "subroutine") ||
            (g->label_wanted[n] && g->label_wanted[n] != routine)) {
            return label_fault(g, n);
        }
        g->label_routine[n] = routine;
    } else if (is(i, "goto jmp")) {
        if ((g->label_routine[n] && g->label_routine[n] != routine) ||
            (g->label_wanted[n] && g->label_wanted[n] != routine)) {
            return label_fault(g, n);
        }
        g->label_wanted[n] = routine;
    }
    return true;
}

/* No earlier instruction proceeds or goes to this one. */
static bool is_dead(const Graph *g, const IsaInstruction *i)
{
    return !g->open && i->offset != g->c->header.entry &&
           !(is(i, "label") && g->label_wanted[i->number]);
}

static bool add_to_graph(Graph *g, const IsaInstruction *i)
{
    bool starts = !g->all->len || is_function(g->c, i->offset) ||
                  is(i, "subroutine");

    if (starts && g->open) {
        return flow(g, i->offset);
    }
    g->routines += starts;
    g->open = starts || g->open;
    if (!check_place(g, i)) {
        return false;
    }
    if (!is_remark(i) && !is_dead(g, i)) {
        g->open = i->predicate || !is(i, "goto jmp ret fret");
    }
    g_array_append_vals(g->all, i, 1);
    g_array_append_val(g->routine, g->routines);
    return true;
}

/* Returns the routine that starts at a place of the code. */
static unsigned routine_at(const Graph *g, uint32_t offset)
{
    for (unsigned n = 0; n < g->all->len; n++) {
        if (g_array_index(g->all, IsaInstruction, n).offset == offset) {
            return g_array_index(g->routine, unsigned, n);
        }
    }
    return 0;
}

static uint32_t callee_offset(const Graph *g, const IsaInstruction *i)
{
    if (is(i, "call")) {
        const struct veu_label *l = isa_entry(g->c, VEU_SECTION_LABELS,
                                              i->number, sizeof(*l));
        return l->offset;
    }
    return ((const struct veu_function *)isa_entry(g->c, VEU_SECTION_FUNCTIONS,
                                                   i->number,
                                                   sizeof(struct veu_function)))
        ->offset;
}

/*
 * Returns true if @routine calls itself; @seen are the routines being followed.
 */
static bool recurs(const Graph *g, unsigned routine, unsigned depth)
{
    if (depth > g->routines) {
        return true;
    }
    for (unsigned n = 0; n < g->all->len; n++) {
        const IsaInstruction *i = &g_array_index(g->all, IsaInstruction, n);

        if (g_array_index(g->routine, unsigned, n) == routine &&
            is(i, "call fcall") &&
            recurs(g, routine_at(g, callee_offset(g, i)), depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool check_end(Graph *g)
{
    IsaChecker *c = g->c;
    const struct veu_function *f;
    unsigned labels = isa_entry_count(c, VEU_SECTION_LABELS,
                                      sizeof(struct veu_label));

    for (unsigned n = 0; n < labels; n++) {
        if (!g->label_routine[n]) {
            return label_fault(g, n);
        }
    }
    for (unsigned n = 0;
         (f = isa_entry(c, VEU_SECTION_FUNCTIONS, n, sizeof(*f))); n++) {
        if (!routine_at(g, f->offset)) {
            return flow(g, f->offset);
        }
    }
    if (g->open) {
        return flow(g, c->sections[VEU_SECTION_CODE].bytes);
    }
    for (unsigned n = 1; n <= g->routines; n++) {
        if (recurs(g, n, 1)) {
            return flow(g, ISA_ANY_DETAIL);
        }
    }
    return true;
}

static bool check_code(Graph *g)
{
    IsaChecker *c = g->c;
    const uint8_t *code = c->program + c->sections[VEU_SECTION_CODE].offset;
    uint32_t bytes = c->sections[VEU_SECTION_CODE].bytes;
    bool entered = false;

    for (uint32_t at = 0; at < bytes;) {
        IsaInstruction i;

        c->refusal->offset = at;
        entered |= at == c->header.entry;
        if (!isa_check_instruction(c, code + at, bytes - at, &i)) {
            return false;
        }
        i.offset = at;
        if (!add_to_graph(g, &i)) {
            return false;
        }
        at += i.bytes;
    }
    c->refusal->offset = VEU_FAULT_NOT_APPLICABLE;
    return entered ? check_end(g) : bad(c, HEADER(entry));
}

static bool check_graph(IsaChecker *c)
{
    unsigned labels = isa_entry_count(c, VEU_SECTION_LABELS,
                                      sizeof(struct veu_label));
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(IsaInstruction));
    g_autoptr(GArray) routine = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_autofree unsigned *label_routine = g_new0(unsigned, labels + 1);
    g_autofree unsigned *label_wanted = g_new0(unsigned, labels + 1);
    Graph g = {
        .c = c,
        .all = all,
        .routine = routine,
        .label_routine = label_routine,
        .label_wanted = label_wanted,
    };

    return check_code(&g);
}

bool isa_check(const uint8_t *program, uint32_t bytes, IsaRefusal *refusal)
{
    IsaChecker c = { .program = program, .bytes = bytes, .refusal = refusal };

    *refusal = (IsaRefusal){ .offset = VEU_FAULT_NOT_APPLICABLE };
    if (bytes < sizeof(c.header)) {
        return bad(&c, HEADER(bytes));
    }
    memcpy(&c.header, program, sizeof(c.header));
    if (!check_header(&c) || !check_sections(&c) || !check_entries(&c)) {
        return false;
    }
    describe_to_messages(&c);
    return check_graph(&c);
}
