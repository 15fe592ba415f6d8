/*
 * veu tests: a screen for the host of a device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It stores the last picture as bytes, and counts what happens.
 */
#ifndef VEU_TEST_SCREEN_H
#define VEU_TEST_SCREEN_H

#include <glib.h>
#include "tests/lib/test_host.h"

struct TestScreen {
    bool refuses; /* has no memory for a frame */
    unsigned begun;
    unsigned rows; /* of the frame that began last */
    unsigned shown;
    unsigned blanked;
    /* interrupts in the host's log before the frame was shown */
    unsigned interrupts_before;
    VeuFrame frame;      /* the frame that began last */
    GByteArray *taken;   /* its rows so far */
    GByteArray *picture; /* the picture that is shown, or NULL */
};

/* Gives @host a screen, and its device a scanout. */
void test_screen_init(TestScreen *screen, TestHost *host);
void test_screen_free(TestScreen *screen);

#endif
