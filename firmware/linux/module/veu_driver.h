/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * veu: a driver for the veu device: declarations that its files share.
 *
 * Locks, from the outside in:
 *
 *   mmap_lock          a process's: the fault handler of its mappings enters
 *                      the driver with it, and so does access().
 *   kveu_device.gate   read: a process is in the driver. Write: device and
 *                      files are being stopped, restarted or removed.
 *   kveu_file.lock     the file's buffers and ring.
 *   kveu_device.files_lock  the list of files, between readers of the gate.
 *   kveu_space.making  tables of the device's are being made or freed.
 *   kveu_device.table  which file has which ring; the ring's memory, for those
 *                      who cannot sleep: interrupts and conditions of waits.
 *   kveu_space.lock    entries of tables: veu_space.h.
 *
 * Between kveu_enter() and kveu_leave() no memory of a process is touched, and
 * mmap_lock is not taken: calls that need either do so before (MAP, SVM), and
 * arguments are copied outside. Memory may be allocated under all of them but
 * the spinlocks: reclaim calls notifiers, which take kveu_space.lock alone. A
 * worker of veu_svm.c takes making, mmap_lock and kveu_space.lock, each of the
 * first two by itself. mmu_notifier_unregister() waits for notifiers, so it is
 * called under the gate and kveu_file.lock at most.
 *
 * Lifetimes:
 *
 *   kveu_device  counted: by the bound driver, by files and by spaces. Its
 *                registers are there between kveu_enter() and kveu_leave(),
 *                under the table's lock while it is not stopped, and under a
 *                space's lock while that is bound.
 *   kveu_file    from open() to the last close(). When the device goes, it
 *                loses its ring, its buffers and its memory, and stays.
 *   kveu_buffer  the file's; freed once neither device nor process reaches it.
 *   kveu_space   counted: by its file and by its worker, which may wait for a
 *                page beyond the file's end, and the device's.
 */
#ifndef VEU_DRIVER_H
#define VEU_DRIVER_H

#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-hi-lo.h>
#include <linux/kfifo.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <veu/context.h>
#include <veu/fault.h>
#include <veu/linux.h>
#include <veu/regs.h>
#include <veu/ring.h>

#include "veu_space.h"

/* Structures are shared with the device without conversion. */
static_assert(!IS_ENABLED(CONFIG_CPU_BIG_ENDIAN));

#define VEU_FAULT_QUEUE 64
/*
 * The maximum number of buffers of a file, even if a device has more windows.
 */
#define VEU_MAX_WINDOWS 256
/* The maximum number of mappings of a file with page tables. */
#define VEU_MAX_MAPS 16384

/*
 * mmap(): the file offset is the object's number << VEU_OFFSET_SHIFT, so an
 * object may have up to 4 GiB.
 */
#define VEU_OFFSET_SHIFT 32
enum kveu_object {
	VEU_OBJECT_RING,
	VEU_OBJECT_DOORBELL,
	VEU_OBJECT_BUFFER,	/* the first handle */
	VEU_OBJECT_LAST = 4095,
};

enum kveu_buffer_kind {
	VEU_BUFFER_COHERENT,	/* contiguous for the device */
	VEU_BUFFER_SCATTERED,	/* the driver's own pages, for page tables */
	VEU_BUFFER_PINNED,	/* the process's pages, for page tables */
};

/* Memory that the device and a process share. */
struct kveu_buffer {
	struct list_head node;	/* of kveu_file.buffers */
	enum kveu_buffer_kind kind;
	u32 number;		/* enum kveu_object, or a handle */
	u64 address;		/* its address in commands */
	struct list_head maps;	/* kveu_map: where the device has it */
	size_t bytes;		/* whole pages */
	size_t mapped;		/* the number of bytes that a process may map */
	void *cpu;
	dma_addr_t dma;		/* if it is contiguous */
	struct sg_table pages;
	/* If it is pinned: the pages, and the user who is charged. */
	struct page **pinned;
	struct user_struct *user;
	bool is_written;
};

/* The place of a part of a buffer for the device: entries, or a window. */
struct kveu_map {
	struct rb_node rb;	/* in kveu_file.maps, by address */
	u64 last_below;		/* the tree's: the highest last address below */
	struct list_head node;	/* in kveu_buffer.maps */
	u64 address;
	u64 bytes;
	struct kveu_buffer *buffer;
	u64 offset;		/* in the buffer */
	u64 permissions;	/* of entries */
};

struct kveu_ring {
	struct kveu_buffer *memory;	/* NULL: no ring */
	struct veu_ring_shared *shared;
	struct veu_fault_record *records;
	struct veu_linux_ring config;
	u32 head;		/* where it starts, while it is stopped */
	u32 fault_head;
	u32 overflow;		/* of the shared block, as last counted */
	u32 lost_records;
	u32 reported;		/* the head that a WAIT reported last */
	bool silent;		/* FAULTS has reported collect_silent() */
	bool halted;		/* by a fault; waits for RESUME or RESET */
	bool lost;		/* the driver had to reset it; waits for RESET */
	DECLARE_KFIFO(faults, struct veu_fault_record, VEU_FAULT_QUEUE);
	wait_queue_head_t wait;
};

/* An open file: a context, its buffers, and at most one ring. */
struct kveu_file {
	struct kveu_device *veu;
	struct list_head node;
	struct address_space *mapping;	/* NULL: the driver's own */
	struct mutex lock;
	struct list_head buffers;
	u64 buffer_bytes;
	struct rb_root_cached maps;	/* kveu_map, which do not overlap */
	u32 map_count;
	u64 next_address;	/* for a buffer */
	struct idr handles;		/* of kveu_buffer */
	struct veu_window *windows;	/* NULL: it has a space */
	dma_addr_t windows_dma;
	struct kveu_space *space;	/* NULL: it has windows */
	struct mm_struct *mm;	/* the mm it shares, or NULL; not held */
	pid_t owner;		/* the process that has that memory */
	struct kveu_ring ring;
	struct delayed_work look;	/* of those who poll it */
};

struct kveu_vector {
	struct kveu_device *veu;
	unsigned int number;
};

struct kveu_device {
	struct kref ref;
	struct pci_dev *pdev;
	struct miscdevice misc;
	char name[16];
	int id;
	void __iomem *regs;
	void __iomem *doorbells;
	u32 rings;
	u32 stride;
	u32 windows;
	bool has_spaces;	/* the device has page tables */
	unsigned int vectors;	/* the number granted; 0: the driver polls */
	struct kveu_vector vector[VEU_MAX_RINGS];

	struct rw_semaphore gate;
	bool stopped;
	bool dead;
	wait_queue_head_t moved;	/* @stopped or @dead has changed */
	struct mutex files_lock;
	struct list_head files;
	u32 opened;	/* files, since it came */
	struct ida numbers;		/* of rings */
	spinlock_t table;
	struct kveu_ring *ring[VEU_MAX_RINGS];
};

/* veu_gate.c: a process comes in, and goes out again. */
int kveu_enter(struct kveu_file *file);
void kveu_leave(struct kveu_file *file);
bool kveu_file_is_foreign(struct kveu_file *file);
void kveu_device_put(struct kveu_device *veu);

/* veu_ring.c */
size_t kveu_ring_slots_bytes(const struct veu_linux_ring *a);
bool kveu_ring_is_started(const struct kveu_ring *ring);
void kveu_ring_start(struct kveu_file *file);
ktime_t kveu_ring_patience(void);
void kveu_ring_begin_stop(struct kveu_file *file);
void kveu_ring_stop(struct kveu_file *file, ktime_t end);
void kveu_ring_abort(struct kveu_device *veu, u32 number);
void kveu_ring_collect(struct kveu_ring *ring);
void kveu_ring_reload(struct kveu_file *file);
void kveu_ring_wake(struct kveu_file *file);

/* veu_map.c */
struct kveu_map *kveu_map_find(struct kveu_file *file, u64 address);
struct kveu_map *kveu_map_after(struct kveu_map *map);
int kveu_map_add(struct kveu_file *file, const struct kveu_map *wanted);
void kveu_map_drop(struct kveu_file *file, struct kveu_map *map);
void kveu_map_remove(struct kveu_file *file, const struct kveu_buffer *buffer);
u64 kveu_map_choose(struct kveu_file *file, const struct kveu_buffer *buffer);

/* veu_buffer.c */
struct kveu_buffer *kveu_buffer_make(struct kveu_file *file, u64 bytes,
				     u32 number);
void kveu_buffer_drop(struct kveu_file *file, struct kveu_buffer *buffer);
struct kveu_buffer *kveu_buffer_find(struct kveu_file *file, u32 number);
int kveu_buffer_create(struct kveu_file *file, void *argument);
int kveu_buffer_destroy(struct kveu_file *file, void *argument);
void kveu_buffers_free(struct kveu_file *file);
int kveu_buffer_map(struct kveu_file *file, struct kveu_buffer *buffer);
/* Called without locks of the driver; then, inside it, join and part. */
struct kveu_buffer *kveu_buffer_pin(u64 address, u64 bytes, bool write);
void kveu_buffer_unpin(struct kveu_buffer *buffer);
int kveu_buffer_join(struct kveu_file *file, struct kveu_buffer *buffer);
void kveu_buffer_part(struct kveu_file *file, struct kveu_buffer *buffer);
/* What processes have mapped of an object, or of all, is SIGBUS. */
void kveu_unmap(struct kveu_file *file, u32 number);
void kveu_unmap_all(struct kveu_file *file);

/* veu_map_calls.c */
int kveu_map_ioctl(struct kveu_file *file, void *argument);
int kveu_unmap_ioctl(struct kveu_file *file, void *argument);

/* veu_ring_calls.c */
int kveu_ring_create(struct kveu_file *file, void *argument);
int kveu_ring_submit(struct kveu_file *file, void *argument);
int kveu_ring_faults(struct kveu_file *file, void *argument);
int kveu_ring_resume(struct kveu_file *file, void *argument);
int kveu_ring_reset(struct kveu_file *file, void *argument);
void kveu_ring_free(struct kveu_file *file);
void kveu_ring_destroy(struct kveu_file *file);

/* veu_wait.c */
int kveu_ring_wait(struct kveu_file *file, void *argument);
irqreturn_t kveu_interrupt(int irq, void *data);
__poll_t kveu_poll(struct file *filp, struct poll_table_struct *table);
void kveu_ring_look_again(struct work_struct *work);

/* veu_mmap.c */
int kveu_mmap(struct file *filp, struct vm_area_struct *vma);

/* veu_file.c */
extern const struct file_operations kveu_file_operations;
struct kveu_file *kveu_file_open(struct kveu_device *veu,
				 struct address_space *mapping);
void kveu_file_close(struct kveu_file *file);
void kveu_file_free(struct kveu_file *file);

/* veu_selftest.c */
extern const struct attribute_group *kveu_groups[];

static inline void __iomem *kveu_context(struct kveu_device *veu, u32 context)
{
	return veu->regs + VEU_CONTEXT_BLOCK +
	       context * VEU_CONTEXT_BLOCK_STRIDE;
}

static inline u32 kveu_ring_read(struct kveu_device *veu, u32 ring, u32 offset)
{
	return readl(veu->regs + VEU_RING_BLOCK +
		     ring * VEU_RING_BLOCK_STRIDE + offset);
}

static inline void kveu_ring_write(struct kveu_device *veu, u32 ring,
				   u32 offset, u32 value)
{
	writel(value, veu->regs + VEU_RING_BLOCK +
	       ring * VEU_RING_BLOCK_STRIDE + offset);
}

/* The halves of 8-byte registers are independent. */
static inline void kveu_ring_write_address(struct kveu_device *veu, u32 ring,
					   u32 offset, dma_addr_t address)
{
	kveu_ring_write(veu, ring, offset, lower_32_bits(address));
	kveu_ring_write(veu, ring, offset + 4, upper_32_bits(address));
}

#endif /* VEU_DRIVER_H */
