/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: what a client has of the driver: its calls, what it maps,
 * and its buffers.
 */
#include "client.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

int client_ioctl(const struct veu_client *client, unsigned long request,
                 void *argument)
{
    return ioctl(client->fd, request, argument) ? -errno : 0;
}

void *client_map(const struct veu_client *client, uint64_t offset, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        client->fd, offset);

    return memory == MAP_FAILED ? NULL : memory;
}

/* If a client shares the process's memory, the driver has no buffers of it. */
static int destroy(struct veu_client *client, uint32_t handle)
{
    struct veu_linux_destroy argument = { .handle = handle };

    if (client->svm) {
        return 0;
    }
    return client_ioctl(client, VEU_IOC_BUFFER_DESTROY, &argument);
}

static void *anonymous(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Rounds up to whole pages, as the driver does. */
static int make(struct veu_client *client, struct veu_linux_buffer *argument)
{
    if (!client->svm) {
        return client_ioctl(client, VEU_IOC_BUFFER_CREATE, argument);
    }
    if (!argument->bytes || argument->bytes > SIZE_MAX - 4095) {
        return argument->bytes ? -ENOMEM : -EINVAL;
    }
    argument->bytes = (argument->bytes + 4095) & ~4095ull;
    return 0;
}

/* Maps the new buffer. */
static int map_buffer(struct veu_client *client,
                      struct veu_client_buffer *buffer, uint64_t offset)
{
    int error;

    buffer->memory = client->svm ? anonymous(buffer->bytes) :
                                   client_map(client, offset, buffer->bytes);
    if (!buffer->memory) {
        return -errno;
    }
    if (client->svm) {
        buffer->address = (uintptr_t)buffer->memory;
    }
    error = client_map_add(client, buffer);
    if (error) {
        munmap(buffer->memory, buffer->bytes);
    }
    return error;
}

int veu_client_buffer_create(struct veu_client *client, __u64 bytes,
                             struct veu_client_buffer *buffer)
{
    struct veu_linux_buffer argument = { .bytes = bytes };
    int error = make(client, &argument);

    *buffer = (struct veu_client_buffer){
        .address = argument.address,
        .bytes = argument.bytes,
        .handle = argument.handle,
    };
    if (error) {
        return error;
    }
    error = map_buffer(client, buffer, argument.offset);
    if (error) {
        destroy(client, argument.handle);
    }
    return error;
}

int veu_client_buffer_destroy(struct veu_client *client,
                              struct veu_client_buffer *buffer)
{
    if (!client_map_remove(client, buffer->memory)) {
        return -EINVAL;
    }
    munmap(buffer->memory, buffer->bytes);
    buffer->memory = NULL;
    return destroy(client, buffer->handle);
}
