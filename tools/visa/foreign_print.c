/*
 * veu tools: printing instructions that veu does not execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names and operands, so that a reader can follow a kernel; this is no text
 * that could be assembled again.
 */
#include "tools/visa/disassemble.h"
#include "tools/visa/foreign.h"

/* Classes of vector operands that messages do not have. */
enum {
    CLASS_ADDRESS = 1,
    CLASS_PREDICATE = 2,
    CLASS_STATE = 6,
};

static uint32_t number(const uint8_t *at, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes && i < 4; i++) {
        value |= (uint32_t)at[i] << (8 * i);
    }
    return value;
}

static void print_name(VisaPrinter *p, VisaKind kind, uint32_t id)
{
    if (!visa_print_name(p, kind, id)) {
        g_string_append_printf(p->out, "?%u", id);
    }
}

static void print_lanes(VisaPrinter *p, uint8_t lanes)
{
    g_string_append_printf(p->out, "(M%u%s, %u)", (lanes >> 4 & 7) + 1,
                           lanes & 0x80 ? "_NM" : "", 1u << (lanes & 7));
}

static void print_scalar(VisaPrinter *p, const uint8_t *at, uint32_t bytes)
{
    VeuEncodedScalar scalar = { .class = at[0] & 7, .modifier = at[0] >> 3 };

    if (scalar.class == VEU_SCALAR_GENERAL) {
        scalar.id = number(at + 1, 4);
        scalar.row = at[5];
        scalar.column = at[6];
        scalar.region = number(at + 7, 2);
    } else if (scalar.class == VEU_SCALAR_INDIRECT) {
        scalar.id = number(at + 1, 2);
        scalar.column = at[3];
        scalar.add_byte = number(at + 4, 2);
        scalar.type = at[6];
        scalar.region = number(at + 7, 2);
    } else {
        scalar.type = at[1];
        scalar.immediate = number(at + 2, 4);
        if (bytes == 10) {
            scalar.immediate |= (uint64_t)number(at + 6, 4) << 32;
        }
    }
    if (!visa_print_scalar(p, &scalar)) {
        g_string_append_c(p->out, '?');
    }
}

static void print_vector(VisaPrinter *p, const uint8_t *at, uint32_t bytes)
{
    switch (at[0] & 7) {
    case CLASS_ADDRESS:
        print_name(p, VISA_ADDRESS, number(at + 1, 2));
        g_string_append_printf(p->out, "(%u)<%u>", at[3], 1u << (at[4] & 7));
        break;
    case CLASS_PREDICATE:
        print_name(p, VISA_PREDICATE, number(at + 1, 2) & 0xfff);
        break;
    case CLASS_STATE:
        print_name(p, at[1] == 1 ? VISA_SAMPLER : VISA_SURFACE,
                   number(at + 2, 2));
        g_string_append_printf(p->out, "(%u)", at[4]);
        break;
    default:
        print_scalar(p, at, bytes);
        break;
    }
}

static void print_operand(VisaPrinter *p, const VisaForeignOperand *operand,
                          const uint8_t *at)
{
    VeuEncodedRaw raw = { 0 };

    switch (operand->kind) {
    case 'e':
        print_lanes(p, at[0]);
        break;
    case 'v':
        print_vector(p, at, operand->bytes);
        break;
    case 'r':
        raw = (VeuEncodedRaw){ number(at, 4), number(at + 4, 2) };
        if (!visa_print_raw(p, &raw)) {
            g_string_append_printf(p->out, "?%u.%u", raw.id, raw.offset_byte);
        }
        break;
    case 'l':
        print_name(p, VISA_LABEL, number(at, 2));
        break;
    case 's':
        print_name(p, VISA_SURFACE, at[0]);
        break;
    case 'm':
        print_name(p, VISA_SAMPLER, at[0]);
        break;
    default:
        g_string_append_printf(p->out, "0x%x", number(at, operand->bytes));
        break;
    }
}

/* Predicates come first in text. */
static void print_predicates(VisaPrinter *p, const VisaForeignOperand *operands,
                             unsigned count, const uint8_t *code)
{
    for (unsigned i = 0; i < count; i++) {
        const VisaForeignOperand *o = &operands[i];
        uint16_t predicate = o->kind == 'p' ? number(code + o->at, o->bytes) :
                                              0;

        if (predicate && !visa_print_predicate(p, predicate)) {
            g_string_append(p->out, "(?) ");
        }
    }
}

void visa_print_foreign(VisaPrinter *p, const VisaForeign *foreign,
                        uint8_t layout, const uint8_t *code, uint32_t bytes)
{
    VisaForeignOperand operands[VISA_FOREIGN_MAX_OPERANDS];
    unsigned count;
    uint32_t length;

    visa_foreign_parse(foreign, layout, code, bytes, operands, &count, &length);
    print_predicates(p, operands, count, code);
    g_string_append(p->out, foreign->name);
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].kind != 'p') {
            g_string_append_c(p->out, ' ');
            print_operand(p, &operands[i], code + operands[i].at);
        }
    }
}
