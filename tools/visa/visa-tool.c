/*
 * veu tools: the common part of veu-as and veu-dis: options, files, errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/lib/file.h"
#include "tools/lib/options.h"
#include "tools/visa/visa-tool.h"
#include "tools/visa/source.h"

bool vt_parse(const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv)
{
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(context, summary);
    return tool_parse_options(context, entries, argc, argv);
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
        tool_error("%s: %s", input_name(path), why);
    }
    return data;
}

bool vt_write(const char *path, const void *data, uint64_t bytes)
{
    g_autofree char *why = NULL;

    return file_write(path, data, bytes, &why) ||
           tool_error("cannot write %s: %s", path ? path : "standard output",
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
