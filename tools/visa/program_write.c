/*
 * veu tools: device programs from vISA.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/message.h"
#include "tools/visa/instruction.h"
#include "tools/visa/link.h"
#include "tools/visa/predefined.h"
#include "tools/visa/program.h"
#include "tools/visa/program_sections.h"
#include "veu/program.h"

typedef struct Writer {
    const VisaRoutine *routine;
    VisaLayout layout;
    GByteArray *code;
    bool predefined[VEU_FIRST_VARIABLE]; /* named by an instruction */
    const VisaLinked *linked;            /* NULL: a program of messages */
    VisaError *error;
} Writer;

/* --- Code ---------------------------------------------------------------- */

/* Reports an error of the instruction at @at, with its line or its offset. */
static bool bad_instruction(Writer *w, uint32_t at, const char *name,
                            const char *what)
{
    VisaPlace place = visa_place_of(w->routine, at);

    if (place.line) {
        return visa_error_at(w->error, place, "%s: %s", name, what);
    }
    return visa_error(w->error, "kernel '%.40s', instruction at 0x%04x: %s: %s",
                      w->routine->name, at, name, what);
}

/* Instructions without effect: label, file, loc, lifetime, subroutine. */
static bool does_nothing(const VeuInstructionInfo *info)
{
    static const uint8_t opcodes[] = { 0x30, 0x31, 0x51, 0x52, 0x7b };

    for (unsigned i = 0; i < G_N_ELEMENTS(opcodes); i++) {
        if (info->opcode == opcodes[i]) {
            return true;
        }
    }
    return false;
}

/* A ret for all lanes, with nothing after it. */
static bool is_last_ret(const VeuInstructionInfo *info, const uint8_t *code,
                        uint32_t bytes)
{
    return info->opcode == 0x34 && bytes == 4 && !code[2] && !code[3];
}

/* The length of an instruction that a program omits, or 0. */
static uint32_t leave_out(Writer *w, uint32_t at)
{
    const uint8_t *code = w->routine->code->data + at;
    uint32_t bytes = w->routine->code->len - at;
    const VeuInstructionInfo *info = veu_instruction_find(code, bytes);
    uint32_t length = visa_instruction_bytes(w->routine->layout, code, bytes);

    if (!info || !length) {
        bad_instruction(w, at, info ? info->mnemonic : "unknown opcode",
                        "veu does not execute it");
        return 0;
    }
    if (!does_nothing(info) && !is_last_ret(info, code, bytes)) {
        bad_instruction(w, at, info->mnemonic, "veu does not execute it");
        return 0;
    }
    return length;
}

/* A program has no predefined variables; %r0 becomes the last of its own. */
static bool map_variable(Writer *w, uint32_t at, const char *mnemonic,
                         uint32_t *id)
{
    const VisaPredefined *p = visa_predefined(VISA_VARIABLE, *id);
    uint32_t count = w->routine->symbols[VISA_VARIABLE]->len;
    g_autofree char *what = NULL;

    if (*id == VISA_ID_NULL || *id >= VEU_FIRST_VARIABLE) {
        return true;
    }
    if (*id == VISA_ID_R0) {
        *id = VEU_FIRST_VARIABLE + count;
        w->predefined[VISA_ID_R0] = true;
        return true;
    }
    what = g_strdup_printf("no program has %s",
                           p ? p->name : "this predefined variable");
    return bad_instruction(w, at, mnemonic, what);
}

static bool map_operands(Writer *w, uint32_t at, VeuEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        VeuEncodedField *field = &e->field[*f];
        uint32_t *id = NULL;

        if (veu_fields[*f].kind == VEU_KIND_RAW) {
            id = &field->raw.id;
        } else if (veu_fields[*f].kind == VEU_KIND_SCALAR &&
                   field->scalar.class == VEU_SCALAR_GENERAL) {
            id = &field->scalar.id;
        }
        if (id && !map_variable(w, at, e->info->mnemonic, id)) {
            return false;
        }
    }
    return true;
}

/* Writes the instruction at @at. Returns its length, or 0 with an error. */
static uint32_t write_instruction(Writer *w, uint32_t at)
{
    uint8_t code[VEU_MESSAGE_MAX_BYTES];
    VeuEncoding encoding;
    VeuFault fault;

    if (!veu_encoding_parse(w->routine->code->data + at,
                            w->routine->code->len - at, &encoding, &fault)) {
        return leave_out(w, at);
    }
    if (!map_operands(w, at, &encoding)) {
        return 0;
    }
    g_byte_array_append(w->code, code, veu_encoding_write(&encoding, code));
    return encoding.bytes;
}

static bool write_code(Writer *w)
{
    uint32_t at = 0;

    while (at < w->routine->code->len) {
        uint32_t length = write_instruction(w, at);

        if (!length) {
            return false;
        }
        at += length;
    }
    return true;
}

/* --- Sections ------------------------------------------------------------ */

static bool too_many(Writer *w, uint32_t count, uint32_t most, const char *what)
{
    return count > most &&
           !visa_error(w->error,
                       "kernel '%.40s' has %u %s, and a program at "
                       "most %u",
                       w->routine->name, count, what, most);
}

/* Programs of messages have their own variable for %r0. */
static bool has_r0_variable(const Writer *w)
{
    return !w->linked && w->predefined[VISA_ID_R0];
}

static bool check_counts(Writer *w)
{
    GArray *const *symbols = w->routine->symbols;

    return !too_many(w, symbols[VISA_VARIABLE]->len + has_r0_variable(w),
                     w->linked ? VEU_LIMIT_LOAD_VARIABLES : VEU_LIMIT_VARIABLES,
                     "variables") &&
           !too_many(w, symbols[VISA_PREDICATE]->len, VEU_LIMIT_PREDICATES,
                     "predicates") &&
           !too_many(w, symbols[VISA_ADDRESS]->len, VEU_LIMIT_ADDRESSES,
                     "address variables");
}

static GByteArray *variables_section(const Writer *w)
{
    const GArray *variables = w->routine->symbols[VISA_VARIABLE];
    GByteArray *out = g_byte_array_new();
    struct veu_variable r0 = {
        .elements = w->layout.grf_bytes / 4,
        .type = VEU_TYPE_UD,
    };

    for (uint32_t i = 0; i < variables->len; i++) {
        const VisaSymbol *v = &g_array_index(variables, VisaSymbol, i);
        struct veu_variable variable = {
            .offset = w->layout.register_byte[i],
            .elements = v->elements,
            .type = v->type,
        };

        g_byte_array_append(out, (uint8_t *)&variable, sizeof(variable));
    }
    if (has_r0_variable(w)) {
        g_byte_array_append(out, (uint8_t *)&r0, sizeof(r0));
    }
    return out;
}

/* Predicates and address variables: a count, and two bytes of 0. */
static GByteArray *counts_section(Writer *w, VisaKind kind, uint32_t most,
                                  const char *what)
{
    const GArray *symbols = w->routine->symbols[kind];
    GByteArray *out = g_byte_array_new();

    for (uint32_t i = 0; i < symbols->len; i++) {
        const VisaSymbol *s = &g_array_index(symbols, VisaSymbol, i);
        uint8_t entry[4] = { s->elements, s->elements >> 8 };

        if (s->elements < 1 || s->elements > most) {
            visa_error(w->error, "%s has %u %s, and in a program from 1 to %u",
                       s->name, s->elements, what, most);
            g_byte_array_unref(out);
            return NULL;
        }
        g_byte_array_append(out, entry, sizeof(entry));
    }
    return out;
}

/* --- The program --------------------------------------------------------- */

#define SECTIONS 8

/*
 * Makes the sections in the order of their types. Returns false with an error.
 */
static bool make_sections(Writer *w, GByteArray *sections[SECTIONS])
{
    sections[0] = g_byte_array_ref(w->code);
    sections[1] = variables_section(w);
    sections[2] = counts_section(w, VISA_PREDICATE, VEU_MAX_LANES, "lanes");
    sections[3] = sections[2] ?
                      counts_section(w, VISA_ADDRESS, VEU_MAX_ADDRESS_ELEMENTS,
                                     "elements") :
                      NULL;
    if (w->linked) {
        sections[4] = visa_labels_section(w->linked);
        sections[5] = visa_predefined_section(&w->layout);
        sections[6] = visa_states_section(w->linked);
        sections[7] = visa_functions_section(w->linked);
    }
    return sections[3];
}

static uint32_t section_count(GByteArray *const sections[SECTIONS])
{
    uint32_t count = 1;

    for (unsigned i = 1; i < SECTIONS; i++) {
        count += sections[i] && sections[i]->len;
    }
    return count;
}

static uint32_t round_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) / to * to;
}

static GByteArray *put_together(const Writer *w,
                                GByteArray *const sections[SECTIONS])
{
    GByteArray *out = g_byte_array_new();
    struct veu_program_header header = {
        .magic = VEU_PROGRAM_MAGIC,
        .version = VEU_PROGRAM_VERSION,
        .kind = w->linked ? VEU_PROGRAM_INSTRUCTIONS : VEU_PROGRAM_MESSAGES,
        .grf_bytes = w->layout.grf_bytes,
        .section_count = section_count(sections),
        .register_bytes = round_up(w->layout.bytes, w->layout.grf_bytes),
    };
    uint32_t at = sizeof(header) +
                  header.section_count * sizeof(struct veu_section);

    g_byte_array_set_size(out, at);
    memset(out->data, 0, at);
    for (unsigned i = 0, row = 0; i < SECTIONS; i++) {
        struct veu_section section = {
            .type = VEU_SECTION_CODE + i,
            .offset = out->len,
            .bytes = sections[i] ? sections[i]->len : 0,
        };
        uint32_t end = round_up(out->len + section.bytes, 4);

        if (i && !section.bytes) {
            continue;
        }
        g_byte_array_append(out, sections[i]->data, section.bytes);
        while (out->len < end) {
            g_byte_array_append(out, (const uint8_t *)"", 1);
        }
        memcpy(out->data + sizeof(header) + row++ * sizeof(section), &section,
               sizeof(section));
    }
    header.bytes = out->len;
    memcpy(out->data, &header, sizeof(header));
    return out;
}

/* Programs of instructions may be loaded before they are launched. */
static uint32_t most_bytes(const Writer *w)
{
    return w->linked ? VEU_LIMIT_LOAD_BYTES : VEU_LIMIT_PROGRAM_BYTES;
}

static GByteArray *write_sections(Writer *w)
{
    GByteArray *sections[SECTIONS] = { NULL };
    GByteArray *out = NULL;

    if (make_sections(w, sections)) {
        out = put_together(w, sections);
        if (out->len > most_bytes(w)) {
            visa_error(w->error, "the program has %u bytes, and may have %u",
                       out->len, most_bytes(w));
            g_clear_pointer(&out, g_byte_array_unref);
        }
    }
    for (unsigned i = 0; i < SECTIONS; i++) {
        g_clear_pointer(&sections[i], g_byte_array_unref);
    }
    return out;
}

static GByteArray *write_program(Writer *w, uint32_t grf_bytes)
{
    GByteArray *out = NULL;

    if (check_counts(w) && visa_layout(&w->layout, w->routine, grf_bytes,
                                       w->predefined, w->error)) {
        out = write_sections(w);
    }
    visa_layout_free(&w->layout);
    return out;
}

static GByteArray *write_messages(const VisaRoutine *routine,
                                  uint32_t grf_bytes, VisaError *error)
{
    Writer w = {
        .routine = routine,
        .code = g_byte_array_new(),
        .error = error,
    };
    GByteArray *out = write_code(&w) ? write_program(&w, grf_bytes) : NULL;

    g_byte_array_unref(w.code);
    return out;
}

GByteArray *visa_program_of(const VisaLinked *linked, const VisaLayout *layout,
                            VisaError *error)
{
    Writer w = {
        .routine = linked->routine,
        .layout = *layout,
        .code = linked->routine->code,
        .linked = linked,
        .error = error,
    };

    return check_counts(&w) ? write_sections(&w) : NULL;
}

static GByteArray *write_instructions(const VisaObject *object,
                                      const VisaRoutine *routine,
                                      uint32_t grf_bytes, VisaError *error)
{
    VisaLinked linked;
    GByteArray *out = NULL;

    if (visa_link(&linked, object, routine, NULL, error)) {
        Writer w = {
            .routine = linked.routine,
            .code = linked.routine->code,
            .linked = &linked,
            .error = error,
        };

        memcpy(w.predefined, linked.predefined, sizeof(w.predefined));
        out = write_program(&w, grf_bytes);
    }
    visa_linked_free(&linked);
    return out;
}

/* Messages, and what programs of messages omit. */
static bool has_messages_alone(const VisaRoutine *routine)
{
    const GByteArray *code = routine->code;
    uint32_t at = 0;
    uint32_t length = 1;

    while (length && at < code->len) {
        const uint8_t *here = code->data + at;
        const VeuInstructionInfo *info = veu_instruction_find(here,
                                                              code->len - at);

        length = visa_instruction_bytes(routine->layout, here, code->len - at);
        at += length;
        if (info && !does_nothing(info) &&
            !(is_last_ret(info, here, length) && at == code->len)) {
            return false;
        }
    }
    return true;
}

GByteArray *visa_program_write(const VisaObject *object,
                               const VisaRoutine *routine, uint32_t grf_bytes,
                               VisaError *error)
{
    return has_messages_alone(routine) ?
               write_messages(routine, grf_bytes, error) :
               write_instructions(object, routine, grf_bytes, error);
}
