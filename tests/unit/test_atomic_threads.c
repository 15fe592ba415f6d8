/*
 * veu unit tests: EU threads and processors change the same words, and no
 * change is lost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processors are threads of the test that use the compiler's atomics.
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define EU_THREADS 3
#define PROCESSORS 2
#define THREADS    (EU_THREADS + PROCESSORS)
#define LANES      8
#ifdef __SANITIZE_THREAD__ /* finds races without depending on luck */
#define ROUNDS 1001
#else
#define ROUNDS 20001 /* odd; the number of messages of a thread */
#endif
#define MEMORY_BYTES 4096

/* The memory that all threads share, and the data of each thread. */
typedef struct Worker {
    VeuMem mem; /* first */
    uint8_t *memory;
    EuFixture *eu; /* NULL for a processor */
    unsigned number;
    unsigned bytes; /* of a word */
    void (*work)(struct Worker *worker);
    uint64_t count;
    uint64_t least, most; /* the extremes of what it offered */
    uint64_t tokens[LANES];
} Worker;

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    return iova + *bytes <= MEMORY_BYTES ? ((Worker *)mem)->memory + iova :
                                           NULL;
}

/* Performs one message whose lanes all use the word at @at; returns Dst. */
static const uint8_t *atomic(Worker *w, uint8_t op, unsigned at,
                             const uint64_t *src0, const uint64_t *src1)
{
    TestMessage m = eu_message(TEST_SVM_ATOMIC);
    bool wide = w->bytes == 8;

    m.op = op | (wide ? TEST_64_BIT : w->bytes == 2 ? TEST_16_BIT : 0);
    m.data.id = wide ? EU_QW_DATA : EU_DATA;
    m.src0.id = !src0 ? 0 : wide ? EU_QW_SRC0 : EU_SRC0;
    m.src1.id = !src1 ? 0 : wide ? EU_QW_SRC1 : EU_SRC1;
    for (unsigned i = 0; i < LANES; i++) {
        eu_set64(w->eu, EU_ADDRESSES_AT, i, at);
        if (wide) {
            eu_set64(w->eu, EU_SRC0_AT, i, src0 ? src0[i] : 0);
            eu_set64(w->eu, EU_SRC1_AT, i, src1 ? src1[i] : 0);
        } else {
            eu_set32(w->eu, EU_SRC0_AT, i, src0 ? src0[i] : 0);
            eu_set32(w->eu, EU_SRC1_AT, i, src1 ? src1[i] : 0);
        }
    }
    g_assert_true(eu_run(w->eu, &m));
    return w->eu->registers + EU_DATA_AT;
}

static uint64_t result(const Worker *w, unsigned lane)
{
    return w->bytes == 8 ? eu_get64(w->eu, EU_DATA_AT, lane) :
                           eu_get32(w->eu, EU_DATA_AT, lane);
}

/* Like atomic(), with the same value in all lanes. */
static void atomic_same(Worker *w, uint8_t op, unsigned at, uint64_t value)
{
    uint64_t src0[LANES];

    for (unsigned i = 0; i < LANES; i++) {
        src0[i] = value;
    }
    atomic(w, op, at, src0, NULL);
}

/* A processor's operation: GCC's atomics on a word of the worker's size. */
#define PROCESSOR(w, at, builtin, ...)                            \
    ((w)->bytes == 2 ?                                            \
         builtin((uint16_t *)((w)->memory + (at)), __VA_ARGS__) : \
     (w)->bytes == 4 ?                                            \
         builtin((uint32_t *)((w)->memory + (at)), __VA_ARGS__) : \
         builtin((uint64_t *)((w)->memory + (at)), __VA_ARGS__))

static uint64_t word(const Worker *w, unsigned at)
{
    uint64_t value = 0;

    memcpy(&value, w->memory + at, w->bytes);
    return value;
}

static gpointer run_worker(gpointer data)
{
    Worker *w = data;

    w->work(w);
    return NULL;
}

static void start(Worker *workers, uint8_t *memory, unsigned bytes,
                  void (*work)(Worker *worker))
{
    GThread *threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        Worker *w = &workers[i];

        w->mem.map = map;
        w->memory = memory;
        w->number = i;
        w->bytes = bytes;
        w->work = work;
        if (i < EU_THREADS) {
            w->eu = eu_standard();
            w->eu->thread.mem = &w->mem;
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = g_thread_new("worker", run_worker, &workers[i]);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        g_thread_join(threads[i]);
    }
}

static void finish(Worker *workers)
{
    for (unsigned i = 0; i < EU_THREADS; i++) {
        eu_free(workers[i].eu);
    }
}

/* Runs @work in all threads, on words of each size, then @check. */
static void hammer(void (*work)(Worker *worker),
                   void (*prepare)(Worker *workers, uint8_t *memory,
                                   unsigned bytes),
                   void (*check)(const Worker *workers))
{
    for (unsigned bytes = 2; bytes <= 8; bytes *= 2) {
        g_autofree Worker *workers = g_new0(Worker, THREADS);
        uint8_t memory[MEMORY_BYTES] __attribute__((aligned(64))) = { 0 };

        if (prepare) {
            prepare(workers, memory, bytes);
        }
        start(workers, memory, bytes, work);
        check(workers);
        finish(workers);
    }
}

/* A word for each operation, all in one cache line. */
enum {
    SUM_AT = 0, /* add, sub and processors */
    INC_AT = 8,
    DEC_AT = 16,
    PREDEC_AT = 24,
    XOR_AT = 32,
};

static void count(Worker *w)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        if (!w->eu) {
            PROCESSOR(w, SUM_AT, __atomic_fetch_add, 7, __ATOMIC_SEQ_CST);
            PROCESSOR(w, INC_AT, __atomic_fetch_add, 1, __ATOMIC_SEQ_CST);
            PROCESSOR(w, DEC_AT, __atomic_fetch_sub, 1, __ATOMIC_SEQ_CST);
            PROCESSOR(w, XOR_AT, __atomic_fetch_xor, 1 << w->number,
                      __ATOMIC_SEQ_CST);
            continue;
        }
        atomic_same(w, TEST_ADD, SUM_AT, 13);
        atomic_same(w, TEST_SUB, SUM_AT, 3);
        atomic(w, TEST_INC, INC_AT, NULL, NULL);
        atomic(w, TEST_DEC, DEC_AT, NULL, NULL);
        atomic(w, TEST_PREDEC, PREDEC_AT, NULL, NULL);
        for (unsigned i = 0; i < LANES; i++) {
            /*
             * lanes of one thread are in order, with those of others between
             * them
             */
            g_assert_true(!i || result(w, i) != result(w, i - 1));
        }
        atomic_same(w, TEST_XOR, XOR_AT, 0);
        w->tokens[0] = 1u << w->number;
        atomic(w, TEST_XOR, XOR_AT, w->tokens, NULL);
    }
}

static void check_count(const Worker *w)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * w->bytes);
    uint64_t lanes = (uint64_t)EU_THREADS * LANES * ROUNDS;
    uint64_t rounds = (uint64_t)PROCESSORS * ROUNDS;

    g_assert_cmphex(word(w, SUM_AT), ==, (10 * lanes + 7 * rounds) & mask);
    g_assert_cmphex(word(w, INC_AT), ==, (lanes + rounds) & mask);
    g_assert_cmphex(word(w, DEC_AT), ==, -(lanes + rounds) & mask);
    g_assert_cmphex(word(w, PREDEC_AT), ==, -lanes & mask);
    /* each thread does this an odd number of times */
    g_assert_cmphex(word(w, XOR_AT), ==, (1 << THREADS) - 1);
}

static void test_no_count_is_lost(void)
{
    hammer(count, NULL, check_count);
}

/*
 * Each thread sets and clears a bit of its own, and always finds it unchanged.
 */
static void flip(Worker *w)
{
    uint64_t bit = UINT64_C(1) << w->number;
    uint64_t set[LANES] = { 0, 0, bit };
    uint64_t clear[LANES];

    for (unsigned i = 0; i < LANES; i++) {
        clear[i] = i == 5 ? ~bit : UINT64_MAX;
    }
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint64_t old;

        if (w->eu) {
            atomic(w, TEST_OR, 0, set, NULL);
            g_assert_cmphex(result(w, 2) & bit, ==, 0);
            atomic(w, TEST_AND, 0, clear, NULL);
            g_assert_cmphex(result(w, 5) & bit, ==, bit);
            g_assert_cmphex(result(w, 6) & bit, ==, 0);
        } else {
            old = PROCESSOR(w, 0, __atomic_fetch_or, bit, __ATOMIC_SEQ_CST);
            g_assert_cmphex(old & bit, ==, 0);
            old = PROCESSOR(w, 0, __atomic_fetch_and, ~bit, __ATOMIC_SEQ_CST);
            g_assert_cmphex(old & bit, ==, bit);
        }
    }
}

static void check_flip(const Worker *w)
{
    g_assert_cmphex(word(w, 0), ==, 0);
}

static void test_no_bit_is_lost(void)
{
    hammer(flip, NULL, check_flip);
}

/* Tokens move through one word; none is duplicated and none is lost. */
static void prepare_tokens(Worker *workers, uint8_t *memory, unsigned bytes)
{
    for (unsigned i = 0; i < THREADS * LANES; i++) {
        workers[i / LANES].tokens[i % LANES] = i + 1;
    }
}

static void swap(Worker *w)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        if (w->eu) {
            atomic(w, TEST_XCHG, 0, w->tokens, NULL);
            for (unsigned i = 0; i < LANES; i++) {
                w->tokens[i] = result(w, i);
            }
        } else {
            w->tokens[0] = PROCESSOR(w, 0, __atomic_exchange_n, w->tokens[0],
                                     __ATOMIC_SEQ_CST);
        }
    }
}

static void check_tokens(const Worker *workers)
{
    bool seen[THREADS * LANES + 1] = { 0 };

    seen[word(workers, 0)] = true;
    for (unsigned i = 0; i < THREADS * LANES; i++) {
        uint64_t token = workers[i / LANES].tokens[i % LANES];

        g_assert_cmpuint(token, <=, THREADS * LANES);
        g_assert_false(seen[token]);
        seen[token] = true;
    }
}

static void test_exchanged_values_are_permuted(void)
{
    hammer(swap, prepare_tokens, check_tokens);
}

/* Counts by compare and exchange: the count equals the number of successes. */
static void step(Worker *w)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * w->bytes);
    uint64_t seen = 0;

    for (unsigned n = 0; n < ROUNDS; n++) {
        uint64_t expected[LANES];
        uint64_t desired[LANES];

        if (!w->eu) {
            seen = PROCESSOR(w, 0, __atomic_load_n, __ATOMIC_SEQ_CST);
            w->count += PROCESSOR(w, 0, __sync_bool_compare_and_swap, seen,
                                  seen + 1);
            continue;
        }
        for (unsigned i = 0; i < LANES; i++) {
            expected[i] = (seen + i) & mask;
            desired[i] = (seen + i + 1) & mask;
        }
        atomic(w, TEST_CMPXCHG, 0, desired, expected);
        for (unsigned i = 0; i < LANES; i++) {
            w->count += result(w, i) == expected[i];
        }
        seen = result(w, LANES - 1);
    }
}

static void check_steps(const Worker *workers)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * workers->bytes);
    uint64_t steps = 0;

    for (unsigned i = 0; i < THREADS; i++) {
        steps += workers[i].count;
    }
    g_assert_cmpuint(steps, >, 0);
    g_assert_cmphex(word(workers, 0), ==, steps & mask);
}

static void test_each_exchange_that_succeeds_counts(void)
{
    hammer(step, NULL, check_steps);
}

/* min, max, imin, imax and their float variants, in neighbouring words. */
static const uint8_t extremes[] = { TEST_MIN,  TEST_MAX,  TEST_IMIN,
                                    TEST_IMAX, TEST_FMIN, TEST_FMAX };

static void prepare_extremes(Worker *workers, uint8_t *memory, unsigned bytes)
{
    /* the middle of the offered values, so that every extreme has to move */
    uint64_t middle = bytes == 2 ? 0x3c00 : 0x3f800000;

    for (unsigned i = 0; i < G_N_ELEMENTS(extremes); i++) {
        memcpy(memory + i * bytes, &middle, bytes);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].least = UINT64_MAX;
    }
}

/* Positive numbers: the order of their bits is the same for all three types. */
static void offer(Worker *w)
{
    g_autoptr(GRand) rng = g_rand_new_with_seed(w->number);
    uint64_t limit = w->bytes == 2 ? 0x7bff : 0x7f7fffff;

    for (unsigned n = 0; n < ROUNDS && w->eu; n++) {
        uint64_t offers[LANES];

        for (unsigned i = 0; i < LANES; i++) {
            offers[i] = g_rand_int(rng) % limit;
            w->least = MIN(w->least, offers[i]);
            w->most = MAX(w->most, offers[i]);
        }
        for (unsigned i = 0; i < G_N_ELEMENTS(extremes); i++) {
            atomic(w, extremes[i], i * w->bytes, offers, NULL);
        }
    }
    for (unsigned n = 0; n < ROUNDS && !w->eu; n++) {
        /* rewrites the neighbouring bytes with their own value */
        unsigned at = n % G_N_ELEMENTS(extremes) * w->bytes;

        PROCESSOR(w, at, __atomic_fetch_add, 0, __ATOMIC_SEQ_CST);
    }
}

static void check_extremes(const Worker *workers)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (unsigned i = 0; i < EU_THREADS; i++) {
        least = MIN(least, workers[i].least);
        most = MAX(most, workers[i].most);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(extremes); i++) {
        g_assert_cmphex(word(workers, i * workers->bytes), ==,
                        i & 1 ? most : least);
    }
}

static void test_the_least_and_the_greatest_remain(void)
{
    hammer(offer, prepare_extremes, check_extremes);
}

/* 1.0; sums of integers are exact. */
static uint64_t float_one(unsigned bytes)
{
    return bytes == 2 ? 0x3c00 : bytes == 4 ? 0x3f800000 : 0x3ff0000000000000;
}

/* Each thread adds and subtracts the same amount, so that halves stay exact. */
static void add_floats(Worker *w)
{
    uint64_t one[LANES] = { [1] = float_one(w->bytes),
                            [3] = float_one(w->bytes),
                            [6] = float_one(w->bytes) };

    for (unsigned n = 0; n < ROUNDS && w->eu; n++) {
        atomic(w, TEST_FADD, 0, one, NULL);
        atomic(w, TEST_FSUB, 0, one, NULL);
    }
    for (unsigned n = 0; n < ROUNDS && !w->eu; n++) {
        PROCESSOR(w, 0, __atomic_fetch_add, 0, __ATOMIC_SEQ_CST);
    }
}

static void check_floats(const Worker *w)
{
    g_assert_cmphex(word(w, 0), ==, 0);
}

static void test_no_sum_of_floats_is_lost(void)
{
    hammer(add_floats, NULL, check_floats);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/atomic-threads/" #name, test_##name)
    RULE(no_count_is_lost);
    RULE(no_bit_is_lost);
    RULE(exchanged_values_are_permuted);
    RULE(each_exchange_that_succeeds_counts);
    RULE(the_least_and_the_greatest_remain);
    RULE(no_sum_of_floats_is_lost);
#undef RULE
    return g_test_run();
}
