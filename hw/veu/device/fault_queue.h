/*
 * veu device model: the fault queue of a ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_FAULT_QUEUE_H
#define VEU_DEVICE_FAULT_QUEUE_H

#include "hw/veu/device/model.h"

/*
 * Records a fault of the ring's command, or of the ring itself, and interrupts
 * the driver. @place: NULL if it happened outside of EU threads.
 */
void veu_fault_record(VeuRing *ring, const VeuFault *fault,
                      const VeuFaultPlace *place);

#endif
