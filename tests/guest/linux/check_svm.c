/*
 * Shared virtual memory: changes of a process's memory by the kernel while the
 * device uses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"
#include "veu_command.h"

#define PAGES 64u
#define BYTES (PAGES * PAGE)

/* --- Kinds of memory ------------------------------------------------------ */

static bool is_shared(Client *c, volatile uint64_t *memory, size_t bytes)
{
    return memory && !fill(c, memory, 0x1122334455667788, bytes) &&
           holds(memory, 0x1122334455667788, bytes) && !fill(c, memory, 7, 8) &&
           memory[0] == 7;
}

static bool shares_heap(Client *c)
{
    uint64_t *memory = malloc(BYTES);
    bool good = is_shared(c, memory, BYTES);

    free(memory);
    return good;
}

static bool shares_stack(Client *c)
{
    volatile uint64_t local[512];

    return is_shared(c, local, sizeof(local));
}

/* The file contains what the device has written. */
static bool shares_file(Client *c)
{
    int fd = open("/dev/file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    uint64_t *memory, word = 0;
    bool good;

    if (ftruncate(fd, BYTES)) {
        return false;
    }
    memory = map_pages(BYTES, MAP_SHARED, fd);
    good = is_shared(c, memory, BYTES) && pread(fd, &word, 8, BYTES - 8) == 8 &&
           word == 0x1122334455667788;
    munmap(memory, BYTES);
    close(fd);
    unlink("/dev/file");
    return good;
}

/* Tests a page of 2 MiB, and its parts once the kernel has split it. */
static bool shares_huge(Client *c)
{
    uint64_t *area = map_private(2 * HUGE);
    uint64_t *memory = (void *)((address_of(area) + HUGE - 1) & -HUGE);
    bool good;

    madvise(memory, HUGE, MADV_HUGEPAGE);
    good = is_shared(c, memory, HUGE);
    munmap(memory + HUGE / 16, PAGE);
    good = good && memory[HUGE / 16 - 1] == 0x1122334455667788 &&
           !fill(c, memory, 8, HUGE / 2) && memory[HUGE / 16 - 1] == 8 &&
           faults_at(c, fill(c, memory + HUGE / 16, 8, 8), memory + HUGE / 16);
    munmap(area, 2 * HUGE);
    return good;
}

/* A page that is huge from the start. */
static void check_hugetlb(Client *c)
{
    uint64_t *memory = MAP_FAILED;

    if (write_file("/proc/sys/vm/nr_hugepages", "2")) {
        memory = mmap(NULL, HUGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    }
    if (memory == MAP_FAILED) {
        skip("no page of hugetlbfs to be had");
        return;
    }
    check("... a page of hugetlbfs", is_shared(c, memory, HUGE));
    munmap(memory, HUGE);
    check("... which takes it back",
          faults_at(c, fill(c, memory, 1, 8), memory) &&
              write_file("/proc/sys/vm/nr_hugepages", "0"));
}

static const uint64_t constants[1024] = { 5, 6, 7, 8 };

static bool reads_constants(Client *c)
{
    uint64_t word = 0;

    return !copy(c, &word, &constants[2], 8) && word == 7 &&
           faults_at(c, fill(c, (void *)constants, 1, 8), constants);
}

/* Only an interrupt tells the driver that pages are missing. */
static bool comes_without_a_call(Client *c)
{
    uint64_t *memory = map_private(BYTES), end = now_ns() + TIMEOUT_NS;
    uint32_t index;

    submit_fill(c, address_of(memory), 9, BYTES);
    index = veu_client_tail(c->veu);
    while (veu_client_head(c->veu) != index && now_ns() < end) {
        usleep(1000);
    }
    return veu_client_head(c->veu) == index && !wait_all(c) &&
           holds(memory, 9, BYTES) && !munmap(memory, BYTES);
}

static void check_without_a_call(Client *c)
{
    if (has_interrupts(c)) {
        check("pages come while the process is in no call",
              comes_without_a_call(c));
    } else {
        skip("without interrupts, a call looks for missing pages");
    }
}

static void check_kinds(Client *c)
{
    void *kernel = (void *)(uintptr_t)0xffff800000000000;

    check("the device writes what malloc() gives", shares_heap(c));
    check("... the stack", shares_stack(c));
    check("... a mapped file", shares_file(c));
    check("... a huge page, whole and split", shares_huge(c));
    check_hugetlb(c);
    check("... and reads constants, but does not write them",
          reads_constants(c));
    check("no pointer is a fault", faults_at(c, fill(c, NULL, 1, 8), NULL));
    check("... and so is one of the kernel's",
          faults_at(c, fill(c, kernel, 1, 8), kernel));
    check_without_a_call(c);
}

/* --- Calls that change it ------------------------------------------------- */

static bool unmaps(Client *c)
{
    uint64_t *memory = map_private(BYTES);
    bool good = !fill(c, memory, 1, BYTES);

    munmap(memory, BYTES);
    return good && faults_at(c, fill(c, memory, 2, BYTES), memory);
}

/* The same address, with other memory. */
static bool remaps(Client *c)
{
    uint64_t *memory = map_private(BYTES);
    bool good = !fill(c, memory, 1, BYTES);

    mmap(memory, BYTES, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    good = good && holds(memory, 0, BYTES) && !fill(c, memory, 2, BYTES) &&
           holds(memory, 2, BYTES);
    munmap(memory, BYTES);
    return good;
}

static bool moves(Client *c)
{
    uint64_t *memory = map_private(BYTES), *moved;
    bool good = !fill(c, memory, 1, BYTES);

    moved = mremap(memory, BYTES, 2 * BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
                   map_private(2 * BYTES));
    good = good && moved != MAP_FAILED && holds(moved, 1, BYTES) &&
           faults_at(c, fill(c, memory, 2, 8), memory) &&
           !fill(c, moved, 3, 2 * BYTES) && holds(moved, 3, 2 * BYTES);
    munmap(moved, 2 * BYTES);
    return good;
}

static bool protects(Client *c)
{
    uint64_t *memory = map_private(BYTES), word = 0;
    bool good = !fill(c, memory, 1, BYTES);

    mprotect(memory, BYTES, PROT_READ);
    good = good && faults_at(c, fill(c, memory, 2, 8), memory) &&
           !copy(c, &word, memory, 8) && word == 1;
    mprotect(memory, BYTES, PROT_NONE);
    good = good && faults_at(c, copy(c, &word, memory, 8), memory);
    mprotect(memory, BYTES, PROT_READ | PROT_WRITE);
    good = good && !fill(c, memory, 3, BYTES) && holds(memory, 3, BYTES);
    munmap(memory, BYTES);
    return good;
}

static bool gives_up(Client *c)
{
    uint64_t *memory = map_private(BYTES), word = 1;
    bool good = !fill(c, memory, 1, BYTES);

    madvise(memory, BYTES, MADV_DONTNEED);
    good = good && !copy(c, &word, memory, 8) && word == 0 &&
           holds(memory, 0, BYTES) && !fill(c, memory, 2, BYTES) &&
           holds(memory, 2, BYTES);
    munmap(memory, BYTES);
    return good;
}

/*
 * The child has the contents at the fork; the device writes to the parent's
 * memory.
 */
static bool forks(Client *c)
{
    volatile uint64_t *memory = map_private(BYTES);
    int go[2], status = -1;
    bool good = !fill(c, memory, 1, BYTES) && !pipe(go);
    pid_t child = fork();
    char byte;

    if (!child) {
        close(go[1]);
        _exit(read(go[0], &byte, 1) || !holds(memory, 1, BYTES));
    }
    good = good && !fill(c, memory, 2, BYTES) && holds(memory, 2, BYTES);
    close(go[0]);
    close(go[1]);
    waitpid(child, &status, 0);
    munmap((void *)memory, BYTES);
    return good && status == 0;
}

/* A child has the file, but not the memory that it refers to. */
static bool refuses_children(Client *c)
{
    struct veu_linux_query query;
    int status = -1;
    pid_t child = fork();

    if (!child) {
        _exit(veu_client_query(c->veu, &query) != -EPERM ||
              veu_client_reset(c->veu) != -EPERM ||
              mmap(NULL, PAGE, PROT_READ, MAP_SHARED, veu_client_fd(c->veu),
                   0) != MAP_FAILED ||
              errno != EPERM);
    }
    waitpid(child, &status, 0);
    return status == 0 && !fill(c, c->buffer.memory, 9, 8);
}

/* A child that could store a tail would make the device work for its parent. */
static bool hides_ring_from_children(Client *c)
{
    int status = -1;
    pid_t child = fork();

    if (!child) {
        veu_client_head(c->veu);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static pid_t thread;

/* The thread has its own table of files, which it closes when it ends. */
static void *run_thread(void *opaque)
{
    thread = gettid();
    return unshare(CLONE_FILES) ? NULL : opaque;
}

/* The thread releases the process's memory, and ends, after pthread_join(). */
static bool outlives_thread(Client *c)
{
    char path[64];
    pthread_t made;
    void *result = NULL;
    bool is_there = true;

    if (pthread_create(&made, NULL, run_thread, c) ||
        pthread_join(made, &result)) {
        return false;
    }
    snprintf(path, sizeof(path), "/proc/self/task/%d", thread);
    for (int i = 0; i < 5000 && is_there; i++) {
        usleep(1000);
        is_there = !access(path, F_OK);
    }
    return result && !is_there && !fill(c, c->buffer.memory, 10, 8) &&
           c->memory[0] == 10;
}

static void check_calls(Client *c)
{
    check("munmap() takes memory from the device", unmaps(c));
    check("mmap() over memory in use gives it the new one", remaps(c));
    check("mremap() moves it", moves(c));
    check("mprotect() holds for the device", protects(c));
    check("madvise() drops pages", gives_up(c));
    check("fork() leaves the device with the parent", forks(c));
    check("... and refuses the child", refuses_children(c));
    check("... which does not have the ring", hides_ring_from_children(c));
    check("the end of a thread leaves the ring", outlives_thread(c));
}

/* --- The whole ------------------------------------------------------------ */

static void check_limits(void)
{
    struct veu_client *veu;
    Client c;

    open_client(&c);
    check("memory cannot be shared once there is a ring",
          veu_client_svm(c.veu) == -EBUSY && fills(&c, 1));
    close_client(&c);
    check("... nor twice", !veu_client_open(&veu, NULL) &&
                               !veu_client_svm(veu) &&
                               veu_client_svm(veu) == -EBUSY);
    veu_client_close(veu);
}

void check_svm(void)
{
    Client c;

    if (!has_tables()) {
        skip("the device has no page tables: no memory is shared");
        return;
    }
    check("a process shares its memory", !open_svm(&c));
    check_kinds(&c);
    check_calls(&c);
    close_client(&c);
    check_limits();
}
