/*
 * veu tools: writing JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Containers nest; a row or a list is written on one line with its content.
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
    GString *closing; /* the open brackets, one byte each */
    unsigned lines;   /* how many of them have one line per member */
    bool empty;       /* the innermost one has no member yet */
} Json;

void json_init(Json *json);
/* Returns the text, which the caller frees. */
char *json_finish(Json *json);
/* Writes the text so far, if it has become long. */
void json_flush(Json *json, FILE *file);

void json_object(Json *json, const char *key);
void json_array(Json *json, const char *key);
/* An object or an array on one line. */
void json_row(Json *json, const char *key);
void json_list(Json *json, const char *key);
void json_end(Json *json);

void json_string(Json *json, const char *key, const char *value);
void json_uint(Json *json, const char *key, uint64_t value);
void json_int(Json *json, const char *key, int64_t value);
/* A number that is not finite becomes the string "nan", "inf" or "-inf". */
void json_double(Json *json, const char *key, double value);
/* A value that is already JSON. */
void json_raw(Json *json, const char *key, const char *value);

/* Returns a string as JSON, with its quotes; the caller frees it. */
char *json_quote(const char *value);

#endif
