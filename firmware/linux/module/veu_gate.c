// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: what all files of the driver rely on: the gate that processes come in
 * by, and the end of the device's memory.
 */
#include <linux/slab.h>

#include "veu_driver.h"

static void kveu_device_free(struct kref *ref)
{
	struct kveu_device *veu = container_of(ref, struct kveu_device, ref);

	ida_destroy(&veu->numbers);
	kfree(veu);
}

/**
 * kveu_device_put() - Drop a reference
 * @veu: The device.
 */
void kveu_device_put(struct kveu_device *veu)
{
	kref_put(&veu->ref, kveu_device_free);
}

/**
 * kveu_enter() - Enter the driver for a process
 * @file: The file. It is locked, and the device is there until kveu_leave().
 *
 * Waits while the device sleeps or is reset.
 *
 * Return: 0, or -ENODEV if the device has gone.
 */
int kveu_enter(struct kveu_file *file)
{
	struct kveu_device *veu = file->veu;

	down_read(&veu->gate);
	while (veu->stopped && !veu->dead) {
		up_read(&veu->gate);
		wait_event(veu->moved,
			   !READ_ONCE(veu->stopped) || READ_ONCE(veu->dead));
		down_read(&veu->gate);
	}
	if (veu->dead) {
		up_read(&veu->gate);
		return -ENODEV;
	}
	mutex_lock(&file->lock);
	return 0;
}

/**
 * kveu_leave() - Leave the driver
 * @file: The file that was entered.
 */
void kveu_leave(struct kveu_file *file)
{
	mutex_unlock(&file->lock);
	up_read(&file->veu->gate);
}

/**
 * kveu_file_is_foreign() - Compare a file's memory with the caller's
 * @file: The file.
 *
 * Return: true if the file shares the memory of one process and the caller is
 * another.
 */
bool kveu_file_is_foreign(struct kveu_file *file)
{
	struct mm_struct *mm = READ_ONCE(file->mm);

	return mm && mm != current->mm;
}
