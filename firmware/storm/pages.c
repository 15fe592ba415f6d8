/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of a storm: moving, removing and restoring them.
 */
#include "storm.h"

#define BITS (VEU_PAGE_READ | VEU_PAGE_WRITE)

/* The words of a frame. */
#define WORDS (PAGE_BYTES / sizeof(uint64_t))

static uint8_t *frame_at(struct storm *s, uint32_t frame)
{
    return s->frames + (size_t)frame * PAGE_BYTES;
}

static uint64_t address_of(const struct storm_space *space, uint32_t page)
{
    return space->base + (uint64_t)page * PAGE_BYTES;
}

/* ---- frames ---- */

static void check_poison(struct storm *s, uint32_t frame)
{
    const uint64_t *words = (const uint64_t *)frame_at(s, frame);
    bool good = true;

    for (unsigned i = 0; i < WORDS; i++) {
        good &= words[i] == s->poison_of[frame];
    }
    s->late += !good;
}

static void free_frame(struct storm *s, uint32_t frame)
{
    uint64_t *words = (uint64_t *)frame_at(s, frame);

    s->poison_of[frame] = UINT64_C(0x7015000000000000) | s->moves << 16 | frame;
    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = s->poison_of[frame];
    }
    s->free_frames[s->last_free++ % FRAMES] = frame;
}

static uint32_t take_frame(struct storm *s)
{
    uint32_t frame = s->free_frames[s->first_free++ % FRAMES];

    check_poison(s, frame);
    return frame;
}

void storm_check_frames(struct storm *s)
{
    for (uint32_t i = s->first_free; i != s->last_free; i++) {
        check_poison(s, s->free_frames[i % FRAMES]);
    }
}

/* ---- entries ---- */

static void map(struct storm *s, struct storm_space *space, uint32_t page,
                uint32_t frame, uint64_t bits)
{
    if (veu_space_map(&space->space, address_of(space, page),
                      frame_at(s, frame), PAGE_BYTES, bits)) {
        machine_panic("storm: no memory for a table\n");
    }
}

/*
 * Stores an entry and invalidates; returns the previous entry, with all bits
 * that the device has set.
 */
static uint64_t change(struct storm_space *space, uint32_t page, uint64_t value)
{
    uint64_t *entry = veu_space_entry(&space->space, address_of(space, page),
                                      1);
    uint64_t old = __atomic_exchange_n(entry, value, __ATOMIC_SEQ_CST);

    veu_space_invalidate(&space->space, address_of(space, page), 0);
    return old;
}

/* A page without DIRTY has the contents that it had when it was mapped. */
static void check_dirty(struct storm *s, struct storm_space *space,
                        uint32_t page, uint64_t entry)
{
    const uint8_t *now = frame_at(s, space->frame_of[page]);

    if (!(entry & VEU_PAGE_DIRTY)) {
        s->unmarked += __builtin_memcmp(now, space->left[page], PAGE_BYTES) !=
                       0;
    }
}

/* ---- events of pages ---- */

static void save(struct storm *s, struct storm_space *space, uint32_t page)
{
    __builtin_memcpy(space->left[page], frame_at(s, space->frame_of[page]),
                     PAGE_BYTES);
}

static void leave(struct storm *s, struct storm_space *space, uint32_t page)
{
    check_dirty(s, space, page, change(space, page, 0));
    save(s, space, page);
    free_frame(s, space->frame_of[page]);
    space->frame_of[page] = NO_FRAME;
    s->left++;
}

static void come_back(struct storm *s, struct storm_space *space, uint32_t page)
{
    uint32_t frame = take_frame(s);

    __builtin_memcpy(frame_at(s, frame), space->left[page], PAGE_BYTES);
    space->frame_of[page] = frame;
    map(s, space, page, frame, BITS);
}

/* With @reads, the device may read the page while it is copied. */
static void move(struct storm *s, struct storm_space *space, uint32_t page,
                 bool reads)
{
    uint32_t from = space->frame_of[page];
    uint32_t to = take_frame(s);
    uint64_t readable = veu_port_device_address(frame_at(s, from)) |
                        VEU_PAGE_VALID | VEU_PAGE_READ;

    check_dirty(s, space, page, change(space, page, reads ? readable : 0));
    save(s, space, page);
    __builtin_memcpy(frame_at(s, to), space->left[page], PAGE_BYTES);
    map(s, space, page, to, BITS);
    if (reads) {
        veu_space_invalidate(&space->space, address_of(space, page), 0);
    }
    space->frame_of[page] = to;
    free_frame(s, from);
    s->moves++;
}

uint8_t *storm_page(struct storm *s, struct storm_space *space, uint32_t page)
{
    if (space->frame_of[page] == NO_FRAME) {
        come_back(s, space, page);
    }
    return frame_at(s, space->frame_of[page]);
}

static void set_pause(struct storm *s, struct storm_space *space, bool paused)
{
    unsigned control = veu_ring_register(space->ring.config.number,
                                         VEU_REG_RING_CONTROL);

    space->paused = paused;
    veu_write32(&s->device, control,
                VEU_RING_ENABLE | (paused ? VEU_RING_PAUSE : 0));
    veu_read32(&s->device, control);
}

void storm_resume(struct storm *s, struct storm_space *space)
{
    set_pause(s, space, false);
}

void storm_disturb(struct storm *s)
{
    struct storm_space *space = &s->spaces[storm_below(s, SPACES)];
    uint32_t page = storm_below(s, PAGES);
    uint32_t what = storm_below(s, 16);

    if (what == 0 || space->paused) {
        set_pause(s, space, !space->paused);
    } else if (space->frame_of[page] == NO_FRAME) {
        return;
    } else if (what < 5) {
        leave(s, space, page);
    } else {
        move(s, space, page, what & 1);
    }
}

/* ---- requests ---- */

struct server {
    struct storm *storm;
    struct storm_space *space;
};

static bool provide(void *opaque, const struct veu_request *request)
{
    struct server *server = opaque;
    uint64_t page = (request->address - server->space->base) / PAGE_BYTES;

    if (page >= PAGES) {
        return false;
    }
    storm_page(server->storm, server->space, page);
    return true;
}

void storm_serve(struct storm *s)
{
    for (unsigned i = 0; i < SPACES; i++) {
        struct server server = { s, &s->spaces[i] };

        s->requests += veu_space_serve(&s->spaces[i].space, provide, &server);
    }
}

void storm_pages_init(struct storm *s)
{
    s->frames = machine_alloc((size_t)FRAMES * PAGE_BYTES, PAGE_BYTES);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        free_frame(s, frame);
    }
    for (unsigned i = 0; i < SPACES; i++) {
        for (unsigned page = 0; page < PAGES; page++) {
            s->spaces[i].frame_of[page] = NO_FRAME;
        }
    }
}
