/*
 * veu tools: the places of a kernel's variables in the register file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/program.h"
#include "tools/visa/align.h"
#include "tools/visa/predefined.h"
#include "tools/visa/program.h"

#define NOWHERE UINT32_MAX

uint64_t visa_symbol_bytes(const VisaSymbol *symbol)
{
    return (uint64_t)symbol->elements * veu_type_bytes(symbol->type);
}

static bool check_variable(const VisaSymbol *symbol, VisaError *error)
{
    if (!veu_type_bytes(symbol->type)) {
        return visa_error(error,
                          "%s has a type that no variable of a program "
                          "may have",
                          symbol->name);
    }
    return symbol->elements ||
           visa_error(error, "%s has no elements", symbol->name);
}

static bool place(VisaLayout *l, const VisaSymbol *symbol, uint32_t index,
                  uint64_t at, VisaError *error)
{
    uint64_t end = at + visa_symbol_bytes(symbol);

    if (end > VEU_LIMIT_REGISTER_BYTES) {
        return visa_error(error,
                          "%s ends at byte %" G_GUINT64_FORMAT " of the "
                          "register file, which has %u",
                          symbol->name, end, VEU_LIMIT_REGISTER_BYTES);
    }
    l->register_byte[index] = at;
    l->bytes = MAX(l->bytes, end);
    return true;
}

static bool place_inputs(VisaLayout *l, const VisaRoutine *routine,
                         VisaError *error)
{
    for (uint32_t i = 0; i < routine->inputs->len; i++) {
        VisaInput *input = &g_array_index(routine->inputs, VisaInput, i);
        const VisaSymbol *symbol = visa_symbol(routine, VISA_VARIABLE,
                                               input->id);

        if ((input->kind & 3) == VISA_INPUT_VARIABLE && symbol &&
            !place(l, symbol, input->id - VEU_FIRST_VARIABLE, input->offset,
                   error)) {
            return false;
        }
    }
    return true;
}

/* An alias is a part of an earlier variable, or of a predefined one. */
static bool place_alias(VisaLayout *l, const VisaRoutine *routine,
                        uint32_t index, VisaError *error)
{
    const VisaSymbol *symbol = &g_array_index(routine->symbols[VISA_VARIABLE],
                                              VisaSymbol, index);
    uint32_t base = symbol->alias - VEU_FIRST_VARIABLE;

    if (symbol->alias < VEU_FIRST_VARIABLE && l->predefined[symbol->alias]) {
        return place(l, symbol, index,
                     (uint64_t)l->predefined_byte[symbol->alias] +
                         symbol->alias_byte,
                     error);
    }
    if (symbol->alias < VEU_FIRST_VARIABLE) {
        const VisaPredefined *p = visa_predefined(VISA_VARIABLE, symbol->alias);

        return visa_error(error, "%s is a part of %s, which no program has",
                          symbol->name, p ? p->name : "a predefined variable");
    }
    if (base >= index) {
        return visa_error(error,
                          "%s is an alias of a variable that is not "
                          "declared before it",
                          symbol->name);
    }
    return place(l, symbol, index,
                 (uint64_t)l->register_byte[base] + symbol->alias_byte, error);
}

static bool place_next(VisaLayout *l, const VisaSymbol *symbol, uint32_t index,
                       VisaError *error)
{
    uint32_t align = visa_align_bytes(symbol->align, l->grf_bytes);
    uint64_t at = ((uint64_t)l->bytes + align - 1) / align * align;

    return place(l, symbol, index, at, error);
}

static bool place_variables(VisaLayout *l, const VisaRoutine *routine,
                            VisaError *error)
{
    const GArray *variables = routine->symbols[VISA_VARIABLE];

    for (uint32_t i = 0; i < variables->len; i++) {
        const VisaSymbol *v = &g_array_index(variables, VisaSymbol, i);

        if (!check_variable(v, error)) {
            return false;
        }
        if (l->register_byte[i] == NOWHERE &&
            !(v->alias ? place_alias(l, routine, i, error) :
                         place_next(l, v, i, error))) {
            return false;
        }
    }
    return true;
}

/*
 * %r0 is the first register; the other predefined variables follow the inputs.
 */
static void place_predefined(VisaLayout *l)
{
    for (uint32_t id = 1; id < VEU_FIRST_VARIABLE; id++) {
        const VisaPredefined *p = visa_predefined(VISA_VARIABLE, id);

        if (l->predefined[id] && p && id != VISA_ID_R0) {
            l->bytes = (l->bytes + l->grf_bytes - 1) / l->grf_bytes *
                       l->grf_bytes;
            l->predefined_byte[id] = l->bytes;
            l->bytes += p->elements * veu_type_bytes(p->type);
        }
    }
}

bool visa_layout(VisaLayout *l, const VisaRoutine *routine, uint32_t grf_bytes,
                 const bool *predefined, VisaError *error)
{
    uint32_t count = routine->symbols[VISA_VARIABLE]->len;

    *l = (VisaLayout){
        .register_byte = g_new(uint32_t, count + 1),
        .bytes = predefined[VISA_ID_R0] ? grf_bytes : 0,
        .grf_bytes = grf_bytes,
    };
    memcpy(l->predefined, predefined, sizeof(l->predefined));
    for (uint32_t i = 0; i < count; i++) {
        l->register_byte[i] = NOWHERE;
    }
    if (!place_inputs(l, routine, error)) {
        return false;
    }
    place_predefined(l);
    return place_variables(l, routine, error);
}

void visa_layout_free(VisaLayout *l)
{
    g_free(l->register_byte);
}
