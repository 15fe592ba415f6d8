/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: a client's ring. Commands are put into it as on a machine
 * without an operating system; the driver does the rest.
 */
#include "client.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "veu/regs.h"

#define MOST_FAULTS                                    \
    (sizeof(((struct veu_linux_faults *)0)->records) / \
     sizeof(struct veu_fault_record))

static void set_up(struct veu_client *client, const struct veu_linux_ring *made)
{
    client->ring = (struct veu_ring){
        .config = {
            .slots = (uint8_t *)client->ring_memory + made->slots_at,
            .slot_count = made->slots,
            .shared = client->ring_memory,
        },
        .doorbell = client->doorbell,
    };
    client->has_ring = true;
}

/* A ring that cannot be mapped is freed only with its file. */
int veu_client_ring_create(struct veu_client *client,
                           const struct veu_linux_ring *options)
{
    struct veu_linux_ring ring = {
        .slots = 64,
        .policy = VEU_POLICY_HALT,
        .priority = VEU_PRIORITY_NORMAL,
    };
    int error;

    if (options) {
        ring = *options;
    }
    error = client_ioctl(client, VEU_IOC_RING_CREATE, &ring);
    if (error) {
        return error;
    }
    client->ring_bytes = ring.memory_bytes;
    client->ring_memory = client_map(client, ring.memory_offset,
                                     ring.memory_bytes);
    if (!client->ring_memory) {
        return -errno;
    }
    if (ring.doorbell_offset != UINT64_MAX) {
        client->doorbell = client_map(client, ring.doorbell_offset,
                                      CLIENT_DOORBELL_BYTES);
    }
    set_up(client, &ring);
    return 0;
}

void client_ring_unmap(struct veu_client *client)
{
    if (client->ring_memory) {
        munmap(client->ring_memory, client->ring_bytes);
    }
    if (client->doorbell) {
        munmap(client->doorbell, CLIENT_DOORBELL_BYTES);
    }
}

int veu_client_put(struct veu_client *client,
                   const struct veu_command_header *command)
{
    if (!client->has_ring || command->slots > client->ring.config.slot_count) {
        return -EINVAL;
    }
    return veu_ring_put(&client->ring, command) == VEU_OK ? 0 : -EAGAIN;
}

int veu_client_submit(struct veu_client *client)
{
    struct veu_linux_submit argument = { .tail = client->ring.tail };

    if (!client->has_ring) {
        return -EINVAL;
    }
    if (!client->doorbell) {
        return client_ioctl(client, VEU_IOC_SUBMIT, &argument);
    }
    veu_ring_submit(&client->ring);
    return 0;
}

/* The tail that SUBMIT stores is already there: no thread submits meanwhile. */
int veu_client_notify(struct veu_client *client)
{
    struct veu_linux_submit argument = { 0 };

    if (!client->has_ring) {
        return -EINVAL;
    }
    if (!client->doorbell) {
        argument.tail = client->ring.config.shared->tail;
        return client_ioctl(client, VEU_IOC_SUBMIT, &argument);
    }
    veu_ring_notify(&client->ring);
    return 0;
}

__u32 veu_client_tail(const struct veu_client *client)
{
    return client->ring.tail;
}

__u32 veu_client_head(const struct veu_client *client)
{
    return client->has_ring ? veu_ring_head(&client->ring) : 0;
}

static uint64_t deadline(uint64_t timeout_ns)
{
    struct timespec now;
    uint64_t ns;

    clock_gettime(CLOCK_MONOTONIC, &now);
    ns = now.tv_sec * VEU_CLIENT_SECOND + now.tv_nsec;
    return timeout_ns < UINT64_MAX - ns ? ns + timeout_ns : UINT64_MAX;
}

int veu_client_wait(struct veu_client *client, __u32 index, __u64 timeout_ns)
{
    struct veu_linux_wait argument = { .index = index };
    int error;

    if (!client->has_ring) {
        return -EINVAL;
    }
    argument.deadline_ns = deadline(timeout_ns);
    error = client_ioctl(client, VEU_IOC_WAIT, &argument);
    if (error == -EIO && argument.state == VEU_LINUX_LOST) {
        return -ECANCELED;
    }
    return error;
}

int veu_client_run(struct veu_client *client,
                   struct veu_command_header *command, __u64 timeout_ns)
{
    int error;

    command->flags |= VEU_COMMAND_INTERRUPT;
    error = veu_client_put(client, command);
    if (!error) {
        error = veu_client_submit(client);
    }
    return error ? error :
                   veu_client_wait(client, client->ring.tail, timeout_ns);
}

/* The newest stay. */
static void keep(struct veu_linux_faults *kept,
                 const struct veu_linux_faults *more)
{
    kept->lost += more->lost;
    for (uint32_t i = 0; i < more->count; i++) {
        if (kept->count == MOST_FAULTS) {
            kept->count--;
            kept->lost++;
            memmove(kept->records, kept->records + 1,
                    kept->count * sizeof(kept->records[0]));
        }
        kept->records[kept->count++] = more->records[i];
    }
}

/* A ring that does not halt may fault continuously, so this is bounded. */
int client_look_at_faults(struct veu_client *client)
{
    struct veu_linux_faults more = { .count = MOST_FAULTS };
    int error = 0;

    for (int i = 0; i < 16 && !error && more.count == MOST_FAULTS; i++) {
        error = client_ioctl(client, VEU_IOC_FAULTS, &more);
        if (!error) {
            keep(&client->kept, &more);
        }
    }
    return error;
}

int veu_client_faults(struct veu_client *client,
                      struct veu_linux_faults *faults)
{
    if (client->kept.count) {
        *faults = client->kept;
        client->kept = (struct veu_linux_faults){ 0 };
        return 0;
    }
    return client_ioctl(client, VEU_IOC_FAULTS, faults);
}

int veu_client_resume(struct veu_client *client, __u32 index)
{
    struct veu_linux_resume argument = { .index = index };

    return client_ioctl(client, VEU_IOC_RESUME, &argument);
}

int veu_client_skip(struct veu_client *client,
                    const struct veu_fault_record *fault)
{
    const struct veu_ring_config *ring = &client->ring.config;
    const struct veu_command_header *command;

    if (!client->has_ring) {
        return -EINVAL;
    }
    command = (const void *)((const uint8_t *)ring->slots +
                             fault->slot % ring->slot_count * VEU_SLOT_BYTES);
    return veu_client_resume(client, fault->slot + command->slots);
}

int veu_client_reset(struct veu_client *client)
{
    int error = client_ioctl(client, VEU_IOC_RESET, NULL);

    if (!error) {
        client->ring.tail = 0;
        client->resets++;
    }
    return error;
}
