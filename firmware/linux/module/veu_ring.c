// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the ring of a file. The process can write its memory, too, so nothing
 * that is read there can be trusted.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/iopoll.h>
#include <linux/log2.h>

#include "veu_driver.h"

/*
 * The units of work that a command may take, and how long a drain waits for it.
 */
#define VEU_BUDGET   (4 << 20)
#define VEU_DRAIN_MS 2000

/* Shared block, slots and fault records each have their own pages. */
static size_t slots_bytes(const struct veu_linux_ring *a)
{
	return PAGE_ALIGN((size_t)a->slots * VEU_SLOT_BYTES);
}

static bool is_legal(struct veu_device *veu, const struct veu_linux_ring *a)
{
	if (a->slots < 4 || !is_power_of_2(a->slots) ||
	    a->slots > readl(veu->regs + VEU_REG_CAP_RING_SLOTS))
		return false;
	return a->policy <= VEU_POLICY_SKIP_COMMAND &&
	       a->priority <= VEU_PRIORITY_HIGHEST && !a->reserved;
}

static void set_context(struct veu_file *file)
{
	void __iomem *context = veu_context(file->veu,
					    file->ring.config.number);

	if (file->space) {
		veu_space_bind(file->space, file->ring.config.number);
		return;
	}
	writel(VEU_CONTEXT_WINDOWS, context + VEU_REG_CONTEXT_TYPE);
	writel(veu_windows_write(file), context + VEU_REG_CONTEXT_WINDOW_COUNT);
	writel(lower_32_bits(file->windows_dma),
	       context + VEU_REG_CONTEXT_WINDOWS);
	writel(upper_32_bits(file->windows_dma),
	       context + VEU_REG_CONTEXT_WINDOWS + 4);
}

static void set_registers(struct veu_device *veu, const struct veu_ring *ring)
{
	u32 n = ring->config.number;
	dma_addr_t memory = ring->memory->dma;
	dma_addr_t slots = memory + ring->config.slots_at;

	veu_ring_write_address(veu, n, VEU_REG_RING_SHARED, memory);
	veu_ring_write_address(veu, n, VEU_REG_RING_BASE, slots);
	veu_ring_write_address(veu, n, VEU_REG_RING_FAULTS,
			       slots + slots_bytes(&ring->config));
	veu_ring_write(veu, n, VEU_REG_RING_SLOTS, ring->config.slots);
	veu_ring_write(veu, n, VEU_REG_RING_FAULT_RECORDS, VEU_FAULT_QUEUE);
	veu_ring_write(veu, n, VEU_REG_RING_CONTEXT, n);
	veu_ring_write(veu, n, VEU_REG_RING_VECTOR,
		       veu->vectors ? n % veu->vectors : VEU_NO_VECTOR);
	veu_ring_write(veu, n, VEU_REG_RING_POLICY, ring->config.policy);
	veu_ring_write(veu, n, VEU_REG_RING_PRIORITY, ring->config.priority);
	veu_ring_write(veu, n, VEU_REG_RING_BUDGET, ring->config.budget);
	veu_ring_write(veu, n, VEU_REG_RING_HEAD, ring->head);
}

/*
 * Sets the device's half of the shared block until the device stores it. The
 * process owns the tail, which may already be ahead.
 */
static void set_shared(struct veu_ring *ring)
{
	struct veu_ring_shared *shared = ring->shared;

	WRITE_ONCE(ring->fault_head, 0);
	WRITE_ONCE(ring->overflow, 0);
	ring->silent = false;
	WRITE_ONCE(shared->fault_head, 0);
	WRITE_ONCE(shared->fault_tail, 0);
	WRITE_ONCE(shared->fault_overflow, 0);
	WRITE_ONCE(shared->asleep, 0);
	WRITE_ONCE(shared->head, ring->head);
	/* A wait that sees this state also sees that head. */
	virt_store_release(&shared->state, VEU_RING_DISABLED);
}

/*
 * Starts a stopped ring, unless its process must first decide how to continue.
 */
void veu_ring_start(struct veu_file *file)
{
	struct veu_ring *ring = &file->ring;

	if (!ring->memory || ring->halted || ring->lost)
		return;
	set_shared(ring);
	set_context(file);
	set_registers(file->veu, ring);
	/* writel() orders all that was stored to memory before it. */
	veu_ring_write(file->veu, ring->config.number, VEU_REG_RING_CONTROL,
		       VEU_RING_ENABLE);
}

/* Takes records from the device's queue, which an enable empties. */
static void collect(struct veu_ring *ring)
{
	/* The device stores records before this. */
	u32 tail = virt_load_acquire(&ring->shared->fault_tail);
	u32 count = min_t(u32, tail - ring->fault_head, VEU_FAULT_QUEUE);
	u32 overflow = READ_ONCE(ring->shared->fault_overflow);
	u32 i;

	for (i = 0; i < count; i++)
		if (!kfifo_put(&ring->faults,
			       ring->records[(ring->fault_head + i) %
					     VEU_FAULT_QUEUE]))
			ring->lost_records++;
	ring->lost_records += overflow - ring->overflow;
	/* veu_poll() reads both without a lock. */
	WRITE_ONCE(ring->overflow, overflow);
	WRITE_ONCE(ring->fault_head, tail);
	/* The device may overwrite records that have been read. */
	virt_store_release(&ring->shared->fault_head, tail);
}

/* RESET takes effect before the read of a register returns. */
static void reset(struct veu_device *veu, u32 number)
{
	veu_ring_write(veu, number, VEU_REG_RING_CONTROL, VEU_RING_RESET);
	veu_ring_read(veu, number, VEU_REG_RING_STATE);
}

static bool drain(struct veu_device *veu, u32 number, ktime_t end)
{
	bool late;

	do {
		late = ktime_after(ktime_get(), end);
		/* Repeated, because it may halt while it drains. */
		veu_ring_write(veu, number, VEU_REG_RING_CONTROL, 0);
		if (veu_ring_read(veu, number, VEU_REG_RING_STATE) ==
		    VEU_RING_DISABLED)
			return true;
		usleep_range(20, 200);
	} while (!late);
	return false;
}

/*
 * docs/spec.md, section 4, "Drain": returns true if a fault had halted it
 * before.
 */
static bool was_halted(struct veu_device *veu, const struct veu_ring *ring)
{
	u32 fault = veu_ring_read(veu, ring->config.number,
				  VEU_REG_RING_LAST_FAULT);

	return fault && (ring->config.policy == VEU_POLICY_HALT ||
			 fault < VEU_FAULT_COMMAND_OPCODE);
}

/* A command that takes longer is ended, which is reported to the process. */
static void lose(struct veu_file *file)
{
	struct veu_ring *ring = &file->ring;

	reset(file->veu, ring->config.number);
	WRITE_ONCE(ring->lost, true);
	dev_warn_ratelimited(&file->veu->pdev->dev,
			     "ring %u was reset: its command takes too long\n",
			     ring->config.number);
}

/* Returns true if the device has the ring's memory and windows. */
static bool is_started(const struct veu_ring *ring)
{
	return ring->memory && !ring->lost && !ring->halted;
}

/* The time until which the driver waits for rings that are being stopped. */
ktime_t veu_ring_patience(void)
{
	return ktime_add_ms(ktime_get(), VEU_DRAIN_MS);
}

/* Several rings finish their commands concurrently. */
void veu_ring_begin_stop(struct veu_file *file)
{
	if (is_started(&file->ring))
		veu_ring_write(file->veu, file->ring.config.number,
			       VEU_REG_RING_CONTROL, 0);
}

/* After this, the device no longer uses the ring's memory and its windows. */
void veu_ring_stop(struct veu_file *file, ktime_t end)
{
	struct veu_ring *ring = &file->ring;
	struct veu_device *veu = file->veu;
	u32 n = ring->config.number;

	if (!is_started(ring))
		return;
	if (drain(veu, n, end)) {
		WRITE_ONCE(ring->halted, was_halted(veu, ring));
		ring->head = veu_ring_read(veu, n, VEU_REG_RING_HEAD);
	} else {
		lose(file);
	}
	if (file->space)
		veu_space_unbind(file->space);
	collect(ring);
	wake_up_all(&ring->wait);
}

/*
 * Called after the file's windows have changed. The device copies them during
 * the write, even in the middle of a command. A ring that a fault has halted
 * copies them when it is started again.
 */
void veu_ring_reload(struct veu_file *file)
{
	void __iomem *control = file->veu->regs + VEU_RING_BLOCK +
		file->ring.config.number * VEU_RING_BLOCK_STRIDE +
		VEU_REG_RING_CONTROL;
	u32 value;

	if (!is_started(&file->ring) || file->space)
		return;
	set_context(file);
	/* writel() orders the table before it. */
	writel(VEU_RING_ENABLE | VEU_RING_RELOAD, control);
	if (readl_poll_timeout(control, value, !(value & VEU_RING_RELOAD), 10,
			       VEU_DRAIN_MS * USEC_PER_MSEC)) {
		lose(file);
		wake_up_all(&file->ring.wait);
	}
}

/* Interrupts and waits find the ring's memory while it is in the table. */
static void publish(struct veu_file *file, struct veu_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&file->veu->table, flags);
	file->veu->ring[file->ring.config.number] = ring;
	file->ring.shared = ring ? ring->memory->cpu : NULL;
	spin_unlock_irqrestore(&file->veu->table, flags);
}

static int make_memory(struct veu_file *file, const struct veu_linux_ring *a)
{
	struct veu_ring *ring = &file->ring;
	size_t mapped = PAGE_SIZE + slots_bytes(a);
	struct veu_buffer *memory;
	int error;

	memory = veu_buffer_make(file, mapped + VEU_FAULT_QUEUE *
				 sizeof(struct veu_fault_record),
				 VEU_OBJECT_RING);
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	if (!file->space) {
		error = veu_buffer_map(file, memory);
		if (error) {
			veu_buffer_drop(file, memory);
			return error;
		}
	}
	memory->mapped = mapped;
	ring->memory = memory;
	ring->records = memory->cpu + mapped;
	return 0;
}

static void describe(struct veu_file *file, struct veu_linux_ring *a)
{
	u32 most = VEU_BUDGET;

	a->budget = a->budget ? min(a->budget, most) : most;
	a->slots_at = PAGE_SIZE;
	a->memory_bytes = PAGE_SIZE + slots_bytes(a);
	a->memory_offset = (u64)VEU_OBJECT_RING << VEU_OFFSET_SHIFT;
	a->doorbell_offset = IS_ALIGNED(file->veu->stride, PAGE_SIZE) ?
		(u64)VEU_OBJECT_DOORBELL << VEU_OFFSET_SHIFT : U64_MAX;
}

/*
 * docs/spec.md, DRV-5.9: the previous process with this ring number may have
 * loaded programs. The driver uses the ring for this before the process gets
 * it.
 */
static int unload_programs(struct veu_file *file)
{
	struct veu_device *veu = file->veu;
	struct veu_ring *ring = &file->ring;
	struct veu_command_unload *unload = ring->memory->cpu +
					    ring->config.slots_at;
	u32 n = ring->config.number, head;
	int error;

	if (!readl(veu->regs + VEU_REG_LIMIT_PROGRAM_MEMORY))
		return 0;
	*unload = (struct veu_command_unload) {
		.header = { VEU_COMMAND_UNLOAD, 1 },
	};
	ring->shared->tail = 1;
	veu_ring_start(file);
	error = read_poll_timeout(veu_ring_read, head, head == 1, 10,
				  VEU_DRAIN_MS * USEC_PER_MSEC, false, veu, n,
				  VEU_REG_RING_HEAD);
	reset(veu, n);
	if (file->space)
		veu_space_unbind(file->space);
	memset(unload, 0, sizeof(*unload));
	memset(ring->shared, 0, sizeof(*ring->shared));
	return error ? -EIO : 0;
}

int veu_ring_create(struct veu_file *file, void *argument)
{
	struct veu_linux_ring *a = argument;
	struct veu_device *veu = file->veu;
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
		veu_ring_destroy(file);
		return error;
	}
	veu_ring_start(file);
	wake_up_all(&file->ring.wait);	/* poll() waiters have a ring now */
	return 0;
}

/* The process may be in the middle of a command: nothing is completed. */
void veu_ring_free(struct veu_file *file)
{
	struct veu_ring *ring = &file->ring;

	if (!ring->memory)
		return;
	reset(file->veu, ring->config.number);
	if (file->space)
		veu_space_unbind(file->space);
	publish(file, NULL);
	ring->memory = NULL;	/* its memory is among the file's buffers */
	ida_free(&file->veu->numbers, ring->config.number);
	wake_up_all(&ring->wait);
}

/* Its memory is freed, too, and unmapped from processes. */
void veu_ring_destroy(struct veu_file *file)
{
	struct veu_buffer *memory = file->ring.memory;

	if (!memory)
		return;
	veu_ring_free(file);
	veu_unmap(file, VEU_OBJECT_DOORBELL);
	veu_buffer_drop(file, memory);
}

/*
 * docs/spec.md, section 4: the tail, or the word that the ring waits for, has
 * been stored; then a full fence, then asleep. The device stores asleep, fences
 * and reads the tail and that word: one side sees the other's store. The device
 * is another processor, even if the guest has only one.
 */
void veu_ring_wake(struct veu_file *file)
{
	virt_mb();	/* the device: stores asleep, fences, reads */
	if (READ_ONCE(file->ring.shared->asleep))
		writel(1, file->veu->doorbells +
		       file->ring.config.number * file->veu->stride);
}

int veu_ring_submit(struct veu_file *file, void *argument)
{
	struct veu_linux_submit *a = argument;
	struct veu_ring *ring = &file->ring;

	if (a->reserved || !ring->memory)
		return -EINVAL;
	/* The process stores its commands before this. */
	virt_store_release(&ring->shared->tail, a->tail);
	veu_ring_wake(file);
	return 0;
}

/*
 * Handles a fault that halted a ring without reaching the shared block, because
 * that or the context was gone. The registers count it and have its code; a
 * record made from these reports it to the process.
 */
static void collect_silent(struct veu_file *file)
{
	struct veu_device *veu = file->veu;
	struct veu_ring *ring = &file->ring;
	u32 n = ring->config.number;
	struct veu_fault_record record = {
		.ring = n, .lane = 0xff, .element = 0xff, .group = ~0u,
		.thread = ~0u, .message_offset = ~0u,
	};

	if (!is_started(ring) || ring->silent ||
	    veu_ring_read(veu, n, VEU_REG_RING_STATE) != VEU_RING_HALTED ||
	    veu_ring_read(veu, n, VEU_REG_RING_FAULT_COUNT) ==
	    ring->fault_head + ring->overflow)
		return;
	ring->silent = true;
	record.code = veu_ring_read(veu, n, VEU_REG_RING_LAST_FAULT);
	record.detail = veu_ring_read(veu, n, VEU_REG_RING_LAST_DETAIL);
	record.slot = veu_ring_read(veu, n, VEU_REG_RING_HEAD);
	if (!kfifo_put(&ring->faults, record))
		ring->lost_records++;
}

int veu_ring_faults(struct veu_file *file, void *argument)
{
	struct veu_linux_faults *a = argument;
	struct veu_ring *ring = &file->ring;

	if (!ring->memory)
		return -EINVAL;
	collect(ring);
	collect_silent(file);
	a->count = kfifo_out(&ring->faults, a->records,
			     ARRAY_SIZE(a->records));
	a->lost = ring->lost_records;
	ring->lost_records = 0;
	return 0;
}

int veu_ring_resume(struct veu_file *file, void *argument)
{
	struct veu_linux_resume *a = argument;
	struct veu_ring *ring = &file->ring;

	if (a->reserved || !ring->memory)
		return -EINVAL;
	veu_ring_stop(file, veu_ring_patience());
	if (ring->lost)
		return -EIO;
	if (!ring->halted) {
		veu_ring_start(file);
		return -EINVAL;
	}
	WRITE_ONCE(ring->halted, false);
	ring->head = a->index;
	WRITE_ONCE(ring->reported, a->index);
	veu_ring_start(file);
	return 0;
}

int veu_ring_reset(struct veu_file *file, void *argument)
{
	struct veu_ring *ring = &file->ring;

	if (!ring->memory)
		return -EINVAL;
	reset(file->veu, ring->config.number);
	if (file->space)
		veu_space_unbind(file->space);
	collect(ring);
	memset(ring->shared, 0, sizeof(*ring->shared));
	ring->head = 0;
	WRITE_ONCE(ring->reported, 0);
	WRITE_ONCE(ring->halted, false);
	WRITE_ONCE(ring->lost, false);
	veu_ring_start(file);
	return 0;
}
