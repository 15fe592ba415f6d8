/*
 * veu device tests: a rig whose context 0 has page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Virtual addresses equal the device's addresses of the same memory. Work
 * writes to the first page of the arena.
 */
#ifndef VEU_TEST_SPACE_H
#define VEU_TEST_SPACE_H

#include "tests/device/rig.h"
#include "veu_space.h"

#define SPACE_PAGE_BYTES 4096
#define SPACE_BOTH       (VEU_PAGE_READ | VEU_PAGE_WRITE)

typedef struct Space {
    Rig *rig;
    struct veu_space space;
    uint8_t *next; /* next free page of the arena */
} Space;

/* Maps no page. With @asks, misses become requests, in a queue in the arena. */
void space_init_empty(Space *space, Rig *rig, bool asks);
/* Maps all that work needs, except the arena. */
void space_init(Space *space, Rig *rig, bool asks);
/* The rig has moved to another VM: rig_follow(). */
void space_follow(Space *space, Rig *rig);

/* Returns a page of the arena, filled with 0. */
uint8_t *space_spare_page(Space *space);
void space_map(Space *space, uint8_t *memory, uint64_t bytes);
/* The virtual address of the arena. */
uint64_t space_arena(const Space *space);

/* Accesses words of guest memory that the device uses at the same time. */
uint32_t space_load(const uint8_t *memory);
void space_store(uint8_t *memory, uint32_t value);

/* Waits until there is an unread request. */
void space_wait_request(Space *space);
/*
 * A handler for veu_space_serve() that maps only the first page of the arena.
 */
bool space_provide(void *opaque, const struct veu_request *request);

/* Submits a FILL of the arena's first 64 bytes with this byte. */
#define SPACE_FILLED 0x77
void space_put_fill(Space *space);

/* Makes a message that loads the word at this virtual address to the result. */
struct veu_command_dispatch space_make_load(Rig *rig, uint64_t address);

#endif
