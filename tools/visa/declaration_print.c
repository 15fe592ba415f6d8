/*
 * veu tools: printing the declarations of a kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "tools/visa/align.h"
#include "tools/visa/directive.h"
#include "tools/visa/disassemble.h"

void visa_print_string(GString *out, const uint8_t *bytes, size_t count)
{
    g_string_append_c(out, '"');
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '"' || bytes[i] == '\\') {
            g_string_append_printf(out, "\\%c", bytes[i]);
        } else if (g_ascii_isprint(bytes[i])) {
            g_string_append_c(out, bytes[i]);
        } else {
            g_string_append_printf(out, "\\x%02x", bytes[i]);
        }
    }
    g_string_append_c(out, '"');
}

/* Prints a word unchanged, and anything else as a string. */
static void print_word(GString *out, const char *word)
{
    size_t length = strlen(word);

    if (length && !g_ascii_isdigit(*word) &&
        strspn(word, "_0123456789abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == length) {
        g_string_append(out, word);
    } else {
        visa_print_string(out, (const uint8_t *)word, length);
    }
}

/* Four bytes are a number, except in file names. */
static bool is_number(const VisaAttribute *a)
{
    return a->bytes == 4 && strcmp(a->name, "OutputAsmPath") &&
           strcmp(a->name, "AsmName");
}

static void print_attribute(GString *out, const VisaAttribute *a)
{
    print_word(out, a->name);
    if (!a->bytes) {
        return;
    }
    if (is_number(a)) {
        uint32_t value = a->value[0] | a->value[1] << 8 | a->value[2] << 16 |
                         (uint32_t)a->value[3] << 24;

        g_string_append_printf(out, "=%d", (int32_t)value);
    } else if (!strcmp(a->name, "Target") && a->bytes == 1 &&
               a->value[0] < VISA_TARGETS) {
        g_string_append_printf(out, "=\"%s\"", visa_targets[a->value[0]]);
    } else {
        g_string_append_c(out, '=');
        visa_print_string(out, a->value, a->bytes);
    }
}

static void print_attributes(GString *out, const GArray *attributes)
{
    for (uint32_t i = 0; attributes && i < attributes->len; i++) {
        g_string_append(out, i ? ", " : " attrs={");
        print_attribute(out, &g_array_index(attributes, VisaAttribute, i));
    }
    g_string_append(out, attributes ? "}" : "");
}

static void print_variable(VisaPrinter *p, const VisaSymbol *symbol)
{
    const char *align = visa_align_name(symbol->align);
    const char *name;

    g_string_append(p->out, " type=");
    visa_print_type(p, symbol->type);
    g_string_append_printf(p->out, " num_elts=%u align=%s", symbol->elements,
                           align ? align : "byte");
    if (symbol->alias) {
        name = visa_name(p->names, VISA_VARIABLE, symbol->alias);
        g_string_append_printf(p->out, " alias=<%s, %u>", name ? name : "%null",
                               symbol->alias_byte);
    }
}

/*
 * Samplers and surfaces are named by their ids; this prints their other names.
 */
static void print_other_name(VisaPrinter *p, VisaKind kind,
                             const VisaSymbol *symbol, const char *name)
{
    if ((kind == VISA_SAMPLER || kind == VISA_SURFACE) &&
        strcmp(symbol->name, name)) {
        g_string_append(p->out, " v_name=");
        print_word(p->out, symbol->name);
    }
}

static void print_symbol(VisaPrinter *p, VisaKind kind, uint32_t id,
                         const VisaSymbol *symbol)
{
    const char *name = visa_name(p->names, kind, id);

    g_string_append_printf(p->out, ".decl %s v_type=%s", name,
                           visa_kind_letter(kind));
    if (kind == VISA_VARIABLE) {
        print_variable(p, symbol);
    } else {
        g_string_append_printf(p->out, " num_elts=%u", symbol->elements);
    }
    print_other_name(p, kind, symbol, name);
    print_attributes(p->out, symbol->attributes);
    g_string_append_c(p->out, '\n');
}

static void print_input(VisaPrinter *p, const VisaInput *input)
{
    static const VisaKind kinds[] = {
        [VISA_INPUT_VARIABLE] = VISA_VARIABLE,
        [VISA_INPUT_SAMPLER] = VISA_SAMPLER,
        [VISA_INPUT_SURFACE] = VISA_SURFACE,
    };
    unsigned kind = input->kind & 7;
    unsigned provenance = input->kind >> 3;
    const char *name = kind < G_N_ELEMENTS(kinds) ?
                           visa_name(p->names, kinds[kind], input->id) :
                           NULL;

    if (!name) {
        g_string_append_printf(p->out,
                               "// input of kind %u, id %u: no such "
                               "variable\n",
                               input->kind, input->id);
        return;
    }
    if (provenance && visa_provenance_name(provenance)) {
        g_string_append_printf(p->out, ".implicit_%s",
                               visa_provenance_name(provenance));
    } else if (provenance) {
        g_string_append_printf(p->out, ".implicit_UNDEFINED_%u", provenance);
    } else {
        g_string_append(p->out, ".input");
    }
    g_string_append_printf(p->out, " %s offset=%u size=%u\n", name,
                           input->offset, input->bytes);
}

static void print_symbols(VisaPrinter *p, const VisaRoutine *routine,
                          VisaKind kind)
{
    const GArray *symbols = routine->symbols[kind];

    for (uint32_t i = 0; i < symbols->len; i++) {
        print_symbol(p, kind, visa_first_id(kind) + i,
                     &g_array_index(symbols, VisaSymbol, i));
    }
}

void visa_print_declarations(VisaPrinter *p, const VisaRoutine *routine)
{
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        if (kind != VISA_LABEL) {
            print_symbols(p, routine, kind);
        }
    }
    for (uint32_t i = 0; i < routine->inputs->len; i++) {
        print_input(p, &g_array_index(routine->inputs, VisaInput, i));
    }
    for (uint32_t i = 0; routine->attributes && i < routine->attributes->len;
         i++) {
        g_string_append(p->out, ".kernel_attr ");
        print_attribute(p->out,
                        &g_array_index(routine->attributes, VisaAttribute, i));
        g_string_append_c(p->out, '\n');
    }
}
