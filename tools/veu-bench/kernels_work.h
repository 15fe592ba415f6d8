/*
 * veu-bench: compiled kernels with arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_BENCH_KERNELS_WORK_H
#define VEU_TOOLS_BENCH_KERNELS_WORK_H

#include "tools/kernel/kernel.h"
#include "tools/veu-bench/kernels.h"
#include "tools/veu-bench/kernels_peer.h"

#define KERNEL_MAX_ARGUMENTS 8

/* The detail of a case: a kernel of tools/veu-bench/kernels on a range. */
typedef struct KernelSuite {
    const char *kernel;
    uint32_t global[3];
    uint32_t local[3];
    /* b:BYTES:0|idx|rand|randf, l:BYTES, i:INT, u64:INT, f:FLOAT */
    const char *arguments;
    bool is_rounded; /* the peer's floats may be rounded differently */
    KernelPeerKind peer;
    unsigned launches;   /* launches of a sample; 0: one */
    uint32_t page_bytes; /* of a context of page tables; 0: the identity */
} KernelSuite;

/* An argument. */
typedef struct KernelArgument {
    uint8_t *data; /* a value, or a buffer's initial content; NULL: local */
    uint64_t bytes;
    uint64_t address; /* address of a buffer; else 0 */
} KernelArgument;

/* A kernel in a guest. */
typedef struct KernelWork {
    const KernelSuite *s;
    KernelGuest guest;
    KernelArgument argument[KERNEL_MAX_ARGUMENTS];
    VeuKernelValue value[KERNEL_MAX_ARGUMENTS]; /* the same, for the loader */
    unsigned arguments;
    VeuZebin *zebin;
    const VeuKernel *kernel;
    GByteArray *program;
    GArray *launches; /* of VeuKernelLaunch */
    uint32_t slots;   /* EU threads that have their own memory */
    uint64_t scratch; /* guest address of that memory */
    struct veu_command_kernel command[VEU_KERNEL_MAX_LAUNCHES];
} KernelWork;

/* Returns a file of tools/veu-bench/kernels: KERNEL.cl or KERNEL.zebin. */
GBytes *kernel_work_file(const char *kernel, const char *suffix);

/* Makes a device with @workers threads, and buffers, but no program. */
bool kernel_work_init(KernelWork *w, const KernelSuite *s, unsigned workers);
void kernel_work_free(KernelWork *w);

/* Makes a loaded program and commands from the zebin. */
bool kernel_work_load(KernelWork *w);
void kernel_work_unload(KernelWork *w);

/* Fills buffers with their initial content. */
void kernel_work_fill(KernelWork *w);
/* Runs the loaded kernel @times times. */
bool kernel_work_run(KernelWork *w, unsigned times);

#endif
