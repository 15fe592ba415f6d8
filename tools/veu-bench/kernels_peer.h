/*
 * veu-bench: other implementations of OpenCL, where they are installed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are loaded when they are asked for: veu-bench runs without them.
 */
#ifndef VEU_TOOLS_BENCH_KERNELS_PEER_H
#define VEU_TOOLS_BENCH_KERNELS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum KernelPeerKind {
    KERNEL_POCL, /* natively, by LLVM, in one thread */
    KERNEL_OCLGRIND,
    KERNEL_PEER_KINDS
} KernelPeerKind;

typedef struct KernelPeer KernelPeer;

/* NULL where it is not installed. It stays loaded: do not free it. */
KernelPeer *kernel_peer(KernelPeerKind kind);
const char *kernel_peer_name(KernelPeerKind kind);

/* A kernel with its arguments. */
typedef struct KernelPeerRun KernelPeerRun;

/* Compiles @kernel of OpenCL C @source; NULL with an error. */
KernelPeerRun *kernel_peer_build(KernelPeer *peer, const char *source,
                                 const char *kernel);
void kernel_peer_free(KernelPeerRun *r);

/* Argument @index; @data may be NULL: local memory. False with an error. */
bool kernel_peer_value(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes);
bool kernel_peer_buffer(KernelPeerRun *r, unsigned index, const void *data,
                        size_t bytes);
/* Fills, or reads, the buffer that is argument @index. */
bool kernel_peer_write(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes);
bool kernel_peer_read(KernelPeerRun *r, unsigned index, void *data,
                      size_t bytes);
/* Runs it @times times, to the end. */
bool kernel_peer_run(KernelPeerRun *r, const uint32_t global[3],
                     const uint32_t local[3], unsigned times);

#endif
