/*
 * veu ABI: everything.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_VEU_H
#define VEU_VEU_H

#include "veu/context.h"
#include "veu/fault.h"
#include "veu/message.h"
#include "veu/page.h"
#include "veu/program.h"
#include "veu/regs.h"
#include "veu/ring.h"
#include "veu/surface.h"

#endif /* VEU_VEU_H */
