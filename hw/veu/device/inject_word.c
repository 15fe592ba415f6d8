/*
 * veu device model: words of the text of injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/inject_word.h"

bool veu_inject_word_is(VeuInjectWord word, const char *text)
{
    return strlen(text) == word.bytes && !memcmp(word.at, text, word.bytes);
}

static VeuInjectWord veu_inject_word_skip(VeuInjectWord word, size_t bytes)
{
    return (VeuInjectWord){ word.at + bytes, word.bytes - bytes };
}

VeuInjectWord veu_inject_word_split(VeuInjectWord *word, const char *separator)
{
    size_t length = strlen(separator);
    VeuInjectWord first = *word;

    for (size_t i = 0; i + length <= word->bytes; i++) {
        if (!memcmp(word->at + i, separator, length)) {
            first.bytes = i;
            *word = veu_inject_word_skip(*word, i + length);
            return first;
        }
    }
    *word = veu_inject_word_skip(*word, word->bytes);
    return first;
}

static unsigned digit_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' :
           c >= 'a' && c <= 'f' ? c - 'a' + 10 :
           c >= 'A' && c <= 'F' ? c - 'A' + 10 :
                                  16;
}

bool veu_inject_word_digits(VeuInjectWord *word, unsigned base, uint64_t *value)
{
    size_t count = 0;

    *value = 0;
    for (; count < word->bytes; count++) {
        unsigned digit = digit_value(word->at[count]);

        if (digit >= base) {
            break;
        }
        if (*value > (UINT64_MAX - digit) / base) {
            return false;
        }
        *value = *value * base + digit;
    }
    *word = veu_inject_word_skip(*word, count);
    return count > 0;
}

bool veu_inject_word_number(VeuInjectWord word, uint64_t *value)
{
    bool hex = word.bytes > 2 && !memcmp(word.at, "0x", 2);

    word = hex ? veu_inject_word_skip(word, 2) : word;
    return veu_inject_word_digits(&word, hex ? 16 : 10, value) && !word.bytes;
}

bool veu_inject_word_range(VeuInjectWord word, uint64_t *first, uint64_t *last)
{
    VeuInjectWord begin = veu_inject_word_split(&word, "..");

    if (!veu_inject_word_number(begin, first)) {
        return false;
    }
    *last = *first;
    return begin.at + begin.bytes == word.at ||
           (veu_inject_word_number(word, last) && *last >= *first);
}

bool veu_inject_word_fraction(VeuInjectWord word, uint64_t *value)
{
    size_t digits = word.bytes;

    if (digits > 9 || !veu_inject_word_digits(&word, 10, value) || word.bytes) {
        return false;
    }
    for (; digits < 9; digits++) {
        *value *= 10;
    }
    return true;
}
