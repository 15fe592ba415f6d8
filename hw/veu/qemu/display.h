/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu-display": a veu whose scanout is a console.
 *
 * The thread that runs batches fills in an image of its own and hands it over
 * when it is complete. The main loop takes it before the console is drawn. So
 * neither waits for the other.
 */
#ifndef HW_VEU_QEMU_DISPLAY_H
#define HW_VEU_QEMU_DISPLAY_H

#include "qemu/osdep.h"
#include "ui/console.h"
#include "hw/veu/qemu/veu.h"

#define TYPE_VEU_DISPLAY "veu-display"
OBJECT_DECLARE_SIMPLE_TYPE(VeuDisplayState, VEU_DISPLAY)

struct VeuDisplayState {
    VeuState parent_obj;

    QemuConsole *console;

    /* Owned by the thread that runs batches: */
    pixman_image_t *frame; /* begun, but not complete; or NULL */
    pixman_format_code_t format;

    QemuMutex lock;       /* of the rest */
    bool changed;         /* the console must show something else: */
    pixman_image_t *next; /* this image, or nothing: NULL */
};

void veu_display_register_type(void);

#endif /* HW_VEU_QEMU_DISPLAY_H */
