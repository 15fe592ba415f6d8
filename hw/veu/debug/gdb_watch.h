/*
 * veu debugging: gdb's watchpoints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They see the lanes of messages in guest memory, as an observer. Neither local
 * memory nor what the device itself reads or writes, such as payloads, is
 * watched.
 */
#ifndef VEU_DEBUG_GDB_WATCH_H
#define VEU_DEBUG_GDB_WATCH_H

#include <glib.h>
#include "hw/veu/eu/message/execute.h"

/* As packets Z and z name them. */
typedef enum VeuGdbWatchKind {
    VEU_GDB_WATCH_WRITE = '2',
    VEU_GDB_WATCH_READ = '3',
    VEU_GDB_WATCH_ACCESS = '4', /* either */
} VeuGdbWatchKind;

/* [address, address + bytes) is not empty and does not wrap. */
typedef struct VeuGdbWatch {
    VeuGdbWatchKind kind;
    uint64_t address;
    uint64_t bytes;
} VeuGdbWatch;

typedef struct VeuGdbWatches {
    VeuObserver observer; /* first */
    VeuObserver *next;    /* that the host has besides, or NULL */
    GArray *watches;      /* of VeuGdbWatch */
    bool is_on;           /* for the message that runs */
    bool is_hit;          /* since the last veu_gdb_watches_take() */
    VeuGdbWatchKind kind; /* what was hit first */
    uint64_t address;     /* of the first byte that was accessed */
} VeuGdbWatches;

void veu_gdb_watches_init(VeuGdbWatches *watches);
void veu_gdb_watches_free(VeuGdbWatches *watches);

/* Returns false if the range is invalid, or if there are too many. */
bool veu_gdb_watch_add(VeuGdbWatches *watches, const VeuGdbWatch *watch);
void veu_gdb_watch_remove(VeuGdbWatches *watches, const VeuGdbWatch *watch);

/* Returns true if there was a hit, once. */
bool veu_gdb_watches_take(VeuGdbWatches *watches);
/* The field of a stop reply for the last hit. Free with g_free(). */
char *veu_gdb_watch_text(const VeuGdbWatches *watches);

#endif
