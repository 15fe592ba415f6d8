/*
 * veu debugging: the registers that gdb sees.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEBUG_GDB_REGISTERS_H
#define VEU_DEBUG_GDB_REGISTERS_H

#include <glib.h>
#include "hw/veu/eu/message/execute.h"

/*
 * What gdb is told to exist, once, when it connects. A program may have fewer;
 * the others are unavailable.
 */
typedef struct VeuGdbLayout {
    unsigned grf_bytes;
    unsigned grf_count;
    unsigned predicate_count;
    unsigned address_count; /* elements */
} VeuGdbLayout;

/* An EU thread where it stopped: a copy, which outlives the thread. */
typedef struct VeuGdbThread {
    uint32_t ring;
    uint64_t number; /* in its launch */
    uint32_t offset; /* of the next instruction, or of the one that faulted */
    uint32_t lanes;  /* that run */
    GByteArray *registers;
    GArray *predicates; /* elements: uint32_t */
    GArray *addresses;  /* elements: uint16_t */
} VeuGdbThread;

void veu_gdb_thread_init(VeuGdbThread *thread);
void veu_gdb_thread_free(VeuGdbThread *thread);
/* Copies @eu, or for NULL makes a thread that has no registers. */
void veu_gdb_thread_copy(VeuGdbThread *thread, const VeuThread *eu);

/* The description of the target, in XML. Free with g_free(). */
char *veu_gdb_description(const VeuGdbLayout *layout);

/*
 * Appends the hexadecimal digits of register @number of the description, or of
 * all registers for -1. Returns false if there is no such register.
 */
bool veu_gdb_registers(const VeuGdbLayout *layout, const VeuGdbThread *thread,
                       int64_t number, GString *out);

#endif
