/* SPDX-License-Identifier: MIT */
/*
 * veu: the library of Linux programs, libveu-client.
 *
 * It uses the driver's interface (veu/linux.h); docs/linux.md shows programs. A
 * client is an open file of the driver. To the device it is a process, with
 * buffers and a ring of its own.
 *
 * Functions that return int return 0, or a negative errno; veu_client_error()
 * has a sentence for each. Those that make system calls (all except put, tail
 * and head) may return -ENODEV: the device is gone, and its memory with it. An
 * access to that memory raises SIGBUS.
 *
 * One thread at a time uses a client; others may be in veu_client_wait() and
 * veu_client_head() meanwhile. A child of fork() shares its parent's client and
 * must not use it; it opens one of its own.
 */
#ifndef VEU_CLIENT_H
#define VEU_CLIENT_H

#include <stdio.h>
#include "veu/linux.h"
#include "veu/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The device that is opened if no other is named. */
#define VEU_CLIENT_DEVICE "/dev/veu0"

/* Time-outs are in nanoseconds. */
#define VEU_CLIENT_SECOND   1000000000ull
/* No time-out. */
#define VEU_CLIENT_NO_LIMIT UINT64_MAX

struct veu_client;

/*
 * Returns a sentence that explains @error, a negative errno of this library,
 * and what to do.
 */
const char *veu_client_error(int error);

/*
 * Opens a device: "/dev/veu1", or VEU_CLIENT_DEVICE if @path is NULL.
 *
 * -ENOENT, -ENXIO: it does not exist; -EACCES: this user may not open it;
 * -EPROTONOSUPPORT: the driver is older than this library; -ENOMEM.
 */
int veu_client_open(struct veu_client **client, const char *path);

/*
 * Ends the ring's current work, and frees everything that the client has;
 * pointers into its buffers then become invalid. Does nothing if @client is
 * NULL.
 */
void veu_client_close(struct veu_client *client);

/*
 * Enables shared virtual memory: from now on all pointers of the process are
 * valid addresses of the device, whether to memory of malloc(), variables or
 * mapped files. Commands and descriptors accept such pointers like those into
 * buffers; buffers can still be created, and are memory like any other. Call it
 * before the client has a ring or a buffer.
 *
 * -EOPNOTSUPP: the device has no page tables: use buffers; -EBUSY: it is too
 * late; -ENOMEM.
 */
int veu_client_svm(struct veu_client *client);

/* Describes device and driver: registers, versions, the ring's number. */
int veu_client_query(struct veu_client *client, struct veu_linux_query *query);

/* Memory that the program and the device share. */
struct veu_client_buffer {
    void *memory;  /* the address for the program, aligned to 4096 bytes */
    __u64 address; /* the address for the device, for use in registers */
    __u64 bytes;   /* whole pages */
    __u32 handle;  /* the driver's handle */
    __u32 reserved;
};

/*
 * Creates a buffer of at least @bytes zero bytes. The ring continues meanwhile.
 * -EINVAL: @bytes is 0; -ENOMEM: not enough memory (without page tables, more
 * than 4 MiB requires an IOMMU); -ENOSPC: the buffers would exceed half of the
 * machine's memory, or, without page tables, 256 MiB or LIMIT_WINDOWS buffers.
 */
int veu_client_buffer_create(struct veu_client *client, __u64 bytes,
                             struct veu_client_buffer *buffer);

/*
 * Unmaps and frees a buffer of this client. Commands that are not done and
 * still need it end with a fault. -EINVAL: it is not a buffer of the client.
 */
int veu_client_buffer_destroy(struct veu_client *client,
                              struct veu_client_buffer *buffer);

/*
 * Creates and starts the client's ring. @options has the "in" fields of struct
 * veu_linux_ring; NULL selects 64 slots, VEU_POLICY_HALT, normal priority, the
 * largest budget.
 *
 * -EINVAL: an illegal value; -EPERM: a priority above normal requires
 * CAP_SYS_NICE; -EEXIST: the client has a ring; -EBUSY: no ring of the device
 * is free; -ETIMEDOUT: the device, or its host, is too busy to hand one over;
 * -ENOMEM, -ENOSPC: as for buffers.
 */
int veu_client_ring_create(struct veu_client *client,
                           const struct veu_linux_ring *options);

/*
 * Puts a command, any of veu/ring.h, into the ring. The device does not see it
 * before veu_client_submit(). Makes no system call.
 *
 * -EAGAIN: the ring is full: submit, and wait; -EINVAL: there is no ring, or
 * the command is longer than it.
 */
int veu_client_put(struct veu_client *client,
                   const struct veu_command_header *command);

/*
 * Submits all commands that were put, and wakes the device if it sleeps. Makes
 * no system call if a doorbell page can be mapped. -EINVAL: there is no ring.
 */
int veu_client_submit(struct veu_client *client);

/*
 * Returns the index after the last command that was put; 0 at first. It counts
 * slots, and wraps at 2^32.
 */
__u32 veu_client_tail(const struct veu_client *client);

/*
 * Returns the index after the last command that is done, for programs that poll
 * instead of sleeping. Makes no system call.
 */
__u32 veu_client_head(const struct veu_client *client);

/*
 * Sleeps until all commands before @index (see veu_client_tail()) are done. A
 * command with VEU_COMMAND_INTERRUPT ends a wait at once. Other commands end it
 * up to 4 ms later, or a quarter of the time that it has taken, but at most 1 s
 * later. A ring that waits for a word sees what this thread has stored before:
 * veu_client_notify() is not needed.
 *
 * -ETIME: @timeout_ns have passed; -EINTR: a signal; -EINVAL: there is no ring.
 * -EIO: a fault has halted the ring: veu_client_faults() describes it; then
 * resume, skip or reset. -ECANCELED: the driver had to end a command that took
 * too long; what was in the ring is lost: reset.
 */
int veu_client_wait(struct veu_client *client, __u32 index, __u64 timeout_ns);

/*
 * Returns the client's file, for poll(), select() and epoll. It is readable
 * (POLLIN) when commands are done that no veu_client_wait() has reported, so
 * after each event call veu_client_wait() with the next index of interest and a
 * @timeout_ns of 0. POLLPRI: there are fault records; POLLERR: the ring has
 * halted; POLLHUP: the device is gone. Commands that have to end a poll() need
 * VEU_COMMAND_INTERRUPT. See VEU_IOC_WAIT in veu/linux.h.
 *
 * The file belongs to the client: the program must not close it.
 */
int veu_client_fd(const struct veu_client *client);

/*
 * Wakes the device if the ring sleeps; call it after a store to memory that a
 * WAIT command may wait for. Otherwise a ring sees the store only while it does
 * not sleep, or when a veu_client_wait() begins. -EINVAL: there is no ring.
 */
int veu_client_notify(struct veu_client *client);

/*
 * Puts @command, with VEU_COMMAND_INTERRUPT, submits it and waits for it.
 * Returns the errors of these three.
 */
int veu_client_run(struct veu_client *client,
                   struct veu_command_header *command, __u64 timeout_ns);

/*
 * Takes up to 8 fault records, the oldest first. @faults->count receives their
 * number. -EINVAL: there is no ring.
 */
int veu_client_faults(struct veu_client *client,
                      struct veu_linux_faults *faults);

/*
 * Resumes a ring that a fault has halted with the command at @index: fault.slot
 * repeats the one that failed. -EINVAL: it is not halted; -EIO: it can only be
 * reset.
 */
int veu_client_resume(struct veu_client *client, __u32 index);

/* Like veu_client_resume(), at the command after the one that caused @fault. */
int veu_client_skip(struct veu_client *client,
                    const struct veu_fault_record *fault);

/*
 * Ends the ring's current work and discards its commands; indices start at 0
 * again. Kernels stay loaded. -EINVAL: there is no ring.
 */
int veu_client_reset(struct veu_client *client);

/* A compiled kernel that the device has loaded. */
struct veu_client_kernel;

/*
 * Loads the kernel in the file @path, which `veu-kernel pack` made from a
 * compiled one. It uses the client's ring, and sleeps until the kernel is
 * loaded.
 *
 * -ENOSPC: too many kernels are loaded. -ENOENT and the like: the file cannot
 * be read; -ENOEXEC: it is not a packed kernel; -EOPNOTSUPP: the device does
 * not load programs; -EIO: the device has refused this one, and the ring has
 * halted: see veu_client_faults(), then skip or reset; other errors of
 * veu_client_run(): the device may still load the kernel, and keeps it until
 * the client is closed; -EINVAL: there is no ring; -EAGAIN: it is full;
 * -ENOMEM.
 */
int veu_client_kernel_load(struct veu_client *client, const char *path,
                           struct veu_client_kernel **kernel);

/*
 * Unloads the kernel once its last run is done, and frees it; its client must
 * still be open. Does nothing if @kernel is NULL. veu_client_close() frees
 * kernels that are still loaded. -ESTALE: see veu_client_kernel_wait(); unload
 * it again. -ENODEV: the device is gone, and the kernel with it. Other errors
 * of veu_client_run(): the device may still use the kernel's memory, so the
 * kernel stays; once the ring continues, unload it again.
 */
int veu_client_kernel_unload(struct veu_client_kernel *kernel);

/*
 * Sets argument @arg, counted from 0, for later runs: a number, vector or
 * structure of @bytes bytes, which are copied; memory, __global or __constant,
 * that the device reaches; or shared local memory. -EINVAL: the kernel has no
 * such argument, or its kind or size differs; the previous value remains.
 */
int veu_client_kernel_value(struct veu_client_kernel *kernel, unsigned arg,
                            const void *value, __u32 bytes);
int veu_client_kernel_buffer(struct veu_client_kernel *kernel, unsigned arg,
                             const volatile void *memory, __u64 bytes);
int veu_client_kernel_local(struct veu_client_kernel *kernel, unsigned arg,
                            __u32 bytes);

/*
 * Starts a run with @dimensions, 1 to 3, and for each of them the total number
 * of work-items and that of a group. Arguments may be changed at once; their
 * memory belongs to the run until it is done. -ESTALE: see
 * veu_client_kernel_wait(); -EBUSY: the last run of this kernel is not done;
 * -EINVAL: an argument or the range is missing or wrong; -EAGAIN: the ring has
 * fewer than 25 free slots; -ENOMEM, -ENOSPC: as for buffers. A kernel that
 * calls printf() needs a buffer of more than 4 MiB.
 */
int veu_client_kernel_enqueue(struct veu_client_kernel *kernel,
                              unsigned dimensions, const __u32 *global,
                              const __u32 *local);

/*
 * Sleeps until the last run is done; returns the errors of veu_client_wait().
 * -ECANCELED also means that veu_client_reset() has ended it.
 *
 * -ESTALE: the device was reset (a suspend, a reset of the function), and has
 * lost the kernel; the ring has halted at the run. Unload the kernel, which
 * skips the rest of that run (possibly several commands) and restarts the ring,
 * and load it again.
 */
int veu_client_kernel_wait(struct veu_client_kernel *kernel, __u64 timeout_ns);

/*
 * Writes the printf() output of the last run to @file. -EBUSY: the run is not
 * done; -ENOSPC: it has printed more than 4 MiB, a part of which is written.
 */
int veu_client_kernel_print(const struct veu_client_kernel *kernel, FILE *file);

#ifdef __cplusplus
}
#endif

#endif /* VEU_CLIENT_H */
