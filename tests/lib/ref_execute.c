/*
 * veu tests: a second implementation: performing a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops are those of the pages, byte by byte; semantics.md, sections 1, 3
 * and 4, for the rest. A lane is looked at whole before any lane is performed.
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

uint32_t ref_operand_dword(const RefRun *r, const RefOperand *o, unsigned lane)
{
    return o->null ? 0 : register_value(r->before, o->at + lane * 4, 4);
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

void ref_form_fault(RefRun *r, uint16_t code)
{
    *r->fault = (RefFault){ .code = code, .lane = 0xff, .element = 0xff };
}

static bool writes(const RefMessage *m)
{
    return m->kind == TEST_SCATTER_SCALED || m->kind == TEST_SCATTER4_TYPED;
}

static void lane_fault(RefRun *r, uint16_t code, unsigned lane,
                       unsigned element, uint32_t element_bytes)
{
    if (!r->fault->code) {
        *r->fault = (RefFault){
            .code = code,
            .access = writes(r->m) ? VEU_ACCESS_WRITE : VEU_ACCESS_READ,
            .lane = lane,
            .element = element,
            .address = r->address[lane] + element * element_bytes,
            .bytes = element_bytes,
        };
    }
    r->fault->lanes |= 1u << lane;
}

static uint8_t *byte_at(const RefRun *r, uint64_t address)
{
    return r->slm ? r->t->slm + address :
                    test_memory_byte(r->t->memory, address,
                                     writes(r->m) ? VEU_ACCESS_WRITE :
                                                    VEU_ACCESS_READ);
}

/* All of the lane's bytes, or a fault that names the first bad element. */
void ref_check_lane(RefRun *r, unsigned lane, uint32_t element_bytes)
{
    for (uint32_t i = 0; i < r->bytes; i++) {
        if (!byte_at(r, r->address[lane] + i)) {
            lane_fault(r, VEU_FAULT_ADDRESS, lane, i / element_bytes,
                       element_bytes);
            return;
        }
    }
    r->live[lane] = true;
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

static uint64_t global_offset(const RefRun *r)
{
    const RefMessage *m = r->m;
    uint64_t value = m->scalar_value;

    if (!m->scalar_is_immediate) {
        unsigned bytes = ref_type_bytes(m->scalar_type);

        value = register_value(r->before, m->scalar_at, bytes);
        if (m->scalar_type == VEU_TYPE_B) {
            value = (int8_t)value;
        } else if (m->scalar_type == VEU_TYPE_W) {
            value = (int16_t)value;
        } else if (m->scalar_type == VEU_TYPE_D) {
            value = (int32_t)value;
        }
    }
    return value;
}

/* Memory of the surface: [base, base + size). */
static bool find_buffer(RefRun *r, uint64_t *base, uint64_t *size)
{
    const RefThread *t = r->t;
    unsigned id = r->m->surface;
    const struct veu_surface *s;

    if (id == 0) {
        r->slm = true;
        *base = 0;
        *size = t->slm_bytes;
        return true;
    }
    if (id == 5) {
        *base = t->stateless_base;
        *size = t->stateless_bytes;
        return true;
    }
    if (id < 6 || id - 6 >= t->surface_count) {
        ref_form_fault(r, id < 6 ? VEU_FAULT_SURFACE_NOT_MODELLED :
                                   VEU_FAULT_SURFACE_INDEX);
        return false;
    }
    s = &t->surfaces[id - 6];
    if (s->type != VEU_SURFACE_BUFFER) {
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND);
        return false;
    }
    *base = s->base;
    *size = (uint64_t)s->width * ref_texel_bytes(ref_format(s->format));
    if (s->flags & VEU_SURFACE_SLM) {
        r->slm = true;
        if (*base > t->slm_bytes) {
            *size = 0;
        } else if (*size > t->slm_bytes - *base) {
            *size = t->slm_bytes - *base;
        }
    }
    return true;
}

/* GATHER, GATHER_SCALED, SCATTER_SCALED: where the lanes go. */
static bool place_elements(RefRun *r)
{
    const RefMessage *m = r->m;
    uint64_t unit = m->kind == TEST_GATHER ? m->element_bytes : 1;
    uint64_t base;
    uint64_t size;

    if (!find_buffer(r, &base, &size)) {
        return false;
    }
    r->bytes = m->element_bytes;
    for (unsigned i = 0; i < m->lanes; i++) {
        uint32_t index;

        if (!ref_lane_enabled(r->t, m, i)) {
            continue;
        }
        index = (uint32_t)global_offset(r) +
                ref_operand_dword(r, &m->address, i);
        r->address[i] = base + index * unit;
        if (index * unit + m->element_bytes > size) {
            r->outside[i] = true;
        } else {
            ref_check_lane(r, i, m->element_bytes);
        }
    }
    return true;
}

/* One lane's dword of @bytes of data, and above them what is undefined. */
static void write_dword(RefRun *r, unsigned lane, uint64_t value,
                        unsigned bytes)
{
    if (!r->m->data.null) {
        for (unsigned i = 0; i < 4; i++) {
            r->t->registers[r->m->data.at + lane * 4 + i] =
                i < bytes ? value >> (8 * i) : r->t->undefined;
        }
    }
}

static uint32_t run_gather(RefRun *r)
{
    const RefMessage *m = r->m;

    if (!place_elements(r)) {
        return 0;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (r->live[i]) {
            write_dword(r, i, ref_load(r, r->address[i], m->element_bytes),
                        m->element_bytes);
        } else if (r->outside[i]) {
            write_dword(r, i, 0, m->element_bytes);
        }
    }
    return m->element_bytes;
}

static uint32_t run_scatter(RefRun *r)
{
    const RefMessage *m = r->m;

    if (!place_elements(r)) {
        return 0;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (r->live[i]) {
            ref_store(r, r->address[i], ref_operand_dword(r, &m->data, i),
                      m->element_bytes);
        }
    }
    return m->element_bytes;
}

/* The page's loop; the registers are bytes here. */
static void svm_blocks(RefRun *r, unsigned i)
{
    const RefMessage *m = r->m;
    uint8_t *dst = r->t->registers + m->data.at;
    unsigned size = m->element_bytes;

    if (m->data.null) {
        return;
    }
    if (size == 4 || size == 8) {
        for (unsigned j = 0; j < m->blocks; j++) {
            uint64_t block = ref_load(r, r->address[i] + j * size, size);

            memcpy(dst + (j * m->lanes + i) * size, &block, size);
        }
    } else {
        unsigned min_block_size = m->blocks < 4 ? 4 : m->blocks;

        for (unsigned j = 0; j < min_block_size; j++) {
            dst[i * min_block_size + j] = j < m->blocks ?
                                              ref_load(r, r->address[i] + j,
                                                       1) :
                                              r->t->undefined;
        }
    }
}

static uint32_t run_svm(RefRun *r)
{
    const RefMessage *m = r->m;

    r->bytes = m->blocks * m->element_bytes;
    for (unsigned i = 0; i < m->lanes; i++) {
        if (!ref_lane_enabled(r->t, m, i)) {
            continue;
        }
        r->address[i] = m->address.null ?
                            0 :
                            register_value(r->before, m->address.at + i * 8, 8);
        if (r->address[i] % m->element_bytes) {
            lane_fault(r, VEU_FAULT_ALIGNMENT, i, 0, m->element_bytes);
        } else {
            ref_check_lane(r, i, m->element_bytes);
        }
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (r->live[i]) {
            svm_blocks(r, i);
        }
    }
    return r->bytes;
}

void ref_execute(RefThread *t, const RefMessage *m, RefFault *fault)
{
    static uint32_t (*const run[TEST_KINDS])(RefRun *) = {
        [TEST_GATHER] = run_gather,
        [TEST_GATHER_SCALED] = run_gather,
        [TEST_SCATTER_SCALED] = run_scatter,
        [TEST_SCATTER4_TYPED] = ref_scatter4_typed,
        [TEST_GATHER4_TYPED] = ref_gather4_typed,
        [TEST_SVM_GATHER] = run_svm,
    };
    RefRun r = { .t = t, .m = m, .fault = fault };
    uint32_t lane_bytes;

    memset(fault, 0, sizeof(*fault));
    if (ref_enabled(t, m) == 0) {
        return;
    }
    r.before = g_memdup2(t->registers, t->register_bytes);
    lane_bytes = run[m->kind](&r);
    g_free(r.before);
    for (unsigned i = 0; fault->code && i < m->lanes; i++) {
        fault->bytes_done += r.live[i] * lane_bytes;
    }
}
