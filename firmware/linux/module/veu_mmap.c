// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: what a process maps: its buffers, its ring, its doorbell.
 *
 * Pages are put in by the fault handler, under the file's lock, and not by
 * mmap(): so whoever takes a buffer away, or the device, finds all of them.
 * Another file's mapping of the same offset may lose its pages, too, and
 * faults them in again.
 */
#include <linux/mm.h>

#include "veu_driver.h"

static vm_fault_t insert_doorbell(struct veu_file *file,
				  struct vm_area_struct *vma)
{
	struct veu_device *veu = file->veu;
	phys_addr_t at = pci_resource_start(veu->pdev, VEU_BAR_DOORBELLS) +
			 (phys_addr_t)file->ring.config.number * veu->stride;

	if (!file->ring.memory || !IS_ALIGNED(veu->stride, PAGE_SIZE) ||
	    vma_pages(vma) != 1)
		return VM_FAULT_SIGBUS;
	return vmf_insert_pfn(vma, vma->vm_start, PHYS_PFN(at));
}

/* All of the mapping at the first fault. */
static vm_fault_t insert_buffer(struct veu_buffer *buffer,
				struct vm_area_struct *vma, pgoff_t first)
{
	unsigned long at = vma->vm_start;
	struct sg_page_iter iter;
	vm_fault_t result = VM_FAULT_SIGBUS;

	if (first + vma_pages(vma) > buffer->mapped >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	for_each_sgtable_page(&buffer->pages, &iter, first) {
		if (at == vma->vm_end)
			break;
		result = vmf_insert_pfn(vma, at, page_to_pfn(
						sg_page_iter_page(&iter)));
		if (result != VM_FAULT_NOPAGE)
			break;
		at += PAGE_SIZE;
	}
	return result;
}

static vm_fault_t veu_fault(struct vm_fault *vmf)
{
	const unsigned int shift = VEU_OFFSET_SHIFT - PAGE_SHIFT;
	struct vm_area_struct *vma = vmf->vma;
	struct veu_file *file = vma->vm_private_data;
	u32 number = vma->vm_pgoff >> shift;
	struct veu_buffer *buffer;
	vm_fault_t result = VM_FAULT_SIGBUS;

	if (veu_enter(file))
		return VM_FAULT_SIGBUS;
	buffer = veu_buffer_find(file, number);
	if (number == VEU_OBJECT_DOORBELL)
		result = insert_doorbell(file, vma);
	else if (buffer)
		result = insert_buffer(buffer, vma, vma->vm_pgoff &
						    (BIT(shift) - 1));
	veu_leave(file);
	return result;
}

static const struct vm_operations_struct veu_vm_operations = {
	.fault = veu_fault,
};

int veu_mmap(struct file *filp, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;

	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (offset >> VEU_OFFSET_SHIFT == VEU_OBJECT_DOORBELL)
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vma->vm_flags |= VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_private_data = filp->private_data;
	vma->vm_ops = &veu_vm_operations;
	return 0;
}

void veu_unmap(struct veu_file *file, u32 number)
{
	if (file->mapping)
		unmap_mapping_range(file->mapping,
				    (loff_t)number << VEU_OFFSET_SHIFT,
				    1ll << VEU_OFFSET_SHIFT, 1);
}

void veu_unmap_all(struct veu_file *file)
{
	if (file->mapping)
		unmap_mapping_range(file->mapping, 0, 0, 1);
}
