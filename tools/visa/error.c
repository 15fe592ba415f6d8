/*
 * veu tools: errors in vISA text or files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <glib.h>
#include <stdarg.h>
#include <string.h>
#include "tools/visa/error.h"

static void set_message(VisaError *error, VisaPlace place, const char *format,
                        va_list arguments)
{
    error->line = place.line;
    error->column = place.column;
    error->warning = false;
    error->hint[0] = '\0';
    g_vsnprintf(error->message, sizeof(error->message), format, arguments);
}

bool visa_error(VisaError *error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    set_message(error, (VisaPlace){ 0 }, format, arguments);
    va_end(arguments);
    return false;
}

bool visa_error_at(VisaError *error, VisaPlace place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    set_message(error, place, format, arguments);
    va_end(arguments);
    return false;
}

bool visa_hint(VisaError *error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_vsnprintf(error->hint, sizeof(error->hint), format, arguments);
    va_end(arguments);
    return false;
}

static const char *find_line(const char *text, unsigned line)
{
    while (text && --line) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* The line, with a caret under it. A tab stays one, so that both line up. */
static void append_line(GString *out, const char *text, const VisaError *error)
{
    const char *line = find_line(text, error->line);
    size_t length = line ? strcspn(line, "\r\n") : 0;

    if (!length) {
        return;
    }
    g_string_append_printf(out, "  %.*s\n  ", (int)length, line);
    for (unsigned i = 1; i < error->column && i <= length; i++) {
        g_string_append_c(out, line[i - 1] == '\t' ? '\t' : ' ');
    }
    g_string_append(out, "^\n");
}

char *visa_error_show(const VisaError *error, const char *file,
                      const char *text)
{
    GString *out = g_string_new(file);

    if (error->line) {
        g_string_append_printf(out, ":%u:%u", error->line, error->column);
    }
    g_string_append_printf(out, ": %s: %s\n",
                           error->warning ? "warning" : "error",
                           error->message);
    if (error->line && text) {
        append_line(out, text, error);
    }
    if (error->hint[0]) {
        g_string_append_printf(out, "  %s\n", error->hint);
    }
    return g_string_free(out, FALSE);
}
