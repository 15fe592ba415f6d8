/*
 * veu tests: a second implementation: from bytes to a legal message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The layouts of encoding.md, section 3, with one function each, and the rules
 * of semantics.md, sections 1 and 2. The first field that is illegal, in the
 * order of the bytes, is the one that the fault names.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/ref_decode.h"

static const uint8_t one_two_four[] = { 1, 2, 4, 0 };

static void take_element(RefDecoder *d)
{
    ref_take_scalar(d, &d->m->scalar);
    ref_take_raw(d, &d->m->address, REF_OFFSETS, d->m->lanes * 4);
    ref_take_raw(d, &d->m->data, REF_DWORDS, d->m->lanes * 4);
}

static void take_gather(RefDecoder *d)
{
    d->m->element_bytes = ref_take_size(d, one_two_four);
    if (d->m->kind == TEST_GATHER) {
        ref_take(d, 1); /* is_modified */
    }
    ref_take_num_elts(d);
    ref_take_surface(d);
    take_element(d);
}

static void take_scaled(RefDecoder *d)
{
    ref_take_exec(d, 1, 32);
    ref_take_pred(d);
    ref_take(d, 1); /* block_size */
    d->m->element_bytes = ref_take_size(d, one_two_four);
    ref_take(d, 2); /* scale */
    ref_take_surface(d);
    take_element(d);
}

static void take_4_scaled(RefDecoder *d)
{
    uint32_t extent;

    ref_take_exec(d, 1, 16);
    ref_take_pred(d);
    extent = ref_take_channels(d);
    ref_take(d, 2); /* scale */
    d->m->align = 4;
    ref_take_surface(d);
    ref_take_scalar(d, &d->m->scalar);
    ref_take_raw(d, &d->m->address, REF_OFFSETS, d->m->lanes * 4);
    ref_take_raw(d, &d->m->data, REF_DWORDS, extent);
}

static void take_svm_4_scaled(RefDecoder *d)
{
    uint32_t extent;

    ref_take_exec(d, 8, 16);
    ref_take_pred(d);
    extent = ref_take_channels(d);
    ref_take(d, 2); /* scale */
    d->m->align = 4;
    ref_take_scalar(d, &d->m->scalar);
    ref_take_raw(d, &d->m->address, REF_ADDRESSES, d->m->lanes * 8);
    ref_take_raw(d, &d->m->data, REF_ANY, extent);
}

static void take_coordinates(RefDecoder *d)
{
    RefMessage *m = d->m;

    ref_take_raw(d, &m->address, REF_OFFSETS, m->lanes * 4);
    ref_take_raw(d, &m->v, REF_OFFSETS, m->lanes * 4);
    ref_take_raw(d, &m->r, REF_OFFSETS, m->lanes * 4);
    ref_take_raw(d, &m->lod, REF_OFFSETS, m->lanes * 4);
}

static void take_typed(RefDecoder *d)
{
    uint32_t extent;

    ref_take_exec(d, 8, 16);
    ref_take_pred(d);
    extent = ref_take_channels(d);
    ref_take_surface(d);
    take_coordinates(d);
    ref_take_raw(d, &d->m->data, REF_DWORDS, extent);
}

/* "GATHER takes both [0b10 and 0b11] as 8, SCATTER only 0b10". */
static void take_svm_blocks(RefDecoder *d)
{
    static const uint8_t load_sizes[] = { 1, 4, 8, 8, 0 };
    static const uint8_t store_sizes[] = { 1, 4, 8, 0 };
    static const uint8_t counts[] = { 1, 2, 4, 8, 0 };
    RefMessage *m = d->m;
    uint32_t at;

    ref_take_exec(d, 1, 16);
    ref_take_pred(d);
    m->element_bytes =
        ref_take_size(d, m->kind == TEST_SVM_GATHER ? load_sizes : store_sizes);
    m->align = m->element_bytes;
    at = d->at;
    m->blocks = ref_take_size(d, counts);
    if (m->blocks == 8 && !(m->lanes == 8 && m->element_bytes != 8)) {
        ref_bad_field(d, at);
    }
    ref_take_raw(d, &m->address, REF_ADDRESSES, m->lanes * 8);
    ref_take_raw(d, &m->data, REF_ANY,
                 m->lanes * MAX(4, m->blocks * m->element_bytes));
}

/* Bits 0 to 2 give the owords; bits 3 and 7 both mean unaligned. */
static void take_svm_block(RefDecoder *d)
{
    RefMessage *m = d->m;
    uint32_t at = d->at;
    uint8_t properties = ref_take(d, 1);

    m->element_bytes = 16;
    m->align = properties & 0x88 ? 4 : 16;
    if ((properties & 0x70) || (properties & 7) > 3) {
        ref_bad_field(d, at);
    }
    m->blocks = 1u << (properties & 3);
    ref_take_scalar(d, &m->scalar);
    ref_take_raw(d, &m->data, REF_ANY, m->blocks * 16);
}

/* "16 owords may only be used when the surface is T0". */
static void take_owords(RefDecoder *d)
{
    static const uint8_t counts[] = { 1, 2, 4, 8, 16, 0 };
    RefMessage *m = d->m;
    uint32_t at = d->at;

    m->element_bytes = 16;
    m->align = m->kind == TEST_OWORD_LD_UNALIGNED ? 4 : 0;
    m->blocks = ref_take_size(d, counts);
    if (m->kind != TEST_OWORD_ST) {
        ref_take(d, 1); /* is_modified */
    }
    ref_take_surface(d);
    if (m->blocks == 16 && m->surface != 0) {
        ref_bad_field(d, at);
    }
    ref_take_scalar(d, &m->scalar);
    ref_take_raw(d, &m->data, REF_ANY, m->blocks * 16);
}

static void take_qw(RefDecoder *d)
{
    static const uint8_t one[] = { 1, 0 };
    RefMessage *m = d->m;

    ref_take_exec(d, 1, 16);
    ref_take_pred(d);
    m->element_bytes = 8;
    m->blocks = ref_take_size(d, one);
    ref_take_surface(d);
    m->scalar.class = TEST_CLASS_IMMEDIATE; /* there is none, so it is 0 */
    ref_take_raw(d, &m->address, REF_OFFSETS, m->lanes * 4);
    ref_take_raw(d, &m->data, REF_QWORDS, m->lanes * 8);
}

/* spec.md, media_ld: legal widths and heights, and their pitch. */
static unsigned media_pitch(unsigned width, unsigned height)
{
    static const struct {
        unsigned width;
        unsigned pitch;
        unsigned height;
    } rows[] = {
        { 4, 4, 64 }, { 8, 8, 32 }, { 16, 16, 16 }, { 32, 32, 8 }, { 64, 64, 4 }
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (width <= rows[i].width) {
            return height >= 1 && height <= rows[i].height ? rows[i].pitch : 0;
        }
    }
    return 0;
}

static void take_media(RefDecoder *d)
{
    RefMessage *m = d->m;
    uint32_t at = d->at;

    m->mode = ref_take(d, 1);
    if (m->mode > (m->kind == TEST_MEDIA_LD ? 5 : 3) ||
        (m->kind == TEST_MEDIA_ST && m->mode == 1)) {
        ref_bad_field(d, at);
    }
    m->align = m->kind == TEST_MEDIA_ST ? 4 : 0;
    ref_take_surface(d);
    m->plane = ref_take(d, 1);
    if (m->plane > 3) {
        ref_bad_field(d, at + 2);
    }
    m->width = ref_take(d, 1);
    if (m->width < 1 || m->width > 64) {
        ref_bad_field(d, at + 3);
    }
    m->height = ref_take(d, 1);
    m->pitch = media_pitch(m->width, m->height);
    if (m->pitch == 0) {
        ref_bad_field(d, at + 4);
    }
    ref_take_scalar(d, &m->scalar);
    ref_take_scalar(d, &m->y);
    ref_take_raw(d, &m->data, REF_ANY, (m->height - 1) * m->pitch + m->width);
}

/*
 * Bits 0 to 4 are the operation; bit 5 means 16 bits; bit 6 means 64 bits, SVM
 * only.
 */
static void take_op(RefDecoder *d)
{
    RefMessage *m = d->m;
    uint32_t at = d->at;
    uint8_t op = ref_take(d, 1);
    unsigned width = op >> 5;

    m->op = op & 0x1f;
    if (m->op == 0x0e || m->op == 0x0f || m->op > TEST_FSUB || width > 2 ||
        (width == 2 && m->kind != TEST_SVM_ATOMIC)) {
        ref_bad_field(d, at);
    }
    m->element_bytes = width == 0 ? 4 : width == 1 ? 2 : 8;
    m->align = m->element_bytes;
}

/* If it is not used, "it must be V0 (the null variable)". */
static void take_source(RefDecoder *d, RefOperand *source, bool used)
{
    uint32_t at = d->at;
    bool wide = d->m->element_bytes == 8;

    ref_take_raw(d, source, wide ? REF_QWORDS : REF_DWORDS,
                 d->m->lanes * (wide ? 8 : 4));
    if (!used && !source->null) {
        ref_refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
    }
}

static void take_sources(RefDecoder *d)
{
    RefMessage *m = d->m;
    bool none = m->op == TEST_INC || m->op == TEST_DEC || m->op == TEST_PREDEC;
    bool two = m->op == TEST_CMPXCHG || m->op == TEST_FCMPWR;

    take_source(d, &m->src0, !none);
    take_source(d, &m->src1, two);
    take_source(d, &m->data, true);
}

static void take_dword_atomic(RefDecoder *d)
{
    take_op(d);
    ref_take_exec(d, 1, 16);
    ref_take_pred(d);
    ref_take_surface(d);
    d->m->scalar.class = TEST_CLASS_IMMEDIATE; /* there is none, so it is 0 */
    ref_take_raw(d, &d->m->address, REF_OFFSETS, d->m->lanes * 4);
    take_sources(d);
}

static void take_typed_atomic(RefDecoder *d)
{
    take_op(d);
    ref_take_exec(d, 8, 16);
    ref_take_pred(d);
    ref_take_surface(d);
    take_coordinates(d);
    take_sources(d);
}

static void take_svm_atomic(RefDecoder *d)
{
    ref_take_exec(d, 1, 8);
    ref_take_pred(d);
    take_op(d);
    ref_take_raw(d, &d->m->address, REF_ADDRESSES, d->m->lanes * 8);
    take_sources(d);
}

static void take_fence(RefDecoder *d)
{
    ref_take(d, 1);
}

typedef struct Row {
    uint8_t opcode;
    uint8_t sub; /* of 0x4e */
    TestKind kind;
    void (*take)(RefDecoder *d);
} Row;

static const Row rows[] = {
    { 0x35, 0, TEST_OWORD_LD, take_owords },
    { 0x36, 0, TEST_OWORD_ST, take_owords },
    { 0x37, 0, TEST_MEDIA_LD, take_media },
    { 0x38, 0, TEST_MEDIA_ST, take_media },
    { 0x39, 0, TEST_GATHER, take_gather },
    { 0x3a, 0, TEST_SCATTER, take_gather },
    { 0x3c, 0, TEST_OWORD_LD_UNALIGNED, take_owords },
    { 0x4b, 0, TEST_GATHER4_TYPED, take_typed },
    { 0x4c, 0, TEST_SCATTER4_TYPED, take_typed },
    { 0x4e, 1, TEST_SVM_BLOCK_LD, take_svm_block },
    { 0x4e, 2, TEST_SVM_BLOCK_ST, take_svm_block },
    { 0x4e, 3, TEST_SVM_GATHER, take_svm_blocks },
    { 0x4e, 4, TEST_SVM_SCATTER, take_svm_blocks },
    { 0x4e, 5, TEST_SVM_ATOMIC, take_svm_atomic },
    { 0x4e, 6, TEST_SVM_GATHER4_SCALED, take_svm_4_scaled },
    { 0x4e, 7, TEST_SVM_SCATTER4_SCALED, take_svm_4_scaled },
    { 0x5c, 0, TEST_FENCE, take_fence },
    { 0x73, 0, TEST_TYPED_ATOMIC, take_typed_atomic },
    { 0x74, 0, TEST_GATHER4_SCALED, take_4_scaled },
    { 0x75, 0, TEST_SCATTER4_SCALED, take_4_scaled },
    { 0x78, 0, TEST_GATHER_SCALED, take_scaled },
    { 0x79, 0, TEST_SCATTER_SCALED, take_scaled },
    { 0x7d, 0, TEST_DWORD_ATOMIC, take_dword_atomic },
    { 0x86, 0, TEST_QW_GATHER, take_qw },
    { 0x87, 0, TEST_QW_SCATTER, take_qw },
};

static void take_message(RefDecoder *d)
{
    uint8_t opcode = ref_take(d, 1);
    uint8_t sub = opcode == 0x4e ? ref_take(d, 1) : 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(rows) && !d->truncated; i++) {
        if (rows[i].opcode == opcode && rows[i].sub == sub) {
            d->m->kind = rows[i].kind;
            rows[i].take(d);
            return;
        }
    }
    ref_refuse(d, VEU_FAULT_MESSAGE_OPCODE, 0);
}

bool ref_decode(const RefProgram *program, const uint8_t *code, uint32_t bytes,
                RefMessage *message, RefFault *fault)
{
    RefDecoder d = { .program = program,
                     .code = code,
                     .bytes = bytes,
                     .m = message,
                     .fault = fault };

    memset(fault, 0, sizeof(*fault));
    /* a message without lanes runs once, whatever the mask */
    *message = (RefMessage){ .lanes = 1, .no_mask = true, .blocks = 1 };
    take_message(&d);
    message->bytes = d.at;
    /* what cannot be split into fields is refused for that alone */
    if (d.truncated || d.lost) {
        fault->code = 0;
        ref_refuse(&d,
                   d.truncated ? VEU_FAULT_MESSAGE_TRUNCATED :
                                 VEU_FAULT_MESSAGE_FIELD,
                   d.truncated ? bytes : d.lost_at);
    }
    return fault->code == 0;
}
