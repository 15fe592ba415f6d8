/*
 * Encodings: reading returns what was written, for every message and field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/message.h"
#include "veu/program.h"

#define ROUNDS 2000

static uint32_t random_bits(void)
{
    return g_test_rand_int();
}

static void random_scalar(VeuEncodedScalar *scalar)
{
    static const uint8_t classes[] = { VEU_SCALAR_GENERAL, VEU_SCALAR_INDIRECT,
                                       VEU_SCALAR_IMMEDIATE };

    scalar->class = classes[random_bits() % G_N_ELEMENTS(classes)];
    scalar->modifier = random_bits() & 0x1f;
    if (scalar->class == VEU_SCALAR_GENERAL) {
        scalar->id = random_bits();
        scalar->row = random_bits();
        scalar->column = random_bits();
        scalar->region = random_bits();
    } else if (scalar->class == VEU_SCALAR_INDIRECT) {
        scalar->id = (uint16_t)random_bits();
        scalar->column = random_bits();
        scalar->add_byte = random_bits();
        scalar->type = random_bits();
        scalar->region = random_bits();
    } else {
        bool wide = random_bits() & 1;

        scalar->type = wide ? VEU_TYPE_UQ : VEU_TYPE_HF;
        scalar->immediate = random_bits();
        if (wide) {
            scalar->immediate |= (uint64_t)random_bits() << 32;
        }
    }
}

static void random_field(VeuField field, VeuEncodedField *to)
{
    switch (veu_fields[field].kind) {
    case VEU_KIND_BYTE:
        to->number = field == VEU_FIELD_PARAMETERS ? random_bits() % 4 :
                                                     (uint8_t)random_bits();
        break;
    case VEU_KIND_WORD:
        to->number = random_bits();
        break;
    case VEU_KIND_RAW:
        to->raw.id = random_bits();
        to->raw.offset_byte = random_bits();
        break;
    case VEU_KIND_SCALAR:
        random_scalar(&to->scalar);
        break;
    }
}

static bool same_scalar(const VeuEncodedScalar *a, const VeuEncodedScalar *b)
{
    return a->class == b->class && a->modifier == b->modifier &&
           a->type == b->type && a->row == b->row && a->column == b->column &&
           a->region == b->region && a->id == b->id &&
           a->add_byte == b->add_byte && a->immediate == b->immediate;
}

static bool same_field(VeuField field, const VeuEncodedField *a,
                       const VeuEncodedField *b)
{
    switch (veu_fields[field].kind) {
    case VEU_KIND_RAW:
        return a->raw.id == b->raw.id &&
               a->raw.offset_byte == b->raw.offset_byte;
    case VEU_KIND_SCALAR:
        return same_scalar(&a->scalar, &b->scalar);
    default:
        return a->number == b->number;
    }
}

static void check_message(const VeuMessageInfo *info)
{
    VeuEncoding written = { .info = info };
    uint8_t code[VEU_MESSAGE_MAX_BYTES];
    VeuEncoding read;
    VeuFault fault;
    uint32_t bytes;

    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        random_field(*f, &written.field[*f]);
    }
    bytes = veu_encoding_write(&written, code);
    g_assert_cmpuint(bytes, <=, sizeof(code));
    g_assert_true(veu_encoding_parse(code, bytes, &read, &fault));
    g_assert_true(read.info == info);
    g_assert_cmpuint(read.bytes, ==, bytes);
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        bool left_out = info->samples && !read.at[*f];

        g_assert_true(left_out ?
                          read.field[*f].raw.id == 0 :
                          same_field(*f, &written.field[*f], &read.field[*f]));
    }
}

static void test_written_is_read(void)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            check_message(&veu_messages[i]);
        }
    }
}

/* Any bytes that form a message are written back unchanged. */
static void test_read_is_written(void)
{
    unsigned messages = 0;

    for (unsigned i = 0; i < veu_message_count * ROUNDS; i++) {
        const VeuMessageInfo *info = &veu_messages[i % veu_message_count];
        uint8_t code[VEU_MESSAGE_MAX_BYTES];
        uint8_t again[VEU_MESSAGE_MAX_BYTES];
        VeuEncoding encoding;
        VeuFault fault;

        for (unsigned at = 0; at < sizeof(code); at++) {
            code[at] = random_bits();
        }
        code[0] = info->opcode;
        code[1] = info->sub ? info->sub : code[1];
        if (veu_encoding_parse(code, sizeof(code), &encoding, &fault)) {
            g_assert_cmpuint(veu_encoding_write(&encoding, again), ==,
                             encoding.bytes);
            g_assert_cmpmem(code, encoding.bytes, again, encoding.bytes);
            messages++;
        }
    }
    g_assert_cmpuint(messages, >, veu_message_count * ROUNDS / 5);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/encoding/written-is-read", test_written_is_read);
    g_test_add_func("/encoding/read-is-written", test_read_is_written);
    return g_test_run();
}
