/*
 * veu tests: the instructions that the second implementation has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from the vendor's pages; types and costs from chapter 17 of the
 * specification: every integer type may be combined with every other.
 */
#include "tests/lib/isa_integer.h"
#include "tests/lib/isa_narrow.h"
#include "tests/lib/isa_real.h"

#define OPERATION(opcode_, cost_, name_, fields_, types_, modifiers_,        \
                  saturation_, integer_, real_)                              \
    {                                                                        \
        .opcode = opcode_, .cost = cost_, .name = name_, .fields = fields_,  \
        .types = types_, .modifiers = modifiers_, .saturation = saturation_, \
        .integer = integer_, .real = real_,                                  \
    }
#define ROUNDED(opcode_, cost_, name_, fields_, types_, saturation_, real_, \
                rounding_)                                                  \
    {                                                                       \
        .opcode = opcode_, .cost = cost_, .name = name_, .fields = fields_, \
        .types = types_, .modifiers = 'a', .saturation = saturation_,       \
        .real = real_, .rounding = ISA_ROUND_##rounding_,                   \
    }
#define MATH(opcode_, cost_, name_, fields_, types_, real_) \
    ROUNDED(opcode_, cost_, name_, fields_, types_, 'y', real_, NEARLY)
#define BITS(opcode_, cost_, name_, fields_, types_, bits_)                  \
    {                                                                        \
        .opcode = opcode_, .cost = cost_, .name = name_, .fields = fields_,  \
        .types = types_, .modifiers = '-', .saturation = '-', .bits = bits_, \
    }
#define OTHER(opcode_, cost_, name_, fields_)                               \
    {                                                                       \
        .opcode = opcode_, .cost = cost_, .name = name_, .fields = fields_, \
        .types = '-', .modifiers = '-', .saturation = '-',                  \
    }

const IsaRow isa_rows[] = {
    OPERATION(0x01, 4, "add", "epdss", 'n', 'a', 'y', isa_add, isa_real_add),
    OPERATION(0x02, 2, "avg", "epdss", 't', 'a', 'y', isa_avg, NULL),
    OPERATION(0x03, 16, "div", "epdss", 'n', 'a', 'f', isa_div, isa_real_div),
    MATH(0x08, 32, "exp", "epds", 'h', isa_real_exp),
    OPERATION(0x09, 8, "frc", "epds", 'F', 'a', '-', NULL, isa_real_frc),
    MATH(0x0b, 32, "log", "epds", 'h', isa_real_log),
    OPERATION(0x0c, 8, "mad", "epdsss", 'n', 'a', 'f', isa_mad, isa_real_mad),
    OPERATION(0x0d, 4, "mulh", "epdss", 'd', 'a', '-', isa_mulh, NULL),
    OPERATION(0x0e, 16, "lrp", "epdsss", 'F', 'a', 'y', NULL, isa_real_lrp),
    OPERATION(0x0f, 8, "mod", "epdss", 'i', 'a', 'y', isa_mod, NULL),
    OPERATION(0x10, 4, "mul", "epdss", 'n', 'a', 'f', isa_mul, isa_real_mul),
    MATH(0x11, 64, "pow", "epdss", 'h', isa_real_pow),
    OPERATION(0x12, 4, "rndd", "epds", 'F', 'a', 'y', NULL, isa_real_rndd),
    OPERATION(0x13, 4, "rndu", "epds", 'F', 'a', 'y', NULL, isa_real_rndu),
    OPERATION(0x14, 4, "rnde", "epds", 'F', 'a', 'y', NULL, isa_real_rnde),
    OPERATION(0x15, 4, "rndz", "epds", 'F', 'a', 'y', NULL, isa_real_rndz),
    OPERATION(0x16, 2, "sad2", "epdss", 's', 'a', 'y', isa_sad2, NULL),
    MATH(0x17, 32, "sin", "epds", 'h', isa_real_sin),
    MATH(0x18, 32, "cos", "epds", 'h', isa_real_cos),
    OPERATION(0x19, 16, "sqrt", "epds", 'r', 'a', 'y', NULL, isa_real_sqrt),
    MATH(0x1a, 32, "rsqrt", "epds", 'r', isa_real_rsqrt),
    ROUNDED(0x1b, 16, "inv", "epds", 'r', 'y', isa_real_inv, NEAREST),
    BITS(0x1d, 4, "fcvt", "eds", 'N', isa_fcvt),
    BITS(0x1e, 4, "srnd", "epdss", 'R', isa_srnd),
    OPERATION(0x1f, 2, "lzd", "epds", 't', '-', '-', isa_lzd, NULL),
    OPERATION(0x20, 2, "and", "epdss", 'l', 'l', '-', isa_and, NULL),
    OPERATION(0x21, 2, "or", "epdss", 'l', 'l', '-', isa_or, NULL),
    OPERATION(0x22, 2, "xor", "epdss", 'l', 'l', '-', isa_xor, NULL),
    OPERATION(0x23, 2, "not", "epds", 'l', 'l', '-', isa_not, NULL),
    OPERATION(0x24, 4, "shl", "epdss", 'i', 'a', 'y', isa_shl, NULL),
    OPERATION(0x25, 4, "shr", "epdss", 'i', 'a', 'y', isa_shr, NULL),
    OPERATION(0x26, 4, "asr", "epdss", 'i', 'a', '-', isa_asr, NULL),
    OPERATION(0x27, 2, "cbit", "epds", 't', '-', '-', isa_cbit, NULL),
    OPERATION(0x28, 2, "addr_add", "edss", 'A', 'a', '-', NULL, NULL),
    OPERATION(0x29, 4, "mov", "epds", 'v', 'a', 'y', isa_copy, isa_real_copy),
    OPERATION(0x2a, 4, "sel", "epdss", 'n', 'a', 'y', isa_copy, isa_real_copy),
    OPERATION(0x2b, 2, "setp", "eds", 'p', '-', '-', NULL, NULL),
    OPERATION(0x2c, 4, "cmp", "ebdss", 'c', 'a', '-', NULL, NULL),
    OPERATION(0x2d, 2, "movs", "eds", 'S', '-', '-', NULL, NULL),
    OPERATION(0x2e, 2, "fbl", "epds", 't', '-', '-', isa_fbl, NULL),
    OPERATION(0x2f, 2, "fbh", "epds", 't', '-', '-', isa_fbh, NULL),
    OTHER(0x30, 1, "subroutine", "l"),
    OTHER(0x31, 1, "label", "l"),
    OTHER(0x32, 2, "jmp", "epl"),
    OTHER(0x33, 4, "call", "epl"),
    OTHER(0x34, 4, "ret", "ep"),
    OPERATION(0x45, 4, "minmax", "ebdss", 'n', 'a', 'y', isa_minmax,
              isa_real_minmax),
    OPERATION(0x46, 4, "bfe", "epdsss", 'd', '-', '-', isa_bfe, NULL),
    OPERATION(0x47, 4, "bfi", "epdssss", 'd', '-', '-', isa_bfi, NULL),
    OPERATION(0x48, 2, "bfrev", "epds", 'D', '-', '-', isa_bfrev, NULL),
    OPERATION(0x49, 4, "addc", "epddss", 'd', '-', '-', isa_addc, NULL),
    OPERATION(0x4a, 4, "subb", "epddss", 'd', '-', 'y', isa_subb, NULL),
    OTHER(0x4f, 4, "ifcall", "epsBB"),
    OTHER(0x50, 2, "faddr", "fd"),
    OTHER(0x51, 1, "file", "u"),
    OTHER(0x52, 1, "loc", "u"),
    OTHER(0x59, 16, "barrier", ""),
    OTHER(0x5a, 1, "sampler_cache_flush", ""),
    OTHER(0x5b, 1, "wait", "n"),
    OTHER(0x5f, 1, "yield", ""),
    OTHER(0x67, 4, "fcall", "epfBB"),
    OTHER(0x68, 4, "fret", "ep"),
    OPERATION(0x6a, 2, "sad2add", "epdsss", 's', '-', 'y', isa_sad2, NULL),
    OPERATION(0x6b, 16, "plane", "epdss", 'P', '-', 'y', NULL, isa_real_plane),
    OTHER(0x6c, 4, "goto", "epl"),
    OTHER(0x7b, 1, "lifetime", "bu"),
    OPERATION(0x7e, 16, "sqrtm", "epds", 'm', 'a', 'y', NULL, isa_real_sqrt),
    OPERATION(0x7f, 16, "divm", "epdss", 'm', 'a', 'y', NULL, isa_real_div),
    OPERATION(0x80, 4, "rol", "epdss", 'o', '-', '-', isa_rol, NULL),
    OPERATION(0x81, 4, "ror", "epdss", 'o', '-', '-', isa_ror, NULL),
    OPERATION(0x82, 4, "dp4a", "epdsss", 'd', '-', 'y', isa_dp4a, NULL),
    OPERATION(0x84, 4, "add3", "epdsss", 'i', 'a', 'y', isa_add3, NULL),
    OPERATION(0x85, 2, "bfn", "epdsssb", 'i', '-', '-', isa_bfn, NULL),
    OPERATION(0x91, 4, "madw", "epdsss", 'd', 'a', '-', isa_madw, NULL),
    ROUNDED(0x9b, 16, "invm", "epddss", 'm', '-', isa_real_div, NEAREST),
    ROUNDED(0x9c, 32, "rsqtm", "epdds", 'm', '-', isa_real_rsqrt, NEARLY),
};

const unsigned isa_row_count = sizeof(isa_rows) / sizeof(isa_rows[0]);

#define ALIKE(letter, set)     \
    {                          \
        letter, set,           \
        {                      \
            set, set, set, set \
        }                      \
    }
#define WITH(letter, dst, first, others)  \
    {                                     \
        letter, dst,                      \
        {                                 \
            first, others, others, others \
        }                                 \
    }

const IsaTypes isa_types[] = {
    ALIKE('n', ISA_INTEGERS),
    ALIKE('n', ISA_HALVES),
    ALIKE('n', ISA_MASK(DF)),
    ALIKE('n', ISA_BRAINS),
    ALIKE('i', ISA_INTEGERS),
    ALIKE('t', ISA_SMALL),
    WITH('d', ISA_DWORDS, ISA_SMALL, ISA_SMALL),
    ALIKE('D', ISA_DWORDS),
    ALIKE('F', ISA_MASK(F)),
    ALIKE('P', ISA_MASK(F)),
    ALIKE('h', ISA_HALVES),
    ALIKE('r', ISA_HALVES),
    ALIKE('r', ISA_MASK(DF)),
    ALIKE('m', ISA_MASK(F)),
    ALIKE('m', ISA_MASK(DF)),
    ALIKE('l', ISA_INTEGERS),
    ALIKE('l', ISA_BOOLEANS),
    WITH('o', ISA_INTEGERS & ~ISA_BYTES, ISA_INTEGERS & ~ISA_BYTES,
         ISA_INTEGERS),
    ALIKE('v', ISA_NUMBERS),
    WITH('v', ISA_SMALL, ISA_BOOLEANS, 0),
    WITH('c', ISA_BOOLEANS, ISA_INTEGERS, ISA_INTEGERS),
    WITH('c', ISA_BOOLEANS, ISA_HALVES, ISA_HALVES),
    WITH('c', ISA_BOOLEANS, ISA_MASK(DF), ISA_MASK(DF)),
    WITH('c', ISA_BOOLEANS, ISA_BRAINS, ISA_BRAINS),
    WITH('c', ISA_NUMBERS, ISA_INTEGERS, ISA_INTEGERS),
    WITH('c', ISA_NUMBERS, ISA_HALVES, ISA_HALVES),
    WITH('c', ISA_NUMBERS, ISA_MASK(DF), ISA_MASK(DF)),
    WITH('c', ISA_NUMBERS, ISA_BRAINS, ISA_BRAINS),
    WITH('p', ISA_BOOLEANS, ISA_SMALL, 0),
    WITH('A', ISA_ADDRESSES, ISA_ADDRESSES, ISA_SMALL),
    WITH('S', ISA_STATES, ISA_INTEGERS, 0),
    WITH('S', ISA_STATES, ISA_STATES, 0),
    WITH('S', ISA_DWORDS, ISA_STATES, 0),
    WITH('N', ISA_MASK(UB), ISA_MASK(HF), 0),
    WITH('N', ISA_MASK(HF), ISA_MASK(UB), 0),
    WITH('N', ISA_MASK(UD), ISA_MASK(F), 0),
    WITH('N', ISA_MASK(F), ISA_MASK(UD), 0),
    WITH('R', ISA_MASK(UB), ISA_MASK(HF), ISA_INTEGERS),
    WITH('R', ISA_MASK(HF), ISA_MASK(F), ISA_INTEGERS),
    { 's', ISA_WORDS, { ISA_BYTES, ISA_BYTES, ISA_WORDS, 0 } },
};

const unsigned isa_types_count = sizeof(isa_types) / sizeof(isa_types[0]);

const IsaRow isa_message_row = OTHER(0, 16, "message", "");

const IsaRow *isa_row(uint8_t opcode)
{
    for (unsigned n = 0; n < isa_row_count; n++) {
        if (isa_rows[n].opcode == opcode) {
            return &isa_rows[n];
        }
    }
    return NULL;
}
