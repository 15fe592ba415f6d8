/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time, power, and other processors, with the firmware that QEMU emulates.
 */
#include "aarch64.h"

#define ALREADY_ON (-4)
#define ON_PENDING (-5)

#define SEMIHOSTING_EXIT   0x20    /* SYS_EXIT_EXTENDED */
#define SEMIHOSTING_REASON 0x20026 /* the program has ended */

#define STACK_BYTES 65536
#define START_US    1000000

#define CYCLES_ENABLE 0x80000000u

void aarch64_secondary_entry(void);

static void (*job)(void *);
static void *job_opaque;
static uint32_t started;

int64_t aarch64_psci(uint32_t function, uint64_t a, uint64_t b, uint64_t c)
{
    register uint64_t x0 __asm__("x0") = function;
    register uint64_t x1 __asm__("x1") = a;
    register uint64_t x2 __asm__("x2") = b;
    register uint64_t x3 __asm__("x3") = c;

    __asm__ volatile("hvc #0"
                     : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                     :
                     : "memory");
    return (int32_t)x0;
}

unsigned aarch64_processor(void)
{
    uint64_t id;

    __asm__ volatile("mrs %0, mpidr_el1" : "=r"(id));
    return id & 0xff;
}

void aarch64_start_ticks(void)
{
    uint64_t control;

    __asm__ volatile("mrs %0, pmcr_el0" : "=r"(control));
    __asm__ volatile("msr pmcr_el0, %0" : : "r"(control | 1));
    __asm__ volatile("msr pmcntenset_el0, %0" : : "r"((uint64_t)CYCLES_ENABLE));
    __asm__ volatile("isb");
}

static uint64_t timer(void)
{
    uint64_t value;

    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value) : : "memory");
    return value;
}

void machine_delay_us(unsigned us)
{
    uint64_t start = timer(), hz, ticks;

    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    ticks = us * hz / 1000000 + 1;
    while (timer() - start < ticks) {
        machine_pause();
    }
}

/*
 * A failure can only be reported to a debugger, which QEMU emulates with
 * -semihosting.
 */
static void exit_failed(int status)
{
    uint64_t parameters[2] = { SEMIHOSTING_REASON, status * 2 + 1 };
    register uint64_t x0 __asm__("x0") = SEMIHOSTING_EXIT;
    register uint64_t *x1 __asm__("x1") = parameters;

    __asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
}

void machine_exit(int status)
{
    static bool leaving;

    if (status && !leaving) {
        leaving = true; /* without -semihosting, it is an exception */
        exit_failed(status);
    }
    if (!status) {
        aarch64_psci(PSCI_SYSTEM_OFF, 0, 0, 0);
    }
    machine_print("cannot leave with status %d: halted\n", status);
    machine_interrupts_off();
    for (;;) {
        machine_wait();
    }
}

/* ---- other processors ---- */

void aarch64_secondary(void)
{
    aarch64_start_ticks();
    __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
    job(job_opaque);
    aarch64_psci(PSCI_CPU_OFF, 0, 0, 0);
    machine_panic("processor %u does not stop", aarch64_processor());
}

/* It may still be turning itself off after the previous job. */
static bool switch_on(uint32_t number, uint64_t stack)
{
    int64_t status = ALREADY_ON;

    for (unsigned us = 0; us < START_US; us += 100) {
        status = aarch64_psci(PSCI_CPU_ON, number,
                              (uintptr_t)aarch64_secondary_entry, stack);
        if (status != ALREADY_ON && status != ON_PENDING) {
            break;
        }
        machine_delay_us(100);
    }
    return !status;
}

bool machine_start_processor(uint32_t number, void (*run)(void *), void *opaque)
{
    uint64_t stack = (uintptr_t)machine_alloc(STACK_BYTES, 16) + STACK_BYTES;

    job = run;
    job_opaque = opaque;
    __atomic_store_n(&started, 0, __ATOMIC_SEQ_CST);
    if (!switch_on(number, stack)) {
        return false;
    }
    for (unsigned us = 0; us < START_US; us += 100) {
        if (__atomic_load_n(&started, __ATOMIC_ACQUIRE)) {
            return true;
        }
        machine_delay_us(100);
    }
    return false;
}
