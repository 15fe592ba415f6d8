/*
 * veu execution unit: the surface that a message names, and its memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_OPERAND_H
#define VEU_EU_SURFACE_OPERAND_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/simd/cpu.h"
#include "hw/veu/eu/surface/surface.h"
#include "veu/program.h"

/* The surface id of SLM: a predefined one of the vISA encoding. */
#define VEU_SLM_SURFACE 0

/* Memory that an untyped message may access: [0, bytes) from base. */
typedef struct VeuRange {
    uint64_t base; /* with slm: offset of the range in it */
    uint64_t bytes;
    uint8_t *slm; /* NULL: base is an address in guest memory */
} VeuRange;

/*
 * The index in the table of the surface that @message names. Large if it names
 * a predefined one.
 */
static inline unsigned veu_surface_index(const VeuMessage *message)
{
    return message->surface - VEU_FIRST_SURFACE;
}

/* The surface of the table that @message names, or NULL. */
VEU_CLONED const VeuSurface *veu_table_surface(const VeuThread *thread,
                                               const VeuMessage *message)
{
    unsigned index = veu_surface_index(message);

    return index < thread->surfaces->count ? &thread->surfaces->surface[index] :
                                             NULL;
}

/* The buffer in guest memory that @message names, or NULL. */
VEU_CLONED const VeuSurface *veu_table_buffer(const VeuThread *thread,
                                              const VeuMessage *message)
{
    const VeuSurface *s = veu_table_surface(thread, message);

    return s && s->type == VEU_SURFACE_BUFFER && !s->slm ? s : NULL;
}

/*
 * Finds the memory of surface id @message->surface. Returns false with a fault,
 * for example if the message's row does not take the surface.
 */
bool veu_surface_range(VeuThread *thread, const VeuMessage *message,
                       VeuRange *range);

/*
 * Finds the surface that a typed message names. Returns NULL with a fault, for
 * example if the message's row does not take its type.
 */
const VeuSurface *veu_surface_typed(VeuThread *thread,
                                    const VeuMessage *message);

/*
 * Returns true if @message has a coordinate that does not apply to the surface.
 */
bool veu_surface_ignores(const VeuSurface *surface, const VeuMessage *message);

#endif
