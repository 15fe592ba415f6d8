/*
 * veu execution unit: the instruction table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Opcodes and the order of fields: the vendor's Format sections. Costs are
 * in the units of RING_BUDGET's sixteenth (docs/spec.md, "Instructions"):
 * a message has 16.
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/signature.h"
#include "hw/veu/eu/message/message.h"

#define F(name) VEU_IFIELD_##name
/* Parentheses would make it an expression. */
#define FIELDS(...) \
    {               \
        __VA_ARGS__ \
    }
#define NO_FIELDS FIELDS(F(END))
#define UNARY     FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(SRC0))
#define BINARY    FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(SRC0), F(SRC1))
#define BRANCH    FIELDS(F(EXEC_SIZE), F(PRED), F(LABEL))
#define RETURN    FIELDS(F(EXEC_SIZE), F(PRED))

#define TERNARY FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(SRC0), F(SRC1), F(SRC2))

#define ROW(opcode_, mnemonic_, fields_, operation_, signatures_, modifiers_, \
            saturation_, cost_, page_, summary_)                              \
    {                                                                         \
        .opcode = opcode_, .sub = VEU_INSTRUCTION_NO_SUB,                     \
        .mnemonic = mnemonic_, .fields = fields_,                             \
        .operation = VEU_OPERATION_##operation_, .signatures = signatures_,   \
        .modifiers = VEU_MODIFIERS_##modifiers_,                              \
        .saturation = VEU_SATURATION_##saturation_, .cost = cost_,            \
        .page = page_, .summary = summary_,                                   \
    }

/*
 * The summary of an instruction that lacks some sizes, and the sizes that it
 * has.
 */
#define SIZES(sizes_, summary_) summary_, .sizes = sizes_
#define PAIRS                   (2 | 4 | 8 | 16 | 32)

/* Decoded and listed by tools; a program that has one is refused. */
#define LISTED(opcode_, sub_, mnemonic_, listed_, page_, summary_) \
    {                                                              \
        .opcode = opcode_, .sub = sub_, .mnemonic = mnemonic_,     \
        .listed = listed_, .page = page_, .summary = summary_,     \
    }
#define LSC         "epbbbbwdbbbbbv@3d"
#define LSC_PLAIN   LSC "rrrr"
#define LSC_STRIDED LSC "rrvr"
#define LSC_BLOCK2D "epbbbbbbwwbrvvvvv@2dv@2dr"
#define LSC_TYPED   "epbbbbbbbbv@1drr@1dr@1dr@1drrr"

/* Surface messages of LSC, untyped and typed. */
#define LSC_BOTH(sub_, name, summary_)                            \
    LISTED(0x89, sub_, name, LSC_PLAIN, "LSC_UNTYPED", summary_), \
        LISTED(0x8a, sub_, name ".tgm", LSC_TYPED, "LSC_TYPED", summary_)

const VeuInstructionInfo veu_instructions[] = {
    ROW(0x01, "add", BINARY, ADD, numbers2, ARITHMETIC, ALWAYS, 4, "ADD",
        "Adds."),
    ROW(0x02, "avg", BINARY, AVG, small_integers2, ARITHMETIC, ALWAYS, 2, "AVG",
        "Averages two integers; a half is rounded up."),
    ROW(0x03, "div", BINARY, DIV, numbers2, ARITHMETIC, FLOAT, 16, "DIV",
        "Divides; integers are truncated toward zero."),
    ROW(0x08, "exp", UNARY, EXP, floats1, ARITHMETIC, ALWAYS, 32, "EXP",
        "Raises 2 to the power of the source."),
    ROW(0x09, "frc", UNARY, FRC, single1, ARITHMETIC, NEVER, 8, "FRC",
        "Subtracts the floor of a number from it."),
    ROW(0x0b, "log", UNARY, LOG, floats1, ARITHMETIC, ALWAYS, 32, "LOG",
        "Takes the logarithm to the base 2."),
    ROW(0x0c, "mad", TERNARY, MAD, numbers3, ARITHMETIC, FLOAT, 8, "MAD",
        "Multiplies and adds; floats with a single rounding."),
    ROW(0x0d, "mulh", BINARY, MULH, dwords2, ARITHMETIC, NEVER, 4, "MULH",
        "Multiplies two dwords and takes the high dword of the product."),
    ROW(0x0e, "lrp", TERNARY, LRP, single3, ARITHMETIC, ALWAYS, 16, "LRP",
        "Interpolates: src1 * src0 + src2 * (1 - src0)."),
    ROW(0x0f, "mod", BINARY, MOD, integers2, ARITHMETIC, ALWAYS, 8, "MOD",
        "Takes the remainder of a division, with the sign of the dividend."),
    ROW(0x10, "mul", BINARY, MUL, numbers2, ARITHMETIC, FLOAT, 4, "MUL",
        "Multiplies."),
    ROW(0x11, "pow", BINARY, POW, floats2, ARITHMETIC, ALWAYS, 64, "POW",
        "Raises the magnitude of src0 to the power src1."),
    ROW(0x12, "rndd", UNARY, RNDD, single1, ARITHMETIC, ALWAYS, 4, "RNDD",
        "Rounds a float to an integral value, down."),
    ROW(0x13, "rndu", UNARY, RNDU, single1, ARITHMETIC, ALWAYS, 4, "RNDU",
        "Rounds a float to an integral value, up."),
    ROW(0x14, "rnde", UNARY, RNDE, single1, ARITHMETIC, ALWAYS, 4, "RNDE",
        "Rounds a float to an integral value, to the nearest integer, ties "
        "to even."),
    ROW(0x15, "rndz", UNARY, RNDZ, single1, ARITHMETIC, ALWAYS, 4, "RNDZ",
        "Rounds a float to an integral value, toward zero."),
    ROW(0x16, "sad2", BINARY, SAD2, sums2, ARITHMETIC, ALWAYS, 2, "SAD2",
        SIZES(PAIRS, "Adds the absolute differences of two pairs of bytes.")),
    ROW(0x17, "sin", UNARY, SIN, floats1, ARITHMETIC, ALWAYS, 32, "SIN",
        "Takes the sine of an angle in radians."),
    ROW(0x18, "cos", UNARY, COS, floats1, ARITHMETIC, ALWAYS, 32, "COS",
        "Takes the cosine of an angle in radians."),
    ROW(0x19, "sqrt", UNARY, SQRT, any_floats1, ARITHMETIC, ALWAYS, 16, "SQRT",
        "Takes the square root."),
    ROW(0x1a, "rsqrt", UNARY, RSQRT, any_floats1, ARITHMETIC, ALWAYS, 32,
        "RSQRT", "Takes the reciprocal of the square root."),
    ROW(0x1b, "inv", UNARY, INV, any_floats1, ARITHMETIC, ALWAYS, 16, "INV",
        "Takes the reciprocal."),
    ROW(0x1d, "fcvt", FIELDS(F(EXEC_SIZE), F(DST), F(SRC0)), FCVT,
        narrow_floats, NONE, NEVER, 4, "FCVT",
        "Converts between HF and BF8, which is UB, or F and TF32, which is "
        "UD."),
    ROW(0x1e, "srnd", BINARY, SRND, random_rounding, NONE, NEVER, 4, "SRND",
        "Rounds F to HF, or HF to BF8, which is UB, up with a probability: "
        "src1 is a random number."),
    ROW(0x1f, "lzd", UNARY, LZD, small_integers1, NONE, NEVER, 2, "LZD",
        "Counts the zero bits above the highest 1 of a dword."),
    ROW(0x20, "and", BINARY, AND, logic2, LOGIC, NEVER, 2, "AND",
        "Ands bits, or predicates."),
    ROW(0x21, "or", BINARY, OR, logic2, LOGIC, NEVER, 2, "OR",
        "Ors bits, or predicates."),
    ROW(0x22, "xor", BINARY, XOR, logic2, LOGIC, NEVER, 2, "XOR",
        "Exclusive-ors bits, or predicates."),
    ROW(0x23, "not", UNARY, NOT, logic1, LOGIC, NEVER, 2, "NOT",
        "Inverts bits, or a predicate."),
    ROW(0x24, "shl", BINARY, SHL, integers2, ARITHMETIC, ALWAYS, 4, "SHL",
        "Shifts left."),
    ROW(0x25, "shr", BINARY, SHR, integers2, ARITHMETIC, ALWAYS, 4, "SHR",
        "Shifts right; zeros come in."),
    ROW(0x26, "asr", BINARY, ASR, integers2, ARITHMETIC, NEVER, 4, "ASR",
        "Shifts right; copies of the sign come in."),
    ROW(0x27, "cbit", UNARY, CBIT, small_integers1, NONE, NEVER, 2, "CBIT",
        "Counts the bits that are 1."),
    ROW(0x28, "addr_add", FIELDS(F(EXEC_SIZE), F(DST), F(SRC0), F(SRC1)),
        ADDR_ADD, addresses, ARITHMETIC, NEVER, 2, "ADDR_ADD",
        "Adds a byte offset to the address of a variable, or to an address."),
    ROW(0x29, "mov", UNARY, MOV, move, ARITHMETIC, ALWAYS, 4, "MOV",
        "Copies, and converts to the type of the destination."),
    ROW(0x2a, "sel", BINARY, SEL, select, ARITHMETIC, ALWAYS, 4, "SEL",
        "Copies src0 where the predicate is 1, and src1 elsewhere."),
    ROW(0x2b, "setp", FIELDS(F(EXEC_SIZE), F(DST), F(SRC0)), SETP,
        set_predicate, NONE, NEVER, 2, "SETP",
        "Sets a predicate from the bits of a scalar, or from bit 0 of each "
        "element."),
    ROW(0x2c, "cmp",
        FIELDS(F(EXEC_SIZE), F(RELATION), F(DST), F(SRC0), F(SRC1)), CMP,
        compare, ARITHMETIC, NEVER, 4, "CMP",
        "Compares; the result is a predicate, or all ones and all zeros."),
    ROW(0x2d, "movs", FIELDS(F(EXEC_SIZE), F(DST), F(SRC0)), MOVS, states, NONE,
        NEVER, 2, "MOVS",
        "Moves the index that a surface or sampler variable holds."),
    ROW(0x2e, "fbl", UNARY, FBL, small_integers1, NONE, NEVER, 2, "FBL",
        "Finds the lowest bit that is 1."),
    ROW(0x2f, "fbh", UNARY, FBH, small_integers1, NONE, NEVER, 2, "FBH",
        "Finds the highest bit that differs from the sign."),
    ROW(0x30, "subroutine", FIELDS(F(LABEL)), LABEL, NULL, NONE, NEVER, 1,
        "SUBROUTINE", "Starts a subroutine."),
    ROW(0x31, "label", FIELDS(F(LABEL)), LABEL, NULL, NONE, NEVER, 1, "LABEL",
        "Starts a block that lanes may go to."),
    ROW(0x32, "jmp", BRANCH, GOTO, NULL, NONE, NEVER, 2, "JMP",
        "All running lanes go to the label, or none does."),
    ROW(0x33, "call", BRANCH, CALL, NULL, NONE, NEVER, 4, "CALL",
        "Calls a subroutine."),
    ROW(0x34, "ret", RETURN, RET, NULL, NONE, NEVER, 4, "RET",
        "Returns from a subroutine or a function, or ends the lanes."),
    ROW(0x45, "min", FIELDS(F(EXEC_SIZE), F(MINMAX), F(DST), F(SRC0), F(SRC1)),
        MINMAX, numbers2, ARITHMETIC, ALWAYS, 4, "MIN_MAX",
        "Takes the lesser or the greater of two numbers."),
    ROW(0x46, "bfe", TERNARY, BFE, dwords3, NONE, NEVER, 4, "BFE",
        "Extracts a field of src0 bits at bit src1 of src2."),
    ROW(0x47, "bfi",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(SRC0), F(SRC1), F(SRC2),
               F(SRC3)),
        BFI, dwords4, NONE, NEVER, 4, "BFI",
        "Inserts the src0 low bits of src2 at bit src1 of src3."),
    ROW(0x48, "bfrev", UNARY, BFREV, dwords1, NONE, NEVER, 2, "BFREV",
        "Reverses the order of the bits of a dword."),
    ROW(0x49, "addc",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(CARRY), F(SRC0), F(SRC1)), ADDC,
        dwords2, NONE, NEVER, 4, "ADDC",
        "Adds two dwords, and stores the carry: 0 or 1."),
    ROW(0x4a, "subb",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(BORROW), F(SRC0), F(SRC1)),
        SUBB, dwords2, NONE, ALWAYS, 4, "SUBB",
        "Subtracts two dwords, and stores the borrow: 0 or 1."),
    ROW(0x4f, "ifcall",
        FIELDS(F(EXEC_SIZE), F(PRED), F(FUNCTION_ADDRESS), F(ARGUMENT_GRFS),
               F(RETURN_GRFS)),
        IFCALL, NULL, NONE, NEVER, 4, "IFCALL",
        "Calls the function at an address."),
    ROW(0x50, "faddr", FIELDS(F(FUNCTION), F(DST)), FADDR, function_address,
        NONE, NEVER, 2, "FADDR",
        "Takes the address of a function: its offset in the code."),
    ROW(0x51, "file", FIELDS(F(FILE)), NONE, NULL, NONE, NEVER, 1, "FILE",
        "Names the source file, for debuggers."),
    ROW(0x52, "loc", FIELDS(F(LINE)), NONE, NULL, NONE, NEVER, 1, "LOC",
        "Names the source line, for debuggers."),
    ROW(0x59, "barrier", NO_FIELDS, BARRIER, NULL, NONE, NEVER, 16, "BARRIER",
        "Waits until all EU threads of the group have come here."),
    ROW(0x5a, "sampler_cache_flush", NO_FIELDS, NONE, NULL, NONE, NEVER, 1,
        "CACHE_FLUSH", "Flushes the sampler's cache, of which there is none."),
    ROW(0x5b, "wait", FIELDS(F(WAIT_MASK)), NONE, NULL, NONE, NEVER, 1, "WAIT",
        "Waits for EU threads that this one depends on: there are none."),
    ROW(0x5f, "yield", NO_FIELDS, NONE, NULL, NONE, NEVER, 1, "YIELD",
        "Lets other EU threads run."),
    ROW(0x67, "fcall",
        FIELDS(F(EXEC_SIZE), F(PRED), F(FUNCTION), F(ARGUMENT_GRFS),
               F(RETURN_GRFS)),
        FCALL, NULL, NONE, NEVER, 4, "FCALL", "Calls a function."),
    ROW(0x68, "fret", RETURN, RET, NULL, NONE, NEVER, 4, "FRET",
        "Returns from a function."),
    ROW(0x6a, "sad2add", TERNARY, SAD2, sums3, NONE, ALWAYS, 2, "SAD2ADD",
        SIZES(PAIRS, "Adds a number and the absolute differences of two pairs "
                     "of bytes.")),
    ROW(0x6b, "plane", BINARY, PLANE, single2, NONE, ALWAYS, 16, "PLN",
        SIZES(8 | 16, "Evaluates p * u + q * v + r: a plane at points "
                      "(u, v).")),
    ROW(0x6c, "goto", BRANCH, GOTO, NULL, NONE, NEVER, 4, "GOTO",
        "Lanes whose predicate is 1 go to the label."),
    ROW(0x7b, "lifetime", FIELDS(F(LIFETIME), F(LIFETIME_VARIABLE)), NONE, NULL,
        NONE, NEVER, 1, "LIFETIME",
        "Marks where a variable's lifetime starts or ends."),
    ROW(0x7e, "sqrtm", UNARY, SQRT, precise_floats1, ARITHMETIC, ALWAYS, 16,
        "SQRTM", "Takes the square root, correctly rounded."),
    ROW(0x7f, "divm", BINARY, DIV, precise_floats2, ARITHMETIC, ALWAYS, 16,
        "DIVM", "Divides, correctly rounded."),
    ROW(0x80, "rol", BINARY, ROL, rotate, NONE, NEVER, 4, "ROL",
        "Rotates left."),
    ROW(0x81, "ror", BINARY, ROR, rotate, NONE, NEVER, 4, "ROR",
        "Rotates right."),
    ROW(0x82, "dp4a", TERNARY, DP4A, dwords3, NONE, ALWAYS, 4, "DP4A",
        "Adds the products of four pairs of bytes to a dword."),
    ROW(0x84, "add3", TERNARY, ADD3, integers3, ARITHMETIC, ALWAYS, 4, "ADD3",
        "Adds three integers."),
    ROW(0x85, "bfn",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(SRC0), F(SRC1), F(SRC2),
               F(BOOLEAN_FUNCTION)),
        BFN, integers3, NONE, NEVER, 2, "BFN",
        "Applies a function of three bits, given as a table of 8 bits."),
    ROW(0x91, "madw", TERNARY, MADW, dwords3, ARITHMETIC, NEVER, 4, "MADW",
        "Multiplies and adds dwords; the low and the high dwords of the sums "
        "are two vectors."),
    ROW(0x9b, "invm",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(EARLY_OUT), F(SRC0), F(SRC1)),
        INVM, precise_floats2, ARITHMETIC, NEVER, 16, "INVM",
        "Divides; the predicate becomes 1 where the result is a NaN, an "
        "infinity or a zero."),
    ROW(0x9c, "rsqtm",
        FIELDS(F(EXEC_SIZE), F(PRED), F(DST), F(EARLY_OUT), F(SRC0)), RSQTM,
        precise_floats1, ARITHMETIC, NEVER, 32, "RSQTM",
        "Takes the reciprocal of the square root; the predicate becomes 1 "
        "where the result is a NaN, an infinity or a zero."),
    LISTED(0x04, VEU_INSTRUCTION_NO_SUB, "dp2", "epvvv", "DP2",
           "Takes dot products of two elements."),
    LISTED(0x05, VEU_INSTRUCTION_NO_SUB, "dp3", "epvvv", "DP3",
           "Takes dot products of three elements."),
    LISTED(0x06, VEU_INSTRUCTION_NO_SUB, "dp4", "epvvv", "DP4",
           "Takes dot products of four elements."),
    LISTED(0x07, VEU_INSTRUCTION_NO_SUB, "dph", "epvvv", "DPH",
           "Takes homogeneous dot products."),
    LISTED(0x0a, VEU_INSTRUCTION_NO_SUB, "line", "epvvv", "LINE",
           "Evaluates a line equation."),
    LISTED(0x1c, VEU_INSTRUCTION_NO_SUB, "dpasw", "errrvd", "DPASW",
           "Multiplies matrices; a source is shared."),
    LISTED(0x40, VEU_INSTRUCTION_NO_SUB, "sample", "bmsrrrr", "SAMPLE",
           "Samples a surface."),
    LISTED(0x41, VEU_INSTRUCTION_NO_SUB, "sample_unorm", "bmsvvvvr",
           "SAMPLE_UNORM", "Samples a surface."),
    LISTED(0x42, VEU_INSTRUCTION_NO_SUB, "load", "bsrrrr", "LOAD",
           "Loads texels of a surface."),
    LISTED(0x43, VEU_INSTRUCTION_NO_SUB, "avs", "bmsvvvvvvvbvbvr", "AVS",
           "Samples a surface for video."),
    LISTED(0x44, 0x01, "va_convolve_2d", "msvvbr", "VA", "Convolves."),
    LISTED(0x44, 0x02, "va_minmax", "svvvr", "VA", "Finds extremes."),
    LISTED(0x44, 0x03, "va_minmaxfilter", "msvvbbvr", "VA", "Finds extremes."),
    LISTED(0x44, 0x04, "va_erode", "msvvbr", "VA", "Erodes."),
    LISTED(0x44, 0x05, "va_dilate", "msvvbr", "VA", "Dilates."),
    LISTED(0x44, 0x06, "va_boolcentroid", "svvvvr", "VA", "Finds a centroid."),
    LISTED(0x44, 0x07, "va_centroid", "svvvr", "VA", "Finds a centroid."),
    LISTED(0x4d, 0x08, "va_convolve_1d_v", "msvvbr", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x09, "va_convolve_1d_h", "msvvbr", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x0a, "va_convolve_1pixel", "msvvbrr", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x0b, "va_floodfill", "brvvvr", "VA_SKL_PLUS", "Fills."),
    LISTED(0x4d, 0x0c, "va_lbpcreation", "svvbr", "VA_SKL_PLUS",
           "Makes local binary patterns."),
    LISTED(0x4d, 0x0d, "va_lbpcorrelation", "svvvr", "VA_SKL_PLUS",
           "Correlates patterns."),
    LISTED(0x4d, 0x0f, "va_correlationsearch", "svvvvvvvvr", "VA_SKL_PLUS",
           "Searches."),
    LISTED(0x4d, 0x10, "va_hdc_convolve_2d", "msvvbsvv", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x11, "va_hdc_minmaxfilter", "msvvbbsvv", "VA_SKL_PLUS",
           "Finds extremes."),
    LISTED(0x4d, 0x12, "va_hdc_erode", "msvvsvv", "VA_SKL_PLUS", "Erodes."),
    LISTED(0x4d, 0x13, "va_hdc_dilate", "msvvsvv", "VA_SKL_PLUS", "Dilates."),
    LISTED(0x4d, 0x14, "va_hdc_lbpcorrelation", "svvvsvv", "VA_SKL_PLUS",
           "Correlates patterns."),
    LISTED(0x4d, 0x15, "va_hdc_lbpcreation", "svvbsvv", "VA_SKL_PLUS",
           "Makes local binary patterns."),
    LISTED(0x4d, 0x16, "va_hdc_convolve_1d_h", "msvvbsvv", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x17, "va_hdc_convolve_1d_v", "msvvbsvv", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x4d, 0x18, "va_hdc_convolve_1pixel", "msvvbrsvv", "VA_SKL_PLUS",
           "Convolves."),
    LISTED(0x54, VEU_INSTRUCTION_NO_SUB, "vme_ime", "bbrrsrrrr", "VME_IME",
           "Estimates motion."),
    LISTED(0x55, VEU_INSTRUCTION_NO_SUB, "vme_sic", "rrsr", "VME_SIC",
           "Estimates motion."),
    LISTED(0x56, VEU_INSTRUCTION_NO_SUB, "vme_fbr", "rrsvvvr", "VME_FBR",
           "Estimates motion."),
    LISTED(0x57, VEU_INSTRUCTION_NO_SUB, "vme_idm", "rrsr", "VME_IDM",
           "Estimates motion."),
    LISTED(0x5d, VEU_INSTRUCTION_NO_SUB, "raw_send", "bepdbbvrr", "RAW_SEND",
           "Sends a message."),
    LISTED(0x60, VEU_INSTRUCTION_NO_SUB, "nbarrier", "bvv", "NBARRIER",
           "Waits at a named barrier, or signals it."),
    LISTED(0x69, VEU_INSTRUCTION_NO_SUB, "switchjmp", "e#vL", "SWITCHJMP",
           "Goes to one of several labels."),
    LISTED(0x71, VEU_INSTRUCTION_NO_SUB, "rt_write_3d",
           "epwsr?bv?8v?2v?3r?4rrrrr?5r?6r", "RT_WRITE",
           "Writes to a render target."),
    LISTED(0x72, VEU_INSTRUCTION_NO_SUB, "urb_write_3d", "epbrwrrr",
           "URB_WRITE", "Writes vertex data."),
    LISTED(0x7a, VEU_INSTRUCTION_NO_SUB, "raw_sends", "bepbbbbvvrrr",
           "RAW_SENDS", "Sends a message."),
    LISTED(0x7c, VEU_INSTRUCTION_NO_SUB, "sbarrier", "b", "SBARRIER",
           "Waits at a split barrier, or signals it."),
    LISTED(0x83, VEU_INSTRUCTION_NO_SUB, "dpas", "errrvd", "DPAS",
           "Multiplies matrices."),
    LISTED(0x92, VEU_INSTRUCTION_NO_SUB, "add3.o", "epvvvv", "ADD3O",
           "Adds three integers."),
    LISTED(0x93, VEU_INSTRUCTION_NO_SUB, "raw_sendg", "bedprdrdrdvvdd",
           "RAW_SENDG", "Sends a message."),
    LISTED(0x94, VEU_INSTRUCTION_NO_SUB, "breakpoint", "", "BREAKPOINT",
           "Stops for a debugger."),
    LISTED(0x96, VEU_INSTRUCTION_NO_SUB, "tanh", "epvv", "TANH",
           "Takes the hyperbolic tangent."),
    LISTED(0x97, VEU_INSTRUCTION_NO_SUB, "sigm", "epvv", "SIGM",
           "Takes the logistic function."),
    LISTED(0x6d, VEU_INSTRUCTION_NO_SUB, "sample_3d", "wepbvmsr@5r#R",
           "3D_SAMPLE", "Samples a surface."),
    LISTED(0x6e, VEU_INSTRUCTION_NO_SUB, "load_3d", "wepbvsr@5r#R", "3D_LOAD",
           "Loads texels of a surface."),
    LISTED(0x6f, VEU_INSTRUCTION_NO_SUB, "sample4_3d", "wepbvmsr@5r#R",
           "3D_SAMPLE4", "Samples one channel of four texels."),
    LISTED(0x70, 0x0a, "resinfo", "ebsrr", "INFO",
           "Reads the size of a surface."),
    LISTED(0x70, 0x0b, "sampleinfo", "ebsr", "INFO",
           "Reads the number of samples of a surface."),
    LISTED(0x89, 0x00, "lsc_load", LSC_PLAIN, "LSC_UNTYPED", "Loads."),
    LISTED(0x89, 0x01, "lsc_load_strided", LSC_STRIDED, "LSC_UNTYPED",
           "Loads at a stride."),
    LISTED(0x89, 0x03, "lsc_load_block2d", LSC_BLOCK2D, "LSC_UNTYPED",
           "Loads a rectangle."),
    LISTED(0x89, 0x04, "lsc_store", LSC_PLAIN, "LSC_UNTYPED", "Stores."),
    LISTED(0x89, 0x05, "lsc_store_strided", LSC_STRIDED, "LSC_UNTYPED",
           "Stores at a stride."),
    LISTED(0x89, 0x07, "lsc_store_block2d", LSC_BLOCK2D, "LSC_UNTYPED",
           "Stores a rectangle."),
    LSC_BOTH(0x02, "lsc_load_quad", "Loads channels."),
    LSC_BOTH(0x06, "lsc_store_quad", "Stores channels."),
    LSC_BOTH(0x08, "lsc_atomic_iinc", "Performs an atomic operation."),
    LSC_BOTH(0x09, "lsc_atomic_idec", "Performs an atomic operation."),
    LSC_BOTH(0x0a, "lsc_atomic_load", "Performs an atomic operation."),
    LSC_BOTH(0x0b, "lsc_atomic_store", "Performs an atomic operation."),
    LSC_BOTH(0x0c, "lsc_atomic_iadd", "Performs an atomic operation."),
    LSC_BOTH(0x0d, "lsc_atomic_isub", "Performs an atomic operation."),
    LSC_BOTH(0x0e, "lsc_atomic_smin", "Performs an atomic operation."),
    LSC_BOTH(0x0f, "lsc_atomic_smax", "Performs an atomic operation."),
    LSC_BOTH(0x10, "lsc_atomic_umin", "Performs an atomic operation."),
    LSC_BOTH(0x11, "lsc_atomic_umax", "Performs an atomic operation."),
    LSC_BOTH(0x12, "lsc_atomic_icas", "Performs an atomic operation."),
    LSC_BOTH(0x13, "lsc_atomic_fadd", "Performs an atomic operation."),
    LSC_BOTH(0x14, "lsc_atomic_fsub", "Performs an atomic operation."),
    LSC_BOTH(0x15, "lsc_atomic_fmin", "Performs an atomic operation."),
    LSC_BOTH(0x16, "lsc_atomic_fmax", "Performs an atomic operation."),
    LSC_BOTH(0x17, "lsc_atomic_fcas", "Performs an atomic operation."),
    LSC_BOTH(0x18, "lsc_atomic_and", "Performs an atomic operation."),
    LSC_BOTH(0x19, "lsc_atomic_or", "Performs an atomic operation."),
    LSC_BOTH(0x1a, "lsc_atomic_xor", "Performs an atomic operation."),
    LSC_BOTH(0x1b, "lsc_load_status", "Tells which addresses are resident."),
    LSC_BOTH(0x1c, "lsc_store_uncompressed", "Stores without compression."),
    LSC_BOTH(0x1d, "lsc_ccs_update", "Updates compression state."),
    LISTED(0x8a, 0x1e, "lsc_read_state_info", LSC_TYPED, "LSC_TYPED",
           "Reads the state of a surface."),
    LISTED(0x8b, VEU_INSTRUCTION_NO_SUB, "lsc_fence", "epbbb", "LSC_FENCE",
           "Orders accesses to memory."),
};

const unsigned veu_instruction_count = VEU_ARRAY_SIZE(veu_instructions);

/* The first row with each opcode; veu_instruction_count if there is none. */
static uint16_t first_rows[UINT8_MAX + 1];

__attribute__((constructor)) static void find_first_rows(void)
{
    for (unsigned opcode = 0; opcode <= UINT8_MAX; opcode++) {
        first_rows[opcode] = veu_instruction_count;
    }
    for (unsigned i = veu_instruction_count; i-- > 0;) {
        first_rows[veu_instructions[i].opcode] = i;
    }
}

const VeuInstructionInfo *veu_instruction_row(const uint8_t *code,
                                              uint32_t bytes)
{
    for (unsigned i = bytes ? first_rows[code[0]] : veu_instruction_count;
         i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];

        if (info->opcode == code[0] && (info->sub == VEU_INSTRUCTION_NO_SUB ||
                                        (bytes > 1 && info->sub == code[1]))) {
            return info;
        }
    }
    return NULL;
}

const VeuInstructionInfo *veu_instruction_find(const uint8_t *code,
                                               uint32_t bytes)
{
    const VeuInstructionInfo *info = veu_instruction_row(code, bytes);

    return info && info->listed && veu_message_find(code, bytes) ? NULL : info;
}

bool veu_instruction_has(const VeuInstructionInfo *info,
                         VeuInstructionField field)
{
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        if (*f == field) {
            return true;
        }
    }
    return false;
}
