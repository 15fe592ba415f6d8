/*
 * veu execution unit: loading a program of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Everything static is checked here. What can still fail is an address, an
 * indirect operand, a surface's index, the address of a function, the depth of
 * calls, and the budget.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/decode/graph.h"
#include "hw/veu/eu/decode/instruction.h"
#include "hw/veu/eu/decode/load_instructions.h"
#include "hw/veu/eu/instruction/handler_choose.h"
#include "hw/veu/eu/program/variable.h"
#include "hw/veu/eu/rule.h"
#include "hw/veu/eu/zero.h"

static bool bad_field(VeuFault *fault, uint32_t at)
{
    return veu_fault_form(fault, VEU_FAULT_PROGRAM_FIELD, at);
}

/* Copies the entries of a section; their number has been checked. */
static uint32_t take_entries(void *to, const uint8_t *bytes,
                             const struct veu_section *section,
                             uint32_t entry_bytes)
{
    memcpy(to, bytes + section->offset, section->bytes);
    return section->bytes / entry_bytes;
}

static bool read_labels(VeuProgram *p, const uint8_t *bytes,
                        const struct veu_section *section, VeuFault *fault)
{
    p->label_count = take_entries(p->labels, bytes, section,
                                  sizeof(p->labels[0]));
    for (uint32_t i = 0; i < p->label_count; i++) {
        const struct veu_label *label = &p->labels[i];
        uint32_t at = section->offset + i * sizeof(*label);

        if (label->kind > VEU_LABEL_SUBROUTINE) {
            return bad_field(fault, at + offsetof(struct veu_label, kind));
        }
        if (!veu_is_zero(label->reserved, sizeof(label->reserved))) {
            return bad_field(fault, at + offsetof(struct veu_label, reserved));
        }
    }
    return true;
}

static bool read_predefined_one(VeuProgram *p,
                                const struct veu_predefined *from, uint32_t at,
                                VeuFault *fault)
{
    struct veu_variable variable = {
        .offset = from->offset,
        .elements = from->elements,
        .type = from->type,
    };
    uint32_t field;

    _Static_assert(offsetof(struct veu_variable, offset) ==
                           offsetof(struct veu_predefined, offset) &&
                       offsetof(struct veu_variable, elements) ==
                           offsetof(struct veu_predefined, elements) &&
                       offsetof(struct veu_variable, type) ==
                           offsetof(struct veu_predefined, type),
                   "the fields of both are at the same places");
    if (from->id == VEU_PREDEFINED_NULL || from->id >= VEU_FIRST_VARIABLE ||
        p->predefined[from->id].elements) {
        return bad_field(fault, at + offsetof(struct veu_predefined, id));
    }
    if (veu_variable_bad_field(p, &variable, &field)) {
        return bad_field(fault, at + field);
    }
    p->predefined[from->id] = variable;
    return true;
}

static bool read_predefined(VeuProgram *p, const uint8_t *bytes,
                            const struct veu_section *section, VeuFault *fault)
{
    struct veu_predefined from;

    memset(p->predefined, 0, sizeof(p->predefined));
    for (uint32_t at = 0; at < section->bytes; at += sizeof(from)) {
        memcpy(&from, bytes + section->offset + at, sizeof(from));
        if (!read_predefined_one(p, &from, section->offset + at, fault)) {
            return false;
        }
    }
    return true;
}

static bool bad_state(const VeuProgram *p, uint32_t i, uint32_t *at)
{
    const struct veu_state *s = &p->states[i];

    VEU_RULE(struct veu_state, kind,
             s->kind > VEU_STATE_SAMPLER ||
                 (s->kind == VEU_STATE_SURFACE && i && p->states[i - 1].kind));
    VEU_RULE(struct veu_state, reserved,
             !veu_is_zero(s->reserved, sizeof(s->reserved)));
    return false;
}

static bool read_states(VeuProgram *p, const uint8_t *bytes,
                        const struct veu_section *section, VeuFault *fault)
{
    uint32_t field;

    p->state_count = take_entries(p->states, bytes, section,
                                  sizeof(p->states[0]));
    p->surface_state_count = 0;
    for (uint32_t i = 0; i < p->state_count; i++) {
        if (bad_state(p, i, &field)) {
            return bad_field(fault, section->offset + i * sizeof(p->states[0]) +
                                        field);
        }
        p->surface_state_count += p->states[i].kind == VEU_STATE_SURFACE;
    }
    return p->surface_state_count <= VEU_LIMIT_SURFACES ||
           bad_field(fault, section->offset);
}

static bool read_functions(VeuProgram *p, const uint8_t *bytes,
                           const struct veu_section *section, VeuFault *fault)
{
    p->function_count = take_entries(p->functions, bytes, section,
                                     sizeof(p->functions[0]));
    for (uint32_t i = 0; i < p->function_count; i++) {
        const struct veu_function *f = &p->functions[i];
        uint32_t at = section->offset + i * sizeof(*f);

        if (i && f->offset <= p->functions[i - 1].offset) {
            return bad_field(fault, at + offsetof(struct veu_function, offset));
        }
        if (f->reserved) {
            return bad_field(fault,
                             at + offsetof(struct veu_function, reserved));
        }
    }
    return true;
}

bool veu_program_read_sections(VeuProgram *p, const uint8_t *bytes,
                               const struct veu_section *sections,
                               VeuFault *fault)
{
    if (!read_labels(p, bytes, &sections[VEU_SECTION_LABELS], fault) ||
        !read_predefined(p, bytes, &sections[VEU_SECTION_PREDEFINED], fault) ||
        !read_states(p, bytes, &sections[VEU_SECTION_STATES], fault) ||
        !read_functions(p, bytes, &sections[VEU_SECTION_FUNCTIONS], fault)) {
        return false;
    }
    /* All code is decoded, including code before the entry. */
    p->entry_offset = p->code_at;
    p->entry_instruction = UINT32_MAX;
    p->code_at = 0;
    p->instruction_count = 0;
    p->first_open_step = 0;
    /* An index may name any entry of the dispatch's table. */
    p->entry_count = VEU_LIMIT_SURFACES;
    for (unsigned entry = 0; entry < VEU_LIMIT_SURFACES; entry++) {
        p->entries[entry] = entry;
    }
    veu_graph_begin(p);
    return true;
}

static VeuLoad finish(VeuProgram *p, VeuFault *fault, uint32_t *offset)
{
    *offset = VEU_FAULT_NOT_APPLICABLE;
    if (p->entry_instruction == UINT32_MAX) {
        bad_field(fault, offsetof(struct veu_program_header, entry));
        return VEU_LOAD_FAULT;
    }
    veu_handler_close(p, p->instruction_count);
    return veu_graph_end(p, fault) ? VEU_LOAD_DONE : VEU_LOAD_FAULT;
}

VeuLoad veu_program_decode_instructions(VeuProgram *p, unsigned budget,
                                        VeuFault *fault, uint32_t *offset)
{
    while (p->code_at < p->code_bytes) {
        VeuInstruction *i = &p->instructions[p->instruction_count];

        *offset = p->code_at;
        if (budget-- == 0) {
            return VEU_LOAD_MORE;
        }
        if (p->instruction_count == p->room.instructions) {
            veu_fault_form(fault, VEU_FAULT_PROGRAM_MESSAGES, 0);
            return VEU_LOAD_FAULT;
        }
        if (p->code_at == p->entry_offset) {
            p->entry_instruction = p->instruction_count;
        }
        if (!veu_instruction_decode(p, i, fault) ||
            !veu_graph_add(p, i, fault)) {
            return VEU_LOAD_FAULT;
        }
        p->instruction_count++;
    }
    return finish(p, fault, offset);
}
