/*
 * veu-spec: the tables of messages, types and formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are made from the rows that drive the device.
 */
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/surface/format.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "tools/lib/json.h"
#include "tools/lib/names.h"
#include "tools/veu-spec/veu-spec.h"

/* --- Messages ------------------------------------------------------------ */

static char *opcode_text(const VeuMessageInfo *m)
{
    return m->sub == VEU_MESSAGE_NO_SUB ?
               g_strdup_printf("`%02x`", m->opcode) :
               g_strdup_printf("`%02x %02x`", m->opcode, m->sub);
}

static void opcode_cells(SpecTable *t, const VeuMessageInfo *m)
{
    g_autofree char *text = opcode_text(m);

    spec_number_as(t, text, m->opcode);
    if (m->sub == VEU_MESSAGE_NO_SUB) {
        spec_null(t, "");
    } else {
        spec_number(t, m->sub);
    }
}

static void lanes_cell(SpecTable *t, unsigned lanes)
{
    GString *text = g_string_new(NULL);

    for (unsigned n = 1; n <= VEU_MAX_LANES; n *= 2) {
        if (lanes & n) {
            g_string_append_printf(text, "%s%u", text->len ? ", " : "", n);
        }
    }
    spec_cell(t, g_strdup(text->str), g_strdup_printf("[%s]", text->str));
    g_string_free(text, TRUE);
}

/* Kinds of surfaces, in the order of the page. */
static void surfaces_cell(SpecTable *t, const VeuMessageInfo *m)
{
    static const struct {
        uint16_t surface;
        const char *name;
    } kinds[] = {
        { VEU_TAKES_BUFFER, "buffer" },
        { VEU_TAKES_SLM, "SLM" },
        { VEU_TAKES_STATELESS, "stateless" },
        { VEU_TAKES_1D, "1D" },
        { VEU_TAKES_2D, "2D" },
        { VEU_TAKES_1D | VEU_TAKES_2D, "arrays" },
        { VEU_TAKES_3D, "3D" },
        { VEU_TAKES_CUBE, "cube" },
        { VEU_TAKES_TYPED_BUFFER, "typed buffer" },
        { VEU_TAKES_SRGB, "sRGB" },
    };
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *words = NULL;
    g_autofree char *strings = NULL;

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (m->surfaces & kinds[i].surface) {
            g_ptr_array_add(names, (char *)kinds[i].name);
        }
    }
    g_ptr_array_add(names, NULL);
    words = g_strjoinv(", ", (char **)names->pdata);
    strings = g_strjoinv("\", \"", (char **)names->pdata);
    spec_cell(t, g_strdup(*words ? words : "none"),
              *words ? g_strdup_printf("[\"%s\"]", strings) : g_strdup("[]"));
}

static bool is_atomic(const VeuMessageInfo *m)
{
    return memchr(m->fields, VEU_FIELD_ATOMIC_DST, sizeof(m->fields));
}

/* What a lane outside reads; it writes nothing. */
static const char *outside_text(const VeuMessageInfo *m)
{
    static const char *const reads[] = {
        [VEU_OUTSIDE_ZERO] = "zero",
        [VEU_OUTSIDE_DEFAULT] = "zero, alpha 1",
        [VEU_OUTSIDE_BORDER] = "border",
        [VEU_OUTSIDE_SAMPLER] = "as the sampler says",
    };

    if (!m->surfaces) {
        return m->access == VEU_ACCESS_NONE ? "none" : "fault";
    }
    return m->access == VEU_ACCESS_READ ? reads[m->outside] :
           is_atomic(m)                 ? "zero, drop" :
                                          "drop";
}

/* The vendor's page of a message, in a release that has all pages. */
static void page_cell(SpecTable *t, const char *mnemonic)
{
    const char *page = g_str_equal(mnemonic, "sample_lz") ? "3D_SAMPLE" :
                       g_str_equal(mnemonic, "load_lz")   ? "3D_LOAD" :
                                                            mnemonic;
    g_autofree char *upper = g_ascii_strup(page, -1);
    g_auto(GStrv) parts = g_strsplit(upper, "4SCALED", 2);
    g_autofree char *name = g_strjoinv("4_SCALED", parts);
    g_autofree char *url =
        g_strdup_printf("https://github.com/intel/intel-graphics-compiler/blob/"
                        "v2.10.8/documentation/visa/instructions/%s.md",
                        name);

    spec_cell(t, g_strdup_printf("[%s](%s)", name, url),
              g_strdup_printf("\"%s\"", url));
}

static void add_messages(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Opcode", "opcode" },
                                          { NULL, "sub_opcode" },
                                          { "Message", "name" },
                                          { "Lanes", "lanes" },
                                          { "Access", "access" },
                                          { "Surfaces", "surfaces" },
                                          { "Out of bounds", "out_of_bounds" },
                                          { "What it does", "text" },
                                          { "Vendor's page", "page" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "messages", "messages", NULL, columns);

    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *m = &veu_messages[i];

        opcode_cells(t, m);
        spec_text(t, m->mnemonic);
        lanes_cell(t, m->lanes);
        spec_text(t, name_of_access(m->access));
        surfaces_cell(t, m);
        spec_text(t, outside_text(m));
        spec_text(t, m->summary);
        page_cell(t, m->mnemonic);
    }
}

/* --- Instructions --------------------------------------------------------- */

/* The operands, in the order of the text. */
static char *operands_text(const VeuInstructionInfo *info)
{
    GString *text = g_string_new(NULL);

    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        const VeuInstructionFieldInfo *field = &veu_instruction_fields[*f];

        if (field->text >= VEU_ITEXT_DESTINATION) {
            g_string_append_printf(text, "%s%s", text->len ? ", " : "",
                                   field->name);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_instructions(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Opcode", "opcode" },
                                          { "Instruction", "name" },
                                          { "Operands", "operands" },
                                          { "Saturates", "saturates" },
                                          { "Cost", "cost" },
                                          { "What it does", "text" },
                                          { 0 } };
    static const char *const saturation[] = { "no", "floats", "yes" };
    SpecTable *t = spec_table(tables, "instructions", "instructions", NULL,
                              columns);

    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];
        g_autofree char *opcode = g_strdup_printf("`%02x`", info->opcode);
        g_autofree char *operands = operands_text(info);

        if (info->listed) {
            continue;
        }
        spec_number_as(t, opcode, info->opcode);
        spec_text(t, info->mnemonic);
        spec_text(t, operands);
        spec_text(t, saturation[info->saturation]);
        spec_number(t, info->cost);
        spec_text(t, info->summary);
    }
}

/* The place of a field, which depends on the sizes of scalars before it. */
typedef struct FieldPlace {
    unsigned at;
    unsigned scalars; /* before it */
} FieldPlace;

static void field_row(SpecTable *t, const VeuFieldInfo *field,
                      FieldPlace *place)
{
    static const struct {
        unsigned bytes;
        const char *name;
    } kinds[] = {
        [VEU_KIND_BYTE] = { 1, "byte" },
        [VEU_KIND_WORD] = { 2, "word" },
        [VEU_KIND_RAW] = { 6, "raw" },
        [VEU_KIND_SCALAR] = { 0, "scalar" },
    };
    static const char *const sizes[] = { "", " + s", " + s + t" };
    bool scalar = field->kind == VEU_KIND_SCALAR;
    g_autofree char *at = g_strdup_printf("%u%s", place->at,
                                          sizes[place->scalars]);

    spec_number_as(t, at, place->at);
    spec_cell(t, g_strdup(""), g_strdup(place->scalars ? "true" : "false"));
    if (scalar) {
        spec_null(t, place->scalars ? "t" : "s");
    } else {
        spec_number(t, kinds[field->kind].bytes);
    }
    spec_text(t, field->name);
    spec_text(t, kinds[field->kind].name);
    place->at += kinds[field->kind].bytes;
    place->scalars += scalar;
}

/*
 * Scalars have one of three sizes, so later fields are at "n + s" or "n + s +
 * t".
 */
static void add_fields(GPtrArray *tables, const VeuMessageInfo *m)
{
    static const SpecColumn columns[] = {
        { "At", "offset" },  { NULL, "after_scalar" }, { "Bytes", "bytes" },
        { "Field", "name" }, { NULL, "kind" },         { 0 }
    };
    SpecTable *t = spec_table(tables, "fields", m->mnemonic, m->mnemonic,
                              columns);
    FieldPlace place = { .at = m->sub == VEU_MESSAGE_NO_SUB ? 1 : 2 };
    g_autofree char *opcode = opcode_text(m);

    spec_number(t, 0);
    spec_cell(t, g_strdup(""), g_strdup("false"));
    spec_number(t, place.at);
    spec_cell(t, g_strdup_printf("opcode %s", opcode), json_quote("opcode"));
    spec_text(t, "opcode");
    for (const uint8_t *f = m->fields; *f != VEU_FIELD_END; f++) {
        field_row(t, &veu_fields[*f], &place);
    }
}

static void add_atomics(GPtrArray *tables)
{
    static const char *const types[] = {
        [VEU_ATOMIC_UNSIGNED] = "unsigned",
        [VEU_ATOMIC_SIGNED] = "signed",
        [VEU_ATOMIC_FLOAT] = "float",
    };
    static const SpecColumn columns[] = {
        { "Op", "code" },          { "Name", "name" },
        { "Other name", "alias" }, { "Operands", "type" },
        { "New value", "result" }, { 0 }
    };
    SpecTable *t = spec_table(tables, "atomics", "atomics", NULL, columns);

    for (unsigned i = 0; i < veu_atomic_op_count; i++) {
        const VeuAtomicOp *op = &veu_atomic_ops[i];

        spec_hex(t, 2, op->code);
        spec_text(t, op->name);
        spec_text(t, op->alias ? op->alias : "");
        spec_text(t, types[op->type]);
        spec_text(t, op->result);
    }
}

void spec_messages(GPtrArray *tables)
{
    add_messages(tables);
    add_instructions(tables);
    for (unsigned i = 0; i < veu_message_count; i++) {
        add_fields(tables, &veu_messages[i]);
    }
    add_atomics(tables);
}

/* --- Types and formats --------------------------------------------------- */

static void add_types(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Type", "name" },
                                          { "Bytes of an element", "bytes" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "types", "types", NULL, columns);

    for (unsigned i = 0; i < VEU_TYPE_COUNT; i++) {
        spec_number(t, i);
        spec_text(t, name_of_type(i));
        if (veu_type_bytes(i)) {
            spec_number(t, veu_type_bytes(i));
        } else {
            spec_null(t, "refused");
        }
    }
}

static void channels_cell(SpecTable *t, const VeuFormat *format)
{
    GString *text = g_string_new(NULL);
    GString *json = g_string_new(NULL);

    VEU_FOR_EACH_CHANNEL(c, format) {
        const char *comma = c == format->channels ? "" : ", ";

        g_string_append_printf(text, "%s%c %u", comma, "RGBA"[c->name],
                               c -> bit);
        if (c->bits > 1) {
            g_string_append_printf(text, "-%u", c->bit + c->bits - 1);
        }
        g_string_append_printf(json,
                               "%s{\"name\": \"%c\", \"bit\": %u, "
                               "\"bits\": %u, \"type\": \"%s\"}",
                               comma, "RGBA"[c->name], c -> bit, c -> bits,
                               name_of_channel_type(c->type));
    }
    spec_cell(t, g_strdup(text->len ? text->str : "none"),
              g_strdup_printf("[%s]", json->str));
    g_string_free(text, TRUE);
    g_string_free(json, TRUE);
}

/* The type of the first channel, and those that differ from it. */
static void types_cell(SpecTable *t, const VeuFormat *format)
{
    GString *text = g_string_new(NULL);
    uint8_t first = format->channels[0].type;

    VEU_FOR_EACH_CHANNEL(c, format) {
        if (c == format->channels) {
            g_string_append(text, name_of_channel_type(first));
        } else if (c->type != first) {
            g_string_append_printf(text, ", %c %s", "RGBA"[c->name],
                                   name_of_channel_type(c->type));
        }
    }
    spec_text(t, text->str);
    g_string_free(text, TRUE);
}

static void register_cell(SpecTable *t, const VeuFormat *format)
{
    if (format->channels[0].bits) {
        spec_text(t, name_of_type(veu_format_register_type(format)));
    } else {
        spec_null(t, "");
    }
}

static void add_formats(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Format", "name" },
                                          { "Bytes of a texel", "bytes" },
                                          { "Bits of channels", "channels" },
                                          { "Type", NULL },
                                          { "Register", "register" },
                                          { "Atomics", "atomics" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "formats", "formats", NULL, columns);

    for (unsigned i = 0; i < veu_format_count; i++) {
        const VeuFormat *f = &veu_formats[i];

        spec_hex(t, 3, f->code);
        spec_code(t, f->name);
        spec_number(t, f->bytes);
        channels_cell(t, f);
        types_cell(t, f);
        register_cell(t, f);
        spec_cell(t, g_strdup(f->atomics ? "yes" : ""),
                  g_strdup(f->atomics ? "true" : "false"));
    }
}

void spec_formats(GPtrArray *tables)
{
    add_types(tables);
    add_formats(tables);
}
