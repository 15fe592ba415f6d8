/*
 * veu tests: a second implementation: SVM GATHER, SVM SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/ref_run.h"

/* A lane is checked as a whole: all its blocks. */
static void check_blocks(RefRun *r, unsigned lane)
{
    const RefMessage *m = r->m;

    for (unsigned j = 0; j < m->blocks; j++) {
        if (!ref_check(r, lane, j, r->address[lane] + j * m->element_bytes,
                       m->element_bytes)) {
            return;
        }
    }
    r->live[lane] = true;
}

static void place_blocks(RefRun *r)
{
    const RefMessage *m = r->m;

    for (unsigned i = 0; i < m->lanes; i++) {
        if (ref_lane_enabled(r->t, m, i)) {
            r->address[i] = ref_operand_qword(r, &m->address, i);
            if (ref_aligned(r, i, r->address[i])) {
                check_blocks(r, i);
            }
        }
    }
}

/* The vendor's loops, with registers as bytes. */
static unsigned block_byte(const RefMessage *m, unsigned i, unsigned j)
{
    unsigned min_block_size = m->blocks < 4 ? 4 : m->blocks;

    return m->element_bytes == 1 ? i * min_block_size + j :
                                   (j * m->lanes + i) * m->element_bytes;
}

void ref_svm_gather(RefRun *r)
{
    const RefMessage *m = r->m;

    place_blocks(r);
    for (unsigned i = 0; i < m->lanes; i++) {
        for (unsigned j = 0; r->live[i] && j < m->blocks; j++) {
            ref_write(r, block_byte(m, i, j),
                      ref_load(r, r->address[i] + j * m->element_bytes,
                               m->element_bytes),
                      m->element_bytes, m->element_bytes);
        }
        for (unsigned j = m->blocks;
             r->live[i] && m->element_bytes == 1 && j < 4; j++) {
            ref_write_byte(r, block_byte(m, i, j), r->t->undefined);
        }
    }
    ref_moved(r, m->blocks * m->element_bytes);
}

void ref_svm_scatter(RefRun *r)
{
    const RefMessage *m = r->m;

    place_blocks(r);
    for (unsigned i = 0; i < m->lanes; i++) {
        for (unsigned j = 0; r->live[i] && j < m->blocks; j++) {
            for (unsigned b = 0; b < m->element_bytes; b++) {
                ref_store(
                    r, r->address[i] + j * m->element_bytes + b,
                    ref_operand_byte(r, &m->data, block_byte(m, i, j) + b), 1);
            }
        }
    }
    ref_moved(r, m->blocks * m->element_bytes);
}
