/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SCATTER, QW_GATHER, QW_SCATTER, GATHER4_SCALED, SCATTER4_SCALED: sizes,
 * channels, lanes, masks, predicates, bounds.
 */
#include "checks.h"
#include "trial.h"
#include "veu_encode_buffer.h"

#define SHAPES_PER_CHECK 24

/* A buffer in the arena, with its bytes before and after. */
struct buffer {
    uint32_t bytes;
    uint8_t surface;
    const uint8_t *before;
    uint8_t *after;
};

/* The operands of a message, and their expected values. */
struct lanes {
    struct trial *t;
    struct buffer buffer;
    uint32_t count;
    uint32_t enabled;
    uint32_t global;
    uint32_t offsets_id;
    uint32_t *offsets;
    uint32_t data_id;
    uint8_t *data; /* before, for a write */
    uint8_t *expected;
};

static struct buffer make_buffer(struct trial *t)
{
    uint32_t start = bench_below(t->bench, 64);
    uint32_t bytes = 400 + bench_below(t->bench, 1000);

    return (struct buffer){
        .bytes = bytes,
        .surface = trial_surface(t, veu_surface_raw(t->bench->arena + start,
                                                    bytes)),
        .before = t->arena + start,
        .after = t->expected_arena + start,
    };
}

/*
 * Returns an offset that is mostly inside, sometimes at the end or far outside.
 */
static uint32_t random_offset(struct bench *b, uint32_t limit)
{
    switch (bench_below(b, 8)) {
    case 0:
        return limit - 9 + bench_below(b, 12);
    case 1:
        return bench_random(b) >> 9;
    default:
        return bench_below(b, limit);
    }
}

/*
 * Makes lanes whose offsets count @unit bytes; with the global offset they are
 * aligned.
 */
static struct lanes make_lanes(struct bench *b, const struct shape *shape,
                               enum veu_type type, unsigned elements,
                               unsigned unit, uint32_t align)
{
    struct trial *t = trial_begin(b, shape);
    struct lanes l = { .t = t,
                       .buffer = make_buffer(t),
                       .count = shape->exec.lanes,
                       .enabled = shape_enabled(shape),
                       .global = bench_random(b) >> 8 };

    l.offsets_id = trial_variable(t, VEU_TYPE_UD, l.count);
    l.data_id = trial_variable(t, type, elements);
    l.offsets = trial_register(t, l.offsets_id);
    l.data = trial_register(t, l.data_id);
    l.expected = trial_expected(t, l.data_id);
    for (unsigned i = 0; i < l.count; i++) {
        uint32_t at = random_offset(b, l.buffer.bytes / unit);

        l.offsets[i] = at / align * align - l.global;
    }
    __builtin_memcpy(trial_expected(t, l.offsets_id), l.offsets, l.count * 4);
    return l;
}

static bool inside(const struct lanes *l, uint64_t at, unsigned bytes)
{
    return at + bytes <= l->buffer.bytes;
}

/* scatter: index = (global + offset) mod 2^32, times the element's size. */
static struct trial *scatter(struct bench *b, const struct shape *shape,
                             unsigned bytes)
{
    struct lanes l = make_lanes(b, shape, VEU_TYPE_F, shape->exec.lanes, bytes,
                                1);

    for (unsigned i = 0; i < l.count; i++) {
        uint64_t at = (uint64_t)(uint32_t)(l.global + l.offsets[i]) * bytes;

        if (l.enabled >> i & 1 && inside(&l, at, bytes)) {
            __builtin_memcpy(l.buffer.after + at, l.data + 4 * i, bytes);
        }
    }
    veu_encode_scatter(&l.t->program.code, bytes, shape->exec, l.buffer.surface,
                       veu_ud(l.global), veu_v(l.offsets_id), veu_v(l.data_id));
    return l.t;
}

/* qw messages take bytes of any alignment, and have no global offset. */
static struct trial *qwords(struct bench *b, const struct shape *shape,
                            unsigned write)
{
    struct lanes l = make_lanes(b, shape, VEU_TYPE_UQ, shape->exec.lanes, 1, 1);

    for (unsigned i = 0; i < l.count; i++) {
        uint64_t at = l.offsets[i] += l.global;
        bool good = inside(&l, at, 8);

        ((uint32_t *)trial_expected(l.t, l.offsets_id))[i] = at;
        if (!(l.enabled >> i & 1)) {
            continue;
        }
        if (!write) {
            __builtin_memset(l.expected + 8 * i, 0, 8);
        }
        if (good && write) {
            __builtin_memcpy(l.buffer.after + at, l.data + 8 * i, 8);
        } else if (good) {
            __builtin_memcpy(l.expected + 8 * i, l.buffer.before + at, 8);
        }
    }
    (write ? veu_encode_qw_scatter :
             veu_encode_qw_gather)(&l.t->program.code, l.t->pred, shape->exec,
                                   l.buffer.surface, veu_v(l.offsets_id),
                                   veu_v(l.data_id));
    return l.t;
}

/* Processes channel by channel; each dword is inside or outside separately. */
static void page_4(const struct lanes *l, unsigned channels, unsigned stride,
                   bool write)
{
    unsigned place = 0;

    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < l->count && channels >> c & 1; i++) {
            uint64_t at = (uint32_t)(l->global + l->offsets[i]) + 4ul * c;
            unsigned data = 4 * (place * stride + i);

            if (!(l->enabled >> i & 1)) {
                continue;
            }
            if (!write) {
                __builtin_memset(l->expected + data, 0, 4);
            }
            if (inside(l, at, 4) && write) {
                __builtin_memcpy(l->buffer.after + at, l->data + data, 4);
            } else if (inside(l, at, 4)) {
                __builtin_memcpy(l->expected + data, l->buffer.before + at, 4);
            }
        }
        place += channels >> c & 1;
    }
}

/* The order does not matter, because lanes that write do not collide. */
static struct trial *scaled_4(struct bench *b, const struct shape *shape,
                              unsigned write)
{
    unsigned channels = 1 + bench_below(b, 15);
    unsigned grf_lanes = shape->grf_bytes / 4, lanes = shape->exec.lanes;
    unsigned stride = lanes > grf_lanes ? lanes : grf_lanes;
    struct lanes l = make_lanes(b, shape, VEU_TYPE_UD, 4 * stride, 1, 4);

    for (unsigned i = 0; i < l.count && write; i++) {
        l.offsets[i] = 16 * (l.count - i) + (channels & 4) - l.global +
                       (i == 2 ? l.buffer.bytes / 4 * 4 : 0);
    }
    __builtin_memcpy(trial_expected(l.t, l.offsets_id), l.offsets, l.count * 4);
    page_4(&l, channels, stride, write);
    (write ? veu_encode_scatter4_scaled : veu_encode_gather4_scaled)(
        &l.t->program.code, l.t->pred, channels, shape->exec, l.buffer.surface,
        veu_ud(l.global), veu_v(l.offsets_id), veu_v(l.data_id));
    return l.t;
}

typedef struct trial *prepare_fn(struct bench *b, const struct shape *shape,
                                 unsigned argument);

/* Tries random shapes, then reports. */
static void shapes(struct bench *b, unsigned lanes, bool may_predicate,
                   prepare_fn *prepare, unsigned argument)
{
    struct trial *t = NULL;
    bool good = true;

    for (unsigned n = 0; good && n < SHAPES_PER_CHECK; n++) {
        struct shape shape = shape_random(b, n % 2 ? 64 : 32, lanes,
                                          may_predicate);

        t = prepare(b, &shape, argument);
        good = trial_run(t);
    }
    report_result(good, "%s", good ? "" : t->reason);
}

void check_buffer(struct bench *b)
{
    static const uint8_t scatter_lanes[] = { 1, 8, 16 };

    report_section("scatter, qw, 4_scaled");
    for (unsigned bytes = 1; bytes <= 4; bytes *= 2) {
        for (unsigned i = 0; i < ARRAY_SIZE(scatter_lanes); i++) {
            report_begin("scatter.%u, %u lanes, masks, bounds", bytes,
                         scatter_lanes[i]);
            shapes(b, scatter_lanes[i], false, scatter, bytes);
        }
    }
    for (unsigned lanes = 1; lanes <= 16; lanes *= 2) {
        for (unsigned write = 0; write < 2; write++) {
            report_begin("qw_%s, %u lanes, masks, predicates, bounds",
                         write ? "scatter" : "gather", lanes);
            shapes(b, lanes, true, qwords, write);
            report_begin("%s4_scaled, %u lanes, masks, predicates, bounds",
                         write ? "scatter" : "gather", lanes);
            shapes(b, lanes, true, scaled_4, write);
        }
    }
}
