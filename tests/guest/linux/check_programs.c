/*
 * Programs that a process has loaded into the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <sys/ioctl.h>
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

/* A program of one fence. */
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

/* The ring that is free next is the one that was freed last. */
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
    }
    close_client(&c);
}
