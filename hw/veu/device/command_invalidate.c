/*
 * veu device model: the command INVALIDATE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/command_row.h"
#include "hw/veu/eu/rule.h"

static bool bad_invalidate(const VeuRing *ring, uint32_t *at)
{
    VEU_RULE(struct veu_command_invalidate, context,
             ring->command.invalidate.context >= ring->device->config.rings);
    return false;
}

/*
 * Steps of rings follow each other, and each begins without extents: nothing of
 * the context is under way.
 */
static VeuRun run_invalidate(VeuRing *ring)
{
    const struct veu_command_invalidate *c = &ring->command.invalidate;
    VeuDevice *d = ring->device;

    veu_tlb_forget(&d->tlbs[c->context], c->range & -VEU_PAGE_BYTES,
                   c->range & 0x3f);
    return VEU_RUN_DONE;
}

const VeuCommandInfo veu_command_row_invalidate = {
    VEU_COMMAND_ROW(INVALIDATE, invalidate, reserved),
    .needs_identity = true,
    .bad_field = bad_invalidate,
    .run = run_invalidate,
    .summary = "Drops what is kept of page tables.",
};
