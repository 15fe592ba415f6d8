/*
 * veu tools: writing JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tools/lib/json.h"
#include "tools/lib/number.h"

#define FLUSH_BYTES (64 * 1024)

void json_init(Json *j)
{
    j->text = g_string_new(NULL);
    j->closing = g_string_new(NULL);
    j->lines = 0;
    j->empty = true;
}

char *json_finish(Json *j)
{
    g_string_append_c(j->text, '\n');
    g_string_free(j->closing, TRUE);
    return g_string_free(j->text, FALSE);
}

void json_flush(Json *j, FILE *file)
{
    if (j->text->len >= FLUSH_BYTES) {
        fwrite(j->text->str, 1, j->text->len, file);
        g_string_truncate(j->text, 0);
    }
}

static void append_escaped(GString *text, unsigned char c)
{
    if (c == '"' || c == '\\') {
        g_string_append_c(text, '\\');
        g_string_append_c(text, c);
    } else if (c < 0x20 || c >= 0x7f) {
        g_string_append_printf(text, "\\u%04x", c);
    } else {
        g_string_append_c(text, c);
    }
}

/* Text that is not UTF-8, as a file name may be, is quoted byte by byte. */
char *json_quote(const char *value)
{
    bool utf8 = g_utf8_validate(value, -1, NULL);
    GString *text = g_string_new("\"");

    for (; *value; value++) {
        if (utf8 && (unsigned char)*value >= 0x80) {
            g_string_append_c(text, *value);
        } else {
            append_escaped(text, *value);
        }
    }
    g_string_append_c(text, '"');
    return g_string_free(text, FALSE);
}

static bool on_lines(const Json *j)
{
    return j->closing->len && j->lines == j->closing->len;
}

static void new_line(Json *j)
{
    g_string_append_c(j->text, '\n');
    for (unsigned i = 0; i < j->lines; i++) {
        g_string_append(j->text, "  ");
    }
}

/* Writes what precedes a member. */
static void begin_member(Json *j, const char *key)
{
    if (!j->empty) {
        g_string_append(j->text, on_lines(j) ? "," : ", ");
    }
    if (on_lines(j)) {
        new_line(j);
    }
    j->empty = false;
    if (key) {
        g_autofree char *quoted = json_quote(key);

        g_string_append_printf(j->text, "%s: ", quoted);
    }
}

static void open_container(Json *j, const char *key, const char *brackets,
                           bool lines)
{
    begin_member(j, key);
    if (lines && j->lines == j->closing->len) {
        j->lines++;
    }
    g_string_append_c(j->text, brackets[0]);
    g_string_append_c(j->closing, brackets[1]);
    j->empty = true;
}

void json_object(Json *j, const char *key)
{
    open_container(j, key, "{}", true);
}

void json_array(Json *j, const char *key)
{
    open_container(j, key, "[]", true);
}

void json_row(Json *j, const char *key)
{
    open_container(j, key, "{}", false);
}

void json_list(Json *j, const char *key)
{
    open_container(j, key, "[]", false);
}

void json_end(Json *j)
{
    size_t last = j->closing->len - 1;
    char bracket = j->closing->str[last];
    bool lines = on_lines(j);

    g_string_truncate(j->closing, last);
    if (lines) {
        j->lines--;
        if (!j->empty) {
            new_line(j);
        }
    }
    g_string_append_c(j->text, bracket);
    j->empty = false;
}

void json_raw(Json *j, const char *key, const char *value)
{
    begin_member(j, key);
    g_string_append(j->text, value);
}

void json_string(Json *j, const char *key, const char *value)
{
    g_autofree char *quoted = json_quote(value);

    json_raw(j, key, quoted);
}

void json_uint(Json *j, const char *key, uint64_t value)
{
    begin_member(j, key);
    g_string_append_printf(j->text, "%" PRIu64, value);
}

void json_int(Json *j, const char *key, int64_t value)
{
    begin_member(j, key);
    g_string_append_printf(j->text, "%" PRId64, value);
}

void json_double(Json *j, const char *key, double value)
{
    g_autofree char *text = number_from_double(value);

    if (isfinite(value)) {
        json_raw(j, key, text);
    } else {
        json_string(j, key, text);
    }
}
