/*
 * veu tools: printing the operands of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/lib/names.h"
#include "tools/visa/operand.h"
#include "tools/visa/symbols.h"
#include "veu/program.h"

bool visa_print_name(VisaPrinter *p, VisaKind kind, uint32_t id)
{
    const char *name = visa_name(p->names, kind, id);

    if (!name) {
        return visa_error(p->error, "there is no%s with id %u",
                          strchr(visa_kind_name(kind), ' '), id);
    }
    g_string_append(p->out, name);
    return true;
}

bool visa_print_type(VisaPrinter *p, uint8_t type)
{
    const char *name = name_of_type(type);
    g_autofree char *lower = g_ascii_strdown(name ? name : "", -1);

    g_string_append(p->out, lower);
    return name || visa_error(p->error, "there is no type %u", type);
}

bool visa_print_raw(VisaPrinter *p, const VeuEncodedRaw *raw)
{
    /* %null.4 is refused in text, but its bytes exist. */
    if (raw->id == 0 && raw->offset_byte) {
        g_string_append(p->out, "V0");
    } else if (!visa_print_name(p, VISA_VARIABLE, raw->id)) {
        return false;
    }
    g_string_append_printf(p->out, ".%u", raw->offset_byte);
    return true;
}

/* Prints the parts from the first one that is present: <0;1,0>. */
static bool print_region(VisaPrinter *p, uint16_t region)
{
    static const char marks[] = ";,>";
    unsigned first = !(region & 0xf) ? !(region & 0xf0) ? 2 : 1 : 0;

    if ((region & 0x8888) || (region & 0x7000)) {
        return visa_error(p->error, "there is no region 0x%04x", region);
    }
    g_string_append_c(p->out, '<');
    for (unsigned i = first; i < 3; i++) {
        unsigned code = region >> (4 * i) & 0xf;

        if (code) {
            g_string_append_printf(p->out, "%u", visa_region_values[code]);
        }
        g_string_append_c(p->out, marks[i]);
    }
    return true;
}

static bool print_general(VisaPrinter *p, const VeuEncodedScalar *scalar)
{
    if (!visa_print_name(p, VISA_VARIABLE, scalar->id)) {
        return false;
    }
    g_string_append_printf(p->out, "(%u,%u)", scalar->row, scalar->column);
    return print_region(p, scalar->region);
}

static bool print_indirect(VisaPrinter *p, const VeuEncodedScalar *scalar)
{
    g_string_append(p->out, "r[");
    if (!visa_print_name(p, VISA_ADDRESS, scalar->id)) {
        return false;
    }
    g_string_append_printf(p->out, "(%u),%d]", scalar->column,
                           scalar->add_byte);
    if (!print_region(p, scalar->region)) {
        return false;
    }
    g_string_append_c(p->out, ':');
    return visa_print_type(p, scalar->type);
}

static int64_t as_signed(const VeuEncodedScalar *scalar)
{
    switch (scalar->type) {
    case VEU_TYPE_D:
    case VEU_TYPE_W:
    case VEU_TYPE_B:
        return (int32_t)scalar->immediate;
    case VEU_TYPE_Q:
        return scalar->immediate;
    default:
        return 0;
    }
}

/* Prints negative integers as such, everything else as its bits. */
static bool print_immediate(VisaPrinter *p, const VeuEncodedScalar *scalar)
{
    int64_t value = as_signed(scalar);

    if (value < 0) {
        g_string_append_printf(p->out, "%" G_GINT64_FORMAT ":", value);
    } else {
        g_string_append_printf(p->out,
                               "0x%" G_GINT64_MODIFIER "x:", scalar->immediate);
    }
    return visa_print_type(p, scalar->type);
}

bool visa_print_scalar(VisaPrinter *p, const VeuEncodedScalar *scalar)
{
    if (scalar->modifier >= VISA_MODIFIERS) {
        return visa_error(p->error, "there is no modifier %u",
                          scalar->modifier);
    }
    if (scalar->modifier) {
        g_string_append(p->out, visa_modifiers[scalar->modifier]);
    }
    switch (scalar->class) {
    case VEU_SCALAR_GENERAL:
        return print_general(p, scalar);
    case VEU_SCALAR_INDIRECT:
        return print_indirect(p, scalar);
    default:
        return print_immediate(p, scalar);
    }
}

bool visa_print_predicate(VisaPrinter *p, uint16_t predicate)
{
    static const char *const combine[] = { "", ".any", ".all" };
    unsigned how = predicate >> 13 & 3;

    if ((predicate & 0x1000) || how == 3 || !(predicate & 0xfff)) {
        return visa_error(p->error, "there is no predicate 0x%04x", predicate);
    }
    g_string_append(p->out, predicate & 0x8000 ? "(!" : "(");
    if (!visa_print_name(p, VISA_PREDICATE, predicate & 0xfff)) {
        return false;
    }
    g_string_append_printf(p->out, "%s) ", combine[how]);
    return true;
}

/* --- Names --------------------------------------------------------------- */

static bool is_word(const char *name)
{
    bool word = g_ascii_isalpha(*name) || *name == '_';

    while (g_ascii_isalnum(*name) || *name == '_') {
        name++;
    }
    return word && !*name;
}

static bool has_quote(const char *name)
{
    return strpbrk(name, "\"\\\n");
}

static bool print_word(VisaPrinter *p, const char *name, bool quoted)
{
    const char *quote = quoted || !is_word(name) ? "\"" : "";

    if (!*name || has_quote(name)) {
        return visa_error(p->error, "this name has no text");
    }
    g_string_append_printf(p->out, "%s%s%s", quote, name, quote);
    return true;
}

bool visa_print_label(VisaPrinter *p, uint32_t id)
{
    const char *name = visa_name(p->names, VISA_LABEL, id);

    return name ? print_word(p, name, false) :
                  visa_error(p->error, "there is no label with id %u", id);
}

bool visa_print_string_index(VisaPrinter *p, uint32_t index, bool quoted)
{
    if (!p->routine || index >= p->routine->strings->len) {
        return visa_error(p->error, "there is no string %u", index);
    }
    return print_word(p, g_ptr_array_index(p->routine->strings, index), quoted);
}
