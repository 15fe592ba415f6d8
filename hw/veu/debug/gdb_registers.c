/*
 * veu debugging: the registers that gdb sees.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gdb accepts a description of registers only if it has those of a machine that
 * it knows. Of an x86-64's, $rip is the offset of the next instruction; the
 * others are 0. After them come those of the EU thread: $lanes, the lanes that
 * run; predicates $p1, $p2, ...; address elements $a0, $a1, ...; registers $g0,
 * $g1, ..., which are vectors of dwords.
 */
#include <string.h>
#include "hw/veu/debug/gdb_packet.h"
#include "hw/veu/debug/gdb_registers.h"
#include "hw/veu/eu/instruction/flow.h"

typedef struct Core {
    const char *name;
    uint8_t bits;
    const char *type;
} Core;

#define WORD(name)        \
    {                     \
        name, 64, "int64" \
    }
#define HALF(name)        \
    {                     \
        name, 32, "int32" \
    }
#define FLOAT(name)          \
    {                        \
        name, 80, "i387_ext" \
    }

/* As gdb's documentation of org.gnu.gdb.i386.core requires. */
static const Core core[] = {
    WORD("rax"),
    WORD("rbx"),
    WORD("rcx"),
    WORD("rdx"),
    WORD("rsi"),
    WORD("rdi"),
    { "rbp", 64, "data_ptr" },
    { "rsp", 64, "data_ptr" },
    WORD("r8"),
    WORD("r9"),
    WORD("r10"),
    WORD("r11"),
    WORD("r12"),
    WORD("r13"),
    WORD("r14"),
    WORD("r15"),
    { "rip", 64, "code_ptr" },
    HALF("eflags"),
    HALF("cs"),
    HALF("ss"),
    HALF("ds"),
    HALF("es"),
    HALF("fs"),
    HALF("gs"),
    FLOAT("st0"),
    FLOAT("st1"),
    FLOAT("st2"),
    FLOAT("st3"),
    FLOAT("st4"),
    FLOAT("st5"),
    FLOAT("st6"),
    FLOAT("st7"),
    HALF("fctrl"),
    HALF("fstat"),
    HALF("ftag"),
    HALF("fiseg"),
    HALF("fioff"),
    HALF("foseg"),
    HALF("fooff"),
    HALF("fop"),
};
#define CORE G_N_ELEMENTS(core)
#define RIP  16

void veu_gdb_thread_init(VeuGdbThread *t)
{
    *t = (VeuGdbThread){
        .registers = g_byte_array_new(),
        .predicates = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .addresses = g_array_new(FALSE, FALSE, sizeof(uint16_t)),
    };
}

void veu_gdb_thread_free(VeuGdbThread *t)
{
    g_byte_array_unref(t->registers);
    g_array_unref(t->predicates);
    g_array_unref(t->addresses);
}

void veu_gdb_thread_copy(VeuGdbThread *t, const VeuThread *eu)
{
    g_byte_array_set_size(t->registers, 0);
    g_array_set_size(t->predicates, 0);
    g_array_set_size(t->addresses, 0);
    t->lanes = eu ? eu->flow->running : 0;
    if (eu) {
        const VeuProgram *p = eu->program;

        g_byte_array_append(t->registers, eu->registers, p->register_bytes);
        g_array_append_vals(t->predicates, eu->predicates, p->predicate_count);
        g_array_append_vals(t->addresses, eu->addresses,
                            p->address_element_count);
    }
}

static void describe(GString *xml, const char *prefix, unsigned number,
                     unsigned bits, const char *type)
{
    g_string_append_printf(xml,
                           "<reg name=\"%s%u\" bitsize=\"%u\" type=\"%s\"/>",
                           prefix, number, bits, type);
}

char *veu_gdb_description(const VeuGdbLayout *l)
{
    GString *xml = g_string_new(
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
        "<target><architecture>i386:x86-64</architecture>"
        "<feature name=\"org.gnu.gdb.i386.core\">");

    for (unsigned i = 0; i < CORE; i++) {
        g_string_append_printf(xml,
                               "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\"/>",
                               core[i].name, core[i].bits, core[i].type);
    }
    g_string_append_printf(
        xml,
        "</feature><feature name=\"veu\">"
        "<vector id=\"grf\" type=\"uint32\" count=\"%u\"/>"
        "<reg name=\"lanes\" bitsize=\"32\" type=\"int32\"/>",
        l->grf_bytes / 4);
    for (unsigned i = 0; i < l->predicate_count; i++) {
        describe(xml, "p", i + 1, 32, "int32");
    }
    for (unsigned i = 0; i < l->address_count; i++) {
        describe(xml, "a", i, 16, "int16");
    }
    for (unsigned i = 0; i < l->grf_count; i++) {
        describe(xml, "g", i, l->grf_bytes * 8, "grf");
    }
    g_string_append(xml, "</feature></target>");
    return g_string_free(xml, FALSE);
}

static void append_core(uint32_t offset, unsigned number, GString *out)
{
    uint8_t bytes[10] = { 0 };

    if (number == RIP) {
        memcpy(bytes, &offset, sizeof(offset));
    }
    veu_gdb_append_hex(out, bytes, core[number].bits / 8);
}

/* Element @n of an array, which is unavailable if it is not all there. */
static void append_element(const void *array, size_t array_bytes, uint64_t n,
                           size_t bytes, GString *out)
{
    if ((n + 1) * bytes <= array_bytes) {
        veu_gdb_append_hex(out, (const uint8_t *)array + n * bytes, bytes);
    } else {
        for (size_t i = 0; i < bytes; i++) {
            g_string_append(out, "xx");
        }
    }
}

static bool append(const VeuGdbLayout *l, const VeuGdbThread *t,
                   uint64_t number, GString *out)
{
    uint64_t n = number - CORE;

    if (number < CORE) {
        append_core(t->offset, number, out);
        return true;
    }
    if (n == 0) {
        veu_gdb_append_hex(out, &t->lanes, sizeof(t->lanes));
        return true;
    }
    n--;
    if (n < l->predicate_count) {
        append_element(t->predicates->data, t->predicates->len * 4, n, 4, out);
        return true;
    }
    n -= l->predicate_count;
    if (n < l->address_count) {
        append_element(t->addresses->data, t->addresses->len * 2, n, 2, out);
        return true;
    }
    n -= l->address_count;
    if (n < l->grf_count) {
        append_element(t->registers->data, t->registers->len, n, l->grf_bytes,
                       out);
    }
    return n < l->grf_count;
}

bool veu_gdb_registers(const VeuGdbLayout *l, const VeuGdbThread *t,
                       int64_t number, GString *out)
{
    if (number >= 0) {
        return append(l, t, number, out);
    }
    for (uint64_t n = 0; append(l, t, n, out); n++) {}
    return true;
}
