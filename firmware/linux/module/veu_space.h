/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * veu: an address space of the device: page tables (docs/spec.md, section 3.4)
 * that translate the virtual addresses of one file.
 *
 * A table has two halves: the device reads the entries; @below has the driver's
 * data for each entry: the next table or, at level 1, the page.
 *
 * Locks, from the outside in:
 *
 *   kveu_space.making  makes and frees tables; a worker of veu_svm.c takes it
 *                      without any other lock of the driver.
 *   kveu_space.lock    the innermost of the driver's: the entries, and all
 *                      registers of the context from bind to unbind. Notifiers
 *                      of the kernel's memory management take it, so nothing
 *                      may sleep under it.
 */
#ifndef VEU_SPACE_H
#define VEU_SPACE_H

#include <linux/dma-direction.h>
#include <linux/kref.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <veu/page.h>

struct kveu_device;
struct kveu_space;

/* The end of the device's virtual addresses. */
#define VEU_SPACE_END BIT_ULL(48)
/* The driver chooses addresses from here on, processes those below. */
#define VEU_SPACE_DRIVER BIT_ULL(47)

struct kveu_table {
	u64 *entries;
	dma_addr_t dma;
	void **below;	/* of VEU_TABLE_ENTRIES */
};

/**
 * struct kveu_space_ops - operations of a space other than explicit mappings
 * @open: Allocates the device's memory. Returns 0, or a negative errno.
 * @bind: Sets up the context; called under the lock.
 * @close: Called after the last entry has been removed; sleeps.
 * @free_memory: Frees what @open has allocated; called under @making.
 * @free: Frees the structure.
 */
struct kveu_space_ops {
	int (*open)(struct kveu_space *space);
	void (*bind)(struct kveu_space *space, void __iomem *registers);
	void (*close)(struct kveu_space *space);
	void (*free_memory)(struct kveu_space *space);
	void (*free)(struct kveu_space *space);
};

struct kveu_space {
	struct kref ref;
	struct kveu_device *veu;
	const struct kveu_space_ops *ops;
	struct mutex making;	/* see above */
	spinlock_t lock;	/* see above */
	struct kveu_table *top;	/* NULL once the device's memory is freed */
	u32 tables;	/* made; under making */
	u32 context;
	bool bound;	/* a ring may use it, so changes need an invalidation */
	bool closed;	/* nothing is mapped any more */
};

/* A space begins without device memory, which kveu_space_open() allocates. */
struct kveu_space *kveu_space_make(struct kveu_device *veu);
void kveu_space_init(struct kveu_space *space, struct kveu_device *veu,
		     const struct kveu_space_ops *ops);
int kveu_space_open(struct kveu_space *space);
void kveu_space_close(struct kveu_space *space);
void kveu_space_get(struct kveu_space *space);
void kveu_space_put(struct kveu_space *space);

void kveu_space_bind(struct kveu_space *space, u32 context);
void kveu_space_unbind(struct kveu_space *space);

int kveu_space_reserve(struct kveu_space *space, u64 start, u64 end);
int kveu_space_drop(struct kveu_space *space);
void kveu_space_clear(struct kveu_space *space, u64 start, u64 end,
		      bool may_sleep);

/* Called under the lock. */
void kveu_space_set(struct kveu_space *space, u64 address, struct page *page,
		    dma_addr_t dma, u64 permissions);
void kveu_space_remove(struct kveu_space *space, u64 address);
u64 kveu_space_entry(const struct kveu_space *space, u64 address);

/*
 * How the page of an entry is mapped. A page that the device only reads is
 * mapped as such: the zero page stands at any number of addresses, and one that
 * the device could write must not.
 */
static inline enum dma_data_direction kveu_space_direction(u64 entry)
{
	return entry & VEU_PAGE_WRITE ? DMA_BIDIRECTIONAL : DMA_TO_DEVICE;
}

#endif /* VEU_SPACE_H */
