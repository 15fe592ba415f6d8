/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entry: from the 32-bit multiboot state to C in long mode; and the same way
 * for the other processors, from real mode.
 */
#define MULTIBOOT_MAGIC 0x1badb002
#define MULTIBOOT_MEMORY 0x2            /* flag: tell the size of memory */

#define CR0_PE 0x1
#define CR0_PG 0x80000000
#define CR4_PAE 0x20
#define CR4_OSFXSR 0x200                /* SSE works: veu-kernels has floats */
#define MSR_EFER 0xc0000080
#define EFER_LME 0x100

#define PAGE_PRESENT_WRITE 0x3
#define PAGE_2M 0x83                    /* present, writable, large */
#define PAGE_2M_UNCACHED 0x9b           /* and cache disable, write through */
#define FIRST_DEVICE_PAGE (0xc0000000 >> 21)
#define PAGES (4 * 512)

#define CODE32 0x08
#define CODE64 0x10
#define DATA 0x18

#define STACK_BYTES 65536
#define TRAMPOLINE 0x8000               /* x86_smp.c copies it there */

        .section .multiboot, "a"
        .balign 4
        .long MULTIBOOT_MAGIC
        .long MULTIBOOT_MEMORY
        .long -(MULTIBOOT_MAGIC + MULTIBOOT_MEMORY)

        .text
        .code32
        .global x86_entry
x86_entry:
        cli
        movl %eax, %ebp                 /* what the loader says it is */
        movl %ebx, %esi                 /* and struct multiboot_info */
        movl $stack + STACK_BYTES, %esp

        /* One PML4 entry, four directories, 2048 pages of 2 MiB: 4 GiB. */
        movl $directory_pointers + PAGE_PRESENT_WRITE, pml4
        movl $directories + PAGE_PRESENT_WRITE, %eax
        movl $directory_pointers, %edi
        movl $4, %ecx
1:      movl %eax, (%edi)
        addl $4096, %eax
        addl $8, %edi
        loop 1b

        movl $directories, %edi
        xorl %ecx, %ecx
2:      movl %ecx, %eax
        shll $21, %eax
        cmpl $FIRST_DEVICE_PAGE, %ecx
        jb 3f
        orl $PAGE_2M_UNCACHED, %eax
        jmp 4f
3:      orl $PAGE_2M, %eax
4:      movl %eax, (%edi)
        addl $8, %edi
        incl %ecx
        cmpl $PAGES, %ecx
        jb 2b

        call enter_long_mode
        ljmp $CODE64, $start64

/* Returns in compatibility mode with paging on. */
enter_long_mode:
        movl $pml4, %eax
        movl %eax, %cr3
        movl %cr4, %eax
        orl $(CR4_PAE | CR4_OSFXSR), %eax
        movl %eax, %cr4
        movl $MSR_EFER, %ecx
        rdmsr
        orl $EFER_LME, %eax
        wrmsr
        movl %cr0, %eax
        orl $(CR0_PG | CR0_PE), %eax
        movl %eax, %cr0
        lgdt gdt_pointer
        ret

        .code64
start64:
        movw $DATA, %ax
        movw %ax, %ds
        movw %ax, %es
        movw %ax, %ss
        movl $stack + STACK_BYTES, %esp
        xorl %eax, %eax
        movw %ax, %fs
        movw %ax, %gs
        movl %ebp, %edi
        movl %esi, %esi
        call x86_main
        ud2

/*
 * The other processors start here in real mode, in the copy at TRAMPOLINE.
 */
#define THERE(symbol) (symbol - x86_trampoline + TRAMPOLINE)

        .global x86_trampoline, x86_trampoline_end
        .code16
x86_trampoline:
        cli
        xorw %ax, %ax
        movw %ax, %ds
        lgdtl THERE(trampoline_gdt_pointer)
        movl %cr0, %eax
        orb $CR0_PE, %al
        movl %eax, %cr0
        ljmpl $CODE32, $THERE(trampoline32)
        .balign 4
trampoline_gdt_pointer:
        .word gdt_end - gdt - 1
        .long gdt
        .code32
trampoline32:
        movw $DATA, %ax
        movw %ax, %ds
        movw %ax, %es
        movw %ax, %ss
        movl x86_smp_stack, %esp
        movl $enter_long_mode, %eax
        call *%eax
        ljmp $CODE64, $ap64
x86_trampoline_end:

        .code64
ap64:
        movq x86_smp_stack(%rip), %rsp
        call x86_smp_main
        ud2

        .section .rodata
        .balign 8
gdt:
        .quad 0
        .quad 0x00cf9a000000ffff        /* 32-bit code */
        .quad 0x00af9a000000ffff        /* 64-bit code */
        .quad 0x00cf92000000ffff        /* data */
gdt_end:
gdt_pointer:
        .word gdt_end - gdt - 1
        .quad gdt

        .bss
        .balign 4096
pml4:
        .skip 4096
directory_pointers:
        .skip 4096
directories:
        .skip 4 * 4096
        .balign 16
stack:
        .skip STACK_BYTES
        .size stack, . - stack

        .section .note.GNU-stack, "", @progbits
