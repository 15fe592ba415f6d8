/*
 * The driver's interface, without the library: the device gets what a process
 * asks for, and what a hostile one stores, maps or asks for does no harm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "memory.h"
#include "veu/regs.h"

/* docs/linux.md, "Decisions": the largest budget. */
#define MOST_BUDGET (4u << 20)

static int open_file(void)
{
    return open(VEU_CLIENT_DEVICE, O_RDWR);
}

static void *map(int fd, uint64_t offset, size_t bytes, int flags)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, offset);
}

/* Returns true if mmap() refuses that, with EINVAL. */
static bool is_refused(int fd, uint64_t offset, size_t bytes, int flags)
{
    return map(fd, offset, bytes, flags) == MAP_FAILED && errno == EINVAL;
}

/* --- What reaches the device ---------------------------------------------- */

static bool has_registers(volatile uint32_t *registers,
                          const struct veu_linux_ring *ring)
{
    volatile uint32_t *own =
        registers + (VEU_RING_BLOCK + ring->number * VEU_RING_BLOCK_STRIDE) / 4;

    return own[VEU_REG_RING_SLOTS / 4] == ring->slots &&
           own[VEU_REG_RING_POLICY / 4] == ring->policy &&
           own[VEU_REG_RING_PRIORITY / 4] == ring->priority &&
           own[VEU_REG_RING_BUDGET / 4] == ring->budget;
}

/* Makes a ring that asks for @budget, and expects the device to have @got. */
static bool gets_budget(volatile uint32_t *registers, uint32_t budget,
                        uint32_t got)
{
    struct veu_linux_ring ring = {
        .slots = 128,
        .policy = VEU_POLICY_SKIP_COMMAND,
        .budget = budget,
        .priority = VEU_PRIORITY_HIGHEST,
    };
    int fd = open_file();
    bool good = !call_driver(fd, VEU_IOC_RING_CREATE, &ring) &&
                ring.budget == got && has_registers(registers, &ring);

    close(fd);
    return good;
}

static void check_parameters(void)
{
    volatile uint32_t *registers = map_registers();

    if (!registers) {
        skip("no registers for root here");
        return;
    }
    check("the device gets what a ring is created with",
          gets_budget(registers, 1000, 1000));
    check("... and the driver's budget at most, or if none is asked for",
          gets_budget(registers, MOST_BUDGET + 1, MOST_BUDGET) &&
              gets_budget(registers, 0, MOST_BUDGET));
    unmap_registers(registers);
}

/* --- What is refused ------------------------------------------------------ */

static bool is_illegal(struct veu_linux_ring ring)
{
    int fd = open_file();
    bool good = call_driver(fd, VEU_IOC_RING_CREATE, &ring) == -EINVAL;

    close(fd);
    return good;
}

static void check_illegal_rings(void)
{
    struct veu_linux_registers device;
    int fd = open_file();
    uint32_t most;

    call_driver(fd, VEU_IOC_REGISTERS, &device);
    most = device.registers[VEU_REG_CAP_RING_SLOTS / 4];
    close(fd);
    check("a ring has a power of two of slots, within the device's limits",
          is_illegal((struct veu_linux_ring){ .slots = 2 }) &&
              is_illegal((struct veu_linux_ring){ .slots = 96 }) &&
              is_illegal((struct veu_linux_ring){ .slots = 2 * most }));
    check("... a policy and a priority that exist, and nothing else",
          is_illegal((struct veu_linux_ring){
              .slots = 64, .policy = VEU_POLICY_SKIP_COMMAND + 1 }) &&
              is_illegal((struct veu_linux_ring){
                  .slots = 64, .priority = VEU_PRIORITY_HIGHEST + 1 }) &&
              is_illegal(
                  (struct veu_linux_ring){ .slots = 64, .reserved = 1 }));
}

/* --- Mappings ------------------------------------------------------------- */

/* The pages after a ring's slots are the driver's: its fault records. */
static void check_ring_mappings(int fd, const struct veu_linux_ring *ring)
{
    uint64_t at = ring->memory_offset;
    void *whole = map(fd, at, ring->memory_bytes, MAP_SHARED);

    check("a process maps its ring", whole != MAP_FAILED);
    munmap(whole, ring->memory_bytes);
    check("... but nothing after it, and no copy",
          is_refused(fd, at, ring->memory_bytes + PAGE, MAP_SHARED) &&
              is_refused(fd, at + ring->memory_bytes, PAGE, MAP_SHARED) &&
              is_refused(fd, at, ring->memory_bytes, MAP_PRIVATE));
    if (ring->doorbell_offset != UINT64_MAX) {
        at = ring->doorbell_offset;
        check("... and one page of doorbells",
              is_refused(fd, at, 2 * PAGE, MAP_SHARED) &&
                  is_refused(fd, at + PAGE, PAGE, MAP_SHARED));
    }
}

/* The device fills each page with another value. */
static bool fills_pages(Client *c, const struct veu_linux_buffer *buffer)
{
    submit_fill(c, buffer->address, 1, PAGE);
    submit_fill(c, buffer->address + PAGE, 2, PAGE);
    return !wait_all(c);
}

static void check_buffer_mappings(void)
{
    struct veu_linux_buffer buffer = { .bytes = 2 * PAGE };
    uint64_t *second;
    Client c;
    int fd;

    open_client(&c);
    fd = veu_client_fd(c.veu);
    call_driver(fd, VEU_IOC_BUFFER_CREATE, &buffer);
    second = map(fd, buffer.offset + PAGE, PAGE, MAP_SHARED);
    check("a process maps a part of a buffer",
          second != MAP_FAILED && fills_pages(&c, &buffer) && second[0] == 2 &&
              second[511] == 2);
    munmap(second, PAGE);
    check("... but nothing after it, and no copy",
          is_refused(fd, buffer.offset, 3 * PAGE, MAP_SHARED) &&
              is_refused(fd, buffer.offset + 2 * PAGE, PAGE, MAP_SHARED) &&
              is_refused(fd, buffer.offset, PAGE, MAP_PRIVATE));
    close_client(&c);
}

/* Handles are not reused at once. */
static void check_stale_mapping(void)
{
    struct veu_linux_buffer old = { .bytes = PAGE };
    struct veu_linux_buffer new = { .bytes = PAGE };
    struct veu_linux_destroy destroy = { 0 };
    int fd = open_file();
    uint64_t *memory;

    call_driver(fd, VEU_IOC_BUFFER_CREATE, &old);
    memory = map(fd, old.offset, PAGE, MAP_SHARED);
    memory[0] = 1;
    destroy.handle = old.handle;
    check("a mapping of a buffer that is destroyed raises SIGBUS",
          !call_driver(fd, VEU_IOC_BUFFER_DESTROY, &destroy) &&
              is_sigbus(memory));
    check("... also when there is another buffer",
          !call_driver(fd, VEU_IOC_BUFFER_CREATE, &new) && is_sigbus(memory));
    munmap(memory, PAGE);
    close(fd);
}

/* --- Shared blocks -------------------------------------------------------- */

/*
 * The shared block belongs to the process, which may store anything there: the
 * driver takes no more records than the device's queue has.
 */
static void check_wrong_tail(int fd, const struct veu_linux_ring *ring)
{
    struct veu_ring_shared *shared = map(fd, ring->memory_offset,
                                         ring->memory_bytes, MAP_SHARED);
    struct veu_linux_faults faults;
    uint64_t begin = now_ns();
    uint32_t count = 0;

    shared->fault_tail = 1u << 31;
    do {
        if (call_driver(fd, VEU_IOC_FAULTS, &faults)) {
            break;
        }
        count += faults.count;
    } while (faults.count);
    check("a wrong tail of fault records is as many as the queue has",
          count == 64 && now_ns() - begin < VEU_CLIENT_SECOND * slowness());
    munmap(shared, ring->memory_bytes);
}

/* Waits for @index, and returns the errno; @a reports what it has seen. */
static int wait_for(int fd, uint32_t index, uint64_t timeout_ns,
                    struct veu_linux_wait *a)
{
    *a = (struct veu_linux_wait){ .index = index,
                                  .deadline_ns = now_ns() + timeout_ns };
    return call_driver(fd, VEU_IOC_WAIT, a);
}

/* An illegal tail halts the ring, which continues at another index. */
static bool move_to(int fd, uint32_t index)
{
    struct veu_linux_resume resume = { .index = index };
    struct veu_linux_wait a;

    return !submit_tail(fd, index) && wait_for(fd, 1, TIMEOUT_NS, &a) == -EIO &&
           a.state == VEU_RING_HALTED &&
           !call_driver(fd, VEU_IOC_RESUME, &resume);
}

static void put_nops(void *memory, const struct veu_linux_ring *ring)
{
    struct veu_command_header *slot;

    for (uint32_t i = 0; i < ring->slots; i++) {
        slot = (void *)((char *)memory + ring->slots_at + i * VEU_SLOT_BYTES);
        *slot = (struct veu_command_header){ VEU_COMMAND_NOP, 1,
                                             VEU_COMMAND_INTERRUPT, 0 };
    }
}

/* Indices have 32 bits, and wrap. */
static void check_wrap(int fd, const struct veu_linux_ring *ring)
{
    void *memory = map(fd, ring->memory_offset, ring->memory_bytes, MAP_SHARED);
    struct veu_linux_wait a;
    bool good;

    put_nops(memory, ring);
    good = move_to(fd, -16);
    check("a wait that fails tells head and state",
          good && wait_for(fd, 16, 0, &a) == -ETIME && a.head == -16u &&
              a.state != VEU_RING_HALTED);
    check("commands are done past the last index",
          !submit_tail(fd, 16) && !wait_for(fd, 16, TIMEOUT_NS, &a) &&
              a.head == 16 && !wait_for(fd, -1, 0, &a) && a.head == 16);
    munmap(memory, ring->memory_bytes);
}

static void check_rings(void)
{
    struct veu_linux_ring ring = { .slots = 64 };
    int fd = open_file();

    check("a ring without the library",
          !call_driver(fd, VEU_IOC_RING_CREATE, &ring));
    check_ring_mappings(fd, &ring);
    check_wrap(fd, &ring);
    check_wrong_tail(fd, &ring);
    close(fd);
}

void check_interface(void)
{
    check_parameters();
    check_illegal_rings();
    check_rings();
    check_buffer_mappings();
    check_stale_mapping();
}
