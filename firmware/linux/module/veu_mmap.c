// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the mappings of a process: its buffers, its ring, its doorbell. The
 * fault handler inserts pages, under the file's lock, not mmap(). So code that
 * removes a buffer, or the device, finds all of them. Another file's mapping of
 * the same offset may lose its pages, too, and faults them in again.
 */
#include <linux/mm.h>

#include "veu_driver.h"

#define OBJECT_SHIFT (VEU_OFFSET_SHIFT - PAGE_SHIFT)

#ifndef VEU_HAS_VM_FLAGS_SET	/* see Kbuild */
static void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}
#endif

/* The object that is mapped, and the first of its pages. */
static u32 number_of(const struct vm_area_struct *vma)
{
	return vma->vm_pgoff >> OBJECT_SHIFT;
}

static pgoff_t first_page_of(const struct vm_area_struct *vma)
{
	return vma->vm_pgoff & (BIT(OBJECT_SHIFT) - 1);
}

/* Returns true if the file has the object that the mapping shows. */
static bool is_there(struct kveu_file *file, struct vm_area_struct *vma)
{
	pgoff_t end = first_page_of(vma) + vma_pages(vma);
	struct kveu_buffer *buffer;

	if (number_of(vma) == VEU_OBJECT_DOORBELL)
		return file->ring.memory && end == 1 &&
		       IS_ALIGNED(file->veu->stride, PAGE_SIZE);
	buffer = kveu_buffer_find(file, number_of(vma));
	return buffer && end <= buffer->mapped >> PAGE_SHIFT;
}

static vm_fault_t insert_doorbell(struct kveu_file *file,
				  struct vm_area_struct *vma)
{
	struct kveu_device *veu = file->veu;
	phys_addr_t at = pci_resource_start(veu->pdev, VEU_BAR_DOORBELLS) +
			 (phys_addr_t)file->ring.config.number * veu->stride;

	return vmf_insert_pfn(vma, vma->vm_start, PHYS_PFN(at));
}

/* The first fault maps all of it. */
static vm_fault_t insert_buffer(struct kveu_buffer *buffer,
				struct vm_area_struct *vma)
{
	unsigned long at = vma->vm_start;
	struct sg_page_iter iter;
	unsigned long pfn;
	vm_fault_t result = VM_FAULT_SIGBUS;

	for_each_sgtable_page(&buffer->pages, &iter, first_page_of(vma)) {
		if (at == vma->vm_end)
			break;
		pfn = page_to_pfn(sg_page_iter_page(&iter));
		result = vmf_insert_pfn(vma, at, pfn);
		if (result != VM_FAULT_NOPAGE)
			break;
		at += PAGE_SIZE;
		cond_resched();
	}
	return result;
}

static vm_fault_t kveu_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct kveu_file *file = vma->vm_private_data;
	vm_fault_t result = VM_FAULT_SIGBUS;

	if (kveu_enter(file))
		return VM_FAULT_SIGBUS;
	if (is_there(file, vma))
		result = number_of(vma) == VEU_OBJECT_DOORBELL ?
			insert_doorbell(file, vma) :
			insert_buffer(kveu_buffer_find(file, number_of(vma)),
				      vma);
	kveu_leave(file);
	return result;
}

/*
 * A debugger reads or writes through ptrace() or /proc/PID/mem, which do not
 * handle pages of devices. Doorbells are not accessible.
 */
static int kveu_access(struct vm_area_struct *vma, unsigned long address,
		       void *data, int bytes, int write)
{
	size_t at = (first_page_of(vma) << PAGE_SHIFT) + address - vma->vm_start;
	struct kveu_file *file = vma->vm_private_data;
	struct kveu_buffer *buffer;

	if (number_of(vma) == VEU_OBJECT_DOORBELL || kveu_enter(file))
		return -EIO;
	bytes = min_t(unsigned long, bytes, vma->vm_end - address);
	buffer = kveu_buffer_find(file, number_of(vma));
	if (!is_there(file, vma))
		bytes = -EIO;
	else if (write)
		memcpy(buffer->cpu + at, data, bytes);
	else
		memcpy(data, buffer->cpu + at, bytes);
	kveu_leave(file);
	return bytes;
}

static const struct vm_operations_struct kveu_vm_operations = {
	.fault = kveu_fault,
	.access = kveu_access,
};

/**
 * kveu_mmap() - Map an object of a file into a process
 * @filp: The file.
 * @vma: The mapping, whose offset has the object's number. Its pages come with
 *	 faults.
 *
 * Return: 0, -EINVAL if there is no such object, -EPERM if the file shares
 * another process's memory, or -ENODEV.
 */
int kveu_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct kveu_file *file = filp->private_data;
	int error = kveu_enter(file);

	if (error)
		return error;
	if (kveu_file_is_foreign(file))
		error = -EPERM;
	else if (!(vma->vm_flags & VM_SHARED) || !is_there(file, vma))
		error = -EINVAL;
	kveu_leave(file);
	if (error)
		return error;
	if (number_of(vma) == VEU_OBJECT_DOORBELL)
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vm_flags_set(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	/* A child would make the device work in its parent's memory. */
	if (file->mm)
		vm_flags_set(vma, VM_DONTCOPY);
	vma->vm_private_data = file;
	vma->vm_ops = &kveu_vm_operations;
	return 0;
}
