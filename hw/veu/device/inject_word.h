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
/* Returns what is before the first @separator; *word then starts after it. */
VeuInjectWord veu_inject_word_split(VeuInjectWord *word, const char *separator);

/*
 * Takes the digits at the start of *word; there must be at least one, and the
 * number must fit.
 */
bool veu_inject_word_digits(VeuInjectWord *word, unsigned base,
                            uint64_t *value);

/*
 * Parse the whole word: a number, decimal or hexadecimal after 0x; FIRST..LAST,
 * or one number; up to nine digits of a fraction, in billionths. Return false
 * if it is something else.
 */
bool veu_inject_word_number(VeuInjectWord word, uint64_t *value);
bool veu_inject_word_range(VeuInjectWord word, uint64_t *first, uint64_t *last);
bool veu_inject_word_fraction(VeuInjectWord word, uint64_t *value);

#endif
