// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: MAP and UNMAP: what a process maps at addresses of its choice.
 */
#include "veu_driver.h"

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

static int add(struct kveu_file *file, const struct veu_linux_map *a,
	       struct kveu_buffer *buffer, u64 offset)
{
	struct kveu_map map = {
		.address = a->address,
		.bytes = a->bytes,
		.buffer = buffer,
		.offset = offset,
		.permissions =
			(a->flags & VEU_LINUX_READ ? VEU_PAGE_READ : 0) |
			(a->flags & VEU_LINUX_WRITE ? VEU_PAGE_WRITE : 0),
	};

	return kveu_map_add(file, &map);
}

static int map_buffer(struct kveu_file *file, const struct veu_linux_map *a)
{
	struct kveu_buffer *buffer = idr_find(&file->handles, a->handle);

	if (!buffer || a->memory + a->bytes > buffer->bytes)
		return -EINVAL;
	return add(file, a, buffer, a->memory);
}

static int map_pinned(struct kveu_file *file, const struct veu_linux_map *a,
		      struct kveu_buffer *buffer)
{
	int error = kveu_buffer_join(file, buffer);

	if (error)
		return error;
	error = add(file, a, buffer, 0);
	if (error)
		kveu_buffer_part(file, buffer);
	return error;
}

/**
 * kveu_map_ioctl() - VEU_IOC_MAP
 * @file: The file, not locked: memory is pinned first, which takes mmap_lock.
 * @argument: struct veu_linux_map.
 *
 * Return: 0, or a negative errno.
 */
int kveu_map_ioctl(struct kveu_file *file, void *argument)
{
	struct veu_linux_map *a = argument;
	struct kveu_buffer *buffer = NULL;
	int error;

	if (!is_legal(a))
		return -EINVAL;
	if (!a->handle)
		buffer = kveu_buffer_pin(a->memory, a->bytes,
					 a->flags & VEU_LINUX_WRITE);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	error = kveu_enter(file);
	if (!error) {
		if (!file->space || file->mm)
			error = -EOPNOTSUPP;
		else if (buffer)
			error = map_pinned(file, a, buffer);
		else
			error = map_buffer(file, a);
		kveu_leave(file);
	}
	if (error && buffer)
		kveu_buffer_unpin(buffer);
	return error;
}

/**
 * kveu_unmap_ioctl() - VEU_IOC_UNMAP
 * @file: The file, locked.
 * @argument: struct veu_linux_unmap. A mapping is removed as it was made: as a
 *	      whole.
 *
 * Return: 0, or -EINVAL.
 */
int kveu_unmap_ioctl(struct kveu_file *file, void *argument)
{
	struct veu_linux_unmap *a = argument;
	struct kveu_map *map = kveu_map_find(file, a->address);
	struct kveu_buffer *buffer;

	if (!map || map->address != a->address || map->bytes != a->bytes ||
	    a->address >= VEU_SPACE_DRIVER || !file->space)
		return -EINVAL;
	buffer = map->buffer;
	kveu_map_drop(file, map);
	if (buffer->kind == VEU_BUFFER_PINNED) {
		kveu_buffer_part(file, buffer);
		kveu_buffer_unpin(buffer);
	}
	return 0;
}
