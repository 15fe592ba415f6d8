/*
 * veu execution unit: handlers for every CPU of the architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define VEU_HANDLER_TABLE veu_handlers_scalar
#if !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize,no-math-errno,no-trapping-math")
#endif
#include "hw/veu/eu/instruction/handler_loops.h"
