/*
 * veu tools: the tables of docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_SPEC_TABLES_H
#define VEU_TOOLS_SPEC_TABLES_H

#include <stdbool.h>

/* A table opens with its marker and its head, and closes with a marker. */
void spec_table_begin(const char *name, const char *head, const char *rule);
void spec_table_end(void);

/* A cell's text; what Markdown would take for a border is escaped. */
void spec_cell(const char *text);

/* The layouts of all structures; false where fields leave a gap. */
bool spec_layouts(void);

#endif
