/*
 * veu execution unit: host code for messages whose lanes are in no row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With AVX-512 only. The host's gather and scatter move the lanes that are
 * inside. Lanes that are
 * stored are in at most two pages that are marked as dirty already: the
 * function that a message calls otherwise marks all others.
 */
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/message_code.h"
#include "hw/veu/eu/jit/message_lanes.h"

/* Relations, in the immediate byte of a comparison. */
#define AT_MOST 2
#define DIFFERS 4

#define MIDDLE UINT32_C(0x80000000)

static const VeuVectorOp move_from = VEU_VECTOR_OP(F3, 0F, 0x6f);
static const VeuVectorOp move_to = VEU_VECTOR_OP(F3, 0F, 0x7f);
static const VeuVectorOp add = VEU_VECTOR_OP(66, 0F, 0xfe);
static const VeuVectorOp xor = VEU_VECTOR_OP(66, 0F, 0xef);
static const VeuVectorOp test_bits = VEU_VECTOR_OP(66, 0F38, 0x27);
static const VeuVectorOp compare = VEU_VECTOR_OP(66, 0F3A, 0x1e);
static const VeuVectorOp shift_right = VEU_VECTOR_OP_COUNT(0x72, 2, false);
static const VeuVectorOp compress = VEU_VECTOR_OP(66, 0F38, 0x8b);
static const VeuVectorOp first_lane = VEU_VECTOR_OP(66, 0F, 0x7e);

bool veu_jit_takes_lanes(const VeuJit *t, const VeuMessageRow *row)
{
    return veu_emit_has_masks(t->emit) && row->bytes == sizeof(uint32_t);
}

static void call_if(VeuJit *t, VeuJitCall *c, unsigned condition)
{
    veu_jit_jump_if(t->emit, &c->calls, condition);
}

/* ---- which lanes ---- */

void veu_jit_load_active(VeuJit *t, const VeuHandlerStep *s)
{
    VeuLanes lanes = { .is_some = true, .runs = true, .first = s->mask_offset };

    veu_masks_general(&t->masks, OTHER, &lanes);
    veu_emit_with_number(t->emit, VEU_NUMBER_AND, OTHER, VEU_ROW_MASK, false);
}

/* VEU_MASK_RESULT becomes the active lanes. */
static void set_active(VeuJit *t, const VeuJitCall *c)
{
    if (c->is_whole) {
        veu_emit_number(t->emit, OTHER, VEU_ROW_MASK);
    } else {
        veu_jit_load_active(t, c->step);
    }
    veu_emit_mask_from(t->emit, VEU_MASK_RESULT, OTHER);
}

/* VEU_MASK_OTHER = those lanes of VEU_MASK_RESULT for which @op holds. */
static void compare_offsets(VeuEmit *e, const VeuJitCall *c, VeuVectorOp op)
{
    VeuVectorOperands o = of_lanes(e, VEU_MASK_OTHER, c->offsets[0], c->spare);

    o.mask = VEU_MASK_RESULT;
    veu_emit_broadcast(e, c->spare, AT, 4);
    veu_emit_vector(e, op, o);
}

/*
 * Which lanes are outside must be known. A page of the last lanes that are
 * stored must not begin at 4 GiB.
 */
static void check_window(VeuJit *t, VeuJitCall *c)
{
    veu_emit_test_byte(t->emit, WINDOW, WINDOW_AT(c, is_whole));
    call_if(t, c, VEU_IF_EQUAL);
    veu_emit_load(t->emit, AT, WINDOW, WINDOW_AT(c, end), true);
    if (c->row->stores) {
        veu_emit_with_number(t->emit, VEU_NUMBER_COMPARE, AT, MIDDLE - 1, true);
        call_if(t, c, VEU_IF_ABOVE);
    }
}

static unsigned lane_bytes(const VeuJitCall *c)
{
    return c->row->elements * sizeof(uint32_t);
}

/* AT becomes the last offset of a lane that is inside. */
static void load_last(VeuJit *t, VeuJitCall *c)
{
    if (c->row->slm) {
        veu_emit_load(t->emit, AT, VEU_THREAD, OFFSET(slm_bytes), false);
    } else {
        check_window(t, c);
    }
    veu_emit_with_number(t->emit, VEU_NUMBER_COMPARE, AT, lane_bytes(c), true);
    call_if(t, c, VEU_IF_BELOW);
    veu_emit_with_number(t->emit, VEU_NUMBER_ADD, AT, -lane_bytes(c), true);
}

/* Lanes with several elements must all be inside. */
static void check_all_inside(VeuJit *t, VeuJitCall *c)
{
    veu_emit_mask_to(t->emit, AT, VEU_MASK_OTHER);
    veu_emit_mask_to(t->emit, OTHER, VEU_MASK_RESULT);
    veu_emit_general(t->emit, VEU_GENERAL_COMPARE, AT, OTHER, false);
    call_if(t, c, VEU_IF_NOT_EQUAL);
}

/* VEU_MASK_OTHER becomes those active lanes that are inside. */
static void find_lanes(VeuJit *t, VeuJitCall *c)
{
    VeuEmit *e = t->emit;

    set_active(t, c);
    veu_emit_number(e, AT, sizeof(uint32_t) - 1);
    compare_offsets(e, c, test_bits);
    veu_emit_mask_test(e, VEU_MASK_OTHER);
    call_if(t, c, VEU_IF_NOT_EQUAL);
    load_last(t, c);
    compare_offsets(e, c, compare);
    veu_emit_byte(e, AT_MOST);
    if (c->row->elements > 1) {
        check_all_inside(t, c);
    }
}

/* ---- pages that are stored to ---- */

/*
 * Calls unless the page of the first lane of a mask, which has one, is marked.
 * The others of these lanes, in other pages, become VEU_MASK_RESULT. OTHER is
 * where the mark of page 0 is.
 */
static void check_page(VeuJit *t, VeuJitCall *c, unsigned mask)
{
    VeuEmit *e = t->emit;
    VeuVectorOperands first = of_lanes(e, c->spare, 0, c->page);
    VeuVectorOperands others = of_lanes(e, VEU_MASK_RESULT, c->spare, c->page);

    first.mask = others.mask = mask;
    veu_emit_vector(e, compress, first);
    veu_emit_vector(e, first_lane,
                    (VeuVectorOperands){ .reg = c->page, .rm = SCRATCH });
    veu_emit_broadcast(e, c->page, SCRATCH, 4);
    veu_emit_vector(e, compare, others);
    veu_emit_byte(e, DIFFERS);
    veu_emit_general(e, VEU_GENERAL_ADD, SCRATCH, OTHER, true);
    veu_emit_test_byte(e, SCRATCH, 0);
    call_if(t, c, VEU_IF_EQUAL);
    veu_emit_mask_test(e, VEU_MASK_RESULT);
}

/* AT is where offset 0 is, and OTHER VeuMemWindow.noted. */
static void number_pages(VeuEmit *e, const VeuJitCall *c)
{
    veu_emit_general(e, VEU_GENERAL_MOVE, SCRATCH, AT, false);
    veu_emit_with_number(e, VEU_NUMBER_AND, SCRATCH, VEU_PAGE_BYTES - 1, false);
    veu_emit_broadcast(e, c->spare, SCRATCH, 4);
    veu_emit_vector(e, add, of_lanes(e, c->spare, c->spare, c->offsets[0]));
    veu_emit_vector(e, shift_right,
                    of_lanes(e, shift_right.digit, c->spare, c->spare));
    veu_emit_byte(e, VEU_PAGE_BITS);
    veu_emit_general(e, VEU_GENERAL_MOVE, SCRATCH, AT, true);
    veu_emit_shift(e, VEU_SHIFT_RIGHT, SCRATCH, VEU_PAGE_BITS, true);
    veu_emit_general(e, VEU_GENERAL_ADD, OTHER, SCRATCH, true);
}

/* Calls unless all lanes inside, at least one, are in pages that are marked. */
static void check_marked(VeuJit *t, VeuJitCall *c)
{
    VeuEmit *e = t->emit;
    uint32_t untracked, is_one;

    veu_emit_load(e, OTHER, WINDOW, WINDOW_AT(c, noted), true);
    veu_emit_mask_test(e, VEU_MASK_OTHER);
    call_if(t, c, VEU_IF_EQUAL);
    veu_emit_general(e, VEU_GENERAL_TEST, OTHER, OTHER, true);
    untracked = veu_emit_jump_if(e, VEU_IF_EQUAL);
    number_pages(e, c);
    check_page(t, c, VEU_MASK_OTHER);
    is_one = veu_emit_jump_if(e, VEU_IF_EQUAL);
    check_page(t, c, VEU_MASK_RESULT);
    call_if(t, c, VEU_IF_NOT_EQUAL);
    veu_emit_land(e, is_one);
    set_active(t, c);
    veu_emit_land(e, untracked);
}

/* ---- moving them ---- */

/* OTHER becomes the number of lanes in a mask. */
static void count_lanes(VeuEmit *e, unsigned mask)
{
    veu_emit_mask_to(e, OTHER, mask);
    veu_emit_count_bits(e, OTHER);
}

/* The message counts as a row: adds how much its lanes have more or less. */
static void correct_counts(VeuEmit *e, const VeuJitCall *c)
{
    veu_emit_load(e, SCRATCH, VEU_THREAD, OFFSET(message_sum), true);
    count_lanes(e, VEU_MASK_RESULT);
    veu_emit_with_number(e, VEU_NUMBER_ADD, OTHER, -(uint32_t)VEU_ROW_LANES,
                         true);
    veu_emit_add_register(e, OTHER, SCRATCH, offsetof(VeuMessageSum, lanes));
    count_lanes(e, VEU_MASK_OTHER);
    veu_emit_with_number(e, VEU_NUMBER_ADD, OTHER, -(uint32_t)VEU_ROW_LANES,
                         true);
    veu_emit_multiply(e, OTHER, lane_bytes(c));
    veu_emit_add_register(e, OTHER, SCRATCH,
                          offsetof(VeuMessageSum, moved_bytes));
}

/* AT becomes the host's address of offset 0. */
static void load_host(VeuEmit *e, const VeuJitCall *c)
{
    if (c->row->slm) {
        veu_emit_load(e, AT, VEU_THREAD, OFFSET(slm), true);
    } else {
        veu_emit_load(e, AT, WINDOW, WINDOW_AT(c, host), true);
    }
}

/* Offsets of gathers and scatters are signed: the base is in the middle. */
static void move_base(VeuEmit *e, const VeuJitCall *c)
{
    veu_emit_number(e, SCRATCH, MIDDLE);
    veu_emit_general(e, VEU_GENERAL_ADD, AT, SCRATCH, true);
    veu_emit_broadcast(e, c->spare, SCRATCH, 4);
    veu_emit_vector(e, xor, of_lanes(e, c->spare, c->spare, c->offsets[0]));
}

/* Active lanes outside load 0; other lanes keep what they have. */
static void gather(VeuEmit *e, const VeuJitCall *c, unsigned element)
{
    unsigned to = c->data[element][0];
    VeuVectorOperands o = { .length = VEU_VECTOR_64_BYTES,
                            .reg = to,
                            .rm = VEU_REGISTERS,
                            .is_memory = true,
                            .at = c->step->from[VEU_STEP_DATA] +
                                  element * VEU_HANDLER_MESSAGE_BYTES };
    VeuVectorOperands zero = of_lanes(e, to, to, to);

    zero.mask = VEU_MASK_RESULT;
    veu_emit_vector(e, move_from, o);
    veu_emit_vector(e, xor, zero);
    veu_emit_gather(e, to, AT, c->spare, VEU_MASK_OTHER);
    veu_emit_vector(e, move_to, o);
}

/* A gather clears its mask. All active lanes have several elements. */
static void gather_all(VeuEmit *e, const VeuJitCall *c)
{
    gather(e, c, 0);
    if (c->row->elements > 1) {
        veu_emit_mask_to(e, OTHER, VEU_MASK_RESULT);
    }
    for (unsigned n = 1; n < c->row->elements; n++) {
        veu_emit_mask_from(e, VEU_MASK_OTHER, OTHER);
        veu_emit_with_number(e, VEU_NUMBER_ADD, AT, sizeof(uint32_t), true);
        gather(e, c, n);
    }
}

void veu_jit_message_lanes(VeuJit *t, VeuJitCall *c)
{
    VeuEmit *e = t->emit;

    veu_jit_land(e, &c->lanes);
    t->masks = c->masks;
    find_lanes(t, c);
    load_host(e, c);
    if (c->row->stores && !c->row->slm) {
        check_marked(t, c);
    }
    move_base(e, c);
    correct_counts(e, c);
    if (c->row->stores) {
        veu_emit_scatter(e, c->data[0][0], AT, c->spare, VEU_MASK_OTHER);
    } else {
        gather_all(e, c);
    }
    veu_emit_jump_back(e, c->back);
}
