// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: buffers, and the windows through which a ring reaches them.
 *
 * A buffer is contiguous for the device: one window each. Where there is an
 * IOMMU, its pages may be anywhere. Coherent memory needs no cache to be
 * flushed when a process hands it to the device without entering the kernel.
 */
#include <linux/dma-mapping.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "veu_driver.h"

/* What one file may pin; it is charged to its memory cgroup as well. */
#define VEU_FILE_BYTES SZ_256M

/* In ascending order of addresses, as the device wants windows. */
static void insert(struct veu_file *file, struct veu_buffer *buffer)
{
	struct list_head *behind = &file->buffers;
	struct veu_buffer *other;

	list_for_each_entry(other, &file->buffers, node) {
		if (other->dma > buffer->dma)
			break;
		behind = &other->node;
	}
	list_add(&buffer->node, behind);
	file->buffer_bytes += buffer->bytes;
	file->buffer_count++;
}

static int allocate(struct device *dev, struct veu_buffer *buffer)
{
	int error;

	buffer->cpu = dma_alloc_coherent(dev, buffer->bytes, &buffer->dma,
					 GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!buffer->cpu)
		return -ENOMEM;
	error = dma_get_sgtable(dev, &buffer->pages, buffer->cpu, buffer->dma,
				buffer->bytes);
	if (error)
		dma_free_coherent(dev, buffer->bytes, buffer->cpu, buffer->dma);
	return error;
}

struct veu_buffer *veu_buffer_make(struct veu_file *file, u64 bytes,
				   u32 number)
{
	struct veu_buffer *buffer;
	int error;

	if (!bytes || bytes > VEU_FILE_BYTES - file->buffer_bytes ||
	    file->buffer_count == file->veu->windows)
		return ERR_PTR(bytes ? -ENOSPC : -EINVAL);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	buffer->number = number;
	buffer->bytes = PAGE_ALIGN(bytes);
	buffer->mapped = buffer->bytes;
	error = allocate(&file->veu->pdev->dev, buffer);
	if (error) {
		kfree(buffer);
		return ERR_PTR(error);
	}
	insert(file, buffer);
	return buffer;
}

/* Once the device has read the windows again, none of them contains it. */
static void take_out(struct veu_file *file, struct veu_buffer *buffer)
{
	list_del(&buffer->node);
	file->buffer_bytes -= buffer->bytes;
	file->buffer_count--;
}

/* The device does not have the buffer in its windows any more. */
static void free_buffer(struct veu_file *file, struct veu_buffer *buffer)
{
	veu_unmap(file, buffer->number);
	sg_free_table(&buffer->pages);
	dma_free_coherent(&file->veu->pdev->dev, buffer->bytes, buffer->cpu,
			  buffer->dma);
	kfree(buffer);
}

void veu_buffer_drop(struct veu_file *file, struct veu_buffer *buffer)
{
	take_out(file, buffer);
	free_buffer(file, buffer);
}

struct veu_buffer *veu_buffer_find(struct veu_file *file, u32 number)
{
	return number == VEU_OBJECT_RING ? file->ring.memory :
					   idr_find(&file->handles, number);
}

void veu_buffers_free(struct veu_file *file)
{
	struct veu_buffer *buffer, *next;

	list_for_each_entry_safe(buffer, next, &file->buffers, node)
		veu_buffer_drop(file, buffer);
}

/*
 * Handles are used again as late as possible: what is still mapped of a buffer
 * that was destroyed is not to become another one.
 */
static int make_handle(struct veu_file *file)
{
	return idr_alloc_cyclic(&file->handles, NULL, VEU_OBJECT_BUFFER,
				VEU_OBJECT_LAST + 1, GFP_KERNEL_ACCOUNT);
}

int veu_buffer_create(struct veu_file *file, void *argument)
{
	struct veu_linux_buffer *a = argument;
	struct veu_buffer *buffer;
	int number;

	if (a->reserved)
		return -EINVAL;
	number = make_handle(file);
	if (number < 0)
		return number;
	buffer = veu_buffer_make(file, a->bytes, number);
	if (IS_ERR(buffer)) {
		idr_remove(&file->handles, number);
		return PTR_ERR(buffer);
	}
	idr_replace(&file->handles, buffer, number);
	veu_ring_reload(file);
	a->bytes = buffer->bytes;
	a->handle = number;
	a->address = buffer->dma;
	a->offset = (u64)number << VEU_OFFSET_SHIFT;
	return 0;
}

/* Commands that still use it end with a fault. */
int veu_buffer_destroy(struct veu_file *file, void *argument)
{
	struct veu_linux_destroy *a = argument;
	struct veu_buffer *buffer = idr_find(&file->handles, a->handle);

	if (a->reserved || !buffer)
		return -EINVAL;
	take_out(file, buffer);
	veu_ring_reload(file);
	free_buffer(file, buffer);
	idr_remove(&file->handles, a->handle);
	return 0;
}

/* The file's windows as the device reads them; returns how many there are. */
u32 veu_windows_write(struct veu_file *file)
{
	struct veu_window *window = file->windows;
	struct veu_buffer *buffer;

	list_for_each_entry(buffer, &file->buffers, node) {
		window->address = buffer->dma;
		window->bytes = buffer->bytes;
		window->permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE;
		window++;
	}
	return window - file->windows;
}
