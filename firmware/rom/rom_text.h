/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Building text.
 */
#ifndef ROM_TEXT_H
#define ROM_TEXT_H

#include <stdint.h>

/** Room for text and its end: what does not fit is omitted. */
struct rom_text {
    char *at;
    char *last;
};

void rom_put(struct rom_text *text, const char *words);
void rom_put_decimal(struct rom_text *text, uint32_t value);
void rom_put_hex(struct rom_text *text, uint32_t value, unsigned digits);

#endif /* ROM_TEXT_H */
