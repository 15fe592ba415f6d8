/*
 * veu tests: integers of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_ISA_INTEGER_H
#define VEU_TEST_ISA_INTEGER_H

#include "tests/lib/isa.h"

bool isa_is_signed(uint8_t type);
/* Returns the number that the low bits of @raw represent. */
IsaWide isa_extend(uint8_t type, uint64_t raw);
/* Returns the nearest number of @type. */
IsaWide isa_clamp(uint8_t type, IsaWide number);

/* The rows' operations. */
IsaWide isa_add(const IsaElement *e, IsaWide *second);
IsaWide isa_add3(const IsaElement *e, IsaWide *second);
IsaWide isa_addc(const IsaElement *e, IsaWide *second);
IsaWide isa_and(const IsaElement *e, IsaWide *second);
IsaWide isa_asr(const IsaElement *e, IsaWide *second);
IsaWide isa_avg(const IsaElement *e, IsaWide *second);
IsaWide isa_bfe(const IsaElement *e, IsaWide *second);
IsaWide isa_bfi(const IsaElement *e, IsaWide *second);
IsaWide isa_bfn(const IsaElement *e, IsaWide *second);
IsaWide isa_bfrev(const IsaElement *e, IsaWide *second);
IsaWide isa_cbit(const IsaElement *e, IsaWide *second);
IsaWide isa_copy(const IsaElement *e, IsaWide *second);
IsaWide isa_div(const IsaElement *e, IsaWide *second);
IsaWide isa_dp4a(const IsaElement *e, IsaWide *second);
IsaWide isa_fbh(const IsaElement *e, IsaWide *second);
IsaWide isa_fbl(const IsaElement *e, IsaWide *second);
IsaWide isa_lzd(const IsaElement *e, IsaWide *second);
IsaWide isa_mad(const IsaElement *e, IsaWide *second);
IsaWide isa_madw(const IsaElement *e, IsaWide *second);
IsaWide isa_minmax(const IsaElement *e, IsaWide *second);
IsaWide isa_mod(const IsaElement *e, IsaWide *second);
IsaWide isa_mul(const IsaElement *e, IsaWide *second);
IsaWide isa_mulh(const IsaElement *e, IsaWide *second);
IsaWide isa_not(const IsaElement *e, IsaWide *second);
IsaWide isa_or(const IsaElement *e, IsaWide *second);
IsaWide isa_rol(const IsaElement *e, IsaWide *second);
IsaWide isa_ror(const IsaElement *e, IsaWide *second);
IsaWide isa_sad2(const IsaElement *e, IsaWide *second);
IsaWide isa_shl(const IsaElement *e, IsaWide *second);
IsaWide isa_shr(const IsaElement *e, IsaWide *second);
IsaWide isa_subb(const IsaElement *e, IsaWide *second);
IsaWide isa_xor(const IsaElement *e, IsaWide *second);

#endif
