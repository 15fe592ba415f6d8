/*
 * veu tests: a host whose n-th call fails or stops the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/failing_host.h"
#include "tests/lib/state_bytes.h"

FailingHost failing_host;

static VeuHost sound;

/* Returns true for the call that has to fail. */
static bool count_down(unsigned *left)
{
    return *left && --*left == 0;
}

static void count_stop(void)
{
    if (count_down(&failing_host.stop)) {
        failing_host.awaited = 1;
    }
}

static uint8_t *failing_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                            enum veu_access access)
{
    count_stop();
    return count_down(&failing_host.map) ? NULL :
                                           sound.map(host, iova, bytes, access);
}

static bool failing_open(VeuHost *host, uint64_t iova, enum veu_access access,
                         VeuExtent *extent)
{
    count_stop();
    return !count_down(&failing_host.open) &&
           sound.open(host, iova, access, extent);
}

void failing_host_use(Dev *d)
{
    sound = d->host.host;
    d->host.host.map = failing_map;
    d->host.host.open = failing_host.has_open ? failing_open : NULL;
    d->host.host.awaited = &failing_host.awaited;
    /* contexts that are bound already use the original host's calls */
    state_move(d->device, d->device);
}

bool failing_is_memory_fault(uint16_t code)
{
    static const uint16_t codes[] = {
        VEU_FAULT_RING_MEMORY,    VEU_FAULT_COMMAND_MEMORY,
        VEU_FAULT_PROGRAM_MEMORY, VEU_FAULT_SURFACE_TABLE,
        VEU_FAULT_ADDRESS,        VEU_FAULT_PAYLOAD_MEMORY,
        VEU_FAULT_RESULT_MEMORY,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        if (codes[i] == code) {
            return true;
        }
    }
    return false;
}

void failing_assert_recovers(Dev *d)
{
    struct veu_command_fence fence = dev_fence(99);

    veu_device_reset(d->device);
    dev_setup(d);
    dev_enable(d);
    DEV_PUSH(d, fence);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, DEV_FENCE), ==, 99);
}
