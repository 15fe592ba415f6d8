/*
 * veu-run: --gdb: the registers that gdb sees.
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
#include "hw/veu/eu/instruction/flow.h"
#include "tools/veu-run/gdb.h"

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

static unsigned grf_count(const VeuProgram *p)
{
    return p->register_bytes / p->grf_bytes;
}

char *run_gdb_description(const VeuThread *t)
{
    const VeuProgram *p = t->program;
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
        p->grf_bytes / 4);
    for (unsigned i = 0; i < p->predicate_count; i++) {
        g_string_append_printf(
            xml, "<reg name=\"p%u\" bitsize=\"32\" type=\"int32\"/>", i + 1);
    }
    for (unsigned i = 0; i < p->address_element_count; i++) {
        g_string_append_printf(
            xml, "<reg name=\"a%u\" bitsize=\"16\" type=\"int16\"/>", i);
    }
    for (unsigned i = 0; i < grf_count(p); i++) {
        g_string_append_printf(
            xml, "<reg name=\"g%u\" bitsize=\"%u\" type=\"grf\"/>", i,
            p->grf_bytes * 8);
    }
    g_string_append(xml, "</feature></target>");
    return g_string_free(xml, FALSE);
}

static void append_core(uint32_t offset, unsigned number, GByteArray *out)
{
    uint8_t bytes[10] = { 0 };

    if (number == RIP) {
        memcpy(bytes, &offset, sizeof(offset));
    }
    g_byte_array_append(out, bytes, core[number].bits / 8);
}

static bool append(const VeuThread *t, uint32_t offset, uint64_t number,
                   GByteArray *out)
{
    const VeuProgram *p = t->program;
    uint64_t n = number - CORE;

    if (number < CORE) {
        append_core(offset, number, out);
        return true;
    }
    if (n == 0) {
        g_byte_array_append(out, (const uint8_t *)&t->flow->running, 4);
        return true;
    }
    n--;
    if (n < p->predicate_count) {
        g_byte_array_append(out, (const uint8_t *)&t->predicates[n], 4);
        return true;
    }
    n -= p->predicate_count;
    if (n < p->address_element_count) {
        g_byte_array_append(out, (const uint8_t *)&t->addresses[n], 2);
        return true;
    }
    n -= p->address_element_count;
    if (n < grf_count(p)) {
        g_byte_array_append(out, t->registers + n * p->grf_bytes, p->grf_bytes);
    }
    return n < grf_count(p);
}

bool run_gdb_registers(const VeuThread *t, uint32_t offset, int64_t number,
                       GByteArray *out)
{
    if (number >= 0) {
        return append(t, offset, number, out);
    }
    for (uint64_t n = 0; append(t, offset, n, out); n++) {}
    return true;
}
