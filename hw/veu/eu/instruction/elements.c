/*
 * veu execution unit: where the elements of an operand are, and copies of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/elements.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/simd/cpu.h"

#if !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize")
#endif

/* The elements before element @n in its row, and in the rows before it. */
static uint32_t region_elements(const VeuOperand *o, unsigned n)
{
    unsigned in_row = n & ((1u << o->width_shift) - 1);

    return (n >> o->width_shift) * o->row_step + in_row * o->step;
}

/*
 * The place of element @n of an indirect operand. Returns false with a fault if
 * it is outside.
 */
static bool indirect_byte(VeuThread *t, const VeuOperand *o, unsigned n,
                          uint32_t *at)
{
    unsigned row = o->by_row ? n >> o->width_shift : 0;
    uint32_t bytes = veu_type_bytes(o->type);
    int32_t byte = t->addresses[o->at + row] + o->add_byte +
                   (int32_t)(region_elements(o, n) * bytes);

    if (byte < 0 || byte + bytes > t->program->register_bytes) {
        return veu_fault_form(&t->fault, VEU_FAULT_INDIRECT, byte);
    }
    *at = byte;
    return true;
}

bool veu_operand_byte(VeuThread *t, const VeuOperand *o, unsigned n,
                      uint32_t *at)
{
    if (o->class == VEU_OPERAND_INDIRECT) {
        return indirect_byte(t, o, n, at);
    }
    *at = o->at + region_elements(o, n) * veu_type_bytes(o->type);
    return true;
}

/*
 * Returns true if @lanes elements have the same distance, @step, as in most
 * regions, and in all destinations.
 */
static bool step_of(const VeuOperand *o, unsigned lanes, uint32_t *step)
{
    *step = o->width_shift ? o->step : o->row_step;
    return lanes <= 1u << o->width_shift ||
           o->row_step == *step << o->width_shift;
}

static inline uint32_t place_of(const VeuPlaces *p, unsigned n)
{
    return p->even ? p->first + n * p->distance : p->at[n];
}

/* Returns true if @lanes elements at one address are all inside. */
static inline bool place_at_address(const VeuThread *t, const VeuOperand *o,
                                    unsigned lanes, VeuPlaces *p)
{
    int32_t first = t->addresses[o->at] + o->add_byte;
    uint32_t bytes = veu_type_bytes(o->type), step;

    if (o->by_row || !step_of(o, lanes, &step) || first < 0 ||
        first + (lanes - 1) * step * bytes + bytes >
            t->program->register_bytes) {
        return false;
    }
    p->even = true;
    p->first = first;
    p->distance = step * bytes;
    return true;
}

/* The places of elements @active of an indirect operand, and 0 for others. */
static bool place_indirect(VeuThread *t, const VeuOperand *o, uint32_t active,
                           VeuPlaces *p)
{
    p->even = false;
    memset(p->at, 0, veu_lanes_up_to(active) * sizeof(p->at[0]));
    VEU_FOR_EACH_LANE(n, active) {
        if (!indirect_byte(t, o, n, &p->at[n])) {
            return false;
        }
    }
    return true;
}

/* veu_place_elements(), for functions that spend much of their time in it. */
static inline __attribute__((always_inline)) bool place_elements(
    VeuThread *t, const VeuOperand *o, uint32_t active, VeuPlaces *p)
{
    uint32_t bytes = veu_type_bytes(o->type), step;
    unsigned lanes = veu_lanes_up_to(active);

    if (o->class == VEU_OPERAND_INDIRECT) {
        return (active && place_at_address(t, o, lanes, p)) ||
               place_indirect(t, o, active, p);
    }
    p->even = step_of(o, lanes, &step);
    p->first = o->at;
    p->distance = step * bytes;
    for (unsigned n = 0; !p->even && n < lanes; n++) {
        p->at[n] = o->at + region_elements(o, n) * bytes;
    }
    return true;
}

bool veu_place_elements(VeuThread *t, const VeuOperand *o, uint32_t active,
                        VeuPlaces *p)
{
    return place_elements(t, o, active, p);
}

/* Returns true if elements of this size follow each other. */
static bool is_dense(const VeuPlaces *p, uint32_t bytes)
{
    return p->even && p->distance == bytes;
}

/* Loads elements of one type, with the sign extended. */
#define LOAD(type)                                                            \
    static inline void load_one_##type(const uint8_t *from, uint64_t *bits)   \
    {                                                                         \
        type element;                                                         \
                                                                              \
        memcpy(&element, from, sizeof(element));                              \
        *bits = (uint64_t)(int64_t)element;                                   \
    }                                                                         \
                                                                              \
    VEU_CLONED void load_##type(const uint8_t *restrict from, unsigned lanes, \
                                const VeuPlaces *p, uint64_t *restrict bits)  \
    {                                                                         \
        if (lanes == VEU_COMMON_LANES && is_dense(p, sizeof(type))) {         \
            from += p->first;                                                 \
            for (unsigned n = 0; n < VEU_COMMON_LANES; n++) {                 \
                load_one_##type(from + n * sizeof(type), &bits[n]);           \
            }                                                                 \
            return;                                                           \
        }                                                                     \
        for (unsigned n = 0; n < lanes; n++) {                                \
            load_one_##type(from + place_of(p, n), &bits[n]);                 \
        }                                                                     \
    }                                                                         \
                                                                              \
    VEU_CPU_CLONES(void, load_##type,                                         \
                   (const uint8_t *restrict from, unsigned lanes,             \
                    const VeuPlaces *p, uint64_t *restrict bits),             \
                   (from, lanes, p, bits))

/* Stores the low bits as elements of one type. */
#define STORE(type)                                                            \
    static inline void store_one_##type(uint8_t *to, uint64_t bits)            \
    {                                                                          \
        type element = bits;                                                   \
                                                                               \
        memcpy(to, &element, sizeof(element));                                 \
    }                                                                          \
                                                                               \
    VEU_CLONED void store_##type(uint8_t *restrict to, uint32_t active,        \
                                 const VeuPlaces *p,                           \
                                 const uint64_t *restrict bits)                \
    {                                                                          \
        if (active == (1u << VEU_COMMON_LANES) - 1 &&                          \
            is_dense(p, sizeof(type))) {                                       \
            to += p->first;                                                    \
            for (unsigned n = 0; n < VEU_COMMON_LANES; n++) {                  \
                store_one_##type(to + n * sizeof(type), bits[n]);              \
            }                                                                  \
            return;                                                            \
        }                                                                      \
        VEU_FOR_EACH_LANE(n, active) {                                         \
            store_one_##type(to + place_of(p, n), bits[n]);                    \
        }                                                                      \
    }                                                                          \
                                                                               \
    VEU_CPU_CLONES(void, store_##type,                                         \
                   (uint8_t *restrict to, uint32_t active, const VeuPlaces *p, \
                    const uint64_t *restrict bits),                            \
                   (to, active, p, bits))

LOAD(uint8_t);
LOAD(int8_t);
LOAD(uint16_t);
LOAD(int16_t);
LOAD(uint32_t);
LOAD(int32_t);
LOAD(uint64_t);
STORE(uint8_t);
STORE(uint16_t);
STORE(uint32_t);
STORE(uint64_t);

typedef void Load(const uint8_t *from, unsigned lanes, const VeuPlaces *p,
                  uint64_t *bits);
typedef void Store(uint8_t *to, uint32_t active, const VeuPlaces *p,
                   const uint64_t *bits);

/* One function for each level of the CPU. */
typedef struct Copy {
    Load *const *load;
    Store *const *store;
} Copy;

#define ROW(loaded, stored)                             \
    {                                                   \
        load_##loaded##_clones, store_##stored##_clones \
    }

/* By the type of an element. */
static const Copy copies[] = {
    [VEU_TYPE_UB] = ROW(uint8_t, uint8_t),
    [VEU_TYPE_B] = ROW(int8_t, uint8_t),
    [VEU_TYPE_UW] = ROW(uint16_t, uint16_t),
    [VEU_TYPE_W] = ROW(int16_t, uint16_t),
    [VEU_TYPE_UD] = ROW(uint32_t, uint32_t),
    [VEU_TYPE_D] = ROW(int32_t, uint32_t),
    [VEU_TYPE_UQ] = ROW(uint64_t, uint64_t),
    [VEU_TYPE_Q] = ROW(uint64_t, uint64_t),
    [VEU_TYPE_HF] = ROW(uint16_t, uint16_t),
    [VEU_TYPE_BF] = ROW(uint16_t, uint16_t),
    [VEU_TYPE_F] = ROW(uint32_t, uint32_t),
    [VEU_TYPE_DF] = ROW(uint64_t, uint64_t),
};

bool veu_load_elements(VeuThread *t, const VeuOperand *o, uint32_t active,
                       uint64_t *bits)
{
    VeuPlaces places;

    if (!place_elements(t, o, active, &places)) {
        return false;
    }
    copies[o->type].load[veu_cpu](t->registers, veu_lanes_up_to(active),
                                  &places, bits);
    return true;
}

void veu_store_elements(VeuThread *t, uint8_t type, uint32_t active,
                        const VeuPlaces *p, const uint64_t *bits)
{
    copies[type].store[veu_cpu](t->registers, active, p, bits);
}
