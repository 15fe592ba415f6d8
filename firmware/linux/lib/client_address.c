/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: the guest library's port. Commands and descriptors are
 * filled in with pointers into buffers of any client.
 */
#include "client.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "veu_port.h"

/* The address for a pointer outside of buffers, which the device refuses. */
#define NOWHERE UINT64_MAX

struct mapping {
    struct mapping *next;
    const struct veu_client *client;
    struct veu_client_buffer buffer;
};

/* Clients of several threads share the list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;
/* Clients whose device addresses are pointers. */
static int svm_clients;

int client_map_add(const struct veu_client *client,
                   const struct veu_client_buffer *buffer)
{
    struct mapping *m = malloc(sizeof(*m));

    if (!m) {
        return -ENOMEM;
    }
    pthread_mutex_lock(&lock);
    *m = (struct mapping){ mappings, client, *buffer };
    mappings = m;
    pthread_mutex_unlock(&lock);
    return 0;
}

/*
 * Removes and returns the first mapping of @client that begins at @memory;
 * NULL: any.
 */
static struct mapping *take(const struct veu_client *client, const void *memory)
{
    struct mapping **link, *found;

    pthread_mutex_lock(&lock);
    for (link = &mappings; *link; link = &(*link)->next) {
        if ((*link)->client == client &&
            (!memory || (*link)->buffer.memory == memory)) {
            break;
        }
    }
    found = *link;
    if (found) {
        *link = found->next;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool client_map_remove(const struct veu_client *client, const void *memory)
{
    struct mapping *m = memory ? take(client, memory) : NULL;
    bool found = m;

    free(m);
    return found;
}

void client_map_remove_all(const struct veu_client *client)
{
    struct mapping *m;

    while ((m = take(client, NULL))) {
        munmap(m->buffer.memory, m->buffer.bytes);
        free(m);
    }
}

void client_map_svm(int count)
{
    pthread_mutex_lock(&lock);
    svm_clients += count;
    pthread_mutex_unlock(&lock);
}

uint64_t veu_port_device_address(const volatile void *memory)
{
    uint64_t address;

    pthread_mutex_lock(&lock);
    address = svm_clients ? (uintptr_t)memory : NOWHERE;
    for (const struct mapping *m = mappings; m; m = m->next) {
        uint64_t at = (uintptr_t)memory - (uintptr_t)m->buffer.memory;

        if (at < m->buffer.bytes) {
            address = m->buffer.address + at;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return address;
}

/* The doorbell: whoever sees this write also sees earlier stores. */
void veu_port_write32(volatile void *reg, uint32_t value)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile uint32_t *)reg = value;
}
