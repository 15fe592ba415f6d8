/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the picture of a device with a display.
 */
#include "veu_scanout.h"

#include "veu_port.h"

static void write32(struct veu_scanout *scanout, enum veu_reg offset,
                    uint32_t value)
{
    veu_write32(scanout->device, VEU_SCANOUT_BLOCK + offset, value);
}

uint32_t veu_scanout_read32(const struct veu_scanout *scanout,
                            enum veu_reg offset)
{
    return veu_read32(scanout->device, VEU_SCANOUT_BLOCK + offset);
}

enum veu_status veu_scanout_start(struct veu_scanout *scanout,
                                  struct veu_device *device, uint32_t context,
                                  uint32_t vector)
{
    scanout->device = device;
    if (!veu_scanout_read32(scanout, VEU_REG_SCANOUT_LIMIT_WIDTH)) {
        return VEU_NOT_FOUND;
    }
    scanout->number = veu_scanout_read32(scanout, VEU_REG_SCANOUT_DONE);
    write32(scanout, VEU_REG_SCANOUT_CONTEXT, context);
    write32(scanout, VEU_REG_SCANOUT_VECTOR, vector);
    write32(scanout, VEU_REG_SCANOUT_CONTROL, VEU_SCANOUT_ENABLE);
    return VEU_OK;
}

void veu_scanout_stop(struct veu_scanout *scanout)
{
    write32(scanout, VEU_REG_SCANOUT_CONTROL, 0);
}

void veu_scanout_flip(struct veu_scanout *scanout,
                      const struct veu_surface *surface)
{
    veu_write64(scanout->device, VEU_SCANOUT_BLOCK + VEU_REG_SCANOUT_SURFACE,
                veu_port_device_address(surface));
    /* The texels and the descriptor are stored before the flip. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    write32(scanout, VEU_REG_SCANOUT_FLIP, ++scanout->number);
}

bool veu_scanout_is_done(const struct veu_scanout *scanout)
{
    return veu_scanout_read32(scanout, VEU_REG_SCANOUT_DONE) == scanout->number;
}

enum veu_status veu_scanout_wait(const struct veu_scanout *scanout,
                                 uint64_t timeout_ns)
{
    uint64_t end = veu_time(scanout->device) + timeout_ns;

    while (!veu_scanout_is_done(scanout)) {
        if (veu_time(scanout->device) > end) {
            return VEU_TIMEOUT;
        }
        veu_port_relax();
    }
    return veu_scanout_read32(scanout, VEU_REG_SCANOUT_FAULT) ? VEU_FAULTED :
                                                                VEU_OK;
}
