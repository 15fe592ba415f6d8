/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Into ring 3 and back.
 */
#define USER_DATA 0x23
#define USER_CODE 0x2b
#define RFLAGS_INTERRUPTS 0x202
#define VECTOR_BYTES 16

        .text
        .code64
        .global x86_user_enter, x86_user_leave
/* void x86_user_enter(void (*run)(void *), void *opaque, void *stack) */
x86_user_enter:
        pushq %rbx
        pushq %rbp
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        movq %rsp, saved_stack(%rip)
        movq %rdi, %rax
        movq %rsi, %rdi
        pushq $USER_DATA
        pushq %rdx
        pushq $RFLAGS_INTERRUPTS
        pushq $USER_CODE
        pushq $in_user
        iretq
in_user:
        call *%rax
end_of_user:
        ud2

/*
 * Entry of exception 6. Where hypervisors run ring 3 natively and interpret
 * the rest, they know this instruction, but no int. Returns from
 * x86_user_enter(); other illegal instructions are none of its business.
 */
x86_user_leave:
        cmpq $end_of_user, (%rsp)
        jne x86_vector_stubs + 6 * VECTOR_BYTES
        movq saved_stack(%rip), %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbp
        popq %rbx
        ret

        .bss
        .balign 8
saved_stack:
        .skip 8

        .section .note.GNU-stack, "", @progbits
