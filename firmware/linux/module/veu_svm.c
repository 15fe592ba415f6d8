// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: shared virtual memory; see veu_svm.h.
 *
 *   device                      driver                       process misses a
 *   page, writes a record, waits -->  interrupt
 *                               worker: hmm_range_fault() --> page entry under
 *                               the lock
 *   runs again             <--  response notifier                 <-- munmap(),
 *                               fork(), entry out, invalidation       reclaim,
 *                               ...
 *
 * The driver holds no reference to a page for the device: an existing entry
 * means that no notifier has asked for its page. A notifier that runs while the
 * worker looks for a page changes the sequence of the interval notifier below,
 * and the worker begins again.
 *
 * A page may never come, if a file system does not answer. The worker of a
 * space is a separate work item that holds nothing for which the end of the
 * file, or of its process, waits: the space outlives both.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/hmm.h>
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>

#include "veu_driver.h"
#include "veu_svm.h"

/*
 * A page that never comes keeps a worker and its space alive after the device
 * and the process have gone: only the module waits for it.
 */
static struct workqueue_struct *workers;

#define VEU_QUEUE_BYTES (sizeof(struct veu_request_queue) + \
			 VEU_QUEUE_MIN_RECORDS * sizeof(struct veu_request))

/* Pages around a missing one that are present are mapped with it. */
#define VEU_AROUND 16
#define VEU_AROUND_BYTES (VEU_AROUND * PAGE_SIZE)

struct kveu_svm {
	struct kveu_space space;
	struct mm_struct *mm;
	struct mmu_notifier notifier;
	struct mmu_interval_notifier interval;	/* the worker's */
	struct veu_request_queue *queue;
	struct veu_request *records;
	dma_addr_t queue_dma;
	u32 head;	/* of the next record */
	u32 epoch;	/* number of binds: each empties the queue */
	struct work_struct work;
};

static struct kveu_svm *svm_of(struct kveu_space *space)
{
	return container_of(space, struct kveu_svm, space);
}

/* --- Pages go ------------------------------------------------------------ */

/*
 * Sleeps only where that is allowed: the OOM killer also gets its pages
 * immediately.
 */
static int invalidate_start(struct mmu_notifier *notifier,
			    const struct mmu_notifier_range *range)
{
	struct kveu_svm *svm = container_of(notifier, struct kveu_svm, notifier);

	kveu_space_clear(&svm->space, range->start, range->end,
			 mmu_notifier_range_blockable(range));
	return 0;
}

/* The process has ended, or its memory has. */
static void mm_release(struct mmu_notifier *notifier, struct mm_struct *mm)
{
	struct kveu_svm *svm = container_of(notifier, struct kveu_svm, notifier);

	kveu_space_clear(&svm->space, 0, VEU_SPACE_END, true);
}

static const struct mmu_notifier_ops notifier_ops = {
	.invalidate_range_start = invalidate_start,
	.release = mm_release,
};

/* Entries are removed in invalidate_start(); this only notifies the worker. */
static bool interval_invalidate(struct mmu_interval_notifier *interval,
				const struct mmu_notifier_range *range,
				unsigned long sequence)
{
	struct kveu_svm *svm = container_of(interval, struct kveu_svm, interval);

	spin_lock(&svm->space.lock);
	mmu_interval_set_seq(interval, sequence);
	spin_unlock(&svm->space.lock);
	return true;
}

static const struct mmu_interval_notifier_ops interval_ops = {
	.invalidate = interval_invalidate,
};

/* --- Pages come ---------------------------------------------------------- */

/*
 * An existing entry has this page: otherwise a notifier would have removed it.
 * It stays if it permits enough. If the device may now write the page, the page
 * is mapped again, for both directions.
 */
static int set_page(struct kveu_svm *svm, u64 address, unsigned long pfn,
		    u64 permissions)
{
	struct device *dev = &svm->space.veu->pdev->dev;
	struct page *page = hmm_pfn_to_page(pfn);
	u64 entry = kveu_space_entry(&svm->space, address);
	dma_addr_t dma;

	if (entry && !(permissions & ~entry))
		return 0;
	if (entry)
		kveu_space_remove(&svm->space, address);
	dma = dma_map_page_attrs(dev, page, 0, PAGE_SIZE,
				 kveu_space_direction(permissions),
				 DMA_ATTR_SKIP_CPU_SYNC);
	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	kveu_space_set(&svm->space, address, page, dma, permissions);
	return 0;
}

/*
 * Pages that are only read stay clean: WRITE is set only on request. A page
 * around that of @address that cannot be mapped can wait for its own request.
 */
static int set_pages(struct kveu_svm *svm, const struct hmm_range *range,
		     u64 address, bool write)
{
	u64 permissions, at = range->start;
	const unsigned long *pfn;
	int error;

	for (pfn = range->hmm_pfns; at < range->end; pfn++, at += PAGE_SIZE) {
		if (!(*pfn & HMM_PFN_VALID))
			continue;
		permissions = VEU_PAGE_READ;
		if (write && *pfn & HMM_PFN_WRITE)
			permissions |= VEU_PAGE_WRITE;
		error = set_page(svm, at, *pfn, permissions);
		if (error && at == ALIGN_DOWN(address, PAGE_SIZE))
			return error;
	}
	return 0;
}

/* Returns true if the page of @address permits the device's access. */
static bool has_page(const struct hmm_range *range, u64 address, bool write)
{
	unsigned long pfn =
		range->hmm_pfns[(address - range->start) / PAGE_SIZE];

	return pfn & HMM_PFN_VALID && (!write || pfn & HMM_PFN_WRITE);
}

/*
 * Faults the page of @address in, as an access of the process would. A fault
 * that must wait releases mmap_lock meanwhile, which one inside
 * hmm_range_fault() would not. So the process's threads continue even while a
 * userfaultfd handler or a file system does not answer.
 */
static int fault_page(struct kveu_svm *svm, const struct hmm_range *range,
		      u64 address, bool write)
{
	unsigned long pfn =
		range->hmm_pfns[(address - range->start) / PAGE_SIZE];
	bool unlocked = false;
	int error;

	/* Memory of devices. */
	if (pfn & HMM_PFN_ERROR && !(pfn & HMM_PFN_VALID))
		return -EFAULT;
	error = fixup_user_fault(svm->mm, address, FAULT_FLAG_REMOTE |
				 (write ? FAULT_FLAG_WRITE : 0), &unlocked);
	return error ? error : -EBUSY;
}

/*
 * Returns -EBUSY if a notifier intervened, or if the page had to be faulted in.
 * Pages around it are mapped only if they are present.
 */
static int try_fault(struct kveu_svm *svm, struct hmm_range *range, u64 address,
		     bool write)
{
	int error;

	memset(range->hmm_pfns, 0, VEU_AROUND * sizeof(*range->hmm_pfns));
	range->notifier_seq = mmu_interval_read_begin(&svm->interval);
	mmap_read_lock(svm->mm);
	error = hmm_range_fault(range);
	/* hmm_range_fault() was not told to fault pages in: it only looks. */
	if (!error && !has_page(range, address, write))
		error = fault_page(svm, range, address, write);
	mmap_read_unlock(svm->mm);
	if (error)
		return error;
	spin_lock(&svm->space.lock);
	if (mmu_interval_read_retry(&svm->interval, range->notifier_seq))
		error = -EBUSY;
	else if (svm->space.closed)
		error = -ESRCH;
	else
		error = set_pages(svm, range, address, write);
	spin_unlock(&svm->space.lock);
	return error;
}

/*
 * If notifiers intervene for this long, the device retries with what is present
 * and requests again, so that others have their turn. Memory for an IOMMU's
 * tables, which is allocated under a spinlock, may be short only until
 * something was reclaimed; if it is short for this long, the page is refused.
 */
static int fault_range(struct kveu_svm *svm, struct hmm_range *range,
		       u64 address, bool write)
{
	unsigned long end = jiffies +
		msecs_to_jiffies(HMM_RANGE_DEFAULT_TIMEOUT);
	int error = mmu_interval_notifier_insert(&svm->interval, svm->mm,
						 range->start,
						 range->end - range->start,
						 &interval_ops);

	if (error)
		return error;
	do {
		error = try_fault(svm, range, address, write);
		if (error == -ENOMEM)
			usleep_range(1000, 2000);
	} while ((error == -EBUSY || error == -ENOMEM) &&
		 time_before(jiffies, end));
	mmu_interval_notifier_remove(&svm->interval);
	return error == -EBUSY ? 0 : error;
}

static bool is_below_stack(struct mm_struct *mm, u64 address)
{
	struct vm_area_struct *vma;
	bool is;

	mmap_read_lock(mm);
	vma = find_vma(mm, address);
	is = vma && address < vma->vm_start && vma->vm_flags & VM_GROWSDOWN;
	mmap_read_unlock(mm);
	return is;
}

/*
 * A stack grows down to @address only if a thread that has its memory accesses
 * that, so the worker becomes such a thread meanwhile. The stack's limit is the
 * worker's. Returns true if the memory exists now.
 */
static bool grow_stack(struct mm_struct *mm, u64 address)
{
	bool grown;

	if (!is_below_stack(mm, address))
		return false;
	kthread_use_mm(mm);
	grown = !fault_in_readable(u64_to_user_ptr(address), 1);
	kthread_unuse_mm(mm);
	return grown;
}

/* If there is no room for tables, all are freed, and filled again. */
static int reserve(struct kveu_space *space, u64 start)
{
	int error = kveu_space_reserve(space, start, start + 1);

	if (error == -ENOMEM)
		error = kveu_space_drop(space);
	return error ? error : kveu_space_reserve(space, start, start + 1);
}

/* Faults in the page of a request, writable if requested. */
static int fault_in(struct kveu_svm *svm, const struct veu_request *request)
{
	bool write = request->access == VEU_ACCESS_WRITE;
	u64 start = ALIGN_DOWN(request->address, VEU_AROUND_BYTES);
	unsigned long pfns[VEU_AROUND];
	struct hmm_range range = {
		.notifier = &svm->interval,
		.start = start,
		.end = min_t(u64, start + VEU_AROUND_BYTES,
			     svm->mm->task_size),
		.hmm_pfns = pfns,
	};
	int error;

	if (request->address >= svm->mm->task_size)
		return -EFAULT;
	error = reserve(&svm->space, start);
	if (!error)
		error = fault_range(svm, &range, request->address, write);
	if (error == -EFAULT && grow_stack(svm->mm, request->address))
		error = fault_range(svm, &range, request->address, write);
	return error;
}

/* --- Requests ------------------------------------------------------------ */

static bool take(struct kveu_svm *svm, struct veu_request *request, u32 *epoch)
{
	bool has;

	spin_lock(&svm->space.lock);
	has = svm->space.bound &&
	      /* The device stores records before this. */
	      virt_load_acquire(&svm->queue->tail) != svm->head;
	if (has) {
		*request = svm->records[svm->head++ % VEU_QUEUE_MIN_RECORDS];
		*epoch = svm->epoch;
	}
	spin_unlock(&svm->space.lock);
	return has;
}

/*
 * Ids restart when the device is reset: a response with an old one is
 * suppressed.
 */
static void respond(struct kveu_svm *svm, u32 id, bool success, u32 epoch)
{
	struct kveu_space *space = &svm->space;

	spin_lock(&space->lock);
	if (space->bound && epoch == svm->epoch) {
		/* The device may overwrite records that have been read. */
		virt_store_release(&svm->queue->head, svm->head);
		writeq(id | (success ? 0 : VEU_RESPONSE_REFUSED),
		       kveu_context(space->veu, space->context) +
		       VEU_REG_CONTEXT_RESPONSE);
	}
	spin_unlock(&space->lock);
}

/* A group is refused only if it has got no page at all. */
static void serve_all(struct kveu_svm *svm, bool alive)
{
	struct veu_request request;
	bool success = false;
	u32 epoch;

	while (take(svm, &request, &epoch)) {
		if (alive && !fault_in(svm, &request))
			success = true;
		if (request.flags & VEU_REQUEST_LAST) {
			respond(svm, request.id, success, epoch);
			success = false;
		}
		cond_resched();
	}
}

/* The tables that it makes are charged to the process. */
static void serve(struct work_struct *work)
{
	struct kveu_svm *svm = container_of(work, struct kveu_svm, work);
	struct mem_cgroup *group, *before;

	if (mmget_not_zero(svm->mm)) {
		group = get_mem_cgroup_from_mm(svm->mm);
		before = set_active_memcg(group);
		serve_all(svm, true);
		set_active_memcg(before);
		mem_cgroup_put(group);
		mmput(svm->mm);
	} else {
		serve_all(svm, false);
	}
	kveu_space_put(&svm->space);
}

/* --- The space ----------------------------------------------------------- */

static int svm_open(struct kveu_space *space)
{
	struct kveu_svm *svm = svm_of(space);

	svm->queue = dma_alloc_coherent(&space->veu->pdev->dev,
					VEU_QUEUE_BYTES, &svm->queue_dma,
					GFP_KERNEL_ACCOUNT);
	if (!svm->queue)
		return -ENOMEM;
	svm->records = (void *)(svm->queue + 1);
	return 0;
}

static void svm_bind(struct kveu_space *space, void __iomem *registers)
{
	struct kveu_svm *svm = svm_of(space);
	struct kveu_device *veu = space->veu;

	writel(VEU_CONTEXT_REQUESTS, registers + VEU_REG_CONTEXT_OPTIONS);
	svm->head = 0;
	svm->epoch++;
	memset(svm->queue, 0, sizeof(*svm->queue));
	writel(VEU_QUEUE_MIN_RECORDS,
	       registers + VEU_REG_CONTEXT_QUEUE_RECORDS);
	writel(veu->vectors ? space->context % veu->vectors : VEU_NO_VECTOR,
	       registers + VEU_REG_CONTEXT_QUEUE_VECTOR);
	/* writeq() orders the queue's memory before it. */
	writeq(svm->queue_dma, registers + VEU_REG_CONTEXT_QUEUE);
}

static void svm_close(struct kveu_space *space)
{
	struct kveu_svm *svm = svm_of(space);

	mmu_notifier_unregister(&svm->notifier, svm->mm);
}

static void svm_free_memory(struct kveu_space *space)
{
	struct kveu_svm *svm = svm_of(space);

	if (svm->queue)
		dma_free_coherent(&space->veu->pdev->dev, VEU_QUEUE_BYTES,
				  svm->queue, svm->queue_dma);
	svm->queue = NULL;
}

static void svm_free(struct kveu_space *space)
{
	struct kveu_svm *svm = svm_of(space);

	mmdrop(svm->mm);
	kfree(svm);
}

static const struct kveu_space_ops svm_ops = {
	.open = svm_open,
	.bind = svm_bind,
	.close = svm_close,
	.free_memory = svm_free_memory,
	.free = svm_free,
};

/**
 * kveu_svm_make() - Make a space with all of the calling process's memory
 * @veu: The device.
 *
 * Takes mmap_lock, so the caller must not hold a lock of the driver.
 *
 * Return: the space, with one reference, or an error pointer.
 */
struct kveu_space *kveu_svm_make(struct kveu_device *veu)
{
	struct kveu_svm *svm = kzalloc(sizeof(*svm), GFP_KERNEL_ACCOUNT);
	int error;

	if (!svm)
		return ERR_PTR(-ENOMEM);
	kveu_space_init(&svm->space, veu, &svm_ops);
	svm->mm = current->mm;
	mmgrab(svm->mm);
	svm->notifier.ops = &notifier_ops;
	INIT_WORK(&svm->work, serve);
	error = mmu_notifier_register(&svm->notifier, svm->mm);
	if (error) {
		kveu_space_put(&svm->space);
		/* It gives up for a signal; the process need not know. */
		return ERR_PTR(error == -EINTR ? -ERESTARTNOINTR : error);
	}
	return &svm->space;
}

/**
 * kveu_svm_kick() - Check for requests of the device
 * @space: A space whose ring has memory. The device may have written requests,
 *	   if it is one that shares a process's memory.
 *
 * May be called in any context, including interrupts.
 */
void kveu_svm_kick(struct kveu_space *space)
{
	struct kveu_svm *svm = svm_of(space);

	if (space->ops != &svm_ops ||
	    READ_ONCE(svm->queue->tail) == READ_ONCE(svm->head))
		return;
	kveu_space_get(space);
	/* If it is already queued, that holds a reference. */
	if (!queue_work(workers, &svm->work))
		kveu_space_put(space);
}

/* --- The module ---------------------------------------------------------- */

/**
 * kveu_svm_begin() - Start the workers of all devices, with the module
 *
 * Return: 0, or -ENOMEM.
 */
int kveu_svm_begin(void)
{
	workers = alloc_workqueue("veu", WQ_UNBOUND, WQ_UNBOUND_MAX_ACTIVE);
	return workers ? 0 : -ENOMEM;
}

/**
 * kveu_svm_end() - Wait for all workers and end them
 */
void kveu_svm_end(void)
{
	destroy_workqueue(workers);
}
