// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the memory that a file's ring can access, and its addresses. With page
 * tables, the process chooses addresses below VEU_SPACE_DRIVER, and the driver
 * those above. Without page tables, each buffer is a window at its bus address.
 */
#include <linux/interval_tree_generic.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "veu_driver.h"

static u64 first_of(const struct kveu_map *map)
{
	return map->address;
}

static u64 last_of(const struct kveu_map *map)
{
	return map->address + map->bytes - 1;
}

INTERVAL_TREE_DEFINE(struct kveu_map, rb, u64, last_below, first_of, last_of,
		     static, tree)

/**
 * kveu_map_find() - Find a mapping for the device
 * @file: The file, locked.
 * @address: An address of the device.
 *
 * Return: the first mapping that ends after @address, or NULL.
 */
struct kveu_map *kveu_map_find(struct kveu_file *file, u64 address)
{
	return tree_iter_first(&file->maps, address, U64_MAX);
}

/**
 * kveu_map_after() - Find the next mapping for the device
 * @map: A mapping.
 *
 * Return: the mapping with the next higher address, or NULL.
 */
struct kveu_map *kveu_map_after(struct kveu_map *map)
{
	return tree_iter_next(map, 0, U64_MAX);
}

static int insert(struct kveu_file *file, struct kveu_map *map)
{
	if (tree_iter_first(&file->maps, first_of(map), last_of(map)))
		return -EEXIST;
	if (file->map_count == (file->space ? VEU_MAX_MAPS :
					      file->veu->windows))
		return -ENOSPC;
	tree_insert(map, &file->maps);
	list_add(&map->node, &map->buffer->maps);
	file->map_count++;
	return 0;
}

static void take_out(struct kveu_file *file, struct kveu_map *map)
{
	tree_remove(map, &file->maps);
	list_del(&map->node);
	file->map_count--;
}

/* Entries that were not valid need no invalidation. */
static void set_entries(struct kveu_space *space, const struct kveu_map *map)
{
	struct sg_table *pages = &map->buffer->pages;
	u64 at = map->address, end = at + map->bytes;
	struct sg_dma_page_iter iter;

	spin_lock(&space->lock);
	for_each_sgtable_dma_page(pages, &iter, map->offset >> PAGE_SHIFT) {
		if (at == end)
			break;
		kveu_space_set(space, at, NULL, sg_page_iter_dma_address(&iter),
			       map->permissions);
		at += PAGE_SIZE;
		cond_resched_lock(&space->lock);
	}
	spin_unlock(&space->lock);
}

static int show(struct kveu_file *file, const struct kveu_map *map)
{
	int error;

	if (!file->space) {
		kveu_ring_reload(file);
		return 0;
	}
	error = kveu_space_reserve(file->space, map->address,
				   map->address + map->bytes);
	if (!error)
		set_entries(file->space, map);
	return error;
}

/**
 * kveu_map_add() - Map a part of a buffer for the device
 * @file: The file, locked.
 * @wanted: The mapping, which is copied.
 *
 * Return: 0, -EEXIST if something is mapped there, -ENOSPC if the file has too
 * many mappings, or -ENOMEM.
 */
int kveu_map_add(struct kveu_file *file, const struct kveu_map *wanted)
{
	struct kveu_map *map = kmemdup(wanted, sizeof(*map), GFP_KERNEL_ACCOUNT);
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

/**
 * kveu_map_drop() - Remove a mapping for the device
 * @file: The file, locked.
 * @map: The mapping, which is freed. Without page tables, the device accesses
 *	 it until kveu_ring_reload().
 */
void kveu_map_drop(struct kveu_file *file, struct kveu_map *map)
{
	take_out(file, map);
	if (file->space)
		kveu_space_clear(file->space, map->address,
				 map->address + map->bytes, true);
	kfree(map);
}

/**
 * kveu_map_remove() - Remove all mappings of a buffer
 * @file: The file, locked.
 * @buffer: The buffer, which the device cannot access afterwards.
 */
void kveu_map_remove(struct kveu_file *file, const struct kveu_buffer *buffer)
{
	struct kveu_map *map, *next;

	list_for_each_entry_safe(map, next, &buffer->maps, node)
		kveu_map_drop(file, map);
	if (!file->space)
		kveu_ring_reload(file);
}

static u64 room_from(struct kveu_file *file, u64 at, u64 bytes)
{
	struct kveu_map *map;

	for (map = kveu_map_find(file, at); map;
	     map = kveu_map_find(file, at)) {
		if (map->address >= at && map->address - at >= bytes)
			break;
		at = map->address + map->bytes;
	}
	return at;
}

/**
 * kveu_map_choose() - Choose an address for a buffer
 * @file: The file, locked.
 * @buffer: The buffer.
 *
 * Addresses are reused as late as possible, so that a late command faults
 * instead of accessing another buffer.
 *
 * Return: the address.
 */
u64 kveu_map_choose(struct kveu_file *file, const struct kveu_buffer *buffer)
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
