/*
 * veu-bench: the cost of loading, launching and starting.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/veu-bench/kernels.h"
#include "tools/veu-bench/steps.h"

#define HANDLE         1
#define SIMD           16
/* The sizes of a kernel with a few arguments. */
#define CROSS_BYTES    96
#define LOCAL_ID_BYTES 96
/* Launches in a sample; the ring has room for them. */
#define LAUNCHES       1000
#define THREADS        8
#define GROUPS         2000
/* Register bytes that a bare loop copies for a thread: r0 and the inputs. */
#define START_BYTES    (32 + CROSS_BYTES + LOCAL_ID_BYTES)

typedef struct Launch {
    const KernelCase *c;
    KernelGuest guest;
    struct veu_command_kernel command;
    unsigned launches;
    GByteArray *program;
    uint64_t instructions;
    uint8_t registers[START_BYTES];
    uint8_t inputs[CROSS_BYTES + LOCAL_ID_BYTES * THREADS];
} Launch;

static void launch_free(Launch *t)
{
    kernel_guest_free(&t->guest);
    if (t->program) {
        g_byte_array_unref(t->program);
    }
}

/* --- Decoding ------------------------------------------------------------ */

/* Instructions of the forms that kernels mostly have. */
static char *long_text(unsigned count)
{
    static const char *const lines[] = {
        "add (M1, 16) V32(0,0)<1> V32(2,0)<1;1,0> V32(4,0)<1;1,0>\n",
        "mul (M1, 16) V33(6,0)<1> V33(2,0)<1;1,0> 1.5:f\n",
        ("mad (M5, 16) V33(8,0)<1> V33(6,0)<1;1,0> V33(2,0)<0;1,0> "
         "V33(4,0)<1;1,0>\n"),
        "cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> V32(6,0)<0;1,0>\n",
        "(P1) mov (M1, 16) V32(10,0)<1> V32(0,0)<1;1,0>\n",
        "shl (M1, 16) V32(12,0)<1> V32(10,0)<1;1,0> 0x2:d\n",
        "and (M1_NM, 1) V32(14,0)<1> V32(12,0)<0;1,0> 0xff:d\n",
        "(P1) sel (M1, 16) V33(16,0)<1> V33(8,0)<1;1,0> V33(6,0)<1;1,0>\n",
    };
    GString *text = g_string_new(
        ".kernel \"bench\"\n"
        ".decl V32 v_type=G type=d num_elts=256 align=GRF\n"
        ".decl V33 v_type=G type=f num_elts=256 align=GRF alias=<V32, 0>\n"
        ".decl P1 v_type=P num_elts=16\n");

    for (unsigned i = 0; i < count; i++) {
        g_string_append(text, lines[i % G_N_ELEMENTS(lines)]);
    }
    g_string_append(text, "ret (M1, 1)\n");
    return g_string_free(text, FALSE);
}

static double run_load(void *opaque)
{
    Launch *t = opaque;
    struct veu_command_unload unload = {
        .header = { .opcode = VEU_COMMAND_UNLOAD, .slots = 1 },
    };
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = t->command.code_address,
        .code_bytes = t->program->len,
        .program = HANDLE,
        .simd = SIMD,
    };
    double begin;

    kernel_guest_push(&t->guest, &unload, 1);
    kernel_guest_push(&t->guest, &load, 1);
    begin = bench_cpu_ns();
    return kernel_guest_run(&t->guest, t->c->name) ? bench_cpu_ns() - begin :
                                                     -1;
}

static bool measure_load(const KernelCase *c, KernelMeter *m, bool jit)
{
    unsigned count = *(const unsigned *)c->detail;
    g_autofree char *text = long_text(count);
    bool good;
    Launch t = { .c = c };

    t.program = kernel_assemble(text);
    good = t.program && kernel_guest_init(&t.guest, 1, jit);
    if (good) {
        t.command.code_address = kernel_guest_put(&t.guest, t.program->data,
                                                  t.program->len);
        kernel_meter_add(m, KERNEL_DEVICE, run_load, &t, count);
        good = t.command.code_address && kernel_meter_run(m);
    }
    launch_free(&t);
    return good;
}

bool kernel_measure_decode(const KernelCase *c, KernelMeter *m)
{
    return measure_load(c, m, false);
}

bool kernel_measure_compile(const KernelCase *c, KernelMeter *m)
{
    return measure_load(c, m, true);
}

/* --- Launches ------------------------------------------------------------ */

/* Almost empty; without the mov, it would be a program of messages. */
static const char empty_text[] =
    ".kernel \"bench\"\n"
    ".decl V32 v_type=G type=d num_elts=256 align=GRF\n"
    "mov (M1_NM, 1) V32(0,0)<1> 0x0:d\n"
    "ret (M1, 1)\n";

static bool make_command(Launch *t, uint32_t groups, uint32_t threads)
{
    t->command = (struct veu_command_kernel){
        .header = { .opcode = VEU_COMMAND_KERNEL, .slots = 3 },
        .program = HANDLE,
        .cross_thread_address = kernel_guest_put(&t->guest, NULL, CROSS_BYTES),
        .cross_thread_bytes = CROSS_BYTES,
        .local_id_address = kernel_guest_put(&t->guest, NULL,
                                             LOCAL_ID_BYTES * threads),
        .local_id_bytes = LOCAL_ID_BYTES,
        .group_count = { groups, 1, 1 },
        .threads = threads,
        .last_exec_mask = UINT32_MAX,
        .groups_in_flight = 16,
        .simd = SIMD,
    };
    return t->command.cross_thread_address && t->command.local_id_address;
}

static double run_launches(void *opaque)
{
    Launch *t = opaque;
    double begin;

    for (unsigned i = 0; i < t->launches; i++) {
        kernel_guest_push(&t->guest, &t->command, 3);
    }
    begin = bench_cpu_ns();
    return kernel_guest_run(&t->guest, t->c->name) ? bench_cpu_ns() - begin :
                                                     -1;
}

/* Copies what a thread must have in its registers. */
static double run_copies(void *opaque)
{
    Launch *t = opaque;
    unsigned threads = t->command.group_count[0] * t->command.threads;
    double begin = bench_cpu_ns();

    for (unsigned i = 0; i < t->launches * threads; i++) {
        memcpy(t->registers, &i, sizeof(i));
        memcpy(t->registers + 32, t->inputs, CROSS_BYTES);
        memcpy(t->registers + 32 + CROSS_BYTES,
               t->inputs + CROSS_BYTES + i % THREADS * LOCAL_ID_BYTES,
               LOCAL_ID_BYTES);
        __asm__ volatile("" : : "r"(t->registers) : "memory");
    }
    return bench_cpu_ns() - begin;
}

static bool measure(const KernelCase *c, KernelMeter *m, unsigned launches,
                    uint32_t groups, uint32_t threads)
{
    double units = (double)launches * groups * threads;
    bool good;
    Launch t = { .c = c, .launches = launches };

    t.program = kernel_assemble(empty_text);
    good = t.program && kernel_guest_init(&t.guest, 1, true) &&
           kernel_guest_load(&t.guest, t.program, SIMD, HANDLE) &&
           make_command(&t, groups, threads);
    if (good) {
        kernel_meter_add(m, KERNEL_DEVICE, run_launches, &t, units);
        kernel_meter_add(m, KERNEL_LOOP, run_copies, &t, units);
        good = kernel_meter_run(m);
    }
    launch_free(&t);
    return good;
}

bool kernel_measure_launch(const KernelCase *c, KernelMeter *m)
{
    return measure(c, m, LAUNCHES, 1, 1);
}

bool kernel_measure_thread(const KernelCase *c, KernelMeter *m)
{
    return measure(c, m, 1, GROUPS, THREADS);
}
