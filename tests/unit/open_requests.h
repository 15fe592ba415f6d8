/*
 * veu unit tests: the open requests of a ring, as users see them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_OPEN_REQUESTS_H
#define VEU_TEST_OPEN_REQUESTS_H

#include <string.h>
#include "hw/veu/device/host/inspect.h"
#include "tests/lib/device_fixture.h"

/* What a ring reports: groups, ids, how often they asked, and for what. */
typedef struct Told {
    VeuInspector inspector; /* first */
    GString *text;
} Told;

static inline void told_group(VeuInspector *v, const char *name)
{
    g_string_append_printf(((Told *)v)->text, " %s", name);
}

static inline void told_end(VeuInspector *v)
{
}

static inline void told_number(VeuInspector *v, const char *name,
                               uint64_t value)
{
    if (!strcmp(name, "id")) {
        g_string_append_printf(((Told *)v)->text, "=%u", (unsigned)value);
    } else if (!strcmp(name, "asked")) {
        g_string_append_printf(((Told *)v)->text, "(%u)", (unsigned)value);
    }
}

static inline void told_text(VeuInspector *v, const char *name,
                             const char *value)
{
    if (!strcmp(name, "waits_for")) {
        g_string_append_printf(((Told *)v)->text, ":%s", value);
    }
}

static inline char *told(Dev *d)
{
    Told told = { { told_group, told_end, told_number, told_number, told_text },
                  g_string_new(NULL) };

    veu_inspect_ring(d->device, 0, &told.inspector);
    return g_string_free(told.text, false);
}

#endif
