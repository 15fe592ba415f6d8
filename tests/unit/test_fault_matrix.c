/*
 * veu unit tests: every fault that a message can have, in every message, in its
 * first, middle and last lane, under every policy: docs/spec.md, sections 8 and
 * 10.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/fault_world.h"

/*
 * The expected fields of the record. Fields that are missing here are the same
 * for all faults.
 */
typedef struct Expected {
    uint16_t code;
    bool at_load; /* the program is refused; no EU thread runs */
    bool whole;   /* no lane of the message is performed */
    uint8_t lane;
    uint8_t element;
    uint8_t access;
    uint64_t address;
    uint32_t bytes;
    uint32_t bytes_done;
    uint32_t lanes;
    uint32_t detail;
} Expected;

/* Makes lane @lane of the message fault, or element @lane of a block. */
typedef Expected Provoke(FaultWorld *w, unsigned lane);

static Expected refused(const FaultWorld *w, uint16_t code, TestField field)
{
    return (Expected){
        .code = code,
        .at_load = true,
        .whole = true,
        .lane = VEU_FAULT_NO_LANE,
        .element = VEU_FAULT_NO_LANE,
        .detail = test_encode(&w->message).at[field],
    };
}

/* A fault of the message as a whole, for which one running lane is enough. */
static Expected whole(FaultWorld *w, uint16_t code, unsigned lane)
{
    w->lanes = 1u << lane;
    w->alone = !w->info->lanes; /* all lanes have the same message */
    return (Expected){
        .code = code,
        .whole = true,
        .lane = VEU_FAULT_NO_LANE,
        .element = VEU_FAULT_NO_LANE,
    };
}

/* A fault of one lane, or of a block, which has no other lane to perform. */
static Expected in_lane(const FaultWorld *w, uint16_t code, unsigned lane)
{
    const FaultMessage *info = w->info;
    unsigned others = info->lanes ? info->lanes - 1 : 0;

    return (Expected){
        .code = code,
        .whole = !info->lanes,
        .lane = info->lanes ? lane : 0,
        .access = info->writes ? VEU_ACCESS_WRITE : VEU_ACCESS_READ,
        .bytes = info->element_bytes,
        .bytes_done = others * info->elements * info->element_bytes,
        .lanes = info->lanes ? 1u << lane : 1,
    };
}

/* ---- faults of the program ---- */

static Expected truncated(FaultWorld *w, unsigned lane)
{
    Expected e = refused(w, VEU_FAULT_MESSAGE_TRUNCATED, TEST_FIELD_END);

    w->cut_bytes = 1;
    e.detail = test_encode(&w->message).count - 1;
    return e;
}

/* A value that spec.md, section 8, does not allow. */
static Expected bad_field(FaultWorld *w, unsigned lane)
{
    static const struct {
        TestField field;
        uint8_t value;
    } bad[] = {
        { TEST_FIELD_ELT_SIZE, 3 },    { TEST_FIELD_OP, 0x80 },
        { TEST_FIELD_CHANNELS, 0 },    { TEST_FIELD_NUM_BLOCKS, 4 },
        { TEST_FIELD_SIZE, 0x10 | 5 }, { TEST_FIELD_MODE, 6 },
    };
    unsigned i = 0;

    while (!test_kind_has(w->info->kind, bad[i].field)) {
        g_assert_cmpuint(++i, <, G_N_ELEMENTS(bad));
    }
    *(uint8_t *)test_field(&w->message, bad[i].field) = bad[i].value;
    return refused(w, VEU_FAULT_MESSAGE_FIELD, bad[i].field);
}

/* Variable 31 does not exist. */
static Expected bad_operand(FaultWorld *w, unsigned lane)
{
    w->message.data.id = 31;
    return refused(w, VEU_FAULT_MESSAGE_OPERAND, TEST_FIELD_DATA);
}

static Expected bad_predicate(FaultWorld *w, unsigned lane)
{
    w->message.pred = TEST_PRED(1);
    return refused(w, VEU_FAULT_MESSAGE_PREDICATE, TEST_FIELD_PRED);
}

/* 16 lanes from lane 16 on, in a launch of 16 lanes or of 32. */
static Expected too_many_lanes(FaultWorld *w, unsigned lane)
{
    bool has_exec = test_kind_has(w->info->kind, TEST_FIELD_EXEC);
    uint8_t mask = w->info->lanes > 16 ? TEST_M(1) : TEST_M(5);

    w->simd = 16;
    w->message.exec |= mask;
    w->message.num_elts |= mask;
    return refused(w, VEU_FAULT_MESSAGE_LANES,
                   has_exec ? TEST_FIELD_EXEC : TEST_FIELD_NUM_ELTS);
}

/* ---- faults of the message ---- */

static Expected no_surface(FaultWorld *w, unsigned lane)
{
    w->message.surface = FAULT_BEYOND;
    return whole(w, VEU_FAULT_SURFACE_INDEX, lane);
}

static Expected wrong_surface(FaultWorld *w, unsigned lane)
{
    bool image = w->info->form == FORM_TEXELS || w->info->form == FORM_ROWS;

    w->message.surface = image ? FAULT_BUFFER : FAULT_2D;
    return whole(w, VEU_FAULT_SURFACE_KIND, lane);
}

static Expected special_surface(FaultWorld *w, unsigned lane)
{
    w->message.surface = 1 + lane % 4;
    return whole(w, VEU_FAULT_SURFACE_NOT_MODELLED, lane);
}

/* Operands of atomics are UD in this world, and texels are UNORM. */
static Expected wrong_type(FaultWorld *w, unsigned lane)
{
    w->strict_types = true;
    if (test_kind_has(w->info->kind, TEST_FIELD_OP)) {
        w->message.data.id = FAULT_D_DATA;
    }
    return whole(w, VEU_FAULT_REGISTER_TYPE, lane);
}

/* The second half of the operand is past the end of the register file. */
static Expected far_operand(FaultWorld *w, unsigned lane)
{
    bool svm = w->info->form == FORM_ADDRESS || w->info->form == FORM_ADDRESSES;
    Expected e = whole(w, VEU_FAULT_INDIRECT, lane);
    bool is_y = w->info->form == FORM_ROWS && lane;
    TestScalar *operand = is_y ? &w->message.y : &w->message.offset;

    *operand = test_indirect(0, 0, 0, svm ? VEU_TYPE_UQ : VEU_TYPE_UD);
    w->points_to = e.detail = FAULT_REGISTER_BYTES - 2;
    return e;
}

/* ---- faults of lanes ---- */

/*
 * In blocks, element @lane is the first in the hole. In lanes, the last element
 * is
 */
static Expected no_memory(FaultWorld *w, unsigned lane)
{
    const FaultMessage *info = w->info;
    Expected e = in_lane(w, VEU_FAULT_ADDRESS, lane);
    unsigned there = info->lanes ? info->elements - 1 : lane;
    unsigned apart = info->form == FORM_ROWS ? FAULT_PITCH :
                                               info->element_bytes;
    uint64_t first = FAULT_END - there * apart;

    e.address = FAULT_END;
    e.element = info->first + there;
    if (info->form == FORM_OFFSETS && info->kind != TEST_DWORD_ATOMIC &&
        info->elements == 1) {
        /* no alignment is required: the element straddles the border */
        first = e.address = FAULT_END - 2;
    }
    w->place[info->lanes ? lane : 0] = first - info->first * apart;
    return e;
}

static Expected misaligned(FaultWorld *w, unsigned lane)
{
    const FaultMessage *info = w->info;
    Expected e = in_lane(w, VEU_FAULT_ALIGNMENT, lane);
    uint64_t *place = &w->place[e.lane];

    if (info->form == FORM_ROWS) {
        w->message.offset = test_immediate(2);
        w->alone = true;
        e.address = 2; /* the value of X_offset */
        return e;
    }
    *place += info->form == FORM_ADDRESS ? 8 : 2;
    e.element = info->first;
    e.address = *place + info->first * info->element_bytes;
    return e;
}

/* ---- the matrix ---- */

typedef struct Column {
    const char *name;
    Provoke *provoke;
} Column;

static const Column columns[] = {
    { "MESSAGE_TRUNCATED", truncated },
    { "MESSAGE_FIELD", bad_field },
    { "MESSAGE_OPERAND", bad_operand },
    { "MESSAGE_PREDICATE", bad_predicate },
    { "MESSAGE_LANES", too_many_lanes },
    { "SURFACE_INDEX", no_surface },
    { "SURFACE_KIND", wrong_surface },
    { "SURFACE_NOT_MODELLED", special_surface },
    { "ADDRESS", no_memory },
    { "ALIGNMENT", misaligned },
    { "REGISTER_TYPE", wrong_type },
    { "INDIRECT", far_operand },
};
#define ALIGNMENT_COLUMN 9

/* Reasons why a fault cannot occur: docs/spec.md, section 8. */
static const char nf[] = "any value of its fields is legal";
static const char no[] = "it has no operands";
static const char np[] = "it has no predicate";
static const char nl[] = "it has no lanes";
static const char ns[] = "it accesses no surface";
static const char nm[] = "it accesses no memory";
static const char el[] = "offsets count elements, of a base of any alignment";
static const char ow[] = "offsets count owords, of a base of any alignment";
static const char any[] = "offsets need no alignment";
static const char tx[] = "texels are aligned, or SURFACE_FIELD comes first";
static const char rt[] = "no type of its data is wrong when it is legal";
static const char sc[] = "it has no scalar operand";
#define X NULL /* can occur: the test provokes it */

static const char *const matrix[TEST_KINDS][G_N_ELEMENTS(columns)] = {
    [TEST_GATHER] = { X, X, X, np, X, X, X, X, X, el, rt, X },
    [TEST_SCATTER] = { X, X, X, np, X, X, X, X, X, el, rt, X },
    [TEST_GATHER_SCALED] = { X, X, X, X, X, X, X, X, X, any, rt, X },
    [TEST_SCATTER_SCALED] = { X, X, X, X, X, X, X, X, X, any, rt, X },
    [TEST_GATHER4_SCALED] = { X, X, X, X, X, X, X, X, X, X, rt, X },
    [TEST_SCATTER4_SCALED] = { X, X, X, X, X, X, X, X, X, X, rt, X },
    [TEST_GATHER4_TYPED] = { X, X, X, X, X, X, X, X, X, tx, X, sc },
    [TEST_SCATTER4_TYPED] = { X, X, X, X, X, X, X, X, X, tx, X, sc },
    [TEST_TYPED_ATOMIC] = { X, X, X, X, X, X, X, X, X, tx, X, sc },
    [TEST_DWORD_ATOMIC] = { X, X, X, X, X, X, X, X, X, X, X, sc },
    [TEST_QW_GATHER] = { X, X, X, X, X, X, X, X, X, any, rt, sc },
    [TEST_QW_SCATTER] = { X, X, X, X, X, X, X, X, X, any, rt, sc },
    [TEST_SVM_GATHER] = { X, X, X, X, X, ns, ns, ns, X, X, rt, sc },
    [TEST_SVM_SCATTER] = { X, X, X, X, X, ns, ns, ns, X, X, rt, sc },
    [TEST_SVM_ATOMIC] = { X, X, X, X, X, ns, ns, ns, X, X, X, sc },
    [TEST_SVM_GATHER4_SCALED] = { X, X, X, X, X, ns, ns, ns, X, X, rt, X },
    [TEST_SVM_SCATTER4_SCALED] = { X, X, X, X, X, ns, ns, ns, X, X, rt, X },
    [TEST_OWORD_LD] = { X, X, X, np, nl, X, X, X, X, ow, rt, X },
    [TEST_OWORD_ST] = { X, X, X, np, nl, X, X, X, X, ow, rt, X },
    [TEST_OWORD_LD_UNALIGNED] = { X, X, X, np, nl, X, X, X, X, X, rt, X },
    [TEST_SVM_BLOCK_LD] = { X, X, X, np, nl, ns, ns, ns, X, X, rt, X },
    [TEST_SVM_BLOCK_ST] = { X, X, X, np, nl, ns, ns, ns, X, X, rt, X },
    [TEST_MEDIA_LD] = { X, X, X, np, nl, X, X, X, X, any, rt, X },
    [TEST_MEDIA_ST] = { X, X, X, np, nl, X, X, X, X, X, rt, X },
    [TEST_FENCE] = { X, nf, no, np, nl, ns, ns, ns, nm, nm, no, sc },
};

/* ---- expected results ---- */

static void check_record(const FaultWorld *w, const FaultOutcome *o,
                         const Expected *e)
{
    const TestLayout *layout = &test_layouts[w->info->kind];
    const struct veu_fault_record *r = &o->record;
    uint32_t group = e->at_load ? UINT32_MAX : w->alone ? 0 : FAULT_GROUP;
    uint32_t thread = e->at_load ? UINT32_MAX : w->alone ? 0 : FAULT_THREAD;

    g_assert_cmpuint(o->faults, ==, 1);
    g_assert_cmphex(r->code, ==, e->code);
    g_assert_cmpuint(r->ring, ==, 0);
    g_assert_cmpuint(r->slot, ==, o->slot);
    g_assert_cmphex(r->tag, ==, FAULT_TAG);
    g_assert_cmphex(r->command, ==, VEU_COMMAND_DISPATCH);
    g_assert_cmphex(r->access, ==, e->access);
    g_assert_cmphex(r->lane, ==, e->lane);
    g_assert_cmphex(r->element, ==, e->element);
    g_assert_cmphex(r->group, ==, group);
    g_assert_cmphex(r->thread, ==, thread);
    g_assert_cmphex(r->message_offset, ==, o->message_offset);
    g_assert_cmphex(r->message_opcode, ==, layout->opcode);
    g_assert_cmphex(r->message_sub, ==, layout->sub);
    g_assert_cmphex(r->reserved, ==, 0);
    g_assert_cmphex(r->address, ==, e->address);
    g_assert_cmpuint(r->bytes, ==, e->bytes);
    g_assert_cmpuint(r->bytes_done, ==, e->bytes_done);
    g_assert_cmphex(r->lanes, ==, e->lanes);
    g_assert_cmphex(r->detail, ==, e->detail);
    g_assert_cmpuint(r->time, ==, FAULT_TIME);
}

static void check_ring(const FaultWorld *w, const FaultOutcome *o)
{
    bool halts = w->policy == VEU_POLICY_HALT;

    g_assert_cmpuint(o->state, ==, halts ? VEU_RING_HALTED : VEU_RING_RUNNING);
    g_assert_cmpuint(o->head, ==, halts ? o->slot : o->slot + 3);
    g_assert_cmpuint(o->fence, ==, !halts);
}

static uint8_t *page_byte(FaultOutcome *o, uint64_t address)
{
    return &o->pages[address - FAULT_PAGES];
}

/*
 * Sets the memory of a lane, or of the last EU thread, to its previous
 * contents.
 */
static void restore_memory(FaultOutcome *o, const FaultMessage *info,
                           const Expected *e)
{
    uint64_t at = FAULT_GOOD;
    uint64_t end = FAULT_END;

    if (!e->whole) {
        at = fault_good_place(info, e->lane) + info->first * 4;
        end = at + info->elements * info->element_bytes;
    }
    for (; at < end; at++) {
        *page_byte(o, at) = fault_byte(at);
    }
}

static void restore_register(FaultOutcome *o, unsigned at, unsigned bytes)
{
    for (unsigned i = at; i < at + bytes; i++) {
        o->result[FAULT_LAST][i] = fault_register_byte(FAULT_LAST, i);
    }
}

/* Sets Data, or Dst, of one lane or of all to its previous contents. */
static void restore_registers(FaultOutcome *o, const FaultMessage *info,
                              const Expected *e)
{
    unsigned bytes = info->element_bytes;

    if (e->whole) {
        restore_register(o, FAULT_DATA_AT, FAULT_DATA_BYTES);
        return;
    }
    for (unsigned i = 0; i < info->registers; i++) {
        restore_register(o, FAULT_DATA_AT + (i * info->lanes + e->lane) * bytes,
                         bytes);
    }
}

static void assert_untouched(const FaultOutcome *o, unsigned thread)
{
    for (unsigned i = 0; i < FAULT_REGISTER_BYTES; i++) {
        g_assert_cmphex(o->result[thread][i], ==, FAULT_UNTOUCHED);
    }
}

static void check_not_begun(const FaultOutcome *o)
{
    for (unsigned thread = 0; thread < FAULT_THREADS; thread++) {
        g_assert_cmphex(o->marks[thread][0], ==, 0);
        g_assert_cmphex(o->marks[thread][1], ==, 0);
        assert_untouched(o, thread);
    }
    for (uint64_t at = FAULT_PAGES; at < FAULT_END; at++) {
        g_assert_cmphex(o->pages[at - FAULT_PAGES], ==, fault_byte(at));
    }
}

/* Other EU threads are unaffected. */
static void check_others(const FaultOutcome *o, const FaultOutcome *good)
{
    for (unsigned thread = 0; thread < FAULT_LAST; thread++) {
        g_assert_cmpmem(o->marks[thread], 8, good->marks[thread], 8);
        g_assert_cmpmem(o->result[thread] + FAULT_DATA_AT, FAULT_DATA_BYTES,
                        good->result[thread] + FAULT_DATA_AT, FAULT_DATA_BYTES);
    }
    g_assert_cmphex(o->marks[FAULT_LAST][0], ==, good->marks[FAULT_LAST][0]);
}

/*
 * Checks the last EU thread: its memory always, its registers if it reached its
 * end.
 */
static void check_last(const FaultWorld *w, const FaultOutcome *o,
                       FaultOutcome *good, const Expected *e)
{
    unsigned last = FAULT_LAST;
    uint32_t first;

    restore_memory(good, w->info, e);
    restore_registers(good, w->info, e);
    g_assert_cmpmem(o->pages, sizeof(o->pages), good->pages,
                    sizeof(good->pages));
    if (w->policy != VEU_POLICY_SKIP_MESSAGE) {
        g_assert_cmphex(o->marks[last][1], ==, 0);
        assert_untouched(o, last);
        return;
    }
    g_assert_cmpmem(o->result[last] + FAULT_DATA_AT, FAULT_DATA_BYTES,
                    good->result[last] + FAULT_DATA_AT, FAULT_DATA_BYTES);
    memcpy(&first, good->result[last] + FAULT_DATA_AT, sizeof(first));
    g_assert_cmphex(o->marks[last][1], ==, first);
}

static void check_cell(TestKind kind, Provoke *provoke, unsigned lane,
                       unsigned policy)
{
    g_autofree FaultOutcome *good = g_new0(FaultOutcome, 1);
    g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
    FaultWorld sound, w;
    Expected e;

    fault_world_init(&w, kind);
    sound = w;
    w.policy = policy;
    e = provoke(&w, lane);
    sound.alone = w.alone;
    fault_world_run(&sound, good);
    g_assert_cmpuint(good->faults, ==, 0);
    fault_world_run(&w, o);
    check_record(&w, o, &e);
    check_ring(&w, o);
    if (e.at_load) {
        check_not_begun(o);
    } else {
        check_others(o, good);
        check_last(&w, o, good, &e);
    }
}

/* Tests the first, middle and last lane, or element of a block. */
static void check_lanes(TestKind kind, const Column *column)
{
    const FaultMessage *info = &fault_messages[kind];
    unsigned count = info->lanes ? info->lanes : info->elements;
    const unsigned lanes[] = { 0, count / 2, count - 1 };

    for (unsigned i = 0; i < G_N_ELEMENTS(lanes); i++) {
        for (unsigned policy = 0; policy < 3; policy++) {
            g_test_message("lane %u, policy %u", lanes[i], policy);
            check_cell(kind, column->provoke, lanes[i], policy);
        }
    }
}

static void test_message(gconstpointer data)
{
    TestKind kind = GPOINTER_TO_UINT(data);

    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        const char *never = matrix[kind][i];

        g_test_message("%s: %s", columns[i].name, never ? never : "provoked");
        if (!never) {
            check_lanes(kind, &columns[i]);
        }
    }
}

/* ---- other rules of the matrix ---- */

/* "Offsets need no alignment": misaligned ones cause no fault. */
static void test_offsets_that_need_no_alignment(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        FaultWorld w;

        if (matrix[kind][ALIGNMENT_COLUMN] == any) {
            fault_world_init(&w, kind);
            misaligned(&w, 1);
            fault_world_run(&w, o);
            g_assert_cmpuint(o->faults, ==, 0);
            g_assert_cmpuint(o->fence, ==, 1);
        }
    }
}

/* "If no lane runs, nothing of the message can fault." */
static void test_no_lane_no_fault(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
            g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
            FaultWorld w;

            fault_world_init(&w, kind);
            if (matrix[kind][i] || !w.info->lanes ||
                columns[i].provoke(&w, 0).at_load) {
                continue;
            }
            w.lanes = 0;
            fault_world_run(&w, o);
            g_assert_cmpuint(o->faults, ==, 0);
            g_assert_cmpuint(o->fence, ==, 1);
        }
    }
}

static void test_all_messages_have_a_row(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_assert_cmpuint(fault_messages[kind].kind, ==, kind);
        g_assert_true(fault_messages[kind].lanes ||
                      fault_messages[kind].elements || kind == TEST_FENCE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_autofree char *path = g_strdup_printf("/fault_matrix/%s",
                                                test_layouts[kind].name);

        g_test_add_data_func(path, GUINT_TO_POINTER(kind), test_message);
    }
#define RULE(name) g_test_add_func("/fault_matrix/" #name, test_##name)
    RULE(offsets_that_need_no_alignment);
    RULE(no_lane_no_fault);
    RULE(all_messages_have_a_row);
#undef RULE
    return g_test_run();
}
