/*
 * veu tools: writing JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Containers nest; a row or a list stands on one line with all that is in it.
 * @key is NULL for the elements of arrays.
 */
#ifndef VEU_TOOLS_LIB_JSON_H
#define VEU_TOOLS_LIB_JSON_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Json {
    GString *text;
    GString *closing; /* the brackets that are open, one byte each */
    unsigned lines;   /* how many of them have a line for each member */
    bool empty;       /* the innermost has no member yet */
} Json;

void json_init(Json *json);
/* The text, which the caller frees. */
char *json_finish(Json *json);
/* Writes what there is so far, where it has become long. */
void json_flush(Json *json, FILE *file);

void json_object(Json *json, const char *key);
void json_array(Json *json, const char *key);
/* The same on one line: an object and an array. */
void json_row(Json *json, const char *key);
void json_list(Json *json, const char *key);
void json_end(Json *json);

void json_string(Json *json, const char *key, const char *value);
void json_uint(Json *json, const char *key, uint64_t value);
void json_int(Json *json, const char *key, int64_t value);
/* Not finite: the string "nan", "inf" or "-inf". */
void json_double(Json *json, const char *key, double value);
/* A value that is JSON already. */
void json_raw(Json *json, const char *key, const char *value);

/* The JSON of a string, with its quotes; the caller frees it. */
char *json_quote(const char *value);

#endif
