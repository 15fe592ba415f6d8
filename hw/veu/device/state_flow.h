/*
 * veu device model: the state of an EU thread's control flow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_STATE_FLOW_H
#define VEU_DEVICE_STATE_FLOW_H

#include "hw/veu/device/launch_state.h"
#include "hw/veu/device/stream.h"

/*
 * Saves or loads predicates, addresses, registers and control flow of an EU
 * thread. Returns false if the stream has been refused.
 */
bool veu_registers_move(VeuThread *thread, VeuStream *stream);

#endif
