/*
 * veu unit tests: the tables: one row for each thing, complete and without
 * overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/model.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/surface/format.h"
#include "hw/veu/eu/message/message.h"
#include "tests/lib/data_file.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/ref.h"

static void assert_text(const char *text)
{
    g_assert_nonnull(text);
    g_assert_cmpuint(strlen(text), >, 0);
}

/* Opcodes: encoding.md, section 3. */
static void test_messages_are_those_of_the_pages(void)
{
    static const struct {
        uint8_t opcode;
        uint8_t sub;
        const char *mnemonic;
    } pages[] = {
        { 0x35, 0, "oword_ld" },
        { 0x36, 0, "oword_st" },
        { 0x37, 0, "media_ld" },
        { 0x38, 0, "media_st" },
        { 0x39, 0, "gather" },
        { 0x3a, 0, "scatter" },
        { 0x3c, 0, "oword_ld_unaligned" },
        { 0x4b, 0, "gather4_typed" },
        { 0x4c, 0, "scatter4_typed" },
        { 0x4e, 1, "svm_block_ld" },
        { 0x4e, 2, "svm_block_st" },
        { 0x4e, 3, "svm_gather" },
        { 0x4e, 4, "svm_scatter" },
        { 0x4e, 5, "svm_atomic" },
        { 0x4e, 6, "svm_gather4scaled" },
        { 0x4e, 7, "svm_scatter4scaled" },
        { 0x5c, 0, "fence" },
        { 0x6d, 0x18, "sample_lz" },
        { 0x6e, 0x1a, "load_lz" },
        { 0x73, 0, "typed_atomic" },
        { 0x74, 0, "gather4_scaled" },
        { 0x75, 0, "scatter4_scaled" },
        { 0x78, 0, "gather_scaled" },
        { 0x79, 0, "scatter_scaled" },
        { 0x7d, 0, "dword_atomic" },
        { 0x86, 0, "qw_gather" },
        { 0x87, 0, "qw_scatter" },
    };

    g_assert_cmpuint(veu_message_count, ==, G_N_ELEMENTS(pages));
    for (unsigned i = 0; i < G_N_ELEMENTS(pages); i++) {
        uint8_t code[2] = { pages[i].opcode, pages[i].sub };
        const VeuMessageInfo *info = veu_message_find(code, 2);

        g_assert_nonnull(info);
        g_assert_cmpstr(info->mnemonic, ==, pages[i].mnemonic);
    }
}

/* Messages share an opcode only if both have sub-opcodes, which differ. */
static void test_no_two_encodings_overlap(void)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const VeuMessageInfo *a = &veu_messages[i];
            const VeuMessageInfo *b = &veu_messages[j];

            g_assert_cmpstr(a->mnemonic, !=, b->mnemonic);
            if (a->opcode == b->opcode) {
                g_assert_cmpuint(a->sub, !=, VEU_MESSAGE_NO_SUB);
                g_assert_cmpuint(b->sub, !=, VEU_MESSAGE_NO_SUB);
                g_assert_cmpuint(a->sub, !=, b->sub);
            }
        }
    }
}

static void test_message_rows_are_complete(void)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *m = &veu_messages[i];
        bool ended = false;

        assert_text(m->mnemonic);
        /* A message has surfaces in its row if, and only if, it names one. */
        g_assert_cmpint(m->surfaces != 0, ==,
                        memchr(m->fields, VEU_FIELD_SURFACE,
                               sizeof(m->fields)) != NULL);
        assert_text(m->summary);
        g_assert_cmpuint(m->fields[0], !=, VEU_FIELD_END);
        for (unsigned f = 0; f < VEU_MESSAGE_MAX_FIELDS && !ended; f++) {
            ended = m->fields[f] == VEU_FIELD_END;
            g_assert_cmpuint(m->fields[f], <, VEU_FIELD_COUNT);
            for (unsigned g = 0; g < f; g++) {
                g_assert_cmpuint(m->fields[g], !=, m->fields[f]);
            }
        }
        g_assert_true(ended);
    }
}

/* veu_message_find() depends on it. */
static void test_message_rows_ascend(void)
{
    for (unsigned i = 1; i < veu_message_count; i++) {
        g_assert_cmpuint(veu_messages[i - 1].opcode, <=,
                         veu_messages[i].opcode);
    }
}

static void test_field_rows_are_complete(void)
{
    for (unsigned f = VEU_FIELD_END + 1; f < VEU_FIELD_COUNT; f++) {
        assert_text(veu_fields[f].name);
        g_assert_true(veu_fields[f].decode != NULL);
    }
}

static void test_fault_rows_are_complete_and_unique(void)
{
    for (unsigned i = 0; i < veu_fault_count; i++) {
        const VeuFaultInfo *f = &veu_faults[i];

        g_assert_cmpuint(f->code, !=, 0);
        assert_text(f->name);
        assert_text(f->cause);
        assert_text(f->advice);
        g_assert_true(veu_fault_info(f->code) == f);
        for (unsigned j = 0; j < i; j++) {
            g_assert_cmpuint(veu_faults[j].code, !=, f->code);
            g_assert_cmpstr(veu_faults[j].name, !=, f->name);
        }
    }
    g_assert_null(veu_fault_info(0));
    g_assert_null(veu_fault_info(0xffff));
}

static void test_command_rows_are_complete_and_unique(void)
{
    for (unsigned i = 0; i < veu_command_count; i++) {
        const VeuCommandInfo *c = veu_commands[i];

        assert_text(c->name);
        assert_text(c->summary);
        g_assert_true(c->run != NULL);
        g_assert_true(c->slots >= 1 && c->slots <= VEU_COMMAND_MAX_SLOTS);
        g_assert_cmpuint(c->reserved_at + c->reserved_bytes, <=,
                         c->slots * VEU_SLOT_BYTES);
        g_assert_true(veu_command_find(c->opcode) == c);
        for (unsigned j = 0; j < i; j++) {
            g_assert_cmpuint(veu_commands[j]->opcode, !=, c->opcode);
            g_assert_cmpstr(veu_commands[j]->name, !=, c->name);
        }
    }
}

static void check_registers(const VeuRegister *rows, unsigned count,
                            uint32_t block_bytes)
{
    for (unsigned i = 0; i < count; i++) {
        const VeuRegister *r = &rows[i];
        uint64_t bits = r->bytes == 8 ? UINT64_MAX : UINT32_MAX;

        assert_text(r->name);
        assert_text(r->text);
        g_assert_true(r->bytes == 4 || r->bytes == 8);
        g_assert_cmpuint(r->offset % r->bytes, ==, 0);
        g_assert_cmpuint(r->offset + r->bytes, <=, block_bytes);
        g_assert_cmphex(r->reset & ~bits, ==, 0);
        g_assert_cmphex(r->writable & ~bits, ==, 0);
        g_assert_cmpint(r->access == VEU_REGISTER_RO, ==, r->writable == 0);
        for (unsigned j = 0; j < i; j++) {
            g_assert_true(r->offset >= rows[j].offset + rows[j].bytes ||
                          rows[j].offset >= r->offset + r->bytes);
            g_assert_cmpstr(rows[j].name, !=, r->name);
        }
    }
}

static void test_register_rows_are_complete_and_do_not_overlap(void)
{
    check_registers(veu_device_registers, VEU_DEVICE_ROWS, VEU_RING_BLOCK);
    check_registers(veu_ring_registers, VEU_RING_ROWS, VEU_RING_BLOCK_STRIDE);
    check_registers(veu_context_registers, VEU_CONTEXT_ROWS,
                    VEU_CONTEXT_BLOCK_STRIDE);
    check_registers(veu_scanout_registers, VEU_SCANOUT_ROWS,
                    VEU_SCANOUT_BLOCK_BYTES);
}

/* The blocks of all rings, contexts, ... are side by side in BAR0. */
static void test_register_blocks_do_not_overlap(void)
{
    g_assert_cmpuint(VEU_RING_BLOCK + VEU_MAX_RINGS * VEU_RING_BLOCK_STRIDE, <=,
                     VEU_CONTEXT_BLOCK);
    g_assert_cmpuint(VEU_CONTEXT_BLOCK +
                         VEU_MAX_RINGS * VEU_CONTEXT_BLOCK_STRIDE,
                     <=, VEU_SCANOUT_BLOCK);
    g_assert_cmpuint(VEU_SCANOUT_BLOCK + VEU_SCANOUT_BLOCK_BYTES, <=,
                     VEU_MSIX_TABLE_OFFSET);
    g_assert_cmpuint(VEU_MSIX_TABLE_OFFSET + (VEU_MAX_RINGS + 1) * 16, <=,
                     VEU_MSIX_PBA_OFFSET);
    g_assert_cmpuint(VEU_MSIX_PBA_OFFSET, <, VEU_BAR_REGS_BYTES);
}

/* The channels of a row in the notation of surface_formats.tsv. */
static char *layout(const VeuFormat *f)
{
    static const char *const types[] = {
        [VEU_CHANNEL_FLOAT] = "FLOAT", [VEU_CHANNEL_UFLOAT] = "UFLOAT",
        [VEU_CHANNEL_UNORM] = "UNORM", [VEU_CHANNEL_SNORM] = "SNORM",
        [VEU_CHANNEL_SRGB] = "SRGB",   [VEU_CHANNEL_SINT] = "SINT",
        [VEU_CHANNEL_UINT] = "UINT",
    };
    GString *text = g_string_new(NULL);
    unsigned bit = 0;

    VEU_FOR_EACH_CHANNEL(c, f) {
        g_assert_cmpuint(c->bit, ==, bit);
        g_string_append_printf(text, "%s%c:%u:%s", bit ? " " : "",
                               "RGBA"[c->name], c -> bits, types[c->type]);
        bit += c->bits;
    }
    /* the remaining bits of the texel have no channel */
    if (bit < f->bytes * 8u) {
        g_string_append_printf(text, "%sX:%u:VOID", bit ? " " : "",
                               f->bytes * 8u - bit);
    }
    return g_string_free(text, FALSE);
}

static void check_format(const VeuFormat *f, char **columns)
{
    g_autofree char *own = layout(f);

    g_assert_cmpstr(f->name, ==, columns[1]);
    g_assert_cmpuint(f->bytes * 8, ==, g_ascii_strtoull(columns[2], NULL, 10));
    g_assert_cmpstr(own, ==, columns[3]);
    g_assert_cmpint(f->atomics, ==, strcmp(columns[6], "-") != 0);
}

/* Exactly the formats of the hardware's typed writes, sRGB, and RAW. */
static void test_formats_are_those_of_the_hardware(void)
{
    g_auto(GStrv) lines = test_data_lines("surface_formats.tsv");
    unsigned found = 0;

    for (char **line = lines; *line; line++) {
        g_auto(GStrv) columns = g_strsplit(*line, "\t", 0);
        const VeuFormat *f;

        if (!g_str_has_prefix(*line, "0x")) {
            continue;
        }
        g_assert_cmpuint(g_strv_length(columns), ==, 7);
        f = veu_format_find(g_ascii_strtoull(columns[0], NULL, 16));
        g_assert_nonnull(f);
        if (f) {
            found++;
            check_format(f, columns);
        }
    }
    g_assert_cmpuint(found, ==, 50);
    g_assert_cmpuint(veu_format_count, ==, 50);
}

/* This also compares the rows of the second implementation. */
static void test_format_rows_are_complete_and_unique(void)
{
    g_assert_cmpuint(veu_format_count, ==, ref_format_count);
    for (unsigned i = 0; i < veu_format_count; i++) {
        const VeuFormat *f = &veu_formats[i];
        const RefFormat *ref = ref_format(f->code);

        g_assert_nonnull(ref);
        g_assert_cmpstr(f->name, ==, ref->name);
        g_assert_cmpuint(f->bytes, ==, ref_texel_bytes(ref));
        g_assert_cmpuint(f->bytes, <=, VEU_MAX_TEXEL_BYTES);
        g_assert_cmpint(f->atomics, ==, ref->atomics);
        for (unsigned name = 0; name < 4; name++) {
            const VeuChannel *own = veu_format_channel(f, name);
            RefChannel c;

            g_assert_cmpint(own != NULL, ==,
                            ref_channel(ref, "RGBA"[name], &c));
            g_assert_true(!own || (own->bit == c.bit && own->bits == c.bits));
        }
        g_assert_true(veu_format_find(f->code) == f);
        for (unsigned j = 0; j < i; j++) {
            g_assert_cmpuint(veu_formats[j].code, !=, f->code);
        }
    }
}

/* The code of texels relies on this. */
static void test_no_channel_crosses_a_dword(void)
{
    for (unsigned i = 0; i < veu_format_count; i++) {
        VEU_FOR_EACH_CHANNEL(c, &veu_formats[i]) {
            g_assert_cmpuint(c->bit / 32, ==, (c->bit + c->bits - 1) / 32);
            if (c->bits % 8) {
                g_assert_cmpuint(veu_formats[i].bytes, <=, 4);
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/tables/" #name, test_##name)
    RULE(messages_are_those_of_the_pages);
    RULE(no_two_encodings_overlap);
    RULE(message_rows_are_complete);
    RULE(message_rows_ascend);
    RULE(field_rows_are_complete);
    RULE(fault_rows_are_complete_and_unique);
    RULE(command_rows_are_complete_and_unique);
    RULE(register_rows_are_complete_and_do_not_overlap);
    RULE(register_blocks_do_not_overlap);
    RULE(formats_are_those_of_the_hardware);
    RULE(format_rows_are_complete_and_unique);
    RULE(no_channel_crosses_a_dword);
#undef RULE
    return g_test_run();
}
