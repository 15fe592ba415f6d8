/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: declarations that its files share.
 */
#ifndef VEU_CLIENT_PRIVATE_H
#define VEU_CLIENT_PRIVATE_H

#include <stdbool.h>

#include "veu/client.h"
#include "veu_ring.h"

struct veu_client {
    int fd;
    bool has_ring;
    /* Its buffers are memory of the process, at the process's addresses. */
    bool svm;
    /* The guest library's ring, which drives no device. */
    struct veu_ring ring;
    void *ring_memory;
    size_t ring_bytes;
    /* NULL if it cannot be mapped: submits are system calls. */
    void *doorbell;
    /* The handle of the program that was loaded last. */
    uint32_t handles;
    /* The loaded kernels. */
    struct veu_client_kernel *kernels;
    /* How often the ring's indices have restarted. */
    uint32_t resets;
    /* Records that the library has read and the program has not taken yet. */
    struct veu_linux_faults kept;
};

/** 0, or a negative errno. */
int client_ioctl(const struct veu_client *client, unsigned long request,
                 void *argument);

/** mmap() of the client's file. Returns NULL with errno set. */
void *client_map(const struct veu_client *client, uint64_t offset,
                 size_t bytes);

#define CLIENT_DOORBELL_BYTES 4

/**
 * Adds all available fault records to client->kept, which keeps the newest
 * ones, so that veu_client_faults() still returns them to the program.
 */
int client_look_at_faults(struct veu_client *client);

/** Unmaps a ring's memory. */
void client_ring_unmap(struct veu_client *client);

/** Frees the kernels that the program has not unloaded. */
void client_kernels_free(struct veu_client *client);

/**
 * After this, until it has been called with -1 as often as with 1, pointers
 * outside of buffers are device addresses, too.
 */
void client_map_svm(int count);

/** The mappings of all clients, for veu_port_device_address(). */
int client_map_add(const struct veu_client *client,
                   const struct veu_client_buffer *buffer);
/** Returns false if it is not a buffer of this client. */
bool client_map_remove(const struct veu_client *client, const void *memory);
/** Unmaps and removes all mappings of a client. */
void client_map_remove_all(const struct veu_client *client);

#endif /* VEU_CLIENT_PRIVATE_H */
