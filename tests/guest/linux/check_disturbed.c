/*
 * Processes at work while an administrator unbinds the driver, reloads it,
 * removes the device from its bus, resets it, tests it, or kills a process, at
 * any moment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define WORKERS 3

/* The administrator's view of the processes. */
static volatile unsigned *rounds;
static pid_t workers[WORKERS];
static char device[64];

static sigjmp_buf gone;

static void on_sigbus(int number)
{
    (void)number;
    siglongjmp(gone, 1);
}

/* Returns 0 if the work was done correctly. */
static int work_once(Client *c, uint64_t pattern)
{
    struct veu_client_buffer b;
    int error;

    submit_fill(c, c->buffer.address, pattern, BUFFER_BYTES);
    error = veu_client_buffer_create(c->veu, 8192, &b);
    if (error) {
        return error;
    }
    submit_fill(c, b.address, ~pattern, 8192);
    error = wait_all(c);
    if (!error && (c->memory[BUFFER_BYTES / 8 - 1] != pattern ||
                   ((volatile uint64_t *)b.memory)[1023] != ~pattern)) {
        return -EBADMSG;
    }
    return error ? error : veu_client_buffer_destroy(c->veu, &b);
}

/* Helps to find out why a worker has died. */
static void print_faults(Client *c)
{
    struct veu_linux_faults faults = { 0 };

    veu_client_faults(c->veu, &faults);
    for (unsigned i = 0; i < faults.count; i++) {
        const struct veu_fault_record *r = &faults.records[i];

        printf("fault %#x, slot %u of %u, detail %#x, address %#llx, at %llu\n",
               r->code, r->slot, veu_client_tail(c->veu), r->detail,
               (unsigned long long)r->address, (unsigned long long)r->time);
    }
}

/* Works until the device goes away: nothing else may end it. */
static void work(Client *c, volatile unsigned *count)
{
    int error = 0;

    if (!sigsetjmp(gone, 1)) {
        while (!error) {
            error = work_once(c, *count + 1);
            *count += !error;
        }
        if (error != -ENODEV) {
            print_faults(c);
            _exit(-error);
        }
    }
    close_client(c);
}

/* A missing device will return soon. */
static void work_for_ever(volatile unsigned *count)
{
    struct sigaction bus = { .sa_handler = on_sigbus };
    Client c;

    sigaction(SIGBUS, &bus, NULL);
    for (;;) {
        int error = open_client(&c);

        if (!error) {
            work(&c, count);
        } else if (error != -ENOENT && error != -ENODEV && error != -ENXIO) {
            _exit(-error);
        } else {
            usleep(1000);
        }
    }
}

static void start(unsigned i)
{
    workers[i] = fork();
    if (!workers[i]) {
        work_for_ever(&rounds[i]);
    }
}

/* Returns true, and prints the cause, if it died without the administrator. */
static bool has_died(unsigned i)
{
    int status;

    if (waitpid(workers[i], &status, WNOHANG) != workers[i]) {
        return false;
    }
    printf("worker %u: status %#x\n", i, status);
    return true;
}

static bool write_device_file(const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", device, name);
    return write_file(path, text);
}

static bool rebind(void)
{
    bool good = unbind_driver(device);

    usleep(rand() % 3000);
    return good && bind_driver(device);
}

/* The module can be unloaded once no process has an open file of it. */
static bool reload(void)
{
    return unbind_driver(device) && unload_module() && load_module();
}

static bool take_away(void)
{
    bool good = write_device_file("remove", "1");

    usleep(rand() % 3000);
    return good && write_file("/sys/bus/pci/rescan", "1");
}

static bool reset(void)
{
    return write_device_file("reset", "1");
}

static bool test(void)
{
    return write_device_file("selftest", "1");
}

static bool replace(void)
{
    unsigned i = rand() % WORKERS;

    kill(workers[i], SIGKILL);
    waitpid(workers[i], NULL, 0);
    start(i);
    return true;
}

/* Lets all processes work again for some rounds. */
static bool go_on(void)
{
    bool good = true;

    for (unsigned i = 0; i < WORKERS; i++) {
        unsigned since = rounds[i];

        for (unsigned t = 0; t < 10000 && rounds[i] < since + 10; t++) {
            usleep(1000);
        }
        good = !has_died(i) && rounds[i] >= since + 10 && good;
    }
    return good;
}

static bool disturb(void)
{
    static bool (*const actions[])(void) = {
        rebind, reload, take_away, reset, test, replace,
    };
    bool good;

    usleep(rand() % 20000);
    good = actions[rand() % 6]();
    if (!good) {
        printf("disturbance: error %d\n", errno);
    }
    return good;
}

void check_disturbed(unsigned count)
{
    bool good = true;

    snprintf(device, sizeof(device), "%s", bus_name());
    rounds = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        start(i);
    }
    good = go_on();
    for (unsigned n = 1; good && n <= count; n++) {
        good = disturb() && (n % 20 || go_on());
    }
    check("processes survive what is done to their device", good && go_on());
    for (unsigned i = 0; i < WORKERS; i++) {
        kill(workers[i], SIGKILL);
        waitpid(workers[i], NULL, 0);
    }
    munmap((void *)rounds, 4096);
    check_use();
}
