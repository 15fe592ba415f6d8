/*
 * veu execution unit: the fields of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/instruction.h"

static const char *const relations[] = { "eq", "ne", "gt", "ge", "lt", "le" };
static const char *const extremes[] = { "min", "max" };
static const char *const lifetimes[] = { "start", "end" };

#define ROW(field, name_, kind_, text_)                 \
    [VEU_IFIELD_##field] = { .name = name_,             \
                             .kind = VEU_IKIND_##kind_, \
                             .text = VEU_ITEXT_##text_ }
#define NAMED(field, name_, text_, names_)              \
    [VEU_IFIELD_##field] = { .name = name_,             \
                             .kind = VEU_IKIND_BYTE,    \
                             .text = VEU_ITEXT_##text_, \
                             .names = names_,           \
                             .name_count = VEU_ARRAY_SIZE(names_) }

const VeuInstructionFieldInfo veu_instruction_fields[VEU_IFIELD_COUNT] = {
    ROW(EXEC_SIZE, "Exec_size", BYTE, LANES),
    ROW(PRED, "Pred", WORD, PREDICATE),
    NAMED(RELATION, "Rel_op", SUFFIX, relations),
    NAMED(MINMAX, "Op", MNEMONIC, extremes),
    ROW(DST, "Dst", VECTOR, DESTINATION),
    ROW(CARRY, "Carry", VECTOR, DESTINATION),
    ROW(BORROW, "Borrow", VECTOR, DESTINATION),
    ROW(EARLY_OUT, "PredDst", VECTOR, DESTINATION),
    ROW(SRC0, "Src0", VECTOR, SOURCE),
    ROW(SRC1, "Src1", VECTOR, SOURCE),
    ROW(SRC2, "Src2", VECTOR, SOURCE),
    ROW(SRC3, "Src3", VECTOR, SOURCE),
    ROW(BOOLEAN_FUNCTION, "BooleanFuncCtrl", BYTE, HEX_SUFFIX),
    ROW(LABEL, "Label", WORD, LABEL),
    ROW(FUNCTION, "Func_id", WORD, FUNCTION),
    ROW(FUNCTION_ADDRESS, "Func_addr", VECTOR, SOURCE),
    ROW(ARGUMENT_GRFS, "Arg_size", BYTE, NUMBER),
    ROW(RETURN_GRFS, "Return_size", BYTE, NUMBER),
    ROW(FILE, "File_name", DWORD, STRING),
    ROW(LINE, "Line_number", DWORD, NUMBER),
    NAMED(LIFETIME, "Properties", SUFFIX, lifetimes),
    ROW(LIFETIME_VARIABLE, "Variable", DWORD, NUMBER),
    ROW(WAIT_MASK, "Mask", VECTOR, SOURCE),
};
