/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * veu: an address space of the device: page tables (docs/spec.md, section 3.4)
 * that translate the virtual addresses of one file.
 *
 * A table exists twice: entries are what the device reads; below is what the
 * driver needs to know of each entry: the next table or, at level 1, the page.
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

#include <linux/kref.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <veu/page.h>

struct veu_device;
struct veu_svm;

/* Virtual addresses of the device end here. */
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
	struct veu_table *top;	/* NULL once the device's memory is gone */
	u32 tables;	/* made; under making */
	u32 context;
	bool bound;	/* a ring may use it: changes need an invalidation */
	bool closed;	/* nothing is mapped any more */
	struct veu_svm *svm;	/* NULL: only what is mapped explicitly */
};

/* Without memory of the device, which the second call allocates. */
struct veu_space *veu_space_make(struct veu_device *veu);
int veu_space_open(struct veu_space *space);
void veu_space_get(struct veu_space *space);
void veu_space_put(struct veu_space *space);

/* Ring and context @context are about to be enabled; the ring is off it. */
void veu_space_bind(struct veu_space *space, u32 context);
void veu_space_unbind(struct veu_space *space);
/*
 * Takes all of it from the device, and frees the device's memory: the space is
 * of no use afterwards, and may outlive the device. Sleeps.
 */
void veu_space_close(struct veu_space *space);

/* Makes the tables for a range; sleeps. -ESRCH: the space is closed. */
int veu_space_reserve(struct veu_space *space, u64 start, u64 end);
/* Frees all tables, and with them all that is mapped; sleeps. */
int veu_space_drop(struct veu_space *space);

/*
 * Under the lock. veu_space_set(): the entry's table is there; @page is NULL
 * where the memory is the caller's own to unmap. veu_space_entry(): 0 if there
 * is none.
 */
void veu_space_set(struct veu_space *space, u64 address, struct page *page,
		   dma_addr_t dma, u64 permissions);
/* Permits more of an entry that is there. */
void veu_space_permit(struct veu_space *space, u64 address, u64 permissions);
u64 veu_space_entry(const struct veu_space *space, u64 address);

/*
 * Without the lock: afterwards no access through what was there is under way,
 * or will come. The caller keeps others from setting entries there meanwhile.
 */
void veu_space_clear(struct veu_space *space, u64 start, u64 end,
		     bool may_sleep);

#endif /* VEU_SPACE_H */
