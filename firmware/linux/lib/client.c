/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: a client, from beginning to end.
 */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int check_version(struct veu_client *client)
{
    struct veu_linux_query query;
    int error = veu_client_query(client, &query);

    if (!error && query.version < VEU_LINUX_VERSION) {
        error = -EPROTONOSUPPORT;
    }
    return error;
}

int veu_client_open(struct veu_client **client, const char *path)
{
    struct veu_client *c = calloc(1, sizeof(*c));
    int error;

    *client = NULL;
    if (!c) {
        return -ENOMEM;
    }
    c->fd = open(path ? path : VEU_CLIENT_DEVICE, O_RDWR | O_CLOEXEC);
    error = c->fd < 0 ? -errno : check_version(c);
    if (error) {
        veu_client_close(c);
        return error;
    }
    *client = c;
    return 0;
}

void veu_client_close(struct veu_client *client)
{
    if (!client) {
        return;
    }
    /*
     * A child may still have the file open, and keep the ring working in memory
     * that the process reuses.
     */
    if (client->svm && client->has_ring) {
        veu_client_reset(client);
    }
    client_kernels_free(client);
    client_map_remove_all(client);
    if (client->svm) {
        client_map_svm(-1);
    }
    client_ring_unmap(client);
    if (client->fd >= 0) {
        close(client->fd);
    }
    free(client);
}

int veu_client_svm(struct veu_client *client)
{
    int error = client_ioctl(client, VEU_IOC_SVM, NULL);

    if (!error) {
        client->svm = true;
        client_map_svm(1);
    }
    return error;
}

int veu_client_query(struct veu_client *client, struct veu_linux_query *query)
{
    return client_ioctl(client, VEU_IOC_QUERY, query);
}

int veu_client_fd(const struct veu_client *client)
{
    return client->fd;
}
