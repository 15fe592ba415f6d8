/*
 * veu tools: the command line, and errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/lib/options.h"
#include "tools/lib/printable.h"

bool tool_error(const char *format, ...)
{
    g_autofree char *text = NULL;
    g_autofree char *shown = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    shown = printable(text, "\n\t");
    g_printerr("%s: %s\n", g_get_prgname(), shown);
    return false;
}

static gboolean print_version(const char *option, const char *value,
                              void *opaque, GError **error)
{
    g_print("%s %s\n", g_get_prgname(), VEU_PROJECT_VERSION);
    exit(0);
}

bool tool_parse_options(GOptionContext *context, const GOptionEntry *entries,
                        int *argc, char ***argv)
{
    static const GOptionEntry version[] = {
        { "version", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK,
          (void *)print_version, "Print the version", NULL },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    g_autoptr(GError) error = NULL;
    bool good;

    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, version, NULL);
    good = g_option_context_parse(context, argc, argv, &error);
    g_option_context_free(context);
    return good ||
           tool_error("%s; see %s --help", error->message, g_get_prgname());
}

bool tool_flush_output(void)
{
    return (!fflush(stdout) && !ferror(stdout)) ||
           tool_error("cannot write: %s", g_strerror(errno));
}
