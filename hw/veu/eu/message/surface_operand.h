/*
 * veu execution unit: which surface a message names, and its memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_OPERAND_H
#define VEU_EU_SURFACE_OPERAND_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/surface/surface.h"

/* The surface id of SLM: a predefined one of the vISA encoding. */
#define VEU_SLM_SURFACE 0

/* Memory that an untyped message may access: [0, bytes) from base. */
typedef struct VeuRange {
    uint64_t base; /* with slm: offset of the range in it */
    uint64_t bytes;
    uint8_t *slm; /* NULL: base is an address in guest memory */
} VeuRange;

/*
 * The memory of surface id @message->surface; false with a fault, as where the
 * row of the message does not take it.
 */
bool veu_surface_range(VeuThread *thread, const VeuMessage *message,
                       VeuRange *range);

/*
 * The surface with a format that a typed message names; NULL with a fault, as
 * where the row of the message does not take its type.
 */
const VeuSurface *veu_surface_image(VeuThread *thread,
                                    const VeuMessage *message);

/* Whether @message has a coordinate that does not apply to the surface. */
bool veu_surface_ignores(const VeuSurface *surface, const VeuMessage *message);

#endif
