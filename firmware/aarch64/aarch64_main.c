/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The console (a PL011), exceptions, and code that returns a number.
 */
#include "aarch64.h"

#define UART      0x09000000ull
#define DATA      0x00
#define FLAGS     0x18
#define FLAG_FULL 0x20

/* QEMU puts the device tree at the beginning of RAM. */
#define TREE 0x40000000ull

#define OPCODE_MOVZ 0x52800000u /* movz w0, #number << 5 */
#define OPCODE_RET  0xd65f03c0u

void aarch64_main(void)
{
    aarch64_start_ticks();
    virt_main((const void *)TREE);
}

static volatile uint32_t *uart(unsigned offset)
{
    return (volatile uint32_t *)(UART + offset);
}

void machine_put_char(char c)
{
    if (c == '\n') {
        machine_put_char('\r');
    }
    while (*uart(FLAGS) & FLAG_FULL) {
        machine_pause();
    }
    *uart(DATA) = c;
}

void aarch64_exception(const struct aarch64_frame *f)
{
    uint64_t cause, address;

    __asm__ volatile("mrs %0, esr_el1" : "=r"(cause));
    __asm__ volatile("mrs %0, far_el1" : "=r"(address));
    machine_print("\nexception class 0x%lx, esr 0x%lx, elr 0x%lx, far 0x%lx\n",
                  cause >> 26, cause, f->elr, address);
    for (unsigned i = 0; i < 31; i++) {
        machine_print("x%-2u %016lx%c", i, f->x[i], i % 4 == 3 ? '\n' : ' ');
    }
    machine_panic("exception on processor %u", aarch64_processor());
}

uint32_t machine_code_word(uint32_t number)
{
    return OPCODE_MOVZ | number << 5;
}

void machine_write_code(uint8_t *at)
{
    ((uint32_t *)at)[1] = OPCODE_RET;
}
