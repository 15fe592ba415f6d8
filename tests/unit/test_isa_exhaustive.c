/*
 * veu unit tests: all pairs of bytes and all words, against the second
 * implementation of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With VEU_TEST_ALL, all words are tested in each rounding mode, with and
 * without subnormal numbers; otherwise in a random mode.
 */
#include <string.h>
#include "tests/lib/isa_compare.h"

#define LANES     32
#define SRC0_AT   0
#define SRC1_AT   64
#define DST_AT    256
#define SECOND_AT 512

/*
 * The types of an instruction's operands: one for all sources except the
 * second.
 */
typedef struct Form {
    const IsaRow *row;
    uint8_t dst;
    uint8_t src0;
    uint8_t src1;
    uint8_t sat;
    uint8_t modifier; /* of src0 */
    uint8_t number;
} Form;

static void put_at(Code *code, uint8_t type, unsigned at, uint8_t modifier)
{
    IsaOperand o = isa_lanes_at(type, at);

    o.modifier = modifier;
    isa_put_operand(code, &o);
}

static void put_source(Code *code, const Form *f, unsigned n)
{
    put_at(code, n == 1 ? f->src1 : f->src0, n == 1 ? SRC1_AT : SRC0_AT,
           n == 0 ? f->modifier : ISA_PLAIN);
}

static void put_form(Code *code, const Form *f)
{
    unsigned sources = 0, destinations = 0;

    isa_put(code, f->row->opcode, 1);
    for (const char *c = f->row->fields; *c; c++) {
        if (*c == 'e') {
            isa_put(code, 0x80 | __builtin_ctz(LANES), 1);
        } else if (*c == 'p') {
            isa_put(code, 0, 2);
        } else if (*c == 'b') {
            isa_put(code, f->number, 1);
        } else if (*c == 'd' && destinations++ == 0) {
            put_at(code, f->dst, DST_AT, f->sat);
        } else if (*c == 'd') {
            put_at(code, f->dst, SECOND_AT, ISA_PLAIN);
        } else {
            put_source(code, f, sources++);
        }
    }
}

static unsigned count_sources(const IsaRow *row)
{
    unsigned count = 0;

    for (const char *c = row->fields; *c; c++) {
        count += *c == 's';
    }
    return count;
}

/* Converts to a dword, and back to a byte, also saturated. */
static void put_pair(Code *code, Form f)
{
    bool dwords = strchr("dD", f.row->types);

    f.dst = VEU_TYPE_D;
    put_form(code, &f);
    if (dwords) {
        f.dst = VEU_TYPE_UD;
        put_form(code, &f);
        return;
    }
    f.dst = f.src0;
    put_form(code, &f);
    if (f.row->saturation == 'y') {
        f.sat = ISA_SAT;
        put_form(code, &f);
    }
}

/* All operations on two integers; sad2 takes pairs and produces words. */
static bool takes_pairs(const IsaRow *row)
{
    return (row->integer || row->types == 'c') && count_sources(row) == 2 &&
           !strchr("os", row->types) && row->opcode != 0x2a;
}

/* The two variants of min and max, and all relations of cmp. */
static unsigned number_count(const IsaRow *row)
{
    return row->types == 'c' ? 6 : row->fields[1] == 'b' ? 2 : 1;
}

static void add_pairs(Code *code, uint8_t a, uint8_t b)
{
    for (unsigned n = 0; n < isa_row_count; n++) {
        Form f = { .row = &isa_rows[n], .src0 = a, .src1 = b };

        if (!takes_pairs(f.row)) {
            continue;
        }
        for (; f.number < number_count(f.row); f.number++) {
            put_pair(code, f);
        }
    }
}

static void run_with(IsaPair *p)
{
    isa_pair_start(p, UINT32_MAX);
    isa_pair_run(p, UINT32_MAX);
}

/* Combines each number with 32 others at a time. */
static void run_pairs(IsaPair *p)
{
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b += LANES) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                p->run.registers[SRC0_AT + lane] = a;
                p->run.registers[SRC1_AT + lane] = b + lane;
            }
            run_with(p);
        }
    }
}

static void begin(Code *code)
{
    memset(code, 0, sizeof(*code));
    isa_declare(code);
}

static void test_all_pairs_of_bytes(void)
{
    static const uint8_t types[] = { VEU_TYPE_UB, VEU_TYPE_B };
    g_autofree Code *code = g_new0(Code, 1);
    IsaPair *p = isa_pair_new();

    for (unsigned n = 0; n < 4; n++) {
        begin(code);
        add_pairs(code, types[n & 1], types[n >> 1]);
        isa_put_return(code, LANES);
        isa_pair_load(p, code);
        run_pairs(p);
    }
    isa_pair_free(p);
}

/* Returns true if a row takes a word of this type as its only source. */
static bool takes(const IsaRow *row, uint8_t type)
{
    const char *letters = type == VEU_TYPE_BF ? "v" :
                          type == VEU_TYPE_HF ? "vhr" :
                                                "vtl";

    return count_sources(row) == 1 && strchr(letters, row->types);
}

/* mov converts to all types; others to those of their family. */
static void add_words(Code *code, const IsaRow *row, uint8_t type)
{
    static const uint8_t all[] = {
        VEU_TYPE_UB, VEU_TYPE_B,  VEU_TYPE_UW, VEU_TYPE_W,
        VEU_TYPE_UD, VEU_TYPE_D,  VEU_TYPE_UQ, VEU_TYPE_Q,
        VEU_TYPE_HF, VEU_TYPE_BF, VEU_TYPE_F,  VEU_TYPE_DF,
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(all); n++) {
        Form f = { .row = row, .src0 = type, .src1 = type, .dst = all[n] };

        if (row->types != 'v') {
            f.dst = type;
            put_form(code, &f);
            return;
        }
        put_form(code, &f);
        f.modifier = ISA_NEG;
        f.sat = ISA_SAT;
        put_form(code, &f);
    }
}

static void run_words(IsaPair *p, uint32_t cr0)
{
    memcpy(p->run.registers + CODE_CR0_AT, &cr0, sizeof(cr0));
    for (unsigned first = 0; first < 0x10000; first += LANES) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint16_t word = first + lane;

            memcpy(p->run.registers + SRC0_AT + 2 * lane, &word, sizeof(word));
        }
        run_with(p);
    }
}

static void run_modes(IsaPair *p)
{
    uint32_t random = g_random_int() & 0x14f0;

    if (!g_getenv("VEU_TEST_ALL")) {
        g_test_message("cr0 is %x", random);
        run_words(p, random);
        return;
    }
    for (unsigned mode = 0; mode < 4; mode++) {
        run_words(p, 0x14c0 | mode << 4);
        run_words(p, mode << 4);
    }
}

static void test_all_words(void)
{
    static const uint8_t types[] = { VEU_TYPE_UW, VEU_TYPE_W, VEU_TYPE_HF,
                                     VEU_TYPE_BF };
    g_autofree Code *code = g_new0(Code, 1);
    IsaPair *p = isa_pair_new();

    for (unsigned n = 0; n < G_N_ELEMENTS(types); n++) {
        begin(code);
        for (unsigned row = 0; row < isa_row_count; row++) {
            if (takes(&isa_rows[row], types[n])) {
                add_words(code, &isa_rows[row], types[n]);
            }
        }
        isa_put_return(code, LANES);
        isa_pair_load(p, code);
        run_modes(p);
    }
    isa_pair_free(p);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa-exhaustive/all-pairs-of-bytes",
                    test_all_pairs_of_bytes);
    g_test_add_func("/isa-exhaustive/all-words", test_all_words);
    return g_test_run();
}
