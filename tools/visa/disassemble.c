/*
 * veu tools: from objects and instructions to vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * An instruction without text becomes a comment with its offset and name, and a
 * line .bytes, so that all text can be assembled again.
 */
#include <string.h>
#include "tools/visa/disassemble.h"
#include "tools/visa/instruction.h"

#define BYTES_OF_A_LINE 24

typedef struct Listing {
    VisaPrinter printer;
    const VisaRoutine *routine;
    GString *line;
    GHashTable *placed; /* ids of the labels printed so far */
} Listing;

static uint32_t label_id(const uint8_t *code)
{
    return code[1] | code[2] << 8;
}

/* --- Labels -------------------------------------------------------------- */

/* The label that the instruction at @code defines, or -1. */
static int64_t label_at(const VisaRoutine *routine, const uint8_t *code,
                        uint32_t bytes)
{
    bool puts = bytes >= 3 && (code[0] == VISA_OPCODE_LABEL ||
                               code[0] == VISA_OPCODE_SUBROUTINE);

    return puts && visa_symbol(routine, VISA_LABEL, label_id(code)) ?
               (int64_t)label_id(code) :
               -1;
}

/* The labels that text without .label lines would imply. */
typedef struct Follow {
    uint32_t next; /* id of the next new name */
    bool good;
} Follow;

static void follow(void *opaque, char kind, uint8_t *at)
{
    Follow *f = opaque;
    uint32_t id = at[0] | at[1] << 8;

    f->good = f->good && id <= f->next;
    f->next += id == f->next;
}

/* Returns true if the label's kind is the one that its lines imply. */
static bool has_kind(const VisaRoutine *routine, const uint8_t *code,
                     uint32_t bytes)
{
    int64_t id = label_at(routine, code, bytes);
    bool subroutine = code[0] == VISA_OPCODE_SUBROUTINE;

    return id < 0 ||
           visa_symbol(routine, VISA_LABEL, id)->label_kind ==
               (subroutine ? VISA_LABEL_SUBROUTINE : VISA_LABEL_BLOCK);
}

/* Returns true if an instruction with an existing label has a text. */
static bool has_text(Listing *l, const uint8_t *code, uint32_t bytes)
{
    VisaPrinter p = l->printer;
    uint32_t length;

    p.out = l->line;
    g_string_truncate(l->line, 0);
    return label_at(l->routine, code, bytes) >= 0 ||
           visa_print_instruction(&p, l->routine->layout, code, bytes, &length);
}

/* Returns true if the instruction defines a label that no earlier one did. */
static bool is_new_place(const VisaRoutine *routine, const uint8_t *code,
                         uint32_t bytes, bool *placed)
{
    int64_t id = label_at(routine, code, bytes);
    bool is_new = id >= 0 && !placed[id];

    if (is_new) {
        placed[id] = true;
    }
    return is_new;
}

/* Returns true if the lines alone imply the ids and kinds of all labels. */
static bool labels_follow(Listing *l)
{
    const VisaRoutine *routine = l->routine;
    const GByteArray *code = routine->code;
    Follow f = { .good = true };
    g_autofree bool *placed = g_new0(bool,
                                     routine->symbols[VISA_LABEL]->len + 1);
    uint32_t count = 0;
    uint32_t at = 0;
    uint32_t length = 1;

    while (f.good && length && at < code->len) {
        uint8_t *here = code->data + at;
        uint32_t before = f.next;

        length = visa_visit(routine->layout, here, code->len - at, "l", follow,
                            &f);
        f.good = f.good && has_kind(routine, here, code->len - at) &&
                 (f.next == before || has_text(l, here, code->len - at));
        count += is_new_place(routine, here, code->len - at, placed);
        at += length;
    }
    return f.good && length && f.next == routine->symbols[VISA_LABEL]->len &&
           count == f.next;
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

/*
 * Prints a label, with .function if it is a subroutine's. A label that is
 * already defined, or has another kind, has no text.
 */
static bool print_label_line(Listing *l, const uint8_t *code, uint32_t bytes)
{
    int64_t id = label_at(l->routine, code, bytes);
    const char *name = id < 0 ? NULL :
                                visa_name(l->printer.names, VISA_LABEL, id);
    bool subroutine = code[0] == VISA_OPCODE_SUBROUTINE;

    if (!name || !g_hash_table_add(l->placed, GUINT_TO_POINTER(id)) ||
        subroutine != (visa_symbol(l->routine, VISA_LABEL, id)->label_kind ==
                       VISA_LABEL_SUBROUTINE)) {
        g_string_append(l->line, "a label that text cannot put here");
        return false;
    }
    if (subroutine) {
        g_string_append_printf(l->line, ".function \"%s\"\n", name);
    }
    g_string_append_printf(l->line, "%s:", name);
    return true;
}

static bool print_line(Listing *l, const uint8_t *code, uint32_t bytes,
                       uint32_t *length)
{
    VisaPrinter p = l->printer;
    const VeuInstructionInfo *info = veu_instruction_find(code, bytes);
    const VeuMessageInfo *message = veu_message_find(code, bytes);

    if (bytes >= 3 &&
        (code[0] == VISA_OPCODE_LABEL || code[0] == VISA_OPCODE_SUBROUTINE)) {
        *length = 3;
        return print_label_line(l, code, bytes);
    }
    g_string_append(l->line, "    ");
    p.out = l->line;
    if (visa_print_instruction(&p, l->routine->layout, code, bytes, length)) {
        return true;
    }
    if (!info || !info->listed) {
        g_string_printf(l->line, "%s: %s",
                        info    ? info->mnemonic :
                        message ? message->mnemonic :
                                  "",
                        p.error->message);
    }
    return false;
}

/* Prints a comment and the bytes of instructions that cannot be told apart. */
static void print_rest(Listing *l, uint32_t at)
{
    const GByteArray *code = l->routine->code;
    const VeuInstructionInfo *info = veu_instruction_find(code->data + at,
                                                          code->len - at);

    g_string_append_printf(l->printer.out, "// 0x%04x: ", at);
    if (info) {
        g_string_append_printf(l->printer.out, "%s, which", info->mnemonic);
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

/*
 * Prints the instruction at @at. Returns its length, or 0 if that is unknown.
 */
static uint32_t print_instruction(Listing *l, uint32_t at)
{
    const uint8_t *code = l->routine->code->data + at;
    uint32_t bytes = l->routine->code->len - at;
    uint32_t length;
    bool good;

    g_string_truncate(l->line, 0);
    good = print_line(l, code, bytes, &length);
    if (good) {
        g_string_append_printf(l->printer.out, "%s\n", l->line->str);
    } else if (length) {
        g_string_append_printf(l->printer.out, "// 0x%04x: %s\n", at,
                               l->line->str + strspn(l->line->str, " "));
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
    VisaError error = { 0 };
    Listing l = {
        .printer = { .out = out,
                     .routine = routine,
                     .names = visa_names_new(routine),
                     .error = &error },
        .routine = routine,
        .line = g_string_new(NULL),
        .placed = g_hash_table_new(NULL, NULL),
    };

    g_string_append(out, routine->function ? ".global_function " : ".kernel ");
    visa_print_string(out, (const uint8_t *)routine->name,
                      strlen(routine->name));
    g_string_append_c(out, '\n');
    visa_print_declarations(&l.printer, routine);
    if (!labels_follow(&l)) {
        print_labels(&l);
    }
    g_string_append_c(out, '\n');
    print_code(&l);
    visa_names_free(l.printer.names);
    g_string_free(l.line, TRUE);
    g_hash_table_unref(l.placed);
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

static bool no_instruction(const uint8_t *code, uint32_t bytes,
                           VisaError *error)
{
    bool exists = bytes && (veu_message_find(code, bytes) ||
                            veu_instruction_find(code, bytes));

    if (!bytes || exists || (bytes == 1 && veu_message_has_sub(code[0]))) {
        return visa_error(error, "the bytes end before the instruction does, "
                                 "or an operand is none");
    }
    if (veu_message_has_sub(code[0])) {
        return visa_error(error,
                          "there is no instruction with opcode 0x%02x and "
                          "sub-opcode 0x%02x",
                          code[0], code[1]);
    }
    return visa_error(error, "there is no instruction with opcode 0x%02x",
                      code[0]);
}

char *visa_disassemble_line(const uint8_t *code, uint32_t bytes,
                            VisaNames *names, VisaError *error)
{
    VisaPrinter p = {
        .out = g_string_new(NULL),
        .names = names,
        .error = error,
    };
    uint32_t length;
    bool good = visa_print_instruction(&p, 0, code, bytes, &length);

    if (!length) {
        good = no_instruction(code, bytes, error);
    } else if (length != bytes) {
        good = visa_error(error, "the instruction has %u bytes, here are %u",
                          length, bytes);
    }
    return g_string_free(p.out, !good);
}
