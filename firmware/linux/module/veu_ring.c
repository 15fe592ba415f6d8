// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the ring of a file, as the device has it: it starts, stops, and reports
 * faults. Its memory belongs to the process as well, so nothing that is read
 * there can be relied upon.
 */
#include <linux/delay.h>
#include <linux/iopoll.h>
#include <linux/moduleparam.h>

#include "veu_driver.h"

static unsigned int patience_ms = 2000;
module_param(patience_ms, uint, 0644);
MODULE_PARM_DESC(patience_ms,
		 "ms until a ring that does not stop is reset (2000)");

/**
 * kveu_ring_slots_bytes() - Compute the size of a ring's slots
 * @a: The ring. Its shared block, slots and fault records each have their own
 *     pages.
 *
 * Return: bytes, whole pages.
 */
size_t kveu_ring_slots_bytes(const struct veu_linux_ring *a)
{
	return PAGE_ALIGN((size_t)a->slots * VEU_SLOT_BYTES);
}

/* Writes the file's windows for the device. Returns their number. */
static u32 write_windows(struct kveu_file *file)
{
	struct veu_window *window = file->windows;
	struct kveu_map *map;

	/* In ascending order, as windows must be. */
	for (map = kveu_map_find(file, 0); map; map = kveu_map_after(map)) {
		window->address = map->address;
		window->bytes = map->bytes;
		window->permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE;
		window++;
	}
	return window - file->windows;
}

static void set_context(struct kveu_file *file)
{
	void __iomem *context = kveu_context(file->veu,
					     file->ring.config.number);

	if (file->space) {
		kveu_space_bind(file->space, file->ring.config.number);
		return;
	}
	writel(VEU_CONTEXT_WINDOWS, context + VEU_REG_CONTEXT_TYPE);
	writel(write_windows(file), context + VEU_REG_CONTEXT_WINDOW_COUNT);
	writel(lower_32_bits(file->windows_dma),
	       context + VEU_REG_CONTEXT_WINDOWS);
	writel(upper_32_bits(file->windows_dma),
	       context + VEU_REG_CONTEXT_WINDOWS + 4);
}

static void set_registers(struct kveu_device *veu, const struct kveu_ring *ring)
{
	u32 n = ring->config.number;
	dma_addr_t memory = ring->memory->dma;
	dma_addr_t slots = memory + ring->config.slots_at;

	kveu_ring_write_address(veu, n, VEU_REG_RING_SHARED, memory);
	kveu_ring_write_address(veu, n, VEU_REG_RING_BASE, slots);
	kveu_ring_write_address(veu, n, VEU_REG_RING_FAULTS,
				slots + kveu_ring_slots_bytes(&ring->config));
	kveu_ring_write(veu, n, VEU_REG_RING_SLOTS, ring->config.slots);
	kveu_ring_write(veu, n, VEU_REG_RING_FAULT_RECORDS, VEU_FAULT_QUEUE);
	kveu_ring_write(veu, n, VEU_REG_RING_CONTEXT, n);
	kveu_ring_write(veu, n, VEU_REG_RING_VECTOR,
			veu->vectors ? n % veu->vectors : VEU_NO_VECTOR);
	kveu_ring_write(veu, n, VEU_REG_RING_POLICY, ring->config.policy);
	kveu_ring_write(veu, n, VEU_REG_RING_PRIORITY, ring->config.priority);
	kveu_ring_write(veu, n, VEU_REG_RING_BUDGET, ring->config.budget);
	kveu_ring_write(veu, n, VEU_REG_RING_HEAD, ring->head);
}

/*
 * Sets the device's half of the shared block until the device stores it. The
 * process owns the tail, which may already be ahead.
 */
static void set_shared(struct kveu_ring *ring)
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

/**
 * kveu_ring_start() - Start a stopped ring
 * @file: The file, locked. If its process must first decide how to continue,
 *	  the ring stays stopped.
 */
void kveu_ring_start(struct kveu_file *file)
{
	struct kveu_ring *ring = &file->ring;

	if (!ring->memory || ring->halted || ring->lost)
		return;
	set_shared(ring);
	set_context(file);
	set_registers(file->veu, ring);
	/* writel() orders all that was stored to memory before it. */
	kveu_ring_write(file->veu, ring->config.number, VEU_REG_RING_CONTROL,
			VEU_RING_ENABLE);
}

/**
 * kveu_ring_collect() - Take records from the device's queue
 * @ring: The ring, whose file is locked. An enable empties that queue.
 */
void kveu_ring_collect(struct kveu_ring *ring)
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
	/* kveu_poll() reads both without a lock. */
	WRITE_ONCE(ring->overflow, overflow);
	WRITE_ONCE(ring->fault_head, tail);
	/* The device may overwrite records that have been read. */
	virt_store_release(&ring->shared->fault_head, tail);
}

/**
 * kveu_ring_abort() - Reset a ring
 * @veu: The device.
 * @number: The ring. Its command has ended when this returns.
 */
void kveu_ring_abort(struct kveu_device *veu, u32 number)
{
	kveu_ring_write(veu, number, VEU_REG_RING_CONTROL, VEU_RING_RESET);
	kveu_ring_read(veu, number, VEU_REG_RING_STATE);
}

static bool drain(struct kveu_device *veu, u32 number, ktime_t end)
{
	bool late;

	do {
		late = ktime_after(ktime_get(), end);
		/* Repeated, because it may halt while it drains. */
		kveu_ring_write(veu, number, VEU_REG_RING_CONTROL, 0);
		if (kveu_ring_read(veu, number, VEU_REG_RING_STATE) ==
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
static bool was_halted(struct kveu_device *veu, const struct kveu_ring *ring)
{
	u32 fault = kveu_ring_read(veu, ring->config.number,
				   VEU_REG_RING_LAST_FAULT);

	return fault && (ring->config.policy == VEU_POLICY_HALT ||
			 fault < VEU_FAULT_COMMAND_OPCODE);
}

/* A command that takes longer is ended, which is reported to the process. */
static void lose(struct kveu_file *file)
{
	struct kveu_ring *ring = &file->ring;

	kveu_ring_abort(file->veu, ring->config.number);
	WRITE_ONCE(ring->lost, true);
	dev_warn_ratelimited(&file->veu->pdev->dev,
			     "ring %u was reset: its command takes too long\n",
			     ring->config.number);
}

/**
 * kveu_ring_is_started() - Test whether the device has a ring
 * @ring: The ring, whose file is locked.
 *
 * Return: true if the device has the ring's memory and windows.
 */
bool kveu_ring_is_started(const struct kveu_ring *ring)
{
	return ring->memory && !ring->lost && !ring->halted;
}

/**
 * kveu_ring_patience() - Choose a deadline for rings that stop
 *
 * Return: the time of the end.
 */
ktime_t kveu_ring_patience(void)
{
	return ktime_add_ms(ktime_get(), READ_ONCE(patience_ms));
}

/**
 * kveu_ring_begin_stop() - Begin to drain a ring
 * @file: The file, locked. Several rings finish their commands concurrently.
 */
void kveu_ring_begin_stop(struct kveu_file *file)
{
	if (kveu_ring_is_started(&file->ring))
		kveu_ring_write(file->veu, file->ring.config.number,
				VEU_REG_RING_CONTROL, 0);
}

/**
 * kveu_ring_stop() - Drain a ring, or reset it
 * @file: The file, locked. The device no longer uses the ring's memory and its
 *	  windows afterwards.
 * @end: Until then, a command may finish.
 */
void kveu_ring_stop(struct kveu_file *file, ktime_t end)
{
	struct kveu_ring *ring = &file->ring;
	struct kveu_device *veu = file->veu;
	u32 n = ring->config.number;

	if (!kveu_ring_is_started(ring))
		return;
	if (drain(veu, n, end)) {
		WRITE_ONCE(ring->halted, was_halted(veu, ring));
		ring->head = kveu_ring_read(veu, n, VEU_REG_RING_HEAD);
	} else {
		lose(file);
	}
	if (file->space)
		kveu_space_unbind(file->space);
	kveu_ring_collect(ring);
	wake_up_all(&ring->wait);
}

/**
 * kveu_ring_reload() - Make the device copy changed windows
 * @file: The file, locked. The device copies them during the write, even in the
 *	  middle of a command. A ring that a fault has halted copies them when
 *	  it is started again.
 */
void kveu_ring_reload(struct kveu_file *file)
{
	void __iomem *control = file->veu->regs + VEU_RING_BLOCK +
		file->ring.config.number * VEU_RING_BLOCK_STRIDE +
		VEU_REG_RING_CONTROL;
	/* A time of 0 would mean to wait for ever. */
	u64 end_us = max(READ_ONCE(patience_ms), 1u) * (u64)USEC_PER_MSEC;
	u32 value;

	if (!kveu_ring_is_started(&file->ring) || file->space)
		return;
	set_context(file);
	/* writel() orders the table before it. */
	writel(VEU_RING_ENABLE | VEU_RING_RELOAD, control);
	if (readl_poll_timeout(control, value, !(value & VEU_RING_RELOAD), 10,
			       end_us)) {
		lose(file);
		wake_up_all(&file->ring.wait);
	}
}

/**
 * kveu_ring_wake() - Wake a ring that sleeps
 * @file: The file. The tail, or the word that the ring waits for, has been
 *	  stored.
 *
 * docs/spec.md, section 4: the driver stores, fences and reads asleep. The
 * device stores asleep, fences and reads the tail and that word. One side sees
 * the other's store. The device is another processor, even if the guest has
 * only one.
 */
void kveu_ring_wake(struct kveu_file *file)
{
	virt_mb();	/* the device: stores asleep, fences, reads */
	if (READ_ONCE(file->ring.shared->asleep))
		writel(1, file->veu->doorbells +
		       file->ring.config.number * file->veu->stride);
}
