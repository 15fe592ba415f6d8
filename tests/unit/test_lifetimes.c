/*
 * veu unit tests: lifetimes of variables, and which of them share registers
 * (tools/kernel/lifetime.h, docs/kernels.md, "Places of variables").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lives and places of each program are stated by hand. Instructions are
 * numbered from 0, labels included.
 */
#include <string.h>
#include "tools/kernel/kernel_internal.h"
#include "tools/kernel/lifetime.h"
#include "tools/kernel/operands.h"
#include "tools/visa/assemble.h"

#define GRF 32

#define DECLARE(name, type, elements) \
    ".decl " name " v_type=G type=" type " num_elts=" elements " align=byte\n"
#define ALIAS(name, type, elements, of)                        \
    ".decl " name " v_type=G type=" type " num_elts=" elements \
    " align=byte alias=<" of ">\n"
#define PREDICATE(name, elements) \
    ".decl " name " v_type=P num_elts=" elements "\n"

/* Types or sizes differ, so that no two variables become one. */
#define DECLARATIONS                                    \
    ".decl a v_type=G type=ud num_elts=8 align=byte\n"  \
    ".decl b v_type=G type=d num_elts=8 align=byte\n"   \
    ".decl c v_type=G type=f num_elts=8 align=byte\n"   \
    ".decl s v_type=G type=ud num_elts=1 align=byte\n"  \
    ".decl t v_type=G type=d num_elts=1 align=byte\n"   \
    ".decl q v_type=G type=uq num_elts=1 align=byte\n"  \
    ".decl v v_type=G type=ud num_elts=16 align=byte\n" \
    ".decl w v_type=G type=d num_elts=16 align=byte\n"  \
    ".decl h v_type=G type=hf num_elts=32 align=byte\n" \
    ".decl P1 v_type=P num_elts=8\n"                    \
    ".decl P2 v_type=P num_elts=8\n"                    \
    ".decl P3 v_type=P num_elts=16\n"                   \
    ".decl P4 v_type=P num_elts=1\n"                    \
    ".decl A0 v_type=A num_elts=8\n"                    \
    ".decl T6 v_type=T num_elts=1\n"                    \
    ".decl S0 v_type=S num_elts=1\n"

#define SET(to)        "mov (M1, 8) " to "(0,0)<1> 0x1:ud\n"
#define MOVE(to, from) "mov (M1, 8) " to "(0,0)<1> " from "(0,0)<1;1,0>\n"
#define USE(from)      MOVE("%null", from)
#define COMPARE(p)     "cmp.eq (M1, 8) " p " 0x0:ud 0x1:ud\n"
#define JUMP(p, label) "(" p ") goto (M1, 8) " label "\n"
#define ADDRESS(of)    "addr_add (M1_NM, 1) A0(0)<1> &" of " 0x0:uw\n"
/* P2 is live in it. */
#define LOOP(code)     "L:\n" code JUMP("P2", "L")
#define CALL(label)    "call (M1, 8) " label "\n"
#define RETURN         "ret (M1, 8)\n"
#define SUBROUTINE(label, code) \
    ".function \"" label "\"\n" label ":\n" code RETURN
#define FUNCTION(name, code) \
    ".version 4.1\n.global_function \"" name "\"\n" code "fret (M1, 8)\n"

/* --- Programs ------------------------------------------------------------ */

typedef struct Linked {
    VisaObject *object;
    VisaLinked linked;
} Linked;

static void link_with(Linked *l, const char *code, GHashTable *addresses)
{
    g_autofree char *text = g_strconcat(".version 4.1\n.kernel k\n",
                                        DECLARATIONS, code, NULL);
    VisaError error = { 0 };

    l->object = visa_assemble(text, GRF, &error);
    if (!l->object || !visa_link(&l->linked, l->object,
                                 g_ptr_array_index(l->object->routines, 0),
                                 addresses, &error)) {
        g_error("%s\nline %u: %s", text, error.line, error.message);
    }
}

static void link_text(Linked *l, const char *code)
{
    link_with(l, code, NULL);
}

static void unlink_text(Linked *l)
{
    visa_linked_free(&l->linked);
    visa_object_free(l->object);
}

static const VisaSymbol *symbol_of(const Linked *l, VisaKind kind, unsigned i)
{
    return &g_array_index(l->linked.routine->symbols[kind], VisaSymbol, i);
}

static void add_lives(GString *out, const Linked *l, VisaKind kind,
                      const KernelLife *lives)
{
    for (unsigned i = 0; i < l->linked.routine->symbols[kind]->len; i++) {
        if (lives[i].first <= lives[i].last) {
            g_string_append_printf(out, "%s %u-%u ",
                                   symbol_of(l, kind, i)->name, lives[i].first,
                                   lives[i].last);
        }
    }
}

/* "a 1-4 P1 2-3 ": the lives of what is used, in the order of declaration. */
static GString *lives_of(const char *code)
{
    GString *out = g_string_new(NULL);
    VisaError error = { 0 };
    KernelLives lives;
    Linked l;

    link_text(&l, code);
    g_assert_true(kernel_lives(&lives, &l.linked, &error));
    add_lives(out, &l, VISA_VARIABLE, lives.variables);
    add_lives(out, &l, VISA_PREDICATE, lives.predicates);
    kernel_lives_free(&lives);
    unlink_text(&l);
    return out;
}

/*
 * "a@32 b@64 P8 P16 ": the entries of the tables of variables, which share
 * places, and the sizes of those of predicates; or the error.
 */
static GString *places_of(const char *code, bool one_place)
{
    GString *out = g_string_new(NULL);
    VisaError error = { 0 };
    VisaLayout layout;
    Linked l;

    link_text(&l, code);
    if (veu_kernel_place_variables(&l.linked, &layout, GRF, 0, one_place,
                                   &error)) {
        for (unsigned i = 0; i < l.linked.routine->symbols[VISA_VARIABLE]->len;
             i++) {
            g_string_append_printf(out, "%s@%u ",
                                   symbol_of(&l, VISA_VARIABLE, i)->name,
                                   layout.register_byte[i]);
        }
        for (unsigned i = 0; i < l.linked.routine->symbols[VISA_PREDICATE]->len;
             i++) {
            g_string_append_printf(out, "P%u ",
                                   symbol_of(&l, VISA_PREDICATE, i)->elements);
        }
    } else {
        g_string_append(out, error.message);
    }
    visa_layout_free(&layout);
    unlink_text(&l);
    return out;
}

typedef struct Case {
    const char *rule;
    const char *code;
    const char *expected;
} Case;

static void check(const Case *c, const GString *found)
{
    if (strcmp(found->str, c->expected)) {
        g_test_message("%s: \"%s\" instead of \"%s\"", c->rule, found->str,
                       c->expected);
        g_test_fail();
    }
}

static void check_lives(const Case *cases, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_autoptr(GString) found = lives_of(cases[i].code);

        check(&cases[i], found);
    }
}

static void check_places(const Case *cases, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_autoptr(GString) found = places_of(cases[i].code, false);

        check(&cases[i], found);
    }
}

/* --- Lives --------------------------------------------------------------- */

static void test_loops_extend_lives(void)
{
    static const Case cases[] = {
        { "from the first access to the last",
          SET("a") MOVE("b", "a") MOVE("c", "b") USE("b"),
          "a 0-1 b 1-3 c 2-2 " },
        { "a variable of one iteration", LOOP(SET("a") USE("a")),
          "a 1-2 P2 0-3 " },
        { "a value of the previous iteration", LOOP(USE("a") SET("a")),
          "a 0-3 P2 0-3 " },
        { "a value from before the loop", SET("a") LOOP(USE("a")),
          "a 0-3 P2 1-3 " },
        { "an operand of a message, from before the loop",
          SET("b") LOOP("gather_scaled.4 (M1, 8) T6 0x0:ud b.0 a.0\n"),
          "a 2-2 b 0-3 P2 1-3 " },
        { "a value for code after the loop", LOOP(SET("a")) USE("a"),
          "a 0-3 P2 0-2 " },
        { "a life around the loop", SET("a") LOOP("") USE("a"),
          "a 0-3 P2 1-2 " },
        { "lives before and after the loop",
          SET("a") USE("a") LOOP("") SET("b") USE("b"), "a 0-1 b 4-5 P2 2-3 " },
        { "an inner loop reads what an outer one writes",
          "M:\n" SET("a") LOOP(USE("a")) JUMP("P1", "M"),
          "a 1-4 P1 0-5 P2 0-5 " },
        { "the life reaches an earlier loop by a later one",
          "M:\n" SET("a") "L:\n" USE("a") JUMP("P1", "M") JUMP("P2", "L"),
          "a 0-5 P1 0-5 P2 0-5 " },
        { "a loop that jmp closes",
          "L:\n" USE("a") SET("a") "(P2) jmp (M1, 1) L\n", "a 0-3 P2 0-3 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

static void test_gotos_skip_the_first_write(void)
{
    static const Case cases[] = {
        { "to an access of the variable",
          LOOP(JUMP("P1", "X") SET("a") "X:\n" USE("a")),
          "a 0-5 P1 0-5 P2 0-5 " },
        { "to a place after all accesses",
          LOOP(JUMP("P1", "X") SET("a") USE("a") "X:\n"),
          "a 2-3 P1 0-5 P2 0-5 " },
        { "a goto after the write",
          LOOP(SET("a") JUMP("P1", "X") "X:\n" USE("a")),
          "a 1-4 P1 0-5 P2 0-5 " },
        { "a goto to a label before the write",
          LOOP(JUMP("P1", "X") "X:\n" SET("a") USE("a")),
          "a 3-4 P1 0-5 P2 0-5 " },
        { "a goto from outside of the loop",
          JUMP("P1", "X") LOOP(SET("a") "X:\n" USE("a")),
          "a 2-4 P1 0-0 P2 1-5 " },
        { "a label that an inner loop makes part of the life",
          "M:\n" JUMP("P1", "X") SET("a") "L:\n" USE("a") "X:\n" JUMP("P2", "L")
              JUMP("P1", "M"),
          "a 0-7 P1 0-7 P2 0-7 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

/* Each writes a variable of a loop, and is numbered 1. */
static void test_a_write_is_of_the_whole_variable(void)
{
    static const Case cases[] = {
        { "half of it", LOOP(SET("v") USE("v")), "v 0-3 P2 0-3 " },
        { "with a stride", LOOP("mov (M1, 8) a(0,0)<2> 0x1:ud\n" USE("a")),
          "a 0-3 P2 0-3 " },
        { "from a second element",
          LOOP("mov (M1, 8) a(0,1)<1> 0x1:ud\n" USE("a")), "a 0-3 P2 0-3 " },
        { "from a second row", LOOP("mov (M1, 8) a(1,0)<1> 0x1:ud\n" USE("a")),
          "a 0-3 P2 0-3 " },
        { "in lanes of a predicate",
          LOOP("(P1) mov (M1, 8) a(0,0)<1> 0x1:ud\n" USE("a")),
          "a 0-3 P1 0-3 P2 0-3 " },
        { "a choice by a predicate",
          LOOP("(P1) sel (M1, 8) a(0,0)<1> 0x1:ud 0x2:ud\n" USE("a")),
          "a 1-2 P1 0-3 P2 0-3 " },
        { "by a lane that may be off",
          LOOP("mov (M1, 1) s(0,0)<1> 0x1:ud\n" USE("s")), "s 0-3 P2 0-3 " },
        { "by a lane that is always on",
          LOOP("mov (M1_NM, 1) s(0,0)<1> 0x1:ud\n" USE("s")), "s 1-2 P2 0-3 " },
        { "by a lane with a stride",
          LOOP("mov (M1_NM, 1) s(0,0)<2> 0x1:ud\n" USE("s")), "s 1-2 P2 0-3 " },
        { "a scalar that is read first",
          LOOP("mov (M1_NM, 1) t(0,0)<1> s(0,0)<0;1,0>\n"),
          "s 0-2 t 1-1 P2 0-2 " },
        { "in 32 lanes",
          DECLARE("x", "ud", "32")
              LOOP("mov (M1, 32) x(0,0)<1> 0x1:ud\n" USE("x")),
          "x 1-2 P2 0-3 " },
        { "by its alias of all bytes",
          ALIAS("x", "f", "8", "a, 0") LOOP(SET("x") USE("a")),
          "a 1-2 P2 0-3 " },
        { "by its alias of half the bytes",
          ALIAS("x", "uw", "8", "a, 0") LOOP(SET("x") USE("a")),
          "a 0-3 P2 0-3 " },
        { "of its alias that is larger",
          ALIAS("x", "uq", "8", "a, 0") LOOP(SET("a") USE("x")),
          "a 0-3 P2 0-3 " },
        { "by an alias that begins later",
          ALIAS("x", "ud", "4", "s, 4") LOOP(SET("x") USE("x")),
          "s 0-3 P2 0-3 " },
        { "an input",
          ".input a offset=64 size=32\n" USE("b") LOOP(SET("a") USE("a")),
          "a 0-4 b 0-0 P2 1-4 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

static void test_a_write_is_of_the_whole_predicate(void)
{
    static const Case cases[] = {
        { "all lanes", LOOP(COMPARE("P1") "(P1) " USE("b")),
          "b 0-3 P1 1-2 P2 0-3 " },
        { "fewer lanes than bits", LOOP(COMPARE("P3") "(P3) " USE("b")),
          "b 0-3 P2 0-3 P3 0-3 " },
        { "setp",
          LOOP("setp (M1, 8) P1 0x1:ud\n"
               "(P1) " USE("b")),
          "b 0-3 P1 1-2 P2 0-3 " },
        { "a read first", LOOP("and (M1, 8) P1 P1 P2\n"), "P1 0-2 P2 0-2 " },
        { "a lane that may be off",
          LOOP("cmp.eq (M1, 1) P4 0x0:ud 0x1:ud\n"
               "(P4) " USE("b")),
          "b 0-3 P2 0-3 P4 0-3 " },
        { "a lane that is always on",
          LOOP("cmp.eq (M1_NM, 1) P4 0x0:ud 0x1:ud\n"
               "(P4) " USE("b")),
          "b 0-3 P2 0-3 P4 1-2 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

static void test_a_message_writes_the_whole_variable(void)
{
    static const Case cases[] = {
        { "a dword of each lane",
          LOOP("gather_scaled.4 (M1, 8) T6 0x0:ud b.0 a.0\n" USE("a")),
          "a 1-2 b 0-3 P2 0-3 " },
        { "half of the variable",
          LOOP("gather_scaled.4 (M1, 8) T6 0x0:ud b.0 v.0\n" USE("v")),
          "b 0-3 v 0-3 P2 0-3 " },
        { "from its second register",
          LOOP("gather_scaled.4 (M1, 16) T6 0x0:ud w.0 v.32\n" USE("v")),
          "v 0-3 w 0-3 P2 0-3 " },
        { "what is stored is read",
          LOOP("scatter_scaled.4 (M1, 8) T6 0x0:ud b.0 a.0\n" USE("a")),
          "a 0-3 b 0-3 P2 0-3 " },
        { "lanes of a predicate",
          LOOP("(P1) gather4_scaled.R (M1, 8) T6 0x0:ud b.0 a.0\n" USE("a")),
          "a 0-3 b 0-3 P1 0-3 P2 0-3 " },
        { "a channel",
          LOOP("gather4_scaled.R (M1, 8) T6 0x0:ud b.0 a.0\n" USE("a")),
          "a 1-2 b 0-3 P2 0-3 " },
        { "a channel of two",
          LOOP("gather4_scaled.G (M1, 8) T6 0x0:ud b.0 v.0\n" USE("v")),
          "b 0-3 v 0-3 P2 0-3 " },
        { "two channels",
          LOOP("gather4_scaled.RA (M1, 8) T6 0x0:ud b.0 v.0\n" USE("v")),
          "b 0-3 v 1-2 P2 0-3 " },
        { "dwords are not halves",
          LOOP("gather4_scaled.R (M1, 16) T6 0x0:ud w.0 h.0\n" USE("h")),
          "w 0-3 h 1-2 P2 0-3 " },
        { "a sampler's halves",
          LOOP("sample_lz.R (M1, 16) 0x0:uw S0 T6 h.0 w.0 w.0\n" USE("h")),
          "w 0-3 h 0-3 P2 0-3 " },
        { "a sampler's dwords",
          LOOP("sample_lz.R (M1, 16) 0x0:uw S0 T6 v.0 w.0 w.0\n" USE("v")),
          "v 1-2 w 0-3 P2 0-3 " },
        { "a gather from addresses",
          LOOP("svm_gather.4.1 (M1, 8) v.0 a.0\n" USE("a")),
          "a 1-2 v 0-3 P2 0-3 " },
        { "channels from addresses",
          LOOP("svm_gather4scaled.RG (M1, 8) q(0,0)<0;1,0> w.0 v.0\n" USE("v")),
          "q 0-3 v 1-2 w 0-3 P2 0-3 " },
        { "owords", LOOP("oword_ld (2) T6 0x0:ud a.0\n" USE("a")),
          "a 1-2 P2 0-3 " },
        { "owords of half the variable",
          LOOP("oword_ld (1) T6 0x0:ud a.0\n" USE("a")), "a 0-3 P2 0-3 " },
        { "a block at an address",
          LOOP("svm_block_ld (2) q(0,0)<0;1,0> a.0\n" USE("a")),
          "a 1-2 q 0-3 P2 0-3 " },
        { "the old values of an atomic",
          LOOP("dword_atomic.add (M1, 8) T6 b.0 c.0 %null.0 a.0\n" USE("a")),
          "a 1-2 b 0-3 c 0-3 P2 0-3 " },
        { "a rectangle may be smaller",
          LOOP("media_ld.nomod (4,8) T6 0 0x0:ud 0x0:ud a.0\n" USE("a")),
          "a 0-3 P2 0-3 " },
        { "six operands",
          "(P1) typed_atomic.add (M1, 8) T6 a.0 b.0 c.0 v.0 w.0 %null.0 h.0\n",
          "a 0-0 b 0-0 c 0-0 v 0-0 w 0-0 h 0-0 P1 0-0 " },
        { "the base of a message is read",
          LOOP("oword_ld (2) T6 s(0,0)<0;1,0> a.0\n"
               "(P1) mov (M1_NM, 1) "
               "s(0,0)<1> 0x1:ud\n" USE("a")),
          "a 1-3 s 0-4 P1 0-4 P2 0-4 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

static void test_addresses_keep_variables_alive(void)
{
    static const Case cases[] = {
        { "in the whole kernel", SET("b") ADDRESS("a") USE("a") USE("b"),
          "a 0-4 b 0-3 " },
        { "not in its subroutines",
          SET("b") ADDRESS("a") CALL("f") RETURN SUBROUTINE("f", USE("b")),
          "a 0-4 b 0-5 " },
        { "in the whole subroutine",
          SET("b") CALL("f")
              RETURN SUBROUTINE("f", SET("c") ADDRESS("a") USE("c")),
          "a 3-8 b 0-0 c 4-6 " },
        { "by the address of a part",
          ALIAS("x", "uw", "8", "a, 16") SET("b") ADDRESS("x") USE("b"),
          "a 0-3 b 0-2 " },
    };

    check_lives(cases, G_N_ELEMENTS(cases));
}

/* --- Places -------------------------------------------------------------- */

/* Register 0 is %r0; frames begin with the next one. */
static void test_places_of_a_frame(void)
{
    static const Case cases[] = {
        { "a place is taken again after the last access",
          SET("a") MOVE("b", "a") MOVE("c", "b"), "a@32 b@64 c@32 " },
        { "not while a loop reads the value",
          SET("a") LOOP(USE("a") SET("b")) SET("c"), "a@32 b@64 c@32 P8 " },
        { "larger variables are first", DECLARE("x", "uw", "8") MOVE("s", "x"),
          "s@48 x@32 " },
        { "gaps are filled in order",
          MOVE("a", "b") MOVE("c", "a") MOVE("s", "t") USE("b") USE("c"),
          "a@32 b@64 c@96 s@32 t@36 " },
        { "64 bytes begin with a line", SET("s") MOVE("v", "s"), "s@32 v@64 " },
        { "60 bytes need not", DECLARE("x", "ud", "15") SET("s") MOVE("x", "s"),
          "s@32 x@36 " },
        { "results of messages begin with a register",
          SET("s") "gather_scaled.4 (M1, 8) T6 0x0:ud b.0 a.0\n" USE("s"),
          "a@64 b@96 s@32 " },
        { "operands of messages begin with a register",
          SET("s")
              SET("b") "gather_scaled.4 (M1, 8) T6 0x0:ud b.0 a.0\n" USE("s"),
          "a@96 b@64 s@32 " },
        { "operands of messages that begin with a line",
          SET("a") MOVE(
              "b", "a") "gather_scaled.4 (M1, 16) T6 0x0:ud w.0 v.0\n" USE("b"),
          "a@32 b@64 v@128 w@192 " },
        { "an alignment that is declared",
          ".decl x v_type=G type=uw num_elts=1 align=qword\n" SET("s")
              MOVE("x", "s"),
          "s@32 x@40 " },
        { "the alignment of an alias",
          ".decl x v_type=G type=uw num_elts=1 align=qword alias=<t, 0>\n" SET(
              "s") MOVE("t", "s"),
          "s@32 t@40 x@40 " },
        { "an alignment that an alias does not need",
          ".decl x v_type=G type=uw num_elts=1 align=qword\n" ALIAS(
              "y", "ub", "2", "x, 0") SET("s") MOVE("x", "s"),
          "s@32 x@40 y@40 " },
        { "an alias is a part of its variable",
          ALIAS("x", "uw", "2", "a, 8") ALIAS("y", "ub", "1", "x, 3") SET("y"),
          "a@32 x@40 y@43 " },
        { "an alias that is longer makes its variable longer",
          ALIAS("x", "uw", "4", "s, 2") MOVE("s", "t") USE("x"),
          "s@32 t@42 x@34 " },
        { "parts of variables without a life",
          ALIAS("x", "uw", "2", "b, 8") SET("a"), "a@32 " },
        { "parts of %sp", ALIAS("x", "ud", "1", "%sp, 4") USE("x"), "x@36 " },
        { "parts of %r0", ALIAS("x", "ud", "2", "%r0, 24") USE("x"), "x@24 " },
    };

    check_places(cases, G_N_ELEMENTS(cases));
}

/* A callee must not change what is live in its callers. */
static void test_frames_of_callees_follow_their_callers(void)
{
    static const Case cases[] = {
        { "a call",
          SET("a") CALL("f") USE("a") RETURN SUBROUTINE("f", SET("b")),
          "a@32 b@64 " },
        { "two callees",
          SET("a") CALL("f") CALL("g") RETURN SUBROUTINE("f", SET("b"))
              SUBROUTINE("g", SET("c")),
          "a@32 b@64 c@64 " },
        { "a callee of a callee",
          SET("a") CALL("f") RETURN SUBROUTINE("f", SET("b") CALL("g"))
              SUBROUTINE("g", SET("c")),
          "a@32 b@64 c@96 " },
        { "a callee that the code has first",
          SET("a") CALL("g") CALL("f") RETURN SUBROUTINE("f", SET("b"))
              SUBROUTINE("g", SET("c") CALL("f")),
          "a@32 b@96 c@64 " },
        { "two callees, one of which calls",
          SET("a") CALL("f") CALL("g")
              RETURN SUBROUTINE("f", SET("b") CALL("i"))
                  SUBROUTINE("g", SET("c")) SUBROUTINE("i", SET("s")),
          "a@32 b@64 c@64 s@96 " },
        { "a callee of two routines",
          CALL("f") CALL("g") RETURN SUBROUTINE("f", SET("v") CALL("i"))
              SUBROUTINE("g", SET("s") CALL("i")) SUBROUTINE("i", SET("t")),
          "s@32 t@128 v@64 " },
        { "a frame ends after all of its variables",
          SET("a") MOVE("b", "a") MOVE("c", "b") CALL("f")
              RETURN SUBROUTINE("f", SET("t")),
          "a@32 b@64 c@32 t@96 " },
        { "a frame begins with a register",
          SET("s") CALL("f") RETURN SUBROUTINE("f", SET("t")), "s@32 t@64 " },
        { "a function",
          SET("a") "fcall (M1, 8) f 0 0\n" RETURN FUNCTION(
              "f", DECLARE("x", "ud", "8") SET("x")),
          "a@32 x@64 " },
        { "functions whose addresses are taken",
          SET("a") "faddr f q(0,0)<1>\nfaddr g q(0,0)<1>\n"
                   "ifcall (M1, 8) q(0,0)<0;1,0> 0 0\n" RETURN FUNCTION(
                       "f", DECLARE("x", "ud", "8") SET("x"))
                       FUNCTION("g", DECLARE("y", "uw", "8") SET("y")),
          "a@32 q@32 x@64 y@64 " },
        { "a function that nothing calls",
          SET("a") RETURN FUNCTION("f", DECLARE("x", "ub", "8") SET("x")),
          "a@32 x@32 " },
        { "a variable of two routines has no frame",
          SET("s") SET("a") CALL("f") RETURN SUBROUTINE("f", USE("s") SET("b")),
          "a@64 b@96 s@32 " },
        { "all variables of several routines live at once",
          SET("s") USE("s") SET("v") CALL("f")
              RETURN SUBROUTINE("f", USE("s") USE("v") SET("t")),
          "s@32 t@128 v@64 " },
        { "recursion", CALL("f") RETURN SUBROUTINE("f", CALL("f")),
          "a function calls itself, directly or through others" },
        { "recursion through others",
          CALL("f") RETURN SUBROUTINE("f", CALL("g"))
              SUBROUTINE("g", CALL("f")),
          "a function calls itself, directly or through others" },
    };

    check_places(cases, G_N_ELEMENTS(cases));
}

static void test_frames_follow_the_image(void)
{
    static const Case cases[] = {
        { "an input", ".input a offset=96 size=32\n" MOVE("b", "a"),
          "a@96 b@128 " },
        { "an input that nothing reads",
          ".input a offset=96 size=32\n" SET("b"), "a@96 b@128 " },
        { "a register of inputs",
          ".input t offset=100 size=4\n"
          ".input s offset=96 size=4\n" SET("b"),
          "b@128 s@96 t@100 " },
        { "inputs in any order",
          ".input a offset=96 size=32\n"
          ".input b offset=32 size=32\n" SET("c"),
          "a@96 b@32 c@128 " },
        { "variables of several routines",
          ".input s offset=96 size=4\n" SET("t") CALL("f")
              RETURN SUBROUTINE("f", USE("t")),
          "s@96 t@128 " },
        { "inputs that are not variables",
          ".input T6 offset=96 size=4\n" SET("a"), "a@32 " },
        { "predefined variables of several elements",
          "add (M1_NM, 1) q(0,0)<1> %retval(0,0)<0;1,0> %sp(0,0)<0;1,0>\n",
          "q@448 " },
        { "predefined variables",
          "add (M1_NM, 1) q(0,0)<1> %sp(0,0)<0;1,0> %fp(0,0)<0;1,0>\n",
          "q@96 " },
        { "those of %r0",
          "add (M1_NM, 1) s(0,0)<1> %group_id_x(0,0)<0;1,0> "
          "%thread_x(0,0)<0;1,0>\n",
          "s@32 " },
    };

    check_places(cases, G_N_ELEMENTS(cases));
}

/* The id of a predicate has 12 bits. */
static void test_a_kernel_has_300_predicates(void)
{
    g_autoptr(GString) code = g_string_new(NULL);
    g_autoptr(GString) found = NULL;

    for (unsigned i = 5; i <= 300; i++) {
        g_string_append_printf(code, PREDICATE("P%u", "8"), i);
    }
    g_string_append(code, COMPARE("P1") COMPARE("P300"));
    found = lives_of(code->str);
    g_assert_cmpstr(found->str, ==, "P1 0-0 P300 1-1 ");
}

/* docs/spec.md, section 6, DEV-6.6: dwords 1, 6 and 7 are x, y and z. */
static void test_r0_has_the_group(void)
{
    static const uint32_t bytes[] = { 0, 4, 6, 4, 24, 28 };
    VisaError error = { 0 };
    VisaLayout layout;
    Linked l;

    link_text(&l, SET("a") CALL("f") CALL("g") RETURN SUBROUTINE("f", SET("v"))
                      SUBROUTINE("g", SET("s")));
    g_assert_true(veu_kernel_place_variables(&l.linked, &layout, GRF, 100,
                                             false, &error));
    for (uint32_t id = 1; id < G_N_ELEMENTS(bytes); id++) {
        g_assert_cmpuint(layout.predefined_byte[id], ==, bytes[id]);
    }
    g_assert_cmpuint(layout.predefined_byte[VISA_ID_R0], ==, 0);
    g_assert_true(layout.predefined[VISA_ID_R0]);
    /* 128 to 160 for the kernel, and a line for its callees */
    g_assert_cmpuint(layout.bytes, ==, 256);
    visa_layout_free(&layout);
    unlink_text(&l);
}

static void test_entries_of_tables_are_merged(void)
{
    static const Case cases[] = {
        { "variables of one place and type",
          DECLARE("x", "ud", "8") SET("a") USE("a") SET("x"), "a@32 " },
        { "not of another type",
          DECLARE("x", "uq", "8") DECLARE("y", "d", "18") SET("x") USE("x")
              SET("y"),
          "x@64 y@64 " },
        { "not of other sizes",
          DECLARE("x", "ud", "4") SET("a") USE("a") SET("x"), "a@32 x@32 " },
        { "predicates",
          COMPARE("P1") JUMP("P1", "X") COMPARE("P2") JUMP("P2", "X") "X:\n",
          "P8 " },
        { "predicates in the order of code",
          COMPARE("P2") JUMP("P2", "X") COMPARE("P1") JUMP("P1", "X") "X:\n",
          "P8 " },
        { "not of other sizes",
          COMPARE("P1") JUMP("P1", "X") COMPARE("P3") JUMP("P3", "X") "X:\n",
          "P8 P16 " },
        { "not while both are needed",
          COMPARE("P1") COMPARE("P2") JUMP("P1", "X") JUMP("P2", "X") "X:\n",
          "P8 P8 " },
        { "not by one instruction", COMPARE("P1") "and (M1, 8) P2 P1 P1\n",
          "P8 P8 " },
        { "not while the second of an entry is needed",
          PREDICATE("P5", "8") COMPARE("P1") JUMP("P1", "X") COMPARE("P2")
              COMPARE("P5") JUMP("P2", "X") JUMP("P5", "X") "X:\n",
          "P8 P8 " },
        { "not of other routines",
          COMPARE("P1") CALL("f") RETURN SUBROUTINE("f", COMPARE("P2")),
          "P8 P8 " },
        { "not of several routines",
          COMPARE("P1") JUMP("P1", "X") "X:\n" CALL("f")
              RETURN SUBROUTINE("f", COMPARE("P1") CALL("g"))
                  SUBROUTINE("g", COMPARE("P2") CALL("i"))
                      SUBROUTINE("i", COMPARE("P2")),
          "P8 P8 " },
    };

    check_places(cases, G_N_ELEMENTS(cases));
}

/* "P1 V32 ": the operands of the code once places are shared, sources first. */
static void test_the_code_names_the_entries(void)
{
    g_autoptr(GString) found = g_string_new(NULL);
    VisaError error = { 0 };
    VisaLayout layout;
    const GByteArray *code;
    Linked l;

    link_text(
        &l,
        COMPARE(
            "P2") "cmp.eq (M1, 16) P3 0x0:ud 0x1:ud\n"
                  "(!P3) gather4_scaled.R (M1, 16) T6 s(0,0)<0;1,0> w.0 v.0\n"
                  "(P2) " MOVE("b", "a"));
    g_assert_true(
        veu_kernel_place_variables(&l.linked, &layout, GRF, 0, false, &error));
    code = l.linked.routine->code;
    for (uint32_t at = 0; at < code->len;) {
        KernelInstruction i;

        g_assert_true(kernel_instruction_read(l.linked.routine, code->data + at,
                                              code->len - at, &i));
        for (unsigned o = 0; o < i.operand_count; o++) {
            g_string_append_printf(found, "%c%u ",
                                   i.operands[o].kind == VISA_PREDICATE ? 'P' :
                                                                          'V',
                                   i.operands[o].id);
        }
        at += i.bytes;
    }
    g_assert_cmpstr(found->str, ==, "P1 P2 P2 V34 V36 V35 P1 V32 V33 ");
    visa_layout_free(&layout);
    unlink_text(&l);
}

/*
 * Finds the lives of "(P1) mov a", whose variable and predicate have the ids
 * @variable and @predicate instead. Returns the error.
 */
static char *lives_with_ids(uint32_t variable, uint32_t predicate)
{
    VisaError error = { 0 };
    KernelLives lives;
    GByteArray *code;
    Linked l;

    link_text(&l, "(P1) " SET("a"));
    code = l.linked.routine->code;
    kernel_instruction_rename(code->data, code->len,
                              &(KernelIds){ &variable, &predicate });
    kernel_lives(&lives, &l.linked, &error);
    kernel_lives_free(&lives);
    unlink_text(&l);
    return g_strdup(error.message);
}

/* The code of an object, which need not be from this assembler. */
static void test_operands_are_declared(void)
{
    static const struct {
        uint32_t variable;
        uint32_t predicate;
        const char *error;
    } cases[] = {
        { VEU_FIRST_VARIABLE + 8, 4, "" },
        { VEU_FIRST_VARIABLE + 9, 4, "an operand is not declared" },
        { UINT32_MAX, 4, "an operand is not declared" },
        { VEU_FIRST_VARIABLE + 8, 5, "an operand is not declared" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *error = lives_with_ids(cases[i].variable,
                                                cases[i].predicate);

        g_assert_cmpstr(error, ==, cases[i].error);
    }
}

static void test_each_has_its_own_place_on_request(void)
{
    g_autoptr(GString)
        found = places_of(SET("a") USE("a") SET("c") COMPARE("P1")
                              JUMP("P1", "X") COMPARE("P2")
                                  JUMP("P2", "X") "X:\n",
                          true);

    g_assert_cmpstr(found->str, ==, "a@32 c@64 P8 P8 ");
}

#define TOO_LARGE                                          \
    "its variables take more than the 65536 bytes of the " \
    "register file"

static void test_the_register_file_has_an_end(void)
{
    static const Case cases[] = {
        { "all of it", DECLARE("x", "ud", "16368") SET("x"), "x@64 " },
        { "a dword more", DECLARE("x", "ud", "16369") SET("x"), TOO_LARGE },
        { "all of it, by several routines",
          DECLARE("x", "ud", "16368") SET("x") CALL("f")
              RETURN SUBROUTINE("f", SET("x")),
          "x@64 " },
        { "a dword more, by several routines",
          DECLARE("x", "ud", "16369") SET("x") CALL("f")
              RETURN SUBROUTINE("f", SET("x")),
          TOO_LARGE },
        { "two variables", DECLARE("x", "ud", "16368") MOVE("x", "s"),
          "s@32 x@64 " },
        { "one too many", DECLARE("x", "ud", "16368") MOVE("x", "a") SET("s"),
          "a@32 s@32 x@64 " },
        { "a type without a size", DECLARE("x", "v", "1") SET("a"),
          "x has a type that no variable may have, or no elements" },
        { "aliases of aliases",
          ALIAS("x", "ub", "1", "s, 65535") ALIAS("y", "ub", "1", "x, 1")
              SET("y"),
          "y is outside of its variable" },
    };

    check_places(cases, G_N_ELEMENTS(cases));
}

/* The kernel, and one subroutine less than the limit, or as many. */
static void test_there_are_at_most_4096_routines(void)
{
    for (unsigned count = 4095; count <= 4096; count++) {
        g_autoptr(GString) code = g_string_new(SUBROUTINE("main", SET("a")));
        g_autoptr(GString) found = NULL;

        for (unsigned i = 0; i < count; i++) {
            g_string_append_printf(code, ".function \"f%u\"\nf%u:\n" RETURN, i,
                                   i);
        }
        found = places_of(code->str, false);
        g_assert_cmpstr(found->str, ==,
                        count < 4096 ?
                            "a@32 " :
                            "it has 4097 routines, and may have 4096");
    }
}

static void test_tables_have_limits(void)
{
    static const struct {
        const char *line;
        unsigned declared; /* by DECLARATIONS */
        unsigned most;
        const char *says;
    } tables[] = {
        { "L%u:\n", 0, 32768, "it has 32769 labels, and may have 32768" },
        { PREDICATE("P%u_", "1"), 4, 65536,
          "it has 65537 predicates, and may have 65536" },
        { DECLARE("v%u", "ud", "1"), 9, 65536,
          "it has 65537 variables, and may have 65536" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autoptr(GString) code = g_string_new(NULL);
        g_autoptr(GString) fits = NULL;
        g_autoptr(GString) refused = NULL;

        for (unsigned n = tables[i].declared; n < tables[i].most; n++) {
            g_string_append_printf(code, tables[i].line, n);
        }
        g_string_append(code, SET("a"));
        fits = places_of(code->str, false);
        g_assert_cmpstr(fits->str, ==, "a@32 ");
        g_string_append_printf(code, tables[i].line, tables[i].most);
        refused = places_of(code->str, false);
        g_assert_cmpstr(refused->str, ==, tables[i].says);
    }
}

/* --- Linking ------------------------------------------------------------- */

static void test_remarks_are_no_code(void)
{
    static const VisaSourceLine expected[] = { { .line = 7, .file = 0 },
                                               { .line = 3, .file = 1 } };
    const VisaSourceLine *found;
    Linked plain, l;

    link_text(&plain, SET("a") SET("b") SET("c"));
    link_text(
        &l,
        ".file \"a.cl\"\n.loc 7\nlifetime.start a\n" SET("a") ".loc 0\n" SET(
            "b") ".file \"b.cl\"\n.loc 3\n" SET("c") "lifetime.end a\n");
    g_assert_cmpmem(l.linked.routine->code->data, l.linked.routine->code->len,
                    plain.linked.routine->code->data,
                    plain.linked.routine->code->len);
    g_assert_cmpuint(l.linked.lines->len, ==, G_N_ELEMENTS(expected));
    found = (const VisaSourceLine *)l.linked.lines->data;
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpuint(found[i].line, ==, expected[i].line);
        g_assert_cmpuint(found[i].file, ==, expected[i].file);
    }
    g_assert_cmpuint(found[0].offset, ==, 0);
    g_assert_cmpuint(found[1].offset, ==,
                     plain.linked.routine->code->len / 3 * 2);
    unlink_text(&plain);
    unlink_text(&l);
}

/* faddr of a variable is a mov of its address, in whatever lanes run. */
static void test_addresses_are_moved(void)
{
    g_autoptr(GHashTable) addresses = g_hash_table_new(g_str_hash, g_str_equal);
    static uint64_t address = 0x123456789abcdef0;
    Linked expected, l;

    g_hash_table_insert(addresses, (char *)"data", &address);
    link_text(&expected, "mov (M1_NM, 1) q(0,0)<1> 0x123456789abcdef0:uq\n");
    link_with(&l, "faddr data q(0,0)<1>\n", addresses);
    g_assert_cmpmem(l.linked.routine->code->data, l.linked.routine->code->len,
                    expected.linked.routine->code->data,
                    expected.linked.routine->code->len);
    unlink_text(&expected);
    unlink_text(&l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lifetimes/loops-extend-lives", test_loops_extend_lives);
    g_test_add_func("/lifetimes/gotos-skip-the-first-write",
                    test_gotos_skip_the_first_write);
    g_test_add_func("/lifetimes/a-write-is-of-the-whole-variable",
                    test_a_write_is_of_the_whole_variable);
    g_test_add_func("/lifetimes/a-write-is-of-the-whole-predicate",
                    test_a_write_is_of_the_whole_predicate);
    g_test_add_func("/lifetimes/a-message-writes-the-whole-variable",
                    test_a_message_writes_the_whole_variable);
    g_test_add_func("/lifetimes/addresses-keep-variables-alive",
                    test_addresses_keep_variables_alive);
    g_test_add_func("/lifetimes/places-of-a-frame", test_places_of_a_frame);
    g_test_add_func("/lifetimes/frames-of-callees-follow-their-callers",
                    test_frames_of_callees_follow_their_callers);
    g_test_add_func("/lifetimes/frames-follow-the-image",
                    test_frames_follow_the_image);
    g_test_add_func("/lifetimes/a-kernel-has-300-predicates",
                    test_a_kernel_has_300_predicates);
    g_test_add_func("/lifetimes/r0-has-the-group", test_r0_has_the_group);
    g_test_add_func("/lifetimes/entries-of-tables-are-merged",
                    test_entries_of_tables_are_merged);
    g_test_add_func("/lifetimes/the-code-names-the-entries",
                    test_the_code_names_the_entries);
    g_test_add_func("/lifetimes/operands-are-declared",
                    test_operands_are_declared);
    g_test_add_func("/lifetimes/each-has-its-own-place-on-request",
                    test_each_has_its_own_place_on_request);
    g_test_add_func("/lifetimes/the-register-file-has-an-end",
                    test_the_register_file_has_an_end);
    g_test_add_func("/lifetimes/there-are-at-most-4096-routines",
                    test_there_are_at_most_4096_routines);
    g_test_add_func("/lifetimes/tables-have-limits", test_tables_have_limits);
    g_test_add_func("/lifetimes/remarks-are-no-code", test_remarks_are_no_code);
    g_test_add_func("/lifetimes/addresses-are-moved", test_addresses_are_moved);
    return g_test_run();
}
