/*
 * veu device tests: a veu-display, and surfaces for it to show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_SCREEN_H
#define VEU_TEST_SCREEN_H

#include "tests/device/image.h"
#include "tests/device/rig.h"
#include "veu_scanout.h"

#define SCREEN_MACHINE "-M q35 -device veu-display,id=veu0,addr=4"
#define SCREEN_WIDTH   333
#define SCREEN_HEIGHT  217
#define SCREEN_PITCH   1408
/* Guest memory from the end of the first rig's to the end of RAM. */
#define SCREEN_LARGE   0x3000000

typedef struct Screen {
    Rig *rig;
    struct veu_scanout scanout;
    /* the descriptor and its texels: the rig's first surface and arena */
    struct veu_surface *surface;
} Screen;

/* Attaches to a display that has shown nothing yet, without an interrupt. */
Screen *screen_attach(Rig *rig);
Screen *screen_new(const char *accel, const char *machine);
void screen_free(Screen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Screen, screen_free)

/* Draws the texels of the surface, and the picture that they show. */
void screen_draw(Screen *screen, unsigned seed);
Image *screen_picture(const struct veu_surface *surface, unsigned seed);

/* Starts a flip that has to succeed. */
void screen_flip(Screen *screen);
void screen_wait_done(Screen *screen);
void screen_assert_shows(Screen *screen, unsigned seed);
/* Draws, flips and checks. */
void screen_show(Screen *screen, unsigned seed);

uint32_t screen_read(Screen *screen, enum veu_reg offset);

#endif
