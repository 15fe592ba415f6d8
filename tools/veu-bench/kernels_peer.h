/*
 * veu-bench: other implementations of OpenCL, if they are installed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are loaded on demand: veu-bench runs without them.
 */
#ifndef VEU_TOOLS_BENCH_KERNELS_PEER_H
#define VEU_TOOLS_BENCH_KERNELS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum KernelPeerKind {
    KERNEL_POCL, /* native, by LLVM, in one thread */
    KERNEL_OCLGRIND,
    KERNEL_PEER_KINDS
} KernelPeerKind;

typedef struct KernelPeer KernelPeer;

/* Returns NULL if it is not installed. It stays loaded: do not free it. */
KernelPeer *kernel_peer(KernelPeerKind kind);
const char *kernel_peer_name(KernelPeerKind kind);

/* A kernel with its arguments. */
typedef struct KernelPeerRun KernelPeerRun;

/* Compiles @kernel in OpenCL C @source. Returns NULL with an error. */
KernelPeerRun *kernel_peer_build(KernelPeer *peer, const char *source,
                                 const char *kernel);
void kernel_peer_free(KernelPeerRun *r);

/*
 * Sets argument @index; NULL @data means local memory. Returns false with an
 * error.
 */
bool kernel_peer_value(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes);
bool kernel_peer_buffer(KernelPeerRun *r, unsigned index, const void *data,
                        size_t bytes);
/* Fills, or reads, the buffer of argument @index. */
bool kernel_peer_write(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes);
bool kernel_peer_read(KernelPeerRun *r, unsigned index, void *data,
                      size_t bytes);
/* Runs it @times times, to the end. */
bool kernel_peer_run(KernelPeerRun *r, const uint32_t global[3],
                     const uint32_t local[3], unsigned times);

#endif
