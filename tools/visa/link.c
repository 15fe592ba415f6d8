/*
 * veu tools: linking a kernel and the functions that it calls to one routine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "tools/visa/instruction.h"
#include "tools/visa/link.h"
#include "tools/visa/message_text.h"

#define NOWHERE     UINT32_MAX
/*
 * The size of the smallest register, bytes; and the most aliases of aliases
 * that are followed.
 */
#define REGISTER    32
#define ALIASES_MAX 8

typedef struct Linker {
    VisaLinked *linked;
    const VisaObject *object;
    GHashTable *addresses;     /* uint64_t by name, or NULL */
    const VisaRoutine *from;   /* the routine being added */
    uint32_t base[VISA_KINDS]; /* offsets of its ids in the linked tables */
    uint32_t at;               /* offset of the instruction in its code */
    VisaError *error;
} Linker;

/* Reports an error of the instruction, with its line or its offset. */
static bool bad(Linker *l, const char *name, const char *what)
{
    VisaPlace place = visa_place_of(l->from, l->at);

    if (place.line) {
        return visa_error_at(l->error, place, "%s: %s", name, what);
    }
    return visa_error(l->error, "%s '%.40s', instruction at 0x%04x: %s: %s",
                      l->from->function ? "function" : "kernel", l->from->name,
                      l->at, name, what);
}

/* --- Ids ----------------------------------------------------------------- */

static void link_variable(Linker *l, uint32_t *id)
{
    if (*id < VEU_FIRST_VARIABLE) {
        l->linked->predefined[*id] = true;
    } else {
        *id += l->base[VISA_VARIABLE];
    }
}

/* Links the id of a surface or sampler, below @most. */
static bool link_state(Linker *l, const char *name, VisaKind kind,
                       uint32_t most, uint32_t *id)
{
    if (kind == VISA_SURFACE && *id < VEU_FIRST_SURFACE) {
        return true;
    }
    *id += l->base[kind];
    return *id < most || bad(l, name, "the program has too many surfaces");
}

/* Links a control word, whose low 12 bits are the id; 0 is none. */
static bool link_predicate(Linker *l, const char *name, uint32_t *word)
{
    uint32_t id = *word & 0xfff;

    if (!id) {
        return true;
    }
    *word += l->base[VISA_PREDICATE];
    return id + l->base[VISA_PREDICATE] <= 0xfff ||
           bad(l, name, "the program has too many predicates");
}

static bool link_vector(Linker *l, const char *name, VeuEncodedVector *v)
{
    switch (v->class) {
    case VEU_OPERAND_GENERAL:
        link_variable(l, &v->id);
        return true;
    case VEU_OPERAND_ADDRESS:
    case VEU_OPERAND_INDIRECT:
        v->id += l->base[VISA_ADDRESS];
        return true;
    case VEU_OPERAND_PREDICATE:
        return link_predicate(l, name, &v->id);
    case VEU_OPERAND_STATE:
        return link_state(l, name, v->type ? VISA_SAMPLER : VISA_SURFACE,
                          UINT16_MAX, &v->id);
    default:
        return true;
    }
}

/* --- Functions ----------------------------------------------------------- */

/* The index of the function with this name, or -1. */
static int find_function(const VisaObject *object, const char *name)
{
    int index = 0;

    for (unsigned i = 0; i < object->routines->len; i++) {
        const VisaRoutine *r = g_ptr_array_index(object->routines, i);

        if (r->function && !strcmp(r->name, name)) {
            return index;
        }
        index += r->function;
    }
    return -1;
}

/* Replaces the index of a string by that of a function. */
static bool link_function(Linker *l, const char *mnemonic, uint32_t *number)
{
    const GPtrArray *strings = l->from->strings;
    const char *name = *number < strings->len ?
                           g_ptr_array_index(strings, *number) :
                           "";
    int index = find_function(l->object, name);
    g_autofree char *what = NULL;

    *number = index;
    what = g_strdup_printf("there is no function '%.40s'", name);
    return index >= 0 || bad(l, mnemonic, what);
}

/* --- Instructions -------------------------------------------------------- */

static void append(Linker *l, const uint8_t *code, uint32_t bytes)
{
    VisaRoutine *to = l->linked->routine;
    VisaLine line = { .code_at = to->code->len,
                      .place = visa_place_of(l->from, l->at) };

    if (line.place.line) {
        g_array_append_val(to->lines, line);
    }
    g_byte_array_append(to->code, code, bytes);
}

static bool link_field(Linker *l, VeuInstructionEncoding *e,
                       VeuInstructionField field)
{
    const VeuInstructionFieldInfo *info = &veu_instruction_fields[field];
    uint32_t *number = &e->field[field].number;

    if (info->kind == VEU_IKIND_VECTOR) {
        return link_vector(l, e->info->mnemonic, &e->field[field].vector);
    }
    switch (info->text) {
    case VEU_ITEXT_PREDICATE:
        return link_predicate(l, e->info->mnemonic, number);
    case VEU_ITEXT_LABEL:
        *number += l->base[VISA_LABEL];
        return *number < l->linked->labels->len ||
               bad(l, e->info->mnemonic, "there is no such label");
    case VEU_ITEXT_FUNCTION:
        return link_function(l, e->info->mnemonic, number);
    default:
        return true;
    }
}

/* Instructions about source files and lifetimes are omitted. */
static bool is_remark(const VeuInstructionInfo *info)
{
    return veu_instruction_has(info, VEU_IFIELD_FILE) ||
           veu_instruction_has(info, VEU_IFIELD_LINE) ||
           veu_instruction_has(info, VEU_IFIELD_LIFETIME);
}

static void add_line(Linker *l, uint32_t line)
{
    VisaSourceLine place = {
        .offset = l->linked->routine->code->len,
        .line = line,
        .file = l->linked->files->len - 1,
    };

    if (l->linked->files->len) {
        g_array_append_val(l->linked->lines, place);
    }
}

/* Compilers write line 0 for code that no source line belongs to. */
static void take_remark(Linker *l, const VeuInstructionEncoding *e)
{
    uint32_t file = e->field[VEU_IFIELD_FILE].number;
    uint32_t line = e->field[VEU_IFIELD_LINE].number;

    if (veu_instruction_has(e->info, VEU_IFIELD_LINE) && line) {
        add_line(l, line);
    } else if (veu_instruction_has(e->info, VEU_IFIELD_FILE) &&
               file < l->from->strings->len) {
        g_ptr_array_add(l->linked->files,
                        g_strdup(g_ptr_array_index(l->from->strings, file)));
    }
}

/* The address of the variable that a faddr names, or NULL. */
static const uint64_t *find_address(const Linker *l,
                                    const VeuInstructionEncoding *e)
{
    const GPtrArray *strings = l->from->strings;
    const char *name = "";
    uint32_t index;

    if (!l->addresses || e->info->opcode != VISA_OPCODE_FADDR) {
        return NULL;
    }
    index = e->field[VEU_IFIELD_FUNCTION].number;
    if (index < strings->len) {
        name = g_ptr_array_index(strings, index);
    }
    return find_function(l->object, name) < 0 ?
               g_hash_table_lookup(l->addresses, name) :
               NULL;
}

/* Replaces faddr by mov (M1_NM, 1) with the address. */
static void link_address(Linker *l, VeuInstructionEncoding *e, uint64_t address)
{
    static const uint8_t opcode = VISA_OPCODE_MOV;
    uint8_t out[VEU_INSTRUCTION_MAX_BYTES];
    VeuInstructionEncoding mov = { .info = veu_instruction_find(&opcode, 1) };

    mov.field[VEU_IFIELD_EXEC_SIZE].number = 0x80;
    mov.field[VEU_IFIELD_DST] = e->field[VEU_IFIELD_DST];
    mov.field[VEU_IFIELD_SRC0].vector = (VeuEncodedVector){
        .class = VEU_OPERAND_IMMEDIATE,
        .type = VEU_TYPE_UQ,
        .immediate = address,
    };
    link_vector(l, mov.info->mnemonic, &mov.field[VEU_IFIELD_DST].vector);
    append(l, out, veu_instruction_write(&mov, out));
}

static uint32_t link_instruction(Linker *l, const VeuInstructionInfo *info,
                                 const uint8_t *code, uint32_t bytes)
{
    VeuInstructionEncoding e;
    uint8_t out[VEU_INSTRUCTION_MAX_BYTES];
    const uint64_t *address;
    VeuFault fault;

    if (info->listed) {
        bad(l, info->mnemonic, "veu does not execute it");
        return 0;
    }
    if (!veu_instruction_parse(info, code, bytes, &e, &fault)) {
        bad(l, info->mnemonic, "its bytes end, or an operand is none");
        return 0;
    }
    if (is_remark(info)) {
        take_remark(l, &e);
        return e.bytes;
    }
    address = find_address(l, &e);
    if (address) {
        link_address(l, &e, *address);
        return e.bytes;
    }
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        if (!link_field(l, &e, *f)) {
            return 0;
        }
    }
    if (info->opcode == VISA_OPCODE_LABEL ||
        info->opcode == VISA_OPCODE_SUBROUTINE) {
        g_array_index(l->linked->labels, uint32_t,
                      e.field[VEU_IFIELD_LABEL].number) =
            l->linked->routine->code->len;
    }
    append(l, out, veu_instruction_write(&e, out));
    return e.bytes;
}

static bool link_message_field(Linker *l, VeuEncoding *e, VeuField f)
{
    VeuEncodedField *field = &e->field[f];
    const char *name = e->info->mnemonic;
    uint32_t number = field->number;
    bool good = true;

    if (veu_fields[f].kind == VEU_KIND_RAW) {
        link_variable(l, &field->raw.id);
    } else if (veu_fields[f].kind == VEU_KIND_SCALAR) {
        if (field->scalar.class == VEU_SCALAR_GENERAL) {
            link_variable(l, &field->scalar.id);
        } else if (field->scalar.class == VEU_SCALAR_INDIRECT) {
            field->scalar.id += l->base[VISA_ADDRESS];
        }
    } else if (veu_fields[f].text == VEU_TEXT_SURFACE) {
        good = link_state(l, name, VISA_SURFACE, UINT8_MAX + 1, &number);
        field->number = number;
    } else if (veu_fields[f].text == VEU_TEXT_SAMPLER) {
        good = link_state(l, name, VISA_SAMPLER, UINT8_MAX + 1, &number);
        field->number = number;
    } else if (f == VEU_FIELD_PRED) {
        good = link_predicate(l, name, &number);
        field->number = number;
    }
    return good;
}

uint32_t visa_block_bytes(const VeuEncoding *e)
{
    VeuField f = visa_has_field(e->info, VEU_FIELD_SVM_OWORDS) ?
                     VEU_FIELD_SVM_OWORDS :
                     VEU_FIELD_OWORDS;
    unsigned code = e->field[f].number & 7;

    return visa_has_field(e->info, f) && code < veu_fields[f].value_count ?
               veu_fields[f].values[code] * 16 :
               0;
}

/*
 * Compilers declare less than a block for its data if they use no more. A
 * variable consists of whole registers, so the block may take all of them.
 */
static void grow_data(Linker *l, const VeuEncoding *e)
{
    const VeuEncodedRaw *raw = &e->field[VEU_FIELD_BLOCK_DATA].raw;
    uint32_t block = visa_block_bytes(e);
    uint32_t bytes;
    VisaSymbol *s;

    if (!block) {
        return;
    }
    bytes = raw->offset_byte + block;
    s = visa_symbol(l->linked->routine, VISA_VARIABLE, raw->id);
    for (unsigned depth = 0; s && depth < ALIASES_MAX; depth++) {
        uint32_t element = veu_type_bytes(s->type);
        uint32_t has = s->elements * element;

        if (!element || has >= bytes ||
            (has + REGISTER - 1) / REGISTER * REGISTER < bytes) {
            return;
        }
        s->elements = (bytes + element - 1) / element;
        bytes += s->alias_byte;
        s = s->alias ?
                visa_symbol(l->linked->routine, VISA_VARIABLE, s->alias) :
                NULL;
    }
}

static uint32_t link_message(Linker *l, const uint8_t *code, uint32_t bytes)
{
    uint8_t out[VEU_MESSAGE_MAX_BYTES];
    VeuEncoding e;
    VeuFault fault;

    if (!veu_encoding_parse(code, bytes, &e, &fault)) {
        bad(l, "unknown opcode", "veu does not execute it");
        return 0;
    }
    for (const uint8_t *f = e.info->fields; *f != VEU_FIELD_END; f++) {
        if (!link_message_field(l, &e, *f)) {
            return 0;
        }
    }
    grow_data(l, &e);
    append(l, out, veu_encoding_write(&e, out));
    return e.bytes;
}

static bool link_code(Linker *l)
{
    const GByteArray *code = l->from->code;

    for (l->at = 0; l->at < code->len;) {
        const uint8_t *here = code->data + l->at;
        uint32_t bytes = code->len - l->at;
        const VeuInstructionInfo *info = veu_instruction_find(here, bytes);
        uint32_t length = info ? link_instruction(l, info, here, bytes) :
                                 link_message(l, here, bytes);

        if (!length) {
            return false;
        }
        l->at += length;
    }
    return true;
}

/* --- Tables -------------------------------------------------------------- */

static void link_symbols(Linker *l, VisaKind kind)
{
    const GArray *from = l->from->symbols[kind];
    uint32_t nowhere = NOWHERE;

    l->base[kind] = l->linked->routine->symbols[kind]->len;
    for (uint32_t i = 0; i < from->len; i++) {
        const VisaSymbol *s = &g_array_index(from, VisaSymbol, i);
        VisaSymbol *to = visa_add_symbol(l->linked->routine, kind, s->name);

        to->elements = s->elements;
        to->type = s->type;
        to->align = s->align;
        to->alias = s->alias;
        to->alias_byte = s->alias_byte;
        to->label_kind = s->label_kind;
        if (s->alias) {
            link_variable(l, &to->alias);
        }
        if (kind == VISA_LABEL) {
            g_array_append_val(l->linked->labels, nowhere);
        }
    }
}

static bool link_routine(Linker *l, const VisaRoutine *from)
{
    VisaRoutine *to = l->linked->routine;
    uint32_t start = to->code->len;

    l->from = from;
    /* code before a function's first .loc does not belong to the last one */
    add_line(l, 0);
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        link_symbols(l, kind);
    }
    if (from->function) {
        g_array_append_val(l->linked->functions, start);
    } else {
        g_array_append_vals(to->inputs, from->inputs->data, from->inputs->len);
    }
    return link_code(l);
}

/* A label without a place is not an error of the text: .label declares it. */
static bool check_labels(Linker *l)
{
    for (uint32_t id = 0; id < l->linked->labels->len; id++) {
        if (g_array_index(l->linked->labels, uint32_t, id) == NOWHERE) {
            return visa_error(
                l->error, "label '%.40s' is nowhere",
                visa_symbol(l->linked->routine, VISA_LABEL, id)->name);
        }
    }
    return true;
}

bool visa_link(VisaLinked *linked, const VisaObject *object,
               const VisaRoutine *kernel, GHashTable *addresses,
               VisaError *error)
{
    Linker l = { .linked = linked,
                 .object = object,
                 .addresses = addresses,
                 .error = error };
    bool good;

    *linked = (VisaLinked){
        .object = visa_object_new(),
        .functions = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .labels = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .lines = g_array_new(FALSE, FALSE, sizeof(VisaSourceLine)),
        .files = g_ptr_array_new_with_free_func(g_free),
    };
    linked->routine = visa_object_add(linked->object, kernel->name, false);
    good = link_routine(&l, kernel);
    for (unsigned i = 0; good && i < object->routines->len; i++) {
        const VisaRoutine *r = g_ptr_array_index(object->routines, i);

        good = !r->function || link_routine(&l, r);
    }
    return good && check_labels(&l);
}

void visa_linked_free(VisaLinked *linked)
{
    visa_object_free(linked->object);
    g_array_unref(linked->functions);
    g_array_unref(linked->labels);
    g_array_unref(linked->lines);
    g_ptr_array_unref(linked->files);
}
