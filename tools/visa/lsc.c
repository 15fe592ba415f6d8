/*
 * veu tools: messages of LSC as bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/lsc.h"
#include "tools/visa/message_text.h"

const VisaLscNames visa_lsc_functions = { "a function",
                                          { "ugm", "ugml", "tgm", "slm" } };
const VisaLscNames visa_lsc_caching = {
    "a caching option", { "df", "uc", "ca", "wb", "wt", "st", "ri" }
};
const VisaLscNames visa_lsc_address_types = {
    "an address model", { NULL, "flat", "bss", "ss", "bti", "arg" }
};
const VisaLscNames visa_lsc_address_sizes = { "an address size",
                                              { NULL, "a16", "a32", "a64" } };
const VisaLscNames visa_lsc_data_sizes = { "a data size",
                                           { NULL, "d8", "d16", "d32", "d64",
                                             "d8c32", "d16c32", "d16c32h" } };
const VisaLscNames visa_lsc_fence_ops = {
    "an operation",
    { "none", "evict", "invalidate", "discard", "clean", "flushl3", "type6" }
};
const VisaLscNames visa_lsc_scopes = {
    "a scope", { "group", "local", "tile", "gpu", "gpus", "sysrel", "sysacq" }
};
const uint8_t visa_lsc_elements[9] = { 0, 1, 2, 3, 4, 8, 16, 32, 64 };

bool visa_lsc_is_block(const VisaLsc *l)
{
    return l->opcode == VISA_LSC_UNTYPED && (l->sub == 3 || l->sub == 7);
}

bool visa_lsc_is_strided(const VisaLsc *l)
{
    return l->opcode == VISA_LSC_UNTYPED && (l->sub == 1 || l->sub == 5);
}

bool visa_lsc_is_quad(const VisaLsc *l)
{
    return l->sub == 2 || l->sub == 6;
}

VisaLscShape visa_lsc_shape(const VisaLsc *l)
{
    return l->sub <= 3 || l->sub == 0x1b                   ? VISA_LSC_LOAD :
           l->sub <= 7 || l->sub == 0x1c || l->sub == 0x1d ? VISA_LSC_STORE :
           l->sub == 0x1e                                  ? VISA_LSC_STATE :
                                                             VISA_LSC_ATOMIC;
}

/* --- Writing and reading by one list of fields --------------------------- */

/* The place of a field of VisaLsc, and its letter in the table. */
typedef struct Place {
    char kind;
    uint16_t offset;
} Place;

#define AT(kind, member)                  \
    {                                     \
        (kind), offsetof(VisaLsc, member) \
    }

/* The common start of several messages, and their elements. */
#define LANES   AT('e', lanes), AT('p', predicate)
#define CACHING AT('b', caching[0]), AT('b', caching[1])
#define ELEMENTS                                                               \
    AT('b', address_size), AT('b', data_size), AT('b', order),                 \
        AT('b', elements), AT('b', channels), AT('v', surface), AT('r', data), \
        AT('r', address[0])
#define UNTYPED                                                               \
    LANES, AT('b', function), CACHING, AT('b', address_type), AT('w', scale), \
        AT('d', offset), ELEMENTS

static const Place plain[] = {
    UNTYPED,
    AT('r', source[0]),
    AT('r', source[1]),
    { 0 },
};
static const Place strided[] = {
    UNTYPED,
    AT('v', vector[0]),
    AT('r', source[0]),
    { 0 },
};
static const Place block[] = {
    LANES,
    AT('b', function),
    CACHING,
    AT('b', data_size),
    AT('b', order),
    AT('b', blocks),
    AT('w', width),
    AT('w', height),
    AT('b', vnni),
    AT('r', data),
    AT('v', vector[0]),
    AT('v', vector[1]),
    AT('v', vector[2]),
    AT('v', vector[3]),
    AT('v', vector[4]),
    AT('v', vector[5]),
    AT('r', source[0]),
    { 0 },
};
static const Place typed[] = {
    LANES,
    CACHING,
    AT('b', address_type),
    ELEMENTS,
    AT('r', address[1]),
    AT('r', address[2]),
    AT('r', address[3]),
    AT('r', source[0]),
    AT('r', source[1]),
    { 0 },
};
static const Place fence[] = {
    LANES, AT('b', function), AT('b', fence_op), AT('b', scope), { 0 },
};

#undef UNTYPED
#undef ELEMENTS
#undef CACHING
#undef LANES

static const Place *places_of(const VisaLsc *l)
{
    return l->opcode == VISA_LSC_FENCE ? fence :
           l->opcode == VISA_LSC_TYPED ? typed :
           visa_lsc_is_block(l)        ? block :
           visa_lsc_is_strided(l)      ? strided :
                                         plain;
}

static void put_place(GByteArray *code, const Place *place, const void *value)
{
    switch (place->kind) {
    case 'v':
        visa_put_vector(code, value);
        break;
    case 'r':
        visa_put_raw(code, value);
        break;
    case 'd':
        visa_put(code, *(const uint32_t *)value, 4);
        break;
    case 'p':
    case 'w':
        visa_put(code, *(const uint16_t *)value, 2);
        break;
    default:
        visa_put(code, *(const uint8_t *)value, 1);
        break;
    }
}

void visa_lsc_write(const VisaLsc *l, GByteArray *code)
{
    visa_put(code, l->opcode, 1);
    if (l->opcode != VISA_LSC_FENCE) {
        visa_put(code, l->sub, 1);
    }
    for (const Place *place = places_of(l); place->kind; place++) {
        put_place(code, place, (const uint8_t *)l + place->offset);
    }
}

/* Numbers are copied, because both sides are little-endian. */
static bool take_place(const VisaOperand *operand, const uint8_t *at,
                       void *value)
{
    if (operand->kind == 'v') {
        return veu_vector_parse(at, operand->bytes, value);
    }
    if (operand->kind == 'r') {
        *(VeuEncodedRaw *)value = visa_take_raw(at);
    } else {
        memcpy(value, at, operand->bytes);
    }
    return true;
}

bool visa_lsc_read(const uint8_t *code, const VisaOperand *operands,
                   unsigned count, VisaLsc *l)
{
    const Place *places;

    *l = (VisaLsc){ .opcode = code[0] };
    l->sub = l->opcode == VISA_LSC_FENCE ? 0 : code[1];
    l->function = l->opcode == VISA_LSC_TYPED ? VISA_LSC_TGM : 0;
    places = places_of(l);
    for (unsigned i = 0; i < count; i++) {
        if (places[i].kind != operands[i].kind ||
            !take_place(&operands[i], code + operands[i].at,
                        (uint8_t *)l + places[i].offset)) {
            return false;
        }
    }
    return true;
}
