/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST, MEDIA_LD, MEDIA_ST, FENCE: messages
 * that ignore the mask.
 */
#include "checks.h"
#include "trial.h"
#include "veu_encode_buffer.h"

#define RUNS_PER_CHECK 24

enum oword_kind {
    LOAD,
    LOAD_UNALIGNED,
    STORE,
    OWORD_KINDS
};

static struct trial *begin(struct bench *b, unsigned grf_bytes)
{
    struct shape shape = { .grf_bytes = grf_bytes, .simd = 8 };

    return trial_begin(b, &shape); /* no lane is enabled */
}

static void encode_owords(struct trial *t, enum oword_kind kind,
                          unsigned owords, uint8_t surface, uint32_t offset,
                          uint32_t data)
{
    static bool (*const encode[OWORD_KINDS])(struct veu_code * code,
                                             unsigned owords, uint8_t surface,
                                             struct veu_scalar offset,
                                             struct veu_raw data) = {
        [LOAD] = veu_encode_oword_ld,
        [LOAD_UNALIGNED] = veu_encode_oword_ld_unaligned,
        [STORE] = veu_encode_oword_st,
    };

    encode[kind](&t->program.code, owords, surface, veu_ud(offset),
                 veu_v(data));
}

/* Each oword is inside or outside of the buffer as a whole. */
static struct trial *prepare_owords(struct bench *b, enum oword_kind kind,
                                    unsigned owords, unsigned grf_bytes)
{
    struct trial *t = begin(b, grf_bytes);
    uint32_t start = bench_below(b, 64), bytes = 64 + bench_below(b, 200);
    uint32_t data = trial_variable(t, VEU_TYPE_UB, 16 * owords);
    uint32_t at = bench_below(b, bytes + 16) &
                  (kind == LOAD_UNALIGNED ? ~3u : ~15u);
    uint8_t surface = trial_surface(t,
                                    veu_surface_raw(b->arena + start, bytes));
    uint8_t *expected = trial_expected(t, data),
            *from = trial_register(t, data);

    for (unsigned i = 0; i < owords; i++) {
        uint32_t oword = at + 16 * i;
        bool inside = oword + 16 <= bytes;

        if (kind != STORE) {
            __builtin_memset(expected + 16 * i, 0, 16);
        }
        if (inside && kind == STORE) {
            __builtin_memcpy(t->expected_arena + start + oword, from + 16 * i,
                             16);
        } else if (inside) {
            __builtin_memcpy(expected + 16 * i, t->arena + start + oword, 16);
        }
    }
    encode_owords(t, kind, owords, surface,
                  kind == LOAD_UNALIGNED ? at : at / 16, data);
    return t;
}

static void owords(struct bench *b)
{
    static const char *const names[] = { "oword_ld", "oword_ld_unaligned",
                                         "oword_st" };

    for (unsigned kind = 0; kind < OWORD_KINDS; kind++) {
        for (unsigned count = 1; count <= 8; count *= 2) {
            struct trial *t = NULL;
            bool good = true;

            report_begin("%s (%u), no lane on, bounds", names[kind], count);
            for (unsigned n = 0; good && n < RUNS_PER_CHECK; n++) {
                t = prepare_owords(b, kind, count, n % 2 ? 64 : 32);
                good = trial_run(t);
            }
            report_result(good, "%s", good ? "" : t->reason);
        }
    }
}

/* 16 owords are legal only in shared local memory: a store and a load. */
static void owords_of_slm(struct bench *b)
{
    struct trial *t = begin(b, 32);
    uint32_t data = trial_variable(t, VEU_TYPE_UD, 64);
    uint32_t back = trial_variable(t, VEU_TYPE_UD, 64);

    report_begin("oword_st (16) to shared local memory, fence, oword_ld (16)");
    t->slm_bytes = 1024;
    encode_owords(t, STORE, 16, SLM, 3, data);
    veu_encode_fence(&t->program.code, VEU_FENCE_LOCAL);
    encode_owords(t, LOAD, 16, SLM, 3, back);
    __builtin_memcpy(trial_expected(t, back), trial_register(t, data), 256);
    report_result(trial_run(t), "%s", t->reason);
}

#define IMAGE_WIDTH  100 /* in bytes: 25 texels */
#define IMAGE_HEIGHT 50
#define IMAGE_PITCH  128

static struct veu_block random_block(struct bench *b, bool write)
{
    static const uint8_t store_modes[] = { VEU_MEDIA_NOMOD, VEU_MEDIA_TOP,
                                           VEU_MEDIA_BOTTOM };
    unsigned width = 1 + bench_below(b, 64);
    uint32_t x = bench_below(b, IMAGE_WIDTH + 8);

    return (struct veu_block){
        .mode = write ? store_modes[bench_below(b, 3)] : bench_below(b, 6),
        .width = width,
        .height = 1 + bench_below(b, 256 / veu_block_pitch(width)),
        .x = veu_ud(write ? x & ~3u : x),
        .y = veu_ud(bench_below(b, IMAGE_HEIGHT + 4)),
    };
}

/* Returns the row of the image for row @row of a block. */
static unsigned image_row(const struct veu_block *block, unsigned row)
{
    unsigned y = block->y.value + row;
    bool bottom = block->mode == VEU_MEDIA_BOTTOM ||
                  block->mode == VEU_MEDIA_BOTTOM_MOD;

    return block->mode >= VEU_MEDIA_TOP ? 2 * y + bottom : y;
}

/* The loops of the vendor's pages, byte by byte. */
static void page_media(struct trial *t, const struct veu_block *block,
                       uint32_t data, bool write)
{
    uint8_t *expected = trial_expected(t, data),
            *from = trial_register(t, data);

    for (unsigned i = 0; i < block->height; i++) {
        for (unsigned j = 0; j < block->width; j++) {
            unsigned x = block->x.value + j, y = image_row(block, i);
            unsigned at = i * veu_block_pitch(block->width) + j;
            bool inside = x < IMAGE_WIDTH && y < IMAGE_HEIGHT;

            if (!write) {
                expected[at] = inside ? t->arena[y * IMAGE_PITCH + x] : 0;
            } else if (inside) {
                t->expected_arena[y * IMAGE_PITCH + x] = from[at];
            }
        }
    }
}

static struct trial *prepare_media(struct bench *b, bool write,
                                   unsigned grf_bytes)
{
    struct trial *t = begin(b, grf_bytes);
    uint32_t data = trial_variable(t, VEU_TYPE_UB, 256);
    struct veu_block block = random_block(b, write);
    uint8_t surface = trial_surface(
        t, veu_surface_2d(b->arena, VEU_FORMAT_R8G8B8A8_UNORM, IMAGE_WIDTH / 4,
                          IMAGE_HEIGHT, IMAGE_PITCH));

    page_media(t, &block, data, write);
    (write ? veu_encode_media_st : veu_encode_media_ld)(&t->program.code, block,
                                                        surface, veu_v(data));
    return t;
}

static void media(struct bench *b)
{
    for (unsigned write = 0; write < 2; write++) {
        struct trial *t = NULL;
        bool good = true;

        report_begin("media_%s, no lane on, all modifiers, bounds",
                     write ? "st" : "ld");
        for (unsigned n = 0; good && n < 4 * RUNS_PER_CHECK; n++) {
            t = prepare_media(b, write, n % 2 ? 64 : 32);
            good = trial_run(t);
        }
        report_result(good, "%s", good ? "" : t->reason);
    }
}

void check_block(struct bench *b)
{
    report_section("oword, media");
    owords(b);
    owords_of_slm(b);
    media(b);
}
