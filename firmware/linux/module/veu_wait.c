// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: interrupts, and those who wait for them.
 */
#include <linux/ktime.h>

#include "veu_driver.h"

/*
 * A ring whose commands do not ask for an interrupt, or a device without a
 * vector, is looked at so often.
 */
#define VEU_LOOK_MS 4

/*
 * Several causes may be one interrupt, and rings may share a vector: whoever
 * waits looks at his ring himself.
 */
irqreturn_t veu_interrupt(int irq, void *data)
{
	struct veu_vector *vector = data;
	struct veu_device *veu = vector->veu;
	u32 n;

	spin_lock(&veu->table);
	for (n = vector->number; n < veu->rings; n += veu->vectors)
		if (veu->ring[n])
			wake_up_all(&veu->ring[n]->wait);
	spin_unlock(&veu->table);
	return IRQ_HANDLED;
}

/* Is the wait over? The ring's memory may go while somebody waits. */
static bool look(struct veu_file *file, struct veu_linux_wait *a)
{
	struct veu_device *veu = file->veu;
	struct veu_ring *ring = &file->ring;
	unsigned long flags;

	spin_lock_irqsave(&veu->table, flags);
	a->state = VEU_LINUX_LOST;
	if (ring->shared) {
		/* The device has stored what it has done before it. */
		a->head = virt_load_acquire(&ring->shared->head);
		a->state = READ_ONCE(ring->shared->state);
	}
	spin_unlock_irqrestore(&veu->table, flags);
	if (READ_ONCE(ring->lost))
		a->state = VEU_LINUX_LOST;
	else if (READ_ONCE(ring->halted))
		a->state = VEU_RING_HALTED;
	return (s32)(a->head - a->index) >= 0 || a->state == VEU_LINUX_LOST ||
	       a->state == VEU_RING_HALTED;
}

static int verdict(struct veu_file *file, const struct veu_linux_wait *a)
{
	if (READ_ONCE(file->veu->dead))
		return -ENODEV;
	if (a->state == VEU_LINUX_LOST)
		return -EIO;
	if ((s32)(a->head - a->index) >= 0)
		return 0;
	return a->state == VEU_RING_HALTED ? -EIO : -ETIME;
}

/* Called without locks: the ring works while its process waits. */
int veu_ring_wait(struct veu_file *file, void *argument)
{
	struct veu_linux_wait *a = argument;
	ktime_t end = min_t(u64, a->deadline_ns, KTIME_MAX);
	long patience = msecs_to_jiffies(VEU_LOOK_MS);
	long left;

	if (a->reserved || (!READ_ONCE(file->ring.shared) &&
			    !READ_ONCE(file->veu->dead)))
		return -EINVAL;
	do {
		left = wait_event_interruptible_timeout(file->ring.wait,
							look(file, a), patience);
		if (left < 0)
			return left;
	} while (!left && ktime_before(ktime_get(), end));
	return verdict(file, a);
}
