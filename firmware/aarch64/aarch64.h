/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * qemu-system-aarch64 -M virt, with one of its 64-bit processors, at EL1: the
 * layer below machine.h. The addresses of QEMU's devices are fixed
 * (hw/arm/virt.c); everything that depends on options is read from the device
 * tree.
 */
#ifndef AARCH64_H
#define AARCH64_H

#include "virt.h"

/** What boot.S pushes. */
struct aarch64_frame {
    uint64_t x[32]; /* x31: nothing */
    uint64_t elr;
    uint64_t spsr;
};

/** boot.S calls these. */
void aarch64_main(void) __attribute__((noreturn));
void aarch64_secondary(void) __attribute__((noreturn));
void aarch64_exception(const struct aarch64_frame *frame)
    __attribute__((noreturn));
void aarch64_interrupt(void);

/** Calls the firmware that QEMU emulates (PSCI). */
int64_t aarch64_psci(uint32_t function, uint64_t a, uint64_t b, uint64_t c);
#define PSCI_CPU_OFF    0x84000002u
#define PSCI_CPU_ON     0xc4000003u
#define PSCI_SYSTEM_OFF 0x84000008u

/** This processor's number, and its counter of cycles. */
unsigned aarch64_processor(void);
void aarch64_start_ticks(void);

#endif /* AARCH64_H */
