/*
 * veu tests: programs in memory: include/veu/program.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/program_builder.h"

void test_program_init(TestProgram *p)
{
    memset(p, 0, sizeof(*p));
    p->header = (struct veu_program_header){
        .magic = 0x50554556, /* "VEUP" */
        .version = 1,
        .kind = 0,
        .grf_bytes = 32,
        .register_bytes = 1024,
    };
}

uint32_t test_program_variable(TestProgram *p, uint32_t offset,
                               unsigned elements, uint8_t type)
{
    g_assert_cmpuint(p->variable_count, <, PROGRAM_MAX_VARIABLES);
    p->variables[p->variable_count] = (struct veu_variable){
        .offset = offset,
        .elements = elements,
        .type = type,
    };
    return 32 + p->variable_count++;
}

unsigned test_program_predicate(TestProgram *p, unsigned bits)
{
    g_assert_cmpuint(p->predicate_count, <, PROGRAM_MAX_PREDICATES);
    p->predicates[p->predicate_count].bits = bits;
    return ++p->predicate_count;
}

unsigned test_program_address(TestProgram *p, unsigned elements)
{
    g_assert_cmpuint(p->address_count, <, PROGRAM_MAX_ADDRESSES);
    p->addresses[p->address_count].elements = elements;
    return p->address_count++;
}

uint32_t test_program_add(TestProgram *p, const TestMessage *message)
{
    TestCode code = test_encode(message);
    uint32_t at = p->code_bytes;

    g_assert_cmpuint(at + code.count, <=, PROGRAM_MAX_CODE);
    memcpy(p->code + at, code.bytes, code.count);
    p->code_bytes += code.count;
    return at;
}

static uint32_t put(uint8_t *to, uint32_t at, const void *from, uint32_t bytes)
{
    memcpy(to + at, from, bytes);
    return at + bytes;
}

static uint32_t put_section(uint8_t *to, uint32_t at, uint32_t type,
                            uint32_t offset, uint32_t bytes)
{
    struct veu_section section = { type, offset, bytes, 0 };

    return put(to, at, &section, sizeof(section));
}

uint32_t test_program_build(const TestProgram *p, uint8_t to[PROGRAM_MAX_BYTES])
{
    struct veu_program_header header = p->header;
    uint32_t variables = p->variable_count * sizeof(p->variables[0]);
    uint32_t predicates = p->predicate_count * sizeof(p->predicates[0]);
    uint32_t addresses = p->address_count * sizeof(p->addresses[0]);
    uint32_t predicates_at = PROGRAM_SECTIONS_END + variables;
    uint32_t addresses_at = predicates_at + predicates;
    uint32_t code_at = addresses_at + addresses;
    uint32_t at = sizeof(header);

    header.section_count = 4;
    header.bytes = code_at + p->code_bytes;
    put(to, 0, &header, sizeof(header));
    at = put_section(to, at, VEU_SECTION_CODE, code_at, p->code_bytes);
    at = put_section(to, at, VEU_SECTION_VARIABLES, PROGRAM_SECTIONS_END,
                     variables);
    at = put_section(to, at, VEU_SECTION_PREDICATES, predicates_at, predicates);
    at = put_section(to, at, VEU_SECTION_ADDRESSES, addresses_at, addresses);
    at = put(to, at, p->variables, variables);
    at = put(to, at, p->predicates, predicates);
    at = put(to, at, p->addresses, addresses);
    return put(to, at, p->code, p->code_bytes);
}
