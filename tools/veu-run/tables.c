/*
 * veu-run: page tables: --page-table and --map.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.4. The tables map all memory in pages of 4 KiB: the
 * memory of --map at its given addresses, everything else at its DMA addresses.
 */
#include <string.h>
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

#define PAGE_BYTES  (UINT64_C(1) << VEU_TABLE_PAGE_BITS)
#define VIRTUAL_END (UINT64_C(1) << RUN_VIRTUAL_BITS)
#define MAP_ADVICE  "write ADDRESS=FILE, ADDRESS=FILE@OFFSET or ADDRESS=BYTES"

bool run_tables_wanted(const RunOptions *options)
{
    return options->page_table || options->maps;
}

/* --- The option ---------------------------------------------------------- */

/* Removes a suffix of permissions, if there is one. */
static uint64_t take_permissions(char *text)
{
    static const struct {
        const char *suffix;
        uint64_t permissions;
    } rows[] = {
        { ":ro", VEU_PAGE_READ },
        { ":wo", VEU_PAGE_WRITE },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (g_str_has_suffix(text, rows[i].suffix)) {
            text[strlen(text) - strlen(rows[i].suffix)] = 0;
            return rows[i].permissions;
        }
    }
    return VEU_PAGE_READ | VEU_PAGE_WRITE;
}

/* Removes @OFFSET, if there is one; other names may contain an @, too. */
static uint64_t take_offset(char *text)
{
    char *at = strrchr(text, '@');
    uint64_t offset = 0;

    if (at && number_parse(at + 1, &offset)) {
        *at = 0;
    }
    return offset;
}

/* Reads the file from @OFFSET on. */
static bool read_content(const char *option, char *what, RunBytes *content)
{
    uint64_t offset = take_offset(what);

    if (!run_file_read(what, RUN_MAX_BYTES, "--map ", option, MAP_ADVICE,
                       content)) {
        return false;
    }
    if (offset >= content->bytes) {
        return tool_error("--map %s: the file has %" G_GUINT64_FORMAT
                          " bytes: choose a smaller offset",
                          option, content->bytes);
    }
    content->bytes -= offset;
    memmove(content->data, content->data + offset, content->bytes);
    return true;
}

static bool check_range(const char *option, uint64_t start, uint64_t bytes)
{
    if (bytes == 0 || bytes > RUN_MAX_BYTES) {
        return tool_error("--map %s: write from 1 byte to 1G per option, not "
                          "%" G_GUINT64_FORMAT,
                          option, bytes);
    }
    if (start % PAGE_BYTES) {
        return tool_error("--map %s: the address must be a multiple of 4096",
                          option);
    }
    return (start < VIRTUAL_END && bytes <= VIRTUAL_END - start) ||
           tool_error("--map %s: virtual addresses have 48 bits: choose one "
                      "below 0x1000000000000",
                      option);
}

static bool add_parts(RunMemory *m, const char *option, const char *address,
                      char *what)
{
    g_autofree uint8_t *data = NULL;
    uint64_t permissions = take_permissions(what);
    RunBytes content = { 0 };
    uint64_t start;
    bool ok;

    if (!number_parse(address, &start)) {
        return tool_error("--map %s: '%s' is not an address; " MAP_ADVICE,
                          option, address);
    }
    ok = number_parse(what, &content.bytes) ||
         read_content(option, what, &content);
    data = content.data;
    return ok && check_range(option, start, content.bytes) &&
           run_memory_add_map(m, option, start, permissions, &content);
}

bool run_tables_add_option(RunMemory *m, const char *option)
{
    const char *equals = strchr(option, '=');
    g_autofree char *address = NULL;
    g_autofree char *what = NULL;

    if (!equals || !equals[1]) {
        return tool_error("--map %s: " MAP_ADVICE, option);
    }
    address = g_strndup(option, equals - option);
    what = g_strdup(equals + 1);
    return add_parts(m, option, address, what);
}

/* --- The tables ---------------------------------------------------------- */

/* Adjacent tables, the top one first. */
typedef struct Tables {
    uint64_t root; /* DMA address of the top table */
    uint8_t *data;
    uint64_t used; /* bytes */
} Tables;

static uint64_t last_of(const RunArea *area)
{
    return MIN(area->start + area->bytes, VIRTUAL_END) - 1;
}

/* Areas at addresses that tables cannot translate are not mapped. */
static bool is_virtual(const RunArea *area)
{
    return area->start < VIRTUAL_END;
}

/*
 * An upper bound of the tables that the areas need, some of which may share
 * one.
 */
static uint64_t count_tables(const RunMemory *m)
{
    uint64_t count = 1;

    for (unsigned i = 0; i < m->areas->len; i++) {
        const RunArea *area = &g_array_index(m->areas, RunArea, i);

        for (unsigned level = 2; level <= VEU_TABLE_LEVELS; level++) {
            unsigned bits = run_page_bits(level);

            if (is_virtual(area)) {
                count += (last_of(area) >> bits) - (area->start >> bits) + 1;
            }
        }
    }
    return count;
}

static uint32_t index_of(uint64_t address, unsigned level)
{
    return address >> run_page_bits(level) & (VEU_TABLE_ENTRIES - 1);
}

/* The entry of level 1 for @address; creates the tables above it. */
static uint64_t *find_entry(Tables *t, uint64_t address)
{
    uint64_t *table = (uint64_t *)t->data;

    for (unsigned level = VEU_TABLE_LEVELS; level > 1; level--) {
        uint64_t *entry = &table[index_of(address, level)];

        if (!*entry) {
            *entry = (t->root + t->used) | VEU_PAGE_VALID;
            t->used += PAGE_BYTES;
        }
        table = (uint64_t *)(t->data + ((*entry & VEU_PAGE_ADDRESS) - t->root));
    }
    return &table[index_of(address, 1)];
}

/* Areas may begin and end within one page, which they then share. */
static void map_area(Tables *t, const RunArea *area)
{
    uint64_t offset = area->start % PAGE_BYTES;

    for (uint64_t at = area->start - offset; at <= last_of(area);
         at += PAGE_BYTES) {
        *find_entry(t, at) |= (area->iova - offset +
                               (at - (area->start - offset))) |
                              VEU_PAGE_VALID | area->permissions;
    }
}

bool run_tables_make(Run *run)
{
    RunMemory *m = &run->memory;
    unsigned areas = m->areas->len;
    Tables t = { .used = PAGE_BYTES };

    t.root = run_memory_add_own(m, count_tables(m) * PAGE_BYTES);
    if (!t.root) {
        return false;
    }
    t.data = run_memory_find(m, t.root)->data;
    /* The tables themselves, which are the last area, are not mapped. */
    for (unsigned i = 0; i < areas; i++) {
        const RunArea *area = &g_array_index(m->areas, RunArea, i);

        if (is_virtual(area)) {
            map_area(&t, area);
        }
    }
    run->context.type = VEU_CONTEXT_TABLES;
    run->context.root = t.root;
    return true;
}
