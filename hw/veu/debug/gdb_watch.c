/*
 * veu debugging: gdb's watchpoints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include "hw/veu/debug/gdb_watch.h"
#include "hw/veu/eu/program/program.h"

/* Each lane of each message is compared with all of them. */
#define MAX_WATCHES 64

/* --- The list ------------------------------------------------------------- */

static const VeuGdbWatch *watch_at(const VeuGdbWatches *w, unsigned i)
{
    return &g_array_index(w->watches, VeuGdbWatch, i);
}

static int find_watch(const VeuGdbWatches *w, const VeuGdbWatch *watch)
{
    for (unsigned i = 0; i < w->watches->len; i++) {
        const VeuGdbWatch *other = watch_at(w, i);

        if (other->kind == watch->kind && other->address == watch->address &&
            other->bytes == watch->bytes) {
            return i;
        }
    }
    return -1;
}

bool veu_gdb_watch_add(VeuGdbWatches *w, const VeuGdbWatch *watch)
{
    if (!watch->bytes || watch->address + (watch->bytes - 1) < watch->address) {
        return false;
    }
    if (find_watch(w, watch) < 0) {
        if (w->watches->len >= MAX_WATCHES) {
            return false;
        }
        g_array_append_val(w->watches, *watch);
    }
    return true;
}

void veu_gdb_watch_remove(VeuGdbWatches *w, const VeuGdbWatch *watch)
{
    int found = find_watch(w, watch);

    if (found >= 0) {
        g_array_remove_index_fast(w->watches, found);
    }
}

/* --- The observer --------------------------------------------------------- */

static bool is_wanted(const VeuGdbWatch *watch, const VeuLaneAccess *access)
{
    bool writes = access->access == VEU_ACCESS_WRITE;
    bool reads = !writes || access->is_atomic;

    return watch->kind == VEU_GDB_WATCH_ACCESS ||
           (watch->kind == VEU_GDB_WATCH_READ ? reads : writes);
}

/* @at: the first byte of both. An access may wrap; a watchpoint does not. */
static bool overlaps(const VeuGdbWatch *watch, uint64_t address, uint64_t bytes,
                     uint64_t *at)
{
    bool begins_before = watch->address - address < bytes;

    *at = begins_before ? watch->address : address;
    return begins_before || address - watch->address < watch->bytes;
}

/* The same, for the blocks of @access, which may have others between them. */
static bool is_touched(const VeuGdbWatch *watch, const VeuLaneAccess *access,
                       uint64_t *at)
{
    uint64_t left = access->blocks;
    unsigned first = left ? __builtin_ctzll(left) : 0;

    for (; left; left &= left - 1) {
        unsigned number = __builtin_ctzll(left) - first;

        if (overlaps(watch, access->address + number * access->element_bytes,
                     access->element_bytes, at)) {
            return true;
        }
    }
    return !access->blocks &&
           overlaps(watch, access->address, access->bytes, at);
}

/* gdb is told of the first hit only. */
static void see_access(VeuGdbWatches *w, const VeuLaneAccess *access)
{
    for (unsigned i = 0; i < w->watches->len && !w->is_hit; i++) {
        const VeuGdbWatch *watch = watch_at(w, i);

        w->is_hit = is_wanted(watch, access) &&
                    is_touched(watch, access, &w->address);
        w->kind = watch->kind;
    }
}

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    VeuGdbWatches *w = (VeuGdbWatches *)observer;

    if (w->is_on && place == VEU_LANE_MEMORY) {
        see_access(w, access);
    }
    return w->next ? w->next->lane(w->next, access, place, span) :
                     VEU_FAULT_NONE;
}

/* A program of messages has no instruction at which gdb could stop. */
static bool begin_message(VeuObserver *observer, VeuThread *t,
                          const VeuMessage *m)
{
    VeuGdbWatches *w = (VeuGdbWatches *)observer;

    w->is_on = t->program->kind == VEU_PROGRAM_INSTRUCTIONS;
    return !w->next || !w->next->begin || w->next->begin(w->next, t, m);
}

static void end_message(VeuObserver *observer)
{
    VeuObserver *next = ((VeuGdbWatches *)observer)->next;

    if (next && next->end) {
        next->end(next);
    }
}

bool veu_gdb_watches_take(VeuGdbWatches *w)
{
    bool is_hit = w->is_hit;

    w->is_hit = false;
    return is_hit;
}

char *veu_gdb_watch_text(const VeuGdbWatches *w)
{
    static const char *const names[] = {
        [VEU_GDB_WATCH_WRITE] = "watch",
        [VEU_GDB_WATCH_READ] = "rwatch",
        [VEU_GDB_WATCH_ACCESS] = "awatch",
    };

    return g_strdup_printf("%s:%" PRIx64 ";", names[w->kind], w->address);
}

void veu_gdb_watches_init(VeuGdbWatches *w)
{
    *w = (VeuGdbWatches){
        .observer = {
            .lane = see_lane,
            .begin = begin_message,
            .end = end_message,
        },
        .is_on = true,
        .watches = g_array_new(FALSE, FALSE, sizeof(VeuGdbWatch)),
    };
}

void veu_gdb_watches_free(VeuGdbWatches *w)
{
    g_array_unref(w->watches);
}
