/*
 * veu tools: --version.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include "tools/lib/version.h"

static gboolean print_version(const char *option, const char *value,
                              void *opaque, GError **error)
{
    g_print("%s %s\n", g_get_prgname(), VEU_PROJECT_VERSION);
    exit(0);
}

void version_add_option(GOptionContext *context)
{
    static const GOptionEntry entries[] = {
        { "version", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK,
          (void *)print_version, "Print the version", NULL },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };

    g_option_context_add_main_entries(context, entries, NULL);
}
