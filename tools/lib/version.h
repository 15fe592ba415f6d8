/*
 * veu tools: --version.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_VERSION_H
#define VEU_TOOLS_LIB_VERSION_H

#include <glib.h>

/* Adds the option --version, which prints the version and ends the tool. */
void version_add_option(GOptionContext *context);

#endif
