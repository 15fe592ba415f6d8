/*
 * veu tests: a device model with a display, and a surface to be shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_SCANOUT_FIXTURE_H
#define VEU_TEST_SCANOUT_FIXTURE_H

#include "tests/lib/device_fixture.h"
#include "tests/lib/test_screen.h"

/* Typed by hand from the text. */
#define LIMIT_WIDTH  0xc000
#define LIMIT_HEIGHT 0xc004
#define CONTROL      0xc008
#define CONTEXT      0xc00c
#define SURFACE      0xc010
#define VECTOR       0xc018
#define FLIP         0xc01c
#define DONE         0xc020
#define FAULT        0xc024
#define DETAIL       0xc028
#define ADDRESS      0xc030

#define DESCRIPTOR  DEV_SURFACES
#define TEXELS      DEV_PROGRAM
#define WIDTH       20
#define HEIGHT      9
#define PITCH       96
#define WINDOWS     DEV_PAYLOAD
#define FLIP_VECTOR 2

typedef struct Show {
    Dev *dev;
    TestScreen screen;
    struct veu_surface surface;
    uint32_t number;
} Show;

/* Makes an enabled scanout with a vector and a surface; no flip has started. */
Show *show_new(void);
void show_free(Show *show);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Show, show_free)

/* Stores the descriptor, and texels that depend on @seed. */
void show_put_surface(Show *show);
void show_put_texels(Show *show, uint8_t seed);
/* Fills row @y with the driver's bytes, including padding. */
void show_fill_row(uint8_t *bytes, unsigned count, unsigned y, uint8_t seed);

void show_begin_flip(Show *show);
/* Moves all guest memory, then runs one step. */
VeuStep show_step(Show *show, unsigned budget);
/* Runs steps until there is no more work. */
void show_run(Show *show);

uint64_t show_reg(Show *show, uint32_t offset);
unsigned show_interrupts(Show *show);

void show_assert_shown(Show *show, uint8_t seed);
/* Asserts that the newest flip has succeeded. */
void show_assert_well(Show *show);
/* Asserts that it has been refused. */
void show_assert_refused(Show *show, uint16_t code, uint32_t detail,
                         uint64_t address);

#endif
