/*
 * veu tools: the text of instructions that are only listed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/listed_text.h"
#include "tools/visa/message_suffix.h"

/* --- Operands in the order of the encoding -------------------------------- */

/* Returns true if the text has the operands in order, without numbers. */
static bool is_plain(const VeuInstructionInfo *info)
{
    return info->listed && !strchr(info->mnemonic, '.') &&
           strspn(info->listed, "epv") == strlen(info->listed);
}

/* The plain row with the token's mnemonic, or NULL. */
static const VeuInstructionInfo *find_plain(const VisaLexer *lexer)
{
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        if (is_plain(&veu_instructions[i]) &&
            visa_is_name(lexer, veu_instructions[i].mnemonic, true)) {
            return &veu_instructions[i];
        }
    }
    return NULL;
}

static bool put_operand(VisaParser *p, char kind, uint16_t predicate,
                        GByteArray *code)
{
    VeuEncodedVector vector;
    uint16_t lanes;

    switch (kind) {
    case 'e':
        if (!visa_parse_lanes(p, VEU_FIELD_EXEC_SIZE, &lanes)) {
            return false;
        }
        visa_put(code, lanes, 1);
        return true;
    case 'p':
        visa_put(code, predicate, 2);
        return true;
    default:
        if (!visa_parse_vector(p, &vector)) {
            return false;
        }
        visa_put_vector(code, &vector);
        return true;
    }
}

static bool parse_plain(VisaParser *p, const VeuInstructionInfo *info,
                        uint16_t predicate, GByteArray *code)
{
    VisaPlace place = p->lexer.token.place;

    if (predicate && !strchr(info->listed, 'p')) {
        return visa_error_at(p->error, place, "%s takes no predicate",
                             info->mnemonic);
    }
    visa_lexer_next(&p->lexer);
    visa_put(code, info->opcode, 1);
    for (const char *k = info->listed; *k; k++) {
        if (!put_operand(p, *k, predicate, code)) {
            return false;
        }
    }
    return true;
}

bool visa_has_listed_text(const VisaLexer *lexer)
{
    return visa_is_sampler(lexer) || visa_is_lsc(lexer) || find_plain(lexer);
}

bool visa_parse_listed(VisaParser *p, uint16_t predicate, GByteArray *code)
{
    const VeuInstructionInfo *plain = find_plain(&p->lexer);

    return plain                      ? parse_plain(p, plain, predicate, code) :
           visa_is_sampler(&p->lexer) ? visa_parse_sampler(p, predicate, code) :
                                        visa_parse_lsc(p, predicate, code);
}

/* --- Instructions without text ------------------------------------------- */

static uint32_t number(const uint8_t *at, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes && i < 4; i++) {
        value |= (uint32_t)at[i] << (8 * i);
    }
    return value;
}

/* Returns false if the operand has no text that can be assembled. */
static bool print_operand(VisaPrinter *p, const VisaOperand *operand,
                          const uint8_t *at)
{
    VeuEncodedVector vector;
    VeuEncodedRaw raw;
    bool good = true;

    switch (operand->kind) {
    case 'e':
        good = visa_print_lanes(p, at[0]);
        break;
    case 'v':
        good = veu_vector_parse(at, operand->bytes, &vector) &&
               visa_print_vector(p, &vector);
        break;
    case 'r':
        raw = visa_take_raw(at);
        good = visa_print_raw(p, &raw);
        break;
    case 'l':
        good = visa_print_label(p, number(at, 2));
        break;
    case 's':
        good = visa_print_name(p, VISA_SURFACE, at[0]);
        break;
    case 'm':
        good = visa_print_name(p, VISA_SAMPLER, at[0]);
        break;
    default:
        g_string_append_printf(p->out, "0x%x", number(at, operand->bytes));
        break;
    }
    g_string_append(p->out, good ? "" : "?");
    return good;
}

/*
 * Prints the name and operands. Returns false if some have no text; then all
 * are printed so that a reader can follow the kernel.
 */
static bool print_operands(VisaPrinter *p, const char *mnemonic,
                           const uint8_t *code, const VisaOperand *operands,
                           unsigned count)
{
    bool good = true;

    for (unsigned i = 0; i < count; i++) {
        uint16_t predicate = operands[i].kind == 'p' ?
                                 number(code + operands[i].at, 2) :
                                 0;

        if (predicate && !visa_print_predicate(p, predicate)) {
            g_string_append(p->out, "(?) ");
            good = false;
        }
    }
    g_string_append(p->out, mnemonic);
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].kind != 'p') {
            g_string_append_c(p->out, ' ');
            good &= print_operand(p, &operands[i], code + operands[i].at);
        }
    }
    return good;
}

/* --- Printing ------------------------------------------------------------ */

/* Only layout 0 has text, because veu-as writes no other. */
static bool print_text(VisaPrinter *p, const VeuInstructionInfo *info,
                       const uint8_t *code, const VisaOperand *operands,
                       unsigned count)
{
    switch (info->opcode) {
    case 0x6d:
    case 0x6e:
    case 0x6f:
    case 0x70:
        return visa_print_sampler(p, code, operands, count);
    case 0x89:
    case 0x8a:
    case 0x8b:
        return visa_print_lsc(p, info, code, operands, count);
    default:
        return false;
    }
}

bool visa_print_listed(VisaPrinter *p, const VeuInstructionInfo *info,
                       uint8_t layout, const uint8_t *code, uint32_t bytes)
{
    VisaOperand operands[VISA_MAX_OPERANDS];
    size_t start = p->out->len;
    unsigned count;

    visa_walk(info, layout, code, bytes, operands, &count);
    if ((!layout ||
         visa_walk(info, 0, code, bytes, operands, &count) == bytes) &&
        print_text(p, info, code, operands, count)) {
        return true;
    }
    visa_walk(info, layout, code, bytes, operands, &count);
    g_string_truncate(p->out, start);
    return (print_operands(p, info->mnemonic, code, operands, count) &&
            is_plain(info)) ||
           visa_error(p->error, "it has no text");
}
