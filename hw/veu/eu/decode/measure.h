/*
 * veu execution unit: how much memory a program needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sections say how many entries they have. Messages, instructions and calls are
 * counted, by their lengths alone. The decoder checks whether they are legal
 * and stops at the first that is not, so it never needs more room.
 */
#ifndef HW_VEU_EU_DECODE_MEASURE_H
#define HW_VEU_EU_DECODE_MEASURE_H

#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/program/room.h"

typedef struct VeuMeasure {
    VeuProgramRoom room; /* so far */
    uint32_t kind;       /* enum veu_program_kind */
    const uint8_t *code; /* the caller's bytes */
    uint32_t code_bytes;
    uint32_t code_at;
} VeuMeasure;

/*
 * Checks header and sections of the program in @bytes, within veu_load_limits.
 * The bytes must stay valid. Returns false with a fault of veu_program_open().
 */
bool veu_measure_open(VeuMeasure *measure, const uint8_t *bytes,
                      uint32_t byte_count, VeuFault *fault);

/*
 * Counts up to @budget messages or instructions. Returns true once all are
 * counted: @room is then what veu_program_place() needs.
 */
bool veu_measure_count(VeuMeasure *measure, unsigned budget);

#endif
