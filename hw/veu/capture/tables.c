/*
 * veu captures: the page tables of a captured launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/capture/tables.h"
#include "veu/regs.h"
#include "veu/page.h"

/*
 * Guests and files may name any number of tables, and of pages that the capture
 * does not have.
 */
#define MAX_TABLES  16384
#define MAX_LOOKUPS (1u << 20)

typedef struct Walk {
    VeuCaptureTable *table;
    void *opaque;
    unsigned left;    /* tables that may still be visited */
    unsigned lookups; /* calls of @table that may still be made */
} Walk;

/* The entries of the tables of a level, by their addresses. */
static GHashTable *new_tables(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

static void visit(Walk *w, GHashTable *tables, uint64_t address, unsigned level)
{
    const uint64_t *entries;

    if (!w->left || !w->lookups || g_hash_table_contains(tables, &address)) {
        return;
    }
    w->lookups--;
    entries = w->table(w->opaque, address, level);
    if (entries) {
        g_hash_table_insert(tables, g_memdup2(&address, sizeof(address)),
                            (void *)entries);
        w->left--;
    }
}

static GHashTable *visit_below(Walk *w, GHashTable *tables, unsigned level)
{
    GHashTable *below = new_tables();
    GHashTableIter i;
    void *value;

    g_hash_table_iter_init(&i, tables);
    while (g_hash_table_iter_next(&i, NULL, &value)) {
        const uint64_t *entries = value;

        for (unsigned n = 0; n < VEU_TABLE_ENTRIES; n++) {
            if (entries[n] & VEU_PAGE_VALID && !(entries[n] & VEU_PAGE_LARGE)) {
                visit(w, below, entries[n] & VEU_PAGE_ADDRESS, level);
            }
        }
    }
    return below;
}

void veu_capture_walk(uint64_t root, VeuCaptureTable *table, void *opaque)
{
    Walk w = { table, opaque, MAX_TABLES, MAX_LOOKUPS };
    GHashTable *tables = new_tables();

    visit(&w, tables, root, VEU_TABLE_LEVELS);
    for (unsigned level = VEU_TABLE_LEVELS - 1; level; level--) {
        GHashTable *below = visit_below(&w, tables, level);

        g_hash_table_unref(tables);
        tables = below;
    }
    g_hash_table_unref(tables);
}

bool veu_capture_has_requests(const VeuCaptureLaunch *l)
{
    return l->context_type == VEU_CONTEXT_TABLES &&
           l->context_options & VEU_CONTEXT_REQUESTS;
}
