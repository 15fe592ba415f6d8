/*
 * veu debugging: gdb's remote protocol, for hosts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gdb knows no such machine: to it, the target is an x86-64 whose $rip is the
 * offset of the next instruction in the code. The registers of the EU thread
 * have names of their own (gdb_registers.c). gdb sees one thread, which is the
 * EU thread that stopped last, as a copy, so that neither a reset nor the end
 * of the launch matters to it. It has always the same number: gdb expects a
 * thread that it steps to stop next, and aborts if that has ended.
 *
 * A session is either stopped, and gdb talks, or it runs, and gdb waits. The
 * host passes it gdb's bytes and the events THREAD and INSTRUCTION; calls of
 * one session must not overlap.
 */
#ifndef VEU_DEBUG_GDB_H
#define VEU_DEBUG_GDB_H

#include "hw/veu/debug/gdb_registers.h"
#include "hw/veu/device/host/host.h"

/* A read or a write of memory has at most this many bytes. */
#define VEU_GDB_MEMORY_BYTES 0x4000

enum {
    VEU_GDB_SIGNAL_INT = 2,
    VEU_GDB_SIGNAL_TRAP = 5,
    VEU_GDB_SIGNAL_SEGV = 11,
};

typedef struct VeuGdb VeuGdb;

typedef struct VeuGdbTarget {
    VeuGdbLayout layout;
    void (*send)(void *opaque, const char *bytes, size_t count);
    /* EU threads proceed, because gdb wants it or because it leaves. */
    void (*resume)(void *opaque);
    /* gdb's "kill". NULL: it is like "detach". */
    void (*kill)(void *opaque);
    /* Accesses memory as ring @ring does. Returns false without an error. */
    bool (*access)(void *opaque, uint32_t ring, uint64_t address, void *data,
                   uint32_t bytes, enum veu_access access);
    /* Returns false for an offset at which no instruction begins. */
    bool (*may_break)(void *opaque, uint64_t offset);
    /* Performs "monitor @command". Returns a reply, which is freed. */
    char *(*monitor)(void *opaque, const char *command);
    void *opaque;
} VeuGdbTarget;

/* A session that has not stopped yet, and stops at the first event. */
VeuGdb *veu_gdb_new(const VeuGdbTarget *target);
void veu_gdb_free(VeuGdb *gdb);

/*
 * Performs what gdb has sent. Returns false if the connection must be closed:
 * gdb leaves, or what it sends is no protocol. No call for this session may
 * follow then except veu_gdb_free().
 */
bool veu_gdb_receive(VeuGdb *gdb, const char *bytes, size_t count);

/*
 * An EU thread is about to execute an instruction, or has faulted; @event:
 * THREAD or INSTRUCTION. Returns true if it must stop. The host then calls
 * veu_gdb_report(), later and in another thread if that is better.
 */
bool veu_gdb_event(VeuGdb *gdb, const VeuEvent *event);

/* Stops at @eu of ring @ring; NULL: no EU thread has begun. */
void veu_gdb_stop(VeuGdb *gdb, unsigned signal, uint32_t ring, uint64_t thread,
                  uint32_t offset, const VeuThread *eu);

/*
 * What the host must observe lanes with, for watchpoints, in all launches of
 * the session. @next: another observer, which sees them too, or NULL.
 */
VeuObserver *veu_gdb_observer(VeuGdb *gdb, VeuObserver *next);

/* Reports a stop to gdb, unless it asks for the first one itself. */
void veu_gdb_report(VeuGdb *gdb);

/* The thread that has stopped is gone; the session remains stopped. */
void veu_gdb_forget(VeuGdb *gdb);

/* Reports the end of a run, with its exit status. */
void veu_gdb_exit(VeuGdb *gdb, unsigned status);

bool veu_gdb_is_stopped(const VeuGdb *gdb);
/* gdb has sent Ctrl-C, and the session has not stopped yet. */
bool veu_gdb_is_interrupted(const VeuGdb *gdb);
const VeuGdbThread *veu_gdb_thread(const VeuGdb *gdb);

/*
 * Breakpoints that the host sets, unknown to gdb. Returns false if there are
 * too many.
 */
bool veu_gdb_break(VeuGdb *gdb, uint32_t offset);
void veu_gdb_clear(VeuGdb *gdb);

#endif
