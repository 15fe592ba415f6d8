// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: what all files of the driver rely on: the gate that processes come in
 * by, and the end of the device's memory.
 */
#include <linux/slab.h>

#include "veu_driver.h"

static void veu_device_free(struct kref *ref)
{
	struct veu_device *veu = container_of(ref, struct veu_device, ref);

	ida_destroy(&veu->numbers);
	kfree(veu);
}

/**
 * veu_device_put() - Drop a reference
 * @veu: The device.
 */
void veu_device_put(struct veu_device *veu)
{
	kref_put(&veu->ref, veu_device_free);
}

/**
 * veu_enter() - Enter the driver for a process
 * @file: The file. It is locked, and the device is there until veu_leave().
 *
 * Waits while the device sleeps or is reset.
 *
 * Return: 0, or -ENODEV if the device has gone.
 */
int veu_enter(struct veu_file *file)
{
	struct veu_device *veu = file->veu;

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
 * veu_leave() - Leave the driver
 * @file: The file that was entered.
 */
void veu_leave(struct veu_file *file)
{
	mutex_unlock(&file->lock);
	up_read(&file->veu->gate);
}

/**
 * veu_file_is_foreign() - Compare a file's memory with the caller's
 * @file: The file.
 *
 * Return: true if the file shares the memory of one process and the caller is
 * another.
 */
bool veu_file_is_foreign(struct veu_file *file)
{
	struct mm_struct *mm = READ_ONCE(file->mm);

	return mm && mm != current->mm;
}
