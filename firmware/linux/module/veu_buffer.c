// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: memory that a process and the device share.
 *
 * Rings, and buffers of a device without page tables, are contiguous for the
 * device. Where there is an IOMMU, their pages may be anywhere. Coherent memory
 * needs no cache to be flushed when a process hands it to the device without
 * entering the kernel.
 *
 * Other buffers consist of pages from anywhere: the driver's, or the process's
 * own, which are pinned. They are coherent with the device like all RAM; on a
 * system where they would not be, only windows are used (veu_main.c).
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "veu_driver.h"

/*
 * The limit for the buffers of one file: with windows, contiguous memory, which
 * is rare; otherwise half of the memory. It is also charged to the process's
 * memory cgroup.
 */
#define VEU_WINDOWS_BYTES SZ_256M

static u64 most_bytes(const struct kveu_file *file)
{
	return file->space ? (u64)totalram_pages() << PAGE_SHIFT >> 1 :
			     VEU_WINDOWS_BYTES;
}

/* --- Memory of the kinds -------------------------------------------------- */

static int allocate_coherent(struct device *dev, struct kveu_buffer *buffer)
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

static void free_pages_of(struct page **pages, size_t count)
{
	while (count--) {
		__free_page(pages[count]);
		cond_resched();
	}
	kvfree(pages);
}

/* The caller frees the array, but not the pages. */
static struct page **allocate_pages(size_t count)
{
	struct page **pages = kvcalloc(count, sizeof(*pages),
				       GFP_KERNEL_ACCOUNT);
	size_t i;

	for (i = 0; pages && i < count; i++) {
		pages[i] = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO |
				      __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
		if (!pages[i] || fatal_signal_pending(current)) {
			free_pages_of(pages, i + !!pages[i]);
			return NULL;
		}
	}
	return pages;
}

/* Describes the pages to the device and to the kernel. */
static int describe(struct device *dev, struct kveu_buffer *buffer,
		    struct page **pages)
{
	size_t count = buffer->bytes >> PAGE_SHIFT;
	int error = sg_alloc_table_from_pages_segment(&buffer->pages, pages,
						      count, 0, buffer->bytes,
						      dma_get_max_seg_size(dev),
						      GFP_KERNEL_ACCOUNT);

	if (error)
		return error;
	error = dma_map_sgtable(dev, &buffer->pages, DMA_BIDIRECTIONAL,
				DMA_ATTR_SKIP_CPU_SYNC);
	if (error)
		sg_free_table(&buffer->pages);
	return error;
}

static void undescribe(struct device *dev, struct kveu_buffer *buffer)
{
	dma_unmap_sgtable(dev, &buffer->pages, DMA_BIDIRECTIONAL,
			  DMA_ATTR_SKIP_CPU_SYNC);
}

static int allocate_scattered(struct device *dev, struct kveu_buffer *buffer)
{
	size_t count = buffer->bytes >> PAGE_SHIFT;
	struct page **pages = allocate_pages(count);
	int error;

	if (!pages)
		return -ENOMEM;
	error = describe(dev, buffer, pages);
	if (!error)
		buffer->cpu = vmap(pages, count, VM_MAP, PAGE_KERNEL);
	if (!error && !buffer->cpu) {
		undescribe(dev, buffer);
		sg_free_table(&buffer->pages);
		error = -ENOMEM;
	}
	if (error)
		free_pages_of(pages, count);
	else
		kvfree(pages);
	return error;
}

static void free_scattered(struct device *dev, struct kveu_buffer *buffer)
{
	struct sg_page_iter iter;

	vunmap(buffer->cpu);
	undescribe(dev, buffer);
	for_each_sgtable_page(&buffer->pages, &iter, 0) {
		__free_page(sg_page_iter_page(&iter));
		cond_resched();
	}
	sg_free_table(&buffer->pages);
}

/* --- A process's own memory ----------------------------------------------- */

/*
 * Charges all processes of the user together, like other drivers that pin
 * memory.
 */
static int charge(struct user_struct *user, size_t pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

	if (atomic_long_add_return(pages, &user->locked_vm) <= limit ||
	    capable(CAP_IPC_LOCK))
		return 0;
	atomic_long_sub(pages, &user->locked_vm);
	return -ENOMEM;
}

/*
 * Returns how many were pinned, or an error. Private memory is pinned as if it
 * were written, even for reading: it then has its own pages, and the device
 * also sees what the process first stores there later. Other memory has no
 * copies; if it may not be written, the result is -EFAULT.
 */
static int pin_some(u64 address, size_t count, bool write, struct page **pages)
{
	int most = min_t(size_t, count, INT_MAX), got;

	got = pin_user_pages_fast(address, most, FOLL_LONGTERM | FOLL_WRITE |
				  (write ? 0 : FOLL_FORCE), pages);
	if (got != -EFAULT || write)
		return got;
	return pin_user_pages_fast(address, most, FOLL_LONGTERM, pages);
}

static int pin(struct kveu_buffer *buffer, u64 address, bool write)
{
	size_t count = buffer->bytes >> PAGE_SHIFT, done = 0;
	struct page **pages = kvcalloc(count, sizeof(*pages),
				       GFP_KERNEL_ACCOUNT);
	int got = pages ? 0 : -ENOMEM;

	while (pages && done < count) {
		got = pin_some(address + done * PAGE_SIZE, count - done, write,
			       pages + done);
		if (got <= 0)
			break;
		done += got;
	}
	buffer->pinned = pages;
	if (done == count)
		return 0;
	if (pages)
		unpin_user_pages(pages, done);
	kvfree(pages);
	return got < 0 ? got : -EFAULT;
}

/**
 * kveu_buffer_pin() - Pin memory of the calling process
 * @address: Its address, a multiple of the page size.
 * @bytes: Its size, a multiple of the page size.
 * @write: Whether the device will write it.
 *
 * Takes mmap_lock, so the caller must not hold a lock of the driver.
 *
 * Return: a buffer that belongs to no file yet, or an error pointer.
 */
struct kveu_buffer *kveu_buffer_pin(u64 address, u64 bytes, bool write)
{
	struct kveu_buffer *buffer;
	int error;

	if (bytes >> PAGE_SHIFT > totalram_pages())
		return ERR_PTR(-ENOSPC);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&buffer->maps);
	buffer->kind = VEU_BUFFER_PINNED;
	buffer->bytes = bytes;
	buffer->is_written = write;
	buffer->user = get_uid(current_user());
	error = charge(buffer->user, bytes >> PAGE_SHIFT);
	if (!error) {
		error = pin(buffer, address, write);
		if (!error)
			return buffer;
		atomic_long_sub(bytes >> PAGE_SHIFT, &buffer->user->locked_vm);
	}
	free_uid(buffer->user);
	kfree(buffer);
	return ERR_PTR(error);
}

/**
 * kveu_buffer_unpin() - Unpin memory and free the buffer
 * @buffer: From kveu_buffer_pin(). The device no longer uses it:
 *	    kveu_buffer_part().
 */
void kveu_buffer_unpin(struct kveu_buffer *buffer)
{
	size_t count = buffer->bytes >> PAGE_SHIFT;

	unpin_user_pages_dirty_lock(buffer->pinned, count, buffer->is_written);
	kvfree(buffer->pinned);
	atomic_long_sub(count, &buffer->user->locked_vm);
	free_uid(buffer->user);
	kfree(buffer);
}

/**
 * kveu_buffer_join() - Add pinned memory to a file
 * @file: The file, locked.
 * @buffer: From kveu_buffer_pin().
 *
 * Return: 0, or a negative errno.
 */
int kveu_buffer_join(struct kveu_file *file, struct kveu_buffer *buffer)
{
	int error = describe(&file->veu->pdev->dev, buffer, buffer->pinned);

	if (!error)
		list_add(&buffer->node, &file->buffers);
	return error;
}

/**
 * kveu_buffer_part() - Remove pinned memory from a file
 * @file: The file, locked.
 * @buffer: The buffer, which is mapped nowhere.
 */
void kveu_buffer_part(struct kveu_file *file, struct kveu_buffer *buffer)
{
	list_del(&buffer->node);
	undescribe(&file->veu->pdev->dev, buffer);
	sg_free_table(&buffer->pages);
}

/* --- Buffers -------------------------------------------------------------- */

/**
 * kveu_buffer_make() - Allocate a buffer of a file
 * @file: The file, locked.
 * @bytes: Its size, which is rounded up to whole pages.
 * @number: Its handle, or VEU_OBJECT_RING for one that is contiguous.
 *
 * Return: the buffer, which has no address yet, or an error pointer: -EINVAL
 * for no bytes, -ENOSPC for more than a file may have, -ENOMEM.
 */
struct kveu_buffer *kveu_buffer_make(struct kveu_file *file, u64 bytes,
				     u32 number)
{
	struct device *dev = &file->veu->pdev->dev;
	struct kveu_buffer *buffer;
	int error;

	if (!bytes)
		return ERR_PTR(-EINVAL);
	if (file->buffer_bytes >= most_bytes(file) ||
	    bytes > most_bytes(file) - file->buffer_bytes)
		return ERR_PTR(-ENOSPC);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&buffer->maps);
	buffer->number = number;
	buffer->bytes = PAGE_ALIGN(bytes);
	buffer->mapped = buffer->bytes;
	if (file->space && number != VEU_OBJECT_RING)
		buffer->kind = VEU_BUFFER_SCATTERED;
	error = buffer->kind == VEU_BUFFER_SCATTERED ?
		allocate_scattered(dev, buffer) :
		allocate_coherent(dev, buffer);
	if (error) {
		kfree(buffer);
		return ERR_PTR(error);
	}
	list_add(&buffer->node, &file->buffers);
	file->buffer_bytes += buffer->bytes;
	return buffer;
}

/**
 * kveu_unmap() - Remove what processes have mapped of an object
 * @file: The file, locked.
 * @number: enum kveu_object, or a handle. An access faults again.
 */
void kveu_unmap(struct kveu_file *file, u32 number)
{
	if (file->mapping)
		unmap_mapping_range(file->mapping,
				    (loff_t)number << VEU_OFFSET_SHIFT,
				    1ll << VEU_OFFSET_SHIFT, 1);
}

/**
 * kveu_unmap_all() - Remove what processes have mapped of a file
 * @file: The file. An access faults again.
 */
void kveu_unmap_all(struct kveu_file *file)
{
	if (file->mapping)
		unmap_mapping_range(file->mapping, 0, 0, 1);
}

/**
 * kveu_buffer_drop() - Free a buffer of a file
 * @file: The file, locked.
 * @buffer: The buffer. Neither a process nor the device can access it
 *	    afterwards.
 */
void kveu_buffer_drop(struct kveu_file *file, struct kveu_buffer *buffer)
{
	struct device *dev = &file->veu->pdev->dev;

	kveu_map_remove(file, buffer);
	if (buffer->kind == VEU_BUFFER_PINNED) {
		kveu_buffer_part(file, buffer);
		kveu_buffer_unpin(buffer);
		return;
	}
	list_del(&buffer->node);
	file->buffer_bytes -= buffer->bytes;
	kveu_unmap(file, buffer->number);
	if (buffer->kind == VEU_BUFFER_SCATTERED) {
		free_scattered(dev, buffer);
	} else {
		sg_free_table(&buffer->pages);
		dma_free_coherent(dev, buffer->bytes, buffer->cpu, buffer->dma);
	}
	kfree(buffer);
}

/**
 * kveu_buffer_find() - Find an object of a file
 * @file: The file, locked.
 * @number: VEU_OBJECT_RING, or a handle.
 *
 * Return: the buffer, or NULL.
 */
struct kveu_buffer *kveu_buffer_find(struct kveu_file *file, u32 number)
{
	return number == VEU_OBJECT_RING ? file->ring.memory :
					   idr_find(&file->handles, number);
}

/**
 * kveu_buffers_free() - Free all buffers of a file
 * @file: The file. Its ring has been freed.
 */
void kveu_buffers_free(struct kveu_file *file)
{
	struct kveu_buffer *buffer, *next;

	list_for_each_entry_safe(buffer, next, &file->buffers, node) {
		kveu_buffer_drop(file, buffer);
		cond_resched();
	}
}

/*
 * Handles are reused as late as possible, so that a mapping of a destroyed
 * buffer does not become one of another buffer.
 */
static int make_handle(struct kveu_file *file)
{
	return idr_alloc_cyclic(&file->handles, NULL, VEU_OBJECT_BUFFER,
				VEU_OBJECT_LAST + 1, GFP_KERNEL_ACCOUNT);
}

/**
 * kveu_buffer_map() - Map all of a buffer where the driver chooses
 * @file: The file, locked.
 * @buffer: The buffer, whose address is set.
 *
 * Return: 0, or a negative errno.
 */
int kveu_buffer_map(struct kveu_file *file, struct kveu_buffer *buffer)
{
	struct kveu_map map = {
		.address = kveu_map_choose(file, buffer),
		.bytes = buffer->bytes,
		.buffer = buffer,
		.permissions = VEU_PAGE_READ | VEU_PAGE_WRITE,
	};

	buffer->address = map.address;
	return kveu_map_add(file, &map);
}

static struct kveu_buffer *make_mapped(struct kveu_file *file, u64 bytes,
				       u32 number)
{
	struct kveu_buffer *buffer = kveu_buffer_make(file, bytes, number);
	int error;

	if (IS_ERR(buffer))
		return buffer;
	error = kveu_buffer_map(file, buffer);
	if (!error)
		return buffer;
	kveu_buffer_drop(file, buffer);
	return ERR_PTR(error);
}

/**
 * kveu_buffer_create() - VEU_IOC_BUFFER_CREATE
 * @file: The file, locked.
 * @argument: struct veu_linux_buffer.
 *
 * Return: 0, or a negative errno.
 */
int kveu_buffer_create(struct kveu_file *file, void *argument)
{
	struct veu_linux_buffer *a = argument;
	struct kveu_buffer *buffer;
	int number;

	if (a->reserved || file->mm)
		return -EINVAL;
	number = make_handle(file);
	if (number < 0)
		return number;
	buffer = make_mapped(file, a->bytes, number);
	if (IS_ERR(buffer)) {
		idr_remove(&file->handles, number);
		return PTR_ERR(buffer);
	}
	idr_replace(&file->handles, buffer, number);
	a->bytes = buffer->bytes;
	a->handle = number;
	a->address = buffer->address;
	a->offset = (u64)number << VEU_OFFSET_SHIFT;
	return 0;
}

/**
 * kveu_buffer_destroy() - VEU_IOC_BUFFER_DESTROY
 * @file: The file, locked.
 * @argument: struct veu_linux_destroy. Commands that still use the buffer end
 *	      with a fault.
 *
 * Return: 0, or -EINVAL.
 */
int kveu_buffer_destroy(struct kveu_file *file, void *argument)
{
	struct veu_linux_destroy *a = argument;
	struct kveu_buffer *buffer = idr_find(&file->handles, a->handle);

	if (a->reserved || !buffer)
		return -EINVAL;
	kveu_buffer_drop(file, buffer);
	idr_remove(&file->handles, a->handle);
	return 0;
}
