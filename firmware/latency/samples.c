/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples of a measurement.
 */
#include "samples.h"

uint32_t samples_count(const char *command_line, uint32_t usual, uint32_t max)
{
    const char word[] = "count=", *text = command_line;
    uint32_t count = 0;

    while (*text && __builtin_memcmp(text, word, sizeof(word) - 1)) {
        text++;
    }
    for (text += *text ? sizeof(word) - 1 : 0; *text >= '0' && *text <= '9';
         text++) {
        count = count * 10 + *text - '0';
        if (count > max) {
            return max;
        }
    }
    return count ? count : usual;
}

void samples_sort(uint64_t *samples, uint32_t count)
{
    for (uint32_t gap = count / 2; gap; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            uint64_t sample = samples[i];
            uint32_t at = i;

            for (; at >= gap && samples[at - gap] > sample; at -= gap) {
                samples[at] = samples[at - gap];
            }
            samples[at] = sample;
        }
    }
}
