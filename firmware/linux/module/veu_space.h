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
struct veu_svm;

/* The end of the device's virtual addresses. */
#define VEU_SPACE_END BIT_ULL(48)
/* The driver chooses addresses from here on, processes those below. */
#define VEU_SPACE_DRIVER BIT_ULL(47)

struct veu_table {
	u64 *entries;
	dma_addr_t dma;
	void **below;	/* of VEU_TABLE_ENTRIES */
};

struct veu_space {
	struct kref ref;
	struct veu_device *veu;
	struct mutex making;	/* see above */
	spinlock_t lock;	/* see above */
	struct veu_table *top;	/* NULL once the device's memory is freed */
	u32 tables;	/* made; under making */
	u32 context;
	bool bound;	/* a ring may use it, so changes need an invalidation */
	bool closed;	/* nothing is mapped any more */
	struct veu_svm *svm;	/* NULL: only explicit mappings */
};

/* Made without device memory, which the second call allocates. */
struct veu_space *veu_space_make(struct veu_device *veu);
int veu_space_open(struct veu_space *space);
void veu_space_get(struct veu_space *space);
void veu_space_put(struct veu_space *space);

/*
 * Called before a ring and context @context are enabled, and after the ring has
 * stopped.
 */
void veu_space_bind(struct veu_space *space, u32 context);
void veu_space_unbind(struct veu_space *space);
/*
 * Removes everything from the device's view and frees the device's memory. The
 * space is unusable afterwards, and may outlive the device. Sleeps.
 */
void veu_space_close(struct veu_space *space);

/*
 * Makes the tables for a range. Sleeps. Returns -ESRCH if the space is closed.
 */
int veu_space_reserve(struct veu_space *space, u64 start, u64 end);
/* Frees all tables, and with them all mappings. Sleeps. */
int veu_space_drop(struct veu_space *space);

/*
 * Called under the lock. For veu_space_set(), the entry's table must exist;
 * @page is NULL if the caller unmaps the memory itself. veu_space_entry()
 * returns 0 if there is no entry.
 */
void veu_space_set(struct veu_space *space, u64 address, struct page *page,
		   dma_addr_t dma, u64 permissions);
/* Removes an existing entry; the device has no access afterwards. */
void veu_space_remove(struct veu_space *space, u64 address);
u64 veu_space_entry(const struct veu_space *space, u64 address);

/*
 * Called without the lock. Afterwards, no access through the removed entries is
 * under way or will follow. The caller must keep others from setting entries
 * there meanwhile.
 */
void veu_space_clear(struct veu_space *space, u64 start, u64 end,
		     bool may_sleep);

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
