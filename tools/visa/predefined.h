/*
 * veu tools: variables and surfaces that need no declaration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_PREDEFINED_H
#define VEU_TOOLS_VISA_PREDEFINED_H

#include "tools/visa/object.h"

typedef struct VisaPredefined {
    const char *name;
    uint8_t type;      /* variable: enum veu_type */
    uint16_t elements; /* variable */
} VisaPredefined;

/* By id. NULL if the id is not predefined, or has no name. */
const VisaPredefined *visa_predefined(VisaKind kind, uint32_t id);
/* The number of ids of a kind that have names: 0, 1, ... */
uint32_t visa_predefined_count(VisaKind kind);

#endif
