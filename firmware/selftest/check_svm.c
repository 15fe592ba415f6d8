/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SVM_GATHER: block sizes, numbers of blocks, lanes, masks and predicates.
 */
#include "checks.h"
#include "trial.h"

#define SHAPES_PER_CHECK 16

/* Returns the size of the destination, as the vendor's two loops lay it out. */
static unsigned dst_bytes(unsigned block, unsigned blocks, unsigned lanes)
{
    return block == 1 ? lanes * (blocks < 4 ? 4 : blocks) :
                        lanes * blocks * block;
}

static void page_svm_gather(uint8_t *dst, const uint64_t *addresses,
                            unsigned block, unsigned blocks,
                            const struct shape *shape, const struct trial *t)
{
    const uint8_t *live = t->bench->arena;
    uint32_t enabled = shape_enabled(shape);
    unsigned lanes = shape->exec.lanes, stride = blocks < 4 ? 4 : blocks;

    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *from = t->arena +
                              (addresses[i] - veu_port_device_address(live));

        if (!(enabled >> i & 1)) {
            continue;
        }
        if (block == 1) {
            __builtin_memset(dst + i * stride, 0, stride); /* the padding */
        }
        for (unsigned j = 0; j < blocks; j++) {
            unsigned to = block == 1 ? i * stride + j : (j * lanes + i) * block;

            __builtin_memcpy(dst + to, from + j * block, block);
        }
    }
}

static struct trial *prepare(struct bench *b, const struct shape *shape,
                             unsigned block, unsigned blocks)
{
    static const enum veu_type types[] = {
        [1] = VEU_TYPE_UB,
        [4] = VEU_TYPE_UD,
        [8] = VEU_TYPE_UQ,
    };
    struct trial *t = trial_begin(b, shape);
    unsigned lanes = shape->exec.lanes;
    uint32_t addresses = trial_variable(t, VEU_TYPE_UQ, lanes);
    uint32_t dst = trial_variable(t, types[block],
                                  dst_bytes(block, blocks, lanes) / block);
    uint64_t *a = trial_register(t, addresses);
    uint32_t enabled = shape_enabled(shape);

    for (unsigned i = 0; i < lanes; i++) {
        uint32_t at = bench_below(b, BENCH_ARENA_BYTES - 64);

        a[i] = veu_port_device_address(b->arena + at / block * block);
    }
    page_svm_gather(trial_expected(t, dst), a, block, blocks, shape, t);
    for (unsigned i = 0; i < lanes; i++) {
        if (!(enabled >> i & 1)) {
            a[i] = bench_random(b); /* never accessed */
        }
    }
    __builtin_memcpy(trial_expected(t, addresses), a, lanes * 8);
    veu_encode_svm_gather(&t->program.code, t->pred, block, blocks, shape->exec,
                          veu_v(addresses), veu_v(dst));
    return t;
}

static void blocks_of(struct bench *b, unsigned block, unsigned blocks)
{
    struct trial *t = NULL;
    bool good = true;

    report_begin("svm_gather.%u.%u, %s, masks, predicates", block, blocks,
                 blocks == 8 ? "8 lanes" : "1 to 16 lanes");
    for (unsigned n = 0; good && n < SHAPES_PER_CHECK; n++) {
        unsigned lanes = blocks == 8 ? 8 : 1u << bench_below(b, 5);
        struct shape shape = shape_random(b, n % 2 ? 64 : 32, lanes, true);

        t = prepare(b, &shape, block, blocks);
        good = trial_run(t);
    }
    report_result(good, "%s", good ? "" : t->reason);
}

/*
 * The page gives 0b11 for 8-byte blocks, compilers write 0b10: both are
 * accepted.
 */
static void page_code(struct bench *b)
{
    struct shape shape = { 32, 32, veu_m(1, 8), 0xff, false, 0, 0 };
    struct trial *t = prepare(b, &shape, 8, 1);

    report_begin("svm_gather.8.1 with the documented block size code");
    t->program.code.memory[5] = 3;
    report_result(trial_run(t), "%s", t->reason);
}

void check_svm(struct bench *b)
{
    report_section("svm_gather");
    for (unsigned blocks = 1; blocks <= 8; blocks *= 2) {
        blocks_of(b, 1, blocks);
        blocks_of(b, 4, blocks);
        if (blocks < 8) {
            blocks_of(b, 8, blocks);
        }
    }
    page_code(b);
}
