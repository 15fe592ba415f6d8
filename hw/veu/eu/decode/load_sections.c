/*
 * veu execution unit: the header and sections of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/decode/load_sections.h"
#include "hw/veu/eu/rule.h"

static bool refuse(VeuFault *fault, uint32_t at)
{
    return veu_fault_form(fault, VEU_FAULT_PROGRAM_FIELD, at);
}

/* The highest section type in a program of this kind. */
static uint32_t last_section(uint32_t kind)
{
    return kind == VEU_PROGRAM_INSTRUCTIONS ? VEU_SECTION_FUNCTIONS :
                                              VEU_SECTION_ADDRESSES;
}

static bool bad_header_field(const struct veu_program_header *h,
                             uint32_t byte_count, uint32_t *at)
{
    VEU_RULE(struct veu_program_header, magic, h->magic != VEU_PROGRAM_MAGIC);
    VEU_RULE(struct veu_program_header, version,
             h->version != VEU_PROGRAM_VERSION);
    VEU_RULE(struct veu_program_header, kind,
             h->kind > VEU_PROGRAM_INSTRUCTIONS);
    VEU_RULE(struct veu_program_header, bytes, h->bytes != byte_count);
    VEU_RULE(struct veu_program_header, grf_bytes,
             h->grf_bytes != 32 && h->grf_bytes != 64);
    VEU_RULE(struct veu_program_header, section_count,
             h->section_count == 0 || h->section_count > last_section(h->kind));
    VEU_RULE(struct veu_program_header, section_count,
             sizeof(*h) + h->section_count * sizeof(struct veu_section) >
                 byte_count);
    VEU_RULE(struct veu_program_header, register_bytes,
             h->register_bytes > VEU_LIMIT_REGISTER_BYTES);
    VEU_RULE(struct veu_program_header, reserved,
             h->reserved[0] || h->reserved[1]);
    return false;
}

/*
 * A section consists of whole entries, within their limit; code consists of
 * bytes.
 */
static bool bad_entry_count(const struct veu_section *s,
                            const VeuProgramRoom *room)
{
    const struct {
        uint32_t entry_bytes;
        uint32_t limit;
    } rules[] = {
        /* the program's size bounds it */
        [VEU_SECTION_CODE] = { 1, UINT32_MAX },
        [VEU_SECTION_VARIABLES] = { sizeof(struct veu_variable),
                                    room->variables },
        [VEU_SECTION_PREDICATES] = { sizeof(struct veu_predicate),
                                     room->predicates },
        [VEU_SECTION_ADDRESSES] = { sizeof(struct veu_address),
                                    room->addresses },
        [VEU_SECTION_LABELS] = { sizeof(struct veu_label), room->labels },
        [VEU_SECTION_PREDEFINED] = { sizeof(struct veu_predefined),
                                     VEU_FIRST_VARIABLE },
        [VEU_SECTION_STATES] = { sizeof(struct veu_state), room->states },
        [VEU_SECTION_FUNCTIONS] = { sizeof(struct veu_function),
                                    room->functions },
    };

    return s->bytes % rules[s->type].entry_bytes ||
           s->bytes / rules[s->type].entry_bytes > rules[s->type].limit;
}

static bool bad_section_field(const struct veu_section *s,
                              const VeuProgramRoom *room, uint32_t last_type,
                              uint32_t byte_count, uint32_t *at)
{
    VEU_RULE(struct veu_section, type,
             s->type < VEU_SECTION_CODE || s->type > last_type);
    VEU_RULE(struct veu_section, offset,
             s->offset % 4 || s->offset > byte_count);
    VEU_RULE(struct veu_section, bytes,
             s->bytes > byte_count - s->offset || bad_entry_count(s, room));
    VEU_RULE(struct veu_section, reserved, s->reserved);
    return false;
}

/* Finds the sections by type; those that are missing stay 0. */
static bool read_sections(const VeuProgramRoom *room, const uint8_t *bytes,
                          uint32_t byte_count, uint32_t count,
                          uint32_t last_type,
                          struct veu_section *by_type /* [type] */,
                          VeuFault *fault)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = sizeof(struct veu_program_header) +
                      i * sizeof(struct veu_section);
        struct veu_section section;
        uint32_t field;

        memcpy(&section, bytes + at, sizeof(section));
        if (bad_section_field(&section, room, last_type, byte_count, &field)) {
            return refuse(fault, at + field);
        }
        if (by_type[section.type].type) {
            return refuse(fault, at);
        }
        by_type[section.type] = section;
    }
    if (!by_type[VEU_SECTION_CODE].type) {
        return refuse(fault,
                      offsetof(struct veu_program_header, section_count));
    }
    return true;
}

bool veu_program_read_header(const VeuProgramRoom *limits, const uint8_t *bytes,
                             uint32_t byte_count,
                             struct veu_program_header *header,
                             struct veu_section *sections /* [type] */,
                             VeuFault *fault)
{
    uint32_t at;

    if (byte_count < sizeof(*header)) {
        return refuse(fault, offsetof(struct veu_program_header, bytes));
    }
    memcpy(header, bytes, sizeof(*header));
    if (bad_header_field(header, byte_count, &at)) {
        return refuse(fault, at);
    }
    if (!read_sections(limits, bytes, byte_count, header->section_count,
                       last_section(header->kind), sections, fault)) {
        return false;
    }
    return header->entry <= sections[VEU_SECTION_CODE].bytes ||
           refuse(fault, offsetof(struct veu_program_header, entry));
}

VeuProgramRoom veu_sections_room(const struct veu_section *sections)
{
#define ENTRIES(type, entry) \
    (sections[VEU_SECTION_##type].bytes / sizeof(struct entry))
    uint32_t functions = ENTRIES(FUNCTIONS, veu_function);

    return (VeuProgramRoom){
        .variables = ENTRIES(VARIABLES, veu_variable),
        .predicates = ENTRIES(PREDICATES, veu_predicate),
        .addresses = ENTRIES(ADDRESSES, veu_address),
        .states = ENTRIES(STATES, veu_state),
        .labels = ENTRIES(LABELS, veu_label),
        .functions = functions,
        .routines = functions + 1,
    };
#undef ENTRIES
}
