/*
 * veu proofs: the vocabulary of harnesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A harness is a function without arguments: a variable that it does not set,
 * and the result of a nondet function, can have any value. CBMC has to find
 * that PROVE() holds for all values, and that REACHED() is reached for some.
 */
#ifndef VEU_TESTS_PROOF_H
#define VEU_TESTS_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#ifdef VEU_PROOF_REACHES
#define PROVE(condition, rule) ((void)0)
#define REACHED(condition)     __CPROVER_assert(!(condition), #condition)
#else
#define PROVE(condition, rule) __CPROVER_assert(condition, rule)
#define REACHED(condition)     ((void)0)
#endif
#define ASSUME(condition) __CPROVER_assume(condition)

/* A sum that cannot wrap. */
typedef unsigned __int128 VeuWide;

bool nondet_bool(void);
uint8_t nondet_u8(void);
uint16_t nondet_u16(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);

#endif
