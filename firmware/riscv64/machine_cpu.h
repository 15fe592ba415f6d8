/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Operations that take RV64 an instruction or two, in machine mode.
 */
#ifndef MACHINE_CPU_H
#define MACHINE_CPU_H

#include <stdint.h>

/* addi a0, zero, number */
#define MACHINE_CPU_CODE_WORD 0

#define RISCV64_STATUS_MIE "8"

static inline void machine_pause(void)
{
    __asm__ volatile(".insn i 0x0f, 0, x0, x0, 0x010" : : : "memory");
}

/** Until an interrupt. */
static inline void machine_wait(void)
{
    __asm__ volatile("wfi" : : : "memory");
}

/** A counter that runs at a constant rate: the cycle counter. */
static inline uint64_t machine_ticks(void)
{
    uint64_t ticks;

    __asm__ volatile("csrr %0, mcycle" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline void machine_interrupts_on(void)
{
    __asm__ volatile("csrsi mstatus, " RISCV64_STATUS_MIE : : : "memory");
}

static inline void machine_interrupts_off(void)
{
    __asm__ volatile("csrci mstatus, " RISCV64_STATUS_MIE : : : "memory");
}

/** After this, the processor executes what memory holds. */
static inline void machine_sync_code(void)
{
    __asm__ volatile("fence.i" : : : "memory");
}

/** Order accesses to the device's registers and to memory. */
static inline void machine_after_read(void)
{
    __asm__ volatile("fence i, r" : : : "memory");
}

static inline void machine_before_write(void)
{
    __asm__ volatile("fence w, o" : : : "memory");
}

#endif /* MACHINE_CPU_H */
