/* SPDX-License-Identifier: MIT */
/*
 * veu: the library of Linux programs, libveu-client.
 *
 * It stands on the driver's interface (veu/linux.h); docs/linux.md shows
 * programs. A client is an open file of the driver: a process to the device,
 * with buffers and a ring of its own.
 *
 * Functions that return int return 0, or a negative errno;
 * veu_client_error() has a sentence for each. Any of those that are a system
 * call (all except put, tail and head) may return -ENODEV: the device is gone,
 * and its memory with it. An access to that memory raises SIGBUS.
 *
 * One thread at a time uses a client; others may be in veu_client_wait() and
 * veu_client_head() meanwhile. A child of fork() shares its parent's client
 * and must not use it; it opens one of its own.
 */
#ifndef VEU_CLIENT_H
#define VEU_CLIENT_H

#include <stdio.h>
#include "veu/linux.h"
#include "veu/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The device that is opened where no other is named. */
#define VEU_CLIENT_DEVICE "/dev/veu0"

/* Time-outs are nanoseconds. */
#define VEU_CLIENT_SECOND   1000000000ull
/* For ever. */
#define VEU_CLIENT_NO_LIMIT UINT64_MAX

struct veu_client;

/* What @error, a negative errno of this library, means, and what to do. */
const char *veu_client_error(int error);

/*
 * Opens a device: "/dev/veu1", or VEU_CLIENT_DEVICE if @path is NULL.
 *
 * -ENOENT, -ENXIO: there is none; -EACCES: it is not for this user;
 * -EPROTONOSUPPORT: the driver is older than this library; -ENOMEM.
 */
int veu_client_open(struct veu_client **client, const char *path);

/*
 * Ends what the ring is at, and frees all that the client has; pointers into
 * its buffers are invalid then. NULL: nothing.
 */
void veu_client_close(struct veu_client *client);

/*
 * Shared virtual memory: from now on all pointers of the process are addresses
 * of the device, and valid there: what malloc() has returned, variables, mapped
 * files. Commands and descriptors take such pointers as they take those into
 * buffers; buffers can be created as before, and are memory like any other. To
 * be called before the client has a ring or a buffer.
 *
 * -EOPNOTSUPP: the device has no page tables: use buffers; -EBUSY: it is too
 * late; -ENOMEM.
 */
int veu_client_svm(struct veu_client *client);

/* What device and driver are: registers, versions, the ring's number. */
int veu_client_query(struct veu_client *client, struct veu_linux_query *query);

/* Memory that the program and the device share. */
struct veu_client_buffer {
    void *memory;  /* as the program sees it; of 4096 bytes' alignment */
    __u64 address; /* as the device sees it, for addresses in registers */
    __u64 bytes;   /* whole pages */
    __u32 handle;  /* the driver's name for it */
    __u32 reserved;
};

/*
 * Makes a buffer of at least @bytes bytes, all zero. The ring continues
 * meanwhile.
 *
 * -EINVAL: no bytes; -ENOMEM: no such piece of memory (without page tables,
 * more than 4 MiB takes an IOMMU); -ENOSPC: more than half of the machine's
 * memory in all; without page tables more than 256 MiB, or than LIMIT_WINDOWS
 * buffers.
 */
int veu_client_buffer_create(struct veu_client *client, __u64 bytes,
                             struct veu_client_buffer *buffer);

/*
 * Unmaps and frees a buffer of this client. Commands that are not done and
 * still need it end with a fault. -EINVAL: it is none.
 */
int veu_client_buffer_destroy(struct veu_client *client,
                              struct veu_client_buffer *buffer);

/*
 * Makes and starts the client's ring. @options: the "in" fields of struct
 * veu_linux_ring; NULL: 64 slots, VEU_POLICY_HALT, normal priority, the
 * largest budget.
 *
 * -EINVAL: an illegal value; -EPERM: a priority above normal takes
 * CAP_SYS_NICE; -EEXIST: there is one; -EBUSY: no ring of the device is free;
 * -ENOMEM, -ENOSPC: as for buffers.
 */
int veu_client_ring_create(struct veu_client *client,
                           const struct veu_linux_ring *options);

/*
 * Puts a command, any of veu/ring.h, into the ring. The device does not see it
 * before veu_client_submit(). No system call.
 *
 * -EAGAIN: the ring is full: submit, and wait; -EINVAL: there is no ring, or
 * the command is longer than it.
 */
int veu_client_put(struct veu_client *client,
                   const struct veu_command_header *command);

/*
 * Hands all that was put to the device, and wakes it if it sleeps. No system
 * call where a doorbell page can be mapped. -EINVAL: there is no ring.
 */
int veu_client_submit(struct veu_client *client);

/*
 * Index after the last command that was put; 0 at first. It counts slots, and
 * wraps at 2^32.
 */
__u32 veu_client_tail(const struct veu_client *client);

/*
 * Index after the last command that the device is done with: for programs
 * that look again and again rather than sleep. No system call.
 */
__u32 veu_client_head(const struct veu_client *client);

/*
 * Sleeps until all commands before @index (see veu_client_tail()) are done. A
 * command with VEU_COMMAND_INTERRUPT ends a wait at once. Others end it up to
 * 4 ms later, or a quarter of the time that it has taken, but 1 s at most.
 *
 * What this thread has stored before, a ring that waits for it sees: no
 * veu_client_notify() is needed.
 *
 * -ETIME: @timeout_ns are over; -EINTR: a signal; -EINVAL: there is no ring.
 * -EIO: a fault has halted the ring: veu_client_faults() returns which, then
 * resume, skip or reset. -ECANCELED: the driver had to end a command that took
 * too long; what was in the ring is lost: reset.
 */
int veu_client_wait(struct veu_client *client, __u32 index, __u64 timeout_ns);

/*
 * The client's file, for poll(), select() and epoll: it is readable (POLLIN)
 * when commands are done that no veu_client_wait() has reported, so after each
 * event call veu_client_wait() with the index that is wanted next and a
 * @timeout_ns of 0. POLLPRI: there are fault records; POLLERR: the ring has
 * halted; POLLHUP: the device has gone. Commands that are to end a poll() have
 * VEU_COMMAND_INTERRUPT. See VEU_IOC_WAIT in veu/linux.h.
 *
 * It belongs to the client: the program does not close it.
 */
int veu_client_fd(const struct veu_client *client);

/*
 * To be called after a store to memory that a WAIT command may wait for: wakes
 * the device if the ring sleeps. A ring sees a store without it only while it
 * does not sleep, or when a veu_client_wait() begins. -EINVAL: there is no
 * ring.
 */
int veu_client_notify(struct veu_client *client);

/*
 * Puts @command, with VEU_COMMAND_INTERRUPT, submits it and waits for it.
 * Errors of these three.
 */
int veu_client_run(struct veu_client *client,
                   struct veu_command_header *command, __u64 timeout_ns);

/*
 * Takes up to 8 fault records, the oldest first. @faults->count: how many, 0:
 * none. -EINVAL: there is no ring.
 */
int veu_client_faults(struct veu_client *client,
                      struct veu_linux_faults *faults);

/*
 * Resumes a ring that a fault has halted with the command at @index:
 * fault.slot to repeat the one that failed. -EINVAL: it is not halted; -EIO:
 * it can only be reset.
 */
int veu_client_resume(struct veu_client *client, __u32 index);

/* The same with the command after the one that @fault is of. */
int veu_client_skip(struct veu_client *client,
                    const struct veu_fault_record *fault);

/*
 * Ends what the ring is at and forgets the commands in it; indices begin at 0
 * again. Kernels stay loaded. -EINVAL: there is no ring.
 */
int veu_client_reset(struct veu_client *client);

/* A compiled kernel that the device has loaded. */
struct veu_client_kernel;

/*
 * Loads the kernel in the file @path, which `veu-kernel pack` has made of a
 * compiled one. It uses the client's ring, and sleeps until the kernel is
 * loaded.
 *
 * -ENOSPC: too many kernels are loaded.
 * -ENOENT and the like: the file cannot be read; -ENOEXEC: it is no packed
 * kernel; -EOPNOTSUPP: the device loads no programs; -EIO: it has refused this
 * one, and the ring has halted: see veu_client_faults(), then skip or reset;
 * other errors of veu_client_run(): the device may still load the kernel, and
 * has it until the client is closed; -EINVAL: there is no ring; -EAGAIN: it is
 * full; -ENOMEM.
 */
int veu_client_kernel_load(struct veu_client *client, const char *path,
                           struct veu_client_kernel **kernel);

/*
 * Unloads the kernel, when its last run is done, and frees it; its client is
 * still open. NULL: nothing. veu_client_close() frees what is still loaded.
 *
 * -ESTALE: as veu_client_kernel_wait() returns it; unload it again.
 * -ENODEV: the device has gone, and the kernel with it. Other errors of
 * veu_client_run(): the device may still use the kernel's memory, so the
 * kernel stays; when the ring continues, unload it again.
 */
int veu_client_kernel_unload(struct veu_client_kernel *kernel);

/*
 * Sets argument @arg, from 0 on, for the runs that follow: a number, vector or
 * structure of @bytes bytes, which are copied; memory, __global or __constant,
 * that the device reaches; shared local memory. -EINVAL: the kernel has no such
 * argument, or it is of another kind or size; what was set before stays.
 */
int veu_client_kernel_value(struct veu_client_kernel *kernel, unsigned arg,
                            const void *value, __u32 bytes);
int veu_client_kernel_buffer(struct veu_client_kernel *kernel, unsigned arg,
                             const volatile void *memory, __u64 bytes);
int veu_client_kernel_local(struct veu_client_kernel *kernel, unsigned arg,
                            __u32 bytes);

/*
 * Starts a run: @dimensions, 1 to 3, and for each of them the work-items in all
 * and of a group. Arguments may be set again at once; memory is the run's until
 * it is done.
 *
 * -ESTALE: as veu_client_kernel_wait() has said before;
 * -EBUSY: the last run of this kernel is not done; -EINVAL: an argument or the
 * range is missing or wrong; -EAGAIN: the ring has less than 25 free slots;
 * -ENOMEM, -ENOSPC: as for buffers. A kernel that calls printf() needs a
 * buffer of more than 4 MiB.
 */
int veu_client_kernel_enqueue(struct veu_client_kernel *kernel,
                              unsigned dimensions, const __u32 *global,
                              const __u32 *local);

/*
 * Sleeps until the last run is done: veu_client_wait(). -ECANCELED as well:
 * veu_client_reset() has ended it.
 *
 * -ESTALE: the device was reset (a suspend, a reset of the function), and has
 * lost the kernel; the ring has halted at the run. Unload the kernel, which
 * skips what is left of that run (it may be several commands) and starts the
 * ring again, and load it again.
 */
int veu_client_kernel_wait(struct veu_client_kernel *kernel, __u64 timeout_ns);

/*
 * Writes what printf() of the last run has printed to @file. -EBUSY: it is not
 * done; -ENOSPC: it has printed more than 4 MiB, of which a part is written.
 */
int veu_client_kernel_print(const struct veu_client_kernel *kernel, FILE *file);

#ifdef __cplusplus
}
#endif

#endif /* VEU_CLIENT_H */
