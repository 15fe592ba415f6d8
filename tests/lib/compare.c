/*
 * veu tests: the execution unit compared with the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "tests/lib/compare.h"

char *compare_faults(const VeuFault *a, const RefFault *b)
{
    if (a->code == b->code && a->detail == b->detail &&
        a->access == b->access && a->lane == b->lane &&
        a->element == b->element && a->address == b->address &&
        a->bytes == b->bytes && a->bytes_done == b->bytes_done &&
        a->lanes == b->lanes) {
        return NULL;
    }
    return g_strdup_printf(
        "a fault (the other implementation's): code %x (%x) detail %x (%x) "
        "access %u (%u) lane %u (%u) element %u (%u) address %#" PRIx64
        " (%#" PRIx64 ") bytes %u (%u) done %u (%u) lanes %x (%x)",
        a->code, b->code, a->detail, b->detail, a->access, b->access, a->lane,
        b->lane, a->element, b->element, a->address, b->address, a->bytes,
        b->bytes, a->bytes_done, b->bytes_done, a->lanes, b->lanes);
}

char *compare_decode(World *w, const TestCode *code, RefMessage *ref,
                     bool *legal)
{
    RefFault fault;

    *legal = ref_decode(&w->program, code->bytes, code->count, ref, &fault);
    if (eu_decode_bytes(w->eu, code->bytes, code->count) != *legal) {
        return *legal ?
                   g_strdup_printf("fault %x, detail %u", w->eu->fault.code,
                                   w->eu->fault.detail) :
                   g_strdup_printf("no fault %x, detail %u", fault.code,
                                   fault.detail);
    }
    if (!*legal) {
        return compare_faults(&w->eu->fault, &fault);
    }
    g_assert_cmpuint(w->eu->program->register_bytes, ==,
                     w->thread.register_bytes);
    return w->eu->next == ref->bytes ? NULL : g_strdup("the length");
}

/* Checks that pages which are not dirty have their previous contents. */
static bool notes_what_it_writes(const TestMemory *m, const TestMemory *before)
{
    for (unsigned i = 0; i < m->count; i++) {
        if (!test_memory_is_noted(m, i) &&
            memcmp(m->page[i].bytes, before->page[i].bytes, TEST_PAGE_BYTES)) {
            return false;
        }
    }
    return true;
}

char *compare_notes(World *w)
{
    return notes_what_it_writes(&w->eu->memory, &w->ref_memory) ?
               NULL :
               g_strdup("a page that was written and not noted");
}

char *compare_memory(World *w)
{
    if (memcmp(w->eu->slm, w->ref_slm, EU_SLM_BYTES)) {
        return g_strdup("SLM");
    }
    return test_memory_equal(&w->eu->memory, &w->ref_memory) ?
               NULL :
               g_strdup("memory");
}

static uint16_t see_nothing(VeuObserver *observer, const VeuLaneAccess *access,
                            VeuLanePlace place, VeuSpan *span)
{
    return VEU_FAULT_NONE;
}

static VeuObserver watches = { .lane = see_nothing };

char *compare_execute(World *w, const RefMessage *m)
{
    EuFixture *eu = w->eu;
    VeuThread *t = &eu->thread;
    RefFault fault;
    char *what;
    bool ok;

    memcpy(w->ref_registers, eu->registers, EU_REGISTER_BYTES);
    memcpy(w->ref_slm, eu->slm, EU_SLM_BYTES);
    test_memory_forget_notes(&eu->memory);
    /* some messages find what the previous one has looked up, as in a step */
    if (world_chance(w, 30)) {
        veu_mem_forget(&eu->memory.mem);
    }
    t->observer = world_chance(w, 25) ? &watches : NULL;
    ok = veu_execute(t, &eu->message);
    what = compare_notes(w);
    if (what) {
        return what;
    }
    ref_execute(&w->thread, m, &fault);
    if (t->active != ref_enabled(&w->thread, m)) {
        return g_strdup("the lanes that run");
    }
    if (ok != !t->fault.code || ok != !fault.code) {
        return g_strdup_printf("fault %x (%x)", t->fault.code, fault.code);
    }
    return !ok && compare_faults(&t->fault, &fault) ?
               compare_faults(&t->fault, &fault) :
           t->moved_bytes != w->thread.moved_bytes ?
               g_strdup("the bytes that are moved") :
           memcmp(eu->registers, w->ref_registers, EU_REGISTER_BYTES) ?
               g_strdup("registers") :
               compare_memory(w);
}
