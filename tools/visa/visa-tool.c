/*
 * veu tools: what veu-as and veu-dis have in common: options, files, errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <stdarg.h>
#include <string.h>
#include "tools/lib/file.h"
#include "tools/lib/version.h"
#include "tools/visa/visa-tool.h"
#include "tools/visa/source.h"

bool vt_complain(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_printerr("%s: %s\n", g_get_prgname(), text);
    return false;
}

bool vt_parse(const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv)
{
    GOptionContext *context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    bool good;

    g_option_context_set_summary(context, summary);
    g_option_context_add_main_entries(context, entries, NULL);
    version_add_option(context);
    good = g_option_context_parse(context, argc, argv, &error);
    g_option_context_free(context);
    return good ||
           vt_complain("%s; see %s --help", error->message, g_get_prgname());
}

static const char *input_name(const char *path)
{
    return path && strcmp(path, "-") ? path : "standard input";
}

uint8_t *vt_read(const char *path, uint64_t *bytes)
{
    g_autofree char *why = NULL;
    uint8_t *data = file_read(path, VISA_MAX_FILE_BYTES, bytes, &why);

    if (!data) {
        vt_complain("%s: %s", input_name(path), why);
    }
    return data;
}

bool vt_write(const char *path, const void *data, uint64_t bytes)
{
    g_autofree char *why = NULL;

    return file_write(path, data, bytes, &why) ||
           vt_complain("cannot write %s: %s", path ? path : "standard output",
                       why);
}

bool vt_show(const VisaError *error, const char *path, const char *text)
{
    g_autofree char *shown = visa_error_show(error, input_name(path), text);

    g_printerr("%s", shown);
    return false;
}

bool vt_answer(const char *path, unsigned grf_bytes,
               bool (*answer)(const char *declarations, unsigned grf_bytes,
                              VisaError *error))
{
    g_autofree char *text = NULL;
    VisaError error = { 0 };
    uint64_t bytes;

    if (path) {
        text = (char *)vt_read(path, &bytes);
        if (!text) {
            return false;
        }
    }
    return answer(text, grf_bytes, &error) || vt_show(&error, path, text);
}
