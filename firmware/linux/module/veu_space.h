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
 *   veu_space.making   makes and frees tables; a worker of veu_svm.c takes it
 *                      without any other lock of the driver.
 *   veu_space.lock     the innermost of the driver's: the entries, and all
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

struct veu_device;
struct veu_space;

/* The end of the device's virtual addresses. */
#define VEU_SPACE_END BIT_ULL(48)
/* The driver chooses addresses from here on, processes those below. */
#define VEU_SPACE_DRIVER BIT_ULL(47)

struct veu_table {
	u64 *entries;
	dma_addr_t dma;
	void **below;	/* of VEU_TABLE_ENTRIES */
};

/**
 * struct veu_space_ops - operations of a space other than explicit mappings
 * @open: Allocates the device's memory. Returns 0, or a negative errno.
 * @bind: Sets up the context; called under the lock.
 * @close: Called after the last entry has been removed; sleeps.
 * @free_memory: Frees what @open has allocated; called under @making.
 * @free: Frees the structure.
 */
struct veu_space_ops {
	int (*open)(struct veu_space *space);
	void (*bind)(struct veu_space *space, void __iomem *registers);
	void (*close)(struct veu_space *space);
	void (*free_memory)(struct veu_space *space);
	void (*free)(struct veu_space *space);
};

struct veu_space {
	struct kref ref;
	struct veu_device *veu;
	const struct veu_space_ops *ops;
	struct mutex making;	/* see above */
	spinlock_t lock;	/* see above */
	struct veu_table *top;	/* NULL once the device's memory is freed */
	u32 tables;	/* made; under making */
	u32 context;
	bool bound;	/* a ring may use it, so changes need an invalidation */
	bool closed;	/* nothing is mapped any more */
};

/* A space begins without device memory, which veu_space_open() allocates. */
struct veu_space *veu_space_make(struct veu_device *veu);
void veu_space_init(struct veu_space *space, struct veu_device *veu,
		    const struct veu_space_ops *ops);
int veu_space_open(struct veu_space *space);
void veu_space_close(struct veu_space *space);
void veu_space_get(struct veu_space *space);
void veu_space_put(struct veu_space *space);

void veu_space_bind(struct veu_space *space, u32 context);
void veu_space_unbind(struct veu_space *space);

int veu_space_reserve(struct veu_space *space, u64 start, u64 end);
int veu_space_drop(struct veu_space *space);
void veu_space_clear(struct veu_space *space, u64 start, u64 end,
		     bool may_sleep);

/* Called under the lock. */
void veu_space_set(struct veu_space *space, u64 address, struct page *page,
		   dma_addr_t dma, u64 permissions);
void veu_space_remove(struct veu_space *space, u64 address);
u64 veu_space_entry(const struct veu_space *space, u64 address);

/*
 * How the page of an entry is mapped. A page that the device only reads is
 * mapped as such: the zero page stands at any number of addresses, and one that
 * the device could write must not.
 */
static inline enum dma_data_direction veu_space_direction(u64 entry)
{
	return entry & VEU_PAGE_WRITE ? DMA_BIDIRECTIONAL : DMA_TO_DEVICE;
}

#endif /* VEU_SPACE_H */
