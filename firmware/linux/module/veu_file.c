// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: /dev/veuN: open, ioctl, close.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "veu_driver.h"
#include "veu_svm.h"

/*
 * Files have their buffers at different addresses, so that using a buffer's
 * address in another file is a fault.
 */
#define VEU_FILE_STRIDE BIT_ULL(38)
#define VEU_FILE_ADDRESSES (VEU_SPACE_DRIVER / VEU_FILE_STRIDE)

#define WINDOWS_BYTES(veu) ((veu)->windows * sizeof(struct veu_window))

static int query(struct kveu_file *file, void *argument)
{
	struct veu_linux_query *a = argument;
	u32 i;

	a->version = VEU_LINUX_VERSION;
	a->ring = file->ring.memory ? file->ring.config.number : VEU_LINUX_NONE;
	for (i = 0; i < ARRAY_SIZE(a->registers); i++)
		a->registers[i] = readl(file->veu->regs + i * 4);
	return 0;
}

static void put_space(struct kveu_file *file)
{
	if (file->space)
		kveu_space_put(file->space);
	file->space = NULL;
}

/* Only before the file has anything other than the process's own memory. */
static int install(struct kveu_file *file, struct kveu_space *space)
{
	int error;

	if (!file->veu->has_spaces)
		return -EOPNOTSUPP;
	if (file->mm || !list_empty(&file->buffers))
		return -EBUSY;
	error = kveu_space_open(space);
	if (error)
		return error;
	kveu_space_close(file->space);
	put_space(file);
	file->space = space;
	file->owner = current->tgid;
	WRITE_ONCE(file->mm, current->mm);
	return 0;
}

static int share(struct kveu_file *file, void *argument)
{
	struct kveu_space *space = kveu_svm_make(file->veu);
	int error;

	if (IS_ERR(space))
		return PTR_ERR(space);
	error = kveu_enter(file);
	if (!error) {
		error = install(file, space);
		kveu_leave(file);
	}
	if (error) {
		/* Its notifier belongs to the process, device or not. */
		kveu_space_close(space);
		kveu_space_put(space);
	}
	return error;
}

static int registers(struct kveu_file *file, void *argument)
{
	struct veu_linux_registers *a = argument;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(a->registers); i++)
		a->registers[i] = readl(file->veu->regs + i * 4);
	return 0;
}

struct kveu_call {
	unsigned int command;
	int (*function)(struct kveu_file *file, void *argument);
	bool sleeps;	/* is called outside of the driver */
};

static const struct kveu_call calls[] = {
	{ VEU_IOC_QUERY, query },
	{ VEU_IOC_BUFFER_CREATE, kveu_buffer_create },
	{ VEU_IOC_BUFFER_DESTROY, kveu_buffer_destroy },
	{ VEU_IOC_RING_CREATE, kveu_ring_create },
	{ VEU_IOC_SUBMIT, kveu_ring_submit },
	{ VEU_IOC_WAIT, kveu_ring_wait, .sleeps = true },
	{ VEU_IOC_FAULTS, kveu_ring_faults },
	{ VEU_IOC_RESUME, kveu_ring_resume },
	{ VEU_IOC_RESET, kveu_ring_reset },
	{ VEU_IOC_SVM, share, .sleeps = true },
	{ VEU_IOC_MAP, kveu_map_ioctl, .sleeps = true },
	{ VEU_IOC_UNMAP, kveu_unmap_ioctl },
	{ VEU_IOC_REGISTERS, registers },
};

/*
 * The largest member comes first: an initializer of the union clears that one
 * only.
 */
union kveu_argument {
	struct veu_linux_faults faults;
	struct veu_linux_query query;
};

static int call(struct kveu_file *file, const struct kveu_call *call,
		void *argument)
{
	int error;

	if (call->sleeps)
		return call->function(file, argument);
	error = kveu_enter(file);
	if (error)
		return error;
	error = call->function(file, argument);
	kveu_leave(file);
	return error;
}

/* The argument is copied before the driver is entered and after it is left. */
static long copy_and_call(struct kveu_file *file, const struct kveu_call *c,
			  void __user *user)
{
	size_t bytes = _IOC_SIZE(c->command);
	union kveu_argument argument = {};
	long error;

	if (bytes > sizeof(argument))
		return -EINVAL;
	if (kveu_file_is_foreign(file))
		return -EPERM;
	if (_IOC_DIR(c->command) & _IOC_WRITE &&
	    copy_from_user(&argument, user, bytes))
		return -EFAULT;
	error = call(file, c, &argument);
	/* A wait that fails also reports what it has seen. */
	if ((!error || c->sleeps) && _IOC_DIR(c->command) & _IOC_READ &&
	    copy_to_user(user, &argument, bytes))
		return -EFAULT;
	return error;
}

static long kveu_ioctl(struct file *filp, unsigned int command,
		       unsigned long argument)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].command == command)
			return copy_and_call(filp->private_data, &calls[i],
					     (void __user *)argument);
	return -ENOTTY;
}

static int make_space(struct kveu_device *veu, struct kveu_file *file)
{
	file->space = kveu_space_make(veu);
	if (!file->space)
		return -ENOMEM;
	if (!kveu_space_open(file->space))
		return 0;
	put_space(file);
	return -ENOMEM;
}

static int make_windows(struct kveu_device *veu, struct kveu_file *file)
{
	file->windows = dma_alloc_coherent(&veu->pdev->dev, WINDOWS_BYTES(veu),
					   &file->windows_dma,
					   GFP_KERNEL_ACCOUNT);
	return file->windows ? 0 : -ENOMEM;
}

/* misc_deregister() waits for opens, so the device still exists. */
static int join(struct kveu_device *veu, struct kveu_file *file)
{
	int error = veu->has_spaces ? make_space(veu, file) :
				      make_windows(veu, file);

	if (error)
		return error;
	down_read(&veu->gate);
	mutex_lock(&veu->files_lock);
	file->next_address = VEU_SPACE_DRIVER +
		veu->opened++ % VEU_FILE_ADDRESSES * VEU_FILE_STRIDE;
	list_add(&file->node, &veu->files);
	mutex_unlock(&veu->files_lock);
	up_read(&veu->gate);
	return 0;
}

/**
 * kveu_file_open() - Make a file of a device
 * @veu: The device, which is there.
 * @mapping: What processes map it by; NULL for the driver's own.
 *
 * Return: the file, or an error pointer.
 */
struct kveu_file *kveu_file_open(struct kveu_device *veu,
				 struct address_space *mapping)
{
	struct kveu_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	int error;

	if (!file)
		return ERR_PTR(-ENOMEM);
	file->veu = veu;
	file->mapping = mapping;
	mutex_init(&file->lock);
	INIT_LIST_HEAD(&file->buffers);
	file->maps = RB_ROOT_CACHED;
	idr_init(&file->handles);
	INIT_KFIFO(file->ring.faults);
	init_waitqueue_head(&file->ring.wait);
	INIT_DELAYED_WORK(&file->look, kveu_ring_look_again);
	error = join(veu, file);
	if (error) {
		kfree(file);
		return ERR_PTR(error);
	}
	kref_get(&veu->ref);
	return file;
}

static int kveu_open(struct inode *inode, struct file *filp)
{
	struct kveu_device *veu = container_of(filp->private_data,
					       struct kveu_device, misc);
	struct kveu_file *file = kveu_file_open(veu, filp->f_mapping);

	if (IS_ERR(file))
		return PTR_ERR(file);
	filp->private_data = file;
	return 0;
}

/**
 * kveu_file_free() - Take a file off its device
 * @file: A file that is closed, or any while the device is removed. The device
 *	  stops using its memory, then that is freed.
 */
void kveu_file_free(struct kveu_file *file)
{
	kveu_ring_free(file);
	kveu_buffers_free(file);
	if (file->space)
		kveu_space_close(file->space);
	else
		dma_free_coherent(&file->veu->pdev->dev,
				  WINDOWS_BYTES(file->veu), file->windows,
				  file->windows_dma);
}

/**
 * kveu_file_close() - Free a file
 * @file: The file. Nothing else uses it.
 */
void kveu_file_close(struct kveu_file *file)
{
	struct kveu_device *veu = file->veu;

	if (!kveu_enter(file)) {
		kveu_file_free(file);
		mutex_lock(&veu->files_lock);
		list_del(&file->node);
		mutex_unlock(&veu->files_lock);
		kveu_leave(file);
	}
	put_space(file);
	cancel_delayed_work_sync(&file->look);
	idr_destroy(&file->handles);
	kfree(file);
	kveu_device_put(veu);
}

/* A thread that ends may have its own file table; its process continues. */
static bool others_live(void)
{
	return current->flags & PF_EXITING &&
	       atomic_read(&current->signal->live);
}

/*
 * Called at the end of a process, or at exec(). A page that its ring waits for
 * may never come, and would keep the memory, and with it this file. So the ring
 * is freed for others immediately.
 */
static int kveu_flush(struct file *filp, fl_owner_t id)
{
	struct kveu_file *file = filp->private_data;

	if (!kveu_file_is_foreign(file) || current->tgid != file->owner ||
	    others_live() || kveu_enter(file))
		return 0;
	kveu_ring_destroy(file);
	kveu_leave(file);
	return 0;
}

static int kveu_release(struct inode *inode, struct file *filp)
{
	kveu_file_close(filp->private_data);
	return 0;
}

const struct file_operations kveu_file_operations = {
	.owner = THIS_MODULE,
	.open = kveu_open,
	.flush = kveu_flush,
	.release = kveu_release,
	.unlocked_ioctl = kveu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.poll = kveu_poll,
	.mmap = kveu_mmap,
	.llseek = noop_llseek,
};
