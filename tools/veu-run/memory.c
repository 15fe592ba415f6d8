/*
 * veu-run: memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There are areas of RAM of the requested sizes; everything else is a hole. An
 * area has the address that programs use and the DMA address that the device
 * uses. They differ only for --map (tables.c).
 */
#include <string.h>
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

#define PAGE_BYTES       UINT64_C(4096)
/* veu-run's own memory is in a piece of this size that holds nothing else. */
#define OWN_BYTES        (UINT64_C(1) << 48)
#define OWN_END          (UINT64_C(0xffff) << 48)
/* The same, if all of it must have virtual addresses. */
#define OWN_MAPPED_BYTES (UINT64_C(1) << 39)
#define OWN_MAPPED_END   (UINT64_C(1) << RUN_VIRTUAL_BITS)
/* The memory of --map has DMA addresses in a separate piece. */
#define MAPS_BYTES       (UINT64_C(1) << 44)
#define MAPS_END         (UINT64_C(1) << 52)

void run_memory_init(RunMemory *m)
{
    m->areas = g_array_new(FALSE, FALSE, sizeof(RunArea));
    m->by_iova = g_array_new(FALSE, FALSE, sizeof(unsigned));
    m->next_own = 0;
    m->next_map = 0;
}

static RunArea *area_at(const RunMemory *m, unsigned i)
{
    return &g_array_index(m->areas, RunArea, i);
}

void run_memory_free(RunMemory *m)
{
    for (unsigned i = 0; i < m->areas->len; i++) {
        g_free(area_at(m, i)->allocation);
    }
    g_array_free(m->areas, TRUE);
    g_array_free(m->by_iova, TRUE);
}

/* The number of areas that begin at or below @iova. */
static unsigned count_upto(const RunMemory *m, uint64_t iova)
{
    unsigned low = 0;
    unsigned high = m->by_iova->len;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (area_at(m, g_array_index(m->by_iova, unsigned, middle))->iova <=
            iova) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

RunArea *run_memory_find_iova(const RunMemory *m, uint64_t iova)
{
    unsigned count = count_upto(m, iova);
    RunArea *area;

    if (!count) {
        return NULL;
    }
    area = area_at(m, g_array_index(m->by_iova, unsigned, count - 1));
    return iova - area->iova < area->bytes ? area : NULL;
}

static bool has_start(const RunArea *area, uint64_t address)
{
    return address >= area->start && address - area->start < area->bytes;
}

/* Usually the DMA address is the same. */
RunArea *run_memory_find(const RunMemory *m, uint64_t address)
{
    RunArea *same = run_memory_find_iova(m, address);

    if (same && has_start(same, address)) {
        return same;
    }
    for (unsigned i = 0; i < m->areas->len; i++) {
        if (has_start(area_at(m, i), address)) {
            return area_at(m, i);
        }
    }
    return NULL;
}

/* An area with a byte in [start, start + bytes), which does not wrap. */
static const RunArea *find_overlap(const RunMemory *m, uint64_t start,
                                   uint64_t bytes)
{
    for (unsigned i = 0; i < m->areas->len; i++) {
        const RunArea *area = area_at(m, i);

        if (start <= area->start + area->bytes - 1 &&
            area->start <= start + bytes - 1) {
            return area;
        }
    }
    return NULL;
}

/* Adds zeroes; memory that is aligned for the device is aligned here, too. */
static RunArea *add_area(RunMemory *m, uint64_t start, uint64_t iova,
                         uint64_t bytes)
{
    unsigned index = m->areas->len;
    RunArea area = {
        .start = start,
        .iova = iova,
        .bytes = bytes,
        .writable = true,
        .permissions = VEU_PAGE_READ | VEU_PAGE_WRITE,
    };
    uintptr_t at;

    area.allocation = g_try_malloc0(bytes + PAGE_BYTES);
    if (!area.allocation) {
        return NULL;
    }
    at = (uintptr_t)area.allocation;
    area.data = (uint8_t *)area.allocation + ((start - at) % PAGE_BYTES);
    g_array_insert_val(m->by_iova, count_upto(m, iova), index);
    g_array_append_val(m->areas, area);
    return area_at(m, index);
}

bool run_memory_add_copy(RunMemory *m, uint64_t iova, const void *data,
                         uint64_t bytes, bool writable)
{
    RunArea *area = add_area(m, iova, iova, bytes);

    if (!area) {
        return tool_error("the host is out of memory");
    }
    memcpy(area->data, data, bytes);
    area->writable = writable;
    return true;
}

#define MEMORY_ADVICE "write ADDRESS:FILE or ADDRESS:BYTES"

/* Adds the area of an option that has been parsed. */
static bool add_checked(RunMemory *m, const char *option, uint64_t start,
                        uint64_t bytes, const uint8_t *content, bool writable)
{
    const RunArea *other;
    RunArea *area;

    if (bytes == 0 || bytes > RUN_MAX_BYTES) {
        return tool_error(
            "--memory %s: write from 1 byte to 1G per option, not "
            "%" G_GUINT64_FORMAT,
            option, bytes);
    }
    if (start + bytes - 1 < start) {
        return tool_error("--memory %s: the range reaches beyond 2^64", option);
    }
    other = find_overlap(m, start, bytes);
    if (other) {
        return tool_error("--memory %s: there is already memory, from "
                          "0x%" G_GINT64_MODIFIER "x to "
                          "0x%" G_GINT64_MODIFIER "x",
                          option, other->start,
                          other->start + other->bytes - 1);
    }
    area = add_area(m, start, start, bytes);
    if (!area) {
        return tool_error(
            "--memory %s: the host does not have this much memory", option);
    }
    area->writable = writable;
    area->permissions &= writable ? UINT64_MAX : ~VEU_PAGE_WRITE;
    if (content) {
        memcpy(area->data, content, bytes);
    }
    return true;
}

/* ADDRESS:WHAT, where WHAT is a number or else a file. */
static bool add_parts(RunMemory *m, const char *option, const char *address,
                      const char *what, bool writable)
{
    RunBytes content = { 0 };
    uint64_t start;
    bool ok;

    if (!number_parse(address, &start)) {
        return tool_error("--memory %s: '%s' is not an address; " MEMORY_ADVICE,
                          option, address);
    }
    if (number_parse(what, &content.bytes)) {
        return add_checked(m, option, start, content.bytes, NULL, writable);
    }
    if (!run_file_read(what, RUN_MAX_BYTES, "--memory ", option, MEMORY_ADVICE,
                       &content)) {
        return false;
    }
    ok = add_checked(m, option, start, content.bytes, content.data, writable);
    g_free(content.data);
    return ok;
}

bool run_memory_add_option(RunMemory *m, const char *option)
{
    const char *colon = strchr(option, ':');
    g_autofree char *address = NULL;
    g_autofree char *what = NULL;
    bool writable;

    if (!colon || !colon[1]) {
        return tool_error("--memory %s: " MEMORY_ADVICE, option);
    }
    address = g_strndup(option, colon - option);
    what = g_strdup(colon + 1);
    writable = !g_str_has_suffix(what, ":ro");
    if (!writable) {
        what[strlen(what) - strlen(":ro")] = 0;
    }
    return add_parts(m, option, address, what, writable);
}

/* The highest @bytes below @end without an area; 0 if there are none. */
static uint64_t free_piece(const RunMemory *m, uint64_t end, uint64_t bytes)
{
    uint64_t start = end - bytes;

    while (start && find_overlap(m, start, bytes)) {
        start -= bytes;
    }
    return start;
}

bool run_memory_place_own(RunMemory *m, bool mapped)
{
    m->next_own = mapped ? free_piece(m, OWN_MAPPED_END, OWN_MAPPED_BYTES) :
                           free_piece(m, OWN_END, OWN_BYTES);
    return m->next_own ||
           tool_error("--memory and --map leave no addresses for "
                      "the program: put more of them next to "
                      "each other");
}

bool run_memory_place_maps(RunMemory *m)
{
    m->next_map = free_piece(m, MAPS_END, MAPS_BYTES);
    return m->next_map || tool_error("--memory leaves no addresses for --map: "
                                     "put more of it next to each other");
}

bool run_memory_add_map(RunMemory *m, const char *option, uint64_t start,
                        uint64_t permissions, const RunBytes *content)
{
    uint64_t bytes = (content->bytes + PAGE_BYTES - 1) / PAGE_BYTES *
                     PAGE_BYTES;
    const RunArea *other = find_overlap(m, start, bytes);
    RunArea *area;

    if (other) {
        return tool_error("--map %s: there is already memory, from "
                          "0x%" G_GINT64_MODIFIER "x to "
                          "0x%" G_GINT64_MODIFIER "x",
                          option, other->start,
                          other->start + other->bytes - 1);
    }
    area = add_area(m, start, m->next_map, bytes);
    if (!area) {
        return tool_error("--map %s: the host does not have this much memory",
                          option);
    }
    area->permissions = permissions;
    if (content->data) {
        memcpy(area->data, content->data, content->bytes);
    }
    /* A hole separates it from the next. */
    m->next_map += bytes + PAGE_BYTES;
    return true;
}

uint64_t run_memory_add_own(RunMemory *m, uint64_t bytes)
{
    uint64_t start = m->next_own;
    RunArea *area = add_area(m, start, start, MAX(bytes, 1));

    if (!area) {
        tool_error("the host does not have %" G_GUINT64_FORMAT
                   " bytes of memory",
                   bytes);
        return 0;
    }
    area->own = true;
    /* A hole separates it from the next. */
    m->next_own += (bytes / PAGE_BYTES + 2) * PAGE_BYTES;
    return start;
}

uint8_t *run_memory_map(const RunMemory *m, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    RunArea *area = run_memory_find_iova(m, iova);
    uint64_t at;

    if (!area || (access == VEU_ACCESS_WRITE && !area->writable)) {
        return NULL;
    }
    at = iova - area->iova;
    *bytes = MIN(*bytes, area->bytes - at);
    return area->data + at;
}

bool run_memory_open(const RunMemory *m, uint64_t iova, enum veu_access access,
                     VeuExtent *extent)
{
    RunArea *area = run_memory_find_iova(m, iova);

    if (!area || (access == VEU_ACCESS_WRITE && !area->writable)) {
        return false;
    }
    *extent = (VeuExtent){
        .iova = area->iova,
        .bytes = area->bytes,
        .host = area->data,
    };
    return true;
}

/*
 * The size of the part of [address, address + bytes) in one area; 0 in a hole.
 */
static uint64_t piece(const RunMemory *m, uint64_t address, uint64_t bytes,
                      RunArea **area)
{
    *area = run_memory_find(m, address);
    return *area ? MIN(bytes, (*area)->bytes - (address - (*area)->start)) : 0;
}

bool run_memory_has(const RunMemory *m, uint64_t address, uint64_t bytes)
{
    RunArea *area;

    while (bytes) {
        uint64_t n = piece(m, address, bytes, &area);

        if (!n || area->own) {
            return false;
        }
        address += n;
        bytes -= n;
    }
    return true;
}

void run_memory_read(const RunMemory *m, uint64_t address, void *to,
                     uint64_t bytes)
{
    uint8_t *out = to;
    RunArea *area;

    while (bytes) {
        uint64_t n = piece(m, address, bytes, &area);

        memcpy(out, area->data + (address - area->start), n);
        out += n;
        address += n;
        bytes -= n;
    }
}

void run_memory_write(RunMemory *m, uint64_t address, const void *from,
                      uint64_t bytes)
{
    RunArea *area = run_memory_find(m, address);

    memcpy(area->data + (address - area->start), from, bytes);
}
