/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Atomic messages and a processor's atomic instructions on the same words: no
 * change is lost.
 */
#include "checks.h"

#define LANES    8
#define MESSAGES 64 /* of each kind in the program */
#define THREADS  16
#define LAUNCHES 40
#define CPU_STEP 7
#define EU_STEP  13

/* A cache line that both sides change. */
struct words {
    uint32_t sum;   /* both sides add; the device does so by address */
    uint32_t count; /* the device increments, the processor exchanges */
    uint32_t steps; /* the processor increments, the device takes a max */
    uint16_t low;   /* the device adds, */
    uint16_t high;  /* and the processor adds to its neighbour */
    uint64_t sum64; /* both add */
    /* both flip bits; the device flips those of the lower half */
    uint32_t bits;
};

struct contest {
    struct bench *b;
    struct words *words;
    uint64_t rounds; /* rounds of the processor */
    bool started, stop, stopped;
};

static void exchange_one(uint32_t *word)
{
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(word, &old, old + 1, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        continue;
    }
}

/* The processor's side: lock add, lock cmpxchg, lock xor. */
static void compete(void *opaque)
{
    struct contest *c = opaque;
    struct words *w = c->words;

    __atomic_store_n(&c->started, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&c->stop, __ATOMIC_ACQUIRE)) {
        __atomic_fetch_add(&w->sum, CPU_STEP, __ATOMIC_SEQ_CST);
        exchange_one(&w->count);
        __atomic_fetch_add(&w->steps, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&w->high, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&w->sum64, CPU_STEP, __ATOMIC_SEQ_CST);
        __atomic_fetch_xor(&w->bits, 0xffff0000, __ATOMIC_SEQ_CST);
        c->rounds++;
    }
    __atomic_store_n(&c->stopped, true, __ATOMIC_RELEASE);
}

/* The device's side: a program and its initial registers. */
struct side {
    struct veu_program program;
    uint32_t sum, sum64, offsets, step, step64, ones;
};

static void put_messages(struct side *s)
{
    struct veu_code *code = &s->program.code;
    struct veu_exec exec = veu_m(1, LANES);

    for (unsigned n = 0; n < MESSAGES; n++) {
        veu_encode_svm_atomic(code, 0, VEU_ATOMIC_ADD, 32, exec, veu_v(s->sum),
                              VEU_NULL, veu_v(s->step), VEU_NULL);
        veu_encode_svm_atomic(code, 0, VEU_ATOMIC_ADD, 64, exec,
                              veu_v(s->sum64), VEU_NULL, veu_v(s->step64),
                              VEU_NULL);
        veu_encode_dword_atomic(code, 0, VEU_ATOMIC_INC, 32, exec, T6,
                                veu_v(s->offsets), VEU_NULL, VEU_NULL,
                                VEU_NULL);
        veu_encode_dword_atomic(code, 0, VEU_ATOMIC_MAX, 32, exec, T6 + 1,
                                veu_v(s->offsets), VEU_NULL, VEU_NULL,
                                VEU_NULL);
        veu_encode_dword_atomic(code, 0, VEU_ATOMIC_ADD, 16, exec, T6 + 2,
                                veu_v(s->offsets), veu_v(s->step), VEU_NULL,
                                VEU_NULL);
        /* one lane, so that an odd number of flips is visible */
        veu_encode_dword_atomic(code, 0, VEU_ATOMIC_XOR, 32, veu_m(1, 1),
                                T6 + 3, veu_v(s->offsets), veu_v(s->ones),
                                VEU_NULL, VEU_NULL);
    }
}

static void *of_thread(const struct side *s, void *registers, uint32_t id)
{
    return (uint8_t *)registers + veu_program_offset(&s->program, id);
}

static void set_registers(const struct side *s, const struct words *words,
                          void *registers)
{
    uint64_t *sum = of_thread(s, registers, s->sum);
    uint64_t *sum64 = of_thread(s, registers, s->sum64);
    uint32_t *step = of_thread(s, registers, s->step);
    uint64_t *step64 = of_thread(s, registers, s->step64);
    uint32_t *ones = of_thread(s, registers, s->ones);

    for (unsigned i = 0; i < LANES; i++) {
        sum[i] = veu_port_device_address(&words->sum);
        sum64[i] = veu_port_device_address(&words->sum64);
        step[i] = EU_STEP;
        step64[i] = EU_STEP;
    }
    *ones = 0x0000ffff;
}

static struct veu_command_dispatch make_side(struct bench *b, struct side *s,
                                             struct words *words)
{
    struct veu_command_dispatch command;
    uint32_t bytes;

    veu_program_begin(&s->program, b->program, BENCH_PROGRAM_BYTES, 32);
    s->sum = veu_program_variable(&s->program, VEU_TYPE_UQ, LANES);
    s->sum64 = veu_program_variable(&s->program, VEU_TYPE_UQ, LANES);
    s->offsets = veu_program_variable(&s->program, VEU_TYPE_UD, LANES);
    s->step = veu_program_variable(&s->program, VEU_TYPE_UD, LANES);
    s->step64 = veu_program_variable(&s->program, VEU_TYPE_UQ, LANES);
    s->ones = veu_program_variable(&s->program, VEU_TYPE_UD, 1);
    put_messages(s);
    command = veu_make_dispatch(0, b->program, veu_program_end(&s->program), 8);
    bytes = veu_payload_bytes(&s->program);
    __builtin_memset(b->payload, 0, THREADS * bytes);
    for (unsigned n = 0; n < THREADS; n++) {
        struct veu_payload_header *h = (void *)(b->payload + n * bytes);

        h->exec_mask = 0xff;
        set_registers(s, words, veu_payload_registers(h, &s->program));
    }
    b->surfaces[0] = veu_surface_raw(&words->count, 4);
    b->surfaces[1] = veu_surface_raw(&words->steps, 4);
    b->surfaces[2] = veu_surface_raw(&words->low, 2);
    b->surfaces[3] = veu_surface_raw(&words->bits, 4);
    veu_launch_surfaces(&command.launch, b->surfaces, 4);
    veu_launch_payload(&command.launch, b->payload, bytes);
    command.launch.threads = THREADS;
    return command;
}

static void check_word(const char *name, uint64_t value, uint64_t expected)
{
    report_begin("atomics: %s", name);
    report_result(value == expected, "it is 0x%lx, not 0x%lx", value, expected);
}

static void check_words(const struct contest *c)
{
    uint64_t messages = (uint64_t)MESSAGES * THREADS * LAUNCHES;
    uint64_t lanes = messages * LANES;
    const struct words *w = c->words;

    report_info("rounds of the processor", "%lu beside %lu messages", c->rounds,
                6 * messages);
    check_word("svm_atomic.add and lock add", w->sum,
               (uint32_t)(lanes * EU_STEP + c->rounds * CPU_STEP));
    check_word("svm_atomic.add.64 and lock add of 64 bits", w->sum64,
               lanes * EU_STEP + c->rounds * CPU_STEP);
    check_word("dword_atomic.inc and lock cmpxchg", w->count,
               (uint32_t)(lanes + c->rounds));
    check_word("dword_atomic.max and lock add", w->steps, (uint32_t)c->rounds);
    check_word("dword_atomic.add.16", w->low, (uint16_t)(lanes * EU_STEP));
    check_word("lock add of its 16-bit neighbour", w->high,
               (uint16_t)c->rounds);
    check_word("dword_atomic.xor and lock xor", w->bits,
               (messages & 1 ? 0xffff : 0) | (c->rounds & 1 ? 0xffff0000 : 0));
}

static bool launch_all(struct contest *c)
{
    static struct side side;
    struct veu_command_dispatch command = make_side(c->b, &side, c->words);

    for (unsigned n = 0; n < LAUNCHES; n++) {
        if (bench_run(c->b, &command.header) != VEU_OK) {
            return false;
        }
    }
    return true;
}

static void wait_for(bool *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
        machine_pause();
    }
}

/* Runs both sides concurrently, or alone if there is one processor. */
static void contest(struct bench *b, bool alone)
{
    static struct contest c;
    bool ran;

    c = (struct contest){
        .b = b,
        .words = machine_alloc(sizeof(struct words), 64),
    };
    report_begin("atomics: %u launches%s", LAUNCHES,
                 alone ? "" : " against the second processor");
    if (!alone && !machine_start_processor(1, compete, &c)) {
        report_fail("the second processor did not start");
        return;
    }
    if (!alone) {
        wait_for(&c.started);
    }
    ran = launch_all(&c);
    __atomic_store_n(&c.stop, true, __ATOMIC_RELEASE);
    if (!alone) {
        wait_for(&c.stopped);
    }
    report_result(ran, "a launch faulted: 0x%x", b->fault.code);
    check_words(&c);
}

void check_atomic(struct bench *b)
{
    report_section("atomics");
    contest(b, true);
    if (machine_processors() < 2) {
        report_begin("atomics with two processors");
        report_skip("the machine has one");
    } else {
        contest(b, false);
    }
}
