// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: interrupts, and the calls that wait for them: ioctl WAIT, and poll().
 *
 * An interrupt wakes all calls that wait for a ring with its vector, and each
 * of them reads the ring's shared block. A fault that leaves a ring without its
 * shared block (its context or its memory is gone) reaches the registers alone:
 * RING_STATE. Reading that is an exit of the virtual machine, so a call does so
 * only if the shared block has not ended the wait.
 */
#include <linux/ktime.h>
#include <linux/poll.h>

#include "veu_driver.h"
#include "veu_svm.h"

/*
 * Commands need not ask for an interrupt, and one may get lost: a wait also
 * polls. Without a vector it polls at this interval. With one, it sleeps for a
 * quarter of the time that it has already waited. This bounds its delay, and a
 * long wait rarely wakes.
 */
#define VEU_LOOK_MS 4
#define VEU_LOOK_MOST_MS 1000

/* Called under the table's lock. The ring may also wait for pages. */
static void wake(struct kveu_ring *ring)
{
	struct kveu_file *file = container_of(ring, struct kveu_file, ring);

	wake_up_all(&ring->wait);
	if (file->space)
		kveu_svm_kick(file->space);
}

/**
 * kveu_interrupt() - Handle an interrupt
 * @irq: Its number.
 * @data: struct kveu_vector.
 *
 * Several causes may share one interrupt, and rings may share a vector, so each
 * waiting call reads the state of its own ring.
 *
 * Return: IRQ_HANDLED.
 */
irqreturn_t kveu_interrupt(int irq, void *data)
{
	struct kveu_vector *vector = data;
	struct kveu_device *veu = vector->veu;
	u32 n;

	spin_lock(&veu->table);
	for (n = vector->number; n < veu->rings; n += veu->vectors)
		if (veu->ring[n])
			wake(veu->ring[n]);
	spin_unlock(&veu->table);
	return IRQ_HANDLED;
}

/* The progress of a ring. */
struct kveu_view {
	u32 head;
	u32 state;	/* enum veu_ring_state, VEU_LINUX_LOST */
	bool faults;	/* there are new ones */
};

static bool has_faults(struct kveu_ring *ring)
{
	return !kfifo_is_empty(&ring->faults) ||
	       READ_ONCE(ring->shared->fault_tail) !=
	       READ_ONCE(ring->fault_head) ||
	       READ_ONCE(ring->shared->fault_overflow) !=
	       READ_ONCE(ring->overflow);
}

/* Called under the table's lock: the ring has memory and keeps it. */
static void view_shared(struct kveu_ring *ring, struct kveu_view *view)
{
	/* The device stores its results before this. */
	view->head = virt_load_acquire(&ring->shared->head);
	view->state = READ_ONCE(ring->shared->state);
	view->faults = has_faults(ring);
}

/* The device answers unless it is asleep or being reset. */
static void view_register(struct kveu_device *veu, u32 number,
			  struct kveu_view *view)
{
	if (!veu->stopped &&
	    kveu_ring_read(veu, number, VEU_REG_RING_STATE) == VEU_RING_HALTED)
		view->state = VEU_RING_HALTED;
}

static bool is_over(const struct kveu_view *view)
{
	return view->state == VEU_RING_HALTED || view->state == VEU_LINUX_LOST;
}

/* The ring's memory may be freed while a call waits. */
static struct kveu_view view_ring(struct kveu_file *file, bool registers)
{
	struct kveu_view view = { .state = VEU_LINUX_LOST };
	struct kveu_device *veu = file->veu;
	struct kveu_ring *ring = &file->ring;
	unsigned long flags;

	spin_lock_irqsave(&veu->table, flags);
	if (ring->shared) {
		if (file->space)
			kveu_svm_kick(file->space);
		view_shared(ring, &view);
		if (registers && !is_over(&view))
			view_register(veu, ring->config.number, &view);
	}
	spin_unlock_irqrestore(&veu->table, flags);
	if (READ_ONCE(ring->lost))
		view.state = VEU_LINUX_LOST;
	else if (READ_ONCE(ring->halted))
		view.state = VEU_RING_HALTED;
	return view;
}

struct kveu_waiter {
	struct kveu_file *file;
	struct veu_linux_wait *argument;
	ktime_t begin;
	bool again;	/* it has read the ring before */
};

static bool has_come(const struct veu_linux_wait *a)
{
	return (s32)(a->head - a->index) >= 0;
}

/* Reads the ring. Returns true if the wait is over. */
static bool look(struct kveu_waiter *waiter)
{
	struct veu_linux_wait *a = waiter->argument;
	struct kveu_view view = view_ring(waiter->file, false);

	if (waiter->again && (s32)(view.head - a->index) < 0)
		view = view_ring(waiter->file, true);
	waiter->again = true;
	a->head = view.head;
	a->state = view.state;
	/* poll() need not report what this wait reports. */
	WRITE_ONCE(waiter->file->ring.reported, view.head);
	return has_come(a) || is_over(&view);
}

/* Jiffies until the wait polls the ring, or until its timeout. */
static long patience(const struct kveu_waiter *waiter, ktime_t end)
{
	ktime_t now = ktime_get();
	s64 left = ktime_before(now, end) ? ktime_sub(end, now) : 0;
	s64 next = VEU_LOOK_MS * NSEC_PER_MSEC;

	if (waiter->file->veu->vectors)
		next = clamp(ktime_sub(now, waiter->begin) / 4, next,
			     VEU_LOOK_MOST_MS * (s64)NSEC_PER_MSEC);
	return nsecs_to_jiffies(min(next, left)) + 1;
}

/* A word that the ring waits for may have been stored, so its sleep ends. */
static void wake_ring(struct kveu_file *file)
{
	struct kveu_device *veu = file->veu;
	unsigned long flags;

	spin_lock_irqsave(&veu->table, flags);
	if (file->ring.shared && !veu->stopped)
		kveu_ring_wake(file);
	spin_unlock_irqrestore(&veu->table, flags);
}

static int verdict(struct kveu_file *file, const struct veu_linux_wait *a)
{
	if (READ_ONCE(file->veu->dead))
		return -ENODEV;
	if (a->state == VEU_LINUX_LOST)
		return -EIO;
	if (has_come(a))
		return 0;
	return a->state == VEU_RING_HALTED ? -EIO : -ETIME;
}

/**
 * kveu_ring_wait() - VEU_IOC_WAIT
 * @file: The file, not locked: the ring works while its process waits.
 * @argument: struct veu_linux_wait, which reports the head and the state even
 *	      if the wait fails.
 *
 * Return: 0, -ETIME, -EIO if the ring has halted or was lost, -ENODEV, or
 * -ERESTARTSYS.
 */
int kveu_ring_wait(struct kveu_file *file, void *argument)
{
	struct veu_linux_wait *a = argument;
	struct kveu_waiter waiter = { file, a, ktime_get() };
	ktime_t end = min_t(u64, a->deadline_ns, KTIME_MAX);
	long left = 0;

	if (a->reserved || (!READ_ONCE(file->ring.shared) &&
			    !READ_ONCE(file->veu->dead)))
		return -EINVAL;
	if (look(&waiter))
		return verdict(file, a);
	wake_ring(file);
	while (!left && ktime_before(ktime_get(), end))
		left = wait_event_interruptible_timeout(file->ring.wait,
							look(&waiter),
							patience(&waiter, end));
	if (left < 0)
		return left;
	/* A halt that only the register shows ends such a wait, too. */
	if (!left)
		look(&waiter);
	return verdict(file, a);
}

/**
 * kveu_ring_look_again() - Make processes that poll a file read the ring again
 * @work: The file's, which kveu_poll() has scheduled: the timeout of a process
 *	  in poll() is not known.
 */
void kveu_ring_look_again(struct work_struct *work)
{
	struct kveu_file *file = container_of(to_delayed_work(work),
					      struct kveu_file, look);

	wake_up_all(&file->ring.wait);
}

static __poll_t events_of(const struct kveu_view *view, u32 reported)
{
	__poll_t events = 0;

	if (view->head != reported)
		events |= EPOLLIN | EPOLLRDNORM;
	if (view->faults)
		events |= EPOLLPRI;
	if (is_over(view))
		events |= EPOLLERR;
	return events;
}

/**
 * kveu_poll() - Report the events of a file
 * @filp: The file.
 * @table: Of poll().
 *
 * Return: the events that include/veu/linux.h describes.
 */
__poll_t kveu_poll(struct file *filp, poll_table *table)
{
	struct kveu_file *file = filp->private_data;
	struct kveu_device *veu = file->veu;
	unsigned int ms = veu->vectors ? VEU_LOOK_MOST_MS : VEU_LOOK_MS;
	struct kveu_view view;

	poll_wait(filp, &file->ring.wait, table);
	if (READ_ONCE(veu->dead))
		return EPOLLHUP | EPOLLERR;
	if (!READ_ONCE(file->ring.shared))
		return 0;
	view = view_ring(file, true);
	/* Also with events: who polls for edges comes back for the next only. */
	schedule_delayed_work(&file->look, msecs_to_jiffies(ms));
	return events_of(&view, READ_ONCE(file->ring.reported));
}
