/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * qemu-system-riscv64 -M virt -bios none, in machine mode: the layer below
 * machine.h. The addresses of QEMU's devices are fixed (hw/riscv/virt.c);
 * everything that depends on options is read from the device tree. Its
 * interrupt controller accepts no messages (with aia=none, the default).
 */
#ifndef RISCV64_H
#define RISCV64_H

#include "virt.h"

/** What riscv64_boot.S pushes: x1 to x31 at their numbers. */
struct riscv64_frame {
    uint64_t x[32];
};

/** riscv64_boot.S calls these. */
void riscv64_main(const void *tree) __attribute__((noreturn));
void riscv64_secondary(void);
void riscv64_trap(const struct riscv64_frame *frame) __attribute__((noreturn));

/** The stack for the processor that is being started; NULL: none is. */
extern uint64_t riscv64_stack;

#endif /* RISCV64_H */
