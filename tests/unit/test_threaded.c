/*
 * veu unit tests: the device model under a host with threads, beside threads
 * that play processors: docs/spec.md, sections 4, 12 and 13.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With ThreadSanitizer ("ninja check-tsan") an access of the model that is not
 * ordered as the specification promises is a failure. The seed is printed;
 * --seed repeats.
 */
#include <sched.h>
#include <string.h>
#include "tests/lib/program_builder.h"
#include "tests/lib/threaded_host.h"
#include "veu/veu.h"

#define SLOTS   64
#define RECORDS 16
#define LANES   8
#define GROUPS  16
#define THREADS 3
#define WORK    (GROUPS * THREADS)
#define STRIDE  256 /* of a payload: a header and four variables */

/* The memory of ring n. */
#define RING_BYTES UINT64_C(0x40000)
#define BASE(n)    (THREADED_RAM + (n)*RING_BYTES)
#define SHARED(n)  (BASE(n) + 0x1000)
#define FAULTS(n)  (BASE(n) + 0x2000)
#define FENCE(n)   (BASE(n) + 0x3000)
#define PROGRAM(n) (BASE(n) + 0x4000)
#define PAYLOAD(n) (BASE(n) + 0x8000)
#define RESULT(n)  (BASE(n) + 0x10000)
#define DATA(n)    (BASE(n) + 0x18000)
#define COPY(n)    (BASE(n) + 0x20000)
#define TEXELS(n)  (BASE(n) + 0x28000)
#define SVM(n)     (BASE(n) + 0x30000)
#define SURFACE(n) (BASE(n) + 0x3000 + 0x800)
#define DATA_BYTES ((1 + WORK * LANES) * 4)
/* A word to which all threads add, and a table of windows. */
#define EVERYBODYS (THREADED_RAM + 0x1f0000)
#define WINDOWS    (THREADED_RAM + 0x1f1000)

typedef struct Driver {
    ThreadedHost *host;
    unsigned ring;
    unsigned rounds;
    uint32_t tail;
    struct veu_command_dispatch work;
    pthread_t thread;
    guint32 seed;
    bool *stop;
} Driver;

static void *at(const Driver *d, uint64_t address)
{
    return threaded_at(d->host, address);
}

static struct veu_ring_shared *shared(const Driver *d)
{
    return at(d, SHARED(d->ring));
}

/* ---- the ring ---- */

static void set(const Driver *d, uint32_t reg, uint64_t value, unsigned bytes)
{
    threaded_write(d->host, VEU_RING_BLOCK + d->ring * 0x100 + reg, value,
                   bytes);
}

static uint32_t get(const Driver *d, uint32_t reg)
{
    return threaded_read(d->host, VEU_RING_BLOCK + d->ring * 0x100 + reg, 4);
}

/* The ring is disabled, so that its memory belongs to the driver. */
static void enable(Driver *d)
{
    memset(shared(d), 0, sizeof(*shared(d)));
    d->tail = 0;
    set(d, VEU_REG_RING_BASE, BASE(d->ring), 8);
    set(d, VEU_REG_RING_SHARED, SHARED(d->ring), 8);
    set(d, VEU_REG_RING_FAULTS, FAULTS(d->ring), 8);
    set(d, VEU_REG_RING_SLOTS, SLOTS, 4);
    set(d, VEU_REG_RING_FAULT_RECORDS, RECORDS, 4);
    set(d, VEU_REG_RING_CONTEXT, d->ring, 4);
    set(d, VEU_REG_RING_VECTOR, 0, 4);
    set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE, 4);
    set(d, VEU_REG_RING_HEAD, 0, 4);
    set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

static void put(Driver *d, const void *command, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        memcpy(at(d, BASE(d->ring) + d->tail++ % SLOTS * VEU_SLOT_BYTES),
               (const uint8_t *)command + i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
}
#define PUT(d, command) put((d), &(command), sizeof(command) / VEU_SLOT_BYTES)

/* The handshake of spec.md, section 4. */
static void submit(Driver *d)
{
    __atomic_store_n(&shared(d)->tail, d->tail, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&shared(d)->asleep, __ATOMIC_RELAXED)) {
        threaded_kick(d->host);
    }
}

/* ---- work ---- */

/*
 * V32 has offsets, V33 terms, V34 the shared word, V35 the lanes' own
 * addresses.
 */
static void declare(TestProgram *p)
{
    test_program_init(p);
    test_program_variable(p, 0, LANES, VEU_TYPE_UD);
    test_program_variable(p, 32, LANES, VEU_TYPE_UD);
    test_program_variable(p, 64, LANES, VEU_TYPE_UQ);
    test_program_variable(p, 128, LANES, VEU_TYPE_UQ);
    test_program_variable(p, 192, 4 * LANES, VEU_TYPE_UD);
}

/* Reads and writes of each kind, whose results are not checked. */
static void add_others(TestProgram *p)
{
    static const struct {
        TestKind kind;
        uint8_t surface;
        uint8_t address;
    } others[] = {
        { TEST_GATHER_SCALED, 5, 32 },  { TEST_SCATTER_SCALED, 5, 32 },
        { TEST_GATHER4_TYPED, 6, 32 },  { TEST_SCATTER4_TYPED, 6, 32 },
        { TEST_SVM_GATHER, 0, 35 },     { TEST_SVM_SCATTER, 0, 35 },
        { TEST_GATHER4_SCALED, 5, 32 }, { TEST_SCATTER4_SCALED, 5, 32 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        bool svm = others[i].address == 35;

        test_program_add(p, &(TestMessage){ .kind = others[i].kind,
                                            .exec = TEST_LANES_8,
                                            .block_size = 1,
                                            .num_blocks = svm ? 0 : 2,
                                            .channels = 3,
                                            .surface = others[i].surface,
                                            .offset = test_immediate(0x2000),
                                            .address = { others[i].address },
                                            .data = { 36, 0 } });
    }
}

/* Adds to words of the EU thread, to one of the ring, and to the shared one. */
static uint32_t make_program(const Driver *d)
{
    g_autofree TestProgram *p = g_new(TestProgram, 1);
    uint8_t bytes[PROGRAM_MAX_BYTES];
    uint32_t count;

    declare(p);
    test_program_add(p, &(TestMessage){ .kind = TEST_SVM_ATOMIC,
                                        .exec = TEST_LANES_8,
                                        .op = TEST_INC,
                                        .address = { 34, 0 } });
    add_others(p);
    test_program_add(p, &(TestMessage){ .kind = TEST_DWORD_ATOMIC,
                                        .exec = TEST_LANES_8,
                                        .op = TEST_ADD,
                                        .surface = 5,
                                        .address = { 32, 0 },
                                        .src0 = { 33, 0 },
                                        .data = { 33, 0 } });
    count = test_program_build(p, bytes);
    memcpy(at(d, PROGRAM(d->ring)), bytes, count);
    return count;
}

/* Texels that every EU thread reads and writes. */
static void make_surface(const Driver *d)
{
    struct veu_surface s = { .base = TEXELS(d->ring),
                             .format = VEU_FORMAT_R8G8B8A8_UNORM,
                             .type = VEU_SURFACE_1D,
                             .width = 4096,
                             .levels = 1 };

    memcpy(at(d, SURFACE(d->ring)), &s, sizeof(s));
}

static void make_payloads(const Driver *d)
{
    for (unsigned t = 0; t < WORK; t++) {
        uint32_t *words = at(d, PAYLOAD(d->ring) + t * STRIDE);
        uint64_t *addresses = (uint64_t *)(words + 32);

        memset(words, 0, STRIDE);
        words[0] = 0xff;
        for (unsigned lane = 0; lane < LANES; lane++) {
            words[16 + lane] = lane ? 4 + (t * LANES + lane) * 4 : 0;
            words[24 + lane] = t + lane;
            addresses[lane] = EVERYBODYS;
            addresses[LANES + lane] = SVM(d->ring) + words[16 + lane];
        }
    }
}

static void make_work(Driver *d)
{
    make_payloads(d);
    make_surface(d);
    d->work = (struct veu_command_dispatch){
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
        .launch = { .code_address = PROGRAM(d->ring),
                    .code_bytes = make_program(d),
                    .simd = LANES,
                    .surface_table = SURFACE(d->ring),
                    .surface_count = 1,
                    .payload_address = PAYLOAD(d->ring),
                    .payload_bytes = STRIDE,
                    .payload_stride = STRIDE,
                    .result_address = RESULT(d->ring),
                    .result_offset = 32,
                    .result_bytes = 32,
                    .result_stride = 32,
                    .exec_mask = UINT32_MAX,
                    .threads = THREADS,
                    .groups = GROUPS,
                    .stateless_base = DATA(d->ring),
                    .stateless_bytes = 0x8000 },
    };
}

/*
 * Clears the data, works on it, copies it, and stores the number of the round.
 */
static void put_round(Driver *d, uint64_t number)
{
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = DATA(d->ring),
        .bytes = DATA_BYTES,
    };
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = DATA(d->ring),
        .destination = COPY(d->ring),
        .bytes = DATA_BYTES,
    };
    struct veu_command_fence fence = {
        .header = { .opcode = VEU_COMMAND_FENCE, .slots = 1 },
        .address = FENCE(d->ring),
        .value = number,
    };

    PUT(d, fill);
    PUT(d, d->work);
    PUT(d, copy);
    PUT(d, fence);
}

/*
 * A driver that has seen the fence sees all of it, without further
 * synchronization.
 */
static void check_round(const Driver *d)
{
    const uint32_t *copy = at(d, COPY(d->ring));
    const uint32_t *result = at(d, RESULT(d->ring));

    g_assert_cmpuint(copy[0], ==, WORK * (WORK - 1) / 2);
    for (unsigned t = 0; t < WORK; t++) {
        for (unsigned lane = 1; lane < LANES; lane++) {
            g_assert_cmpuint(copy[1 + t * LANES + lane], ==, t + lane);
            g_assert_cmpuint(result[t * LANES + lane], ==, 0);
        }
    }
}

static void *drive(void *opaque)
{
    Driver *d = opaque;
    const uint64_t *fence = at(d, FENCE(d->ring));

    enable(d);
    for (unsigned i = 1; i <= d->rounds; i++) {
        make_work(d);
        put_round(d, i);
        submit(d);
        while (__atomic_load_n(fence, __ATOMIC_ACQUIRE) != i) {
            g_assert_cmphex(get(d, VEU_REG_RING_LAST_FAULT), ==, 0);
            sched_yield();
        }
        check_round(d);
    }
    g_assert_cmphex(get(d, VEU_REG_RING_LAST_FAULT), ==, 0);
    return NULL;
}

/* ---- others ---- */

static bool stopped(const Driver *d)
{
    return __atomic_load_n(d->stop, __ATOMIC_RELAXED);
}

static void *read_registers(void *opaque)
{
    Driver *d = opaque;
    g_autoptr(GRand) random = g_rand_new_with_seed(d->seed);

    while (!stopped(d)) {
        threaded_read(d->host, g_rand_int_range(random, 0, 0xd000) & ~3u,
                      g_rand_boolean(random) ? 4 : 8);
    }
    return NULL;
}

static void *read_capabilities(void *opaque)
{
    const Driver *d = opaque;

    while (!stopped(d)) {
        g_assert_cmpuint(threaded_read(d->host, VEU_REG_CAP_RINGS, 4), ==, 1);
        g_assert_cmpuint(threaded_read(d->host, VEU_REG_LIMIT_THREADS, 4), !=,
                         0);
    }
    return NULL;
}

static void *count(void *opaque)
{
    Driver *d = opaque;

    for (unsigned i = 0; i < d->rounds; i++) {
        __atomic_fetch_add((uint32_t *)at(d, EVERYBODYS), 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

/*
 * Ring n may use only its own memory, because the test writes wild data there.
 */
static void confine(ThreadedHost *h, unsigned ring)
{
    uint32_t registers = VEU_CONTEXT_BLOCK + ring * 0x100;
    struct veu_window window = { BASE(ring), RING_BYTES,
                                 VEU_WINDOW_READ | VEU_WINDOW_WRITE, 0 };

    memcpy(threaded_at(h, WINDOWS), &window, sizeof(window));
    threaded_write(h, registers + VEU_REG_CONTEXT_TYPE, 1, 4);
    threaded_write(h, registers + VEU_REG_CONTEXT_WINDOW_COUNT, 1, 4);
    threaded_write(h, registers + VEU_REG_CONTEXT_WINDOWS, WINDOWS, 8);
}

/*
 * Resets the ring, so that its memory belongs to the driver again, and restarts
 * it.
 */
static void start_wild(Driver *d)
{
    set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET, 4);
    make_work(d);
    enable(d);
    for (unsigned i = 0; i < 8; i++) {
        put_round(d, i);
    }
    submit(d);
}

/* Changes what the device reads, while it reads. */
static void *spoil(void *opaque)
{
    Driver *d = opaque;
    g_autoptr(GRand) random = g_rand_new_with_seed(d->seed);

    confine(d->host, d->ring);
    while (!stopped(d)) {
        start_wild(d);
        for (unsigned i = g_rand_int_range(random, 0, 3000); i; i--) {
            uint32_t place = g_rand_int_range(random, 0, RING_BYTES);
            uint8_t *byte = at(d, BASE(d->ring) + place);

            __atomic_store_n(byte, g_rand_int(random) >> 8, __ATOMIC_RELAXED);
        }
        threaded_kick(d->host);
    }
    set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET, 4);
    return NULL;
}

static void begin(Driver *d, void *(*run)(void *opaque))
{
    d->seed = g_test_rand_int();
    pthread_create(&d->thread, NULL, run, d);
}

static void end(Driver *d)
{
    pthread_join(d->thread, NULL);
}

/* ---- tests ---- */

static void check_beside_others(unsigned helpers)
{
    g_autoptr(ThreadedHost) h = threaded_new(4, helpers);
    bool stop = false;
    Driver a = { .host = h, .ring = 0, .rounds = 60 };
    Driver b = { .host = h, .ring = 1, .rounds = 60 };
    Driver counting = { .host = h, .rounds = 100000 };
    Driver reading = { .host = h, .stop = &stop };
    Driver wild = { .host = h, .ring = 2, .stop = &stop };

    begin(&reading, read_registers);
    begin(&wild, spoil);
    begin(&counting, count);
    begin(&a, drive);
    begin(&b, drive);
    end(&a);
    end(&b);
    end(&counting);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    end(&wild);
    end(&reading);
    g_assert_cmpuint(*(uint32_t *)threaded_at(h, EVERYBODYS), ==,
                     100000 + 2 * 60 * WORK * LANES);
}

static void test_work_is_right_beside_wild_processors(void)
{
    check_beside_others(0);
}

static void test_helpers_work_beside_wild_processors(void)
{
    check_beside_others(1);
    check_beside_others(3);
}

/*
 * A store of the device after the reset would be a race, and would change
 * memory.
 */
static void test_nothing_is_written_after_a_reset(void)
{
    g_autoptr(ThreadedHost) h = threaded_new(2, 3);
    g_autofree uint8_t *before = g_malloc(THREADED_RAM_BYTES);
    Driver d = { .host = h, .ring = 0 };

    for (unsigned i = 0; i < 300; i++) {
        make_work(&d);
        enable(&d);
        for (unsigned round = 0; round < 8; round++) {
            put_round(&d, round);
        }
        submit(&d);
        for (int n = g_test_rand_int_range(0, 3000); n; n--) {
            threaded_read(h, VEU_REG_TIME, 8);
        }
        if (i % 2) {
            set(&d, VEU_REG_RING_CONTROL, VEU_RING_RESET, 4);
        } else {
            threaded_write(h, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
        }
        memcpy(before, h->memory, THREADED_RAM_BYTES);
        g_assert_cmpuint(get(&d, VEU_REG_RING_STATE), ==, VEU_RING_DISABLED);
        g_assert_cmphex(get(&d, VEU_REG_RING_BASE), ==, 0);
        g_usleep(g_test_rand_int_range(0, 200));
        g_assert_cmpint(memcmp(before, h->memory, THREADED_RAM_BYTES), ==, 0);
    }
}

static void test_capabilities_stay_in_a_reset(void)
{
    g_autoptr(ThreadedHost) h = threaded_new(1, 0);
    bool stop = false;
    Driver reading = { .host = h, .stop = &stop };

    begin(&reading, read_capabilities);
    for (unsigned i = 0; i < 1000000; i++) {
        threaded_write(h, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    end(&reading);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/threaded/" #name, test_##name)
    RULE(work_is_right_beside_wild_processors);
    RULE(helpers_work_beside_wild_processors);
    RULE(nothing_is_written_after_a_reset);
    RULE(capabilities_stay_in_a_reset);
#undef RULE
    return g_test_run();
}
