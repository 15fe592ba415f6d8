/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time (the CLINT's), power (SiFive's test device), and other processors.
 */
#include "riscv64.h"

#define CLINT      0x02000000ull
#define CLINT_TIME 0xbff8
#define TIME_HZ    10000000ull

#define TEST      0x00100000ull
#define TEST_PASS 0x5555u
#define TEST_FAIL 0x3333u /* the status is above it */

#define STACK_BYTES 65536
#define START_US    1000000

uint64_t riscv64_stack;

static void (*job)(void *);
static void *job_opaque;
static uint32_t started;
static uint32_t busy; /* it has not returned from the previous job */

static uint64_t timer(void)
{
    return *(volatile uint64_t *)(CLINT + CLINT_TIME);
}

void machine_delay_us(unsigned us)
{
    uint64_t start = timer(), ticks = us * TIME_HZ / 1000000 + 1;

    while (timer() - start < ticks) {
        machine_pause();
    }
}

void machine_exit(int status)
{
    *(volatile uint32_t *)TEST = status ? TEST_FAIL | (uint32_t)(status * 2 + 1)
                                                          << 16 :
                                          TEST_PASS;
    machine_interrupts_off();
    for (;;) {
        machine_wait();
    }
}

/* ---- other processors ---- */

void riscv64_secondary(void)
{
    __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
    job(job_opaque);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static bool wait_for(const uint32_t *flag, uint32_t value)
{
    for (unsigned us = 0; us < START_US; us += 100) {
        if (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == value) {
            return true;
        }
        machine_delay_us(100);
    }
    return false;
}

bool machine_start_processor(uint32_t number, void (*run)(void *), void *opaque)
{
    if (!wait_for(&busy, 0)) {
        return false;
    }
    riscv64_stack = (uintptr_t)machine_alloc(STACK_BYTES, 16) + STACK_BYTES;
    job = run;
    job_opaque = opaque;
    busy = 1;
    started = 0;
    __asm__ volatile("fence" : : : "memory");
    *(volatile uint32_t *)(CLINT + 4 * number) = 1;
    return wait_for(&started, 1);
}
