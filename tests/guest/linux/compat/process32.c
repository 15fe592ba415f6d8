/*
 * A 32-bit process on a 64-bit kernel: the driver's calls, its mappings, a
 * command. It is built without a C library, because there is no 32-bit one to
 * link with; its exit status is the line where it gave up, or 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "veu/linux.h"
#include "veu/regs.h"
#include "veu/ring.h"

#define BYTES   8192
#define PATTERN 0x0123456789abcdefull

/* Numbers of i386's system calls, and their arguments. */
#define SYS_OPEN          5
#define SYS_IOCTL         54
#define SYS_MMAP2         192
#define SYS_CLOCK_GETTIME 265
#define READ_WRITE        3
#define SHARED            1
#define MONOTONIC         1

/* The number and six arguments are in eax, ebx, ecx, edx, esi, edi, ebp. */
long system_call(long number, long a, long b, long c, long d, long e, long f);
__asm__("system_call:\n"
        "push %ebp; push %edi; push %esi; push %ebx\n"
        "mov 20(%esp), %eax; mov 24(%esp), %ebx; mov 28(%esp), %ecx\n"
        "mov 32(%esp), %edx; mov 36(%esp), %esi; mov 40(%esp), %edi\n"
        "mov 44(%esp), %ebp\n"
        "int $0x80\n"
        "pop %ebx; pop %esi; pop %edi; pop %ebp\n"
        "ret\n"
        ".globl _start\n"
        "_start:\n"
        "call run\n"
        "mov %eax, %ebx\n"
        "mov $1, %eax\n"
        "int $0x80\n");

#define TRY(condition)       \
    do {                     \
        if (!(condition)) {  \
            return __LINE__; \
        }                    \
    } while (0)

static long call(int fd, long command, void *argument)
{
    return system_call(SYS_IOCTL, fd, command, (long)argument, 0, 0, 0);
}

/* The offset of this call is in pages. */
static void *map(int fd, uint64_t offset, uint64_t bytes)
{
    long at = system_call(SYS_MMAP2, 0, bytes, READ_WRITE, SHARED, fd,
                          offset >> 12);

    return at < 0 && at > -4096 ? 0 : (void *)at;
}

static uint64_t in_five_seconds(void)
{
    struct {
        long s, ns;
    } now;

    system_call(SYS_CLOCK_GETTIME, MONOTONIC, (long)&now, 0, 0, 0, 0);
    return (now.s + 5) * 1000000000ull + now.ns;
}

/* The first command of the ring. */
static void submit(uint8_t *ring, uint32_t slots_at, volatile uint32_t *bell,
                   const struct veu_command_fill *fill)
{
    struct veu_ring_shared *shared = (struct veu_ring_shared *)ring;

    *(struct veu_command_fill *)(ring + slots_at) = *fill;
    __atomic_store_n(&shared->tail, 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&shared->asleep, __ATOMIC_RELAXED)) {
        *bell = 1;
    }
}

int run(void)
{
    struct veu_linux_buffer buffer = { .bytes = BYTES };
    struct veu_linux_ring ring = { .slots = 16, .priority = 1 };
    struct veu_linux_wait wait = { .index = 1 };
    struct veu_linux_faults faults;
    struct veu_linux_query query;
    struct veu_command_fill fill = {
        .header = { VEU_COMMAND_FILL, 1, VEU_COMMAND_INTERRUPT, 1 },
        .pattern = PATTERN,
        .bytes = BYTES,
    };
    int fd = system_call(SYS_OPEN, (long)"/dev/veu0", 2, 0, 0, 0, 0);
    volatile uint32_t *bell;
    uint64_t *memory;
    uint8_t *slots;

    TRY(fd >= 0 && !call(fd, VEU_IOC_QUERY, &query) &&
        query.registers[0] == VEU_MAGIC && query.ring == VEU_LINUX_NONE);
    TRY(!call(fd, VEU_IOC_RING_CREATE, &ring));
    TRY(!call(fd, VEU_IOC_BUFFER_CREATE, &buffer) && buffer.bytes == BYTES);
    TRY((slots = map(fd, ring.memory_offset, ring.memory_bytes)));
    TRY((bell = map(fd, ring.doorbell_offset, 4096)));
    TRY((memory = map(fd, buffer.offset, BYTES)) && memory[0] == 0);
    fill.destination = buffer.address;
    submit(slots, ring.slots_at, bell, &fill);
    wait.deadline_ns = in_five_seconds();
    TRY(!call(fd, VEU_IOC_WAIT, &wait) && wait.head == 1);
    TRY(memory[0] == PATTERN && memory[BYTES / 8 - 1] == PATTERN);
    TRY(!call(fd, VEU_IOC_FAULTS, &faults) && faults.count == 0);
    return 0;
}
