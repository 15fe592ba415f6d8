/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The console (a 16550), traps, and code that returns a number.
 */
#include "riscv64.h"

#define UART     0x10000000ull
#define DATA     0
#define STATUS   5
#define CAN_SEND 0x20

#define OPCODE_ADDI 0x00000513u /* addi a0, zero, number << 20 */
#define OPCODE_RET  0x00008067u

void riscv64_main(const void *tree)
{
    virt_main(tree);
}

static volatile uint8_t *uart(unsigned offset)
{
    return (volatile uint8_t *)(UART + offset);
}

void machine_put_char(char c)
{
    if (c == '\n') {
        machine_put_char('\r');
    }
    while (!(*uart(STATUS) & CAN_SEND)) {
        machine_pause();
    }
    *uart(DATA) = c;
}

void riscv64_trap(const struct riscv64_frame *f)
{
    uint64_t cause, at, value, processor;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    __asm__ volatile("csrr %0, mepc" : "=r"(at));
    __asm__ volatile("csrr %0, mtval" : "=r"(value));
    __asm__ volatile("csrr %0, mhartid" : "=r"(processor));
    machine_print("\nexception 0x%lx, mepc 0x%lx, mtval 0x%lx\n", cause, at,
                  value);
    for (unsigned i = 1; i < 32; i++) {
        machine_print("x%-2u %016lx%c", i, f->x[i], i % 4 == 3 ? '\n' : ' ');
    }
    machine_panic("exception on processor %lu", processor);
}

bool machine_set_message(machine_handler *handler, void *opaque,
                         struct machine_message *message)
{
    (void)handler;
    (void)opaque;
    (void)message;
    return false;
}

uint32_t machine_code_word(uint32_t number)
{
    return OPCODE_ADDI | number << 20;
}

void machine_write_code(uint8_t *at)
{
    ((uint32_t *)at)[1] = OPCODE_RET;
}
