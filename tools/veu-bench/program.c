/*
 * veu-bench: programs, from the text of their kind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/veu-bench/bench.h"
#include "tools/visa/source.h"

#define GRF_BYTES 32

static bool is_scalar(const BenchKind *kind)
{
    return kind->lanes == 0;
}

static unsigned operand_bytes(const BenchKind *kind)
{
    return kind->operands == BENCH_ADDRESSES ||
                   kind->operands == BENCH_ADDRESS ?
               8 :
               4;
}

/* An operand at byte @at of V32. */
static void append_operand(GString *text, const BenchKind *kind, uint32_t at)
{
    if (is_scalar(kind)) {
        g_string_append_printf(text, "V32(%u,%u)<0;1,0>", at / GRF_BYTES,
                               at % GRF_BYTES / operand_bytes(kind));
    } else {
        g_string_append_printf(text, "V32.%u", at);
    }
}

static void append_field(GString *text, char field, const BenchWork *w,
                         uint32_t number)
{
    const BenchKind *kind = w->c->kind;
    uint32_t at = number * w->operand_bytes;

    switch (field) {
    case 'N':
        g_string_append_printf(text, "%u", w->c->lanes);
        break;
    case 'T':
        g_string_append_printf(text, "T%u",
                               VEU_FIRST_SURFACE + number % w->c->surfaces);
        break;
    case 'A':
        append_operand(text, kind, at);
        break;
    case 'B':
        append_operand(text, kind, at + w->operand_bytes / 2);
        break;
    case 'D':
        g_string_append(text, "V33.0");
        break;
    default: /* the second half of data */
        g_string_append_printf(text, "V33.%u", w->data_bytes / 2);
        break;
    }
}

static void append_message(GString *text, const BenchWork *w, uint32_t number)
{
    for (const char *c = w->c->kind->text; *c; c++) {
        if (*c == '@') {
            append_field(text, *++c, w, number);
        } else {
            g_string_append_c(text, *c);
        }
    }
    g_string_append_c(text, '\n');
}

static char *make_text(const BenchWork *w, uint32_t messages)
{
    GString *text = g_string_new(".kernel \"bench\"\n");
    const BenchKind *kind = w->c->kind;
    bool wide = strcmp(kind->data_type, "uq") == 0;

    g_string_append_printf(text,
                           ".decl V32 v_type=G type=%s num_elts=%u align=GRF\n",
                           operand_bytes(kind) == 8 ? "uq" : "ud",
                           messages * w->operand_bytes / operand_bytes(kind));
    g_string_append_printf(text,
                           ".decl V33 v_type=G type=%s num_elts=%u align=GRF\n",
                           kind->data_type, w->data_bytes / (wide ? 8 : 4));
    for (uint32_t i = 0; i < w->c->surfaces; i++) {
        g_string_append_printf(text, ".decl T%u v_type=T num_elts=1\n",
                               VEU_FIRST_SURFACE + i);
    }
    for (uint32_t i = 0; i < messages; i++) {
        append_message(text, w, i);
    }
    return g_string_free(text, FALSE);
}

GByteArray *bench_program(const BenchWork *w, uint32_t messages)
{
    g_autofree char *text = make_text(w, messages);
    VisaError error = { 0 };
    VisaObject *object = visa_source_read((const uint8_t *)text, strlen(text),
                                          GRF_BYTES, &error);
    GByteArray *program = NULL;

    if (object) {
        program = visa_source_program(object, NULL, GRF_BYTES, &error);
    }
    if (!program || error.warning) {
        g_autofree char *shown = visa_error_show(&error, "program", text);

        tool_error("%s", shown);
    }
    visa_object_free(object);
    return program;
}

GByteArray *bench_program_code(const GByteArray *program)
{
    const struct veu_program_header *header = (const void *)program->data;
    const struct veu_section *section = (const void *)(header + 1);
    GByteArray *code = g_byte_array_new();

    for (unsigned i = 0; i < header->section_count; i++) {
        if (section[i].type == VEU_SECTION_CODE) {
            g_byte_array_append(code, program->data + section[i].offset,
                                section[i].bytes);
        }
    }
    return code;
}
