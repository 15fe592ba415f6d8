/*
 * veu execution unit: how much memory a program needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/load_sections.h"
#include "hw/veu/eu/decode/measure.h"
#include "hw/veu/eu/instruction/encoding.h"

bool veu_measure_open(VeuMeasure *m, const uint8_t *bytes, uint32_t byte_count,
                      VeuFault *fault)
{
    struct veu_section sections[VEU_SECTION_FUNCTIONS + 1] = { 0 };
    struct veu_program_header header;
    const struct veu_section *code = &sections[VEU_SECTION_CODE];

    if (!veu_program_read_header(&veu_load_limits, bytes, byte_count, &header,
                                 sections, fault)) {
        return false;
    }
    *m = (VeuMeasure){
        .kind = header.kind,
        .code = bytes + code->offset,
        .code_bytes = code->bytes,
        .code_at = header.kind == VEU_PROGRAM_MESSAGES ? header.entry : 0,
        .room = veu_sections_room(sections),
    };
    return true;
}

/* The length of the message at the cursor, or 0 if there is none. */
static uint32_t count_message(VeuMeasure *m)
{
    VeuEncoding encoding;
    VeuFault fault;

    m->room.messages++;
    return veu_encoding_parse(m->code + m->code_at, m->code_bytes - m->code_at,
                              &encoding, &fault) ?
               encoding.bytes :
               0;
}

static uint32_t count_instruction(VeuMeasure *m)
{
    const uint8_t *code = m->code + m->code_at;
    uint32_t bytes = m->code_bytes - m->code_at;
    const VeuInstructionInfo *info = veu_instruction_find(code, bytes);

    m->room.instructions++;
    if (!info) {
        return count_message(m);
    }
    m->room.calls += info->operation == VEU_OPERATION_CALL ||
                     info->operation == VEU_OPERATION_FCALL;
    m->room.routines += info->opcode == VEU_OPCODE_SUBROUTINE;
    return info->listed ? 0 : veu_instruction_length(info, code, bytes);
}

static void limit(uint32_t *count, uint32_t most)
{
    *count = *count < most ? *count : most;
}

/* The decoder refuses what exceeds the room. */
static bool finish(VeuMeasure *m)
{
    limit(&m->room.messages, veu_load_limits.messages);
    limit(&m->room.instructions, veu_load_limits.instructions);
    limit(&m->room.calls, veu_load_limits.calls);
    limit(&m->room.routines, veu_load_limits.routines);
    return true;
}

bool veu_measure_count(VeuMeasure *m, unsigned budget)
{
    while (m->code_at < m->code_bytes) {
        uint32_t bytes;

        if (budget-- == 0) {
            return false;
        }
        bytes = m->kind == VEU_PROGRAM_INSTRUCTIONS ? count_instruction(m) :
                                                      count_message(m);
        if (!bytes || m->room.instructions > veu_load_limits.instructions ||
            m->room.messages > veu_load_limits.messages) {
            return finish(m);
        }
        m->code_at += bytes;
    }
    return finish(m);
}
