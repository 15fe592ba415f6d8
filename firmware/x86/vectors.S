/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupt entry points: one of 16 bytes for each of the 256 vectors.
 */
#define STUB_BYTES 16
/* Exceptions that push an error code: 8, 10-14, 17, 21, 29, 30. */
#define ERROR_CODES 0x60227d00

        .text
        .balign STUB_BYTES
        .global x86_vector_stubs
x86_vector_stubs:
        .set vector, 0
        .rept 32
        .balign STUB_BYTES
        .if !((ERROR_CODES >> vector) & 1)
        pushq $0
        .endif
        pushq $vector
        jmp interrupt_entry
        .set vector, vector + 1
        .endr
        .rept 256 - 32
        .balign STUB_BYTES
        pushq $0
        pushq $vector
        jmp interrupt_entry
        .set vector, vector + 1
        .endr

interrupt_entry:
        pushq %rax
        pushq %rbx
        pushq %rcx
        pushq %rdx
        pushq %rbp
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        cld
        movq %rsp, %rdi                 /* struct x86_frame */
        call x86_interrupt
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rbp
        popq %rdx
        popq %rcx
        popq %rbx
        popq %rax
        addq $16, %rsp                  /* vector, error code */
        iretq

        .section .note.GNU-stack, "", @progbits
