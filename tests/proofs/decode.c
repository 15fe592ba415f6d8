/*
 * veu proofs: reads of a program, and the places of its operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/encoding.c"
#include "hw/veu/eu/fault.c"
#include "hw/veu/eu/decode/field.c"
#include "hw/veu/eu/message/message_table.c"
#include "hw/veu/eu/decode/operand.c"
#include "hw/veu/eu/decode/load.c"
#include "hw/veu/eu/decode/load_sections.c"
#include "hw/veu/eu/decode/message.c"
#include "hw/veu/eu/program/type.c"
#include "hw/veu/eu/program/variable.c"
#include "tests/proofs/proof.h"

/* Provides exactly this number of bytes: a read past them is out of bounds. */
static uint8_t *take_bytes(uint32_t bytes)
{
    uint8_t *code = malloc(bytes);

    ASSUME(code);
    return code;
}

void opcodes_are_read_in_bounds(void)
{
    uint32_t bytes = nondet_u32();

    ASSUME(bytes <= VEU_MESSAGE_MAX_BYTES);
    uint8_t *code = take_bytes(bytes);
    const VeuMessageInfo *info = veu_message_find(code, bytes);

    REACHED(info && bytes == 1);
    REACHED(info && info->sub && bytes == 2);
    REACHED(!info && bytes == 1 && veu_message_has_sub(code[0]));
    PROVE(!info || bytes >= (info->sub == VEU_MESSAGE_NO_SUB ? 1 : 2),
          "what is found of a message is in its bytes");
    PROVE(!info || info->opcode == code[0], "it is the row of its opcode");
}

/*
 * Starts at any place in a message: whatever fields follow, none is read past
 * the end, and the next one starts at the end or before it.
 */
void fields_are_read_in_bounds(void)
{
    VeuCursor c = { .bytes = nondet_u32(), .at = nondet_u32() };
    uint32_t before = c.at;
    VeuFieldKind kind = nondet_u8();
    VeuEncodedField field;

    ASSUME(c.bytes <= VEU_MESSAGE_MAX_BYTES && c.at <= c.bytes);
    ASSUME(kind <= VEU_KIND_SCALAR);
    c.code = take_bytes(c.bytes);
    take_field(&c, kind, &field);
    REACHED(!c.failed && c.at == c.bytes && c.at - before == 10);
    REACHED(c.failed && c.at == c.bytes);
    PROVE(c.at >= before && c.at <= c.bytes, "a field is in the message");
    PROVE(c.failed || c.at > before, "and has a byte");
}

static struct veu_variable variables[VEU_LIMIT_VARIABLES];
static VeuAddressVariable addresses[VEU_LIMIT_ADDRESSES];
static VeuProgram program = {
    .room = { .variables = VEU_LIMIT_VARIABLES },
    .variables = variables,
    .addresses = addresses,
};
static VeuEncoding encoding;
static VeuMessageInfo row;

/* Any variables that are accepted. */
static void take_variables(void)
{
    uint32_t at;

    program.register_bytes = nondet_u32();
    program.grf_bytes = nondet_bool() ? 32 : 64;
    program.variable_count = nondet_u32();
    ASSUME(program.register_bytes <= VEU_LIMIT_REGISTER_BYTES);
    ASSUME(program.variable_count <= VEU_LIMIT_VARIABLES);
    for (unsigned i = 0; i < VEU_LIMIT_VARIABLES; i++) {
        struct veu_variable any;

        program.variables[i] = any;
        ASSUME(!veu_variable_bad_field(&program, &program.variables[i], &at));
    }
}

/*
 * The maximum size that lanes of a message take: 32 lanes of 4 channels of a
 * dword.
 */
#define MOST_BYTES 1024

void operands_are_in_the_registers(void)
{
    uint32_t extent = nondet_u32();
    uint32_t types = nondet_u32();
    VeuMessage message;
    VeuEncodedRaw any;
    VeuRaw raw = { 0 };

    take_variables();
    ASSUME(extent <= MOST_BYTES);
    ASSUME(types <= VEU_RAW_ANY);
    message.info = &row;
    bool good = raw_of_variable(&program, &message, &any, types, extent, &raw);

    REACHED(good && raw.register_byte + extent == VEU_LIMIT_REGISTER_BYTES);
    PROVE(!good || (raw.register_byte <= program.register_bytes &&
                    extent <= program.register_bytes - raw.register_byte),
          "all lanes of an operand are in the register file");
}

void scalars_are_in_the_registers(void)
{
    VeuEncodedScalar any;
    VeuScalar scalar;

    take_variables();
    bool good = decode_general(&program, &any, &scalar);

    REACHED(good && any.row == 255);
    PROVE(!good || scalar.register_byte + veu_type_bytes(scalar.type) <=
                       program.register_bytes,
          "a scalar operand is in the register file");
}

/* Any address variables, as read_addresses() lays them out. */
void addresses_are_in_the_address_registers(void)
{
    VeuEncodedScalar any;
    VeuScalar scalar;

    program.address_count = nondet_u32();
    ASSUME(program.address_count <= VEU_LIMIT_ADDRESSES);
    for (unsigned i = 0; i < program.address_count; i++) {
        uint32_t elements = nondet_u32();

        ASSUME(elements >= 1 && elements <= VEU_MAX_ADDRESS_ELEMENTS);
        program.addresses[i].first = program.address_element_count;
        program.addresses[i].elements = elements;
        program.address_element_count += elements;
    }
    bool good = decode_indirect(&program, &any, &scalar);

    REACHED(good && any.column == 15);
    PROVE(!good || scalar.address < program.address_element_count,
          "an address operand is one that the program has");
}

void sections_are_in_the_program(void)
{
    struct veu_section s;
    uint32_t bytes = nondet_u32();
    uint32_t last = nondet_bool() ? VEU_SECTION_ADDRESSES :
                                    VEU_SECTION_FUNCTIONS;
    uint32_t field;

    ASSUME(bytes <= VEU_LIMIT_PROGRAM_BYTES);
    ASSUME(!bad_section_field(&s, &program.room, last, bytes, &field));
    REACHED(s.offset == bytes);
    REACHED(s.type == VEU_SECTION_VARIABLES && s.offset + s.bytes == bytes);
    PROVE((VeuWide)s.offset + s.bytes <= bytes,
          "a section that is taken is in the program");
    PROVE(s.type != VEU_SECTION_VARIABLES ||
              (s.bytes % 8 == 0 && s.bytes / 8 <= VEU_LIMIT_VARIABLES),
          "variables are whole, and not too many");
    PROVE(s.type >= 1 && s.type <= last, "its type is one of the kind's");
}
