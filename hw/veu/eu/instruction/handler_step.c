/*
 * veu execution unit: the handler of steps that have none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler_step.h"

VEU_HANDLER(veu_handler_stop)
{
    return i;
}
