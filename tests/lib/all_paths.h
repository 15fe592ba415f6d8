/*
 * veu tests: a run that names memory in all the ways that a ring can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The run is a dispatch of five messages, a timestamp and a fence. Commands,
 * surfaces and registers have addresses of DEV_RAM plus an offset: 0, or the
 * distance at which a context of page tables maps it.
 */
#ifndef VEU_TEST_ALL_PATHS_H
#define VEU_TEST_ALL_PATHS_H

#include "tests/lib/device_fixture.h"

/* The memory that one run accesses, each part in a page of its own. */
#define SVM_PAGE       (DEV_PAYLOAD + 0x1000)
#define GATHER_PAGE    (DEV_PAYLOAD + 0x2000)
#define STATELESS_PAGE (DEV_PAYLOAD + 0x3000)
#define SCATTER_PAGE   (DEV_DATA)
#define TYPED_PAGE     (DEV_DATA + 0x1000)
#define TIME_PAGE      (DEV_DATA + 0x2000)

/* A page that the run accesses, and the fault of the first access to it. */
typedef struct AllPathsPage {
    const char *name;
    uint64_t page;
    enum veu_access access;
    uint16_t code; /* VEU_FAULT_... */
} AllPathsPage;

#define ALL_PATHS_PAGES 11
extern const AllPathsPage all_paths_pages[ALL_PATHS_PAGES];

/* Stores the program and its surfaces. */
void all_paths_program(Dev *d, uint64_t offset);

/* Stores the payload, and what messages read. */
void all_paths_payload(Dev *d, uint64_t offset);

/* Pushes the commands onto ring 0. */
void all_paths_push(Dev *d, uint64_t offset);

/* Checks that the run has stored the expected values. */
void all_paths_check(Dev *d);

#endif
