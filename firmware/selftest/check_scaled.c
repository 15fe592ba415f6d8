/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GATHER_SCALED and SCATTER_SCALED: sizes, lanes, masks, predicates, bounds.
 */
#include "checks.h"
#include "trial.h"

#define SHAPES_PER_CHECK 24

/* A buffer in the arena. */
struct buffer {
    uint32_t start;
    uint32_t bytes;
};

static bool inside(const struct buffer *w, uint32_t offset, unsigned bytes)
{
    return (uint64_t)offset + bytes <= w->bytes;
}

/* The vendor's loops; an element is inside or outside as a whole. */
static void page_gather(uint32_t *dst, const uint32_t *offsets, uint32_t global,
                        unsigned bytes, const struct shape *shape,
                        const uint8_t *arena, const struct buffer *w)
{
    uint32_t enabled = shape_enabled(shape);

    for (unsigned i = 0; i < shape->exec.lanes; i++) {
        uint32_t at = global + offsets[i];

        if (!(enabled >> i & 1)) {
            continue;
        }
        dst[i] = 0;
        if (inside(w, at, bytes)) {
            __builtin_memcpy(&dst[i], arena + w->start + at, bytes);
        }
    }
}

static void page_scatter(const uint32_t *src, const uint32_t *offsets,
                         uint32_t global, unsigned bytes,
                         const struct shape *shape, uint8_t *arena,
                         const struct buffer *w)
{
    uint32_t enabled = shape_enabled(shape);

    for (unsigned i = 0; i < shape->exec.lanes; i++) {
        uint32_t at = global + offsets[i];

        if (enabled >> i & 1 && inside(w, at, bytes)) {
            __builtin_memcpy(arena + w->start + at, &src[i], bytes);
        }
    }
}

static uint32_t random_offset(struct bench *b, const struct buffer *w)
{
    switch (bench_below(b, 8)) {
    case 0:
        return w->bytes - 5 + bench_below(b, 6);
    case 1:
        return bench_random(b) >> 9;
    case 2:
        return -bench_below(b, 6);
    default:
        return bench_below(b, w->bytes);
    }
}

static struct trial *prepare(struct bench *b, const struct shape *shape,
                             unsigned bytes, bool write)
{
    struct trial *t = trial_begin(b, shape);
    unsigned lanes = shape->exec.lanes;
    uint32_t offsets = trial_variable(t, VEU_TYPE_UD, lanes);
    uint32_t data = trial_variable(t, VEU_TYPE_D, lanes);
    uint32_t global = bench_random(b) >> (bench_below(b, 2) ? 8 : 56);
    struct buffer w = { bench_below(b, 64), 200 + bench_below(b, 1000) };
    uint8_t surface = trial_surface(t, veu_surface_raw(b->arena + w.start,
                                                       w.bytes));
    uint32_t *o = trial_register(t, offsets);

    for (unsigned i = 0; i < lanes; i++) {
        o[i] = random_offset(b, &w) - global;
    }
    __builtin_memcpy(trial_expected(t, offsets), o, lanes * 4);
    if (write) {
        veu_encode_scatter_scaled(&t->program.code, t->pred, bytes, shape->exec,
                                  surface, veu_ud(global), veu_v(offsets),
                                  veu_v(data));
        page_scatter(trial_register(t, data), o, global, bytes, shape,
                     t->expected_arena, &w);
    } else {
        veu_encode_gather_scaled(&t->program.code, t->pred, bytes, shape->exec,
                                 surface, veu_ud(global), veu_v(offsets),
                                 veu_v(data));
        page_gather(trial_expected(t, data), o, global, bytes, shape, t->arena,
                    &w);
    }
    return t;
}

static void sizes(struct bench *b, unsigned bytes, unsigned lanes, bool write)
{
    struct trial *t = NULL;
    bool good = true;

    report_begin("%s_scaled.%u, %u lanes, masks, predicates, bounds",
                 write ? "scatter" : "gather", bytes, lanes);
    for (unsigned n = 0; good && n < SHAPES_PER_CHECK; n++) {
        struct shape shape = shape_random(b, n % 2 ? 64 : 32, lanes, true);

        t = prepare(b, &shape, bytes, write);
        good = trial_run(t);
    }
    report_result(good, "%s", good ? "" : t->reason);
}

/* Selects lanes 1 and 3 of 4 by each form of the predicate 0b1010. */
static void predicates(struct bench *b)
{
    static const struct {
        uint16_t flags;
        uint32_t value;
        uint8_t lanes;
        const char *name;
    } forms[] = {
        { 0, 0xa, 0xa, "(P1)" },
        { VEU_PRED_NOT, 0xa, 0x5, "(!P1)" },
        { VEU_PRED_ANY, 0xa, 0xf, "(P1.any)" },
        { VEU_PRED_NOT | VEU_PRED_ANY, 0xa, 0x0, "(!P1.any)" },
        { VEU_PRED_NOT | VEU_PRED_ANY, 0x0, 0xf, "(!P1.any), no bit set" },
        { VEU_PRED_ALL, 0xa, 0x0, "(P1.all)" },
        { VEU_PRED_ALL, 0xf, 0xf, "(P1.all), all bits set" },
        { VEU_PRED_NOT | VEU_PRED_ALL, 0xa, 0xf, "(!P1.all)" },
    };

    for (unsigned f = 0; f < ARRAY_SIZE(forms); f++) {
        struct shape shape = {
            32, 8, veu_m(1, 4), 0xf, true, forms[f].flags, forms[f].value
        };
        struct trial *t = trial_begin(b, &shape);
        uint32_t offsets = trial_variable(t, VEU_TYPE_UD, 4);
        uint32_t data = trial_variable(t, VEU_TYPE_UD, 4);
        uint8_t surface = trial_surface(t, veu_surface_raw(b->arena, 16));

        report_begin("%s scatter_scaled.1 (M1, 4)", forms[f].name);
        for (unsigned i = 0; i < 4; i++) {
            ((uint32_t *)trial_register(t, offsets))[i] = 2 * i;
            ((uint32_t *)trial_expected(t, offsets))[i] = 2 * i;
            if (forms[f].lanes >> i & 1) {
                t->expected_arena[2 * i] = ((
                    uint8_t *)trial_register(t, data))[4 * i];
            }
        }
        veu_encode_scatter_scaled(&t->program.code, t->pred, 1, shape.exec,
                                  surface, veu_ud(0), veu_v(offsets),
                                  veu_v(data));
        report_result(trial_run(t), "%s", t->reason);
    }
}

/* Where lanes collide, the highest one wins. */
static void collision(struct bench *b)
{
    struct shape shape = { 64, 16, veu_m(1, 16), 0x7fff, false, 0, 0 };
    struct trial *t = trial_begin(b, &shape);
    uint32_t offsets = trial_variable(t, VEU_TYPE_UD, 16);
    uint32_t data = trial_variable(t, VEU_TYPE_UD, 16);
    uint8_t surface = trial_surface(t, veu_surface_raw(b->arena, 64));
    uint32_t *o = trial_register(t, offsets), *d = trial_register(t, data);

    report_begin("scatter_scaled.4, all lanes to one address");
    for (unsigned i = 0; i < 16; i++) {
        o[i] = 9;
        ((uint32_t *)trial_expected(t, offsets))[i] = 9;
    }
    veu_encode_scatter_scaled(&t->program.code, 0, 4, shape.exec, surface,
                              veu_ud(2), veu_v(offsets), veu_v(data));
    __builtin_memcpy(t->expected_arena + 11, &d[14], 4);
    report_result(trial_run(t), "%s", t->reason);
}

/* A thread's messages take effect in order: a store to SLM, then a load. */
static void through_slm(struct bench *b)
{
    struct shape shape = { 32, 16, veu_m(1, 16), 0xffff, false, 0, 0 };
    struct trial *t = trial_begin(b, &shape);
    uint32_t up = trial_variable(t, VEU_TYPE_UD, 16);
    uint32_t down = trial_variable(t, VEU_TYPE_UD, 16);
    uint32_t data = trial_variable(t, VEU_TYPE_UD, 16);
    uint32_t dst = trial_variable(t, VEU_TYPE_UD, 16);
    uint32_t *d = trial_register(t, data);

    report_begin("scatter_scaled.4 to shared local memory, gathered reversed");
    t->slm_bytes = 256;
    for (unsigned i = 0; i < 16; i++) {
        ((uint32_t *)trial_register(t, up))[i] = 4 * i;
        ((uint32_t *)trial_register(t, down))[i] = 60 - 4 * i;
        ((uint32_t *)trial_expected(t, dst))[i] = d[15 - i];
    }
    __builtin_memcpy(t->expected, t->registers,
                     veu_program_offset(&t->program, dst));
    veu_encode_scatter_scaled(&t->program.code, 0, 4, shape.exec, SLM,
                              veu_ud(100), veu_v(up), veu_v(data));
    veu_encode_gather_scaled(&t->program.code, 0, 4, shape.exec, SLM,
                             veu_ud(100), veu_v(down), veu_v(dst));
    report_result(trial_run(t), "%s", t->reason);
}

void check_scaled(struct bench *b)
{
    for (unsigned write = 0; write < 2; write++) {
        report_section(write ? "scatter_scaled" : "gather_scaled");
        for (unsigned bytes = 1; bytes <= 4; bytes *= 2) {
            for (unsigned lanes = 1; lanes <= 32; lanes *= 2) {
                sizes(b, bytes, lanes, write);
            }
        }
    }
    predicates(b);
    collision(b);
    through_slm(b);
}
