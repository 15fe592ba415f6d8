/*
 * veu tools: the device's checks when it loads a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <stdlib.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/room.h"
#include "tools/visa/instruction.h"
#include "tools/visa/link.h"
#include "tools/visa/program.h"

/* The name in spec.md of the field that the fault is about, or NULL. */
static const char *field_name(const VeuEncoding *e, const VeuFault *fault)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        if (e->at[*f] == fault->detail) {
            return veu_fields[*f].name;
        }
    }
    return NULL;
}

/* The offset in the kernel of message @index of its program. */
static uint32_t find_message(const VisaRoutine *routine, uint32_t index,
                             VeuEncoding *e)
{
    const GByteArray *code = routine->code;
    uint32_t at = 0;
    VeuFault fault;

    while (at < code->len) {
        if (veu_encoding_parse(code->data + at, code->len - at, e, &fault) &&
            index-- == 0) {
            return at;
        }
        at += visa_instruction_bytes(routine->layout, code->data + at,
                                     code->len - at);
    }
    return at;
}

static void describe(const VisaRoutine *routine, uint32_t index,
                     const VeuFault *fault, VisaError *warning)
{
    const VeuFaultInfo *info = veu_fault_info(fault->code);
    VeuEncoding e = { 0 };
    uint32_t at = find_message(routine, index, &e);
    const char *field = e.info ? field_name(&e, fault) : NULL;

    visa_error_at(warning, visa_place_of(routine, at),
                  "%s at 0x%04x: the device refuses %s%s",
                  e.info ? e.info->mnemonic : "code", at, field ? field : "it",
                  info ? "" : ", for a new reason");
    if (info) {
        visa_hint(warning, "%s: %s", info->name, info->cause);
    }
    warning->warning = true;
}

/*
 * Like find_message(), for a program of instructions, whose offset in the code
 * is @offset.
 */
static void describe_instruction(const VisaLinked *linked, uint32_t offset,
                                 const VeuFault *fault, VisaError *warning)
{
    const GByteArray *code = linked->routine->code;
    const VeuFaultInfo *info = veu_fault_info(fault->code);
    const VeuInstructionInfo *row = NULL;

    if (offset < code->len) {
        row = veu_instruction_find(code->data + offset, code->len - offset);
        visa_error_at(warning, visa_place_of(linked->routine, offset),
                      "%s at 0x%04x: the device refuses it",
                      row ? row->mnemonic : "message", offset);
    } else {
        visa_error(warning, "the device refuses the program");
    }
    if (info) {
        visa_hint(warning, "%s: %s", info->name, info->cause);
    }
    warning->warning = true;
}

static void describe_fault(const VisaObject *object, const VisaRoutine *routine,
                           const VeuProgram *program, uint32_t offset,
                           const VeuFault *fault, VisaError *warning)
{
    VisaLinked linked;

    if (program->kind == VEU_PROGRAM_MESSAGES) {
        describe(routine, program->message_count, fault, warning);
        return;
    }
    if (visa_link(&linked, object, routine, NULL, warning)) {
        describe_instruction(&linked, offset, fault, warning);
    }
    visa_linked_free(&linked);
}

/* Checked for 32 lanes; the dispatch determines what fewer lanes permit. */
bool visa_program_check(const GByteArray *bytes, const VisaObject *object,
                        const VisaRoutine *routine, VisaError *warning)
{
    VeuProgram *program = veu_program_new_with(&veu_load_limits);
    VeuFault fault = { 0 };
    uint32_t offset = UINT32_MAX;
    bool good = !program;

    if (program && veu_program_open(program, bytes->data, bytes->len,
                                    VEU_MAX_LANES, &fault)) {
        good = veu_program_decode(program, VEU_LIMIT_LOAD_INSTRUCTIONS + 1,
                                  &fault, &offset) == VEU_LOAD_DONE;
    }
    if (!good) {
        describe_fault(object, routine, program, offset, &fault, warning);
    }
    free(program);
    return good;
}
