/*
 * veu-bench: the cost of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program repeats the steps of steps.h in a loop, as does a bare loop, and
 * both must leave the same registers. Register n of the steps is V32(2n,0), 16
 * dwords.
 */
#include <string.h>
#include "tools/veu-bench/kernels.h"
#include "tools/veu-bench/steps.h"

#define LANES      BENCH_STEP_LANES
#define REGISTERS  BENCH_STEP_REGISTERS
#define HANDLE     1
/* The approximate number of instructions in a sample. */
#define SAMPLE     100000
/* By the rules, each takes longer. */
#define RULES_PART 32
/* Instructions of a loop's body besides the steps: add, cmp, goto. */
#define LOOP_STEPS 3

typedef struct Step {
    const char *operation;
    uint8_t to;
    uint8_t from[3];
} Step;

#define STEP(operation, to, a, b, c) { #operation, to, { a, b, c } },
static const Step steps_of_d[BENCH_STEPS] = { BENCH_STEPS_D(STEP) };
static const Step steps_of_f[BENCH_STEPS] = { BENCH_STEPS_F(STEP) };

/* --- The program --------------------------------------------------------- */

static const char declarations[] =
    ".kernel \"bench\"\n"
    ".decl V32 v_type=G type=d num_elts=256 align=GRF\n"
    ".decl V33 v_type=G type=f num_elts=256 align=GRF alias=<V32, 0>\n"
    ".decl V34 v_type=G type=d num_elts=1 align=GRF\n"
    ".decl V35 v_type=G type=d num_elts=16 align=GRF\n"
    ".decl V36 v_type=G type=f num_elts=16 align=GRF\n"
    ".decl A0 v_type=A num_elts=16\n"
    ".decl P1 v_type=P num_elts=16\n"
    ".decl P2 v_type=P num_elts=16\n";

/*
 * V35: lane numbers; P2: lanes with odd numbers; V34: iterations, from 0;
 * A0(n): the address of register n.
 */
static const char start[] =
    "or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n"
    "mov (M1_NM, 8) V35(0,0)<1> 0x76543210:v\n"
    "add (M1_NM, 8) V35(1,0)<1> V35(0,0)<1;1,0> 0x8:d\n"
    "mov (M1, 16) V36(0,0)<1> V35(0,0)<1;1,0>\n"
    "mov (M1_NM, 1) V34(0,0)<1> 0x0:d\n"
    "and (M1, 16) V32(0,0)<1> V35(0,0)<1;1,0> 0x1:d\n"
    "cmp.ne (M1, 16) P2 V32(0,0)<1;1,0> 0x0:d\n";

static float f_of(unsigned n, unsigned lane)
{
    return (float)lane * 0.015625f + (float)(n + 1) * 0.0078125f;
}

/*
 * The initial value of register @n, made from lane numbers: see
 * first_registers().
 */
static void append_first(GString *text, bool is_f, unsigned n)
{
    if (is_f) {
        g_string_append_printf(text,
                               "mul (M1, 16) V33(%u,0)<1> V36(0,0)<1;1,0> "
                               "0.015625:f\n"
                               "add (M1, 16) V33(%u,0)<1> V33(%u,0)<1;1,0> "
                               "%.7f:f\n",
                               n * 2, n * 2, n * 2, (n + 1) * 0.0078125);
    } else {
        g_string_append_printf(text,
                               "mul (M1, 16) V32(%u,0)<1> V35(0,0)<1;1,0> "
                               "0x%x:d\n",
                               n * 2, n * 1234567 + 89);
    }
}

static BenchRegisters first_registers(bool is_f)
{
    BenchRegisters r;

    for (unsigned n = 0; n < REGISTERS; n++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (is_f) {
                r.f[n][lane] = f_of(n, lane);
            } else {
                r.d[n][lane] = lane * (n * 1234567 + 89);
            }
        }
    }
    return r;
}

/* Register @n, or what is at its address. */
static void append_operand(GString *text, const KernelAlu *a, unsigned n,
                           bool at_address, const char *region)
{
    if (at_address) {
        g_string_append_printf(text, " r[A0(%u),0]%s:%c", n, region,
                               a->is_f ? 'f' : 'd');
    } else {
        g_string_append_printf(text, " V%u(%u,0)%s", a->is_f ? 33 : 32, n * 2,
                               region);
    }
}

static void append_step(GString *text, const KernelAlu *a, const Step *s,
                        unsigned number)
{
    unsigned sources = strcmp(s->operation, "mad") ? 2 : 3;

    if (a->diverges) {
        g_string_append_printf(text, "(!P2) goto (M1, 16) step%u\n", number);
    }
    g_string_append_printf(text, "%s%s (M1, 16)",
                           a->masked && !a->diverges ? "(P2) " : "",
                           s->operation);
    append_operand(text, a, s->to, a->at_address, "<1>");
    for (unsigned k = 0; k < sources; k++) {
        append_operand(text, a, s->from[k], a->at_address && k == 0, "<1;1,0>");
    }
    g_string_append_c(text, '\n');
    if (a->diverges) {
        g_string_append_printf(text, "step%u:\n", number);
    }
}

static void append_loop(GString *text, const KernelAlu *a, unsigned times)
{
    const Step *steps = a->is_f ? steps_of_f : steps_of_d;

    g_string_append(text, "again:\n");
    for (unsigned i = 0; i < a->repeats * BENCH_STEPS; i++) {
        append_step(text, a, &steps[i % BENCH_STEPS], i);
    }
    g_string_append_printf(text,
                           "add (M1_NM, 1) V34(0,0)<1> V34(0,0)<0;1,0> "
                           "0x1:d\n"
                           "cmp.lt (M1, 16) P1 V34(0,0)<0;1,0> 0x%x:d\n"
                           "(P1) goto (M1, 16) again\n"
                           "ret (M1, 1)\n",
                           times);
}

static GByteArray *make_program(const KernelAlu *a, unsigned times)
{
    g_autoptr(GString) text = g_string_new(declarations);

    g_string_append(text, start);
    for (unsigned n = 0; n < REGISTERS; n++) {
        append_first(text, a->is_f, n);
        g_string_append_printf(text,
                               "addr_add (M1_NM, 1) A0(%u)<1> &V32 0x%x:uw\n",
                               n, n * LANES * 4);
    }
    if (a->by_rules) {
        g_string_append(text, "mov (M1_NM, 1) V34(0,0)<1> %tsc(0,0)<0;1,0>\n"
                              "mov (M1_NM, 1) V34(0,0)<1> 0x0:d\n");
    }
    if (a->rounds_up) {
        g_string_append(text, "or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> "
                              "0x10:ud\n");
    }
    append_loop(text, a, times);
    return kernel_assemble(text->str);
}

/* --- The parts ----------------------------------------------------------- */

typedef struct Alu {
    const KernelCase *c;
    const KernelAlu *detail;
    KernelGuest guest;
    unsigned times; /* iterations of the loop */
    struct veu_command_dispatch command;
    uint64_t result; /* guest address of V32's value after the program */
    BenchStepLoop *loop;
    BenchRegisters first;
    BenchRegisters last; /* of the bare loop */
} Alu;

static double run_device(void *opaque)
{
    Alu *t = opaque;
    double begin = bench_cpu_ns();

    kernel_guest_push(&t->guest, &t->command, 2);
    return kernel_guest_run(&t->guest, t->c->name) ? bench_cpu_ns() - begin :
                                                     -1;
}

static double run_loop(void *opaque)
{
    Alu *t = opaque;
    double begin;

    t->last = t->first;
    begin = bench_cpu_ns();
    t->loop(&t->last, t->times * t->detail->repeats);
    return bench_cpu_ns() - begin;
}

/* The place of V32 in the register file. */
static uint32_t place_of_v32(const GByteArray *program)
{
    const struct veu_program_header *header = (const void *)program->data;
    const struct veu_section *section = (const void *)(header + 1);
    struct veu_variable variable = { 0 };

    for (unsigned i = 0; i < header->section_count; i++) {
        if (section[i].type == VEU_SECTION_VARIABLES) {
            memcpy(&variable, program->data + section[i].offset,
                   sizeof(variable));
        }
    }
    return variable.offset;
}

static bool make_command(Alu *t, const GByteArray *program)
{
    t->result = kernel_guest_put(&t->guest, NULL, sizeof(BenchRegisters));
    t->command = (struct veu_command_dispatch){
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
        .launch = {
            .code_address = HANDLE,
            .simd = LANES,
            .result_address = t->result,
            .result_bytes = sizeof(BenchRegisters),
            .result_offset = place_of_v32(program),
            .exec_mask = UINT32_MAX,
            .threads = 1,
            .groups = 1,
        },
    };
    return t->result && kernel_guest_load(&t->guest, program, LANES, HANDLE);
}

static unsigned count_times(const KernelAlu *a, double sample_ns)
{
    double steps = SAMPLE * sample_ns / 500e3 / (a->by_rules ? RULES_PART : 1);

    return MAX(steps / (a->repeats * BENCH_STEPS), 1);
}

static bool alu_init(Alu *t, const KernelCase *c, const KernelMeter *m)
{
    const KernelAlu *a = c->detail;
    g_autoptr(GByteArray) program = NULL;

    *t = (Alu){ .c = c, .detail = a };
    t->times = count_times(a, m->sample_ns);
    t->loop = (*bench_step_loops())[a->is_f][a->masked || a->diverges];
    t->first = first_registers(a->is_f);
    program = make_program(a, t->times);
    return program && kernel_guest_init(&t->guest, 1, true) &&
           make_command(t, program);
}

/* With another rounding, other bits are correct. */
static bool same(Alu *t)
{
    if (run_device(t) < 0) {
        return false;
    }
    run_loop(t);
    return t->detail->rounds_up ||
           !memcmp(&t->last, bench_ram_at(&t->guest.ram, t->result),
                   sizeof(t->last)) ||
           tool_error("%s: the device and the loop have different results: "
                      "please report this",
                      t->c->name);
}

bool kernel_measure_alu(const KernelCase *c, KernelMeter *m)
{
    const KernelAlu *a = c->detail;
    double steps = a->repeats * BENCH_STEPS;
    bool good;
    Alu t;

    good = alu_init(&t, c, m) && same(&t);
    if (good) {
        kernel_meter_add(m, KERNEL_DEVICE, run_device, &t,
                         t.times * (steps + LOOP_STEPS));
        kernel_meter_add(m, KERNEL_LOOP, run_loop, &t, t.times * steps);
        good = kernel_meter_run(m);
    }
    kernel_guest_free(&t.guest);
    return good;
}
