/*
 * veu-run: files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tools/lib/file.h"
#include "tools/veu-run/veu-run.h"

bool run_file_read(const char *path, uint64_t max_bytes, const char *option,
                   const char *value, const char *advice, RunBytes *content)
{
    g_autofree char *end = advice ? g_strdup_printf("; %s", advice) :
                                    g_strdup("");
    g_autofree char *why = NULL;

    *content = (RunBytes){ 0 };
    content->data = file_read(path, max_bytes, &content->bytes, &why);
    return content->data || tool_error("%s%s: %s%s", option, value, why, end);
}

bool run_file_write(const char *path, const void *data, uint64_t bytes)
{
    g_autofree char *why = NULL;

    return file_write(path, data, bytes, &why) ||
           tool_error("cannot write %s: %s", path, why);
}
