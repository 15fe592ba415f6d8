/*
 * veu tools: where instructions end that veu does not execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "tools/visa/foreign.h"
#include "tools/visa/foreign_table.h"

const VisaForeign *visa_foreign_find(const uint8_t *code, uint32_t bytes)
{
    for (unsigned i = 0; i < visa_foreign_count; i++) {
        const VisaForeign *f = &visa_foreign_table[i];

        if (bytes && f->opcode == code[0] &&
            (f->sub < 0 || (bytes > 1 && f->sub == code[1]))) {
            return f;
        }
    }
    return NULL;
}

const VisaForeign *visa_foreign_by_name(const char *name)
{
    for (unsigned i = 0; i < visa_foreign_count; i++) {
        if (!strcmp(visa_foreign_table[i].name, name)) {
            return &visa_foreign_table[i];
        }
    }
    return NULL;
}

/* Immediates of these types have eight bytes: DF, UQ, Q. */
static bool is_wide_type(uint8_t type)
{
    return type == 6 || type == 11 || type == 13;
}

uint32_t visa_vector_bytes(const uint8_t *code, uint32_t bytes)
{
    /* By class: general, address, predicate, indirect, -, immediate, state. */
    static const uint8_t class_bytes[8] = { 9, 5, 3, 9, 0, 6, 5, 0 };
    uint32_t length = bytes ? class_bytes[code[0] & 7] : 0;

    if (length == 6 && bytes > 1 && is_wide_type(code[1] & 0xf)) {
        length = 10;
    }
    return length <= bytes ? length : 0;
}

typedef struct Walk {
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    uint16_t word;
    uint8_t count;
    VisaForeignOperand *operands;
    unsigned *operand_count;
} Walk;

static uint32_t operand_bytes(const Walk *w, char kind)
{
    switch (kind) {
    case 'p':
    case 'w':
    case 'l':
    case 'n':
        return 2;
    case 'd':
    case 'N':
        return 4;
    case 'r':
        return 6;
    case 'v':
        return visa_vector_bytes(w->code + w->at, w->bytes - w->at);
    default:
        return 1;
    }
}

static bool take(Walk *w, char kind)
{
    uint32_t length = operand_bytes(w, kind);

    if (!length || length > w->bytes - w->at ||
        *w->operand_count == VISA_FOREIGN_MAX_OPERANDS) {
        return false;
    }
    if (kind == 'w') {
        w->word = w->code[w->at] | w->code[w->at + 1] << 8;
    } else if (kind == '#') {
        w->count = w->code[w->at];
    }
    w->operands[(*w->operand_count)++] = (VisaForeignOperand){
        .kind = kind,
        .at = w->at,
        .bytes = length,
    };
    w->at += length;
    return true;
}

static bool take_many(Walk *w, char kind)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (!take(w, kind)) {
            return false;
        }
    }
    return true;
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Is there what @k says a condition of? */
static bool is_present(const Walk *w, const char *k, uint8_t layout)
{
    return k[0] == '?' ? w->word >> hex_digit(k[1]) & 1 :
                         layout >= hex_digit(k[1]);
}

bool visa_foreign_parse(const VisaForeign *foreign, uint8_t layout,
                        const uint8_t *code, uint32_t bytes,
                        VisaForeignOperand *operands, unsigned *operand_count,
                        uint32_t *length)
{
    Walk w = {
        .code = code,
        .bytes = bytes,
        .at = foreign->sub < 0 ? 1 : 2,
        .operands = operands,
        .operand_count = operand_count,
    };
    bool good = w.at <= bytes;

    *operand_count = 0;
    for (const char *k = foreign->operands; good && *k; k++) {
        if (*k == '?' || *k == '@') {
            bool present = is_present(&w, k, layout);

            k += 2;
            good = !present || take(&w, *k);
        } else if (*k == 'R' || *k == 'L') {
            good = take_many(&w, *k == 'R' ? 'r' : 'l');
        } else {
            good = take(&w, *k);
        }
    }
    *length = w.at;
    return good;
}
