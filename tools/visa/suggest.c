/*
 * veu tools: the mnemonic that was meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/message/message.h"
#include "tools/visa/suggest.h"

/* Longer words are not compared. */
#define WORD_MAX    40
#define CHANGES_MAX 2

/*
 * Letters that are added, left out or replaced between two words: Levenshtein's
 * distance, of which one row is kept.
 */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[WORD_MAX + 1], length = strlen(b);

    for (unsigned j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (unsigned i = 0; a[i]; i++) {
        unsigned diagonal = row[0];

        row[0] = i + 1;
        for (unsigned j = 0; j < length; j++) {
            unsigned replaced = diagonal + (a[i] != b[j]);

            diagonal = row[j + 1];
            row[j + 1] = MIN(replaced, MIN(row[j], diagonal) + 1);
        }
    }
    return row[length];
}

const char *visa_suggest(const char *name)
{
    unsigned count = veu_message_count + veu_instruction_count;
    const char *best = NULL;
    unsigned least = MIN(CHANGES_MAX + 1, strlen(name) / 2);

    for (unsigned i = 0; i < count; i++) {
        const char *mnemonic =
            i < veu_message_count ?
                veu_messages[i].mnemonic :
                veu_instructions[i - veu_message_count].mnemonic;

        if (strlen(mnemonic) <= WORD_MAX && distance(name, mnemonic) < least) {
            least = distance(name, mnemonic);
            best = mnemonic;
        }
    }
    return best;
}
