/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that returns a number: movl $number, %eax; ret.
 */
#include "x86.h"

#define OPCODE_MOV 0xb8
#define OPCODE_RET 0xc3

uint32_t machine_code_word(uint32_t number)
{
    return number;
}

void machine_write_code(uint8_t *at)
{
    at[0] = OPCODE_MOV;
    at[MACHINE_CODE_WORD + sizeof(uint32_t)] = OPCODE_RET;
}
