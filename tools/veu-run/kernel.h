/*
 * veu-run: compiled kernels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_RUN_KERNEL_H
#define VEU_TOOLS_RUN_KERNEL_H

#include "tools/kernel/kernel.h"
#include "tools/veu-run/veu-run.h"

/*
 * A buffer of the kernel, or an image: slices of slice_bytes, which begin
 * step_bytes apart.
 */
typedef struct RunBuffer {
    uint64_t address;
    uint64_t bytes; /* of all slices */
    uint64_t slice_bytes;
    uint64_t step_bytes;
    uint8_t *initial; /* its content before each run */
} RunBuffer;

/* How long the runs took. */
typedef struct RunTimes {
    double build_us; /* reading the file and making the program */
    double first_us;
    double best_us;
} RunTimes;

typedef struct RunKernel {
    Run *run;
    VeuZebin *zebin;
    const VeuKernel *kernel;
    VeuKernelRange range;
    GArray *values;   /* elements: VeuKernelValue, the arguments */
    GPtrArray *bytes; /* the memory that the values refer to */
    GArray *buffers;  /* of RunBuffer */
    GByteArray *program;
    GArray *launches; /* of VeuKernelLaunch */
    uint32_t slots;   /* of the launch with the most */
    uint64_t scratch; /* address of the scratch pool */
    uint64_t repeat;
    RunTimes times;
    GString *printed; /* by the kernel */
    bool printf_is_cut;
} RunKernel;

/* Reads the arguments, one after another. */
typedef struct RunReader {
    RunKernel *k;
    uint32_t seed;
    unsigned index; /* of the argument */
    const char *text;
} RunReader;

/* --kernel FILE NAME ARG...: returns the exit status. */
int run_kernel(Run *run);
/* --compile FILE.cl --device NAME: returns the exit status. */
int run_compile(const RunOptions *options);

/* kernel_args.c: converts the arguments' text to values and buffers. */
bool run_kernel_args(RunKernel *k, char **args);
/*
 * Fills an image or a buffer with a pattern. Returns false if there is no such
 * pattern.
 */
bool run_kernel_fill(RunReader *reader, const char *pattern, uint8_t *to,
                     uint64_t bytes);
/* Reports an error of the argument that is being read; returns false. */
bool run_kernel_bad(const RunReader *reader, const char *what);

/* kernel_image.c: WxH[xD]:FORMAT:PATTERN, and the settings of a sampler. */
bool run_kernel_read_image(RunReader *reader, const char *text);
bool run_kernel_read_sampler(RunReader *reader, const char *text);

/* Parses "X[,Y[,Z]]". Returns false with an error that names @option. */
bool run_kernel_sizes(const char *option, const char *text, uint32_t sizes[3],
                      unsigned *dimensions);
/*
 * Returns "const float *x, int n" as a user writes it: b:BYTES:PATTERN i:INT.
 * Free with g_free().
 */
char *run_kernel_usage(const VeuKernel *kernel);

/* kernel_launch.c: memory, and the runs. */
bool run_kernel_place(RunKernel *k);
bool run_kernel_perform(RunKernel *k);

/* kernel_show.c: lists the kernels of a file, and shows results. */
void run_kernel_list(const VeuZebin *zebin, bool as_json);
bool run_kernel_dump(const RunKernel *k, const char *prefix);
void run_kernel_show(RunKernel *k);

#endif
