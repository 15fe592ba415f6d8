/*
 * veu-bench: the cost of instructions, launches and kernels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `veu-bench kernels` runs cases, each of which has up to three parts: the
 * device, a bare loop that computes the same, and another implementation of
 * OpenCL that runs the same kernel. They take turns in one thread.
 */
#ifndef VEU_TOOLS_BENCH_KERNELS_H
#define VEU_TOOLS_BENCH_KERNELS_H

#include "tools/veu-bench/bench.h"

/* --- Cases --------------------------------------------------------------- */

/* Who computes, in the order of the report's columns. */
typedef enum KernelPart {
    KERNEL_DEVICE,
    KERNEL_LOOP, /* bare C, vectorised */
    KERNEL_PEER, /* another OpenCL implementation, or another device */
    KERNEL_PARTS
} KernelPart;

/* The goal of a case; 0: none. */
typedef struct KernelGoal {
    double avx512_ns; /* of the device, if veu_cpu is AVX-512 */
    double ns;        /* of the device, with AVX2 */
    double ratio;     /* of the device to the peer */
} KernelGoal;

typedef struct KernelCase KernelCase;
typedef struct KernelMeter KernelMeter;

/*
 * Measures @c: adds its parts to the meter and runs it. Returns false with an
 * error.
 */
typedef bool KernelMeasure(const KernelCase *c, KernelMeter *m);

/* A row of the table. */
struct KernelCase {
    const char *name;
    const char *unit; /* the unit of times: "instruction", "work-item" */
    KernelMeasure *measure;
    KernelGoal goal;
    const void *detail; /* for its measure() */
};

extern const KernelCase kernel_cases[];
extern const unsigned kernel_case_count;

/* --- The meter: kernels_meter.c ------------------------------------------ */

/* Runs a sample. Returns nanoseconds, or a negative number after an error. */
typedef double KernelSample(void *opaque);

typedef struct KernelResult {
    const KernelCase *c;
    const char *peer;                 /* its name, or NULL */
    BenchFigure figure[KERNEL_PARTS]; /* ns per unit; 0: none */
} KernelResult;

struct KernelMeter {
    unsigned rounds;
    double sample_ns; /* the approximate time of a sample */
    struct {
        KernelSample *sample;
        void *opaque;
        double units; /* of a sample */
    } part[KERNEL_PARTS];
    KernelResult *result;
};

/* Adds a part whose sample has @units units. */
void kernel_meter_add(KernelMeter *m, KernelPart part, KernelSample *sample,
                      void *opaque, double units);
/* Runs all parts in turns, after one round that is not measured. */
bool kernel_meter_run(KernelMeter *m);

/* --- A guest: kernels_guest.c -------------------------------------------- */

/* The device with RAM, a ring, and loaded programs. */
typedef struct KernelGuest {
    BenchRam ram;
    BenchDevice *device;
} KernelGuest;

bool kernel_guest_init(KernelGuest *g, unsigned workers, bool jit);
/* Unless @page_bytes is 0, all memory is in such pages. */
bool kernel_guest_set_pages(KernelGuest *g, uint32_t page_bytes);
void kernel_guest_free(KernelGuest *g);
/* Copies @bytes into the RAM. Returns 0 with an error. NULL @data: zeroes. */
uint64_t kernel_guest_put(KernelGuest *g, const void *data, uint64_t bytes);
/* Appends a command to the ring. */
void kernel_guest_push(KernelGuest *g, const void *command, uint32_t slots);
/*
 * Runs the commands in the ring. Returns false with an error if the device
 * faults.
 */
bool kernel_guest_run(KernelGuest *g, const char *name);
/* Loads @program as @handle. */
bool kernel_guest_load(KernelGuest *g, const GByteArray *program, unsigned simd,
                       uint32_t handle);

/* Assembles vISA text to a program. Returns NULL with an error. */
GByteArray *kernel_assemble(const char *text);

/* --- Cases of a kind ----------------------------------------------------- */

/* kernels_alu.c: detail is a struct KernelAlu. */
typedef struct KernelAlu {
    bool is_f;        /* the steps use F, else D */
    bool masked;      /* every other lane runs */
    bool at_address;  /* destination and first source */
    bool by_rules;    /* and it may be the clock: no handlers */
    bool rounds_up;   /* as %cr0 specifies */
    bool diverges;    /* a goto before each step, taken by half of the lanes */
    unsigned repeats; /* how often the loop's body repeats the steps */
} KernelAlu;

KernelMeasure kernel_measure_alu;

/* kernels_launch.c */
KernelMeasure kernel_measure_decode;
KernelMeasure kernel_measure_compile;
KernelMeasure kernel_measure_launch;
KernelMeasure kernel_measure_thread;

/* kernels_suite.c: detail is a KernelSuite (kernels_work.h). */
KernelMeasure kernel_measure_suite;
KernelMeasure kernel_measure_first;
KernelMeasure kernel_measure_workers;

/* --- The command: kernels.c ---------------------------------------------- */

/* veu-bench kernels [OPTION]...: returns the exit status. */
int bench_kernels(int argc, char **argv);

/* --- Reports: kernels_report.c ------------------------------------------- */

typedef struct KernelReport KernelReport;

KernelReport *kernel_report_new(unsigned total, bool json);
/* This case is next. */
void kernel_report_next(KernelReport *r, const KernelCase *c);
void kernel_report_result(KernelReport *r, const KernelResult *result);
/* Ends the report and frees it. */
void kernel_report_end(KernelReport *r);

#endif
