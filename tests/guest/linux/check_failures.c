/*
 * Lack of memory: each call of the driver is made with its n-th allocation, or
 * copy from or to the process, failing, for n = 1, 2, ... until it has no n-th
 * one. This needs a kernel with CONFIG_FAULT_INJECTION.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "guest.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define DEBUG    "/sys/kernel/debug/"
#define BYTES    12288
#define MOST     5000

/* No other mapping is near, so that it has page tables of its own. */
#define PLACE ((void *)0x100000000000)

/* an address of the device's */
#define HERE 0x123456600000u

/* The objects that the calls use. */
static int fd;
static struct veu_linux_buffer buffer;
static char device[64];

static int result(bool good)
{
    return good ? 0 : -errno;
}

static int call_open(void)
{
    fd = open(VEU_CLIENT_DEVICE, O_RDWR);
    return result(fd >= 0);
}

static void open_file(void)
{
    call_open();
}

static void close_file(void)
{
    close(fd);
}

static int call_query(void)
{
    struct veu_linux_query query;

    return result(!ioctl(fd, VEU_IOC_QUERY, &query));
}

static int call_create(void)
{
    buffer = (struct veu_linux_buffer){ .bytes = BYTES };
    return result(!ioctl(fd, VEU_IOC_BUFFER_CREATE, &buffer));
}

static void make_buffer(void)
{
    call_open();
    call_create();
}

static int call_destroy(void)
{
    struct veu_linux_destroy destroy = { .handle = buffer.handle };

    return result(!ioctl(fd, VEU_IOC_BUFFER_DESTROY, &destroy));
}

static int call_map(void)
{
    return result(mmap(PLACE, BYTES, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_FIXED, fd,
                       buffer.offset) != MAP_FAILED);
}

static void make_mapping(void)
{
    make_buffer();
    call_map();
}

static void close_mapping(void)
{
    munmap(PLACE, BYTES);
    close(fd);
}

/* A page arrives at the first access, which is repeated if that fails. */
static int call_touch(void)
{
    *(volatile uint64_t *)PLACE = 1;
    return 0;
}

static int call_ring(void)
{
    struct veu_linux_ring ring = { .slots = SLOTS };

    return result(!ioctl(fd, VEU_IOC_RING_CREATE, &ring));
}

static void make_ring(void)
{
    call_open();
    call_ring();
}

static int submit(uint32_t tail)
{
    struct veu_linux_submit submit = { .tail = tail };

    return result(!ioctl(fd, VEU_IOC_SUBMIT, &submit));
}

static int call_submit(void)
{
    return submit(0);
}

static int wait_for(uint32_t index)
{
    struct veu_linux_wait wait = { .index = index, .deadline_ns = INT64_MAX };

    return result(!ioctl(fd, VEU_IOC_WAIT, &wait));
}

static int call_wait(void)
{
    return wait_for(0);
}

/* Slots of zeroes hold no command. */
static void halt_ring(void)
{
    make_ring();
    submit(1);
    wait_for(1);
}

static int call_faults(void)
{
    struct veu_linux_faults faults;

    return result(!ioctl(fd, VEU_IOC_FAULTS, &faults));
}

static int call_resume(void)
{
    struct veu_linux_resume resume = { .index = 1 };

    return result(!ioctl(fd, VEU_IOC_RESUME, &resume));
}

static int call_reset(void)
{
    return result(!ioctl(fd, VEU_IOC_RESET, NULL));
}

static int call_registers(void)
{
    struct veu_linux_registers registers;

    return result(!ioctl(fd, VEU_IOC_REGISTERS, &registers));
}

static int call_svm(void)
{
    return result(!ioctl(fd, VEU_IOC_SVM, NULL));
}

static void share_memory(void)
{
    call_open();
    call_svm();
}

/* Memory of this process, or a buffer, at the same address of the device. */
static int map_for_device(uint64_t memory, uint32_t handle)
{
    struct veu_linux_map map = {
        .address = HERE,
        .bytes = BYTES,
        .memory = memory,
        .handle = handle,
        .flags = VEU_LINUX_READ | VEU_LINUX_WRITE,
    };

    return result(!ioctl(fd, VEU_IOC_MAP, &map));
}

static int call_map_memory(void)
{
    static _Alignas(4096) char memory[BYTES];

    return map_for_device((uintptr_t)memory, 0);
}

static int call_map_buffer(void)
{
    return map_for_device(0, buffer.handle);
}

static void map_memory(void)
{
    call_open();
    call_map_memory();
}

static int call_unmap(void)
{
    struct veu_linux_unmap unmap = { HERE, BYTES };

    return result(!ioctl(fd, VEU_IOC_UNMAP, &unmap));
}

static int call_selftest(void)
{
    return result(write_file("/sys/class/misc/veu0/device/selftest", "1"));
}

static void unbind(void)
{
    unbind_driver(device);
}

static int call_bind(void)
{
    return result(bind_driver(device));
}

static int call_load(void)
{
    return result(load_module());
}

static void unload(void)
{
    unload_module();
}

static void nothing(void)
{
}

static const struct Call {
    const char *name;
    void (*before)(void);
    int (*call)(void); /* returns 0, or a negative errno */
    void (*after)(void);
} calls[] = {
    { "open", nothing, call_open, close_file },
    { "QUERY", open_file, call_query, close_file },
    { "BUFFER_CREATE", open_file, call_create, close_file },
    { "BUFFER_DESTROY", make_buffer, call_destroy, close_file },
    { "mmap", make_buffer, call_map, close_mapping },
    { "a page of a buffer", make_mapping, call_touch, close_mapping },
    { "RING_CREATE", open_file, call_ring, close_file },
    { "SUBMIT", make_ring, call_submit, close_file },
    { "WAIT", make_ring, call_wait, close_file },
    { "FAULTS", halt_ring, call_faults, close_file },
    { "RESUME", halt_ring, call_resume, close_file },
    { "RESET", halt_ring, call_reset, close_file },
    { "REGISTERS", open_file, call_registers, close_file },
    /* These take page tables. */
    { "SVM", open_file, call_svm, close_file },
    { "RING_CREATE, shared memory", share_memory, call_ring, close_file },
    { "MAP of memory", open_file, call_map_memory, close_file },
    { "MAP of a buffer", make_buffer, call_map_buffer, close_file },
    { "UNMAP", map_memory, call_unmap, close_file },
    { "self-test", nothing, call_selftest, nothing },
    /* not calls on a file */
    { "bind", unbind, call_bind, nothing },
    { "module", unload, call_load, nothing },
};

#define CALLS      (sizeof(calls) / sizeof(calls[0]))
#define FILE_CALLS (CALLS - 2)

/*
 * Returns true if there was an @n-th one that failed; *@error is the call's
 * result.
 */
static bool fail_nth(const struct Call *c, unsigned n, int *error)
{
    int file = open(FAIL_NTH, O_RDWR);
    char text[16] = "";
    bool failed;

    snprintf(text, sizeof(text), "%u", n);
    failed = write(file, text, strlen(text)) > 0;
    *error = c->call();
    /* the copy of this text may be what fails */
    failed = failed && pread(file, text, sizeof(text), 0) > 0 && !atoi(text);
    failed = write(file, "0", 1) == 1 && failed;
    close(file);
    return failed;
}

/* After a result that could not be copied, what the call has made exists. */
static int repeat(const struct Call *c, int error)
{
    if (error == -EFAULT) {
        c->after();
        c->before();
    }
    return c->call();
}

/*
 * A call that fails inside reports it, or is not affected, and succeeds next
 * time.
 */
static void check_call(const struct Call *c)
{
    unsigned n = 0, told = 0;
    bool failed = true;
    char name[128];
    int error = 0;

    while (failed && !error && n < MOST) {
        c->before();
        failed = fail_nth(c, ++n, &error);
        if (failed && error) {
            told++;
            error = repeat(c, error);
        }
        c->after();
    }
    snprintf(name, sizeof(name), "%s: fails inside in %u ways, reports %u",
             c->name, n - 1, told);
    check(name, !failed && !error);
}

/*
 * All allocations may fail, including those that may sleep, and those of one
 * page.
 */
static bool set_up(void)
{
    return write_file(DEBUG "failslab/ignore-gfp-wait", "N") &&
           write_file(DEBUG "fail_page_alloc/ignore-gfp-wait", "N") &&
           write_file(DEBUG "fail_page_alloc/min-order", "0") &&
           write_file(DEBUG "failslab/verbose", "0") &&
           write_file(DEBUG "fail_page_alloc/verbose", "0") &&
           write_file(DEBUG "fail_usercopy/verbose", "0");
}

static void check_calls(const char *filter, unsigned count)
{
    bool good = write_file(DEBUG "failslab/cache-filter", filter);

    check(filter[0] == 'Y' ? "what is marked may fail" : "all may fail", good);
    for (unsigned i = 0; i < count; i++) {
        check_call(&calls[i]);
    }
    check_use();
}

/*
 * At first, only the allocations that the kernel's command line marks may fail:
 * without memory for its records of DMA memory, the kernel stops recording, and
 * it warns about a file of /proc/irq that it could not create before.
 */
void check_failures(void)
{
    snprintf(device, sizeof(device), "%s", bus_name());
    check("allocations can be made to fail", set_up());
    check_calls("Y", CALLS);
    check("the account of DMA memory is not closed",
          !kernel_has_said("dma-debug disabled"));
    check_calls("N", FILE_CALLS);
}
