/*
 * veu tests: a launch in which a test can make one message of one EU thread
 * fault in one lane.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/fault_world.h"

#define ADDRESSES_AT  640
#define SRC0_AT       768
#define MARK_AT       896
#define PLACE_AT      928
#define REGISTERS_AT  128 /* in a payload: after the header and A0 */
#define PAYLOAD_BYTES (REGISTERS_AT + FAULT_REGISTER_BYTES)

#define LANES(name, form, lanes, first, elements, bytes, registers, writes, \
              returns)                                                      \
    [TEST_##name] = { TEST_##name, FORM_##form, lanes,  first,  elements,   \
                      bytes,       registers,   writes, returns }
#define BLOCK(name, form, elements, bytes, writes)                          \
    [TEST_##name] = { TEST_##name, FORM_##form, 0,      0,        elements, \
                      bytes,       0,           writes, !(writes) }

/*
 * 4_SCALED uses channels G, B, A; SVM blocks are 2 of 4 bytes; there are 8
 * owords.
 */
const FaultMessage fault_messages[TEST_KINDS] = {
    LANES(GATHER, ELEMENTS, 16, 0, 1, 4, 1, false, true),
    LANES(SCATTER, ELEMENTS, 16, 0, 1, 4, 1, true, false),
    LANES(GATHER_SCALED, OFFSETS, 32, 0, 1, 4, 1, false, true),
    LANES(SCATTER_SCALED, OFFSETS, 32, 0, 1, 4, 1, true, false),
    LANES(GATHER4_SCALED, OFFSETS, 16, 1, 3, 4, 3, false, true),
    LANES(SCATTER4_SCALED, OFFSETS, 16, 1, 3, 4, 3, true, false),
    LANES(GATHER4_TYPED, TEXELS, 16, 0, 1, 4, 4, false, true),
    LANES(SCATTER4_TYPED, TEXELS, 16, 0, 1, 4, 4, true, false),
    LANES(TYPED_ATOMIC, TEXELS, 16, 0, 1, 4, 1, true, true),
    LANES(SVM_GATHER, ADDRESSES, 16, 0, 2, 4, 2, false, true),
    LANES(SVM_SCATTER, ADDRESSES, 16, 0, 2, 4, 2, true, false),
    LANES(SVM_GATHER4_SCALED, ADDRESSES, 16, 1, 3, 4, 3, false, true),
    LANES(SVM_SCATTER4_SCALED, ADDRESSES, 16, 1, 3, 4, 3, true, false),
    LANES(SVM_ATOMIC, ADDRESSES, 8, 0, 1, 4, 1, true, true),
    LANES(DWORD_ATOMIC, OFFSETS, 16, 0, 1, 4, 1, true, true),
    LANES(QW_GATHER, OFFSETS, 16, 0, 1, 8, 1, false, true),
    LANES(QW_SCATTER, OFFSETS, 16, 0, 1, 8, 1, true, false),
    BLOCK(OWORD_LD, OWORDS, 8, 16, false),
    BLOCK(OWORD_ST, OWORDS, 8, 16, true),
    BLOCK(OWORD_LD_UNALIGNED, BYTES, 8, 16, false),
    BLOCK(SVM_BLOCK_LD, ADDRESS, 8, 16, false),
    BLOCK(SVM_BLOCK_ST, ADDRESS, 8, 16, true),
    BLOCK(MEDIA_LD, ROWS, 8, 32, false),
    BLOCK(MEDIA_ST, ROWS, 8, 32, true),
    [TEST_FENCE] = { .kind = TEST_FENCE, .form = FORM_NOTHING },
};

/* ---- the message ---- */

static uint8_t size_code(unsigned lanes)
{
    return lanes ? __builtin_ctz(lanes) : 0;
}

static TestRaw data_of(TestKind kind)
{
    bool qw = kind == TEST_QW_GATHER || kind == TEST_QW_SCATTER;

    return (TestRaw){ qw ? FAULT_QW_DATA : FAULT_DATA, 0 };
}

static uint8_t surface_of(FaultForm form)
{
    return form == FORM_TEXELS ? FAULT_1D :
           form == FORM_ROWS   ? FAULT_2D :
                                 FAULT_BUFFER;
}

static TestScalar offset_of(FaultForm form)
{
    switch (form) {
    case FORM_ADDRESSES: /* SVM 4_SCALED: qword offsets from 0 */
        return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE, .type = VEU_TYPE_UQ };
    case FORM_ADDRESS:
        return test_general(FAULT_ADDRESS, 0, 0);
    case FORM_OWORDS:
    case FORM_BYTES:
        return test_general(FAULT_PLACE, 0, 0);
    default: /* also X of a media block */
        return test_immediate(0);
    }
}

static TestMessage message_of(const FaultMessage *info)
{
    bool svm = info->form == FORM_ADDRESSES;
    bool scaled = info->kind == TEST_GATHER_SCALED ||
                  info->kind == TEST_SCATTER_SCALED;
    bool blocks = info->kind == TEST_SVM_GATHER ||
                  info->kind == TEST_SVM_SCATTER;

    return (TestMessage){
        .kind = info->kind,
        .elt_size = 2,
        .num_elts = 1,
        .exec = size_code(info->lanes),
        .block_size = blocks,
        .num_blocks = blocks ? 1 :
                      scaled ? 2 :
                               0,
        .channels = info->first ? 0xe : 0xf,
        .surface = surface_of(info->form),
        .size = 3,
        .op = TEST_ADD,
        .width = 32,
        .height = 8,
        .offset = offset_of(info->form),
        .y = test_general(FAULT_PLACE, 0, 0),
        .address = { svm ? FAULT_ADDRESSES : FAULT_OFFSETS, 0 },
        .src0 = { FAULT_SRC0, 0 },
        .data = data_of(info->kind),
    };
}

/* ---- places ---- */

uint64_t fault_good_place(const FaultMessage *info, unsigned lane)
{
    return info->lanes ? FAULT_GOOD + 64 + lane * FAULT_STRIDE :
                         FAULT_GOOD + FAULT_PITCH;
}

/* The value of a register for a place. */
static uint64_t encode_place(FaultForm form, uint64_t place)
{
    uint64_t offset = place - FAULT_PAGES;

    switch (form) {
    case FORM_ELEMENTS:
    case FORM_TEXELS:
        return offset / 4;
    case FORM_OWORDS:
        return offset / 16;
    case FORM_ROWS:
        return offset / FAULT_PITCH;
    case FORM_ADDRESSES:
    case FORM_ADDRESS:
        return place;
    default:
        return offset;
    }
}

void fault_world_init(FaultWorld *w, TestKind kind)
{
    const FaultMessage *info = &fault_messages[kind];

    *w = (FaultWorld){
        .info = info,
        .message = message_of(info),
        .lanes = UINT32_MAX,
        .simd = info->lanes > 16 ? 32 : 16,
        .policy = VEU_POLICY_SKIP_MESSAGE,
    };
    for (unsigned lane = 0; lane < VEU_MAX_LANES; lane++) {
        w->place[lane] = fault_good_place(info, lane);
    }
}

/* ---- memory ---- */

uint8_t fault_byte(uint64_t address)
{
    return (address * 0x9e3779b97f4a7c15) >> 40;
}

uint8_t fault_register_byte(unsigned thread, unsigned at)
{
    return fault_byte(at + thread * 4096);
}

static void put_places(const FaultWorld *w, Dev *d, uint64_t registers)
{
    const FaultMessage *info = w->info;
    TestMemory *memory = &d->host.memory;

    for (unsigned lane = 0; lane < info->lanes; lane++) {
        uint64_t place = encode_place(info->form, w->place[lane]);

        if (info->form == FORM_ADDRESSES) {
            test_memory_put64(memory, registers + ADDRESSES_AT + 8 * lane,
                              place);
        } else {
            test_memory_put32(memory, registers + 4 * lane, place);
        }
    }
}

/*
 * Only the last EU thread runs lanes, and blocks of the others are on the other
 * page.
 */
static void put_payload(const FaultWorld *w, Dev *d, unsigned thread)
{
    bool last = thread == FAULT_LAST;
    uint64_t at = DEV_PAYLOAD + thread * PAYLOAD_BYTES;
    uint64_t registers = at + REGISTERS_AT;
    TestMemory *memory = &d->host.memory;
    uint64_t place = last ? w->place[0] : FAULT_PAGES + FAULT_PITCH;

    for (unsigned i = FAULT_DATA_AT; i < FAULT_REGISTER_BYTES; i++) {
        uint8_t byte = fault_register_byte(thread, i);

        test_memory_put(memory, registers + i, &byte, 1);
    }
    test_memory_put32(memory, at, last ? w->lanes : 0);
    test_memory_put32(memory, at + 64, last ? w->points_to : PLACE_AT);
    put_places(w, d, registers);
    test_memory_put32(memory, registers + MARK_AT, thread * 8);
    test_memory_put64(memory, registers + PLACE_AT,
                      encode_place(w->info->form, place));
}

static void put_surfaces(const FaultWorld *w, Dev *d)
{
    bool atomic = w->info->kind == TEST_TYPED_ATOMIC;
    struct veu_surface line = { .base = FAULT_PAGES,
                                .format = atomic ? VEU_FORMAT_R32_UINT :
                                                   VEU_FORMAT_R8G8B8A8_UNORM,
                                .type = VEU_SURFACE_1D,
                                .width = 4096,
                                .levels = 1 };
    struct veu_surface rows = { .base = FAULT_PAGES,
                                .format = VEU_FORMAT_R8_UINT,
                                .type = VEU_SURFACE_2D,
                                .width = 200,
                                .height = 64,
                                .pitch = FAULT_PITCH,
                                .levels = 1 };

    dev_buffer(d, 0, FAULT_PAGES, 4 * TEST_PAGE_BYTES);
    dev_surface(d, 1, &line);
    dev_surface(d, 2, &rows);
}

static void put_memory(const FaultWorld *w, Dev *d)
{
    for (uint64_t at = FAULT_PAGES; at < FAULT_END; at++) {
        uint8_t byte = fault_byte(at);

        test_memory_put(&d->host.memory, at, &byte, 1);
    }
    test_memory_fill(&d->host.memory, DEV_RESULT, FAULT_UNTOUCHED,
                     FAULT_THREADS * FAULT_REGISTER_BYTES);
    for (unsigned thread = 0; thread < FAULT_THREADS; thread++) {
        put_payload(w, d, thread);
    }
    put_surfaces(w, d);
}

/* ---- the launch ---- */

static void declare(TestProgram *p)
{
    test_program_variable(p, 0, 32, VEU_TYPE_UD);
    test_program_variable(p, FAULT_DATA_AT, 128, VEU_TYPE_UD);
    test_program_variable(p, ADDRESSES_AT, 16, VEU_TYPE_UQ);
    test_program_variable(p, SRC0_AT, 32, VEU_TYPE_UD);
    test_program_variable(p, MARK_AT, 8, VEU_TYPE_UD);
    test_program_variable(p, FAULT_DATA_AT, 64, VEU_TYPE_UQ);
    test_program_variable(p, PLACE_AT, 8, VEU_TYPE_UD);
    test_program_variable(p, PLACE_AT, 4, VEU_TYPE_UQ);
    test_program_variable(p, FAULT_DATA_AT, 128, VEU_TYPE_D);
    test_program_address(p, 1);
}

/* Stores 4 bytes at the EU thread's mark, whatever the mask. */
static void add_mark(TestProgram *p, uint32_t offset)
{
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_1 | TEST_M_NM(1),
                      .num_blocks = 2,
                      .surface = 5,
                      .offset = test_immediate(offset),
                      .address = { FAULT_MARK, 0 },
                      .data = { FAULT_DATA, 0 } };

    test_program_add(p, &m);
}

static struct veu_command_dispatch make_launch(const FaultWorld *w, Dev *d,
                                               FaultOutcome *o)
{
    struct veu_command_dispatch c;

    declare(&d->program);
    add_mark(&d->program, 0);
    o->message_offset = test_program_add(&d->program, &w->message);
    if (w->cut_bytes) {
        d->program.code_bytes -= w->cut_bytes;
    } else {
        add_mark(&d->program, 4);
    }
    c = dev_dispatch(d);
    c.header.tag = FAULT_TAG;
    c.launch.simd = w->simd;
    c.launch.surface_count = 3;
    c.launch.payload_bytes = c.launch.payload_stride = PAYLOAD_BYTES;
    c.launch.result_bytes = c.launch.result_stride = FAULT_REGISTER_BYTES;
    c.launch.threads = c.launch.groups = 2;
    if (w->alone) {
        c.launch.payload_address += FAULT_LAST * PAYLOAD_BYTES;
        c.launch.result_address += FAULT_LAST * FAULT_REGISTER_BYTES;
        c.launch.threads = c.launch.groups = 1;
    }
    c.launch.stateless_base = FAULT_MARKS;
    c.launch.stateless_bytes = 4096;
    return c;
}

static Dev *make_dev(const FaultWorld *w)
{
    Dev *d = dev_new();

    d->config.eu.strict_types = w->strict_types;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    d->host.now_ns = FAULT_TIME;
    d->keep_memory = true;
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, w->policy);
    dev_enable(d);
    return d;
}

static void look(Dev *d, FaultOutcome *o)
{
    TestMemory *memory = &d->host.memory;

    test_memory_get(memory, FAULT_PAGES, o->pages, sizeof(o->pages));
    test_memory_get(memory, DEV_RESULT, o->result, sizeof(o->result));
    test_memory_get(memory, FAULT_MARKS, o->marks, sizeof(o->marks));
    o->fence = test_memory_get64(memory, DEV_FENCE);
    o->head = DEV_SHARED_WORD(d, head);
    o->state = DEV_SHARED_WORD(d, state);
    o->faults = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, o->faults);
    o->record = dev_record(d, 0);
}

Dev *fault_world_new(const FaultWorld *w, FaultOutcome *o)
{
    Dev *d = make_dev(w);
    struct veu_command_nop nop = dev_nop(1);
    struct veu_command_fence fence = dev_fence(1);
    struct veu_command_dispatch launch = make_launch(w, d, o);

    put_memory(w, d);
    DEV_PUSH(d, nop);
    o->slot = d->tail;
    DEV_PUSH(d, launch);
    DEV_PUSH(d, fence);
    return d;
}

void fault_world_run(const FaultWorld *w, FaultOutcome *o)
{
    g_autoptr(Dev) d = fault_world_new(w, o);

    dev_run(d);
    look(d, o);
}
