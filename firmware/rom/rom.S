/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An expansion ROM for the BIOS of a PC: looks at the device, tells on the
 * console, and leaves the device as after a reset. It stays for no later use.
 *
 * "PCI Firmware Specification", chapter 5: the BIOS calls the third byte in
 * real mode, and the image begins at CS:0.
 */
#define IMAGE_BLOCKS 2                  /* of 512 bytes */

/* As veu/regs.h has them. */
#define VENDOR_ID    0x1234
#define DEVICE_ID    0x7665
#define CLASS        0x12
#define MAGIC        0x31554556
#define REG_MAGIC    0x0000
#define REG_ABI      0x0004
#define REG_CONTROL  0x0008
#define CONTROL_RESET 1
#define REG_BASE     0x4008             /* of ring 0 */
#define PATTERN      0x5a5a5a40         /* the low six bits read as 0 */

#define PCI_BAR0     0x10
#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  0x80000000
#define CONFIG_LAST    0x80200000      /* buses 0 to 31 */
#define BIOS_TELETYPE       0x0e        /* int 10h */
#define CR0_PE 1

        .code16
        .text
        .global rom
rom:
        .byte 0x55, 0xaa
        .byte IMAGE_BLOCKS
        jmp entry
        .org 0x18
        .word pci_data - rom
        .word 0                         /* no Plug and Play header */

        .balign 4
pci_data:
        .ascii "PCIR"
ids:    .word VENDOR_ID, DEVICE_ID
        .word 0
        .word 24                        /* bytes of this */
        .byte 0
        .byte 0, 0, CLASS
        .word IMAGE_BLOCKS
        .word 1
        .byte 0                         /* for PCs */
        .byte 0x80                      /* the last image */
        .word IMAGE_BLOCKS

entry:
        pushal
        pushw %ds
        pushw %fs
        pushw %cs
        popw %ds
        cld

        call find
        movw $no_device - rom, %si
        jne tell
        movb $PCI_BAR0, %bl
        call read_config
        movw $no_bar - rom, %si
        andl $~0xf, %eax
        jz tell
        movl %eax, %ebp                 /* ebp: the registers */

        pushfw
        cli
        call open_memory
        call test_device
        call close_memory
        popfw

tell:
        pushw %si
        movw $name - rom, %si
        call print
        popw %si
        call print
        movw $end - rom, %si
        call print
        popw %fs
        popw %ds
        popal
        xorw %ax, %ax                   /* nothing to boot from */
        lret

/*
 * ebx: the first function of the image's ids; "equal" if there is one. What the
 * BIOS has in AX is not relied on: SeaBIOS 1.16.2 was seen with 0 there.
 */
find:
        movl $CONFIG_ENABLE, %ebx
1:      xorb %bl, %bl
        call read_config
        cmpl ids - rom, %eax
        je 2f
        addl $0x100, %ebx
        cmpl $CONFIG_LAST, %ebx
        jb 1b
2:      ret

read_config:
        movl %ebx, %eax
        movw $CONFIG_ADDRESS, %dx
        outl %eax, %dx
        movw $CONFIG_DATA, %dx
        inl %dx, %eax
        ret

/* si: what to say */
test_device:
        movw $not_a_veu - rom, %si
        cmpl $MAGIC, %fs:REG_MAGIC(%ebp)
        jne 1f
        movw $no_reset - rom, %si
        movl $PATTERN, %fs:REG_BASE(%ebp)
        cmpl $PATTERN, %fs:REG_BASE(%ebp)
        jne 2f
        call reset
        cmpl $0, %fs:REG_BASE(%ebp)
        jne 1f
        movl %fs:REG_ABI(%ebp), %eax
        call write_version
        movw $version - rom, %si
1:      ret
2:      movw $no_register - rom, %si
reset:
        movl $CONTROL_RESET, %fs:REG_CONTROL(%ebp)
        ret

/* eax: version; digits, where the BIOS still lets the image be written */
write_version:
        addb $'0', %al
        movb %al, minor - rom
        shrl $16, %eax
        addb $'0', %al
        movb %al, major - rom
        ret

/* fs: all of memory. A segment keeps its limit when real mode comes back. */
open_memory:
        xorl %eax, %eax
        movw %cs, %ax
        shll $4, %eax
        addl $gdt - rom, %eax
        pushl %eax
        pushw $gdt_end - gdt - 1
        movw %sp, %bx
        lgdtl %ss:(%bx)
        addw $6, %sp
        movl %cr0, %eax
        orb $CR0_PE, %al
        movl %eax, %cr0
        movw $8, %bx
        movw %bx, %fs
        andb $~CR0_PE, %al
        movl %eax, %cr0
        xorw %bx, %bx
        movw %bx, %fs
        ret

/* Its limit is that of real mode again. */
close_memory:
        movl %cr0, %eax
        orb $CR0_PE, %al
        movl %eax, %cr0
        movw $16, %bx
        movw %bx, %fs
        andb $~CR0_PE, %al
        movl %eax, %cr0
        xorw %bx, %bx
        movw %bx, %fs
        ret

print:
        lodsb
        testb %al, %al
        jz 1f
        pushw %si
        pushl %ebp
        movb $BIOS_TELETYPE, %ah
        movw $7, %bx
        int $0x10
        popl %ebp
        popw %si
        jmp print
1:      ret

        .balign 8
gdt:    .quad 0
        .quad 0x008f92000000ffff        /* data, 4 GiB */
        .quad 0x000092000000ffff        /* data, 64 KiB */
gdt_end:

name:   .asciz "veu: "
end:    .asciz "\r\n"
version:
        .ascii "ABI "
major:  .ascii "?."
minor:  .asciz "?, self-test passed"
no_device:
        .asciz "there is no such PCI function"
no_bar: .asciz "BAR 0 has no address"
not_a_veu:
        .asciz "register MAGIC has another value"
no_register:
        .asciz "a register does not keep what is written to it"
no_reset:
        .asciz "a reset does not clear a register"

        .org IMAGE_BLOCKS * 512 - 1
        .byte 0                         /* rom.py makes the sum of all 0 */
        .section .note.GNU-stack, "", @progbits
