/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Operations that take x86-64 an instruction or two.
 */
#ifndef MACHINE_CPU_H
#define MACHINE_CPU_H

#include <stdint.h>

/* movl $number, %eax */
#define MACHINE_CPU_CODE_WORD 1

static inline void machine_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

/** Waits until an interrupt. */
static inline void machine_wait(void)
{
    __asm__ volatile("hlt" : : : "memory");
}

/** A counter that runs at a steady rate: the TSC. */
static inline uint64_t machine_ticks(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline void machine_interrupts_on(void)
{
    __asm__ volatile("sti" : : : "memory");
}

static inline void machine_interrupts_off(void)
{
    __asm__ volatile("cli" : : : "memory");
}

/** From here on, the processor executes what memory holds. */
static inline void machine_sync_code(void)
{
    uint32_t a = 0, c = 0;

    __asm__ volatile("cpuid" : "+a"(a), "+c"(c) : : "ebx", "edx", "memory");
}

#endif /* MACHINE_CPU_H */
