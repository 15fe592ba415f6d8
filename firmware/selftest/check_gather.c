/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GATHER: element sizes, lanes, masks, surfaces and bounds.
 */
#include "checks.h"
#include "trial.h"

#define SHAPES_PER_CHECK 24

/* A part of the arena as one of the surfaces that GATHER reads. */
struct window {
    uint8_t surface;
    const uint8_t *memory; /* in the trial's copy; NULL if all zero */
    uint32_t bytes;
};

static struct window make_window(struct trial *t, unsigned kind)
{
    uint32_t start = bench_below(t->bench, 512);
    uint32_t bytes = 900 + bench_below(t->bench, 200);
    uint8_t *live = t->bench->arena + start;
    struct window w = { .memory = t->arena + start, .bytes = bytes };

    if (kind == STATELESS) {
        t->stateless_base = veu_port_device_address(live);
        t->stateless_bytes = bytes;
        w.surface = STATELESS;
    } else if (kind == SLM) {
        t->slm_bytes = w.bytes = 1024;
        w.memory = NULL; /* initially zero */
        w.surface = SLM;
    } else {
        w.surface = trial_surface(t, veu_surface_raw(live, bytes));
    }
    return w;
}

/* The vendor's loop, with the bounds of semantics.md, section 3. */
static void page_gather(uint32_t *dst, const uint32_t *offsets, uint32_t global,
                        unsigned element_bytes, unsigned lanes,
                        uint32_t enabled, const struct window *w)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t at = (uint64_t)(uint32_t)(global + offsets[i]) * element_bytes;

        if (!(enabled >> i & 1)) {
            continue;
        }
        dst[i] = 0;
        if (at + element_bytes <= w->bytes && w->memory) {
            __builtin_memcpy(&dst[i], w->memory + at, element_bytes);
        }
    }
}

/*
 * Returns an index that is mostly inside, sometimes at the end, far outside, or
 * 2^30 and the like.
 */
static uint32_t random_index(struct bench *b, uint32_t elements)
{
    switch (bench_below(b, 8)) {
    case 0:
        return elements - 2 + bench_below(b, 4);
    case 1:
        return bench_random(b) >> 9;
    case 2:
        return 0x40000000u << bench_below(b, 2);
    default:
        return bench_below(b, elements);
    }
}

static struct trial *prepare(struct bench *b, const struct shape *shape,
                             unsigned element_bytes, unsigned kind)
{
    static const enum veu_type types[] = { VEU_TYPE_UD, VEU_TYPE_D,
                                           VEU_TYPE_F };
    struct trial *t = trial_begin(b, shape);
    unsigned lanes = shape->exec.lanes;
    uint32_t offsets = trial_variable(t, VEU_TYPE_UD, lanes);
    uint32_t dst = trial_variable(t, types[bench_below(b, 3)], lanes);
    uint32_t global = bench_random(b) >> (bench_below(b, 2) ? 8 : 56);
    struct window w = make_window(t, kind);
    uint32_t *o = trial_register(t, offsets);

    for (unsigned i = 0; i < lanes; i++) {
        o[i] = random_index(b, w.bytes / element_bytes) - global;
    }
    __builtin_memcpy(trial_expected(t, offsets), o, lanes * 4);
    veu_encode_gather(&t->program.code, element_bytes, shape->exec, w.surface,
                      veu_ud(global), veu_v(offsets), veu_v(dst));
    page_gather(trial_expected(t, dst), o, global, element_bytes, lanes,
                shape_enabled(shape), &w);
    return t;
}

static void sizes(struct bench *b, unsigned element_bytes, unsigned lanes)
{
    struct trial *t = NULL;
    bool good = true;

    report_begin("gather.%u, %u lanes, GRF 32 and 64, masks, bounds",
                 element_bytes, lanes);
    for (unsigned n = 0; good && n < SHAPES_PER_CHECK; n++) {
        struct shape shape = shape_random(b, n % 2 ? 64 : 32, lanes, false);

        t = prepare(b, &shape, element_bytes, T6);
        good = trial_run(t);
    }
    report_result(good, "%s", good ? "" : t->reason);
}

static void other_surface(struct bench *b, unsigned kind, const char *name)
{
    struct shape shape = shape_random(b, 32, 16, false);
    struct trial *t;

    report_begin("gather.4 of %s", name);
    shape.exec = veu_m(1, 16);
    shape.exec_mask = 0xffff;
    t = prepare(b, &shape, 4, kind);
    report_result(trial_run(t), "%s", t->reason);
}

/* The global offset comes from a variable: 16 bits, sign-extended. */
static void variable_scalar(struct bench *b)
{
    struct shape shape = { 32, 32, veu_m(1, 8), 0xff, false, 0, 0 };
    struct trial *t = trial_begin(b, &shape);
    uint32_t scalars = trial_variable(t, VEU_TYPE_W, 32);
    uint32_t offsets = trial_variable(t, VEU_TYPE_UD, 8);
    uint32_t dst = trial_variable(t, VEU_TYPE_UD, 8);
    struct window w = make_window(t, T6);
    int16_t *s = trial_register(t, scalars);
    uint32_t *o = trial_register(t, offsets);

    report_begin("gather.2, offset -3 from register 1, element 5, of type W");
    s[16 + 5] = -3;
    for (unsigned i = 0; i < 8; i++) {
        o[i] = i * 7; /* lane 0: index 2^32 - 3, out of bounds */
    }
    __builtin_memcpy(t->expected, t->registers, sizeof(t->expected));
    veu_encode_gather(&t->program.code, 2, shape.exec, w.surface,
                      veu_element(scalars, 1, 5), veu_v(offsets), veu_v(dst));
    page_gather(trial_expected(t, dst), o, -3, 2, 8, 0xff, &w);
    report_result(trial_run(t), "%s", t->reason);
}

/* All operands are read before the first result is written. */
static void overlap(struct bench *b)
{
    struct shape shape = { 32, 32, veu_m(1, 16), 0xffff, false, 0, 0 };
    struct trial *t = trial_begin(b, &shape);
    uint32_t offsets = trial_variable(t, VEU_TYPE_UD, 16);
    struct window w = make_window(t, T6);
    uint32_t *o = trial_register(t, offsets);
    uint32_t saved[16];

    report_begin("gather.4 over its own offsets");
    for (unsigned i = 0; i < 16; i++) {
        saved[i] = o[i] = bench_below(b, 200);
    }
    veu_encode_gather(&t->program.code, 4, shape.exec, w.surface, veu_ud(0),
                      veu_v(offsets), veu_v(offsets));
    page_gather(trial_expected(t, offsets), saved, 0, 4, 16, 0xffff, &w);
    report_result(trial_run(t), "%s", t->reason);
}

void check_gather(struct bench *b)
{
    report_section("gather");
    for (unsigned bytes = 1; bytes <= 4; bytes *= 2) {
        sizes(b, bytes, 1);
        sizes(b, bytes, 8);
        sizes(b, bytes, 16);
    }
    other_surface(b, STATELESS, "the stateless surface");
    other_surface(b, SLM, "fresh shared local memory");
    variable_scalar(b);
    overlap(b);
}
