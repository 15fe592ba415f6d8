/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A storm of page tables: two rings work in address spaces whose pages move,
 * leave and return all the time, and every byte is compared with a model. A
 * frame is poisoned after its page has left and the invalidation is complete.
 * The device must no longer access it: a late write changes the poison, and a
 * late read copies poison into a page, where the comparison finds it.
 */
#ifndef VEU_STORM_H
#define VEU_STORM_H

#include "veu_guest.h"
#include "veu_ring.h"
#include "veu_space.h"
#include "machine.h"

#define PAGE_BYTES 4096u
#define SPACES     2

/* Pages of a space: data, then the pages that launches need. */
#define DATA_PAGES   32u
#define PROGRAM_PAGE 32u
#define PAYLOAD_PAGE 33u
#define RESULT_PAGE  34u
#define PAGES        35u
#define DATA_BYTES   (DATA_PAGES * PAGE_BYTES)

#define FRAMES (2 * SPACES * PAGES)

#define NO_FRAME UINT32_MAX

struct storm_space {
    struct veu_space space;
    struct veu_ring ring;
    uint64_t base;            /* virtual address of page 0 */
    uint32_t frame_of[PAGES]; /* or NO_FRAME if the page is in left[] */
    /* A page's contents when it was mapped, or when it left. */
    uint8_t (*left)[PAGE_BYTES];
    /* PAGES pages: the expected contents while the ring is idle */
    uint8_t *model;
    uint32_t program_bytes;
    uint32_t payload_bytes; /* of a group */
    bool paused;
};

struct storm {
    struct veu_device device;
    struct storm_space spaces[SPACES];
    uint8_t *frames;            /* FRAMES pages */
    uint64_t poison_of[FRAMES]; /* the poison that fills a free frame */
    /* a queue, whose oldest entry is taken first */
    uint32_t free_frames[FRAMES];
    uint32_t first_free, last_free;
    uint64_t seconds;
    uint64_t random;
    uint64_t batches, commands, moves, left, requests, compared;
    uint64_t wrong;    /* bytes that differ from the model */
    uint64_t late;     /* frames that were written after the invalidation */
    uint64_t unmarked; /* pages that were written without DIRTY */
};

/* Returns a number below @limit, by xorshift64. */
static inline uint32_t storm_below(struct storm *s, uint32_t limit)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (s->random >> 16) % limit;
}

/* ---- pages.c ---- */

void storm_pages_init(struct storm *s);

/* Serves all requests: pages that have left return. */
void storm_serve(struct storm *s);

/* Moves a page, removes one, or pauses a ring, at random. */
void storm_disturb(struct storm *s);

/* The ring works again if it was paused. */
void storm_resume(struct storm *s, struct storm_space *space);

/* Returns the memory of a mapped page; a page that has left returns first. */
uint8_t *storm_page(struct storm *s, struct storm_space *space, uint32_t page);

/* Checks the poison of all free frames. */
void storm_check_frames(struct storm *s);

/* ---- work.c ---- */

void storm_work_init(struct storm *s, struct storm_space *space);

/* Puts some commands, and applies their effect to the model at once. */
void storm_put_batch(struct storm *s, struct storm_space *space);

/* Compares all bytes of an idle space. */
void storm_compare(struct storm *s, struct storm_space *space);

#endif /* VEU_STORM_H */
