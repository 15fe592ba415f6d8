/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test's command line.
 */
#include "options.h"

#include "machine.h"

#define DEFAULT_SEED   20
#define DEFAULT_STRESS 2000
#define WORD_BYTES     64

static bool number(const char *text, uint64_t *value)
{
    unsigned base = 10;

    if (text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    *value = 0;
    do {
        unsigned digit = *text >= '0' && *text <= '9' ? *text - '0' :
                         *text >= 'a' && *text <= 'f' ? *text - 'a' + 10 :
                                                        16;

        if (digit >= base) {
            return false;
        }
        *value = *value * base + digit;
    } while (*++text);
    return true;
}

static bool is_word(const char *word, const char *name)
{
    while (*name && *word == *name) {
        word++;
        name++;
    }
    return *name == *word;
}

/* Returns true for "name=number". */
static bool is_value(const char *word, const char *name, uint64_t *value)
{
    while (*name && *word == *name) {
        word++;
        name++;
    }
    return !*name && *word == '=' && number(word + 1, value);
}

static bool apply(struct options *o, const char *word)
{
    uint64_t value;

    if (is_word(word, "checks")) {
        o->checks = true;
    } else if (is_word(word, "speed")) {
        o->speed = true;
    } else if (is_word(word, "picture")) {
        o->picture = true;
    } else if (is_word(word, "crash")) {
        o->crash = true;
    } else if (is_word(word, "strict")) {
        o->strict = true;
    } else if (is_value(word, "stress", &value)) {
        o->stress = value;
    } else if (is_value(word, "seed", &value)) {
        o->seed = value;
    } else if (is_value(word, "vendor-id", &value)) {
        o->vendor_id = value;
    } else if (is_value(word, "device-id", &value)) {
        o->device_id = value;
    } else {
        return false;
    }
    return true;
}

static const char *next_word(const char *from, char *word)
{
    unsigned length = 0;

    while (*from == ' ') {
        from++;
    }
    while (*from && *from != ' ') {
        if (length + 1 < WORD_BYTES) {
            word[length++] = *from;
        }
        from++;
    }
    word[length] = '\0';
    return from;
}

/* The first word is the name of the image. */
struct options options_parse(const char *command_line)
{
    static char word[WORD_BYTES];
    struct options o = { .seed = DEFAULT_SEED };

    command_line = next_word(command_line, word);
    for (;;) {
        command_line = next_word(command_line, word);
        if (!word[0]) {
            break;
        }
        if (!apply(&o, word)) {
            o.unknown = word;
            return o;
        }
    }
    if (!o.checks && !o.speed && !o.picture && !o.stress) {
        o.checks = o.speed = o.picture = true;
        o.stress = DEFAULT_STRESS;
    }
    return o;
}
