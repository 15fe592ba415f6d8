/*
 * veu execution unit: loading a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The formats are in include/veu/program.h and docs/spec.md. Everything here
 * works on a copy and never reads guest memory.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/load_instructions.h"
#include "hw/veu/eu/decode/load_sections.h"
#include "hw/veu/eu/decode/message.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/program/variable.h"

static bool bad_field(VeuFault *fault, uint32_t at)
{
    return veu_fault_form(fault, VEU_FAULT_PROGRAM_FIELD, at);
}

/* @at: the offset of the variables, for the fault. */
static bool read_variables(VeuProgram *p, const void *from, uint32_t count,
                           uint32_t at, VeuFault *fault)
{
    memcpy(p->variables, from, count * sizeof(p->variables[0]));
    p->variable_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t field;

        if (veu_variable_bad_field(p, &p->variables[i], &field)) {
            return bad_field(fault, at + i * sizeof(p->variables[0]) + field);
        }
    }
    return true;
}

static bool read_predicates(VeuProgram *p, const uint8_t *bytes,
                            const struct veu_section *section, VeuFault *fault)
{
    p->predicate_count = section->bytes / sizeof(struct veu_predicate);
    for (uint32_t i = 0; i < p->predicate_count; i++) {
        uint32_t at = section->offset + i * sizeof(struct veu_predicate);
        struct veu_predicate predicate;

        memcpy(&predicate, bytes + at, sizeof(predicate));
        if (predicate.bits == 0 || predicate.bits > VEU_MAX_LANES) {
            return bad_field(fault, at);
        }
        if (predicate.reserved) {
            return bad_field(fault,
                             at + offsetof(struct veu_predicate, reserved));
        }
        p->predicate_bits[i] = predicate.bits;
    }
    return true;
}

static bool read_addresses(VeuProgram *p, const uint8_t *bytes,
                           const struct veu_section *section, VeuFault *fault)
{
    p->address_count = section->bytes / sizeof(struct veu_address);
    for (uint32_t i = 0; i < p->address_count; i++) {
        uint32_t at = section->offset + i * sizeof(struct veu_address);
        struct veu_address address;

        memcpy(&address, bytes + at, sizeof(address));
        if (address.elements == 0 ||
            address.elements > VEU_MAX_ADDRESS_ELEMENTS) {
            return bad_field(fault, at);
        }
        if (address.reserved) {
            return bad_field(fault,
                             at + offsetof(struct veu_address, reserved));
        }
        p->addresses[i] = (VeuAddressVariable){
            .first = p->address_element_count,
            .elements = address.elements,
        };
        p->address_element_count += address.elements;
    }
    return true;
}

static void set_code(VeuProgram *p, const uint8_t *code, uint32_t bytes,
                     uint32_t entry)
{
    p->code = code;
    p->code_bytes = bytes;
    p->code_at = entry;
    p->message_count = 0;
    p->entry_count = 0;
}

bool veu_program_open(VeuProgram *p, const uint8_t *bytes, uint32_t byte_count,
                      uint32_t simd, VeuFault *fault)
{
    struct veu_section sections[VEU_SECTION_FUNCTIONS + 1] = { 0 };
    const struct veu_section *code = &sections[VEU_SECTION_CODE];
    const struct veu_section *variables = &sections[VEU_SECTION_VARIABLES];
    const struct veu_section *predicates = &sections[VEU_SECTION_PREDICATES];
    const struct veu_section *addresses = &sections[VEU_SECTION_ADDRESSES];
    struct veu_program_header header;

    if (!veu_program_read_header(&p->room, bytes, byte_count, &header, sections,
                                 fault)) {
        return false;
    }
    p->kind = header.kind;
    p->has_barrier = false;
    p->simd = simd;
    p->grf_bytes = header.grf_bytes;
    p->register_bytes = header.register_bytes;
    p->address_element_count = 0;
    set_code(p, bytes + code->offset, code->bytes, header.entry);
    return read_variables(p, bytes + variables->offset,
                          variables->bytes / sizeof(struct veu_variable),
                          variables->offset, fault) &&
           read_predicates(p, bytes, predicates, fault) &&
           read_addresses(p, bytes, addresses, fault) &&
           (p->kind == VEU_PROGRAM_MESSAGES ||
            veu_program_read_sections(p, bytes, sections, fault));
}

/* The bytes of the register file up to the end of the last variable. */
static uint32_t used_register_bytes(const VeuProgram *p)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < p->variable_count; i++) {
        const struct veu_variable *v = &p->variables[i];
        uint32_t end = v->offset + v->elements * veu_type_bytes(v->type);

        used = end > used ? end : used;
    }
    return used;
}

bool veu_program_open_inline(VeuProgram *p, uint32_t simd, uint32_t grf_bytes,
                             const struct veu_variable *variables,
                             uint32_t variable_count, uint32_t predicate_count,
                             const uint8_t *code, uint32_t code_bytes,
                             VeuFault *fault)
{
    p->kind = VEU_PROGRAM_MESSAGES;
    p->has_barrier = false;
    p->simd = simd;
    p->grf_bytes = grf_bytes;
    p->register_bytes = VEU_LIMIT_REGISTER_BYTES;
    p->predicate_count = predicate_count;
    p->address_count = 0;
    p->address_element_count = 0;
    memset(p->predicate_bits, VEU_MAX_LANES, predicate_count);
    set_code(p, code, code_bytes, 0);
    if (!read_variables(p, variables, variable_count, 0, fault)) {
        return false;
    }
    p->register_bytes = used_register_bytes(p);
    return true;
}

/* Searches from the end: most entries are present already, or the highest. */
static void add_entry(VeuProgram *p, uint8_t entry)
{
    uint32_t at = p->entry_count;

    while (at && p->entries[at - 1] > entry) {
        at--;
    }
    if (at && p->entries[at - 1] == entry) {
        return;
    }
    memmove(&p->entries[at + 1], &p->entries[at], p->entry_count - at);
    p->entries[at] = entry;
    p->entry_count++;
}

VeuLoad veu_program_decode(VeuProgram *p, unsigned budget, VeuFault *fault,
                           uint32_t *offset)
{
    if (p->kind == VEU_PROGRAM_INSTRUCTIONS) {
        return veu_program_decode_instructions(p, budget, fault, offset);
    }
    while (p->code_at < p->code_bytes) {
        VeuMessage *m = &p->messages[p->message_count];

        *offset = p->code_at;
        if (budget-- == 0) {
            return VEU_LOAD_MORE;
        }
        if (p->message_count == p->room.messages) {
            veu_fault_form(fault, VEU_FAULT_PROGRAM_MESSAGES, 0);
            return VEU_LOAD_FAULT;
        }
        if (!veu_message_decode(p, p->code, p->code_bytes, p->code_at, m,
                                &p->code_at, fault)) {
            return VEU_LOAD_FAULT;
        }
        m->follows = p->message_count ? veu_message_follows(m - 1, m) :
                                        VEU_FOLLOWS_NOT;
        if (m->surface >= VEU_FIRST_SURFACE) {
            add_entry(p, m->surface - VEU_FIRST_SURFACE);
        }
        p->message_count++;
    }
    return VEU_LOAD_DONE;
}
