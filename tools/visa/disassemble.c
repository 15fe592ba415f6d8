/*
 * veu tools: from objects and instructions to vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What veu does not execute, or what has no text, is a comment with its offset
 * and name, and a line .bytes; so all text can be assembled again.
 */
#include "tools/visa/disassemble.h"
#include "tools/visa/foreign.h"
#include "tools/visa/message_text.h"
#include "veu/program.h"

#define OPCODE_SUBROUTINE 0x30
#define OPCODE_LABEL      0x31
#define OPCODE_RET        0x34

#define BYTES_OF_A_LINE 24

typedef struct Listing {
    VisaPrinter printer;
    const VisaRoutine *routine;
    GString *line;
} Listing;

static uint32_t label_id(const uint8_t *code)
{
    return code[1] | code[2] << 8;
}

/* --- Labels -------------------------------------------------------------- */

/* The label that the instruction at @code puts, or -1. */
static int64_t label_at(const VisaRoutine *routine, const uint8_t *code,
                        uint32_t bytes)
{
    if (bytes < 3 ||
        (code[0] != OPCODE_LABEL && code[0] != OPCODE_SUBROUTINE) ||
        !visa_symbol(routine, VISA_LABEL, label_id(code))) {
        return -1;
    }
    return label_id(code);
}

/* Would the lines of the labels alone give them their ids and kinds? */
static bool labels_follow(const VisaRoutine *routine)
{
    const GByteArray *code = routine->code;
    uint32_t expected = 0;
    uint32_t at = 0;
    uint32_t length;

    while (at < code->len &&
           (length = visa_instruction_bytes(routine->layout, code->data + at,
                                            code->len - at))) {
        int64_t id = label_at(routine, code->data + at, code->len - at);
        uint8_t kind = code->data[at] == OPCODE_SUBROUTINE ?
                           VISA_LABEL_SUBROUTINE :
                           VISA_LABEL_BLOCK;

        if (id == expected) {
            expected++;
            if (visa_symbol(routine, VISA_LABEL, id)->label_kind != kind) {
                return false;
            }
        } else if (id > expected) {
            return false;
        }
        at += length;
    }
    return expected == routine->symbols[VISA_LABEL]->len;
}

static void print_labels(Listing *l)
{
    const GArray *labels = l->routine->symbols[VISA_LABEL];

    for (uint32_t i = 0; i < labels->len; i++) {
        g_string_append_printf(l->printer.out, ".label \"%s\" kind=%u\n",
                               visa_name(l->printer.names, VISA_LABEL, i),
                               g_array_index(labels, VisaSymbol, i).label_kind);
    }
}

/* --- Instructions -------------------------------------------------------- */

static void print_bytes(GString *out, const uint8_t *code, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        g_string_append_printf(out, "%s%02x", i ? " " : ".bytes ", code[i]);
    }
    g_string_append_c(out, '\n');
}

/* A message with its text, or the reason why it has none. */
static uint32_t print_message(Listing *l, const uint8_t *code, uint32_t bytes,
                              bool *good)
{
    VisaPrinter p = l->printer;
    VeuEncoding encoding;
    VeuFault fault;

    p.out = l->line;
    if (!veu_encoding_parse(code, bytes, &encoding, &fault)) {
        return 0;
    }
    *good = visa_print_message(&p, &encoding);
    if (!*good) {
        g_string_printf(l->line, "%s: %s", encoding.info->mnemonic,
                        p.error->message);
    }
    return encoding.bytes;
}

/* The few instructions beside messages that text has words for. */
static bool print_simple(Listing *l, const uint8_t *code, uint32_t bytes)
{
    int64_t label = label_at(l->routine, code, bytes);
    const char *name = label < 0 ?
                           NULL :
                           visa_name(l->printer.names, VISA_LABEL, label);

    if (name) {
        g_string_printf(l->line,
                        code[0] == OPCODE_LABEL ? "%s:" : ".function \"%s\"",
                        name);
        return true;
    }
    if (code[0] == OPCODE_RET && bytes >= 4 && !code[2] && !code[3] &&
        (code[1] & 0xf) <= 5) {
        g_string_printf(l->line, "ret (M%u%s, %u)", (code[1] >> 4 & 7) + 1,
                        code[1] & 0x80 ? "_NM" : "", 1u << (code[1] & 0xf));
        return true;
    }
    return false;
}

static uint32_t print_foreign(Listing *l, const uint8_t *code, uint32_t bytes,
                              bool *good)
{
    const VisaForeign *foreign = visa_foreign_find(code, bytes);
    uint32_t length = visa_instruction_bytes(l->routine->layout, code, bytes);
    VisaPrinter p = l->printer;

    p.out = l->line;
    *good = length && print_simple(l, code, bytes);
    if (!*good && length) {
        visa_print_foreign(&p, foreign, l->routine->layout, code, bytes);
        g_string_append(l->line, " (not executed by veu)");
    }
    return length;
}

/* What cannot be told apart: a comment, and the bytes. */
static void print_rest(Listing *l, uint32_t at)
{
    const GByteArray *code = l->routine->code;
    const VisaForeign *foreign = visa_foreign_find(code->data + at,
                                                   code->len - at);

    g_string_append_printf(l->printer.out, "// 0x%04x: ", at);
    if (foreign) {
        g_string_append_printf(l->printer.out, "%s, which", foreign->name);
    } else {
        g_string_append_printf(l->printer.out, "opcode 0x%02x, which",
                               code->data[at]);
    }
    g_string_append(l->printer.out, " cannot be read; the rest as bytes\n");
    for (; at < code->len; at += BYTES_OF_A_LINE) {
        print_bytes(l->printer.out, code->data + at,
                    MIN(code->len - at, BYTES_OF_A_LINE));
    }
}

/* Prints the instruction at @at; returns its length, 0 if that is unknown. */
static uint32_t print_instruction(Listing *l, uint32_t at)
{
    const uint8_t *code = l->routine->code->data + at;
    uint32_t bytes = l->routine->code->len - at;
    bool good = false;
    uint32_t length;

    g_string_truncate(l->line, 0);
    length = print_message(l, code, bytes, &good);
    if (!length) {
        length = print_foreign(l, code, bytes, &good);
    }
    if (good) {
        g_string_append_printf(l->printer.out, "%s\n", l->line->str);
    } else if (length) {
        g_string_append_printf(l->printer.out, "// 0x%04x: %s\n", at,
                               l->line->str);
        print_bytes(l->printer.out, code, length);
    }
    return length;
}

static void print_code(Listing *l)
{
    uint32_t at = 0;

    while (at < l->routine->code->len) {
        uint32_t length = print_instruction(l, at);

        if (!length) {
            print_rest(l, at);
            return;
        }
        at += length;
    }
}

static void print_routine(GString *out, const VisaRoutine *routine)
{
    VisaError error;
    Listing l = {
        .printer = { .out = out,
                     .names = visa_names_new(routine),
                     .error = &error },
        .routine = routine,
        .line = g_string_new(NULL),
    };

    g_string_append(out, routine->function ? ".global_function " : ".kernel ");
    visa_print_string(out, (const uint8_t *)routine->name,
                      strlen(routine->name));
    g_string_append_c(out, '\n');
    visa_print_declarations(&l.printer, routine);
    if (!labels_follow(routine)) {
        print_labels(&l);
    }
    g_string_append_c(out, '\n');
    print_code(&l);
    visa_names_free(l.printer.names);
    g_string_free(l.line, TRUE);
}

char *visa_disassemble(const VisaObject *object)
{
    GString *out = g_string_new(NULL);

    g_string_append_printf(out, ".version %u.%u\n", VISA_MAJOR, VISA_MINOR);
    for (unsigned i = 0; i < object->routines->len; i++) {
        if (i) {
            g_string_append_c(out, '\n');
        }
        print_routine(out, g_ptr_array_index(object->routines, i));
    }
    return g_string_free(out, FALSE);
}

/* --- Single lines -------------------------------------------------------- */

static bool no_message(const uint8_t *code, uint32_t bytes, VisaError *error)
{
    const VisaForeign *foreign = visa_foreign_find(code, bytes);

    if (foreign) {
        return visa_error(error, "0x%02x is %s, which veu does not execute",
                          code[0], foreign->name);
    }
    if (!bytes || veu_message_find(code, bytes) ||
        (bytes == 1 && veu_message_has_sub(code[0]))) {
        return visa_error(error, "the bytes end before the message does, or an "
                                 "operand is none");
    }
    if (veu_message_has_sub(code[0])) {
        return visa_error(error,
                          "there is no message with opcode 0x%02x and "
                          "sub-opcode 0x%02x",
                          code[0], code[1]);
    }
    return visa_error(error, "there is no message with opcode 0x%02x", code[0]);
}

char *visa_disassemble_line(const uint8_t *code, uint32_t bytes,
                            VisaNames *names, VisaError *error)
{
    VisaPrinter p = {
        .out = g_string_new(NULL),
        .names = names,
        .error = error,
    };
    VeuEncoding encoding;
    VeuFault fault;
    bool good;

    if (!veu_encoding_parse(code, bytes, &encoding, &fault)) {
        good = no_message(code, bytes, error);
    } else if (encoding.bytes != bytes) {
        good = visa_error(error, "the message has %u bytes, here are %u",
                          encoding.bytes, bytes);
    } else {
        good = visa_print_message(&p, &encoding);
    }
    return g_string_free(p.out, !good);
}
