/*
 * veu tools: the layout of a routine's instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * An object does not record which of the layouts in instruction.h it has. It is
 * assumed to be the one in which the code can be read to the end and every
 * variable exists.
 */
#include "tools/visa/instruction.h"

static bool has_variable(const VisaRoutine *routine, const uint8_t *at)
{
    uint32_t id = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;

    return id < VEU_FIRST_VARIABLE || visa_symbol(routine, VISA_VARIABLE, id);
}

static bool has_operand(const VisaRoutine *routine, char kind,
                        const uint8_t *at)
{
    if (kind == 'r') {
        return has_variable(routine, at);
    }
    return kind != 'v' || (at[0] & 7) != VEU_OPERAND_GENERAL ||
           has_variable(routine, at + 1);
}

/* The length of an instruction, or 0 if it makes no sense. */
static uint32_t readable_instruction(const VisaRoutine *routine, uint8_t layout,
                                     const uint8_t *code, uint32_t bytes)
{
    VisaOperand operands[VISA_MAX_OPERANDS];
    const VeuInstructionInfo *info = veu_instruction_row(code, bytes);
    unsigned count = 0;
    uint32_t length;

    if (!info) {
        return visa_instruction_bytes(layout, code, bytes);
    }
    length = visa_walk(info, layout, code, bytes, operands, &count);
    for (unsigned i = 0; i < count; i++) {
        if (!has_operand(routine, operands[i].kind, code + operands[i].at)) {
            return 0;
        }
    }
    return length;
}

/* The number of bytes of code that can be read. */
static uint32_t readable_bytes(const VisaRoutine *routine, uint8_t layout)
{
    const GByteArray *code = routine->code;
    uint32_t at = 0;
    uint32_t length = 1;

    while (length && at < code->len) {
        length = readable_instruction(routine, layout, code->data + at,
                                      code->len - at);
        at += length;
    }
    return at;
}

uint8_t visa_find_layout(const VisaRoutine *routine)
{
    uint8_t best = 0;
    uint32_t best_bytes = 0;

    for (uint8_t i = 0; i < VISA_LAYOUTS && best_bytes < routine->code->len;
         i++) {
        uint32_t bytes = readable_bytes(routine, i);

        if (bytes > best_bytes) {
            best = i;
            best_bytes = bytes;
        }
    }
    return best;
}
