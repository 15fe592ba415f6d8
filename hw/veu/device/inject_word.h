/*
 * veu device model: words of the text of injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INJECT_WORD_H
#define VEU_DEVICE_INJECT_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a text, without a terminating zero. */
typedef struct VeuInjectWord {
    const char *at;
    size_t bytes;
} VeuInjectWord;

bool veu_inject_word_is(VeuInjectWord word, const char *text);
/* What is before the first @separator; *word begins after it then. */
VeuInjectWord veu_inject_word_split(VeuInjectWord *word, const char *separator);

/* Takes the digits that *word begins with; there is one, and it fits. */
bool veu_inject_word_digits(VeuInjectWord *word, unsigned base,
                            uint64_t *value);

/*
 * The whole word is decimal, or hexadecimal behind 0x; FIRST..LAST, or one
 * number; up to nine digits of a fraction, in billionths. Else false.
 */
bool veu_inject_word_number(VeuInjectWord word, uint64_t *value);
bool veu_inject_word_range(VeuInjectWord word, uint64_t *first, uint64_t *last);
bool veu_inject_word_fraction(VeuInjectWord word, uint64_t *value);

#endif
