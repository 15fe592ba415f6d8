/*
 * veu tests: a screen for the host of a device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It keeps what was shown last as bytes, and counts what happened.
 */
#ifndef VEU_TEST_SCREEN_H
#define VEU_TEST_SCREEN_H

#include <glib.h>
#include "tests/lib/test_host.h"

struct TestScreen {
    bool refuses; /* has no memory for a frame */
    unsigned begun;
    unsigned rows; /* of the frame that was begun last */
    unsigned shown;
    unsigned blanked;
    unsigned interrupts_before; /* the frame was shown, in the host's log */
    VeuFrame frame;             /* that was begun last */
    GByteArray *taken;          /* its rows so far */
    GByteArray *picture;        /* what is shown; NULL: nothing */
};

/* From now on @host has a screen, and its device a scanout. */
void test_screen_init(TestScreen *screen, TestHost *host);
void test_screen_free(TestScreen *screen);

#endif
