/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Other processors: counting and starting them.
 */
#include "x86.h"

#define FW_CFG_SELECT     0x510
#define FW_CFG_DATA       0x511
#define FW_CFG_SIGNATURE  0x00
#define FW_CFG_PROCESSORS 0x05

#define TRAMPOLINE  0x8000
#define PAGE        4096
#define STACK_BYTES 65536
#define START_US    1000000

/* boot.S */
extern const uint8_t x86_trampoline[], x86_trampoline_end[];
/* The stack of the processor that is being started, which boot.S loads. */
uint64_t x86_smp_stack;
void x86_smp_main(void) __attribute__((noreturn));

static void (*job)(void *);
static void *job_opaque;
static uint32_t started;

unsigned machine_processors(void)
{
    char signature[4];
    unsigned count;

    x86_out16(FW_CFG_SELECT, FW_CFG_SIGNATURE);
    for (unsigned i = 0; i < sizeof(signature); i++) {
        signature[i] = x86_in8(FW_CFG_DATA);
    }
    if (__builtin_memcmp(signature, "QEMU", sizeof(signature))) {
        return 1;
    }
    x86_out16(FW_CFG_SELECT, FW_CFG_PROCESSORS);
    count = x86_in8(FW_CFG_DATA);
    return count | x86_in8(FW_CFG_DATA) << 8;
}

void x86_smp_main(void)
{
    x86_interrupt_load();
    x86_lapic_init();
    __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
    job(job_opaque);
    for (;;) {
        __asm__ volatile("cli; hlt");
    }
}

static bool wait_started(void)
{
    for (unsigned us = 0; us < START_US; us += 100) {
        if (__atomic_load_n(&started, __ATOMIC_ACQUIRE)) {
            return true;
        }
        machine_delay_us(100);
    }
    return false;
}

bool machine_start_processor(uint32_t apic_id, void (*run)(void *),
                             void *opaque)
{
    __builtin_memcpy((void *)TRAMPOLINE, x86_trampoline,
                     x86_trampoline_end - x86_trampoline);
    job = run;
    job_opaque = opaque;
    started = 0;
    x86_smp_stack = (uintptr_t)machine_alloc(STACK_BYTES, 16) + STACK_BYTES;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);

    /* The manual's sequence: INIT, 10 ms, and STARTUP once or twice. */
    x86_lapic_send_init(apic_id);
    machine_delay_us(10000);
    x86_lapic_send_startup(apic_id, TRAMPOLINE / PAGE);
    machine_delay_us(200);
    if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) {
        x86_lapic_send_startup(apic_id, TRAMPOLINE / PAGE);
    }
    return wait_started();
}
