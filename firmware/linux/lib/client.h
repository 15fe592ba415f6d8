/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: what its files share.
 */
#ifndef VEU_CLIENT_PRIVATE_H
#define VEU_CLIENT_PRIVATE_H

#include <stdbool.h>

#include "veu/client.h"
#include "veu_ring.h"

struct veu_client {
    int fd;
    bool has_ring;
    /* Its buffers are memory of the process, and so are their addresses. */
    bool svm;
    /* As the guest library has it; it drives no device. */
    struct veu_ring ring;
    void *ring_memory;
    size_t ring_bytes;
    /* NULL where it cannot be mapped: submits are system calls. */
    void *doorbell;
    /* The handle of the program that was loaded last. */
    uint32_t handles;
    /* Those that are loaded. */
    struct veu_client_kernel *kernels;
    /* How often the ring's indices have begun again. */
    uint32_t resets;
    /* Records that the library has looked at, and the program has not had. */
    struct veu_linux_faults kept;
};

/** 0, or a negative errno. */
int client_ioctl(const struct veu_client *client, unsigned long request,
                 void *argument);

/** mmap() of the client's file; NULL: errno says why. */
void *client_map(const struct veu_client *client, uint64_t offset,
                 size_t bytes);

#define CLIENT_DOORBELL_BYTES 4

/**
 * Adds all fault records that there are to client->kept, which has the newest
 * ones then: veu_client_faults() still gives them to the program.
 */
int client_look_at_faults(struct veu_client *client);

/** A ring's mappings go. */
void client_ring_unmap(struct veu_client *client);

/** Frees what the program has not unloaded. */
void client_kernels_free(struct veu_client *client);

/**
 * From now on, and until it is called with -1 as often as with 1, pointers that
 * are in no buffer are addresses of the device as well.
 */
void client_map_svm(int count);

/** What is mapped, of all clients: for veu_port_device_address(). */
int client_map_add(const struct veu_client *client,
                   const struct veu_client_buffer *buffer);
/** False: it is no buffer of this client. */
bool client_map_remove(const struct veu_client *client, const void *memory);
/** Unmaps and removes all of a client's. */
void client_map_remove_all(const struct veu_client *client);

#endif /* VEU_CLIENT_PRIVATE_H */
