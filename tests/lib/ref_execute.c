/*
 * veu tests: a second implementation: performing a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops are the vendor's, byte by byte; the rest is from semantics.md,
 * sections 1, 3 and 4. Each lane is checked as a whole before any lane is
 * performed.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/ref_run.h"

static uint64_t register_value(const uint8_t *registers, uint32_t at,
                               unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)registers[at + i] << (8 * i);
    }
    return value;
}

uint8_t ref_operand_byte(const RefRun *r, const RefOperand *o, unsigned byte)
{
    return o->null ? 0 : r->before[o->at + byte];
}

uint32_t ref_operand_dword(const RefRun *r, const RefOperand *o, unsigned lane)
{
    return o->null ? 0 : register_value(r->before, o->at + lane * 4, 4);
}

uint64_t ref_operand_qword(const RefRun *r, const RefOperand *o, unsigned lane)
{
    return o->null ? 0 : register_value(r->before, o->at + lane * 8, 8);
}

/* "r[A0(2),-16]": a byte offset in the register file, and a constant. */
static bool find_scalar(RefRun *r, const RefScalar *s, int *at)
{
    int size = ref_type_bytes(s->type);

    if (s->class == TEST_CLASS_GENERAL) {
        *at = s->at;
        return true;
    }
    *at = r->t->addresses[s->address] + s->add;
    if (*at < 0 || *at + size > (int)r->t->register_bytes) {
        ref_form_fault(r, VEU_FAULT_INDIRECT, *at);
        return false;
    }
    return true;
}

bool ref_scalar(RefRun *r, const RefScalar *s, uint64_t *value)
{
    int at;

    *value = s->value;
    if (s->class == TEST_CLASS_IMMEDIATE) {
        return true;
    }
    if (!find_scalar(r, s, &at)) {
        return false;
    }
    *value = ref_extend(register_value(r->before, at, ref_type_bytes(s->type)),
                        s->type);
    return true;
}

void ref_write_byte(const RefRun *r, unsigned byte, uint8_t value)
{
    if (!r->m->data.null) {
        r->t->registers[r->m->data.at + byte] = value;
    }
}

void ref_write(const RefRun *r, unsigned byte, uint64_t value, unsigned size,
               unsigned place)
{
    for (unsigned i = 0; i < place; i++) {
        ref_write_byte(r, byte + i,
                       i < size ? value >> (8 * i) : r->t->undefined);
    }
}

/* ChEn[n] = (NM ? 1 : EM[offset + n]) & pred[n]. */
bool ref_lane_enabled(const RefThread *t, const RefMessage *m, unsigned n)
{
    uint32_t pred;
    unsigned set = 0;
    bool value;

    if (!m->no_mask && !(t->exec_mask >> (m->mask_offset + n) & 1)) {
        return false;
    }
    if (!(m->pred & 0xfff)) {
        return true;
    }
    pred = t->predicates[(m->pred & 0xfff) - 1];
    for (unsigned i = 0; i < m->lanes; i++) {
        set += pred >> (m->mask_offset + i) & 1;
    }
    switch (m->pred >> 13 & 3) {
    case 1:
        value = set > 0;
        break;
    case 2:
        value = set == m->lanes;
        break;
    default:
        value = pred >> (m->mask_offset + n) & 1;
    }
    return value != (m->pred >> 15);
}

uint32_t ref_enabled(const RefThread *t, const RefMessage *m)
{
    uint32_t enabled = 0;

    for (unsigned n = 0; n < m->lanes; n++) {
        enabled |= (uint32_t)ref_lane_enabled(t, m, n) << n;
    }
    return enabled;
}

void ref_form_fault(RefRun *r, uint16_t code, uint32_t detail)
{
    *r->fault = (RefFault){
        .code = code, .detail = detail, .lane = 0xff, .element = 0xff
    };
}

/* Returns the access that the message makes at an address; an atomic writes. */
static enum veu_access access_of(const RefMessage *m)
{
    switch (m->kind) {
    case TEST_GATHER:
    case TEST_GATHER_SCALED:
    case TEST_GATHER4_SCALED:
    case TEST_GATHER4_TYPED:
    case TEST_SVM_GATHER:
    case TEST_SVM_GATHER4_SCALED:
    case TEST_SVM_BLOCK_LD:
    case TEST_OWORD_LD:
    case TEST_OWORD_LD_UNALIGNED:
    case TEST_QW_GATHER:
    case TEST_MEDIA_LD:
        return VEU_ACCESS_READ;
    default:
        return VEU_ACCESS_WRITE;
    }
}

void ref_lane_fault(RefRun *r, uint16_t code, unsigned lane, unsigned element,
                    uint64_t address, uint32_t bytes)
{
    if (!r->fault->code) {
        *r->fault = (RefFault){
            .code = code,
            .access = access_of(r->m),
            .lane = lane,
            .element = element,
            .address = address,
            .bytes = bytes,
        };
    }
    r->fault->lanes |= 1u << lane;
}

static bool is_atomic(const RefMessage *m)
{
    return m->kind == TEST_DWORD_ATOMIC || m->kind == TEST_TYPED_ATOMIC ||
           m->kind == TEST_SVM_ATOMIC;
}

/* "An atomic requires permission to read and to write." */
static uint8_t *byte_at(const RefRun *r, uint64_t address)
{
    if (!r->slm && is_atomic(r->m) &&
        !test_memory_byte(r->t->memory, address, VEU_ACCESS_READ)) {
        return NULL;
    }
    return r->slm ? r->t->slm + address :
                    test_memory_byte(r->t->memory, address, access_of(r->m));
}

bool ref_aligned(RefRun *r, unsigned lane, uint64_t address)
{
    if (r->m->align && address % r->m->align) {
        ref_lane_fault(r, VEU_FAULT_ALIGNMENT, lane, 0, r->address[lane],
                       r->m->element_bytes);
        return false;
    }
    return true;
}

/* "A block that itself crosses 2^64 faults". */
bool ref_check(RefRun *r, unsigned lane, unsigned element, uint64_t address,
               uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        if (address + i < address || !byte_at(r, address + i)) {
            ref_lane_fault(r, VEU_FAULT_ADDRESS, lane, element, address, bytes);
            return false;
        }
    }
    return true;
}

void ref_check_lane(RefRun *r, unsigned lane, uint32_t bytes)
{
    r->live[lane] = ref_check(r, lane, 0, r->address[lane], bytes);
}

uint64_t ref_load(const RefRun *r, uint64_t address, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)*byte_at(r, address + i) << (8 * i);
    }
    return value;
}

void ref_store(const RefRun *r, uint64_t address, uint64_t value,
               unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        *byte_at(r, address + i) = value >> (8 * i);
    }
}

void ref_moved(const RefRun *r, uint32_t lane_bytes)
{
    for (unsigned i = 0; i < r->m->lanes; i++) {
        r->t->moved_bytes += r->live[i] * lane_bytes;
    }
}

/* A fence has no effect that one thread could see. */
static void fence(RefRun *r)
{
}

void ref_execute(RefThread *t, const RefMessage *m, RefFault *fault)
{
    static void (*const run[TEST_KINDS])(RefRun *) = {
        [TEST_GATHER] = ref_gather,
        [TEST_GATHER_SCALED] = ref_gather,
        [TEST_QW_GATHER] = ref_gather,
        [TEST_SCATTER] = ref_scatter,
        [TEST_SCATTER_SCALED] = ref_scatter,
        [TEST_QW_SCATTER] = ref_scatter,
        [TEST_GATHER4_SCALED] = ref_gather4_scaled,
        [TEST_SCATTER4_SCALED] = ref_scatter4_scaled,
        [TEST_GATHER4_TYPED] = ref_gather4_typed,
        [TEST_SCATTER4_TYPED] = ref_scatter4_typed,
        [TEST_SVM_GATHER] = ref_svm_gather,
        [TEST_SVM_SCATTER] = ref_svm_scatter,
        [TEST_SVM_GATHER4_SCALED] = ref_gather4_scaled,
        [TEST_SVM_SCATTER4_SCALED] = ref_scatter4_scaled,
        [TEST_SVM_BLOCK_LD] = ref_block_ld,
        [TEST_SVM_BLOCK_ST] = ref_block_st,
        [TEST_OWORD_LD] = ref_block_ld,
        [TEST_OWORD_LD_UNALIGNED] = ref_block_ld,
        [TEST_OWORD_ST] = ref_block_st,
        [TEST_MEDIA_LD] = ref_media_ld,
        [TEST_MEDIA_ST] = ref_media_st,
        [TEST_DWORD_ATOMIC] = ref_dword_atomic,
        [TEST_SVM_ATOMIC] = ref_svm_atomic,
        [TEST_TYPED_ATOMIC] = ref_typed_atomic,
        [TEST_FENCE] = fence,
    };
    RefRun r = { .t = t, .m = m, .fault = fault };

    memset(fault, 0, sizeof(*fault));
    t->moved_bytes = 0;
    if (ref_enabled(t, m) == 0) {
        return;
    }
    r.before = g_memdup2(t->registers, t->register_bytes);
    run[m->kind](&r);
    g_free(r.before);
    if (fault->code) {
        fault->bytes_done = t->moved_bytes;
    }
}
