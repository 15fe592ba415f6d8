/*
 * A file system in user space with one file, whose pages arrive when a test
 * provides them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuse.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "guest.h"

#define ROOT      FUSE_ROOT_ID
#define FILE_NODE 2

static struct {
    int fd;
    pthread_t thread;
    /* The READ that has not been answered, or 0. */
    volatile uint64_t waiting;
    uint32_t bytes;
} server;

static void reply(uint64_t unique, int error, const void *data, size_t bytes)
{
    struct fuse_out_header header = {
        .len = sizeof(header) + bytes,
        .error = error,
        .unique = unique,
    };
    struct iovec parts[] = {
        { &header, sizeof(header) },
        { (void *)data, bytes },
    };

    if (writev(server.fd, parts, 2) < 0) {
        perror("fuse");
    }
}

static struct fuse_attr attributes(uint64_t node)
{
    return (struct fuse_attr){
        .ino = node,
        .size = node == ROOT ? 0 : FUSE_BYTES,
        .mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0644,
        .nlink = 1,
    };
}

static void on_init(const struct fuse_in_header *in)
{
    const struct fuse_init_out out = {
        .major = FUSE_KERNEL_VERSION,
        .minor = FUSE_KERNEL_MINOR_VERSION,
        .max_write = 4096,
    };

    reply(in->unique, 0, &out, sizeof(out));
}

static void on_lookup(const struct fuse_in_header *in)
{
    const struct fuse_entry_out out = {
        .nodeid = FILE_NODE,
        .entry_valid = 1000,
        .attr_valid = 1000,
        .attr = attributes(FILE_NODE),
    };

    reply(in->unique, 0, &out, sizeof(out));
}

static void on_getattr(const struct fuse_in_header *in)
{
    const struct fuse_attr_out out = {
        .attr_valid = 1000,
        .attr = attributes(in->nodeid),
    };

    reply(in->unique, 0, &out, sizeof(out));
}

static void on_open(const struct fuse_in_header *in)
{
    const struct fuse_open_out out = { .fh = 1 };

    reply(in->unique, 0, &out, sizeof(out));
}

static void on_read(const struct fuse_in_header *in)
{
    const struct fuse_read_in *read = (const void *)(in + 1);

    server.bytes = read->size;
    server.waiting = in->unique;
}

static void serve_one(const struct fuse_in_header *in)
{
    switch (in->opcode) {
    case FUSE_INIT:
        return on_init(in);
    case FUSE_LOOKUP:
        return on_lookup(in);
    case FUSE_GETATTR:
        return on_getattr(in);
    case FUSE_OPEN:
        return on_open(in);
    case FUSE_READ:
        return on_read(in);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
        return;
    default:
        reply(in->unique,
              in->opcode == FUSE_RELEASE || in->opcode == FUSE_FLUSH ? 0 : -38,
              NULL, 0);
    }
}

/* Serves requests until the file system is unmounted. */
static void *serve(void *opaque)
{
    static _Alignas(8) char buffer[65536];

    (void)opaque;
    while (read(server.fd, buffer, sizeof(buffer)) >
           (ssize_t)sizeof(struct fuse_in_header) - 1) {
        serve_one((const void *)buffer);
    }
    return NULL;
}

bool fuse_begin(void)
{
    char options[64];

    mkdir("/fuse", 0755);
    server.waiting = 0;
    server.fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof(options),
             "fd=%d,rootmode=40000,user_id=0,group_id=0", server.fd);
    if (server.fd < 0 || mount("fuse", "/fuse", "fuse", 0, options)) {
        close(server.fd);
        return false;
    }
    return !pthread_create(&server.thread, NULL, serve, NULL);
}

bool fuse_is_awaited(void)
{
    for (unsigned t = 0; t < 5000 * slowness() && !server.waiting; t++) {
        usleep(1000);
    }
    return server.waiting;
}

void fuse_answer(uint64_t word)
{
    static uint64_t data[65536 / 8];
    uint64_t unique = server.waiting;

    for (unsigned i = 0; i < sizeof(data) / 8; i++) {
        data[i] = word;
    }
    server.waiting = 0;
    reply(unique, 0, data,
          server.bytes < sizeof(data) ? server.bytes : sizeof(data));
}

void fuse_end(void)
{
    umount2("/fuse", MNT_DETACH);
    close(server.fd);
    pthread_cancel(server.thread);
    pthread_join(server.thread, NULL);
}
