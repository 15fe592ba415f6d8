/*
 * veu execution unit: lanes of up to four consecutive dwords, for the 4_SCALED
 * messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_CHANNELS_H
#define VEU_EU_CHANNELS_H

#include "hw/veu/eu/message/lanes.h"

/*
 * The span of a live lane extends from its lowest moved channel to its highest.
 */
typedef struct VeuChannelPlan {
    VeuPlan plan;
    uint8_t moved[VEU_MAX_LANES]; /* mask of channels; 0: none */
} VeuChannelPlan;

/* Describes how a lane accesses @channels (at least one); R is at @address. */
VeuLaneAccess veu_channel_access(const VeuMessage *message, unsigned lane,
                                 unsigned channels, uint64_t address);

/*
 * Moves the planned data and ends the message. A channel that a live or outside
 * lane does not move reads as 0.
 */
bool veu_load_channels(VeuThread *thread, const VeuMessage *message,
                       const VeuChannelPlan *plan);
bool veu_store_channels(VeuThread *thread, const VeuMessage *message,
                        const VeuChannelPlan *plan);

#endif
