/*
 * veu tools: names for the numbers in the tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_NAMES_H
#define VEU_TOOLS_LIB_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/surface/format.h"

/* Names of variable types: "UD", ...; NULL for a code that does not exist. */
#define VEU_TYPE_COUNT 16
const char *name_of_type(unsigned type);
/* Finds a type by name, in any case. Returns false if there is none. */
bool type_by_name(const char *name, uint8_t *type);

/* "UNORM", ... */
const char *name_of_channel_type(VeuChannelType type);

/* Returns "none", "read" or "write". */
const char *name_of_access(enum veu_access access);

/* A fault by its name in any case, or by its number; NULL if there is none. */
const VeuFaultInfo *fault_by_name(const char *name);

/* A format by its name in any case, or by its code; NULL if there is none. */
const VeuFormat *format_by_name(const char *name);

#endif
