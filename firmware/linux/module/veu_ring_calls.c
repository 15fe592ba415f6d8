// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the calls of a process that make its ring, use it and end it.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/log2.h>
#include <linux/sched/signal.h>

#include "veu_driver.h"

/* Units of work that a command may take. */
#define VEU_BUDGET (4 << 20)

static bool is_legal(struct kveu_device *veu, const struct veu_linux_ring *a)
{
	if (a->slots < 4 || !is_power_of_2(a->slots) ||
	    a->slots > readl(veu->regs + VEU_REG_CAP_RING_SLOTS))
		return false;
	return a->policy <= VEU_POLICY_SKIP_COMMAND &&
	       a->priority <= VEU_PRIORITY_HIGHEST && !a->reserved;
}

/* Interrupts and waits find the ring's memory while it is in the table. */
static void publish(struct kveu_file *file, struct kveu_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&file->veu->table, flags);
	file->veu->ring[file->ring.config.number] = ring;
	file->ring.shared = ring ? ring->memory->cpu : NULL;
	spin_unlock_irqrestore(&file->veu->table, flags);
}

static int make_memory(struct kveu_file *file, const struct veu_linux_ring *a)
{
	struct kveu_ring *ring = &file->ring;
	size_t mapped = PAGE_SIZE + kveu_ring_slots_bytes(a);
	struct kveu_buffer *memory;
	int error;

	memory = kveu_buffer_make(file, mapped + VEU_FAULT_QUEUE *
				  sizeof(struct veu_fault_record),
				  VEU_OBJECT_RING);
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	if (!file->space) {
		error = kveu_buffer_map(file, memory);
		if (error) {
			kveu_buffer_drop(file, memory);
			return error;
		}
	}
	memory->mapped = mapped;
	ring->memory = memory;
	ring->records = memory->cpu + mapped;
	return 0;
}

static void describe(struct kveu_file *file, struct veu_linux_ring *a)
{
	u32 most = VEU_BUDGET;

	a->budget = a->budget ? min(a->budget, most) : most;
	a->slots_at = PAGE_SIZE;
	a->memory_bytes = PAGE_SIZE + kveu_ring_slots_bytes(a);
	a->memory_offset = (u64)VEU_OBJECT_RING << VEU_OFFSET_SHIFT;
	a->doorbell_offset = IS_ALIGNED(file->veu->stride, PAGE_SIZE) ?
		(u64)VEU_OBJECT_DOORBELL << VEU_OFFSET_SHIFT : U64_MAX;
}

/*
 * The process may be killed meanwhile. A device that has been pulled out reads
 * as ones.
 */
static int wait_for_first(struct kveu_device *veu, u32 number)
{
	ktime_t end = kveu_ring_patience();
	bool late;
	u32 head;

	do {
		late = ktime_after(ktime_get(), end);
		head = kveu_ring_read(veu, number, VEU_REG_RING_HEAD);
		if (head == 1)
			return 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		if (PCI_POSSIBLE_ERROR(head))
			return -ENODEV;
		usleep_range(20, 200);
	} while (!late);
	return -ETIMEDOUT;
}

/*
 * docs/spec.md, DRV-5.9: the previous process with this ring number may have
 * loaded programs. The driver uses the ring for this before the process gets
 * it.
 */
static int unload_programs(struct kveu_file *file)
{
	struct kveu_device *veu = file->veu;
	struct kveu_ring *ring = &file->ring;
	struct veu_command_unload *unload = ring->memory->cpu +
					    ring->config.slots_at;
	u32 n = ring->config.number;
	int error;

	if (!readl(veu->regs + VEU_REG_LIMIT_PROGRAM_MEMORY))
		return 0;
	*unload = (struct veu_command_unload) {
		.header = { VEU_COMMAND_UNLOAD, 1 },
	};
	ring->shared->tail = 1;
	kveu_ring_start(file);
	error = wait_for_first(veu, n);
	kveu_ring_abort(veu, n);
	if (file->space)
		kveu_space_unbind(file->space);
	memset(unload, 0, sizeof(*unload));
	memset(ring->shared, 0, sizeof(*ring->shared));
	return error;
}

/**
 * kveu_ring_create() - VEU_IOC_RING_CREATE
 * @file: The file, locked.
 * @argument: struct veu_linux_ring.
 *
 * Return: 0, -EINVAL, -EPERM, -EEXIST, -EBUSY if all rings are taken, -ENOMEM,
 * -ETIMEDOUT if the device does not unload the last process's programs,
 * -ENODEV, or -EINTR if the process was killed meanwhile.
 */
int kveu_ring_create(struct kveu_file *file, void *argument)
{
	struct veu_linux_ring *a = argument;
	struct kveu_device *veu = file->veu;
	int number, error;

	if (!is_legal(veu, a))
		return -EINVAL;
	if (a->priority > VEU_PRIORITY_NORMAL && !capable(CAP_SYS_NICE))
		return -EPERM;
	if (file->ring.memory)
		return -EEXIST;
	number = ida_alloc_max(&veu->numbers, veu->rings - 1, GFP_KERNEL);
	if (number < 0)
		return number == -ENOSPC ? -EBUSY : number;
	error = make_memory(file, a);
	if (error) {
		ida_free(&veu->numbers, number);
		return error;
	}
	a->number = number;
	describe(file, a);
	file->ring.config = *a;
	publish(file, &file->ring);
	error = unload_programs(file);
	if (error) {
		kveu_ring_destroy(file);
		return error;
	}
	kveu_ring_start(file);
	wake_up_all(&file->ring.wait);	/* poll() waiters have a ring now */
	return 0;
}

/**
 * kveu_ring_free() - Take a file's ring off the device
 * @file: The file, locked. The process may be in the middle of a command, which
 *	  is not completed. The memory stays among the file's buffers.
 */
void kveu_ring_free(struct kveu_file *file)
{
	struct kveu_ring *ring = &file->ring;

	if (!ring->memory)
		return;
	kveu_ring_abort(file->veu, ring->config.number);
	if (file->space)
		kveu_space_unbind(file->space);
	publish(file, NULL);
	ring->memory = NULL;	/* its memory is among the file's buffers */
	ida_free(&file->veu->numbers, ring->config.number);
	wake_up_all(&ring->wait);
}

/**
 * kveu_ring_destroy() - Free a file's ring and its memory
 * @file: The file, locked. Processes lose what they have mapped of it.
 */
void kveu_ring_destroy(struct kveu_file *file)
{
	struct kveu_buffer *memory = file->ring.memory;

	if (!memory)
		return;
	kveu_ring_free(file);
	kveu_unmap(file, VEU_OBJECT_DOORBELL);
	kveu_buffer_drop(file, memory);
}

/**
 * kveu_ring_submit() - VEU_IOC_SUBMIT
 * @file: The file, locked.
 * @argument: struct veu_linux_submit.
 *
 * Return: 0, or -EINVAL.
 */
int kveu_ring_submit(struct kveu_file *file, void *argument)
{
	struct veu_linux_submit *a = argument;
	struct kveu_ring *ring = &file->ring;

	if (a->reserved || !ring->memory)
		return -EINVAL;
	/* The process stores its commands before this. */
	virt_store_release(&ring->shared->tail, a->tail);
	kveu_ring_wake(file);
	return 0;
}

/*
 * Handles a fault that halted a ring without reaching the shared block, because
 * that or the context was gone. The registers count it and have its code; a
 * record made from these reports it to the process.
 */
static void collect_silent(struct kveu_file *file)
{
	struct kveu_device *veu = file->veu;
	struct kveu_ring *ring = &file->ring;
	u32 n = ring->config.number;
	struct veu_fault_record record = {
		.ring = n, .lane = 0xff, .element = 0xff, .group = ~0u,
		.thread = ~0u, .message_offset = ~0u,
	};

	if (!kveu_ring_is_started(ring) || ring->silent ||
	    kveu_ring_read(veu, n, VEU_REG_RING_STATE) != VEU_RING_HALTED ||
	    kveu_ring_read(veu, n, VEU_REG_RING_FAULT_COUNT) ==
	    ring->fault_head + ring->overflow)
		return;
	ring->silent = true;
	record.code = kveu_ring_read(veu, n, VEU_REG_RING_LAST_FAULT);
	record.detail = kveu_ring_read(veu, n, VEU_REG_RING_LAST_DETAIL);
	record.slot = kveu_ring_read(veu, n, VEU_REG_RING_HEAD);
	if (!kfifo_put(&ring->faults, record))
		ring->lost_records++;
}

/**
 * kveu_ring_faults() - VEU_IOC_FAULTS
 * @file: The file, locked.
 * @argument: struct veu_linux_faults.
 *
 * Return: 0, or -EINVAL.
 */
int kveu_ring_faults(struct kveu_file *file, void *argument)
{
	struct veu_linux_faults *a = argument;
	struct kveu_ring *ring = &file->ring;

	if (!ring->memory)
		return -EINVAL;
	kveu_ring_collect(ring);
	collect_silent(file);
	a->count = kfifo_out(&ring->faults, a->records,
			     ARRAY_SIZE(a->records));
	a->lost = ring->lost_records;
	ring->lost_records = 0;
	return 0;
}

/**
 * kveu_ring_resume() - VEU_IOC_RESUME
 * @file: The file, locked.
 * @argument: struct veu_linux_resume.
 *
 * Return: 0, -EINVAL if the ring has not halted, or -EIO if it was lost.
 */
int kveu_ring_resume(struct kveu_file *file, void *argument)
{
	struct veu_linux_resume *a = argument;
	struct kveu_ring *ring = &file->ring;

	if (a->reserved || !ring->memory)
		return -EINVAL;
	kveu_ring_stop(file, kveu_ring_patience());
	if (ring->lost)
		return -EIO;
	if (!ring->halted) {
		kveu_ring_start(file);
		return -EINVAL;
	}
	WRITE_ONCE(ring->halted, false);
	ring->head = a->index;
	WRITE_ONCE(ring->reported, a->index);
	kveu_ring_start(file);
	return 0;
}

/**
 * kveu_ring_reset() - VEU_IOC_RESET
 * @file: The file, locked.
 * @argument: Nothing.
 *
 * Return: 0, or -EINVAL.
 */
int kveu_ring_reset(struct kveu_file *file, void *argument)
{
	struct kveu_ring *ring = &file->ring;

	if (!ring->memory)
		return -EINVAL;
	kveu_ring_abort(file->veu, ring->config.number);
	if (file->space)
		kveu_space_unbind(file->space);
	kveu_ring_collect(ring);
	memset(ring->shared, 0, sizeof(*ring->shared));
	ring->head = 0;
	WRITE_ONCE(ring->reported, 0);
	WRITE_ONCE(ring->halted, false);
	WRITE_ONCE(ring->lost, false);
	kveu_ring_start(file);
	return 0;
}
