/*
 * veu tools: the mnemonic that the user probably meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
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
 * The number of letters added, removed or replaced between two words: the
 * Levenshtein distance, computed with one row.
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

/* The closest word so far, and its distance. */
typedef struct Closest {
    const char *name;
    const char *word;
    unsigned changes;
} Closest;

static void consider(Closest *c, const char *word)
{
    if (strlen(word) <= WORD_MAX && distance(c->name, word) < c->changes) {
        c->changes = distance(c->name, word);
        c->word = word;
    }
}

/* Mnemonics that are names of a field's values: min, max. */
static void consider_fields(Closest *c)
{
    for (unsigned f = 0; f < VEU_IFIELD_COUNT; f++) {
        const VeuInstructionFieldInfo *info = &veu_instruction_fields[f];

        if (info->text == VEU_ITEXT_MNEMONIC) {
            for (unsigned i = 0; i < info->name_count; i++) {
                consider(c, info->names[i]);
            }
        }
    }
}

const char *visa_suggest(const char *name)
{
    Closest c = {
        .name = name,
        .changes = MIN(CHANGES_MAX + 1, (strlen(name) + 1) / 2),
    };

    for (unsigned i = 0; i < veu_message_count; i++) {
        consider(&c, veu_messages[i].mnemonic);
    }
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        consider(&c, veu_instructions[i].mnemonic);
    }
    consider_fields(&c);
    return c.word;
}
