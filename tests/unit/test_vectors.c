/*
 * veu unit tests: encodings that compilers write: visa_vectors.tsv.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every vector of a message of ours is split into fields, and is decoded unless
 * semantics.md refuses it. The rules are those of the second implementation,
 * and the reasons are counted. The declarations come from visa_decls.txt.
 */
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/message.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/room.h"
#include "tests/lib/data_file.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/ref.h"
#include "tests/lib/visa_text.h"

#define MAX_VARIABLES  512
#define MAX_PREDICATES 512
#define MAX_ADDRESSES  8
/* Texts that this reader does not know: "(4*4):ud", "V32.(2*32)". */
#define MAX_UNKNOWN    2

typedef struct Vector {
    const char *text;
    uint32_t count;
    uint8_t bytes[64];
} Vector;

typedef struct Vectors {
    char **lines;
    char **decls;
    unsigned count;
    Vector *vector;
    unsigned variable_count;
    struct veu_variable variables[MAX_VARIABLES];
    unsigned predicate_count;
    struct veu_predicate predicates[MAX_PREDICATES];
    unsigned address_count;
    struct veu_address addresses[MAX_ADDRESSES];
    RefProgram ref;
    VeuProgram *program;
} Vectors;

static bool read_vector(char *line, Vector *v)
{
    char *hex = *line == '#' ? NULL : strchr(line, '\t');

    if (!hex) {
        return false;
    }
    *hex++ = 0;
    v->text = line;
    for (v->count = 0; g_ascii_isxdigit(hex[0]); hex += 2) {
        g_assert_cmpuint(v->count, <, sizeof(v->bytes));
        v->bytes[v->count++] = g_ascii_xdigit_value(hex[0]) << 4 |
                               g_ascii_xdigit_value(hex[1]);
    }
    return true;
}

/* The number after @key in @line. */
static unsigned number(const char *line, const char *key)
{
    const char *at = strstr(line, key);

    g_assert_nonnull(at);
    return strtoul(at + strlen(key), NULL, 10);
}

static uint8_t type_code(const char *line)
{
    static const char *const names[] = { "ud", "d", "uw", "w",  "ub",   "b",
                                         "df", "f", "v",  "vf", "bool", "uq",
                                         "uv", "q", "hf", "bf" };
    const char *at = strstr(line, " type=") + 6;
    size_t length = strcspn(at, " ");

    for (uint8_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strlen(names[i]) == length && !strncmp(names[i], at, length)) {
            return i;
        }
    }
    g_assert_not_reached();
}

/* Lines like ".decl V32 v_type=G type=ud num_elts=128 align=GRF". */
static void read_declaration(Vectors *v, const char *line)
{
    if (strstr(line, "v_type=G")) {
        g_assert_cmpuint(number(line, ".decl V"), ==, 32 + v->variable_count);
        g_assert_cmpuint(v->variable_count, <, MAX_VARIABLES);
        v->variables[v->variable_count++] = (struct veu_variable){
            .elements = number(line, "num_elts="),
            .type = type_code(line),
        };
    } else if (strstr(line, "v_type=P")) {
        g_assert_cmpuint(number(line, ".decl P"), ==, 1 + v->predicate_count);
        g_assert_cmpuint(v->predicate_count, <, MAX_PREDICATES);
        v->predicates[v->predicate_count++].bits = number(line, "num_elts=");
    } else if (strstr(line, "v_type=A")) {
        g_assert_cmpuint(number(line, ".decl A"), ==, v->address_count);
        g_assert_cmpuint(v->address_count, <, MAX_ADDRESSES);
        v->addresses[v->address_count++].elements = number(line, "num_elts=");
    }
}

static void open_program(Vectors *v)
{
    VeuFault fault;

    v->program = veu_program_new();
    g_assert_true(veu_program_open_inline(v->program, 32, 32, v->variables,
                                          v->variable_count, v->predicate_count,
                                          NULL, 0, &fault));
    for (unsigned i = 0; i < v->predicate_count; i++) {
        v->program->predicate_bits[i] = v->predicates[i].bits;
    }
    for (unsigned i = 0; i < v->address_count; i++) {
        v->program->addresses[i] = (VeuAddressVariable){
            .first = v->program->address_element_count,
            .elements = v->addresses[i].elements,
        };
        v->program->address_element_count += v->addresses[i].elements;
        v->program->address_count++;
    }
    v->ref = (RefProgram){
        .simd = 32,
        .grf_bytes = 32,
        .variable_count = v->variable_count,
        .variables = v->variables,
        .predicate_count = v->predicate_count,
        .predicates = v->predicates,
        .address_count = v->address_count,
        .addresses = v->addresses,
    };
}

static void vectors_free(Vectors *v)
{
    g_strfreev(v->lines);
    g_strfreev(v->decls);
    g_free(v->vector);
    g_free(v->program);
    g_free(v);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Vectors, vectors_free)

static Vectors *vectors_new(void)
{
    g_autoptr(Vectors) v = g_new0(Vectors, 1);

    v->lines = test_data_lines("visa_vectors.tsv");
    v->decls = test_data_lines("visa_decls.txt");
    v->vector = g_new0(Vector, g_strv_length(v->lines));
    for (char **line = v->lines; *line; line++) {
        v->count += read_vector(*line, &v->vector[v->count]);
    }
    for (char **line = v->decls; *line; line++) {
        read_declaration(v, *line);
    }
    open_program(v);
    return g_steal_pointer(&v);
}

/*
 * The number of rows per mnemonic, as the head of visa_vectors.tsv lists them.
 */
static void test_there_are_vectors_of_all_messages(void)
{
    g_autoptr(Vectors) v = vectors_new();
    unsigned counts[TEST_KINDS] = { 0 };

    for (unsigned i = 0; i < v->count; i++) {
        RefMessage m;
        RefFault fault;

        ref_decode(&v->ref, v->vector[i].bytes, v->vector[i].count, &m, &fault);
        counts[m.kind]++;
    }
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_test_message("%s: %u vectors", test_layouts[kind].name, counts[kind]);
        g_assert_cmpuint(counts[kind], >=, 5);
    }
}

/* The text, read here and encoded by tests/lib, gives the vendor's bytes. */
static void test_every_vector_says_what_its_text_says(void)
{
    g_autoptr(Vectors) v = vectors_new();
    unsigned unknown = 0;

    for (unsigned i = 0; i < v->count; i++) {
        const Vector *vector = &v->vector[i];
        TestMessage m;
        TestCode code;

        if (!test_visa_text(vector->text, &m)) {
            g_test_message("not read: %s", vector->text);
            unknown++;
            continue;
        }
        code = test_encode(&m);
        if (code.count != vector->count ||
            memcmp(code.bytes, vector->bytes, code.count)) {
            g_test_message("%s", vector->text);
            g_test_fail();
        }
    }
    g_test_message("%u texts are read, %u not", v->count - unknown, unknown);
    g_assert_cmpuint(unknown, <=, MAX_UNKNOWN);
}

/*
 * Compares each field, as the execution unit reads it, with what was encoded.
 */
static bool same_field(const VeuEncodedField *field, TestMessage *m,
                       TestField which)
{
    const void *member = test_field(m, which);
    const TestRaw *raw = member;
    const TestScalar *s = member;

    switch (test_field_bytes(which)) {
    case 1:
        return field->number == *(const uint8_t *)member;
    case 2:
        return field->number == *(const uint16_t *)member;
    case 6:
        return field->raw.id == raw->id && field->raw.offset_byte == raw->byte;
    default:
        return field->scalar.class == (s->tag & 7) &&
               field->scalar.modifier == s->tag >> 3 &&
               field->scalar.type == s->type && field->scalar.row == s->row &&
               field->scalar.column == s->column &&
               field->scalar.region == s->region && field->scalar.id == s->id;
    }
}

static void check_fields(const Vector *vector)
{
    VeuEncoding encoding;
    VeuFault fault = { 0 };
    TestMessage m;
    unsigned count = 0;

    g_assert_true(
        veu_encoding_parse(vector->bytes, vector->count, &encoding, &fault));
    if (!test_visa_text(vector->text, &m)) {
        return;
    }
    for (const uint8_t *f = test_layouts[m.kind].fields; *f; f++, count++) {
        VeuField field = encoding.info->fields[count];

        if (encoding.at[field] != test_encode(&m).at[*f] ||
            !same_field(&encoding.field[field], &m, *f)) {
            g_test_message("field %u: %s", count, vector->text);
            g_test_fail();
        }
    }
    g_assert_cmpuint(encoding.info->fields[count], ==, VEU_FIELD_END);
}

static void test_every_vector_is_cut_into_the_fields_of_its_text(void)
{
    g_autoptr(Vectors) v = vectors_new();

    for (unsigned i = 0; i < v->count; i++) {
        check_fields(&v->vector[i]);
    }
}

static void test_every_vector_parses_to_exactly_its_length(void)
{
    g_autoptr(Vectors) v = vectors_new();

    for (unsigned i = 0; i < v->count; i++) {
        const Vector *vector = &v->vector[i];
        g_autofree uint8_t *exact = g_memdup2(vector->bytes, vector->count);
        VeuEncoding encoding;
        VeuFault fault = { 0 };

        if (!veu_encoding_parse(exact, vector->count, &encoding, &fault) ||
            encoding.bytes != vector->count) {
            g_test_message("%s", vector->text);
            g_test_fail();
        }
        g_assert_cmphex(fault.code, ==, 0);
    }
}

/* Returns what is wrong with the scalar at @at. */
static const char *scalar_reason(const uint8_t *scalar)
{
    if (scalar[0] >> 3) {
        return "scalar: modifier";
    }
    switch (scalar[0] & 7) {
    case TEST_CLASS_INDIRECT:
        return "scalar: indirect, not an integer";
    case TEST_CLASS_IMMEDIATE:
        return "scalar: float or packed immediate";
    default:
        return "scalar: variable, not an integer or too small";
    }
}

static const char *raw_reason(const Vectors *v, const uint8_t *raw)
{
    uint32_t id = raw[0] | raw[1] << 8;

    if (id < 32) {
        return "raw: predefined variable";
    }
    return id - 32 < v->variable_count ? "raw: type, alignment or extent" :
                                         "raw: not declared";
}

/* Returns the field of the vector at @at. */
static TestField field_at(TestKind kind, const Vector *vector, uint32_t at)
{
    const TestLayout *layout = &test_layouts[kind];
    uint32_t next = layout->sub ? 2 : 1;

    for (const uint8_t *f = layout->fields; *f; f++) {
        unsigned bytes = test_field_bytes(*f);
        const uint8_t *code = vector->bytes + next;

        if (at == next) {
            return *f;
        }
        if (bytes == 0) {
            bytes = (code[0] & 7) != TEST_CLASS_IMMEDIATE ? 9 :
                    code[1] == VEU_TYPE_DF || code[1] == VEU_TYPE_UQ ||
                            code[1] == VEU_TYPE_Q ?
                                                            10 :
                                                            6;
        }
        next += bytes;
    }
    return TEST_FIELD_END;
}

/* Returns why a vector is refused, in the words of semantics.md. */
static const char *reason(const Vectors *v, const Vector *vector, TestKind kind,
                          const RefFault *fault)
{
    TestField field = field_at(kind, vector, fault->detail);

    if (fault->code == VEU_FAULT_MESSAGE_PREDICATE) {
        return "predicate narrower than mask offset + lanes";
    }
    if (fault->code == VEU_FAULT_MESSAGE_FIELD) {
        return field == TEST_FIELD_EXEC ? "lanes that are not executed" :
               field == TEST_FIELD_NUM_BLOCKS ?
                                          "8 blocks, or several of 8 bytes" :
               field == TEST_FIELD_SIZE ? "16 owords, not of SLM" :
                                          "field: form that is not executed";
    }
    return test_field_bytes(field) == 0 ?
               scalar_reason(vector->bytes + fault->detail) :
               raw_reason(v, vector->bytes + fault->detail);
}

/* Legal vectors are decoded, the others refused because of the same field. */
static void test_vectors_are_decoded_unless_semantics_refuses_them(void)
{
    g_autoptr(Vectors) v = vectors_new();
    g_autoptr(GHashTable) reasons = g_hash_table_new(g_str_hash, g_str_equal);
    unsigned legal = 0;
    GHashTableIter iter;
    gpointer key;
    gpointer value;

    for (unsigned i = 0; i < v->count; i++) {
        const Vector *vector = &v->vector[i];
        g_autofree uint8_t *exact = g_memdup2(vector->bytes, vector->count);
        RefMessage ref;
        RefFault expected;
        VeuMessage message;
        VeuFault fault = { 0 };
        uint32_t next = 0;
        bool ok = ref_decode(&v->ref, exact, vector->count, &ref, &expected);

        if (veu_message_decode(v->program, exact, vector->count, 0, &message,
                               &next, &fault) != ok ||
            fault.code != expected.code || fault.detail != expected.detail ||
            (ok && next != vector->count)) {
            g_test_message("%s", vector->text);
            g_test_fail();
        }
        if (ok) {
            legal++;
        } else {
            gpointer why = (gpointer)reason(v, vector, ref.kind, &expected);
            guint n = GPOINTER_TO_UINT(g_hash_table_lookup(reasons, why));

            g_hash_table_insert(reasons, why, GUINT_TO_POINTER(n + 1));
        }
    }
    g_test_message("%u vectors: %u are executed", v->count, legal);
    g_hash_table_iter_init(&iter, reasons);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        g_test_message("%u refused, %s", GPOINTER_TO_UINT(value),
                       (const char *)key);
    }
    g_assert_cmpuint(legal, >=, v->count / 2);
}

/* Blocks have exactly that size, so that valgrind and ASan see over-reads. */
static void test_vectors_cut_short_anywhere_are_truncated(void)
{
    g_autoptr(Vectors) v = vectors_new();

    for (unsigned i = 0; i < v->count; i++) {
        const Vector *vector = &v->vector[i];

        for (uint32_t count = 1; count < vector->count; count++) {
            g_autofree uint8_t *exact = g_memdup2(vector->bytes, count);
            VeuEncoding encoding;
            VeuFault fault = { 0 };

            g_assert_false(veu_encoding_parse(exact, count, &encoding, &fault));
            g_assert_cmphex(fault.code, ==, VEU_FAULT_MESSAGE_TRUNCATED);
            g_assert_cmpuint(fault.detail, ==, count);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/vectors/" #name, test_##name)
    RULE(there_are_vectors_of_all_messages);
    RULE(every_vector_says_what_its_text_says);
    RULE(every_vector_is_cut_into_the_fields_of_its_text);
    RULE(every_vector_parses_to_exactly_its_length);
    RULE(vectors_are_decoded_unless_semantics_refuses_them);
    RULE(vectors_cut_short_anywhere_are_truncated);
#undef RULE
    return g_test_run();
}
