/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned failed;

void check(const char *name, bool good)
{
    printf("%s: %s\n", good ? "PASS" : "FAIL", name);
    failed += !good;
}

void skip(const char *name)
{
    printf("SKIP: %s\n", name);
}

unsigned failures(void)
{
    return failed;
}

int open_client(Client *c)
{
    int error = veu_client_open(&c->veu, NULL);

    if (!error) {
        error = veu_client_ring_create(c->veu, NULL);
    }
    if (!error) {
        error = veu_client_buffer_create(c->veu, BUFFER_BYTES, &c->buffer);
    }
    if (error) {
        veu_client_close(c->veu);
    }
    c->memory = c->buffer.memory;
    return error;
}

void close_client(Client *c)
{
    veu_client_close(c->veu);
}

void submit_fill(Client *c, uint64_t address, uint64_t pattern, uint32_t bytes)
{
    const struct veu_command_fill fill = {
        .header = { VEU_COMMAND_FILL, 1, VEU_COMMAND_INTERRUPT, 7 },
        .pattern = pattern,
        .destination = address,
        .bytes = bytes,
    };

    veu_client_put(c->veu, &fill.header);
    veu_client_submit(c->veu);
}

int wait_all(Client *c)
{
    return veu_client_wait(c->veu, veu_client_tail(c->veu), TIMEOUT_NS);
}

bool fills(Client *c, uint64_t pattern)
{
    submit_fill(c, c->buffer.address, pattern, BUFFER_BYTES);
    return wait_all(c) == 0 && c->memory[0] == pattern &&
           c->memory[BUFFER_BYTES / 8 - 1] == pattern;
}

bool load_module(void)
{
    int fd = open("/veu.ko", O_RDONLY);
    bool good = !syscall(SYS_finit_module, fd, "", 0);
    int error = errno;

    close(fd);
    errno = error;
    return good;
}

bool unload_module(void)
{
    return !syscall(SYS_delete_module, "veu", O_NONBLOCK);
}

bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;

    close(fd);
    errno = error;
    return good;
}

/* A line of the kernel's at a time, until @found says that it is the one. */
static bool read_kernel_log(bool (*found)(const char *line, const char *text),
                            const char *text)
{
    int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
    char line[8192];
    bool done = false;

    for (ssize_t n; !done && (n = read(fd, line, sizeof(line) - 1)) > 0;) {
        line[n] = 0;
        done = found(line, text);
    }
    close(fd);
    return done;
}

static bool has_text(const char *line, const char *text)
{
    return strstr(line, text);
}

bool kernel_has_said(const char *text)
{
    return read_kernel_log(has_text, text);
}

static bool print_line(const char *line, const char *text)
{
    if (strstr(line, text)) {
        printf("%s", line);
    }
    return false;
}

void print_kernel_log(void)
{
    read_kernel_log(print_line, "veu");
}

const char *bus_name(void)
{
    static char link[256];
    ssize_t n = readlink("/sys/class/misc/veu0/device", link, 255);

    return n > 0 ? strrchr(link, '/') + 1 : NULL;
}
