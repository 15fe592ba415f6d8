/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bare x86-64 PC, as far as programs that drive a veu need it.
 *
 * The program's entry is program_main(); memory is identity-mapped below
 * 4 GiB; interrupts are off until x86_interrupts_on().
 */
#ifndef X86_H
#define X86_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The program. Its return value is the machine's exit status: 0 is success. */
int program_main(const char *command_line);

/* ---- ports and processor ---- */

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

static inline uint64_t x86_tsc(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline void x86_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

/* ---- console (x86_serial.c, x86_print.c) ---- */

void x86_serial_init(void);
void x86_put_char(char c);

/** Knows %s %c %d %u %x %lu %lx %p and %%, with -, 0 and a width. */
void x86_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same into @to, which is always terminated; the length that it needs. */
size_t x86_format(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* ---- memory (x86_memory.c) ---- */

/** Tells the allocator where RAM ends; @image_end: what the loader placed. */
void x86_memory_init(uint64_t image_end, uint64_t ram_end);

/** Zeroed memory, never freed. Panics when there is none left. */
void *x86_alloc(size_t bytes, size_t alignment);

/** The first address behind RAM below 4 GiB. */
uint64_t x86_ram_end(void);

/* ---- interrupts (x86_interrupt.c, vectors.S) ---- */

/** What vectors.S pushes. */
struct x86_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rdx, rcx, rbx,
        rax;
    uint64_t vector;
    uint64_t error;
    uint64_t rip, cs, rflags, rsp, ss;
};

typedef void x86_handler(void *opaque);

/** The first vector that is no exception's. */
#define X86_FIRST_VECTOR 32

/** Loads the IDT and silences the old interrupt controllers. */
void x86_interrupt_init(void);

/** Loads the same IDT on another processor. */
void x86_interrupt_load(void);

/** Calls @handler at interrupts of a vector, which is then acknowledged. */
void x86_set_handler(unsigned vector, x86_handler *handler, void *opaque);

/** Interrupts of a vector enter at @entry itself, which ends with iretq. */
void x86_set_entry(unsigned vector, const void *entry);

static inline void x86_interrupts_on(void)
{
    __asm__ volatile("sti" : : : "memory");
}

static inline void x86_interrupts_off(void)
{
    __asm__ volatile("cli" : : : "memory");
}

/* ---- local APIC (x86_lapic.c) ---- */

void x86_lapic_init(void);
uint32_t x86_lapic_id(void);
void x86_lapic_end_of_interrupt(void);

/** Address and data of an MSI that is @vector on processor @apic_id. */
uint64_t x86_msi_address(uint32_t apic_id);
uint32_t x86_msi_data(unsigned vector);

/** Sends INIT, or SIPI with the page number of the code, to a processor. */
void x86_lapic_send_init(uint32_t apic_id);
void x86_lapic_send_startup(uint32_t apic_id, uint8_t page);

/* ---- other processors (x86_smp.c) ---- */

/** Processors of the machine. */
unsigned x86_processors(void);

/** Runs @run on processor @apic_id, once. False: it did not start. */
bool x86_start_processor(uint32_t apic_id, void (*run)(void *), void *opaque);

/* ---- ring 3 (x86_user.c, user.S) ---- */

/**
 * Calls @run in ring 3, with interrupts on and all of memory to access; once
 * in a program's life.
 */
void x86_run_user(void (*run)(void *), void *opaque);

/* ---- time and power (x86_power.c) ---- */

void x86_delay_us(unsigned us);

/** Leaves QEMU: with status 0, or with another one. */
void x86_exit(int status) __attribute__((noreturn));

/** Says why and leaves with a failure. */
void x86_panic(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

#endif /* X86_H */
