/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Building text.
 */
#include "rom_text.h"

static void put(struct rom_text *text, char c)
{
    if (text->at < text->last) {
        *text->at++ = c;
        *text->at = '\0';
    }
}

void rom_put(struct rom_text *text, const char *words)
{
    while (*words) {
        put(text, *words++);
    }
}

void rom_put_decimal(struct rom_text *text, uint32_t value)
{
    if (value >= 10) {
        rom_put_decimal(text, value / 10);
    }
    put(text, '0' + value % 10);
}

void rom_put_hex(struct rom_text *text, uint32_t value, unsigned digits)
{
    while (digits--) {
        unsigned digit = value >> 4 * digits & 0xf;

        put(text, digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
}
