/*
 * veu tests: registers with addresses for random messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/random_message.h"
#include "tests/lib/ref_run.h"

static void put(World *w, uint32_t at, uint64_t value, unsigned bytes)
{
    if (at <= EU_REGISTER_BYTES - bytes) {
        memcpy(w->eu->registers + at, &value, bytes);
    }
}

/* Returns where an indirect operand points, mostly into the register file. */
static uint32_t point(World *w, const RefScalar *s)
{
    uint32_t end = w->thread.register_bytes;
    uint16_t *address = &w->eu->addresses[s->address];

    *address = world_chance(w, 90) ? world_below(w, end) :
               world_chance(w, 50) ? end - 16 + world_below(w, 24) :
                                     g_rand_int(w->rng);
    return *address + s->add;
}

/* Puts @value into the scalar, and returns what the message then reads. */
static uint64_t put_scalar(World *w, const RefScalar *s, uint64_t value)
{
    uint32_t at = s->class == TEST_CLASS_INDIRECT ? point(w, s) : s->at;

    if (s->class == TEST_CLASS_IMMEDIATE) {
        return s->value;
    }
    put(w, at, value, ref_type_bytes(s->type));
    return ref_extend(value, s->type);
}

/*
 * Returns the memory that a buffer message names; no bytes if it is not a
 * buffer.
 */
static RefRange buffer_range(const World *w, unsigned surface)
{
    const struct veu_surface *s;

    if (surface == 0) {
        return (RefRange){ 0, w->thread.slm_bytes };
    }
    if (surface == 5) {
        return (RefRange){ w->thread.stateless_base,
                           w->thread.stateless_bytes };
    }
    if (surface < 6 || surface - 6 >= w->thread.surface_count) {
        return (RefRange){ 0, 0 };
    }
    s = &w->surfaces[surface - 6];
    return (RefRange){ s->base, s->type == VEU_SURFACE_BUFFER ?
                                    (uint64_t)s->width *
                                        ref_texel_bytes(ref_format(s->format)) :
                                    0 };
}

/*
 * Returns a place around the start, the end, a page border or anywhere, mostly
 * aligned.
 */
static uint64_t near(const World *w, RefRange range, unsigned unit)
{
    uint64_t at = world_below(w, 128);

    if (world_chance(w, 50)) {
        at = range.size ? world_random64(w) % range.size : 0;
    } else if (world_chance(w, 20)) {
        at = world_below(w, 3) * 4096 + 4096 - range.base % 4096 + 8 - at % 32;
    } else if (world_chance(w, 50)) {
        at = range.size + 24 - at % 64;
    } else if (world_chance(w, 4)) {
        at = world_random64(w);
    }
    return world_chance(w, 97) ? at / unit * unit : at;
}

/*
 * Puts element offsets that take the global offset into account. Some messages
 * have consecutive dwords or elements, and one lane may be elsewhere.
 */
static void put_offsets(World *w, const RefMessage *m, uint64_t global)
{
    RefRange range = buffer_range(w, m->surface);
    bool elements = m->kind == TEST_GATHER || m->kind == TEST_SCATTER;
    unsigned unit = m->align ? m->align : 1;
    bool row = world_chance(w, 30);
    unsigned step = world_chance(w, 50) ? 4 : m->element_bytes;
    uint64_t first = near(w, range, unit);

    for (unsigned i = 0; i < m->lanes && !m->address.null; i++) {
        uint64_t at = row && !world_chance(w, 2) ? first + i * step :
                                                   near(w, range, unit);

        at = elements ? at / m->element_bytes : at;
        put(w, m->address.at + i * 4, at - global, 4);
    }
}

/* Puts addresses that take the base into account. */
static void put_addresses(World *w, const RefMessage *m, uint64_t base)
{
    uint64_t together = world_address(w); /* lanes that meet at one address */
    unsigned unit = m->align ? m->align : 1;

    for (unsigned i = 0; i < m->lanes && !m->address.null; i++) {
        uint64_t at = world_chance(w, 80) ? together + world_below(w, 64) :
                                            world_address(w);

        at = world_chance(w, 97) ? at / unit * unit : at;
        put(w, m->address.at + i * 8, at - base, 8);
    }
}

/* Puts coordinates that mostly hit the surface. */
static void put_coordinates(World *w, const RefMessage *m, const RefOperand *o,
                            unsigned range)
{
    for (unsigned i = 0; i < m->lanes && !o->null; i++) {
        put(w, o->at + i * 4,
            world_chance(w, 95) ? world_below(w, range) : g_rand_int(w->rng),
            4);
    }
}

static void put_texels(World *w, const RefMessage *m)
{
    put_coordinates(w, m, &m->lod, 4);
    put_coordinates(w, m, &m->r, 7);
    put_coordinates(w, m, &m->v, 13);
    put_coordinates(w, m, &m->address, 26);
}

/* Puts X and Y of a block: in the surface, across its edges, or far away. */
static void put_media(World *w, const RefMessage *m)
{
    const struct veu_surface *s = &w->surfaces[0];
    uint64_t x;
    uint64_t y;

    if (m->surface >= 6 && m->surface - 6u < w->thread.surface_count &&
        w->surfaces[m->surface - 6].type == VEU_SURFACE_2D) {
        s = &w->surfaces[m->surface - 6];
    }
    x = near(w,
             (RefRange){ s->base, (uint64_t)s->width *
                                      ref_texel_bytes(ref_format(s->format)) },
             m->align ? m->align : 1);
    y = near(w, (RefRange){ 0, s->height }, 1);
    put_scalar(w, &m->y, m->mode >= 2 ? y / 2 : y);
    put_scalar(w, &m->scalar, x);
}

static void put_block(World *w, const RefMessage *m)
{
    uint64_t at;

    if (m->surface == 0 && test_layouts[m->kind].opcode == 0x4e) {
        at = world_address(w);
        put_scalar(w, &m->scalar,
                   world_chance(w, 97) ? at / m->align * m->align : at);
        return;
    }
    at = near(w, buffer_range(w, m->surface), m->align ? m->align : 16);
    put_scalar(w, &m->scalar, m->align ? at : at / 16);
}

static void put_data(World *w, const RefMessage *m)
{
    const RefOperand *operands[] = { &m->data, &m->src0, &m->src1 };

    for (unsigned i = 0; i < 64; i++) {
        put(w, world_below(w, EU_REGISTER_BYTES), g_rand_int(w->rng), 4);
    }
    for (unsigned o = 0; o < G_N_ELEMENTS(operands); o++) {
        for (unsigned i = 0; i < m->lanes * 4 && !operands[o]->null; i++) {
            put(w, operands[o]->at + i * 4, world_value(w), 4);
        }
    }
}

void random_operands(World *w, const TestMessage *message, const RefMessage *m)
{
    bool svm = test_layouts[m->kind].opcode == 0x4e;
    uint64_t global = 0;

    put_data(w, m);
    if (test_kind_has(m->kind, TEST_FIELD_WIDTH)) {
        put_media(w, m);
    } else if (test_kind_has(m->kind, TEST_FIELD_SIZE)) {
        put_block(w, m);
    } else if (test_kind_has(m->kind, TEST_FIELD_V)) {
        put_texels(w, m);
    } else if (test_kind_has(m->kind, TEST_FIELD_ADDRESS)) {
        if (test_kind_has(m->kind, TEST_FIELD_OFFSET)) {
            global = put_scalar(w, &m->scalar,
                                svm ? world_address(w) :
                                      near(w, buffer_range(w, m->surface), 4));
        }
        if (svm) {
            put_addresses(w, m, global);
        } else {
            put_offsets(w, m, global);
        }
    }
}
