/*
 * veu execution unit: vector instructions of messages whose lanes are a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/message_code.h"
#include "hw/veu/eu/jit/message_rows.h"
#include "hw/veu/eu/jit/vector_ops.h"

/* The offsets of a row from its first one, by log2 of the element's bytes. */
static const _Alignas(64) uint32_t rows[3][VEU_ROW_LANES] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30 },
    { 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60 },
};

/* By the same: what extends elements to dwords, and the inverse. */
static const VeuVectorOp load_row[3] = {
    VEU_VECTOR_OP_PART(66, 0x31, QUARTER),
    VEU_VECTOR_OP_PART(66, 0x33, HALF),
    F3(0x6f),
};
static const VeuVectorOp store_row[3] = {
    VEU_VECTOR_OP_PART(F3, 0x31, QUARTER),
    VEU_VECTOR_OP_PART(F3, 0x33, HALF),
    F3(0x7f),
};

static const VeuVectorOp add = D(0xfe), and = D(0xdb), or = D(0xeb);
static const VeuVectorOp xor = D(0xef), equal = D(0x76);
static const VeuVectorOp first_lane = D(0x7e);
static const VeuVectorOp load_same = { .pp = VEU_PP_66,
                                       .map = VEU_MAP_0F38,
                                       .opcode = 0x58,
                                       .tuple = VEU_TUPLE_4_BYTES };

static unsigned vector_count(const VeuJit *t)
{
    return VEU_HANDLER_MESSAGE_BYTES / veu_emit_vector_bytes(t->emit);
}

/* ---- offsets ---- */

static unsigned with_number(VeuJit *t, VeuVectorOp op, unsigned n,
                            uint32_t number)
{
    unsigned to = veu_values_take(&t->values);

    veu_emit_vector(t->emit, op,
                    of_lanes(t->emit, to, n,
                             veu_values_number(&t->values, number, 4)));
    return to;
}

static unsigned load_offsets(VeuJit *t, const VeuJitCall *c, unsigned vector)
{
    unsigned bytes = veu_emit_vector_bytes(t->emit);
    unsigned n = veu_values_bytes(
        &t->values, c->step->from[VEU_STEP_OFFSETS] + vector * bytes, bytes);

    if ((uint32_t)c->step->value) {
        n = with_number(t, add, n, c->step->value);
    }
    return c->row->slm ? with_number(t, and, n, VEU_SLM_OFFSETS) : n;
}

/* The registers of offsets are kept, and no others so far. */
static void load_all_offsets(VeuJit *t, VeuJitCall *c)
{
    for (unsigned n = 0; n < vector_count(t); n++) {
        c->offsets[n] = load_offsets(t, c, n);
    }
    veu_values_release(&t->values);
    for (unsigned n = 0; n < vector_count(t); n++) {
        veu_values_keep(&t->values, c->offsets[n]);
    }
}

void veu_jit_row_load(VeuJit *t, VeuJitCall *c)
{
    unsigned bytes = veu_emit_vector_bytes(t->emit);
    const uint32_t *row = rows[__builtin_ctz(c->row->bytes)];

    load_all_offsets(t, c);
    c->spare = veu_values_take(&t->values);
    for (unsigned n = 0; n < vector_count(t); n++) {
        if (c->row->elements == 1) {
            c->distances[n] = veu_values_host(&t->values, row + n * bytes / 4);
        }
        if (c->row->stores) {
            c->data[0][n] = veu_values_bytes(
                &t->values, c->step->from[VEU_STEP_DATA] + n * bytes, bytes);
        }
    }
    if (c->row->stores && veu_emit_has_masks(t->emit)) {
        c->page = veu_values_take(&t->values);
    }
}

/* @to, which may be the spare register, becomes what vector @n would be. */
static void expect(VeuJit *t, const VeuJitCall *c, unsigned n, unsigned to)
{
    if (c->row->elements == 1) {
        veu_emit_vector(t->emit, add,
                        of_lanes(t->emit, to, c->spare, c->distances[n]));
    }
}

static unsigned compare_avx512(VeuJit *t, const VeuJitCall *c)
{
    expect(t, c, 0, c->spare);
    veu_emit_vector(t->emit, equal,
                    of_lanes(t->emit, VEU_MASK_RESULT, c->spare,
                             c->offsets[0]));
    veu_emit_mask_test(t->emit, VEU_MASK_RESULT);
    return VEU_IF_NOT_BELOW;
}

/* The bits in which offsets differ are collected. */
static unsigned compare_avx2(VeuJit *t, const VeuJitCall *c)
{
    static const VeuVectorOp test = D38(0x17);
    unsigned other = c->row->elements == 1 ? VEU_SCRATCH_VECTOR : c->spare;

    expect(t, c, 1, VEU_SCRATCH_VECTOR);
    veu_emit_vector(t->emit, xor,
                    of_lanes(t->emit, VEU_SCRATCH_VECTOR, other,
                             c->offsets[1]));
    expect(t, c, 0, c->spare);
    veu_emit_vector(t->emit, xor,
                    of_lanes(t->emit, c->spare, c->spare, c->offsets[0]));
    veu_emit_vector(t->emit, or,
                    of_lanes(t->emit, c->spare, c->spare, VEU_SCRATCH_VECTOR));
    veu_emit_vector(t->emit, test, of_lanes(t->emit, c->spare, 0, c->spare));
    return VEU_IF_NOT_EQUAL;
}

unsigned veu_jit_row_compare(VeuJit *t, const VeuJitCall *c)
{
    veu_emit_vector(t->emit, first_lane,
                    (VeuVectorOperands){ .reg = c->offsets[0], .rm = AT });
    veu_emit_broadcast(t->emit, c->spare, AT, 4);
    return veu_emit_has_masks(t->emit) ? compare_avx512(t, c) :
                                         compare_avx2(t, c);
}

/* ---- data ---- */

/* The undefined bytes above an element are set. */
static unsigned load_above(VeuJit *t, unsigned bytes)
{
    unsigned above = veu_values_take(&t->values);
    VeuEmit *e = t->emit;

    veu_emit_load(e, SCRATCH, VEU_THREAD, OFFSET(config), true);
    veu_emit_load_small(e, SCRATCH, SCRATCH, offsetof(VeuConfig, undefined), 1,
                        false);
    veu_emit_multiply(e, SCRATCH, 0x01010101);
    veu_emit_shift(e, VEU_SHIFT_LEFT, SCRATCH, 8 * bytes, false);
    veu_emit_broadcast(e, above, SCRATCH, 4);
    return above;
}

static VeuVectorOperands in_memory(const VeuJit *t, unsigned reg, int32_t at)
{
    return (VeuVectorOperands){ .length = t->emit->longest,
                                .reg = reg,
                                .rm = AT,
                                .is_memory = true,
                                .at = at };
}

/* What is in the data's register is the element, or its vector @n, now. */
static void keep_loaded(VeuJit *t, const VeuJitCall *c, unsigned element,
                        unsigned n)
{
    unsigned bytes = veu_emit_vector_bytes(t->emit);

    veu_values_store(&t->values, c->data[element][n],
                     c->step->from[VEU_STEP_DATA] +
                         element * VEU_HANDLER_MESSAGE_BYTES + n * bytes,
                     bytes);
}

static void load_elements(VeuJit *t, VeuJitCall *c)
{
    unsigned bytes = c->row->bytes, lanes = VEU_ROW_LANES / vector_count(t);
    unsigned above = bytes < 4 ? load_above(t, bytes) : 0;

    for (unsigned n = 0; n < vector_count(t); n++) {
        unsigned to = veu_values_take(&t->values);

        c->data[0][n] = to;
        veu_emit_vector(t->emit, load_row[__builtin_ctz(bytes)],
                        in_memory(t, to, n * lanes * bytes));
        if (above) {
            veu_emit_vector(t->emit, or, of_lanes(t->emit, to, to, above));
        }
        keep_loaded(t, c, 0, n);
    }
}

/* All lanes have the same elements, and both vectors, too. */
static void load_several(VeuJit *t, VeuJitCall *c)
{
    for (unsigned element = 0; element < c->row->elements; element++) {
        for (unsigned n = 0; n < vector_count(t); n++) {
            unsigned to = veu_values_take(&t->values);

            c->data[element][n] = to;
            veu_emit_vector(t->emit, load_same,
                            in_memory(t, to, element * c->row->bytes));
            keep_loaded(t, c, element, n);
        }
    }
}

/* The low bytes of 16 dwords; AVX2 packs pairs of elements. */
static void store_small_row_avx2(VeuJit *t, const VeuJitCall *c)
{
    static const VeuVectorOp pack_d = D38(0x2b), pack_w = D(0x67);
    static const VeuVectorOp permute_q = Q3A(0x00), high_half = D3A(0x39);
    unsigned bits = 8 * c->row->bytes, words = c->spare;
    unsigned mask = veu_values_number(&t->values, UINT32_MAX >> (32 - bits), 4);
    VeuVectorOperands o = in_memory(t, words, 0);
    VeuEmit *e = t->emit;

    veu_emit_vector(e, and, of_lanes(e, words, c->data[0][0], mask));
    veu_emit_vector(e, and,
                    of_lanes(e, VEU_SCRATCH_VECTOR, c->data[0][1], mask));
    veu_emit_vector(e, pack_d, of_lanes(e, words, words, VEU_SCRATCH_VECTOR));
    veu_emit_vector(e, permute_q, of_lanes(e, words, 0, words));
    veu_emit_byte(e, 0xd8); /* the second quad word and the third change */
    if (c->row->bytes == 1) {
        veu_emit_vector(e, high_half,
                        of_lanes(e, words, 0, VEU_SCRATCH_VECTOR));
        veu_emit_byte(e, 1);
        veu_emit_vector(e, pack_w,
                        of_lanes(e, words, words, VEU_SCRATCH_VECTOR));
        o.length = VEU_VECTOR_16_BYTES;
    }
    veu_emit_vector(e, store_row[2], o);
}

static void store_elements(VeuJit *t, const VeuJitCall *c)
{
    unsigned bytes = veu_emit_vector_bytes(t->emit);

    if (c->row->bytes < 4 && !veu_emit_has_masks(t->emit)) {
        store_small_row_avx2(t, c);
        return;
    }
    for (unsigned n = 0; n < vector_count(t); n++) {
        veu_emit_vector(t->emit, store_row[__builtin_ctz(c->row->bytes)],
                        in_memory(t, c->data[0][n], n * bytes));
    }
}

/*
 * EU threads mostly continue where the one before them ended, each with two
 * rows: what follows is fetched four EU threads ahead. The host sees too few of
 * them at once to do so by itself.
 */
#define AHEAD_BYTES 512

void veu_jit_row_move(VeuJit *t, VeuJitCall *c)
{
    if (!c->row->slm && c->row->elements == 1) {
        veu_emit_prefetch(t->emit, AT, AHEAD_BYTES, c->row->stores);
    }
    if (c->row->stores) {
        store_elements(t, c);
    } else if (c->row->elements > 1) {
        load_several(t, c);
    } else {
        load_elements(t, c);
    }
}
