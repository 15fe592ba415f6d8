/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interrupt: takes the time before anything else.
 */
#define LAPIC_EOI 0xfee000b0

        .text
        .code64
        .global latency_interrupt
latency_interrupt:
        pushq %rax
        pushq %rdx
        rdtsc
        movl %eax, latency_interrupt_tsc(%rip)
        movl %edx, latency_interrupt_tsc + 4(%rip)
        incl latency_interrupts(%rip)
        movl $LAPIC_EOI, %eax
        movl $0, (%rax)
        popq %rdx
        popq %rax
        iretq

        .bss
        .balign 8
        .global latency_interrupt_tsc, latency_interrupts
latency_interrupt_tsc:
        .skip 8
latency_interrupts:
        .skip 4

        .section .note.GNU-stack, "", @progbits
