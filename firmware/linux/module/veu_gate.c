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

void veu_device_put(struct veu_device *veu)
{
	kref_put(&veu->ref, veu_device_free);
}

/* Returns -ENODEV once the device has gone; waits while it is being reset. */
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

void veu_leave(struct veu_file *file)
{
	mutex_unlock(&file->lock);
	up_read(&file->veu->gate);
}

/*
 * Returns true if the file shares the memory of one process and the caller is
 * another.
 */
bool veu_file_is_foreign(struct veu_file *file)
{
	struct mm_struct *mm = READ_ONCE(file->mm);

	return mm && mm != current->mm;
}
