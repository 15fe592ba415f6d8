/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Operations that take AArch64 an instruction or two.
 */
#ifndef MACHINE_CPU_H
#define MACHINE_CPU_H

#include <stdint.h>

/* movz w0, #number */
#define MACHINE_CPU_CODE_WORD 0

static inline void machine_pause(void)
{
    __asm__ volatile("yield" : : : "memory");
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

    __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline void machine_interrupts_on(void)
{
    __asm__ volatile("msr daifclr, #2" : : : "memory");
}

static inline void machine_interrupts_off(void)
{
    __asm__ volatile("msr daifset, #2" : : : "memory");
}

/** After this, the processor executes what memory holds. */
static inline void machine_sync_code(void)
{
    __asm__ volatile("dsb ish; ic iallu; dsb ish; isb" : : : "memory");
}

/** Order accesses to the device's registers and to memory. */
static inline void machine_after_read(void)
{
    __asm__ volatile("dmb oshld" : : : "memory");
}

static inline void machine_before_write(void)
{
    __asm__ volatile("dmb oshst" : : : "memory");
}

#endif /* MACHINE_CPU_H */
