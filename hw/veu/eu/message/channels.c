/*
 * veu execution unit: lanes of up to four consecutive dwords, for the 4_SCALED
 * messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/channels.h"

#define MAX_CHANNELS 4
#define DWORD_BYTES  4

static unsigned lowest(unsigned channels)
{
    return __builtin_ctz(channels);
}

static unsigned highest(unsigned channels)
{
    return 31 - __builtin_clz(channels);
}

VeuLaneAccess veu_channel_access(const VeuMessage *m, unsigned lane,
                                 unsigned channels, uint64_t address)
{
    unsigned first = lowest(channels);

    return (VeuLaneAccess){
        .lane = lane,
        .element_bytes = DWORD_BYTES,
        .blocks = channels,
        .address = address + first * DWORD_BYTES,
        .bytes = (highest(channels) + 1 - first) * DWORD_BYTES,
        .access = m->info->access,
    };
}

static bool finish(VeuThread *t, const VeuChannelPlan *plan)
{
    uint32_t moved = 0;

    VEU_FOR_EACH_LANE(lane, plan->plan.live) {
        moved += __builtin_popcount(plan->moved[lane]) * DWORD_BYTES;
    }
    return veu_finish(t, moved);
}

static void write_lane(VeuThread *t, const VeuMessage *m, unsigned lane,
                       const uint32_t dwords[MAX_CHANNELS])
{
    uint8_t *to = t->registers + m->data.register_byte + lane * DWORD_BYTES;

    VEU_FOR_EACH_LANE(c, m->channels) {
        memcpy(to + m->first_lane[c] * DWORD_BYTES, &dwords[c], DWORD_BYTES);
    }
}

/* The dwords between two channels are also read, and then ignored. */
static void load_lane(const VeuChannelPlan *plan, unsigned lane,
                      uint32_t dwords[MAX_CHANNELS])
{
    uint32_t from_first[MAX_CHANNELS];
    unsigned first = lowest(plan->moved[lane]);

    veu_span_load(&plan->plan.span[lane], (uint8_t *)from_first);
    VEU_FOR_EACH_LANE(c, plan->moved[lane]) {
        dwords[c] = from_first[c - first];
    }
}

bool veu_load_channels(VeuThread *t, const VeuMessage *m,
                       const VeuChannelPlan *plan)
{
    uint32_t dwords[VEU_MAX_LANES][MAX_CHANNELS] = { 0 };

    VEU_FOR_EACH_LANE(lane, plan->plan.live) {
        load_lane(plan, lane, dwords[lane]);
    }
    if (!m->data.null) {
        VEU_FOR_EACH_LANE(lane, plan->plan.live | plan->plan.outside) {
            write_lane(t, m, lane, dwords[lane]);
        }
    }
    return finish(t, plan);
}

/* If lanes collide the highest one wins, because they are stored in order. */
bool veu_store_channels(VeuThread *t, const VeuMessage *m,
                        const VeuChannelPlan *plan)
{
    veu_check_collisions(t, &plan->plan);
    VEU_FOR_EACH_LANE(lane, plan->plan.live) {
        unsigned lowest_channel = lowest(plan->moved[lane]);

        VEU_FOR_EACH_LANE(c, plan->moved[lane]) {
            uint32_t dword = veu_lane_dword(t, &m->data,
                                            m->first_lane[c] + lane);

            veu_span_store(&plan->plan.span[lane], (const uint8_t *)&dword,
                           (c - lowest_channel) * DWORD_BYTES, DWORD_BYTES);
        }
    }
    return finish(t, plan);
}
