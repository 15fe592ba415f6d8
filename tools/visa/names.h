/*
 * veu tools: how symbols are called in the text of an object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * An object's names may be anything. In text each is a word of its own: what
 * is no word, or was taken, gets a name by its id.
 */
#ifndef VEU_TOOLS_VISA_NAMES_H
#define VEU_TOOLS_VISA_NAMES_H

#include "tools/visa/object.h"

typedef struct VisaNames {
    GPtrArray *names[VISA_KINDS]; /* by id, from the first declared */
    GHashTable *taken;
    bool implicit; /* without declarations: every id has a name */
    char made[24];
} VisaNames;

/* @routine may be NULL, where nothing is declared. */
VisaNames *visa_names_new(const VisaRoutine *routine);
void visa_names_free(VisaNames *names);

/* Valid until the next call; NULL where no symbol has this id. */
const char *visa_name(VisaNames *names, VisaKind kind, uint32_t id);

#endif
