/*
 * veu tests: reading lines of vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * encoding.md, sections 2, 3 and 6.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/visa_text.h"

/* The rest of a line. */
typedef struct Text {
    const char *at;
    TestMessage *m;
} Text;

/*
 * Returns the groups of @pattern if it is next in the text; groups[0] is all of
 * it.
 */
static char **take(Text *t, const char *pattern)
{
    g_autofree char *anchored = g_strdup_printf("^\\s*(?:%s)", pattern);
    g_autoptr(GRegex) regex = g_regex_new(anchored, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int end;

    g_assert_nonnull(regex);
    if (!g_regex_match(regex, t->at, 0, &match)) {
        return NULL;
    }
    g_match_info_fetch_pos(match, 0, NULL, &end);
    t->at += end;
    return g_match_info_fetch_all(match);
}

static int64_t number(const char *digits)
{
    return *digits == '-' ? g_ascii_strtoll(digits, NULL, 0) :
           strncmp(digits, "0x", 2) == 0 || strncmp(digits, "0X", 2) == 0 ?
                            (int64_t)g_ascii_strtoull(digits, NULL, 16) :
                            (int64_t)g_ascii_strtoull(digits, NULL, 10);
}

/* Returns the number of @word in the list, or -1. */
static int index_of(const char *list, const char *word)
{
    g_auto(GStrv) words = g_strsplit(list, " ", 0);

    for (int i = 0; words[i]; i++) {
        if (g_ascii_strcasecmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

static int type_code(const char *name)
{
    return index_of("ud d uw w ub b df f v vf bool uq uv q hf bf", name);
}

/* Reads "(!P1.any)" and the like. */
static void read_predicate(Text *t)
{
    g_auto(GStrv)
        g = take(t, "\\(\\s*(!?)\\s*P(\\d+)\\s*\\.?\\s*(any|all|)\\s*\\)");

    if (g) {
        t->m->pred = number(g[2]) | (*g[1] ? TEST_PRED_INVERSE : 0) |
                     (!strcmp(g[3], "any") ? TEST_PRED_ANY :
                      !strcmp(g[3], "all") ? TEST_PRED_ALL :
                                             0);
    }
}

static bool read_mnemonic(Text *t)
{
    g_auto(GStrv) g = take(t, "([a-z0-9_]+)");

    for (TestKind kind = 0; g && kind < TEST_KINDS; kind++) {
        t->m->kind = kind;
        if (!strcmp(g[1], test_layouts[kind].name)) {
            return true;
        }
    }
    t->m->kind = TEST_FENCE;
    t->m->mask = !g || !strcmp(g[1], "fence_global") ? 0 :
                 !strcmp(g[1], "fence_local")        ? 0x20 :
                                                       0x80;
    return g && g_str_has_prefix(g[1], "fence_");
}

/* Letters that each stand for a bit. */
static uint8_t bits_of(const char *letters, const char *word)
{
    uint8_t bits = 0;

    for (; *word; word++) {
        const char *at = strchr(letters, g_ascii_toupper(*word));

        bits |= at ? 1u << (at - letters) : 0;
    }
    return bits;
}

/* The letters are E 1, I 2, S 4, C 8, R 10, L1 40. */
static void read_fence(Text *t, const char *word)
{
    g_autofree char *letters = g_strdup(word);

    if (g_str_has_suffix(letters, "L1")) {
        letters[strlen(letters) - 2] = 0;
        t->m->mask |= 0x40;
    }
    t->m->mask |= bits_of("EISCR", letters);
}

static bool read_op(Text *t, const char *word)
{
    static const char names[] =
        "add sub inc dec min max xchg cmpxchg and or xor minsint maxsint "
        "predec - - fmax fmin fcmpwr fadd fsub";
    static const uint8_t widths[] = { TEST_16_BIT, 0, TEST_64_BIT };
    int width = index_of("16 32 64", word);

    if (width < 0) {
        t->m->op = index_of(names, word);
        return index_of(names, word) >= 0;
    }
    t->m->op |= widths[width];
    return true;
}

/* Reads the @position-th suffix of the mnemonic. */
static bool read_suffix(Text *t, unsigned position, const char *word)
{
    TestMessage *m = t->m;

    switch (m->kind) {
    case TEST_GATHER:
    case TEST_SCATTER:
        m->elt_size = index_of("1 2 4", word);
        return true;
    case TEST_SVM_GATHER:
    case TEST_SVM_SCATTER:
        if (position == 0) {
            m->block_size = index_of("1 4 8", word);
        } else {
            m->num_blocks = index_of("1 2 4 8", word);
        }
        return true;
    case TEST_GATHER_SCALED:
    case TEST_SCATTER_SCALED:
    case TEST_QW_GATHER:
    case TEST_QW_SCATTER:
        m->num_blocks = index_of("1 2 4 8", word);
        return true;
    case TEST_DWORD_ATOMIC:
    case TEST_TYPED_ATOMIC:
    case TEST_SVM_ATOMIC:
        return read_op(t, word);
    case TEST_MEDIA_LD:
    case TEST_MEDIA_ST:
        m->mode = index_of("nomod modified top bottom top_mod bottom_mod",
                           word);
        return true;
    case TEST_SVM_BLOCK_LD:
    case TEST_SVM_BLOCK_ST:
        m->size = strcmp(word, "aligned") ? TEST_UNALIGNED_COMPILER : 0;
        return true;
    case TEST_FENCE:
        read_fence(t, word);
        return true;
    default:
        m->channels = bits_of("RGBA", word);
        return strcmp(word, "mod") != 0 || true;
    }
}

static bool read_suffixes(Text *t)
{
    char **g;
    bool ok = true;

    if (t->m->kind == TEST_SVM_BLOCK_LD || t->m->kind == TEST_SVM_BLOCK_ST) {
        t->m->size = TEST_UNALIGNED_COMPILER; /* the assembler's default */
    }
    for (unsigned i = 0; (g = take(t, "\\.([A-Za-z0-9_]+)")); i++) {
        ok = ok && read_suffix(t, i, g[1]);
        g_strfreev(g);
    }
    return ok;
}

/* "(M1, 16)", "(NoMask, 8)", "(16)"; blocks: "(4)", "(32, 8)". */
static bool read_size(Text *t)
{
    TestMessage *m = t->m;
    g_auto(GStrv)
        g = take(t, "\\(\\s*(?:(M(\\d)(_NM)?|NoMask|\\d+)\\s*,)?\\s*(\\d+)"
                    "\\s*\\)(?:\\s*\\.mod)?");
    int mask;
    int lanes;

    if (!g) {
        return m->kind == TEST_FENCE;
    }
    if (test_kind_has(m->kind, TEST_FIELD_WIDTH)) {
        m->width = number(g[1]);
        m->height = number(g[4]);
        return true;
    }
    if (test_kind_has(m->kind, TEST_FIELD_SIZE)) {
        m->size |= index_of("1 2 4 8 16", g[4]);
        return true;
    }
    mask = *g[2] ? number(g[2]) - 1 : 0;
    mask |= *g[3] || !strcmp(g[1], "NoMask") ? 8 : 0;
    lanes = index_of("1 2 4 8 16 32", g[4]);
    m->exec = mask << 4 | lanes;
    m->num_elts = mask << 4 | index_of("8 16 1", g[4]);
    return lanes >= 0;
}

static bool read_surface(Text *t, void *member)
{
    static const char names[] = "%slm T1 T2 TSS %bss %scratch";
    g_auto(GStrv) g = take(t, "(%?\\w+)");
    int index = g ? index_of(names, g[1]) : -1;

    *(uint8_t *)member = index >= 0 ? index : g ? number(g[1] + 1) : 0;
    return g != NULL;
}

/* "3"; "media_ld without plane" means 0. */
static bool read_plane(Text *t, void *member)
{
    g_auto(GStrv) g = take(t, "(\\d+)(?=\\s)");

    *(uint8_t *)member = g ? number(g[1]) : 0;
    return true;
}

static uint32_t variable(const char *name)
{
    static const struct {
        const char *name;
        uint32_t id;
    } predefined[] = {
        { "%null", 0 }, { "%r0", 7 }, { "%arg", 8 }, { "%retval", 9 }
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(predefined); i++) {
        if (!strcmp(name, predefined[i].name)) {
            return predefined[i].id;
        }
    }
    return number(name + 1);
}

/* "V32.64". */
static bool read_raw(Text *t, void *member)
{
    g_auto(GStrv) g = take(t, "(%\\w+|V\\d+)\\s*\\.\\s*(0[xX]\\w+|\\d+)");

    if (g) {
        *(TestRaw *)member = (TestRaw){ variable(g[1]), number(g[2]) };
    }
    return g != NULL;
}

/*
 * Reads "<8;8,1>": null is 0; 0, 1, 2, 4 ... 32 are 1, 2, 3 ...; VxH has no vs.
 */
static uint16_t region(const char *text)
{
    static const char codes[] = "- 0 1 2 4 8 16 32";
    g_auto(GStrv) parts = g_strsplit_set(text, ";,", 0);
    unsigned count = g_strv_length(parts);
    unsigned code = 0;

    for (unsigned i = 0; i < count; i++) {
        code |= index_of(codes, g_strstrip(parts[i])) << (4 * (i + 3 - count));
    }
    return code;
}

static bool read_modifier(Text *t, TestScalar *s)
{
    g_auto(GStrv) g = take(t, "\\((-abs|abs|-|sat|~)\\)");

    s->tag = g ? (index_of("abs - -abs sat ~", g[1]) + 1) << 3 : 0;
    return true;
}

static bool read_general(Text *t, TestScalar *s)
{
    g_auto(GStrv) g = take(t, "(%\\w+|V\\d+)\\s*\\((\\d+)\\s*,\\s*(\\d+)\\)"
                              "\\s*<([^>]*)>");

    if (g) {
        s->tag |= TEST_CLASS_GENERAL;
        s->id = variable(g[1]);
        s->row = number(g[2]);
        s->column = number(g[3]);
        s->region = region(g[4]);
    }
    return g != NULL;
}

static bool read_indirect(Text *t, TestScalar *s)
{
    g_auto(GStrv) g = take(t, "r\\[A(\\d+)\\((\\d+)\\)(?:\\s*,\\s*(-?\\w+))?\\]"
                              "\\s*<([^>]*)>:(\\w+)");

    if (g) {
        s->tag |= TEST_CLASS_INDIRECT;
        s->id = number(g[1]);
        s->column = number(g[2]);
        s->value = (uint16_t)(*g[3] ? number(g[3]) : 0);
        s->region = region(g[4]);
        s->type = type_code(g[5]);
    }
    return g != NULL;
}

/* Floats would need their own bits; only integers are needed here. */
static bool read_immediate(Text *t, TestScalar *s)
{
    g_auto(GStrv) g = take(t, "(-?(?:0[xX][0-9a-fA-F]+|\\d+)):(\\w+)");

    if (g) {
        s->tag |= TEST_CLASS_IMMEDIATE;
        s->type = type_code(g[2]);
        s->value = number(g[1]);
    }
    return g != NULL;
}

static bool read_scalar(Text *t, void *member)
{
    TestScalar *s = member;

    return read_modifier(t, s) &&
           (read_general(t, s) || read_indirect(t, s) || read_immediate(t, s));
}

static bool read_operand(Text *t, TestField field)
{
    void *member = test_field(t->m, field);

    switch (field) {
    case TEST_FIELD_SURFACE:
        return read_surface(t, member);
    case TEST_FIELD_PLANE:
        return read_plane(t, member);
    default:
        switch (test_field_bytes(field)) {
        case 0:
            return read_scalar(t, member);
        case 6:
            return read_raw(t, member);
        default: /* was read in the mnemonic or before it */
            return true;
        }
    }
}

/*
 * Reads operands in the order of the encoding; svm_atomic has dst after
 * addresses.
 */
static bool read_operands(Text *t)
{
    static const uint8_t svm_atomic[] = { TEST_FIELD_ADDRESS, TEST_FIELD_DATA,
                                          TEST_FIELD_SRC0, TEST_FIELD_SRC1,
                                          TEST_FIELD_END };
    const uint8_t *f = t->m->kind == TEST_SVM_ATOMIC ?
                           svm_atomic :
                           test_layouts[t->m->kind].fields;

    for (; *f != TEST_FIELD_END; f++) {
        if (!read_operand(t, *f)) {
            return false;
        }
    }
    return true;
}

bool test_visa_text(const char *line, TestMessage *m)
{
    Text t = { .at = line, .m = m };
    g_auto(GStrv) end = NULL;

    *m = (TestMessage){ 0 };
    read_predicate(&t);
    if (!read_mnemonic(&t) || !read_suffixes(&t) || !read_size(&t) ||
        !read_operands(&t)) {
        return false;
    }
    end = take(&t, "$");
    return end != NULL;
}
