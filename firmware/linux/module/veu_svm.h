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

struct kveu_space *kveu_svm_make(struct kveu_device *veu);
void kveu_svm_kick(struct kveu_space *space);

int kveu_svm_begin(void);
void kveu_svm_end(void);

#endif /* VEU_SVM_H */
