/*
 * Rings whose halt shows neither in their shared block nor in their queue.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
#include "guest.h"
#include "veu/regs.h"

#define PCI_COMMAND        4
#define PCI_COMMAND_MASTER 4

static bool set_bus_master(bool on)
{
    char path[128];
    uint16_t command = 0;
    bool good;
    int fd;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", bus_name());
    fd = open(path, O_RDWR);
    good = pread(fd, &command, 2, PCI_COMMAND) == 2;
    command &= ~PCI_COMMAND_MASTER;
    command |= on ? PCI_COMMAND_MASTER : 0;
    good = good && pwrite(fd, &command, 2, PCI_COMMAND) == 2;
    close(fd);
    return good;
}

static bool has_one_fault(Client *c, uint32_t code,
                          struct veu_fault_record *record)
{
    struct veu_linux_faults faults, more;
    bool good = !veu_client_faults(c->veu, &faults) && faults.count == 1 &&
                faults.records[0].code == code &&
                !veu_client_faults(c->veu, &more) && more.count == 0;

    *record = faults.records[0];
    return good;
}

/*
 * The device reaches no memory, and its interrupts are writes to memory as
 * well.
 */
static void check_no_memory(void)
{
    struct veu_fault_record fault;
    bool good;
    Client c;

    open_client(&c);
    good = fills(&c, 1) && set_bus_master(false);
    submit_fill(&c, c.buffer.address, 2, 8);
    check("a wait finds a ring that lost its memory",
          good && wait_all(&c) == -EIO);
    check("... so does poll()", events_of(&c, 2000) & POLLERR);
    check("... and there is a record",
          has_one_fault(&c, VEU_FAULT_RING_MEMORY, &fault));
    set_bus_master(true);
    check("... with which the ring continues",
          !veu_client_resume(c.veu, fault.slot) && wait_all(&c) == 0 &&
              c.memory[0] == 2 && fills(&c, 3));
    set_bus_master(false);
    submit_fill(&c, c.buffer.address, 4, 8);
    check("... and when that happens again, there is another one",
          wait_all(&c) == -EIO &&
              has_one_fault(&c, VEU_FAULT_RING_MEMORY, &fault));
    set_bus_master(true);
    close_client(&c);
}

/*
 * Root breaks the context of the running ring without the driver's knowledge.
 * The driver sets it up again later.
 */
static bool break_context(uint32_t ring)
{
    volatile uint32_t *regs = map_registers();
    uint32_t context = VEU_CONTEXT_BLOCK + ring * VEU_CONTEXT_BLOCK_STRIDE;

    if (!regs) {
        return false;
    }
    regs[(context + VEU_REG_CONTEXT_TYPE) / 4] = 77;
    regs[(VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE +
          VEU_REG_RING_CONTROL) /
         4] = VEU_RING_ENABLE | VEU_RING_RELOAD;
    unmap_registers(regs);
    return true;
}

static void check_no_context(void)
{
    struct veu_linux_query query;
    struct veu_fault_record fault;
    uint64_t begin;
    bool good;
    Client c;

    open_client(&c);
    good = fills(&c, 1) && !veu_client_query(c.veu, &query);
    begin = now_ns();
    if (!break_context(query.ring)) {
        skip("no registers for root here");
        close_client(&c);
        return;
    }
    check("poll() finds a ring that lost its context",
          good && events_of(&c, 5000) == POLLERR &&
              now_ns() - begin < 2 * VEU_CLIENT_SECOND);
    check("... so does a wait, even one without time",
          veu_client_wait(c.veu, veu_client_tail(c.veu) + 1, TIMEOUT_NS) ==
                  -EIO &&
              veu_client_wait(c.veu, veu_client_tail(c.veu) + 1, 0) == -EIO);
    check("... and there is a record",
          has_one_fault(&c, VEU_FAULT_RING_CONFIG, &fault) &&
              fault.detail == VEU_REG_RING_CONTEXT);
    check("... with which the ring continues",
          !veu_client_resume(c.veu, fault.slot) && fills(&c, 2));
    close_client(&c);
}

static uint32_t take_all_faults(struct veu_client *veu, uint32_t *lost)
{
    struct veu_linux_faults faults;
    uint32_t count = 0;

    for (*lost = 0; !veu_client_faults(veu, &faults) && faults.count;) {
        count += faults.count;
        *lost += faults.lost;
    }
    *lost += faults.lost;
    return count;
}

/* Submits @count commands that fault, and waits for them. */
static int fault_times(Client *c, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        submit_fill(c, 8, 1, 8);
    }
    return wait_all(c);
}

/* 70 commands that fault, and an illegal tail. */
static void check_full_queue(void)
{
    struct veu_linux_faults faults;
    uint32_t lost;
    int error;
    Client c;

    open_skipping(&c);
    check("a ring runs on with a full queue", !fault_times(&c, 70));
    submit_tail(veu_client_fd(c.veu), 0x10000);
    error = veu_client_wait(c.veu, 71, TIMEOUT_NS);
    check("... a wait finds that it has halted", error == -EIO);
    check("... so does poll()", events_of(&c, 0) & POLLERR);
    check("... 64 faults have a record, 7 do not",
          take_all_faults(c.veu, &lost) == 64 && lost == 7);
    submit_tail(veu_client_fd(c.veu), 70);
    check("... and when the ring continues, all of them have been told",
          !veu_client_resume(c.veu, 70) && !veu_client_faults(c.veu, &faults) &&
              !faults.count && !faults.lost && !(events_of(&c, 0) & POLLPRI));
    close_client(&c);
}

/* The device learns which records have been taken. */
static void check_many_faults(void)
{
    struct veu_linux_faults faults;
    bool good = true;
    uint32_t lost;
    Client c;

    open_skipping(&c);
    for (unsigned i = 0; i < 4; i++) {
        good = good && !fault_times(&c, 40) &&
               take_all_faults(c.veu, &lost) == 40 && !lost;
    }
    check("no fault is lost of those that are taken in time", good);
    /* RESUME stops the ring, so the driver takes 64 records for the process. */
    good = !fault_times(&c, 64) && veu_client_resume(c.veu, 0) == -EINVAL &&
           !fault_times(&c, 10);
    check("... and those for which the driver has no room are counted",
          good && take_all_faults(c.veu, &lost) == 64 && lost == 10);
    good = !fault_times(&c, 9) && !veu_client_faults(c.veu, &faults) &&
           faults.count == 8;
    check("POLLPRI lasts until the last of nine records is taken",
          good && events_of(&c, 0) & POLLPRI &&
              !veu_client_faults(c.veu, &faults) && faults.count == 1 &&
              !(events_of(&c, 0) & POLLPRI));
    close_client(&c);
}

static void check_running(void)
{
    Client c;

    open_client(&c);
    check("a ring that has not halted cannot continue, and runs on",
          fills(&c, 1) && veu_client_resume(c.veu, 0) == -EINVAL &&
              fills(&c, 2));
    close_client(&c);
}

void check_halts(void)
{
    check_no_memory();
    check_no_context();
    check_full_queue();
    check_many_faults();
    check_running();
}
