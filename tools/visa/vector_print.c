/*
 * veu tools: printing vector operands of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "hw/veu/eu/program/type.h"
#include "tools/visa/instruction.h"
#include "tools/visa/predefined.h"

static bool print_address(VisaPrinter *p, const VeuEncodedVector *v)
{
    if (v->row > 5) {
        return visa_error(p->error, "there is no width 0x%02x", v->row);
    }
    if (!visa_print_name(p, VISA_ADDRESS, v->id)) {
        return false;
    }
    g_string_append_printf(p->out, "(%u)<%u>", v->column, 1u << v->row);
    return true;
}

static bool print_state(VisaPrinter *p, const VeuEncodedVector *v)
{
    if (v->type > 1) {
        return visa_error(p->error, "there is no kind of state %u", v->type);
    }
    if (!visa_print_name(p, v->type ? VISA_SAMPLER : VISA_SURFACE, v->id)) {
        return false;
    }
    g_string_append_printf(p->out, "(%u)", v->column);
    return true;
}

static bool print_scalar(VisaPrinter *p, const VeuEncodedVector *v)
{
    VeuEncodedScalar scalar = {
        .class = v->class,
        .modifier = v->modifier == VEU_MODIFIER_SAT ? 0 : v->modifier,
        .type = v->type,
        .row = v->row,
        .column = v->column,
        .region = v->region,
        .id = v->id,
        .add_byte = v->add_byte,
        .immediate = v->immediate,
    };

    return visa_print_scalar(p, &scalar);
}

bool visa_print_vector(VisaPrinter *p, const VeuEncodedVector *v)
{
    switch (v->class) {
    case VEU_OPERAND_ADDRESS:
        return print_address(p, v);
    case VEU_OPERAND_PREDICATE:
        return visa_print_name(p, VISA_PREDICATE, v->id);
    case VEU_OPERAND_STATE:
        return print_state(p, v);
    default:
        return print_scalar(p, v);
    }
}

bool visa_print_address_of(VisaPrinter *p, const VeuEncodedVector *v)
{
    const VisaSymbol *symbol = p->routine ? visa_symbol(p->routine,
                                                        VISA_VARIABLE, v->id) :
                                            NULL;
    const VisaPredefined *predefined = visa_predefined(VISA_VARIABLE, v->id);
    unsigned bytes = symbol     ? veu_type_bytes(symbol->type) :
                     predefined ? veu_type_bytes(predefined->type) :
                                  1;
    unsigned offset = v->row * 32 + v->column * bytes;

    g_string_append_c(p->out, '&');
    if (!visa_print_name(p, VISA_VARIABLE, v->id)) {
        return false;
    }
    if (offset) {
        g_string_append_printf(p->out, "[%u]", offset);
    }
    return true;
}
