/*
 * veu tests: a second implementation: from bytes to a legal message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The layouts of visa-encoding.md, section 3, one function each; the rules of
 * semantics.md, sections 1 and 2. The first field that is illegal, in the
 * order of the bytes, is the one that the fault names.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/ref.h"

typedef struct Decoder {
    const RefProgram *program;
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    RefMessage *m;
    RefFault *fault; /* the first one stays */
    bool truncated;
} Decoder;

static void refuse(Decoder *d, uint16_t code, uint32_t detail)
{
    if (!d->fault->code) {
        *d->fault = (RefFault){ .code = code, .detail = detail };
        d->fault->lane = 0xff;
        d->fault->element = 0xff;
    }
}

static uint64_t take(Decoder *d, unsigned bytes)
{
    uint64_t value = 0;

    if (d->bytes - d->at < bytes) {
        d->truncated = true;
        d->at = d->bytes;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++) {
        value += (uint64_t)d->code[d->at + i] << (8 * i);
    }
    d->at += bytes;
    return value;
}

/* "32 lanes M1; 16: M1, M5; 8: M1, M3, M5, M7; 4 and fewer: any". */
static void set_size(Decoder *d, unsigned lanes, unsigned mask, uint32_t at)
{
    unsigned number = (mask & 7) + 1; /* of M1 ... M8 */
    bool ok = lanes == 32 ? number == 1 :
              lanes == 16 ? number == 1 || number == 5 :
              lanes == 8  ? number % 2 == 1 :
                            true;

    if (!ok) {
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
        return;
    }
    d->m->lanes = lanes;
    d->m->mask_offset = (number - 1) * 4;
    d->m->no_mask = mask >= 8;
    if (d->m->mask_offset + lanes > d->program->simd) {
        refuse(d, VEU_FAULT_MESSAGE_LANES, at);
    }
}

static void take_exec(Decoder *d, unsigned min_lanes, unsigned max_lanes)
{
    uint32_t at = d->at;
    uint8_t exec = take(d, 1);
    unsigned lanes = 1u << (exec & 0xf);

    if ((exec & 0xf) > 5 || lanes < min_lanes || lanes > max_lanes) {
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
    } else {
        set_size(d, lanes, exec >> 4, at);
    }
}

static void take_num_elts(Decoder *d)
{
    uint32_t at = d->at;
    uint8_t num_elts = take(d, 1);

    switch (num_elts & 0xf) {
    case 0:
        set_size(d, 8, num_elts >> 4, at);
        break;
    case 1:
        set_size(d, 16, num_elts >> 4, at);
        break;
    case 2:
        set_size(d, 1, num_elts >> 4, at);
        break;
    default:
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
    }
}

static void take_pred(Decoder *d)
{
    uint32_t at = d->at;
    uint16_t pred = take(d, 2);
    unsigned id = pred & 0xfff;

    d->m->pred = pred;
    if ((pred & 0x1000) || (pred & 0x6000) == 0x6000 ||
        (id == 0 && pred != 0)) {
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
    } else if (id && (id > d->program->predicate_count ||
                      d->m->mask_offset + d->m->lanes >
                          d->program->predicates[id - 1].bits)) {
        refuse(d, VEU_FAULT_MESSAGE_PREDICATE, at);
    }
}

/* A code with the meanings of @sizes, which ends with a 0. */
static unsigned take_size(Decoder *d, const uint8_t *sizes)
{
    uint32_t at = d->at;
    uint8_t code = take(d, 1);

    for (unsigned i = 0; sizes[i]; i++) {
        if (i == code) {
            return sizes[i];
        }
    }
    refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
    return 1;
}

static const struct veu_variable *variable(const RefProgram *p, uint32_t id)
{
    return id >= 32 && id - 32 < p->variable_count ? &p->variables[id - 32] :
                                                     NULL;
}

unsigned ref_type_bytes(uint8_t type)
{
    /* ud d uw w ub b df f v vf bool uq uv q hf bf */
    static const uint8_t bytes[16] = { 4, 4, 2, 2, 1, 1, 8, 4,
                                       0, 0, 0, 8, 0, 8, 2, 2 };

    return type < 16 ? bytes[type] : 0;
}

static bool type_in(uint8_t type, const char *types)
{
    static const char *const names[16] = { "ud", "d", "uw", "w",  "ub",   "b",
                                           "df", "f", "v",  "vf", "bool", "uq",
                                           "uv", "q", "hf", "bf" };
    g_auto(GStrv) list = g_strsplit(types, " ", 0);

    return type < 16 && g_strv_contains((const char *const *)list, names[type]);
}

/* Types are named by the operand's letter: offsets, addresses, data, any. */
static bool raw_type_ok(uint8_t type, char kind)
{
    switch (kind) {
    case 'o':
        return type_in(type, "ud d");
    case 'a':
        return type_in(type, "uq q");
    case 'd':
        return type_in(type, "ud d f");
    default:
        return true;
    }
}

static void take_raw(Decoder *d, RefOperand *operand, char kind,
                     uint32_t extent)
{
    uint32_t at = d->at;
    uint32_t id = take(d, 4);
    uint16_t byte = take(d, 2);
    const struct veu_variable *v = variable(d->program, id);

    if (id == 0) {
        operand->null = true;
        return;
    }
    if (!v || !raw_type_ok(v->type, kind) || byte % d->program->grf_bytes ||
        byte + extent > v->elements * ref_type_bytes(v->type)) {
        refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
        return;
    }
    operand->at = v->offset + byte;
    operand->type = v->type;
}

static uint64_t extend(uint64_t value, uint8_t type)
{
    unsigned unused = 64 - 8 * ref_type_bytes(type);
    bool is_signed = type_in(type, "d w b q");

    value <<= unused;
    return is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
}

static void take_general(Decoder *d, uint32_t at)
{
    const struct veu_variable *v = variable(d->program, take(d, 4));
    unsigned row = take(d, 1);
    unsigned column = take(d, 1);
    unsigned size = v ? ref_type_bytes(v->type) : 0;
    unsigned byte = row * d->program->grf_bytes + column * size;

    take(d, 2); /* region */
    if (!v || !type_in(v->type, "ud d uw w ub b uq q") ||
        byte + size > v->elements * size) {
        refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
        return;
    }
    d->m->scalar_at = v->offset + byte;
    d->m->scalar_type = v->type;
}

static void take_immediate(Decoder *d, uint32_t at)
{
    uint8_t type = take(d, 1);
    uint64_t value = take(d, type_in(type, "df q uq") ? 8 : 4);

    if (!type_in(type, "ud d uw w ub b uq q")) {
        refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
        return;
    }
    d->m->scalar_is_immediate = true;
    d->m->scalar_value = extend(value, type);
}

static bool take_scalar(Decoder *d)
{
    uint32_t at = d->at;
    uint8_t tag = take(d, 1);

    if (tag >> 3) {
        refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
    }
    switch (tag & 7) {
    case 0:
        take_general(d, at);
        return true;
    case 3:
        take(d, 8);
        refuse(d, VEU_FAULT_MESSAGE_OPERAND, at);
        return true;
    case 5:
        take_immediate(d, at);
        return true;
    default:
        return false; /* what follows cannot be read */
    }
}

static const uint8_t one_two_four[] = { 1, 2, 4, 0 };

static bool take_gather(Decoder *d)
{
    RefMessage *m = d->m;

    m->kind = TEST_GATHER;
    m->blocks = 1;
    m->element_bytes = take_size(d, one_two_four);
    take(d, 1);
    take_num_elts(d);
    m->surface = take(d, 1);
    if (!take_scalar(d)) {
        return false;
    }
    take_raw(d, &m->address, 'o', m->lanes * 4);
    take_raw(d, &m->data, 'd', m->lanes * 4);
    return true;
}

static bool take_scaled(Decoder *d, TestKind kind)
{
    RefMessage *m = d->m;

    m->kind = kind;
    m->blocks = 1;
    take_exec(d, 1, 32);
    take_pred(d);
    take(d, 1);
    m->element_bytes = take_size(d, one_two_four);
    take(d, 2);
    m->surface = take(d, 1);
    if (!take_scalar(d)) {
        return false;
    }
    take_raw(d, &m->address, 'o', m->lanes * 4);
    take_raw(d, &m->data, 'd', m->lanes * 4);
    return true;
}

static bool take_typed(Decoder *d, TestKind kind)
{
    RefMessage *m = d->m;
    unsigned count = 0;
    uint32_t at;

    m->kind = kind;
    take_exec(d, 8, 16);
    take_pred(d);
    at = d->at;
    m->channels = take(d, 1);
    if (m->channels == 0 || m->channels > 15) {
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
        m->channels = 1;
    }
    for (unsigned c = 0; c < 4; c++) {
        count += m->channels >> c & 1;
    }
    m->channel_stride = MAX(m->lanes, d->program->grf_bytes / 4);
    m->surface = take(d, 1);
    take_raw(d, &m->address, 'o', m->lanes * 4);
    take_raw(d, &m->v, 'o', m->lanes * 4);
    take_raw(d, &m->r, 'o', m->lanes * 4);
    take_raw(d, &m->lod, 'o', m->lanes * 4);
    take_raw(d, &m->data, 'd',
             ((count - 1) * m->channel_stride + m->lanes) * 4);
    return true;
}

static bool take_svm(Decoder *d)
{
    static const uint8_t block_sizes[] = { 1, 4, 8, 8, 0 };
    static const uint8_t counts[] = { 1, 2, 4, 8, 0 };
    RefMessage *m = d->m;
    uint32_t at;

    m->kind = TEST_SVM_GATHER;
    take_exec(d, 1, 16);
    take_pred(d);
    m->element_bytes = take_size(d, block_sizes);
    at = d->at;
    m->blocks = take_size(d, counts);
    if (m->blocks == 8 && !(m->lanes == 8 && m->element_bytes != 8)) {
        refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
    }
    take_raw(d, &m->address, 'a', m->lanes * 8);
    take_raw(d, &m->data, '*', m->lanes * MAX(4, m->blocks * m->element_bytes));
    return true;
}

static bool take_message(Decoder *d)
{
    switch (take(d, 1)) {
    case 0x39:
        return take_gather(d);
    case 0x78:
        return take_scaled(d, TEST_GATHER_SCALED);
    case 0x79:
        return take_scaled(d, TEST_SCATTER_SCALED);
    case 0x4b:
        return take_typed(d, TEST_GATHER4_TYPED);
    case 0x4c:
        return take_typed(d, TEST_SCATTER4_TYPED);
    case 0x4e:
        if (take(d, 1) == 0x03 || d->truncated) {
            return take_svm(d);
        }
        break;
    }
    refuse(d, VEU_FAULT_MESSAGE_OPCODE, 0);
    return true;
}

bool ref_decode(const RefProgram *program, const uint8_t *code, uint32_t bytes,
                RefMessage *message, RefFault *fault)
{
    Decoder d = { program, code, bytes, 0, message, fault, false };
    bool known;

    memset(message, 0, sizeof(*message));
    memset(fault, 0, sizeof(*fault));
    message->lanes = 1;
    known = take_message(&d);
    message->bytes = d.at;
    /* What cannot be read whole is refused for that, whatever it holds. */
    if (d.truncated) {
        fault->code = 0;
        refuse(&d, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
    } else if (!known) {
        uint32_t at = message->kind == TEST_GATHER ? 5 : 9;

        fault->code = 0;
        refuse(&d, VEU_FAULT_MESSAGE_FIELD, at);
    }
    return fault->code == 0;
}
