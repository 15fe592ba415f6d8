/*
 * veu device model: injected faults: the state of a device's rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INJECT_STATE_H
#define VEU_DEVICE_INJECT_STATE_H

#include "hw/veu/device/host/inject.h"

/* The maximum number of corrupted accesses of a message that are remembered. */
#define VEU_INJECT_MAX_SPOILED 32

typedef struct VeuInject {
    VeuObserver observer; /* first */
    VeuInjectRules rules;
    /* The message that is being executed. */
    struct VeuRing *ring;
    VeuMem *mem;
    const VeuMessageInfo *message;
    uint32_t decided; /* bit n: rule n has matched */
    uint32_t fires;   /* ... and fires */
    unsigned spoiled;
    struct {
        /* for a write: the byte to flip when it is done, or NULL */
        uint8_t *at;
        uint8_t mask;
        _Alignas(64) uint8_t bytes[VEU_SPAN_MAX_BYTES]; /* of a read */
    } spoil[VEU_INJECT_MAX_SPOILED];
} VeuInject;

#endif
