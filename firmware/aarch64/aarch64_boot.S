/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entry at EL1 without translation, for the first processor and the others;
 * and exceptions.
 *
 * Translation is switched on because all memory is device memory without it:
 * unaligned accesses are faults there.
 */
#define STACK_BYTES 65536

/* Blocks of 1 GiB: memory (write-back, inner shareable), or devices. */
#define ACCESSED (1 << 10)
#define SHARED   (3 << 8)
#define BLOCK    1
#define MEMORY   (ACCESSED | SHARED | BLOCK)
#define DEVICES  ((1 << 54) | ACCESSED | (1 << 2) | BLOCK)
#define MAIR     0x04ff                 /* 0: memory; 1: devices, nGnRE */

/* 39 bits of address, pages of 4 KiB, walks as memory is; no upper half. */
#define TCR      ((2 << 32) | (1 << 23) | (3 << 12) | (1 << 10) | (1 << 8) | 25)

#define SCTLR_TRANSLATE 0x0001
#define SCTLR_ALIGN     0x0002
#define SCTLR_CACHES    0x1004

        .macro enter stack
        adrp x1, translation
        msr ttbr0_el1, x1
        ldr x1, =MAIR
        msr mair_el1, x1
        ldr x1, =TCR
        msr tcr_el1, x1
        isb
        mrs x1, sctlr_el1
        ldr x2, =(SCTLR_TRANSLATE | SCTLR_CACHES)
        orr x1, x1, x2
        mov x2, #SCTLR_ALIGN
        bic x1, x1, x2
        msr sctlr_el1, x1
        isb
        adr x1, vectors
        msr vbar_el1, x1
        msr spsel, #1
        mov sp, \stack
        .endm

        .section .text.entry, "ax"
        .global aarch64_entry, aarch64_secondary_entry
aarch64_entry:
        ldr x9, =stack + STACK_BYTES
        enter x9
        bl aarch64_main

/* As PSCI starts it: x0 is the top of its stack. */
aarch64_secondary_entry:
        mov x9, x0
        enter x9
        bl aarch64_secondary

        .ltorg

/* Both save all that C code may change; exceptions show all of it. */
        .macro save
        sub sp, sp, #(34 * 8)
        stp x0, x1, [sp, #(0 * 8)]
        stp x2, x3, [sp, #(2 * 8)]
        stp x4, x5, [sp, #(4 * 8)]
        stp x6, x7, [sp, #(6 * 8)]
        stp x8, x9, [sp, #(8 * 8)]
        stp x10, x11, [sp, #(10 * 8)]
        stp x12, x13, [sp, #(12 * 8)]
        stp x14, x15, [sp, #(14 * 8)]
        stp x16, x17, [sp, #(16 * 8)]
        stp x18, x19, [sp, #(18 * 8)]
        stp x20, x21, [sp, #(20 * 8)]
        stp x22, x23, [sp, #(22 * 8)]
        stp x24, x25, [sp, #(24 * 8)]
        stp x26, x27, [sp, #(26 * 8)]
        stp x28, x29, [sp, #(28 * 8)]
        stp x30, xzr, [sp, #(30 * 8)]
        mrs x0, elr_el1
        mrs x1, spsr_el1
        stp x0, x1, [sp, #(32 * 8)]
        .endm

exception:
        save
        mov x0, sp
        bl aarch64_exception

interrupt:
        save
        bl aarch64_interrupt
        ldp x0, x1, [sp, #(32 * 8)]
        msr elr_el1, x0
        msr spsr_el1, x1
        ldp x0, x1, [sp, #(0 * 8)]
        ldp x2, x3, [sp, #(2 * 8)]
        ldp x4, x5, [sp, #(4 * 8)]
        ldp x6, x7, [sp, #(6 * 8)]
        ldp x8, x9, [sp, #(8 * 8)]
        ldp x10, x11, [sp, #(10 * 8)]
        ldp x12, x13, [sp, #(12 * 8)]
        ldp x14, x15, [sp, #(14 * 8)]
        ldp x16, x17, [sp, #(16 * 8)]
        ldr x18, [sp, #(18 * 8)]
        ldp x29, x30, [sp, #(29 * 8)]
        add sp, sp, #(34 * 8)
        eret

        .macro vector to
        .balign 128
        b \to
        .endm

        .balign 2048
vectors:
        .rept 5
        vector exception
        .endr
        vector interrupt                /* this level, its own stack: IRQ */
        .rept 10
        vector exception
        .endr

        .section .rodata
        .balign 4096
translation:
        .quad DEVICES                   /* flash, GIC, UART, PCI below 1 GiB */
        .set gib, 1
        .rept 255
        .quad (gib << 30) | MEMORY
        .set gib, gib + 1
        .endr
        .rept 256
        .quad (gib << 30) | DEVICES     /* PCI above 256 GiB */
        .set gib, gib + 1
        .endr

        .bss
        .balign 16
stack:
        .skip STACK_BYTES

        .section .note.GNU-stack, "", @progbits
