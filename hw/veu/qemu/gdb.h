/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property gdb: gdb stops EU threads (docs/kernels.md#gdb).
 */
#ifndef HW_VEU_QEMU_GDB_H
#define HW_VEU_QEMU_GDB_H

#include "hw/veu/qemu/veu.h"

/* Serves the chardev of the property, if there is one. */
void veu_gdb_server_start(VeuState *s);
void veu_gdb_server_stop(VeuState *s);

/* For veu_gdb_server_event(): there is a chardev. */
void veu_gdb_server_pass(VeuState *s, const VeuEvent *event);

/* Called for each event. */
static inline void veu_gdb_server_event(VeuState *s, const VeuEvent *event)
{
    if (unlikely(s->gdb)) {
        veu_gdb_server_pass(s, event);
    }
}

#endif /* HW_VEU_QEMU_GDB_H */
