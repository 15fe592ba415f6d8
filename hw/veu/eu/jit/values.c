/*
 * veu execution unit: which vector registers of the host hold which values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/values.h"

static const VeuVectorOp load_vector = VEU_VECTOR_OP(F3, 0F, 0x6f);
static const VeuVectorOp store_vector = VEU_VECTOR_OP(F3, 0F, 0x7f);
static const VeuVectorOp xor_vector = VEU_VECTOR_OP(66, 0F, 0xef);

/* [0] for elements of 4 bytes, [1] for those of 8. */
#define OF_ELEMENTS(opcode_, opcode_wide_, map_) \
    {                                            \
        { .pp = VEU_PP_66,                       \
          .map = VEU_MAP_##map_,                 \
          .opcode = opcode_,                     \
          .tuple = VEU_TUPLE_4_BYTES },          \
            { .pp = VEU_PP_66,                   \
              .map = VEU_MAP_##map_,             \
              .opcode = opcode_wide_,            \
              .tuple = VEU_TUPLE_8_BYTES,        \
              .wide = true },                    \
    }
static const VeuVectorOp broadcast[2] = OF_ELEMENTS(0x58, 0x59, 0F38);
static const VeuVectorOp store_element[2] = OF_ELEMENTS(0x7e, 0xd6, 0F);

void veu_values_begin(VeuValues *v, VeuEmit *emit)
{
    bool many = veu_emit_has_masks(emit);

    *v = (VeuValues){ .emit = emit,
                      .first = many ? 16 : VEU_SCRATCH_VECTOR + 1,
                      .count = many ? VEU_HOST_VECTORS : VEU_HOST_VECTORS - 1 };
}

VeuVectorLength veu_vector_length(uint32_t bytes)
{
    return bytes <= 16 ? VEU_VECTOR_16_BYTES :
           bytes <= 32 ? VEU_VECTOR_32_BYTES :
                         VEU_VECTOR_64_BYTES;
}

/*
 * Takes the next register that is not pinned, and that was not used since the
 * search passed it last. An instruction pins at most 13: a mad of three staged
 * sources, with AVX2.
 */
unsigned veu_values_take(VeuValues *v)
{
    unsigned n;

    if (v->pinned == (1u << v->count) - 1) {
        v->emit->full = true;
        v->pinned = 0;
    }
    while ((v->pinned | v->recent) >> v->next & 1) {
        v->recent &= ~(1u << v->next);
        v->next = (v->next + 1) % v->count;
    }
    n = v->next;
    v->next = (n + 1) % v->count;
    v->in[n].kind = VEU_VALUE_NONE;
    veu_values_keep(v, v->first + n);
    return v->first + n;
}

void veu_values_release(VeuValues *v)
{
    v->pinned = 0;
}

void veu_values_keep(VeuValues *v, unsigned n)
{
    v->pinned |= 1u << (n - v->first);
}

/* A longer vector has the bytes of a shorter one. */
static bool has(const VeuValue *r, const VeuValue *value)
{
    return r->kind == value->kind && r->at == value->at &&
           r->number == value->number &&
           (r->bytes == value->bytes ||
            (r->kind == VEU_VALUE_BYTES && r->bytes > value->bytes));
}

/* Returns the register that has the value, or 0. */
static unsigned find(VeuValues *v, const VeuValue *value)
{
    for (unsigned n = 0; n < v->count; n++) {
        if (has(&v->in[n], value)) {
            v->recent |= 1u << n;
            veu_values_keep(v, v->first + n);
            return v->first + n;
        }
    }
    return 0;
}

static void set(VeuValues *v, unsigned n, const VeuValue *value)
{
    v->in[n - v->first] = *value;
}

static VeuVectorOperands in_registers(unsigned reg, uint32_t at,
                                      VeuVectorLength length)
{
    return (VeuVectorOperands){ .length = length,
                                .reg = reg,
                                .rm = VEU_REGISTERS,
                                .is_memory = true,
                                .at = at };
}

static void load_number(VeuEmit *e, unsigned to, uint64_t number,
                        unsigned bytes)
{
    if (number) {
        veu_emit_number(e, VEU_RAX, number);
        veu_emit_broadcast(e, to, VEU_RAX, bytes);
    } else {
        veu_emit_vector(e, xor_vector,
                        (VeuVectorOperands){ .length = e->longest,
                                             .reg = to,
                                             .vector = to,
                                             .rm = to });
    }
}

static void load_host(VeuEmit *e, unsigned to, uint64_t at)
{
    veu_emit_number(e, VEU_RAX, at);
    veu_emit_vector(e, load_vector,
                    (VeuVectorOperands){ .length = e->longest,
                                         .reg = to,
                                         .rm = VEU_RAX,
                                         .is_memory = true });
}

/* Changes rax. */
static void load(VeuEmit *e, unsigned to, const VeuValue *v)
{
    switch (v->kind) {
    case VEU_VALUE_BYTES:
        veu_emit_vector(e, load_vector,
                        in_registers(to, v->at, veu_vector_length(v->bytes)));
        break;
    case VEU_VALUE_SAME:
        veu_emit_vector(e, broadcast[v->bytes == 8],
                        in_registers(to, v->at, e->longest));
        break;
    case VEU_VALUE_NUMBER:
        load_number(e, to, v->number, v->bytes);
        break;
    case VEU_VALUE_HOST:
        load_host(e, to, v->number);
        break;
    }
}

static unsigned find_or_load(VeuValues *v, const VeuValue *value)
{
    unsigned n = find(v, value);

    if (!n) {
        n = veu_values_take(v);
        load(v->emit, n, value);
        set(v, n, value);
    }
    return n;
}

unsigned veu_values_bytes(VeuValues *v, uint32_t at, uint32_t bytes)
{
    return find_or_load(v, &(VeuValue){ VEU_VALUE_BYTES, .at = at,
                                        .bytes = bytes });
}

unsigned veu_values_same(VeuValues *v, uint32_t at, uint32_t bytes)
{
    return find_or_load(v, &(VeuValue){ VEU_VALUE_SAME, .at = at,
                                        .bytes = bytes });
}

unsigned veu_values_number(VeuValues *v, uint64_t number, uint32_t bytes)
{
    return find_or_load(v, &(VeuValue){ VEU_VALUE_NUMBER,
                                        .number = bytes == 8 ? number :
                                                               (uint32_t)number,
                                        .bytes = bytes });
}

unsigned veu_values_host(VeuValues *v, const void *at)
{
    return find_or_load(v,
                        &(VeuValue){ VEU_VALUE_HOST, .number = (uintptr_t)at });
}

unsigned veu_values_lanes(VeuValues *v, uint64_t number, uint32_t bytes,
                          bool *has_them)
{
    VeuValue lanes = { VEU_VALUE_LANES, .number = number, .bytes = bytes };
    unsigned n = find(v, &lanes);

    *has_them = n;
    if (!n) {
        n = veu_values_take(v);
        set(v, n, &lanes);
    }
    return n;
}

void veu_values_restore(VeuValues *v)
{
    for (unsigned n = 0; n < v->count; n++) {
        load(v->emit, v->first + n, &v->in[n]);
    }
}

static bool overlaps(const VeuValue *r, uint32_t at, uint32_t bytes)
{
    return (r->kind == VEU_VALUE_BYTES || r->kind == VEU_VALUE_SAME) &&
           r->at < at + bytes && at < r->at + r->bytes;
}

void veu_values_forget(VeuValues *v, uint32_t at, uint32_t bytes)
{
    for (unsigned n = 0; n < v->count; n++) {
        if (overlaps(&v->in[n], at, bytes)) {
            v->in[n].kind = VEU_VALUE_NONE;
        }
    }
}

void veu_values_store(VeuValues *v, unsigned from, uint32_t at, uint32_t bytes)
{
    veu_values_forget(v, at, bytes);
    veu_emit_vector(v->emit, store_vector,
                    in_registers(from, at, veu_vector_length(bytes)));
    set(v, from, &(VeuValue){ VEU_VALUE_BYTES, .at = at, .bytes = bytes });
}

void veu_values_store_same(VeuValues *v, unsigned from, uint32_t at,
                           uint32_t bytes)
{
    veu_values_forget(v, at, bytes);
    veu_emit_vector(v->emit, store_element[bytes == 8],
                    in_registers(from, at, VEU_VECTOR_16_BYTES));
    set(v, from, &(VeuValue){ VEU_VALUE_SAME, .at = at, .bytes = bytes });
}
