/*
 * veu-spec: tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table is made once, from the rows that drive the device, and written as
 * Markdown or as JSON. Each cell has a text for either format.
 */
#ifndef VEU_TOOLS_SPEC_H
#define VEU_TOOLS_SPEC_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/device/host/device.h"

/* A column is in Markdown if it has a title, in JSON if it has a key. */
typedef struct SpecColumn {
    const char *title;
    const char *key;
} SpecColumn;

typedef struct SpecCell {
    char *markdown;
    char *json;
} SpecCell;

typedef struct SpecTable {
    const char *group; /* related tables: a key in JSON */
    char *name;        /* its name in docs/spec.md */
    const char *key;   /* in the group, in JSON; NULL: the group is one table */
    const SpecColumn *columns;
    unsigned column_count;
    GArray *cells; /* elements: SpecCell, row by row */
} SpecTable;

/* Adds a table; @columns ends with an entry of NULL. */
SpecTable *spec_table(GPtrArray *tables, const char *group, const char *name,
                      const char *key, const SpecColumn *columns);
void spec_table_free(SpecTable *table);

/* Adds a cell; takes ownership of the texts. */
void spec_cell(SpecTable *table, char *markdown, char *json);
void spec_text(SpecTable *table, const char *text);
void spec_code(SpecTable *table, const char *text);
void spec_number(SpecTable *table, uint64_t value);
void spec_hex(SpecTable *table, int digits, uint64_t value);
/* A number in JSON, another text in Markdown; NULL: null in JSON. */
void spec_number_as(SpecTable *table, const char *markdown, uint64_t value);
void spec_null(SpecTable *table, const char *markdown);

/* The tables, in the order of the specification. */
void spec_identity(GPtrArray *tables);
bool spec_registers(GPtrArray *tables);
void spec_commands(GPtrArray *tables);
void spec_messages(GPtrArray *tables);
void spec_formats(GPtrArray *tables);
void spec_scanout_formats(GPtrArray *tables);
void spec_counters(GPtrArray *tables);
void spec_faults(GPtrArray *tables);
/* Returns false with an error on stderr if fields leave a gap. */
bool spec_layouts(GPtrArray *tables);

/* The text of tables, which the caller frees. */
char *spec_markdown(const GPtrArray *tables);
char *spec_json(const GPtrArray *tables);

#endif
