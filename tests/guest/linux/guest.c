/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "veu/regs.h"

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

int open_svm(Client *c)
{
    int error = veu_client_open(&c->veu, NULL);

    if (!error && !(error = veu_client_svm(c->veu))) {
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

void open_skipping(Client *c)
{
    struct veu_linux_ring ring = { .slots = 128,
                                   .policy = VEU_POLICY_SKIP_COMMAND };

    *c = (Client){ 0 };
    veu_client_open(&c->veu, NULL);
    veu_client_ring_create(c->veu, &ring);
}

int call_driver(int fd, unsigned long request, void *argument)
{
    return ioctl(fd, request, argument) ? -errno : 0;
}

int submit_tail(int fd, uint32_t tail)
{
    struct veu_linux_submit argument = { .tail = tail };

    return call_driver(fd, VEU_IOC_SUBMIT, &argument);
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

void submit_wait(Client *c, uint64_t value, uint64_t timeout_ns)
{
    const struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1, VEU_COMMAND_INTERRUPT, 8 },
        .address = c->buffer.address,
        .mask = ~0ull,
        .value = value,
        .timeout_ns = timeout_ns,
        .condition = VEU_CONDITION_EQUAL,
    };

    veu_client_put(c->veu, &wait.header);
    veu_client_submit(c->veu);
}

int wait_all(Client *c)
{
    return veu_client_wait(c->veu, veu_client_tail(c->veu), TIMEOUT_NS);
}

int events_of(Client *c, int timeout_ms)
{
    struct pollfd file = { .fd = veu_client_fd(c->veu),
                           .events = POLLIN | POLLPRI };

    return poll(&file, 1, timeout_ms) < 0 ? -1 : file.revents;
}

bool fills(Client *c, uint64_t pattern)
{
    submit_fill(c, c->buffer.address, pattern, BUFFER_BYTES);
    return wait_all(c) == 0 && c->memory[0] == pattern &&
           c->memory[BUFFER_BYTES / 8 - 1] == pattern;
}

bool has_tables(void)
{
    struct veu_client *veu;
    int error = veu_client_open(&veu, NULL);

    if (!error) {
        error = veu_client_svm(veu);
        veu_client_close(veu);
    }
    return error == 0;
}

bool has_interrupts(Client *c)
{
    struct veu_linux_query query;

    return !veu_client_query(c->veu, &query) &&
           query.registers[VEU_REG_CAP_VECTORS / 4];
}

unsigned slowness(void)
{
    const char *text = getenv("slow");

    return text && atoi(text) > 1 ? atoi(text) : 1;
}

uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * VEU_CLIENT_SECOND + now.tv_nsec;
}

volatile uint32_t *map_registers(void)
{
    char path[128];
    void *registers;
    int fd;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0",
             bus_name());
    fd = open(path, O_RDWR);
    registers = mmap(NULL, VEU_BAR_REGS_BYTES, PROT_READ | PROT_WRITE,
                     MAP_SHARED, fd, 0);
    close(fd);
    return registers == MAP_FAILED ? NULL : registers;
}

void unmap_registers(volatile uint32_t *registers)
{
    munmap((void *)registers, VEU_BAR_REGS_BYTES);
}

static bool load_file(const char *path)
{
    int fd = open(path, O_RDONLY);
    bool good = !syscall(SYS_finit_module, fd, "", 0);
    int error = errno;

    close(fd);
    errno = error;
    return good;
}

void load_kernel_modules(void)
{
    FILE *list = fopen("/modules", "r");
    char name[64], path[80];

    while (list && fscanf(list, "%63s", name) == 1) {
        snprintf(path, sizeof(path), "/%s.ko", name);
        load_file(path);
    }
    if (list) {
        fclose(list);
    }
}

bool load_module(void)
{
    return load_file("/veu.ko");
}

/*
 * A process that was killed leaves its memory to the driver's worker, if that
 * is looking for a page. Files that were mapped there are closed with it, which
 * may be after the process has been waited for.
 */
bool unload_module(void)
{
    for (unsigned t = 0; t < 1000 * slowness(); t++) {
        if (!syscall(SYS_delete_module, "veu", O_NONBLOCK)) {
            return true;
        }
        if (errno != EWOULDBLOCK) {
            break;
        }
        usleep(10000);
    }
    return false;
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

bool unbind_driver(const char *name)
{
    return write_file("/sys/bus/pci/drivers/veu/unbind", name);
}

bool bind_driver(const char *name)
{
    return write_file("/sys/bus/pci/drivers/veu/bind", name);
}

/* Reads the kernel's messages until @found returns true for one. */
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

static bool has_warning(const char *line, const char *circle)
{
    return strstr(line, "WARNING:") && !strstr(line, circle);
}

bool kernel_has_warned(void)
{
    return read_kernel_log(has_warning, "possible circular locking dependency");
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

const char *reset_path(void)
{
    static char path[128];

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", bus_name());
    return path;
}
