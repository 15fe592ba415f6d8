/*
 * Programs that a process has loaded into the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "guest.h"
#include "veu/regs.h"
#include "veu_command.h"
#include "veu_encode_buffer.h"
#include "veu_program.h"

#define HANDLE 7

static bool has_load(Client *c)
{
    struct veu_linux_registers r;

    return !ioctl(veu_client_fd(c->veu), VEU_IOC_REGISTERS, &r) &&
           r.registers[VEU_REG_LIMIT_PROGRAM_MEMORY / 4];
}

/* Loads a program of one fence. */
static int load(Client *c)
{
    struct veu_command_load command;
    struct veu_program program;
    uint32_t bytes;

    veu_program_begin(&program, (void *)c->memory, 1024, 32);
    veu_encode_fence(&program.code, 0);
    bytes = veu_program_end(&program);
    command = veu_make_load(1, (void *)c->memory, bytes, 16, HANDLE);
    return veu_client_run(c->veu, &command.header, TIMEOUT_NS);
}

/* --- Kernels of the library ----------------------------------------------- */

#define COUNT 16

static int enqueue_count(Client *c, struct veu_client_kernel *kernel,
                         uint32_t count)
{
    static const uint32_t local = 8;
    volatile uint32_t *from = (void *)c->memory;

    for (unsigned i = 0; i < COUNT; i++) {
        from[i] = i;
        from[COUNT + i] = 0;
    }
    c->memory[COUNT] = 0;
    veu_client_kernel_buffer(kernel, 0, from, COUNT * 4);
    veu_client_kernel_buffer(kernel, 1, from + COUNT, COUNT * 4);
    veu_client_kernel_value(kernel, 2, &count, 4);
    return veu_client_kernel_enqueue(kernel, 1, &count, &local);
}

static int enqueue(Client *c, struct veu_client_kernel *kernel)
{
    return enqueue_count(c, kernel, COUNT);
}

/* Returns true if the kernel has reversed its input. */
static bool has_run(Client *c)
{
    volatile uint32_t *to = (uint32_t *)c->memory + COUNT;

    return to[0] == COUNT - 1 && to[COUNT - 1] == 0;
}

/* The ring waits for a word past the memory of the kernels. */
static void block(Client *c)
{
    struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1, VEU_COMMAND_INTERRUPT },
        .address = c->buffer.address + 8192,
        .mask = ~0ull,
        .value = 1,
        .condition = VEU_CONDITION_EQUAL,
    };

    c->memory[1024] = 0;
    veu_client_put(c->veu, &wait.header);
    veu_client_submit(c->veu);
}

static void unblock(Client *c)
{
    c->memory[1024] = 1;
    veu_client_notify(c->veu);
}

static void check_reset_kernel(Client *c, struct veu_client_kernel *kernel)
{
    block(c);
    check("a kernel waits in the ring",
          enqueue(c, kernel) == 0 && enqueue(c, kernel) == -EBUSY &&
              veu_client_kernel_print(kernel, stdout) == -EBUSY);
    veu_client_reset(c->veu);
    check("... a reset ends that run",
          veu_client_kernel_wait(kernel, TIMEOUT_NS) == -ECANCELED &&
              !has_run(c));
    check("... and not the kernel",
          enqueue(c, kernel) == 0 &&
              veu_client_kernel_wait(kernel, TIMEOUT_NS) == 0 && has_run(c));
}

static void check_unload(Client *c, struct veu_client_kernel *kernel)
{
    block(c);
    check("a kernel that may still run is not unloaded",
          enqueue(c, kernel) == 0 &&
              veu_client_kernel_unload(kernel) == -ETIME);
    unblock(c);
    check("... and is, once it has run",
          veu_client_kernel_unload(kernel) == 0 && has_run(c));
}

/* The library has seen the record, the program has not. */
static bool passes_fault(Client *c, struct veu_client_kernel *kernel)
{
    uint32_t faulting = veu_client_tail(c->veu);

    submit_fill(c, 0, 1, 8);
    return enqueue(c, kernel) == 0 &&
           veu_client_kernel_wait(kernel, TIMEOUT_NS) == -EIO &&
           !veu_client_resume(c->veu, faulting + 1) &&
           !veu_client_kernel_wait(kernel, TIMEOUT_NS) && has_run(c);
}

/* The program takes none of eleven records; the library keeps eight. */
static bool keeps_newest(Client *c, struct veu_client_kernel *kernel)
{
    struct veu_linux_faults faults;
    bool good = true;
    uint32_t index;

    for (unsigned i = 0; i < 10; i++) {
        index = veu_client_tail(c->veu);
        submit_fill(c, 0, 1, 8);
        good = good && wait_all(c) == -EIO &&
               !veu_client_resume(c->veu, index + 1);
    }
    index = veu_client_tail(c->veu);
    return good && passes_fault(c, kernel) &&
           !veu_client_faults(c->veu, &faults) && faults.count == 8 &&
           faults.lost == 3 && faults.records[7].slot == index &&
           faults.records[0].slot == index - 7;
}

/* A run of two commands: the second one has the incomplete group. */
static bool finds_gone(Client *c, struct veu_client_kernel *kernel)
{
    return enqueue_count(c, kernel, 12) == 0 &&
           veu_client_kernel_wait(kernel, TIMEOUT_NS) == -ESTALE &&
           enqueue(c, kernel) == -ESTALE;
}

static bool has_both_records(Client *c)
{
    struct veu_linux_faults faults;

    return !veu_client_faults(c->veu, &faults) && faults.count == 2 &&
           faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
           faults.records[1].code == VEU_FAULT_PROGRAM_HANDLE;
}

static void check_gone(Client *c)
{
    struct veu_client_kernel *kernel, *idle;

    check("two kernels are loaded",
          !veu_client_kernel_load(c->veu, "/first_kernel.veuk", &kernel) &&
              !veu_client_kernel_load(c->veu, "/first_kernel.veuk", &idle));
    check("the newest of many faults before a kernel have records",
          keeps_newest(c, kernel));
    check("a fault before a kernel is not the kernel's",
          passes_fault(c, kernel));
    if (!write_file(reset_path(), "1")) {
        skip("no reset of the function here");
        return;
    }
    check("a reset of the device has dropped the kernel",
          finds_gone(c, kernel));
    check("... both faults have their records", has_both_records(c));
    check("... its run is skipped", !veu_client_kernel_unload(kernel));
    check("... so is the end of one that was idle",
          veu_client_kernel_unload(idle) == -ESTALE &&
              !veu_client_kernel_unload(idle));
    check("... it is loaded again, and runs",
          !veu_client_kernel_load(c->veu, "/first_kernel.veuk", &kernel) &&
              enqueue(c, kernel) == 0 &&
              !veu_client_kernel_wait(kernel, TIMEOUT_NS) && has_run(c));
}

static void do_nothing(int signal)
{
    (void)signal;
}

/* Its memory has to exist when the device reaches it. */
static void check_late_load(Client *c)
{
    const struct sigaction action = { .sa_handler = do_nothing };
    struct veu_client_kernel *kernel;

    sigaction(SIGALRM, &action, NULL);
    block(c);
    alarm(1);
    check("a signal ends the load of a kernel",
          veu_client_kernel_load(c->veu, "/first_kernel.veuk", &kernel) ==
              -EINTR);
    unblock(c);
    check("... the device may load it later", wait_all(c) == 0);
    check("... and another one is loaded, and runs",
          !veu_client_kernel_load(c->veu, "/first_kernel.veuk", &kernel) &&
              enqueue(c, kernel) == 0 &&
              !veu_client_kernel_wait(kernel, TIMEOUT_NS) && has_run(c));
}

/* Its output takes more memory than one piece has without page tables. */
static void check_no_memory(Client *c, struct veu_client_kernel *kernel)
{
    int error = enqueue(c, kernel);

    check("a run without memory is refused, and again",
          error < 0 && enqueue(c, kernel) == error);
    check("... and the library says what it takes",
          strstr(veu_client_error(error), "a kernel that prints"));
}

static void check_kernels(void)
{
    struct veu_client_kernel *kernel, *other;
    Client c;

    open_client(&c);
    check("a kernel is loaded, and another one",
          !veu_client_kernel_load(c.veu, "/first_kernel.veuk", &other) &&
              !veu_client_kernel_load(c.veu, "/first_kernel.veuk", &kernel));
    if (has_tables()) {
        check_reset_kernel(&c, kernel);
        check_unload(&c, kernel);
        check_late_load(&c);
        check_gone(&c);
    } else {
        check_no_memory(&c, kernel);
    }
    /* closing this client frees the others */
    close_client(&c);
}

/* The next free ring is the one that was freed last. */
void check_programs(void)
{
    Client c;

    open_client(&c);
    if (!has_load(&c)) {
        skip("the device loads no programs");
    } else {
        check("a process loads a program", load(&c) == 0);
        check("... once", load(&c) == -EIO);
        close_client(&c);
        open_client(&c);
        check("the next one with that ring does not have it", load(&c) == 0);
        check_kernels();
    }
    close_client(&c);
}
