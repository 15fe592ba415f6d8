/*
 * veu tests: narrow floats of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_ISA_NARROW_H
#define VEU_TEST_ISA_NARROW_H

#include "tests/lib/isa.h"

/* The rows' operations. */
uint64_t isa_fcvt(const IsaElement *e);
uint64_t isa_srnd(const IsaElement *e);

#endif
