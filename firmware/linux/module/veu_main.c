// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* veu: the PCI device: probe, sleep, reset, and remove. */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/swiotlb.h>

#include "veu_driver.h"
#include "veu_svm.h"

static DEFINE_IDA(kveu_ids);

static struct kveu_device *kveu_device_make(struct pci_dev *pdev)
{
	struct kveu_device *veu = kzalloc(sizeof(*veu), GFP_KERNEL);
	int id = ida_alloc(&kveu_ids, GFP_KERNEL);

	if (!veu || id < 0) {
		kfree(veu);
		if (id >= 0)
			ida_free(&kveu_ids, id);
		return NULL;
	}
	kref_init(&veu->ref);
	veu->id = id;
	veu->pdev = pdev;
	snprintf(veu->name, sizeof(veu->name), "veu%d", id);
	init_rwsem(&veu->gate);
	init_waitqueue_head(&veu->moved);
	mutex_init(&veu->files_lock);
	INIT_LIST_HEAD(&veu->files);
	ida_init(&veu->numbers);
	spin_lock_init(&veu->table);
	return veu;
}

#define MAJOR_OF(version) ((version) >> 16)
#define MINOR_OF(version) ((version) & 0xffff)

/* docs/spec.md, section 16: the driver needs nothing newer than 1.0. */
static int check_version(struct kveu_device *veu)
{
	u32 magic = readl(veu->regs + VEU_REG_MAGIC);
	u32 version = readl(veu->regs + VEU_REG_ABI_VERSION);

	if (magic != VEU_MAGIC)
		return dev_err_probe(&veu->pdev->dev, -ENODEV,
				     "not a veu: its magic is %#x\n", magic);
	if (MAJOR_OF(version) != MAJOR_OF(VEU_ABI_1_0))
		return dev_err_probe(&veu->pdev->dev, -ENODEV,
				     "ABI %u.%u; this driver is for %u.%u and later minor versions\n",
				     MAJOR_OF(version), MINOR_OF(version),
				     MAJOR_OF(VEU_ABI_1_0),
				     MINOR_OF(VEU_ABI_1_0));
	return 0;
}

/*
 * Returns true for page tables with requests, in pages of the kernel's size.
 * The device and the processors must share the pages themselves, not copies
 * (bounce buffers).
 */
static bool has_spaces(struct kveu_device *veu)
{
	return PAGE_SIZE >> VEU_TABLE_PAGE_BITS == 1 &&
	       readl(veu->regs + VEU_REG_CAP_CONTEXT_TYPES) &
	       BIT(VEU_CONTEXT_TABLES) &&
	       readl(veu->regs + VEU_REG_CAP_CONTEXT_OPTIONS) &
	       VEU_CONTEXT_REQUESTS &&
	       !is_swiotlb_force_bounce(&veu->pdev->dev);
}

static int identify(struct kveu_device *veu)
{
	int error = check_version(veu);

	if (error)
		return error;
	veu->windows = min_t(u32, readl(veu->regs + VEU_REG_LIMIT_WINDOWS),
			     VEU_MAX_WINDOWS);
	if (!veu->windows || !(readl(veu->regs + VEU_REG_CAP_CONTEXT_TYPES) &
			       BIT(VEU_CONTEXT_WINDOWS)))
		return dev_err_probe(&veu->pdev->dev, -ENODEV,
				     "no windows: processes need them\n");
	veu->rings = min3(readl(veu->regs + VEU_REG_CAP_RINGS),
			  readl(veu->regs + VEU_REG_CAP_CONTEXTS),
			  (u32)VEU_MAX_RINGS);
	veu->stride = readl(veu->regs + VEU_REG_CAP_DOORBELL_STRIDE);
	veu->has_spaces = has_spaces(veu);
	if (!veu->rings || (u64)veu->rings * veu->stride >
			   pci_resource_len(veu->pdev, VEU_BAR_DOORBELLS))
		return dev_err_probe(&veu->pdev->dev, -ENODEV,
				     "%u rings, doorbells every %u bytes?\n",
				     veu->rings, veu->stride);
	return 0;
}

static int map(struct kveu_device *veu)
{
	struct pci_dev *pdev = veu->pdev;
	int error = pcim_enable_device(pdev);

	if (error)
		return error;
	if (pci_resource_len(pdev, VEU_BAR_REGS) < VEU_BAR_REGS_BYTES)
		return dev_err_probe(&pdev->dev, -ENODEV, "no registers\n");
	error = pcim_iomap_regions(pdev, BIT(VEU_BAR_REGS) |
				   BIT(VEU_BAR_DOORBELLS), "veu");
	if (error)
		return error;
	veu->regs = pcim_iomap_table(pdev)[VEU_BAR_REGS];
	veu->doorbells = pcim_iomap_table(pdev)[VEU_BAR_DOORBELLS];
	return dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
}

/* Frees the first @count, which have been requested. */
static void free_vectors(struct kveu_device *veu, unsigned int count)
{
	while (count--)
		free_irq(pci_irq_vector(veu->pdev, count),
			 &veu->vector[count]);
	pci_free_irq_vectors(veu->pdev);
}

/*
 * Requests as many vectors as are available; rings share them. Having none is
 * not an error. The handler must know their number before the first interrupt.
 */
static int request_vectors(struct kveu_device *veu)
{
	struct pci_dev *pdev = veu->pdev;
	int granted, error, i;

	granted = pci_alloc_irq_vectors(pdev, 1, veu->rings, PCI_IRQ_MSIX);
	veu->vectors = max(granted, 0);
	for (i = 0; i < granted; i++) {
		veu->vector[i] = (struct kveu_vector){ veu, i };
		error = request_irq(pci_irq_vector(pdev, i), kveu_interrupt, 0,
				    veu->name, &veu->vector[i]);
		if (error) {
			free_vectors(veu, i);
			return error;
		}
	}
	if (!veu->vectors)
		dev_warn(&pdev->dev, "no interrupts: polling\n");
	return 0;
}

static int publish(struct kveu_device *veu)
{
	veu->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = veu->name,
		.fops = &kveu_file_operations,
		.parent = &veu->pdev->dev,
		.mode = 0600,
	};
	return misc_register(&veu->misc);
}

static int set_up(struct kveu_device *veu)
{
	int error = map(veu);

	if (!error)
		error = identify(veu);
	if (error)
		return error;
	writel(VEU_CONTROL_RESET, veu->regs + VEU_REG_CONTROL);
	pci_set_master(veu->pdev);
	error = request_vectors(veu);
	if (error)
		goto no_vectors;
	error = publish(veu);
	if (!error)
		return 0;
	free_vectors(veu, veu->vectors);
no_vectors:
	pci_clear_master(veu->pdev);
	return error;
}

static int kveu_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct kveu_device *veu = kveu_device_make(pdev);
	int error;

	if (!veu)
		return -ENOMEM;
	error = set_up(veu);
	if (error) {
		ida_free(&kveu_ids, veu->id);
		kveu_device_put(veu);
		return error;
	}
	pci_set_drvdata(pdev, veu);
	dev_info(&pdev->dev, "%s: %u rings, %u vectors\n", veu->name,
		 veu->rings, veu->vectors);
	return 0;
}

/* Wakes waiting calls. When it returns, no process is in the driver. */
static void shut(struct kveu_device *veu, bool *flag)
{
	struct kveu_file *file;

	down_write(&veu->gate);
	/* Waits read registers under this lock, and never after it. */
	spin_lock_irq(&veu->table);
	WRITE_ONCE(*flag, true);
	spin_unlock_irq(&veu->table);
	list_for_each_entry(file, &veu->files, node)
		wake_up_all(&file->ring.wait);
}

static void reopen(struct kveu_device *veu)
{
	up_write(&veu->gate);
	wake_up_all(&veu->moved);
}

/*
 * Files stay, but are useless: -ENODEV, and SIGBUS in their mappings. The
 * device's number is freed, so that it gets the same name when it comes back.
 * Workers may be in page faults that never end; they will find their spaces
 * closed.
 */
static void kveu_remove(struct pci_dev *pdev)
{
	struct kveu_device *veu = pci_get_drvdata(pdev);
	struct kveu_file *file;

	misc_deregister(&veu->misc);
	shut(veu, &veu->dead);
	list_for_each_entry(file, &veu->files, node) {
		kveu_unmap_all(file);
		kveu_file_free(file);
	}
	reopen(veu);
	writel(VEU_CONTROL_RESET, veu->regs + VEU_REG_CONTROL);
	free_vectors(veu, veu->vectors);
	pci_clear_master(pdev);
	ida_free(&kveu_ids, veu->id);
	kveu_device_put(veu);
}

/*
 * Before a sleep or a reset, all rings are drained; afterwards they are set up
 * again and continue. Processes notice nothing, except if a command took too
 * long and was ended.
 */
static void kveu_stop(struct kveu_device *veu)
{
	struct kveu_file *file;
	ktime_t end;

	shut(veu, &veu->stopped);
	end = kveu_ring_patience();
	list_for_each_entry(file, &veu->files, node)
		kveu_ring_begin_stop(file);
	list_for_each_entry(file, &veu->files, node)
		kveu_ring_stop(file, end);
	up_write(&veu->gate);
}

static void kveu_start(struct kveu_device *veu)
{
	struct kveu_file *file;

	down_write(&veu->gate);
	list_for_each_entry(file, &veu->files, node)
		kveu_ring_start(file);
	WRITE_ONCE(veu->stopped, false);
	reopen(veu);
}

/* The device must not access memory of the next kernel. */
static void kveu_shutdown(struct pci_dev *pdev)
{
	struct kveu_device *veu = pci_get_drvdata(pdev);

	shut(veu, &veu->stopped);
	writel(VEU_CONTROL_RESET, veu->regs + VEU_REG_CONTROL);
	up_write(&veu->gate);
}

static void kveu_reset_prepare(struct pci_dev *pdev)
{
	kveu_stop(pci_get_drvdata(pdev));
}

static void kveu_reset_done(struct pci_dev *pdev)
{
	kveu_start(pci_get_drvdata(pdev));
}

static int kveu_suspend(struct device *dev)
{
	kveu_stop(dev_get_drvdata(dev));
	return 0;
}

static int kveu_resume(struct device *dev)
{
	kveu_start(dev_get_drvdata(dev));
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(kveu_pm_ops, kveu_suspend, kveu_resume);

static const struct pci_error_handlers kveu_error_handlers = {
	.reset_prepare = kveu_reset_prepare,
	.reset_done = kveu_reset_done,
};

static const struct pci_device_id kveu_pci_ids[] = {
	{ PCI_DEVICE(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID) },
	{ }
};
MODULE_DEVICE_TABLE(pci, kveu_pci_ids);

static struct pci_driver kveu_pci_driver = {
	.name = "veu",
	.id_table = kveu_pci_ids,
	.probe = kveu_probe,
	.remove = kveu_remove,
	.shutdown = kveu_shutdown,
	.driver.pm = pm_sleep_ptr(&kveu_pm_ops),
	.dev_groups = kveu_groups,
	.err_handler = &kveu_error_handlers,
};

static int __init kveu_init(void)
{
	int error = kveu_svm_begin();

	if (error)
		return error;
	error = pci_register_driver(&kveu_pci_driver);
	if (error)
		kveu_svm_end();
	return error;
}
module_init(kveu_init);

static void __exit kveu_exit(void)
{
	pci_unregister_driver(&kveu_pci_driver);
	kveu_svm_end();
}
module_exit(kveu_exit);

MODULE_DESCRIPTION("veu, a virtual GPU execution unit");
MODULE_AUTHOR("The veu project");
MODULE_LICENSE("Dual MIT/GPL");
