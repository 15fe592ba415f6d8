/*
 * The machine sleeps and wakes up while clients are at work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "guest.h"
#include "veu/regs.h"

#define ALARM   "/sys/class/rtc/rtc0/wakealarm"
#define DISK    "/dev/vda"
#define PM_TEST "/sys/power/pm_test"

static bool file_has(const char *path, const char *text)
{
    char content[128] = "";
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, content, sizeof(content) - 1);

    close(fd);
    return n > 0 && strstr(content, text);
}

/*
 * S3: an alarm wakes the machine, which has to be asleep by then, whatever
 * else the host has to do.
 */
static bool sleep_deeply(void)
{
    return write_file("/sys/power/mem_sleep", "deep") &&
           write_file(ALARM, "0") && write_file(ALARM, "+4") &&
           write_file("/sys/power/state", "mem");
}

/*
 * s2idle: the device is in D3hot. QEMU has no alarm that ends this sleep, so
 * everything is done except the last step, in which processors are idle.
 */
static bool sleep_lightly(void)
{
    bool good = write_file(PM_TEST, "platform") &&
                write_file("/sys/power/state", "freeze");

    return write_file(PM_TEST, "none") && good;
}

/* Memory is saved to the disk, and the next machine continues with it. */
static bool hibernate(void)
{
    bool good = !swapon(DISK, 0) && write_file("/sys/power/disk", "reboot") &&
                write_file("/sys/power/state", "disk");

    swapoff(DISK);
    return good;
}

/*
 * Counts commands since the device was reset, from its registers, which root
 * may read.
 */
static uint64_t count_commands(void)
{
    volatile uint32_t *regs = map_registers();
    uint64_t count;

    if (!regs) {
        return 0;
    }
    regs[VEU_REG_COUNTER_CONTROL / 4] = VEU_COUNTER_SNAPSHOT;
    count = regs[VEU_REG_COUNTER_COMMANDS / 4];
    unmap_registers(regs);
    return count;
}

/* A child that works all the time and reports its progress. */
typedef struct Worker {
    pid_t child;
    volatile unsigned *rounds;
    unsigned before;
} Worker;

static void work(volatile unsigned *rounds)
{
    Client c;

    for (bool good = !open_client(&c); good && fills(&c, *rounds); ++*rounds) {}
    _exit(1);
}

static void start_worker(Worker *w)
{
    w->rounds = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *w->rounds = 0;
    w->child = fork();
    if (!w->child) {
        work(w->rounds);
    }
    while (*w->rounds < 200) {
        usleep(1000);
    }
}

/* Commands other than the worker's: only a reset makes them fewer. */
static int64_t count_others(const Worker *w)
{
    unsigned rounds = *w->rounds;

    return (int64_t)count_commands() - rounds;
}

static bool has_gone_on(Worker *w, unsigned since)
{
    for (unsigned i = 0; i < 5000 && *w->rounds < since + 10; i++) {
        usleep(1000);
    }
    return *w->rounds >= since + 10 && waitpid(w->child, NULL, WNOHANG) == 0;
}

static void end_worker(Worker *w)
{
    kill(w->child, SIGKILL);
    waitpid(w->child, NULL, 0);
    munmap((void *)w->rounds, 4096);
}

/* The ring waits for word 1 of the client's buffer, then fills the rest. */
static void begin_wait(Client *c)
{
    struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1 },
        .mask = ~0ull,
        .value = 5,
        .condition = VEU_CONDITION_EQUAL,
    };

    open_client(c);
    wait.address = c->buffer.address + 8;
    c->memory[0] = 77;
    veu_client_put(c->veu, &wait.header);
    submit_fill(c, c->buffer.address + 4096, 42, 4096);
}

static bool ends_wait(Client *c)
{
    bool waited = c->memory[512] == 0;

    c->memory[1] = 5;
    /* a store of the guest does not wake a sleeping ring */
    submit_fill(c, c->buffer.address + 8192, 43, 4096);
    return waited && wait_all(c) == 0 && c->memory[0] == 77 &&
           c->memory[512] == 42 && c->memory[1024] == 43;
}

/* A ring that was halted by a fault which has not been reported yet. */
static void begin_fault(Client *c)
{
    open_client(c);
    submit_fill(c, 0, 1, 8);
    wait_all(c);
}

static bool ends_fault(Client *c)
{
    struct veu_linux_faults faults;

    return wait_all(c) == -EIO && !veu_client_faults(c->veu, &faults) &&
           faults.count == 1 && faults.lost == 0 &&
           faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
           !veu_client_skip(c->veu, &faults.records[0]) && fills(c, 9);
}

static void check_work_over(const char *name, bool (*sleeps)(void))
{
    Client waiting, halted;
    unsigned rounds;
    int64_t others;
    Worker worker;

    begin_wait(&waiting);
    begin_fault(&halted);
    start_worker(&worker);
    others = count_others(&worker);
    check(name, sleeps());
    rounds = *worker.rounds;
    check("... the device has lost its state",
          count_others(&worker) < others - 100);
    check("... a process at work continues", has_gone_on(&worker, rounds));
    check("... a ring waits on, memory is as it was", ends_wait(&waiting));
    check("... a fault is kept, and its ring continues", ends_fault(&halted));
    end_worker(&worker);
    close_client(&waiting);
    close_client(&halted);
}

void check_sleep(void)
{
    if (!access(PM_TEST, W_OK)) {
        check_work_over("the machine idles, and continues", sleep_lightly);
    }
    if (!access(DISK, W_OK)) {
        check_work_over("the machine hibernates, and continues", hibernate);
    }
    if (access(ALARM, W_OK) || !file_has("/sys/power/mem_sleep", "deep")) {
        skip("no sleep here that an alarm ends");
        return;
    }
    check_work_over("the machine sleeps, and wakes up", sleep_deeply);
    check_use();
}
