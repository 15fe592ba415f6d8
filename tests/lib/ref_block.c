/*
 * veu tests: a second implementation: owords in a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST, SVM BLOCK_LD, SVM BLOCK_ST. They have
 * no lanes; the message is checked as a whole.
 */
#include <glib.h>
#include "tests/lib/ref_run.h"

typedef struct Block {
    bool svm;
    RefRange range;
    uint64_t offset; /* offset of the first oword from the base */
} Block;

/* Each oword "is in or out of bounds as a whole". */
static bool inside(const Block *b, unsigned oword)
{
    return b->svm || b->offset + oword * 16 + 16 <= b->range.size;
}

static bool find_block(RefRun *r, Block *b)
{
    const RefMessage *m = r->m;
    uint64_t value;

    b->svm = m->kind == TEST_SVM_BLOCK_LD || m->kind == TEST_SVM_BLOCK_ST;
    b->range.base = 0;
    if ((!b->svm && !ref_find_buffer(r, &b->range)) ||
        !ref_scalar(r, &m->scalar, &value)) {
        return false;
    }
    if (b->svm) {
        b->offset = value;
    } else if (m->kind == TEST_OWORD_LD_UNALIGNED) {
        b->offset = (uint32_t)value;
    } else {
        b->offset = (uint64_t)(uint32_t)value * 16;
    }
    b->offset = ref_offset(r, b->offset);
    r->address[0] = b->range.base + b->offset;
    return ref_aligned(r, 0, b->offset);
}

static bool place_block(RefRun *r, Block *b)
{
    if (!find_block(r, b)) {
        return false;
    }
    for (unsigned i = 0; i < r->m->blocks; i++) {
        if (inside(b, i) && !ref_check(r, 0, i, r->address[0] + i * 16, 16)) {
            return false;
        }
    }
    return true;
}

void ref_block_ld(RefRun *r)
{
    Block b;

    if (!place_block(r, &b)) {
        return;
    }
    for (unsigned i = 0; i < r->m->blocks * 16; i++) {
        bool read = inside(&b, i / 16);

        ref_write_byte(r, i, read ? ref_load(r, r->address[0] + i, 1) : 0);
        r->t->moved_bytes += read;
    }
}

void ref_block_st(RefRun *r)
{
    Block b;

    if (!place_block(r, &b)) {
        return;
    }
    for (unsigned i = 0; i < r->m->blocks * 16; i++) {
        if (inside(&b, i / 16)) {
            ref_store(r, r->address[0] + i, ref_operand_byte(r, &r->m->data, i),
                      1);
            r->t->moved_bytes++;
        }
    }
}
