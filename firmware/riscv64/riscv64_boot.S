/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entry in machine mode, where all processors start at once; and traps.
 */
#define STACK_BYTES 65536
#define CLINT       0x02000000          /* a word each: software interrupts */
#define MIE_MSIE    8

        .section .text.entry, "ax"
        .global riscv64_entry
riscv64_entry:
        la t0, trap                     /* a0: its number, a1: the tree */
        csrw mtvec, t0
        csrwi mstatus, 0
        bnez a0, others
        la sp, stack + STACK_BYTES
        mv a0, a1
        call riscv64_main

/* They sleep until riscv64_power.c sends a software interrupt. */
others:
        csrwi mie, MIE_MSIE
        li s0, CLINT
        slli t0, a0, 2
        add s0, s0, t0
1:      wfi
        lw t0, (s0)
        beqz t0, 1b
        sw zero, (s0)
        fence
        la t0, riscv64_stack
        ld sp, (t0)
        call riscv64_secondary
        j 1b

        .balign 4
trap:
        addi sp, sp, -256
        sd x1, 8(sp)
        sd x3, 24(sp)
        sd x4, 32(sp)
        sd x5, 40(sp)
        sd x6, 48(sp)
        sd x7, 56(sp)
        sd x8, 64(sp)
        sd x9, 72(sp)
        sd x10, 80(sp)
        sd x11, 88(sp)
        sd x12, 96(sp)
        sd x13, 104(sp)
        sd x14, 112(sp)
        sd x15, 120(sp)
        sd x16, 128(sp)
        sd x17, 136(sp)
        sd x18, 144(sp)
        sd x19, 152(sp)
        sd x20, 160(sp)
        sd x21, 168(sp)
        sd x22, 176(sp)
        sd x23, 184(sp)
        sd x24, 192(sp)
        sd x25, 200(sp)
        sd x26, 208(sp)
        sd x27, 216(sp)
        sd x28, 224(sp)
        sd x29, 232(sp)
        sd x30, 240(sp)
        sd x31, 248(sp)
        addi t0, sp, 256
        sd t0, 16(sp)
        mv a0, sp
        call riscv64_trap

        .bss
        .balign 16
stack:
        .skip STACK_BYTES

        .section .note.GNU-stack, "", @progbits
