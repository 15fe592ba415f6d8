/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bare x86-64 PC: the layer below machine.h. Memory is identity-mapped below
 * 4 GiB.
 */
#ifndef X86_H
#define X86_H

#include "machine.h"

/* ---- ports ---- */

static inline void x86_out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void x86_out16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void x86_out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint8_t x86_in8(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint16_t x86_in16(uint16_t port)
{
    uint16_t value;

    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint32_t x86_in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

/* ---- console (x86_serial.c) ---- */

void x86_serial_init(void);

/* ---- interrupts (x86_interrupt.c, vectors.S) ---- */

/** The registers that vectors.S pushes. */
struct x86_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rdx, rcx, rbx,
        rax;
    uint64_t vector;
    uint64_t error;
    uint64_t rip, cs, rflags, rsp, ss;
};

/** The first vector that does not belong to an exception. */
#define X86_FIRST_VECTOR 32

/** The vector of an interrupt that has vanished, which is ignored. */
#define X86_SPURIOUS_VECTOR 0xff

/** Loads the IDT and masks the old interrupt controllers. */
void x86_interrupt_init(void);

/** Loads the same IDT on another processor. */
void x86_interrupt_load(void);

/** Calls @handler at interrupts of a vector, which it then acknowledges. */
void x86_set_handler(unsigned vector, machine_handler *handler, void *opaque);

/** Interrupts of a vector enter at @entry itself, which ends with iretq. */
void x86_set_entry(unsigned vector, const void *entry);

/* ---- local APIC (x86_lapic.c) ---- */

void x86_lapic_init(void);
uint32_t x86_lapic_id(void);
void x86_lapic_end_of_interrupt(void);

/**
 * Returns the address and data of an MSI that is @vector on processor @apic_id.
 */
uint64_t x86_msi_address(uint32_t apic_id);
uint32_t x86_msi_data(unsigned vector);

/** Sends INIT, or SIPI with the page number of the code, to a processor. */
void x86_lapic_send_init(uint32_t apic_id);
void x86_lapic_send_startup(uint32_t apic_id, uint8_t page);

/* ---- ring 3 (x86_user.c, user.S) ---- */

/**
 * Calls @run in ring 3, with interrupts enabled and access to all of memory. A
 * program may call it once.
 */
void x86_run_user(void (*run)(void *), void *opaque);

#endif /* X86_H */
