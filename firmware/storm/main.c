/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A storm of page tables: "seconds=600 seed=1" sets its length and its seed.
 */
#include "storm.h"
#include "x86.h"

#define SLOTS   64
#define RECORDS 256

#define MOST_PAUSES 500

static bool take_option(const char *word, const char *name, uint64_t *value)
{
    while (*name && *word == *name) {
        word++;
        name++;
    }
    if (*name) {
        return false;
    }
    *value = 0;
    for (; *word >= '0' && *word <= '9'; word++) {
        *value = *value * 10 + *word - '0';
    }
    return true;
}

static void read_options(const char *text, uint64_t *seconds, uint64_t *seed)
{
    for (; *text; text++) {
        take_option(text, "seconds=", seconds);
        take_option(text, "seed=", seed);
    }
}

static enum veu_status start_space(struct storm *s, unsigned number)
{
    struct storm_space *space = &s->spaces[number];
    const struct veu_space_config config = {
        .context = number,
        .alloc = machine_alloc_page,
        .queue = machine_alloc(sizeof(struct veu_request_queue) +
                                   RECORDS * sizeof(struct veu_request),
                               64),
        .records = RECORDS,
        .vector = VEU_NO_VECTOR,
    };
    const struct veu_ring_config ring = {
        .number = number,
        .context = number,
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 64),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };
    enum veu_status status = veu_space_start(&space->space, &s->device,
                                             &config);

    if (status) {
        return status;
    }
    /* both spaces have the same addresses, and must not mix */
    space->base = UINT64_C(0x7e5a7ffe0000);
    veu_write32(&s->device,
                veu_context_register(number, VEU_REG_CONTEXT_OPTIONS),
                VEU_CONTEXT_REQUESTS | VEU_CONTEXT_ACCESSED);
    storm_work_init(s, space);
    return veu_ring_start(&space->ring, &s->device, &ring);
}

static bool is_idle(const struct storm_space *space)
{
    return veu_ring_head(&space->ring) == space->ring.tail;
}

static void check_ring(struct storm *s, struct storm_space *space)
{
    uint32_t state = veu_ring_read32(&space->ring, VEU_REG_RING_STATE);

    if (state != VEU_RING_RUNNING) {
        machine_panic("storm: ring %u has stopped: fault %x, detail %x\n",
                      space->ring.config.number,
                      veu_ring_read32(&space->ring, VEU_REG_RING_LAST_FAULT),
                      veu_ring_read32(&space->ring, VEU_REG_RING_LAST_DETAIL));
    }
}

/* Lets the device work for a while, or disturbs it again at once. */
static void wait_a_little(struct storm *s)
{
    for (uint32_t n = storm_below(s, 2) ? storm_below(s, MOST_PAUSES) : 0; n;
         n--) {
        machine_pause();
    }
}

/* Work continues in one space while the other one is compared. */
static void disturb_work(struct storm *s, uint64_t end_ns)
{
    for (uint64_t n = 0; n % 64 || veu_time(&s->device) < end_ns; n++) {
        struct storm_space *space = &s->spaces[n % SPACES];

        storm_disturb(s);
        storm_serve(s);
        wait_a_little(s);
        if (is_idle(space)) {
            storm_compare(s, space);
            storm_put_batch(s, space);
        }
        check_ring(s, space);
    }
}

/* Disturbances have ended, so that the work ends soon on any host. */
static void finish(struct storm *s)
{
    for (unsigned i = 0; i < SPACES; i++) {
        storm_resume(s, &s->spaces[i]);
    }
    for (unsigned i = 0; i < SPACES; i++) {
        while (!is_idle(&s->spaces[i])) {
            storm_serve(s);
            check_ring(s, &s->spaces[i]);
        }
        storm_compare(s, &s->spaces[i]);
    }
    storm_check_frames(s);
}

/* Runs in ring 3, which is native even where a hypervisor interprets ring 0. */
static void run(void *opaque)
{
    struct storm *s = opaque;

    disturb_work(s, veu_time(&s->device) + s->seconds * 1000000000);
    finish(s);
}

int program_main(const char *command_line)
{
    static struct storm s = { .seconds = 5 };
    uint64_t seed = 1;
    enum veu_status status = veu_open(&s.device,
                                      &(struct veu_open_options){ 0 });
    bool ok;

    read_options(command_line, &s.seconds, &seed);
    s.random = seed * 0x9e3779b97f4a7c15ull + 1;
    storm_pages_init(&s);
    for (unsigned i = 0; i < SPACES && !status; i++) {
        status = start_space(&s, i);
    }
    if (status) {
        machine_panic("storm: %s\n", veu_status_text(status));
    }
    x86_run_user(run, &s);
    ok = !s.wrong && !s.late && !s.unmarked;
    machine_print("storm: %s, %lu batches of %lu commands, %lu pages moved, "
                  "%lu left, %lu requests, %lu bytes compared\n",
                  ok ? "ok" : "FAILED", s.batches, s.commands, s.moves, s.left,
                  s.requests, s.compared);
    machine_print("storm: %lu wrong bytes, %lu frames written after an "
                  "invalidation, %lu pages written without DIRTY\n",
                  s.wrong, s.late, s.unmarked);
    return !ok;
}
