/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The work of a storm: copies, fills, fences, and dispatches whose groups load
 * from one half of the data and add to words of the other half.
 */
#include "storm.h"
#include "veu_command.h"

#define LANES      8
#define GROUPS     16
/*
 * The number of times that a group loads and adds, so that pages leave
 * meanwhile.
 */
#define REPEATS    40
#define MOST_BYTES (3 * PAGE_BYTES) /* of a copy or a fill */
#define MOST       8 /* commands of a batch, not counting a dispatch */

#define HALF_WORDS (DATA_BYTES / 2 / 4)

/* The registers of a group, in its payload. */
struct registers {
    uint64_t loads[LANES];
    uint64_t sums[LANES];
    uint32_t loaded[LANES];
    uint32_t steps[LANES];
};

static void *at(const struct storm_space *space, uint64_t offset)
{
    return (void *)(uintptr_t)(space->base + offset);
}

static void put(struct storm *s, struct storm_space *space,
                const struct veu_command_header *command)
{
    if (veu_ring_put(&space->ring, command)) {
        machine_panic("storm: the ring has no room\n");
    }
    s->commands++;
}

/* Returns a range inside of the data. */
static uint32_t random_range(struct storm *s, uint32_t *bytes)
{
    *bytes = storm_below(s, MOST_BYTES);
    return storm_below(s, DATA_BYTES - *bytes);
}

static void put_copy(struct storm *s, struct storm_space *space)
{
    uint32_t bytes;
    uint32_t from = random_range(s, &bytes);
    uint32_t to = storm_below(s, DATA_BYTES - bytes);
    struct veu_command_copy copy = veu_make_copy(1, at(space, to),
                                                 at(space, from), bytes);

    put(s, space, &copy.header);
    __builtin_memmove(space->model + to, space->model + from, bytes);
}

static void put_fill(struct storm *s, struct storm_space *space)
{
    uint64_t pattern = s->random;
    uint32_t bytes;
    uint32_t to = random_range(s, &bytes);
    struct veu_command_fill fill = veu_make_fill(1, at(space, to), pattern,
                                                 bytes);

    put(s, space, &fill.header);
    for (uint32_t i = 0; i < bytes; i++) {
        space->model[to + i] = pattern >> i % 8 * 8;
    }
}

static void put_fence(struct storm *s, struct storm_space *space)
{
    uint64_t value = s->random;
    uint32_t to = storm_below(s, DATA_BYTES / 8) * 8;
    struct veu_command_fence fence = veu_make_fence(1, at(space, to), value);

    put(s, space, &fence.header);
    __builtin_memcpy(space->model + to, &value, sizeof(value));
}

/* ---- dispatches ---- */

static void build_program(struct storm_space *space, uint8_t *memory)
{
    struct veu_exec exec = veu_m(1, LANES);
    struct veu_program p;
    uint32_t loads, sums, loaded, steps;

    veu_program_begin(&p, memory, PAGE_BYTES, 32);
    loads = veu_program_variable(&p, VEU_TYPE_UQ, LANES);
    sums = veu_program_variable(&p, VEU_TYPE_UQ, LANES);
    loaded = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    steps = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    for (unsigned i = 0; i < REPEATS; i++) {
        veu_encode_svm_gather(&p.code, 0, 4, 1, exec, veu_v(loads),
                              veu_v(loaded));
        veu_encode_svm_atomic(&p.code, 0, VEU_ATOMIC_ADD, 32, exec, veu_v(sums),
                              VEU_NULL, veu_v(steps), VEU_NULL);
    }
    space->program_bytes = veu_program_end(&p);
    space->payload_bytes = veu_payload_bytes(&p);
    if (!space->program_bytes || space->payload_bytes * GROUPS > PAGE_BYTES) {
        machine_panic("storm: the program does not fit\n");
    }
}

/* Fills the registers of a group, and applies its effect to the model. */
static void make_group(struct storm *s, struct storm_space *space,
                       struct registers *r, uint32_t *result)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t load = storm_below(s, HALF_WORDS) * 4;
        uint32_t sum = DATA_BYTES / 2 + storm_below(s, HALF_WORDS) * 4;
        uint32_t old;

        r->loads[lane] = space->base + load;
        r->sums[lane] = space->base + sum;
        r->steps[lane] = s->random;
        __builtin_memcpy(&result[lane], space->model + load, sizeof(old));
        __builtin_memcpy(&old, space->model + sum, sizeof(old));
        old += REPEATS * r->steps[lane];
        __builtin_memcpy(space->model + sum, &old, sizeof(old));
    }
}

/* The driver writes payloads while the ring is idle. */
static void make_payloads(struct storm *s, struct storm_space *space)
{
    uint8_t *payloads = space->model + PAYLOAD_PAGE * PAGE_BYTES;
    uint32_t *results = (uint32_t *)(space->model + RESULT_PAGE * PAGE_BYTES);
    uint32_t head = space->payload_bytes - sizeof(struct registers);

    for (unsigned group = 0; group < GROUPS; group++) {
        uint8_t *payload = payloads + group * space->payload_bytes;

        *(uint32_t *)payload = UINT32_MAX; /* exec_mask */
        make_group(s, space, (struct registers *)(payload + head),
                   results + group * LANES);
    }
    __builtin_memcpy(storm_page(s, space, PAYLOAD_PAGE), payloads, PAGE_BYTES);
    __builtin_memcpy(space->left[PAYLOAD_PAGE], payloads, PAGE_BYTES);
}

static void put_dispatch(struct storm *s, struct storm_space *space)
{
    struct veu_command_dispatch c = veu_make_dispatch(
        1, at(space, PROGRAM_PAGE * PAGE_BYTES), space->program_bytes, LANES);

    veu_launch_payload(&c.launch, at(space, PAYLOAD_PAGE * PAGE_BYTES),
                       space->payload_bytes);
    veu_launch_result(&c.launch, at(space, RESULT_PAGE * PAGE_BYTES),
                      offsetof(struct registers, loaded),
                      sizeof(((struct registers *)0)->loaded));
    c.launch.groups = GROUPS;
    make_payloads(s, space);
    put(s, space, &c.header);
}

/* ---- batches ---- */

void storm_put_batch(struct storm *s, struct storm_space *space)
{
    static void (*const puts[])(struct storm *,
                                struct storm_space *) = { put_copy, put_fill,
                                                          put_fence };

    if (storm_below(s, 2)) {
        put_dispatch(s, space);
    }
    for (unsigned n = storm_below(s, MOST); n; n--) {
        puts[storm_below(s, 3)](s, space);
    }
    veu_ring_submit(&space->ring);
    s->batches++;
}

void storm_compare(struct storm *s, struct storm_space *space)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        const uint8_t *expected = space->model + page * PAGE_BYTES;
        const uint8_t *bytes = storm_page(s, space, page);

        if (__builtin_memcmp(bytes, expected, PAGE_BYTES)) {
            for (unsigned i = 0; i < PAGE_BYTES; i++) {
                s->wrong += bytes[i] != expected[i];
            }
        }
    }
    s->compared += PAGES * PAGE_BYTES;
}

void storm_work_init(struct storm *s, struct storm_space *space)
{
    uint64_t *words;

    space->left = machine_alloc(PAGES * PAGE_BYTES, PAGE_BYTES);
    space->model = machine_alloc(PAGES * PAGE_BYTES, PAGE_BYTES);
    words = (uint64_t *)space->model;
    for (unsigned i = 0; i < DATA_BYTES / 8; i++) {
        storm_below(s, 2);
        words[i] = s->random;
    }
    build_program(space, space->model + PROGRAM_PAGE * PAGE_BYTES);
    __builtin_memcpy(space->left, space->model, PAGES * PAGE_BYTES);
}
