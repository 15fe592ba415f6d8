/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An expansion ROM for the BIOS of a PC: its headers, and the way from the
 * BIOS's real mode to rom_main() and back.
 *
 * "PCI Firmware Specification", chapter 5: the BIOS copies the image to RAM at
 * CS:0 and calls its fourth byte in real mode, with the function in AX. The
 * copy can be written until that call returns. "Plug and Play BIOS
 * Specification", section 3: the expansion header. SeaBIOS does without AX for
 * images that have none, as they may be older than PCI.
 */
#include "hw/veu/qemu/rom.h"
#include "rom.h"

/* As veu/regs.h has them; QEMU puts in the ids that the device has. */
#define VENDOR_ID 0x1234
#define DEVICE_ID 0x7665
#define CLASS     0x12

#define STACK_BYTES 2048
#define CR0_PE      1
#define TELETYPE    0x0e                /* function of int 10h */
#define GRAY        7

/* Offsets in gdt */
#define CODE32 8
#define DATA32 16
#define CODE16 24
#define DATA16 32

/* What is in the image, as an offset from its beginning. */
#define AT(symbol) symbol - rom

        .global veu_rom_bytes           /* for rom.lds */
        .set veu_rom_bytes, VEU_ROM_BYTES

        .section .rom, "awx"
        .code16
rom:    .byte 0x55, 0xaa
blocks: .byte 0                         /* of 512 bytes: rom.py */
        jmp entry
        .org 6
        .byte 0                         /* makes the sum 0: rom.py, QEMU */
        .org 0x18
        .word AT(pci_header)
        .word AT(pnp_header)

        .balign 4
pci_header:
        .ascii "PCIR"
ids:    .word VENDOR_ID, DEVICE_ID
        .word 0
        .word 24                        /* bytes of this */
        .byte 0
        .byte 0, 0, CLASS
        .word 0                         /* blocks: rom.py */
        .word 1
        .byte 0                         /* for PCs */
        .byte 0x80                      /* the last image */
        .word 0

        .balign 16
pnp_header:
        .ascii "$PnP"
        .byte 1                         /* revision */
        .byte 2                         /* of 16 bytes */
        .word 0
        .byte 0
        .byte 0                         /* makes its sum 0: rom.py */
        .long 0
        .word AT(maker), AT(product)
        .byte 0, 0, CLASS
        .byte 0
        .word 0, 0, 0                   /* nothing to boot from */
        .word 0, 0

entry:
        pushal
        pushw %ds
        pushw %es
        pushw %fs
        pushw %gs
        pushfw
        cli
        cld
        pushw %cs
        popw %ds
        movw %ax, AT(function)
        call test_device
        popfw
        call print_line
        popw %gs
        popw %fs
        popw %es
        popw %ds
        popal
        movb $0, %cs:AT(blocks)         /* the BIOS can have its room back */
        xorw %ax, %ax
        lret

/* Calls rom_main() in flat protected mode. No segment is kept but DS. */
test_device:
        movw %ss, AT(bios_ss)
        movl %esp, AT(bios_esp)
        movw %cs, AT(bios_cs)
        sgdtl AT(bios_gdt)
        xorl %ebx, %ebx
        movw %cs, %bx
        shll $4, %ebx                   /* ebx: the image's address */
        addl %ebx, AT(gdt_address)
        addl %ebx, AT(code16) + 2
        addl %ebx, AT(to_32)
        lgdtl AT(gdt_register)
        movl %cr0, %eax
        orb $CR0_PE, %al
        movl %eax, %cr0
        ljmpl *AT(to_32)

        .code32
in_32:  movw $DATA32, %ax
        movw %ax, %ds
        movw %ax, %es
        movw %ax, %ss
        leal AT(stack_end)(%ebx), %esp
        call relocate
        leal AT(line)(%ebx), %eax
        pushl %eax
        leal AT(ids)(%ebx), %eax
        pushl %eax
        movzwl AT(function)(%ebx), %eax
        pushl %eax
        call rom_main
        ljmpl $CODE16, $AT(in_16)

/*
 * Addresses in data are linked for an image at 0. All entries are of one type,
 * R_386_RELATIVE, and 8 bytes long: the address's offset comes first.
 */
relocate:
        leal AT(from)(%ebx), %esi
        leal AT(to)(%ebx), %edi
        addl (%esi), %esi
        addl (%edi), %edi
1:      cmpl %edi, %esi
        jae 2f
        movl (%esi), %eax
        addl %ebx, (%ebx, %eax)
        addl $8, %esi
        jmp 1b
2:      ret

        .code16
in_16:  movw $DATA16, %ax               /* with the limit of real mode */
        movw %ax, %ds
        movw %ax, %es
        movw %ax, %fs
        movw %ax, %gs
        movw %ax, %ss
        movl %cr0, %eax
        andb $~CR0_PE, %al
        movl %eax, %cr0
        ljmpw *%cs:AT(to_bios)
in_bios:
        movw %cs, %ax
        movw %ax, %ds
        movw AT(bios_ss), %ss
        movl AT(bios_esp), %esp
        lgdtl AT(bios_gdt)
        ret

print_line:
        movw $AT(line), %si
1:      lodsb
        testb %al, %al
        jz 2f
        pushw %si
        movb $TELETYPE, %ah
        movw $GRAY, %bx
        int $0x10
        popw %si
        jmp 1b
2:      ret

        .balign 8
gdt:    .quad 0
        .quad 0x00cf9a000000ffff        /* code, 32 bits, 4 GiB */
        .quad 0x00cf92000000ffff        /* data, 4 GiB */
code16: .quad 0x00009a000000ffff        /* code, 16 bits, 64 KiB from rom on */
        .quad 0x000092000000ffff        /* data, 64 KiB */
gdt_end:
gdt_register:
        .word gdt_end - gdt - 1
gdt_address:
        .long AT(gdt)
to_32:  .long AT(in_32)
        .word CODE32
to_bios:
        .word AT(in_bios)
bios_cs:
        .word 0
bios_ss:
        .word 0
bios_esp:
        .long 0
bios_gdt:
        .word 0
        .long 0
function:
        .word 0

        .balign 4
from:   .long rom_relocations - .
to:     .long rom_end - .
maker:  .asciz "veu"
product:
        .asciz "veu self-test"
line:   .skip ROM_LINE_BYTES

        .balign 16
        .skip STACK_BYTES
stack_end:
        .section .note.GNU-stack, "", @progbits
