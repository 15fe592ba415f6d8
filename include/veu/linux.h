/* SPDX-License-Identifier: MIT */
/*
 * veu ABI: the interface of the Linux driver in firmware/linux/module for
 * programs. The other headers have the device's own interface; this one is
 * between a program and its kernel. docs/linux.md describes how they work
 * together.
 *
 * A program opens /dev/veuN. To the device, the open file is a process: it has
 * buffers, and at most one ring, which reaches only these buffers.
 */
#ifndef VEU_LINUX_H
#define VEU_LINUX_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include "veu/fault.h"

/*
 * The version of this header: a driver keeps everything that an older one had.
 */
#define VEU_LINUX_VERSION 3

/* No doorbell page can be mapped, or no ring has been created. */
#define VEU_LINUX_NONE 0xffffffffu

/* QUERY: describes device and driver. */
struct veu_linux_query {
    __u32 version; /* VEU_LINUX_VERSION of the driver */
    __u32 ring;    /* number of the file's ring, or VEU_LINUX_NONE */
    /* The first 128 bytes of BAR0: register R is registers[R / 4]. */
    __u32 registers[32];
};
VEU_ASSERT_SIZE(struct veu_linux_query, 136);

/*
 * BUFFER_CREATE: creates memory that device and program share, filled with 0.
 * The device uses its address; the program maps it with mmap() at offset,
 * MAP_SHARED. With page tables any pages will do, and a file may have half of
 * the machine's memory; otherwise the memory has to be contiguous, and the
 * limit is 256 MiB. -EINVAL in a file that shares its process's memory (SVM).
 */
struct veu_linux_buffer {
    __aligned_u64 bytes;   /* in: any size; out: rounded up to whole pages */
    __u32 handle;          /* out */
    __u32 reserved;        /* 0 */
    __aligned_u64 address; /* out: for commands and descriptors */
    __aligned_u64 offset;  /* out: for mmap() */
};
VEU_ASSERT_SIZE(struct veu_linux_buffer, 32);

/*
 * BUFFER_DESTROY: accesses to remaining mappings raise SIGBUS, and commands
 * that need the buffer fault.
 */
struct veu_linux_destroy {
    __u32 handle;
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_destroy, 8);

/*
 * RING_CREATE: creates and starts the file's ring. Its memory is mapped at
 * memory_offset, with struct veu_ring_shared at its start and the slots at
 * slots_at. The doorbell is the 4-byte word at byte 0 of the page that
 * doorbell_offset maps.
 *
 * -EINVAL: an illegal value; -EPERM: the priority; -EEXIST: the file has a
 * ring; -EBUSY: no ring of the device is free; -ETIMEDOUT: the device did not
 * unload the programs of the process that had the ring before, within the time
 * that the module's parameter patience_ms states.
 */
struct veu_linux_ring {
    __u32 slots;  /* in: a power of two, at least 4 */
    __u32 policy; /* in: enum veu_policy */
    /* in: of RING_BUDGET, at most the driver's; 0 selects that */
    __u32 budget;
    __u32 priority; /* in: enum veu_priority; above 1 requires CAP_SYS_NICE */
    __u32 number;   /* out */
    __u32 slots_at; /* out: byte in the mapping */
    __aligned_u64 memory_bytes;  /* out: size of the mapping */
    __aligned_u64 memory_offset; /* out: for mmap() */
    /* out: for mmap(); if all ones, use SUBMIT */
    __aligned_u64 doorbell_offset;
    __aligned_u64 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_ring, 56);

/*
 * SUBMIT: stores the tail and wakes the device, if there is no doorbell page.
 */
struct veu_linux_submit {
    __u32 tail;     /* index after the last slot that was filled */
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_submit, 8);

/*
 * WAIT: sleeps until head is at index or past it. -ETIME: the deadline has
 * passed; -EIO: the ring has halted, or was reset: see state.
 *
 * A command with VEU_COMMAND_INTERRUPT ends a wait at once. Without that flag
 * the driver has to poll: at first after 4 ms, then after a quarter of the time
 * that the wait has taken, at most 1 s.
 *
 * WAIT wakes a ring that sleeps in a WAIT command, which then sees what the
 * program has stored before.
 *
 * poll() of the file is level-triggered; epoll also offers edges:
 *
 * POLLIN   head differs from what the last WAIT has reported (at first, after
 *          RESET and after RESUME, from where the ring starts). A WAIT, even
 *          with a deadline in the past, clears the event. Commands that have to
 *          end a poll() need VEU_COMMAND_INTERRUPT; others are noticed with the
 *          next one that has it, or after 1 s.
 * POLLPRI  there are fault records, or some were lost, until FAULTS takes them.
 * POLLERR  the ring has halted or was reset, until RESUME or RESET.
 * POLLHUP  the device is gone.
 *
 * Without a ring there is no event except POLLHUP.
 */
struct veu_linux_wait {
    __aligned_u64 deadline_ns; /* in: of CLOCK_MONOTONIC */
    __u32 index;               /* in */
    __u32 head;                /* out: of the shared block */
    __u32 state;               /* out: enum veu_ring_state, or VEU_LINUX_LOST */
    __u32 reserved;            /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_wait, 24);

/* A state: the driver had to reset the ring, and its commands are lost. */
#define VEU_LINUX_LOST 0x100

/* FAULTS: takes the oldest fault records. */
struct veu_linux_faults {
    /* out: number of these records; 8 may mean that there are more */
    __u32 count;
    __u32 lost; /* out: records lost since the last call, for lack of room */
    struct veu_fault_record records[8];
};
VEU_ASSERT_SIZE(struct veu_linux_faults, 520);

/*
 * RESUME: restarts a ring that has halted, at index: that of the command that
 * faulted repeats it, the one after it skips it.
 */
struct veu_linux_resume {
    __u32 index;
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_resume, 8);

/*
 * MAP: maps a buffer, or existing memory of the process, at an address that the
 * process chooses, for a device with page tables. Memory of the process is
 * pinned: it counts against RLIMIT_MEMLOCK, and the mapping still leads to it
 * when the process unmaps it or maps something else there. The process chooses
 * addresses below 2^47; those above belong to BUFFER_CREATE.
 *
 * -EOPNOTSUPP: the device has no page tables, or the file shares all memory;
 * -EEXIST: the address is in use; -EFAULT: the process does not have this
 * memory, or may not write it; -ENOMEM: RLIMIT_MEMLOCK is exceeded, or there is
 * no memory for tables.
 */
struct veu_linux_map {
    __aligned_u64 address; /* in: for the device; a multiple of 4096 */
    __aligned_u64 bytes;   /* in: a multiple of 4096, not 0 */
    /*
     * in: a pointer or, with a handle, a byte of that buffer. It covers whole
     * pages.
     */
    __aligned_u64 memory;
    __u32 handle; /* in: of BUFFER_CREATE; 0 if memory is a pointer */
    __u32 flags;  /* in: VEU_LINUX_READ, VEU_LINUX_WRITE, or both */
};
VEU_ASSERT_SIZE(struct veu_linux_map, 32);

/* The accesses that a mapping permits the device. */
#define VEU_LINUX_READ  0x1u
#define VEU_LINUX_WRITE 0x2u

/* UNMAP: removes a whole mapping of MAP; commands that still need it fault. */
struct veu_linux_unmap {
    __aligned_u64 address;
    __aligned_u64 bytes;
};
VEU_ASSERT_SIZE(struct veu_linux_unmap, 16);

/* REGISTERS: like QUERY, with the registers that were added later. */
struct veu_linux_registers {
    /* The first 256 bytes of BAR0: register R is registers[R / 4]. */
    __u32 registers[64];
};
VEU_ASSERT_SIZE(struct veu_linux_registers, 256);

#define VEU_IOC_QUERY          _IOR('v', 0x60, struct veu_linux_query)
#define VEU_IOC_BUFFER_CREATE  _IOWR('v', 0x61, struct veu_linux_buffer)
#define VEU_IOC_BUFFER_DESTROY _IOW('v', 0x62, struct veu_linux_destroy)
#define VEU_IOC_RING_CREATE    _IOWR('v', 0x63, struct veu_linux_ring)
#define VEU_IOC_SUBMIT         _IOW('v', 0x64, struct veu_linux_submit)
#define VEU_IOC_WAIT           _IOWR('v', 0x65, struct veu_linux_wait)
#define VEU_IOC_FAULTS         _IOR('v', 0x66, struct veu_linux_faults)
#define VEU_IOC_RESUME         _IOW('v', 0x67, struct veu_linux_resume)
/* RESET: ends the ring's current work; its indices start at 0 again. */
#define VEU_IOC_RESET          _IO('v', 0x68)

/*
 * SVM: shared virtual memory, for a file that has neither ring nor buffer yet.
 * Commands of its ring name pointers of the process, and each of these is
 * valid; there are no buffers. Only the process that has called SVM may use the
 * file: others get -EPERM. -EOPNOTSUPP: the device has no page tables; -EBUSY:
 * it is too late.
 */
#define VEU_IOC_SVM       _IO('v', 0x69)
#define VEU_IOC_MAP       _IOW('v', 0x6a, struct veu_linux_map)
#define VEU_IOC_UNMAP     _IOW('v', 0x6b, struct veu_linux_unmap)
#define VEU_IOC_REGISTERS _IOR('v', 0x6c, struct veu_linux_registers)

#endif /* VEU_LINUX_H */
