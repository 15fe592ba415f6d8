// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: page tables of the device; see veu_space.h.
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "veu_driver.h"

/*
 * The most tables of a space, each 8 KiB with its second half: enough for 16
 * GiB without gaps. They are also charged to the process's memory cgroup.
 */
#define VEU_TABLES_MOST 8192

/*
 * After checking this many entries, the lock is released for waiters: this
 * covers that many adjacent pages, or as few as one in each of eight tables.
 */
#define VEU_LOOKS_AT_ONCE 4096

static struct device *device_of(const struct kveu_space *space)
{
	return &space->veu->pdev->dev;
}

static unsigned int index_of(u64 address, unsigned int level)
{
	return address >> (VEU_TABLE_PAGE_BITS + VEU_TABLE_BITS * (level - 1)) &
	       (VEU_TABLE_ENTRIES - 1);
}

/* The first address that belongs to the next entry of that level. */
static u64 next_of(u64 address, unsigned int level)
{
	u64 bytes = 1ull << (VEU_TABLE_PAGE_BITS +
			     VEU_TABLE_BITS * (level - 1));

	return (address | (bytes - 1)) + 1;
}

static struct kveu_table *make_table(struct kveu_space *space)
{
	struct kveu_table *table;

	if (space->tables == VEU_TABLES_MOST)
		return NULL;
	table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	if (!table)
		return NULL;
	table->below = (void **)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	table->entries = dma_alloc_coherent(device_of(space), PAGE_SIZE,
					    &table->dma, GFP_KERNEL_ACCOUNT);
	if (table->below && table->entries) {
		space->tables++;
		return table;
	}
	if (table->entries)
		dma_free_coherent(device_of(space), PAGE_SIZE, table->entries,
				  table->dma);
	free_page((unsigned long)table->below);
	kfree(table);
	return NULL;
}

static void free_table(struct kveu_space *space, struct kveu_table *table)
{
	dma_free_coherent(device_of(space), PAGE_SIZE, table->entries,
			  table->dma);
	free_page((unsigned long)table->below);
	kfree(table);
	space->tables--;
}

/* Frees the tables below those of @level; recurses at most four levels. */
static void free_below(struct kveu_space *space, void **below,
		       unsigned int level)
{
	struct kveu_table *table;
	unsigned int i;

	for (i = 0; level > 1 && i < VEU_TABLE_ENTRIES; i++) {
		table = below[i];
		if (!table)
			continue;
		free_below(space, table->below, level - 1);
		free_table(space, table);
	}
}

static int open_nothing(struct kveu_space *space)
{
	return 0;
}

static void bind_plain(struct kveu_space *space, void __iomem *registers)
{
	writel(0, registers + VEU_REG_CONTEXT_OPTIONS);
}

static void do_nothing(struct kveu_space *space)
{
}

static void free_plain(struct kveu_space *space)
{
	kfree(space);
}

static const struct kveu_space_ops plain_ops = {
	.open = open_nothing,
	.bind = bind_plain,
	.close = do_nothing,
	.free_memory = do_nothing,
	.free = free_plain,
};

/**
 * kveu_space_init() - Initialize a space that is part of another structure
 * @space: The space, all zeros.
 * @veu: The device; the space holds a reference to it.
 * @ops: What the structure adds.
 */
void kveu_space_init(struct kveu_space *space, struct kveu_device *veu,
		     const struct kveu_space_ops *ops)
{
	kref_init(&space->ref);
	space->veu = veu;
	space->ops = ops;
	mutex_init(&space->making);
	spin_lock_init(&space->lock);
	kref_get(&veu->ref);
}

/**
 * kveu_space_make() - Make a space for explicit mappings
 * @veu: The device.
 *
 * Return: the space, with one reference, or NULL if there is no memory.
 */
struct kveu_space *kveu_space_make(struct kveu_device *veu)
{
	struct kveu_space *space = kzalloc(sizeof(*space), GFP_KERNEL_ACCOUNT);

	if (space)
		kveu_space_init(space, veu, &plain_ops);
	return space;
}

/*
 * Frees the memory that the device used; the rest stays. A worker that makes
 * tables has finished, or will find the space closed.
 */
static void free_memory(struct kveu_space *space)
{
	struct kveu_table *top;

	mutex_lock(&space->making);
	spin_lock(&space->lock);
	top = space->top;
	space->top = NULL;
	spin_unlock(&space->lock);
	if (top) {
		free_below(space, top->below, VEU_TABLE_LEVELS);
		free_table(space, top);
	}
	space->ops->free_memory(space);
	mutex_unlock(&space->making);
}

/**
 * kveu_space_open() - Allocate the device's memory of a space
 * @space: The space.
 *
 * Return: 0, or -ENOMEM.
 */
int kveu_space_open(struct kveu_space *space)
{
	int error;

	space->top = make_table(space);
	error = space->top ? space->ops->open(space) : -ENOMEM;
	if (error)
		free_memory(space);
	return error;
}

static void release(struct kref *ref)
{
	struct kveu_space *space = container_of(ref, struct kveu_space, ref);
	struct kveu_device *veu = space->veu;

	space->ops->free(space);
	kveu_device_put(veu);
}

/**
 * kveu_space_get() - Take a reference
 * @space: The space.
 */
void kveu_space_get(struct kveu_space *space)
{
	kref_get(&space->ref);
}

/**
 * kveu_space_put() - Drop a reference
 * @space: The space. The caller of the last put must have closed it, if it was
 *	   opened.
 */
void kveu_space_put(struct kveu_space *space)
{
	kref_put(&space->ref, release);
}

/**
 * kveu_space_bind() - Set up a context with a space
 * @space: The space, which is open.
 * @context: The context's number. The ring that uses it is not enabled yet.
 */
void kveu_space_bind(struct kveu_space *space, u32 context)
{
	void __iomem *registers = kveu_context(space->veu, context);

	spin_lock(&space->lock);
	space->context = context;
	writel(VEU_CONTEXT_TABLES, registers + VEU_REG_CONTEXT_TYPE);
	writeq(space->top->dma, registers + VEU_REG_CONTEXT_ROOT);
	space->ops->bind(space, registers);
	space->bound = true;
	spin_unlock(&space->lock);
}

/**
 * kveu_space_unbind() - Release the context of a space
 * @space: The space. Its ring has stopped; changes of entries need no
 *	   invalidation until the next kveu_space_bind().
 */
void kveu_space_unbind(struct kveu_space *space)
{
	spin_lock(&space->lock);
	space->bound = false;
	spin_unlock(&space->lock);
}

/**
 * kveu_space_close() - Remove all entries and free the device's memory
 * @space: The space. It is unusable afterwards, and may outlive the device.
 *
 * Sleeps.
 */
void kveu_space_close(struct kveu_space *space)
{
	spin_lock(&space->lock);
	space->bound = false;
	WRITE_ONCE(space->closed, true);
	spin_unlock(&space->lock);
	kveu_space_clear(space, 0, VEU_SPACE_END, true);
	space->ops->close(space);
	free_memory(space);
}

/* Invalidates one aligned power-of-two range that contains everything. */
static void invalidate(struct kveu_space *space, u64 start, u64 end)
{
	unsigned int bits = max(fls64(start ^ (end - 1)), VEU_TABLE_PAGE_BITS);

	if (!space->bound)
		return;
	writeq(VEU_INVALIDATE(start, (u64)bits - VEU_TABLE_PAGE_BITS),
	       kveu_context(space->veu, space->context) +
	       VEU_REG_CONTEXT_INVALIDATE);
	/* DEV-3.12: when this read returns, no access is under way. */
	readl(space->veu->regs + VEU_REG_MAGIC);
}

/* The device caches no invalid entry, so a new one needs nothing else. */
static struct kveu_table *table_below(struct kveu_space *space,
				      struct kveu_table *table,
				      unsigned int index)
{
	struct kveu_table *next = table->below[index];

	if (next)
		return next;
	next = make_table(space);
	if (!next)
		return NULL;
	spin_lock(&space->lock);
	WRITE_ONCE(table->below[index], next);
	WRITE_ONCE(table->entries[index], next->dma | VEU_PAGE_VALID);
	spin_unlock(&space->lock);
	return next;
}

static int reserve(struct kveu_space *space, u64 address)
{
	struct kveu_table *table = space->top;
	unsigned int level;

	lockdep_assert_held(&space->making);
	for (level = VEU_TABLE_LEVELS; table && level > 1; level--)
		table = table_below(space, table, index_of(address, level));
	return table ? 0 : -ENOMEM;
}

/**
 * kveu_space_reserve() - Make the tables for a range
 * @space: The space.
 * @start: The first address.
 * @end: The address after the last one.
 *
 * Sleeps.
 *
 * Return: 0, -ENOMEM, or -ESRCH if the space is closed.
 */
int kveu_space_reserve(struct kveu_space *space, u64 start, u64 end)
{
	int error = 0;

	mutex_lock(&space->making);
	for (; start < end && !error; start = next_of(start, 2)) {
		error = READ_ONCE(space->closed) ? -ESRCH :
						   reserve(space, start);
		cond_resched();
	}
	mutex_unlock(&space->making);
	return error;
}

/* Removes all tables except the top one and returns them in @below. */
static void clear_top(struct kveu_space *space, void ***below)
{
	spin_lock(&space->lock);
	memset(space->top->entries, 0, PAGE_SIZE);
	invalidate(space, 0, VEU_SPACE_END);
	swap(space->top->below, *below);
	spin_unlock(&space->lock);
}

/**
 * kveu_space_drop() - Free all tables, and with them all entries
 * @space: The space.
 *
 * Sleeps.
 *
 * Return: 0, or -ENOMEM, with which nothing was freed.
 */
int kveu_space_drop(struct kveu_space *space)
{
	void **below = (void **)get_zeroed_page(GFP_KERNEL_ACCOUNT);

	if (!below)
		return -ENOMEM;
	mutex_lock(&space->making);
	if (!READ_ONCE(space->closed)) {
		kveu_space_clear(space, 0, VEU_SPACE_END, true);
		clear_top(space, &below);
		free_below(space, below, VEU_TABLE_LEVELS);
	}
	mutex_unlock(&space->making);
	free_page((unsigned long)below);
	return 0;
}

/*
 * The level-1 table with the entry of *@address. If there is none, returns NULL
 * and moves *@address to the first address that may have one.
 */
static struct kveu_table *find_table(const struct kveu_space *space,
				     u64 *address)
{
	struct kveu_table *table = space->top, *next;
	unsigned int level;

	for (level = VEU_TABLE_LEVELS; table && level > 1; level--) {
		next = table->below[index_of(*address, level)];
		if (!next)
			*address = next_of(*address, level);
		table = next;
	}
	return table;
}

/**
 * kveu_space_entry() - Read an entry
 * @space: The space, locked.
 * @address: The virtual address.
 *
 * Return: the entry as the device reads it; 0 if there is none.
 */
u64 kveu_space_entry(const struct kveu_space *space, u64 address)
{
	struct kveu_table *table;

	lockdep_assert_held(&space->lock);
	table = find_table(space, &address);
	return table ? table->entries[index_of(address, 1)] : 0;
}

/**
 * kveu_space_set() - Set an entry that is not valid yet
 * @space: The space, locked.
 * @address: The virtual address. Its table exists: kveu_space_reserve().
 * @page: The page, which is unmapped for the device with the entry; NULL if the
 *	  caller does that.
 * @dma: The page's address for the device.
 * @permissions: VEU_PAGE_READ, VEU_PAGE_WRITE.
 */
void kveu_space_set(struct kveu_space *space, u64 address, struct page *page,
		    dma_addr_t dma, u64 permissions)
{
	struct kveu_table *table;

	lockdep_assert_held(&space->lock);
	table = find_table(space, &address);
	table->below[index_of(address, 1)] = page;
	/* The device may read it immediately, in one access. */
	WRITE_ONCE(table->entries[index_of(address, 1)],
		   dma | permissions | VEU_PAGE_VALID);
}

/*
 * The next valid entry of @table at or after *@address; else the table's end.
 */
static bool find_entry(const struct kveu_table *table, u64 *address)
{
	unsigned int i;

	for (i = index_of(*address, 1); i < VEU_TABLE_ENTRIES; i++) {
		if (table->entries[i])
			return true;
		*address += PAGE_SIZE;
	}
	return false;
}

/*
 * Finds the next page at or after *@address, before @end. Returns its table, or
 * NULL if there is none, or if *@looks, which counts down, ran out.
 */
static struct kveu_table *next_page(const struct kveu_space *space,
				    u64 *address, u64 end,
				    unsigned int *looks)
{
	struct kveu_table *table;
	bool found;
	u64 from;

	while (space->top && *address < end && *looks) {
		from = *address;
		table = find_table(space, address);
		found = table && find_entry(table, address);
		*looks -= min_t(u64, *looks, table ?
				((*address - from) >> PAGE_SHIFT) + 1 : 1);
		if (found && *address < end)
			return table;
	}
	return NULL;
}

/* Saves what the device may have written before the page is dropped. */
static void forget(struct kveu_space *space, struct kveu_table *table,
		   unsigned int index)
{
	struct page *page = table->below[index];
	u64 entry = table->entries[index];

	table->entries[index] = 0;
	table->below[index] = NULL;
	if (!page)
		return;
	dma_unmap_page_attrs(device_of(space), entry & VEU_PAGE_ADDRESS,
			     PAGE_SIZE, kveu_space_direction(entry),
			     DMA_ATTR_SKIP_CPU_SYNC);
	if (entry & VEU_PAGE_WRITE)
		set_page_dirty(page);
}

/*
 * Clears the first pages from @start on: entries become invalid but keep their
 * addresses, the device is told once, and then the pages are dropped. Returns
 * the address that it reached.
 */
static u64 clear_some(struct kveu_space *space, u64 start, u64 end)
{
	unsigned int looks = VEU_LOOKS_AT_ONCE, again = VEU_LOOKS_AT_ONCE;
	u64 first = end, next = start, at;
	struct kveu_table *table;
	u64 *entry;

	for (at = start; (table = next_page(space, &at, end, &looks)); at = next) {
		entry = &table->entries[index_of(at, 1)];
		WRITE_ONCE(*entry, *entry & ~VEU_PAGE_VALID);
		first = min(first, at);
		next = at + PAGE_SIZE;
	}
	start = space->top ? at : end;
	if (first < next)
		invalidate(space, first, next);
	for (at = first; (table = next_page(space, &at, next, &again));
	     at += PAGE_SIZE)
		forget(space, table, index_of(at, 1));
	return start;
}

/**
 * kveu_space_remove() - Remove an entry
 * @space: The space, locked.
 * @address: The virtual address. The device has no access through it
 *	     afterwards.
 */
void kveu_space_remove(struct kveu_space *space, u64 address)
{
	lockdep_assert_held(&space->lock);
	clear_some(space, address, address + PAGE_SIZE);
}

/**
 * kveu_space_clear() - Remove all entries of a range
 * @space: The space, not locked. The caller keeps others from setting entries
 *	   in the range meanwhile.
 * @start: The first address.
 * @end: The address after the last one.
 * @may_sleep: Whether the caller may sleep; the OOM killer may not.
 *
 * Afterwards, no access through the entries is under way, or will follow.
 */
void kveu_space_clear(struct kveu_space *space, u64 start, u64 end,
		      bool may_sleep)
{
	end = min(end, VEU_SPACE_END);
	while (start < end) {
		spin_lock(&space->lock);
		start = clear_some(space, start, end);
		spin_unlock(&space->lock);
		if (may_sleep)
			cond_resched();
	}
}
