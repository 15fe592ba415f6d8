/*
 * veu tests: a second implementation: DWORD_ATOMIC, SVM ATOMIC, TYPED_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/ref_run.h"

/* spec.md, dword_atomic: all operands have one type. */
static uint8_t wanted_type(const RefMessage *m)
{
    bool wide = m->element_bytes == 8;

    if (m->op >= TEST_FMAX) {
        return wide ? VEU_TYPE_DF : VEU_TYPE_F;
    }
    if (m->op == TEST_IMIN || m->op == TEST_IMAX) {
        return wide ? VEU_TYPE_Q : VEU_TYPE_D;
    }
    return wide ? VEU_TYPE_UQ : VEU_TYPE_UD;
}

static bool fits(const RefMessage *m, const RefOperand *o)
{
    return o->null || o->type == wanted_type(m);
}

static bool types_ok(RefRun *r)
{
    const RefMessage *m = r->m;

    if (r->t->strict_types &&
        !(fits(m, &m->src0) && fits(m, &m->src1) && fits(m, &m->data))) {
        ref_form_fault(r, VEU_FAULT_REGISTER_TYPE, 0);
        return false;
    }
    return true;
}

static uint64_t source(const RefRun *r, const RefOperand *o, unsigned lane)
{
    return r->m->element_bytes == 8 ? ref_operand_qword(r, o, lane) :
                                      ref_operand_dword(r, o, lane);
}

/* Performs lane after lane; 16 bits are the lower half of a dword. */
static void perform(RefRun *r)
{
    const RefMessage *m = r->m;
    unsigned place = MAX(4, m->element_bytes);

    for (unsigned i = 0; i < m->lanes; i++) {
        uint64_t result = 0;

        if (r->live[i]) {
            uint64_t old = ref_load(r, r->address[i], m->element_bytes);

            ref_store(r, r->address[i],
                      ref_atomic(m->op, m->element_bytes, old,
                                 source(r, &m->src0, i), source(r, &m->src1, i),
                                 &result),
                      m->element_bytes);
        }
        if (r->live[i] || r->outside[i]) {
            ref_write(r, i * place, result, m->element_bytes, place);
        }
    }
    ref_moved(r, m->element_bytes);
}

void ref_svm_atomic(RefRun *r)
{
    const RefMessage *m = r->m;

    if (!types_ok(r)) {
        return;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (ref_lane_enabled(r->t, m, i)) {
            r->address[i] = ref_operand_qword(r, &m->address, i);
            if (ref_aligned(r, i, r->address[i])) {
                ref_check_lane(r, i, m->element_bytes);
            }
        }
    }
    perform(r);
}

/* Both the offset and the resulting address have to be aligned. */
void ref_dword_atomic(RefRun *r)
{
    const RefMessage *m = r->m;
    RefRange range;

    if (!ref_find_buffer(r, &range) || !types_ok(r)) {
        return;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        uint64_t offset = ref_offset(r, ref_operand_dword(r, &m->address, i));

        r->address[i] = range.base + offset;
        if (!ref_lane_enabled(r->t, m, i) || !ref_aligned(r, i, offset) ||
            !ref_aligned(r, i, r->address[i])) {
            continue;
        }
        if (offset + m->element_bytes > range.size) {
            r->outside[i] = true;
        } else {
            ref_check_lane(r, i, m->element_bytes);
        }
    }
    perform(r);
}

/* Accepts formats with one channel of the operand's size. */
static bool format_ok(RefRun *r, const struct veu_surface *s)
{
    const RefFormat *f = ref_format(s->format);

    if (!f->atomics || ref_texel_bytes(f) != r->m->element_bytes) {
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND, 0);
        return false;
    }
    return true;
}

void ref_typed_atomic(RefRun *r)
{
    const struct veu_surface *s = ref_find_image(r);

    if (s && format_ok(r, s) && types_ok(r)) {
        ref_place_texels(r, s);
        perform(r);
    }
}
