/*
 * veu execution unit: which vector registers of the host hold which values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host code stores each result to the register file at once, so that an EU
 * thread may stop after any instruction. It also keeps the results, and what it
 * has loaded, in vector registers: an instruction that reads them again does
 * not wait for memory. A value is forgotten when its bytes in the register file
 * are written, or when its register is needed for another.
 */
#ifndef VEU_EU_JIT_VALUES_H
#define VEU_EU_JIT_VALUES_H

#include "hw/veu/eu/jit/emit.h"

/*
 * The host's vector registers: with AVX-512 those from 16 on, which code
 * without it does not have, so that nothing must clear their upper parts for
 * it; otherwise 1 to 15. Register 0 is scratch: it keeps nothing from one form,
 * or message, to the next.
 */
#define VEU_HOST_VECTORS   16
#define VEU_SCRATCH_VECTOR 0

/* The general register that points to the register file. */
#define VEU_REGISTERS VEU_RDX

typedef enum VeuValueKind {
    VEU_VALUE_NONE,   /* nothing that can be found again */
    VEU_VALUE_BYTES,  /* @bytes of the register file, from @at on */
    VEU_VALUE_SAME,   /* the element of @bytes at @at, in all lanes */
    VEU_VALUE_NUMBER, /* @number, an element of @bytes, in all lanes */
    VEU_VALUE_HOST,   /* bytes at the host's address @number */
    VEU_VALUE_LANES,  /* elements of @bytes, all ones in lanes: see lanes.h */
} VeuValueKind;

typedef struct VeuValue {
    uint8_t kind; /* VeuValueKind */
    uint8_t bytes;
    uint32_t at;
    uint64_t number;
} VeuValue;

/* Bit n of a set stands for register @first + n. */
typedef struct VeuValues {
    VeuEmit *emit;
    VeuValue in[VEU_HOST_VECTORS];
    unsigned first; /* register */
    unsigned count;
    uint32_t pinned; /* the current instruction uses them */
    uint32_t recent; /* used since the search for a register passed them */
    unsigned next;   /* where that search continues */
} VeuValues;

void veu_values_begin(VeuValues *values, VeuEmit *emit);

/*
 * A register whose contents nothing needs, until veu_values_release(). If the
 * instruction uses all of them, the code is given up: VeuEmit.full.
 */
unsigned veu_values_take(VeuValues *values);

/* The current instruction needs no register any more. */
void veu_values_release(VeuValues *values);

/* It still needs register @n. */
void veu_values_keep(VeuValues *values, unsigned n);

/*
 * A register with @bytes (16, 32 or 64) of the register file, at most the
 * longest vector. Its other bytes may be anything.
 */
unsigned veu_values_bytes(VeuValues *values, uint32_t at, uint32_t bytes);

/* A register that has an element of 4 or 8 bytes in all lanes. */
unsigned veu_values_same(VeuValues *values, uint32_t at, uint32_t bytes);
unsigned veu_values_number(VeuValues *values, uint64_t number, uint32_t bytes);

/*
 * A register with the longest vector from @at on in the host's memory, which
 * does not change.
 */
unsigned veu_values_host(VeuValues *values, const void *at);

/*
 * A register for elements of @bytes that are all ones in the lanes that
 * @number stands for. Unless it has them, they must be loaded to it.
 */
unsigned veu_values_lanes(VeuValues *values, uint64_t number, uint32_t bytes,
                          bool *has_them);

/*
 * Loads all values except lanes again, after a call that may have changed
 * registers.
 */
void veu_values_restore(VeuValues *values);

/* Stores what is in register @from to @bytes of the register file. */
void veu_values_store(VeuValues *values, unsigned from, uint32_t at,
                      uint32_t bytes);

/* Stores one element of a register that has it in all lanes. */
void veu_values_store_same(VeuValues *values, unsigned from, uint32_t at,
                           uint32_t bytes);

/* Bytes of the register file have been written. */
void veu_values_forget(VeuValues *values, uint32_t at, uint32_t bytes);

/* The length of a vector of @bytes. */
VeuVectorLength veu_vector_length(uint32_t bytes);

#endif
