/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * veu: shared virtual memory: the device uses the pointers of a process.
 *
 * The tables of such a space are filled by requests of the device
 * (docs/spec.md, section 3.5) and emptied by an MMU notifier of the process.
 */
#ifndef VEU_SVM_H
#define VEU_SVM_H

#include "veu_space.h"

/*
 * A space that has all of the calling process's memory. Takes mmap_lock: the
 * caller has no lock of the driver.
 */
struct veu_space *veu_svm_make(struct veu_device *veu);

/* Under the space's lock: its context is set up for requests. */
void veu_svm_bind(struct veu_space *space, void __iomem *registers);
/* The device may have written requests. From anywhere, also interrupts. */
void veu_svm_kick(struct veu_space *space);

/* The workers of all devices: while the module is there. */
int veu_svm_begin(void);
void veu_svm_end(void);

/* Parts of the functions veu_space_*() of the same name, and of put(). */
int veu_svm_open(struct veu_space *space);
void veu_svm_close(struct veu_space *space);
void veu_svm_free_memory(struct veu_space *space);
void veu_svm_free(struct veu_space *space);

#endif /* VEU_SVM_H */
