/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One number, which the device stores repeatedly to words of eight pages.
 */
#ifndef WORDS_H
#define WORDS_H

#include "bench.h"

#define WORDS      8
#define WORD_BYTES 4
/** The offset of the word in each page; code that precedes it ends there. */
#define WORD_AT    4

/** Dispatches that may be in progress; each has a payload of its own. */
#define WORDS_DEEP 8

struct words {
    struct bench *b;
    uint8_t *pages;
    struct veu_command_dispatch command;
    uint8_t *registers; /**< of the first payload: the values of the words */
    uint32_t payload_bytes;
};

void words_init(struct words *words, struct bench *bench);

/** Puts a dispatch that stores @value to all words. */
void words_put(struct words *words, uint32_t value);

uint32_t word_load(const struct words *words, unsigned n);

/** Returns the lowest of the words. */
uint32_t words_lowest(const struct words *words);

#endif /* WORDS_H */
