/*
 * Shared virtual memory: other operations of a process on its memory and its
 * threads while the device uses that memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"
#include "veu/regs.h"

#define PAGES 16u
#define BYTES (PAGES * PAGE)

/* --- The stack ------------------------------------------------------------ */

#define DEEPER  (512u << 10)
#define TOO_FAR (64u << 20)

static uint64_t *below_stack(uint64_t bytes)
{
    volatile char here;

    return (void *)((address_of(&here) - bytes) & -(uint64_t)PAGE);
}

/* An array on the stack that only the device has written yet. */
static bool grows_stack(Client *c)
{
    uint64_t *memory = below_stack(DEEPER);
    unsigned char there[PAGES];

    return mincore(memory, BYTES, there) && errno == ENOMEM &&
           !fill(c, memory, 3, BYTES) && holds(memory, 3, BYTES);
}

static bool limits_stack(Client *c)
{
    uint64_t *memory = below_stack(TOO_FAR);

    return faults_at(c, fill(c, memory, 3, 8), memory);
}

/* --- Files ---------------------------------------------------------------- */

static int make_file(void)
{
    int fd = memfd_create("shared", MFD_CLOEXEC);

    return ftruncate(fd, BYTES) ? -1 : fd;
}

/* There are two mappings of it in this process, and one in a child. */
static bool shares_memfd(Client *c)
{
    int fd = make_file();
    uint64_t *one = map_pages(BYTES, MAP_SHARED, fd), word = 0;
    volatile uint64_t *other = map_pages(BYTES, MAP_SHARED, fd);
    bool good = !fill(c, one, 1, BYTES) && holds(other, 1, BYTES);
    pid_t child = fork();

    if (!child) {
        other[0] = 5;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    good = good && !copy(c, &word, one, 8) && word == 5;
    munmap(one, BYTES);
    munmap((void *)other, BYTES);
    close(fd);
    return good;
}

/* Past its end, an access of a thread raises SIGBUS. */
static bool truncates(Client *c)
{
    int fd = make_file();
    uint64_t *memory = map_pages(BYTES, MAP_SHARED, fd);
    uint64_t *second = memory + PAGE / 8;
    bool good = !fill(c, memory, 1, BYTES) && !ftruncate(fd, PAGE) &&
                faults_at(c, fill(c, memory, 2, BYTES), second) &&
                faults_at(c, fill(c, second, 2, 8), second) &&
                holds(memory, 2, PAGE) && !ftruncate(fd, BYTES) &&
                holds(second, 0, BYTES - PAGE) && !fill(c, memory, 3, BYTES) &&
                holds(memory, 3, BYTES);

    munmap(memory, BYTES);
    close(fd);
    return good;
}

static bool punches(Client *c)
{
    int fd = make_file();
    uint64_t *memory = map_pages(BYTES, MAP_SHARED, fd), word = 1;
    bool good = !fill(c, memory, 1, BYTES) &&
                !fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                           BYTES) &&
                !copy(c, &word, memory, 8) && word == 0 &&
                !fill(c, memory, 2, BYTES) && holds(memory, 2, BYTES);

    munmap(memory, BYTES);
    close(fd);
    return good;
}

/* The device writes to the process's copy; the file does not change. */
static bool copies_file(Client *c)
{
    int fd = make_file();
    uint64_t *memory = map_pages(BYTES, MAP_PRIVATE, fd), word = 1;
    bool good = !copy(c, &word, memory, 8) && word == 0 &&
                !fill(c, memory, 4, BYTES) && holds(memory, 4, BYTES) &&
                pread(fd, &word, 8, 0) == 8 && word == 0;

    munmap(memory, BYTES);
    close(fd);
    return good;
}

static void check_files(Client *c)
{
    check("a file in memory is one for device and processes", shares_memfd(c));
    check("... what is cut off from it is a fault", truncates(c));
    check("... a hole in it is empty", punches(c));
    check("... a private mapping of it gets copies", copies_file(c));
}

/* --- Calls ---------------------------------------------------------------- */

/* The child does not have the first area, and has zeros in the second. */
static bool is_forked_without(uint64_t *none, uint64_t *zeros)
{
    unsigned char there[PAGES];
    int status = -1;
    pid_t child = fork();

    if (!child) {
        _exit(!mincore(none, BYTES, there) || !holds(zeros, 0, BYTES));
    }
    waitpid(child, &status, 0);
    return status == 0;
}

static bool forks_without(Client *c)
{
    uint64_t *none = map_private(BYTES), *zeros = map_private(BYTES);
    bool good = !madvise(none, BYTES, MADV_DONTFORK) &&
                !madvise(zeros, BYTES, MADV_WIPEONFORK) &&
                !fill(c, none, 1, BYTES) && !fill(c, zeros, 2, BYTES) &&
                is_forked_without(none, zeros) && holds(none, 1, BYTES) &&
                holds(zeros, 2, BYTES) && !fill(c, none, 3, BYTES) &&
                !fill(c, zeros, 4, BYTES) && holds(none, 3, BYTES) &&
                holds(zeros, 4, BYTES);

    munmap(none, BYTES);
    munmap(zeros, BYTES);
    return good;
}

/* Pages that the kernel may drop until they are written again. */
static bool frees_lazily(Client *c)
{
    uint64_t *memory = map_private(BYTES);
    bool good = !fill(c, memory, 1, BYTES) &&
                !madvise(memory, BYTES, MADV_FREE) &&
                !fill(c, memory, 2, BYTES);

    /* Reclaim takes pages that may still be dropped. */
    madvise(memory, BYTES, MADV_PAGEOUT);
    good = good && holds(memory, 2, BYTES);
    munmap(memory, BYTES);
    return good;
}

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

static bool moves_away(Client *c)
{
    uint64_t *memory = map_private(BYTES), *moved, word = 1;
    bool good = !fill(c, memory, 1, BYTES);

    moved = mremap(memory, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_DONTUNMAP,
                   NULL);
    good = good && moved != MAP_FAILED && !copy(c, &word, memory, 8) &&
           word == 0 && !fill(c, memory, 2, BYTES) && holds(moved, 1, BYTES) &&
           !fill(c, moved, 3, BYTES) && holds(memory, 2, BYTES);
    munmap(memory, BYTES);
    munmap(moved, BYTES);
    return good;
}

/*
 * A page that cannot be written is copied for a writer through /proc/self/mem.
 */
static bool is_written_by_force(Client *c)
{
    uint64_t *memory = map_private(PAGE), word = 0;
    bool good = !mprotect(memory, PAGE, PROT_READ) &&
                !copy(c, &word, memory, 8) && word == 0 &&
                write_memory(memory, 7) && !copy(c, &word, memory, 8) &&
                word == 7;

    munmap(memory, PAGE);
    return good;
}

static int be_traced(volatile uint64_t *memory)
{
    uint64_t word = 0;
    Client c;

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || open_svm(&c) ||
        fill(&c, memory, 1, 8)) {
        return 1;
    }
    raise(SIGSTOP);
    return copy(&c, &word, memory, 8) || word != 7;
}

static bool is_written_by_debugger(void)
{
    volatile uint64_t *memory = map_private(PAGE);
    int status = -1;
    pid_t child = fork();
    bool good;

    if (!child) {
        _exit(be_traced(memory));
    }
    good = waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
           !ptrace(PTRACE_POKEDATA, child, memory, 7) &&
           !ptrace(PTRACE_CONT, child, NULL, NULL);
    waitpid(child, &status, 0);
    munmap((void *)memory, PAGE);
    return good && status == 0;
}

/* The processor's page tables may have one level more than the device's. */
static void check_high(Client *c)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    uint64_t *memory = mmap((void *)(1ull << 50), BYTES, PROT_READ | PROT_WRITE,
                            flags, -1, 0);

    if (memory == MAP_FAILED) {
        skip("no addresses that the device does not have");
        return;
    }
    check("an address that the device does not have is a fault",
          faults_at(c, fill(c, memory, 1, 8), memory));
    munmap(memory, BYTES);
}

static void check_device_memory(Client *c)
{
    volatile uint32_t *registers = map_registers();

    if (!registers) {
        skip("registers cannot be mapped");
        return;
    }
    check("a pointer to the device's registers is a fault",
          faults_at(c, fill(c, registers, 0, 8), registers));
    unmap_registers(registers);
}

static void check_calls(Client *c)
{
    check("memory that fork() leaves out stays the device's", forks_without(c));
    check("memory that is freed lazily keeps what the device writes",
          frees_lazily(c));
    check("mremap() moves pages, and leaves the area", moves_away(c));
    check("what /proc/self/mem writes is what the device reads",
          is_written_by_force(c));
    check("... and what a debugger writes", is_written_by_debugger());
    check_high(c);
    check_device_memory(c);
}

/* --- Pages that the kernel merges, and writes that it tracks -------------- */

static bool has_merged(void)
{
    uint64_t end = now_ns() + TIMEOUT_NS;

    while (!merged_pages() && now_ns() < end) {
        usleep(10000);
    }
    return merged_pages();
}

/* The device writes to one of two addresses with the same page. */
static void check_merged(Client *c)
{
    uint64_t *one = map_private(BYTES), *other = map_private(BYTES);
    bool good;

    if (!merge_pages(true)) {
        skip("the kernel merges no pages");
        return;
    }
    good = !fill(c, one, 6, BYTES) && !fill(c, other, 6, BYTES) &&
           !madvise(one, BYTES, MADV_MERGEABLE) &&
           !madvise(other, BYTES, MADV_MERGEABLE) && has_merged() &&
           !fill(c, one, 7, BYTES) && holds(one, 7, BYTES) &&
           holds(other, 6, BYTES);
    check("pages that the kernel has merged are parted by a write", good);
    merge_pages(false);
    munmap(one, BYTES);
    munmap(other, BYTES);
}

/* Reads the entry of /proc/PID/pagemap. */
#define SOFT_DIRTY (1ull << 55)

static bool is_soft_dirty(const volatile void *memory)
{
    int fd = open("/proc/self/pagemap", O_RDONLY);
    uint64_t entry = 0;
    bool good = pread(fd, &entry, 8, address_of(memory) / PAGE * 8) == 8;

    close(fd);
    return good && entry & SOFT_DIRTY;
}

static bool clear_soft_dirty(void)
{
    return write_file("/proc/self/clear_refs", "4");
}

static void check_tracked(Client *c)
{
    volatile uint64_t *memory = map_private(PAGE);

    memory[0] = 1;
    if (!is_soft_dirty(memory) || !clear_soft_dirty() ||
        is_soft_dirty(memory)) {
        skip("the kernel does not track writes");
        return;
    }
    check("the device's writes are tracked as a thread's",
          !fill(c, memory, 2, 8) && is_soft_dirty(memory) &&
              clear_soft_dirty() && !is_soft_dirty(memory) &&
              !fill(c, memory, 3, 8) && is_soft_dirty(memory));
    munmap((void *)memory, PAGE);
}

/* --- Threads and programs ------------------------------------------------- */

static bool shares_twice(Client *c)
{
    uint64_t *memory = map_private(BYTES);
    bool good;
    Client second;

    if (open_svm(&second)) {
        return false;
    }
    good = !fill(c, memory, 1, BYTES) && !fill(&second, memory, 2, BYTES) &&
           holds(memory, 2, BYTES) && !fill(c, memory, 3, BYTES) &&
           !munmap(memory, BYTES) &&
           faults_at(c, fill(c, memory, 4, 8), memory) &&
           faults_at(&second, fill(&second, memory, 4, 8), memory);
    close_client(&second);
    return good && fills(c, 5);
}

static void on_signal(int number)
{
    (void)number;
}

/* The call takes all locks of the memory, and gives up for a signal. */
static bool shares_despite_signals(void)
{
    const struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { 0 };
    struct sigaction action = { .sa_handler = on_signal }, before;
    struct veu_client *veu;
    int error = 0;

    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < 200 && !error; i++) {
        error = veu_client_open(&veu, NULL);
        if (!error) {
            error = veu_client_svm(veu);
            veu_client_close(veu);
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    return !error;
}

static void *work_after(void *opaque)
{
    usleep(20000);
    exit(!fills(opaque, 6));
}

/* The process continues with another thread. */
static bool outlives_main_thread(void)
{
    static Client c;
    pthread_t made;
    int status = -1;
    pid_t child = fork();

    if (!child) {
        if (open_svm(&c) || pthread_create(&made, NULL, work_after, &c)) {
            _exit(1);
        }
        pthread_exit(NULL);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* Becomes another program, which has the file but not the memory. */
static bool execs(void)
{
    int status = -1;
    pid_t child = fork();
    char number[16];
    Client c;

    if (!child) {
        if (open_svm(&c)) {
            _exit(2);
        }
        submit_fill(&c, c.buffer.address, 1, BUFFER_BYTES);
        fcntl(veu_client_fd(c.veu), F_SETFD, 0);
        snprintf(number, sizeof(number), "%d", veu_client_fd(c.veu));
        execl("/proc/self/exe", "init", number, NULL);
        _exit(3);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

int after_exec(int fd)
{
    struct veu_linux_query query;

    return fd >= 0 && (!ioctl(fd, VEU_IOC_QUERY, &query) || errno != EPERM);
}

/*
 * posix_spawn() creates a child in the same memory until it executes a program.
 */
static bool spawns(Client *c)
{
    char *arguments[] = { "init", "-1", NULL };
    int status = -1;
    pid_t child;

    submit_fill(c, c->buffer.address, 8, BUFFER_BYTES);
    return !posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments,
                        environ) &&
           waitpid(child, &status, 0) == child && status == 0 &&
           wait_all(c) == 0 && fills(c, 9);
}

static void check_threads_and_programs(Client *c)
{
    check("two files share one process's memory", shares_twice(c));
    check("a signal does not keep a process from sharing its memory",
          shares_despite_signals());
    check("the end of the first thread leaves the ring",
          outlives_main_thread());
    check("exec() takes the memory from the file", execs());
    check("... and a program that is spawned disturbs nothing", spawns(c));
}

void check_process(void)
{
    Client c;

    if (!has_tables() || open_svm(&c)) {
        return;
    }
    check("a stack grows where the device writes it", grows_stack(&c));
    check("... as far as it may", limits_stack(&c));
    check_files(&c);
    check_calls(&c);
    check_merged(&c);
    check_tracked(&c);
    check_threads_and_programs(&c);
    close_client(&c);
}
