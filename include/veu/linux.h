/* SPDX-License-Identifier: MIT */
/*
 * veu ABI: what the Linux driver of firmware/linux/module offers to programs.
 *
 * The device's own interface is in the other headers; this one is between a
 * program and its kernel. docs/linux.md describes how they work together.
 *
 * A program opens /dev/veuN. The open file is a process to the device: it has
 * buffers, and at most one ring, which reaches these buffers and nothing else.
 */
#ifndef VEU_LINUX_H
#define VEU_LINUX_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include "veu/fault.h"

/* Version of this header: a driver keeps all that an older one had. */
#define VEU_LINUX_VERSION 3

/* No doorbell page can be mapped, no ring has been created. */
#define VEU_LINUX_NONE 0xffffffffu

/* QUERY: what device and driver are. */
struct veu_linux_query {
    __u32 version; /* VEU_LINUX_VERSION of the driver */
    __u32 ring;    /* number of the file's ring; VEU_LINUX_NONE: none yet */
    /* The first 128 bytes of BAR0: register R is registers[R / 4]. */
    __u32 registers[32];
};
VEU_ASSERT_SIZE(struct veu_linux_query, 136);

/*
 * BUFFER_CREATE: memory that device and program share; all zero. The device
 * knows it by its address; mmap() at offset, MAP_SHARED, makes it the
 * program's. A device with page tables takes any pages, and a file may have
 * half of the machine's memory; otherwise what is contiguous, and 256 MiB.
 * -EINVAL in a file that shares its process's memory (SVM).
 */
struct veu_linux_buffer {
    __aligned_u64 bytes;   /* in: any size; out: rounded up to whole pages */
    __u32 handle;          /* out */
    __u32 reserved;        /* 0 */
    __aligned_u64 address; /* out: for commands and descriptors */
    __aligned_u64 offset;  /* out: for mmap() */
};
VEU_ASSERT_SIZE(struct veu_linux_buffer, 32);

/* BUFFER_DESTROY: what still maps it is SIGBUS, commands that need it fault. */
struct veu_linux_destroy {
    __u32 handle;
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_destroy, 8);

/*
 * RING_CREATE: the file's ring, started. Its memory is mapped at
 * memory_offset: struct veu_ring_shared at its beginning, the slots at
 * slots_at. The doorbell is the 4-byte word at byte 0 of the page that
 * doorbell_offset maps.
 */
struct veu_linux_ring {
    __u32 slots;    /* in: a power of two, at least 4 */
    __u32 policy;   /* in: enum veu_policy */
    __u32 budget;   /* in: of RING_BUDGET, at most the driver's; 0: that */
    __u32 priority; /* in: enum veu_priority; above 1 takes CAP_SYS_NICE */
    __u32 number;   /* out */
    __u32 slots_at; /* out: byte in the mapping */
    __aligned_u64 memory_bytes;    /* out: size of the mapping */
    __aligned_u64 memory_offset;   /* out: for mmap() */
    __aligned_u64 doorbell_offset; /* out: for mmap(); all ones: use SUBMIT */
    __aligned_u64 reserved;        /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_ring, 56);

/* SUBMIT: stores the tail and wakes the device, for want of a doorbell. */
struct veu_linux_submit {
    __u32 tail;     /* index after the last slot that was filled */
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_submit, 8);

/*
 * WAIT: sleeps until head is at index or past it. -ETIME: the time is up;
 * -EIO: the ring has halted, or was reset under the program; look at state.
 *
 * A command with VEU_COMMAND_INTERRUPT ends a wait at once. Without that flag
 * the driver has to look by itself: 4 ms later at first, then after a quarter
 * of the time that the wait has taken, after 1 s at most.
 *
 * WAIT wakes a ring that sleeps in a WAIT command: what the program has stored
 * before is seen there.
 *
 * poll() of the file, level-triggered; epoll also edge-triggered:
 *
 * POLLIN   head is not what the last WAIT has reported (at first, after RESET
 *          and after RESUME: where the ring starts). A WAIT, perhaps with a
 *          deadline that is over, takes the news. Commands that are to end a
 *          poll() need VEU_COMMAND_INTERRUPT; others are seen with the next
 *          one that has it, or after 1 s.
 * POLLPRI  there are fault records, or some were lost, until FAULTS takes them.
 * POLLERR  the ring has halted or was reset, until RESUME or RESET.
 * POLLHUP  the device is gone.
 *
 * Without a ring there are no events but POLLHUP.
 */
struct veu_linux_wait {
    __aligned_u64 deadline_ns; /* in: of CLOCK_MONOTONIC */
    __u32 index;               /* in */
    __u32 head;                /* out: of the shared block */
    __u32 state;               /* out: enum veu_ring_state; VEU_LINUX_LOST */
    __u32 reserved;            /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_wait, 24);

/* A state: the driver has had to reset the ring; what was in it is lost. */
#define VEU_LINUX_LOST 0x100

/* FAULTS: takes the oldest fault records. */
struct veu_linux_faults {
    __u32 count; /* out: records here; 8 may mean that there are more */
    __u32 lost;  /* out: records for which there was no room, since then */
    struct veu_fault_record records[8];
};
VEU_ASSERT_SIZE(struct veu_linux_faults, 520);

/*
 * RESUME: starts a ring that has halted again, at index (that of the command
 * that faulted: to repeat it; after it: to skip it).
 */
struct veu_linux_resume {
    __u32 index;
    __u32 reserved; /* 0 */
};
VEU_ASSERT_SIZE(struct veu_linux_resume, 8);

/*
 * MAP: a buffer, or memory that the process has already, at an address of the
 * process's choice, for a device with page tables. Memory of the process is
 * pinned: it counts against RLIMIT_MEMLOCK, and stays what it was at MAP when
 * the process unmaps it or maps something else there. Addresses below 2^47 are
 * the process's to choose, those above are of BUFFER_CREATE.
 *
 * -EOPNOTSUPP: the device has no page tables, or the file shares all memory;
 * -EEXIST: something is mapped there; -EFAULT: the process has no such memory,
 * or may not write it; -ENOMEM: RLIMIT_MEMLOCK, or no memory for tables.
 */
struct veu_linux_map {
    __aligned_u64 address; /* in: of the device; a multiple of 4096 */
    __aligned_u64 bytes;   /* in: a multiple of 4096, not 0 */
    /* in: a pointer; with a handle, a byte of that buffer. Whole pages. */
    __aligned_u64 memory;
    __u32 handle; /* in: of BUFFER_CREATE; 0: memory is a pointer */
    __u32 flags;  /* in: VEU_LINUX_READ, VEU_LINUX_WRITE, or both */
};
VEU_ASSERT_SIZE(struct veu_linux_map, 32);

/* What the device may do with a mapping. */
#define VEU_LINUX_READ  0x1u
#define VEU_LINUX_WRITE 0x2u

/* UNMAP: a mapping of MAP, whole; commands that still need it fault. */
struct veu_linux_unmap {
    __aligned_u64 address;
    __aligned_u64 bytes;
};
VEU_ASSERT_SIZE(struct veu_linux_unmap, 16);

/* REGISTERS: those of the device that came after the ones of QUERY, too. */
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
/* RESET: what the ring is at ends, its indices begin at 0 again. */
#define VEU_IOC_RESET          _IO('v', 0x68)

/*
 * SVM: shared virtual memory, for a file that has neither ring nor buffer yet.
 * All that commands of its ring name are pointers of the process, and each of
 * its pointers is valid; there are no buffers. Only the process that has
 * called it uses the file: others get -EPERM. -EOPNOTSUPP: the device has no
 * page tables; -EBUSY: it is too late.
 */
#define VEU_IOC_SVM       _IO('v', 0x69)
#define VEU_IOC_MAP       _IOW('v', 0x6a, struct veu_linux_map)
#define VEU_IOC_UNMAP     _IOW('v', 0x6b, struct veu_linux_unmap)
#define VEU_IOC_REGISTERS _IOR('v', 0x6c, struct veu_linux_registers)

#endif /* VEU_LINUX_H */
