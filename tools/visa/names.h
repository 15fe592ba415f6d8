/*
 * veu tools: names of symbols in the text of an object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * An object's names are arbitrary. In text, each is a distinct word: a name
 * that is not a word, or is taken, is replaced by one made from the id.
 */
#ifndef VEU_TOOLS_VISA_NAMES_H
#define VEU_TOOLS_VISA_NAMES_H

#include "tools/visa/object.h"

typedef struct VisaNames {
    GPtrArray *names[VISA_KINDS]; /* by id, from the first declared one */
    GHashTable *taken;
    bool implicit; /* without declarations: every id has a name */
    char made[24];
} VisaNames;

/* @routine may be NULL if nothing is declared. */
VisaNames *visa_names_new(const VisaRoutine *routine);
void visa_names_free(VisaNames *names);

/* Valid until the next call. NULL if no symbol has this id. */
const char *visa_name(VisaNames *names, VisaKind kind, uint32_t id);

#endif
