// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the memory that a file's ring can access, and its addresses. With page
 * tables, the process chooses addresses below VEU_SPACE_DRIVER, and the driver
 * those above. Without page tables, each buffer is a window at its bus address.
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "veu_driver.h"

/* The first map that ends after @address. */
static struct veu_map *find(struct veu_file *file, u64 address)
{
	struct veu_map *map;

	list_for_each_entry(map, &file->maps, node)
		if (map->address + map->bytes > address)
			return map;
	return NULL;
}

/* Maps are in ascending order, as windows must be. */
static int insert(struct veu_file *file, struct veu_map *map)
{
	struct veu_map *next = find(file, map->address);

	if (next && next->address < map->address + map->bytes)
		return -EEXIST;
	if (file->map_count == (file->space ? VEU_MAX_MAPS :
					      file->veu->windows))
		return -ENOSPC;
	list_add_tail(&map->node, next ? &next->node : &file->maps);
	file->map_count++;
	return 0;
}

static void take_out(struct veu_file *file, struct veu_map *map)
{
	list_del(&map->node);
	file->map_count--;
}

/* Entries that were not valid need no invalidation. */
static void set_entries(struct veu_space *space, const struct veu_map *map)
{
	struct sg_table *pages = &map->buffer->pages;
	u64 at = map->address, end = at + map->bytes;
	struct sg_dma_page_iter iter;

	spin_lock(&space->lock);
	for_each_sgtable_dma_page(pages, &iter, map->offset >> PAGE_SHIFT) {
		if (at == end)
			break;
		veu_space_set(space, at, NULL, sg_page_iter_dma_address(&iter),
			      map->permissions);
		at += PAGE_SIZE;
		cond_resched_lock(&space->lock);
	}
	spin_unlock(&space->lock);
}

static int show(struct veu_file *file, const struct veu_map *map)
{
	int error;

	if (!file->space) {
		veu_ring_reload(file);
		return 0;
	}
	error = veu_space_reserve(file->space, map->address,
				  map->address + map->bytes);
	if (!error)
		set_entries(file->space, map);
	return error;
}

int veu_map_add(struct veu_file *file, const struct veu_map *wanted)
{
	struct veu_map *map = kmemdup(wanted, sizeof(*map), GFP_KERNEL_ACCOUNT);
	int error;

	if (!map)
		return -ENOMEM;
	error = insert(file, map);
	if (error)
		goto no_place;
	error = show(file, map);
	if (!error)
		return 0;
	take_out(file, map);
no_place:
	kfree(map);
	return error;
}

static void remove(struct veu_file *file, struct veu_map *map)
{
	take_out(file, map);
	if (file->space)
		veu_space_clear(file->space, map->address,
				map->address + map->bytes, true);
	kfree(map);
}

/* After this, the device cannot access the buffer. */
void veu_map_remove(struct veu_file *file, const struct veu_buffer *buffer)
{
	struct veu_map *map, *next;

	list_for_each_entry_safe(map, next, &file->maps, node)
		if (map->buffer == buffer)
			remove(file, map);
	if (!file->space)
		veu_ring_reload(file);
}

static u64 room_from(struct veu_file *file, u64 at, u64 bytes)
{
	struct veu_map *map;

	for (map = find(file, at); map; map = find(file, at)) {
		if (map->address >= at && map->address - at >= bytes)
			break;
		at = map->address + map->bytes;
	}
	return at;
}

/*
 * Chooses an address for a buffer. Addresses are reused as late as possible, so
 * that a late command faults instead of accessing another buffer.
 */
u64 veu_map_choose(struct veu_file *file, const struct veu_buffer *buffer)
{
	u64 at;

	if (!file->space)
		return buffer->dma;
	at = room_from(file, max(file->next_address, VEU_SPACE_DRIVER),
		       buffer->bytes);
	if (at > VEU_SPACE_END - buffer->bytes)
		at = room_from(file, VEU_SPACE_DRIVER, buffer->bytes);
	file->next_address = at + buffer->bytes + PAGE_SIZE;
	return at;
}

/* Writes the file's windows for the device. Returns their number. */
u32 veu_windows_write(struct veu_file *file)
{
	struct veu_window *window = file->windows;
	struct veu_map *map;

	list_for_each_entry(map, &file->maps, node) {
		window->address = map->address;
		window->bytes = map->bytes;
		window->permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE;
		window++;
	}
	return window - file->windows;
}

/* --- Calls of a process -------------------------------------------------- */

static bool is_legal(const struct veu_linux_map *a)
{
	u64 all = a->address | a->bytes | a->memory;

	if (a->flags & ~(VEU_LINUX_READ | VEU_LINUX_WRITE) || !a->flags)
		return false;
	return PAGE_ALIGNED(all) && a->bytes &&
	       a->bytes <= VEU_SPACE_DRIVER &&
	       a->address <= VEU_SPACE_DRIVER - a->bytes &&
	       a->memory <= U64_MAX - a->bytes;
}

static int add(struct veu_file *file, const struct veu_linux_map *a,
	       struct veu_buffer *buffer, u64 offset)
{
	struct veu_map map = {
		.address = a->address,
		.bytes = a->bytes,
		.buffer = buffer,
		.offset = offset,
		.permissions =
			(a->flags & VEU_LINUX_READ ? VEU_PAGE_READ : 0) |
			(a->flags & VEU_LINUX_WRITE ? VEU_PAGE_WRITE : 0),
	};

	return veu_map_add(file, &map);
}

static int map_buffer(struct veu_file *file, const struct veu_linux_map *a)
{
	struct veu_buffer *buffer = idr_find(&file->handles, a->handle);

	if (!buffer || a->memory + a->bytes > buffer->bytes)
		return -EINVAL;
	return add(file, a, buffer, a->memory);
}

static int map_pinned(struct veu_file *file, const struct veu_linux_map *a,
		      struct veu_buffer *buffer)
{
	int error = veu_buffer_join(file, buffer);

	if (error)
		return error;
	error = add(file, a, buffer, 0);
	if (error)
		veu_buffer_part(file, buffer);
	return error;
}

/* Memory is pinned outside of the driver, because that takes mmap_lock. */
int veu_map_ioctl(struct veu_file *file, void *argument)
{
	struct veu_linux_map *a = argument;
	struct veu_buffer *buffer = NULL;
	int error;

	if (!is_legal(a))
		return -EINVAL;
	if (!a->handle)
		buffer = veu_buffer_pin(a->memory, a->bytes,
					a->flags & VEU_LINUX_WRITE);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	error = veu_enter(file);
	if (!error) {
		if (!file->space || file->mm)
			error = -EOPNOTSUPP;
		else if (buffer)
			error = map_pinned(file, a, buffer);
		else
			error = map_buffer(file, a);
		veu_leave(file);
	}
	if (error && buffer)
		veu_buffer_unpin(buffer);
	return error;
}

/* A mapping is removed as it was made: as a whole. */
int veu_unmap_ioctl(struct veu_file *file, void *argument)
{
	struct veu_linux_unmap *a = argument;
	struct veu_map *map = find(file, a->address);
	struct veu_buffer *buffer;

	if (!map || map->address != a->address || map->bytes != a->bytes ||
	    a->address >= VEU_SPACE_DRIVER || !file->space)
		return -EINVAL;
	buffer = map->buffer;
	remove(file, map);
	if (buffer->kind == VEU_BUFFER_PINNED) {
		veu_buffer_part(file, buffer);
		veu_buffer_unpin(buffer);
	}
	return 0;
}
