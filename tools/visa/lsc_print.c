/*
 * veu tools: printing messages of LSC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/lsc.h"
#include "tools/visa/message_text.h"

static bool print_name(VisaPrinter *p, const char *before,
                       const VisaLscNames *names, uint8_t code)
{
    const char *name = code < G_N_ELEMENTS(names->name) ? names->name[code] :
                                                          NULL;

    if (!name) {
        return visa_error(p->error, "%s 0x%02x has no text", names->what, code);
    }
    g_string_append_printf(p->out, "%s%s", before, name);
    return true;
}

static bool is_null(const VeuEncodedRaw *raw)
{
    return !raw->id && !raw->offset_byte;
}

static bool print_raw(VisaPrinter *p, const VeuEncodedRaw *raw)
{
    if (raw->offset_byte) {
        return visa_print_raw(p, raw);
    }
    return visa_print_name(p, VISA_VARIABLE, raw->id);
}

static bool print_scalar(VisaPrinter *p, const VeuEncodedVector *v)
{
    if (v->class == VEU_OPERAND_IMMEDIATE && v->type == VEU_TYPE_UD &&
        !v->modifier) {
        g_string_append_printf(p->out, "0x%x", (uint32_t)v->immediate);
        return true;
    }
    if (v->class != VEU_OPERAND_GENERAL || v->modifier ||
        v->region != VEU_REGION(1, 2, 1) ||
        !visa_print_name(p, VISA_VARIABLE, v->id)) {
        return visa_error(p->error, "this surface has no text");
    }
    if (v->row || v->column) {
        g_string_append_printf(p->out, "(%u,%u)", v->row, v->column);
    }
    return true;
}

static bool print_block(VisaPrinter *p, const VisaLsc *l)
{
    g_string_append_printf(p->out, ".%ux%ux%u%c%c", l->blocks, l->width,
                           l->height,
                           l->order == VISA_LSC_TRANSPOSE ? 't' : 'n',
                           l->vnni ? 't' : 'n');
    return l->vnni <= 1;
}

static bool print_elements(VisaPrinter *p, const VisaLsc *l)
{
    if (l->elements != l->channels || !l->elements ||
        l->elements >= G_N_ELEMENTS(visa_lsc_elements)) {
        return visa_error(p->error, "this number of elements has no text");
    }
    if (l->elements > 1) {
        g_string_append_printf(p->out, "x%u", visa_lsc_elements[l->elements]);
    }
    g_string_append(p->out, l->order == VISA_LSC_TRANSPOSE ? "t" : "");
    return true;
}

static bool print_channels(VisaPrinter *p, const VisaLsc *l)
{
    g_string_append_c(p->out, '.');
    for (unsigned i = 0; i < 4; i++) {
        if (l->channels & 1 << i) {
            g_string_append_c(p->out, "xyzw"[i]);
        }
    }
    return l->channels && l->channels < 16 && l->elements == l->channels &&
           l->order == VISA_LSC_NONTRANSPOSE;
}

static bool print_data(VisaPrinter *p, const VisaLsc *l,
                       const VeuEncodedRaw *raw)
{
    if (!print_raw(p, raw) ||
        !print_name(p, ":", &visa_lsc_data_sizes, l->data_size) ||
        (l->order != VISA_LSC_NONTRANSPOSE && l->order != VISA_LSC_TRANSPOSE)) {
        return false;
    }
    return visa_lsc_is_block(l) ? print_block(p, l) :
           visa_lsc_is_quad(l)  ? print_channels(p, l) :
                                  print_elements(p, l);
}

/* --- Addresses ----------------------------------------------------------- */

static bool is_zero(const VeuEncodedVector *v)
{
    return v->class == VEU_OPERAND_IMMEDIATE && v->type == VEU_TYPE_UD &&
           !v->immediate && !v->modifier;
}

static bool print_model(VisaPrinter *p, const VisaLsc *l)
{
    bool surface = l->address_type >= 2 && l->address_type <= 4;

    if (!print_name(p, "", &visa_lsc_address_types, l->address_type)) {
        return false;
    }
    if (!surface && is_zero(&l->surface)) {
        return true;
    }
    g_string_append_c(p->out, '(');
    if (!print_scalar(p, &l->surface)) {
        return false;
    }
    g_string_append_c(p->out, ')');
    return true;
}

static bool print_coordinates(VisaPrinter *p, const VisaLsc *l)
{
    unsigned count = 4;

    while (count > 1 && is_null(&l->address[count - 1])) {
        count--;
    }
    for (unsigned i = 0; i < count; i++) {
        g_string_append(p->out, i ? "," : "");
        if (!print_raw(p, &l->address[i])) {
            return false;
        }
    }
    return true;
}

static bool print_vectors(VisaPrinter *p, const VisaLsc *l)
{
    for (unsigned i = 0; i < 6; i++) {
        g_string_append(p->out, i ? "," : "");
        if (!print_scalar(p, &l->vector[i])) {
            return false;
        }
    }
    return true;
}

static bool print_lane_address(VisaPrinter *p, const VisaLsc *l)
{
    int64_t offset = (int32_t)l->offset;

    if (l->scale != 1) {
        g_string_append_printf(p->out, "%u*", l->scale);
    }
    if (!print_raw(p, &l->address[0])) {
        return false;
    }
    if (offset) {
        g_string_append_printf(p->out, "%c0x%x", offset < 0 ? '-' : '+',
                               (uint32_t)(offset < 0 ? -offset : offset));
    }
    if (!visa_lsc_is_strided(l)) {
        return true;
    }
    g_string_append_c(p->out, ',');
    return print_scalar(p, &l->vector[0]);
}

static bool print_address(VisaPrinter *p, const VisaLsc *l)
{
    bool block = visa_lsc_is_block(l);

    if (block) {
        g_string_append(p->out, "flat");
    } else if (!print_model(p, l)) {
        return false;
    }
    g_string_append_c(p->out, '[');
    if (!(block                       ? print_vectors(p, l) :
          l->opcode == VISA_LSC_TYPED ? print_coordinates(p, l) :
                                        print_lane_address(p, l))) {
        return false;
    }
    g_string_append_c(p->out, ']');
    return block ||
           print_name(p, ":", &visa_lsc_address_sizes, l->address_size);
}

/* --- Messages ------------------------------------------------------------ */

static bool print_operands(VisaPrinter *p, const VisaLsc *l)
{
    const VeuEncodedRaw *source = l->source;
    VisaLscShape shape = visa_lsc_shape(l);
    bool store = shape == VISA_LSC_STORE;

    if (shape == VISA_LSC_STATE) {
        return visa_error(p->error, "state has no text");
    }
    if (!(store ? print_address(p, l) : print_data(p, l, &l->data))) {
        return false;
    }
    g_string_append_c(p->out, ' ');
    if (!(store ? print_data(p, l, &source[0]) : print_address(p, l))) {
        return false;
    }
    if (shape != VISA_LSC_ATOMIC) {
        return (store ? is_null(&l->data) : is_null(&source[0])) &&
               is_null(&source[1]);
    }
    g_string_append_c(p->out, ' ');
    if (!print_raw(p, &source[0])) {
        return false;
    }
    g_string_append_c(p->out, ' ');
    return print_raw(p, &source[1]);
}

static bool print_fence(VisaPrinter *p, const VisaLsc *l)
{
    return l->lanes == 0x80 && !l->predicate &&
           print_name(p, ".", &visa_lsc_functions, l->function) &&
           print_name(p, ".", &visa_lsc_fence_ops, l->fence_op) &&
           print_name(p, ".", &visa_lsc_scopes, l->scope);
}

static bool print_caching(VisaPrinter *p, const VisaLsc *l)
{
    return (!l->caching[0] && !l->caching[1]) ||
           (print_name(p, ".", &visa_lsc_caching, l->caching[0]) &&
            print_name(p, ".", &visa_lsc_caching, l->caching[1]));
}

bool visa_print_lsc(VisaPrinter *p, const VeuInstructionInfo *info,
                    const uint8_t *code, const VisaOperand *operands,
                    unsigned count)
{
    VisaLsc l;

    if (!visa_lsc_read(code, operands, count, &l) ||
        (l.predicate && !visa_print_predicate(p, l.predicate))) {
        return false;
    }
    g_string_append_len(p->out, info->mnemonic, strcspn(info->mnemonic, "."));
    if (l.opcode == VISA_LSC_FENCE) {
        return print_fence(p, &l);
    }
    if (!print_name(p, ".", &visa_lsc_functions, l.function) ||
        !print_caching(p, &l)) {
        return false;
    }
    g_string_append_c(p->out, ' ');
    if (!visa_print_lanes(p, l.lanes)) {
        return false;
    }
    g_string_append_c(p->out, ' ');
    return print_operands(p, &l);
}
