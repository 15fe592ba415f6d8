/*
 * veu execution unit: lanes of up to four dwords in a row: 4_SCALED messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_CHANNELS_H
#define VEU_EU_CHANNELS_H

#include "hw/veu/eu/message/lanes.h"

/*
 * The span of a live lane goes from its lowest channel that is moved to its
 * highest one.
 */
typedef struct VeuChannelPlan {
    VeuPlan plan;
    uint8_t moved[VEU_MAX_LANES]; /* mask of channels; 0: none */
} VeuChannelPlan;

/* How a lane accesses @channels (at least one), of which R is at @address. */
VeuLaneAccess veu_channel_access(const VeuMessage *message, unsigned lane,
                                 unsigned channels, uint64_t address);

/*
 * Moves what is planned and ends the message. A channel that is not moved by a
 * lane that is live or outside reads as 0.
 */
bool veu_load_channels(VeuThread *thread, const VeuMessage *message,
                       const VeuChannelPlan *plan);
bool veu_store_channels(VeuThread *thread, const VeuMessage *message,
                        const VeuChannelPlan *plan);

#endif
