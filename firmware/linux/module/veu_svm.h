/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * veu: shared virtual memory: the device uses a process's pointers.
 *
 * The tables of such a space are filled on the device's requests (docs/spec.md,
 * section 3.5) and emptied by an MMU notifier of the process.
 */
#ifndef VEU_SVM_H
#define VEU_SVM_H

#include "veu_space.h"

/*
 * Makes a space with all of the calling process's memory. Takes mmap_lock, so
 * the caller must not hold a lock of the driver.
 */
struct veu_space *veu_svm_make(struct veu_device *veu);

/* Under the space's lock: sets up its context for requests. */
void veu_svm_bind(struct veu_space *space, void __iomem *registers);
/*
 * The device may have written requests. May be called in any context, including
 * interrupts.
 */
void veu_svm_kick(struct veu_space *space);

/* Start and stop the workers of all devices, with the module. */
int veu_svm_begin(void);
void veu_svm_end(void);

/* Parts of the veu_space_*() functions of the same names, and of put(). */
int veu_svm_open(struct veu_space *space);
void veu_svm_close(struct veu_space *space);
void veu_svm_free_memory(struct veu_space *space);
void veu_svm_free(struct veu_space *space);

#endif /* VEU_SVM_H */
