/*
 * veu execution unit: the combinations of types that instructions take.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Included by table.c only. The pages list fewer combinations than compilers
 * write: `mulh d:ud:ud`, `shr d:ud:d`, `or uq:ud:uq`, `sqrt df`. Every integer
 * type combines with every other, in every program, whatever its target is.
 */
#ifndef VEU_EU_INSTRUCTION_SIGNATURE_H
#define VEU_EU_INSTRUCTION_SIGNATURE_H

#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/program/type.h"

#define TYPE(name) VEU_TYPE_BIT(name)

#define BYTES_WORDS VEU_TYPES_SMALL
#define DWORDS      VEU_TYPES_D
#define SMALL       (BYTES_WORDS | DWORDS)
#define INTEGER     VEU_TYPES_INTEGER
#define HALF        (TYPE(HF) | TYPE(F))
#define BRAIN       (TYPE(BF) | TYPE(F))
#define NUMBER      (INTEGER | HALF | TYPE(DF) | TYPE(BF))
#define PREDICATE   VEU_TAKES_PREDICATE

/* Signatures whose operands all have one mask. */
#define ALIKE1(mask) \
    {                \
        (mask),      \
        {            \
            (mask)   \
        }            \
    }
#define ALIKE2(mask)       \
    {                      \
        (mask),            \
        {                  \
            (mask), (mask) \
        }                  \
    }
#define ALIKE3(mask)               \
    {                              \
        (mask),                    \
        {                          \
            (mask), (mask), (mask) \
        }                          \
    }
#define ALIKE4(mask)                       \
    {                                      \
        (mask),                            \
        {                                  \
            (mask), (mask), (mask), (mask) \
        }                                  \
    }
#define END \
    {       \
        0   \
    }

static const VeuSignature numbers2[] = { ALIKE2(INTEGER), ALIKE2(HALF),
                                         ALIKE2(TYPE(DF)), ALIKE2(BRAIN), END };
static const VeuSignature numbers3[] = { ALIKE3(INTEGER), ALIKE3(HALF),
                                         ALIKE3(TYPE(DF)), ALIKE3(BRAIN), END };
static const VeuSignature integers2[] = { ALIKE2(INTEGER), END };
static const VeuSignature integers3[] = { ALIKE3(INTEGER), END };
static const VeuSignature small_integers1[] = { ALIKE1(SMALL), END };
static const VeuSignature small_integers2[] = { ALIKE2(SMALL), END };
static const VeuSignature dwords1[] = { ALIKE1(DWORDS), END };
/* Sources of mulh, addc and subb; compilers write `addc ud:ud:ud:uv`. */
static const VeuSignature dwords2[] = { { DWORDS, { SMALL, SMALL } }, END };
static const VeuSignature dwords3[] = { { DWORDS, { SMALL, SMALL, SMALL } },
                                        END };
static const VeuSignature dwords4[] = {
    { DWORDS, { SMALL, SMALL, SMALL, SMALL } }, END
};
static const VeuSignature single1[] = { ALIKE1(TYPE(F)), END };
static const VeuSignature single2[] = { ALIKE2(TYPE(F)), END };
static const VeuSignature single3[] = { ALIKE3(TYPE(F)), END };
static const VeuSignature floats1[] = { ALIKE1(HALF), END };
static const VeuSignature floats2[] = { ALIKE2(HALF), END };
static const VeuSignature any_floats1[] = { ALIKE1(HALF), ALIKE1(TYPE(DF)),
                                            END };
static const VeuSignature precise_floats1[] = { ALIKE1(TYPE(F)),
                                                ALIKE1(TYPE(DF)), END };
static const VeuSignature precise_floats2[] = { ALIKE2(TYPE(F)),
                                                ALIKE2(TYPE(DF)), END };
static const VeuSignature logic1[] = { ALIKE1(INTEGER), ALIKE1(PREDICATE),
                                       END };
static const VeuSignature logic2[] = { ALIKE2(INTEGER), ALIKE2(PREDICATE),
                                       END };
static const VeuSignature rotate[] = {
    { TYPE(UW) | TYPE(W) | DWORDS | TYPE(UQ) | TYPE(Q),
      { TYPE(UW) | TYPE(W) | DWORDS | TYPE(UQ) | TYPE(Q), INTEGER } },
    END
};
static const VeuSignature move[] = { ALIKE1(NUMBER),
                                     { SMALL, { PREDICATE } },
                                     END };
static const VeuSignature select[] = { ALIKE2(INTEGER), ALIKE2(HALF),
                                       ALIKE2(TYPE(DF)), ALIKE2(BRAIN), END };
static const VeuSignature compare[] = {
    { PREDICATE | NUMBER, { INTEGER, INTEGER } },
    { PREDICATE | NUMBER, { HALF, HALF } },
    { PREDICATE | NUMBER, { TYPE(DF), TYPE(DF) } },
    { PREDICATE | NUMBER, { BRAIN, BRAIN } },
    END
};
static const VeuSignature set_predicate[] = { { PREDICATE, { SMALL } }, END };
static const VeuSignature addresses[] = {
    { VEU_TAKES_ADDRESS,
      { VEU_TAKES_ADDRESS | VEU_TAKES_VARIABLE, BYTES_WORDS | DWORDS } },
    END
};
/* A move to a state variable, or from one to a state variable or a register. */
static const VeuSignature states[] = { { VEU_TAKES_STATE, { INTEGER } },
                                       { VEU_TAKES_STATE | DWORDS,
                                         { VEU_TAKES_STATE } },
                                       END };
/* Sums of absolute differences of bytes. */
#define BYTES (TYPE(UB) | TYPE(B))
#define WORDS (TYPE(UW) | TYPE(W))
static const VeuSignature sums2[] = { { WORDS, { BYTES, BYTES } }, END };
static const VeuSignature sums3[] = { { WORDS, { BYTES, BYTES, WORDS } }, END };
/* Narrow floats have no types of their own: BF8 is stored as UB, TF32 as UD. */
static const VeuSignature narrow_floats[] = { { TYPE(UB), { TYPE(HF) } },
                                              { TYPE(HF), { TYPE(UB) } },
                                              { TYPE(UD), { TYPE(F) } },
                                              { TYPE(F), { TYPE(UD) } },
                                              END };
static const VeuSignature random_rounding[] = {
    { TYPE(UB), { TYPE(HF), INTEGER } }, { TYPE(HF), { TYPE(F), INTEGER } }, END
};
static const VeuSignature function_address[] = {
    { DWORDS | TYPE(UQ) | TYPE(Q), { 0 } }, END
};

#endif
