/*
 * veu tools: the text of sampler instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 *   [(P)] sample_lz[.pixel_null_mask][.cps][.divS].RGBA (M1, 16) offsets
 *         sampler surface destination parameters
 *
 * See the pages 3D_SAMPLE, 3D_LOAD, 3D_SAMPLE4 and INFO.
 */
#include "tools/visa/listed_text.h"
#include "tools/visa/message_suffix.h"
#include "tools/visa/message_text.h"

enum {
    OPCODE_SAMPLE = 0x6d,
    OPCODE_LOAD = 0x6e,
    OPCODE_SAMPLE4 = 0x6f,
    OPCODE_INFO = 0x70,
};

#define OPERATION_MASK 0x1f
#define RESINFO        0x0a

static const struct Operation {
    uint8_t opcode;
    uint8_t operation; /* bits 0 to 4 of the field Op */
    const char *name;
} operations[] = {
    { OPCODE_SAMPLE, 0x00, "sample_3d" },
    { OPCODE_SAMPLE, 0x01, "sample_b" },
    { OPCODE_SAMPLE, 0x02, "sample_l" },
    { OPCODE_SAMPLE, 0x03, "sample_c" },
    { OPCODE_SAMPLE, 0x04, "sample_d" },
    { OPCODE_SAMPLE, 0x05, "sample_b_c" },
    { OPCODE_SAMPLE, 0x06, "sample_l_c" },
    { OPCODE_SAMPLE, 0x09, "lod" },
    { OPCODE_SAMPLE, 0x14, "sample_d_c" },
    { OPCODE_SAMPLE, 0x18, "sample_lz" },
    { OPCODE_SAMPLE, 0x19, "sample_c_lz" },
    { OPCODE_LOAD, 0x07, "load_3d" },
    { OPCODE_LOAD, 0x1a, "load_lz" },
    { OPCODE_LOAD, 0x1c, "load_2dms_w" },
    { OPCODE_LOAD, 0x1d, "load_mcs" },
    { OPCODE_SAMPLE4, 0x08, "sample4" },
    { OPCODE_SAMPLE4, 0x10, "sample4_c" },
    { OPCODE_SAMPLE4, 0x11, "sample4_po" },
    { OPCODE_SAMPLE4, 0x12, "sample4_po_c" },
    { OPCODE_INFO, RESINFO, "resinfo" },
    { OPCODE_INFO, 0x0b, "sampleinfo" },
};

/* Bits of the field Op, in the order of their suffixes. */
static const struct {
    uint8_t bit;
    const char *name;
} flags[] = {
    { 0x20, "pixel_null_mask" },
    { 0x40, "cps" },
    { 0x80, "divS" },
};

static const struct Operation *find_operation(const VisaLexer *lexer)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(operations); i++) {
        if (visa_is_name(lexer, operations[i].name, true)) {
            return &operations[i];
        }
    }
    return NULL;
}

bool visa_is_sampler(const VisaLexer *lexer)
{
    return find_operation(lexer);
}

/* --- Reading ------------------------------------------------------------- */

/* Flags after a dot, each followed by another dot. */
static bool parse_flags(VisaParser *p, uint16_t *op)
{
    if (!visa_parse_mark(p, ".")) {
        return visa_hint(p->error, "here stand the channels: .RGBA");
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
        if (visa_is_name(&p->lexer, flags[i].name, true)) {
            *op |= flags[i].bit;
            visa_lexer_next(&p->lexer);
            if (!visa_parse_mark(p, ".")) {
                return false;
            }
        }
    }
    return true;
}

/*
 * sample4 reads one channel, given by its number; the others have a mask of
 * channels.
 */
static bool parse_channels(VisaParser *p, uint8_t opcode, uint16_t *channels)
{
    VisaPlace place = p->lexer.token.place;
    uint16_t mask;

    if (!visa_parse_channels(p, &mask)) {
        return false;
    }
    *channels = mask;
    if (opcode != OPCODE_SAMPLE4) {
        return true;
    }
    *channels = mask == 8 ? 3 : mask / 2;
    return !(mask & (mask - 1)) ||
           visa_error_at(p->error, place, "this reads one channel");
}

static bool put_state(VisaParser *p, VisaKind kind, GByteArray *code)
{
    VisaPlace place = p->lexer.token.place;
    uint32_t id;

    if (!visa_resolve(p->symbols, &p->lexer, kind, &id, p->error)) {
        return false;
    }
    visa_put(code, id, 1);
    return id <= UINT8_MAX ||
           visa_error_at(p->error, place, "an instruction cannot name id %u",
                         id);
}

static bool put_raw(VisaParser *p, GByteArray *code)
{
    VeuEncodedRaw raw;

    if (!visa_parse_raw(p, &raw)) {
        return false;
    }
    visa_put_raw(code, &raw);
    return true;
}

/* The destination, and as many parameters as the line has. */
static bool put_parameters(VisaParser *p, GByteArray *code)
{
    unsigned count = 0;
    uint32_t count_at;

    if (!put_raw(p, code)) {
        return false;
    }
    count_at = code->len;
    visa_put(code, 0, 1);
    while (p->lexer.token.kind == VISA_TOKEN_NAME && count < UINT8_MAX) {
        if (!put_raw(p, code)) {
            return false;
        }
        code->data[count_at] = ++count;
    }
    return true;
}

static bool put_sample(VisaParser *p, uint8_t opcode, GByteArray *code)
{
    VeuEncodedVector offsets;

    if (!visa_parse_vector(p, &offsets)) {
        return false;
    }
    visa_put_vector(code, &offsets);
    return (opcode == OPCODE_LOAD || put_state(p, VISA_SAMPLER, code)) &&
           put_state(p, VISA_SURFACE, code) && put_parameters(p, code);
}

/* resinfo.RG (M1, 8) T6 lod dst; sampleinfo has no lod. */
static bool put_info(VisaParser *p, uint8_t operation, GByteArray *code)
{
    return put_state(p, VISA_SURFACE, code) &&
           (operation != RESINFO || put_raw(p, code)) && put_raw(p, code);
}

bool visa_parse_sampler(VisaParser *p, uint16_t predicate, GByteArray *code)
{
    const struct Operation *o = find_operation(&p->lexer);
    VisaPlace place = p->lexer.token.place;
    uint16_t op = o->operation;
    uint16_t channels;
    uint16_t lanes;

    visa_lexer_next(&p->lexer);
    if (!parse_flags(p, &op) || !parse_channels(p, o->opcode, &channels) ||
        !visa_parse_lanes(p, VEU_FIELD_EXEC_SIZE, &lanes)) {
        return false;
    }
    visa_put(code, o->opcode, 1);
    if (o->opcode == OPCODE_INFO) {
        visa_put(code, op, 1);
        visa_put(code, lanes, 1);
        visa_put(code, channels, 1);
        return predicate ? visa_error_at(p->error, place,
                                         "%s takes no predicate", o->name) :
                           put_info(p, o->operation, code);
    }
    visa_put(code, op, 2);
    visa_put(code, lanes, 1);
    visa_put(code, predicate, 2);
    visa_put(code, channels, 1);
    return put_sample(p, o->opcode, code);
}

/* --- Printing ------------------------------------------------------------ */

static const char *operation_name(uint8_t opcode, uint8_t operation)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(operations); i++) {
        if (operations[i].opcode == opcode &&
            operations[i].operation == operation) {
            return operations[i].name;
        }
    }
    return NULL;
}

static bool print_name(VisaPrinter *p, uint8_t opcode, uint16_t op)
{
    const char *name = operation_name(opcode, op & OPERATION_MASK);

    if (!name || op >> 8) {
        return false;
    }
    g_string_append(p->out, name);
    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
        if (op & flags[i].bit) {
            g_string_append_printf(p->out, ".%s", flags[i].name);
        }
    }
    g_string_append_c(p->out, '.');
    return true;
}

static bool print_channels(VisaPrinter *p, uint8_t opcode, uint8_t channels)
{
    unsigned mask = opcode != OPCODE_SAMPLE4 ? channels :
                    channels < 4             ? 1u << channels :
                                               0;

    return visa_print_channels(p, mask);
}

/* Offsets, sampler, surface and raw operands; the count prints nothing. */
static bool print_operand(VisaPrinter *p, char kind, const uint8_t *at,
                          uint32_t bytes)
{
    VeuEncodedVector vector;
    VeuEncodedRaw raw;

    if (kind == '#') {
        return true;
    }
    g_string_append_c(p->out, ' ');
    switch (kind) {
    case 'v':
        return veu_vector_parse(at, bytes, &vector) &&
               visa_print_vector(p, &vector);
    case 'm':
        return visa_print_name(p, VISA_SAMPLER, at[0]);
    case 's':
        return visa_print_name(p, VISA_SURFACE, at[0]);
    default:
        raw = visa_take_raw(at);
        return visa_print_raw(p, &raw);
    }
}

bool visa_print_sampler(VisaPrinter *p, const uint8_t *code,
                        const VisaOperand *operands, unsigned count)
{
    bool info = code[0] == OPCODE_INFO;
    uint16_t op = info ? code[1] : code[1] | code[2] << 8;
    const uint8_t *lanes = code + (info ? 2 : 3);
    const uint8_t *channels = code + (info ? 3 : 6);
    uint16_t predicate = info ? 0 : code[4] | code[5] << 8;

    if ((predicate && !visa_print_predicate(p, predicate)) ||
        !print_name(p, code[0], op) || !print_channels(p, code[0], *channels)) {
        return false;
    }
    g_string_append_c(p->out, ' ');
    if (!visa_print_lanes(p, *lanes)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *at = code + operands[i].at;

        if (at > channels &&
            !print_operand(p, operands[i].kind, at, operands[i].bytes)) {
            return false;
        }
    }
    return true;
}
