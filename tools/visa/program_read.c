/*
 * veu tools: reading device programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The device's own reader checks the program. Text cannot state the place of a
 * variable. So variables are declared such that they get the same places again:
 * in sequence, as parts of earlier ones, or as inputs.
 */
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/room.h"
#include "tools/visa/align.h"
#include "tools/visa/message_text.h"
#include "tools/visa/program.h"

bool visa_is_program(const uint8_t *bytes, size_t byte_count)
{
    uint32_t magic = VEU_PROGRAM_MAGIC;

    return byte_count >= 4 && !memcmp(bytes, &magic, 4);
}

static uint32_t end_of(const struct veu_variable *v)
{
    return v->offset + v->elements * veu_type_bytes(v->type);
}

/* The first variable before @index that contains the one at @index, or -1. */
static int find_base(const VeuProgram *program, uint32_t index)
{
    const struct veu_variable *v = program->variables;

    for (uint32_t i = 0; i < index; i++) {
        if (v[i].offset <= v[index].offset &&
            end_of(&v[index]) <= end_of(&v[i])) {
            return i;
        }
    }
    return -1;
}

/*
 * The largest alignment that leads from @end to @offset. Returns false if there
 * is none.
 */
static bool find_align(uint32_t end, uint32_t offset, uint32_t grf_bytes,
                       uint8_t *align)
{
    static const char *const names[] = { "GRF",   "hword", "oword", "qword",
                                         "dword", "word",  "byte" };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        uint32_t bytes;

        visa_align_by_name(names[i], strlen(names[i]), align);
        bytes = visa_align_bytes(*align, grf_bytes);
        if ((end + bytes - 1) / bytes * bytes == offset) {
            return true;
        }
    }
    return false;
}

/*
 * Declares the variables in sequence. Returns false if they are not in
 * sequence.
 */
static bool in_sequence(const VeuProgram *program, VisaRoutine *routine)
{
    GArray *symbols = routine->symbols[VISA_VARIABLE];
    uint32_t end = 0;

    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct veu_variable *v = &program->variables[i];
        VisaSymbol *symbol = &g_array_index(symbols, VisaSymbol, i);

        if (!symbol->alias) {
            if (!find_align(end, v->offset, program->grf_bytes,
                            &symbol->align)) {
                return false;
            }
            end = end_of(v);
        }
    }
    return true;
}

static void declare_inputs(const VeuProgram *program, VisaRoutine *routine)
{
    GArray *symbols = routine->symbols[VISA_VARIABLE];

    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct veu_variable *v = &program->variables[i];
        VisaInput input = {
            .kind = VISA_INPUT_VARIABLE,
            .id = VEU_FIRST_VARIABLE + i,
            .offset = v->offset,
            .bytes = MIN(end_of(v) - v->offset, UINT16_MAX),
        };

        if (!g_array_index(symbols, VisaSymbol, i).alias) {
            g_array_append_val(routine->inputs, input);
        }
    }
}

static void declare_variables(const VeuProgram *program, VisaRoutine *routine)
{
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct veu_variable *v = &program->variables[i];
        g_autofree char *name = g_strdup_printf("V%u", VEU_FIRST_VARIABLE + i);
        VisaSymbol *symbol = visa_add_symbol(routine, VISA_VARIABLE, name);
        int base = find_base(program, i);

        symbol->elements = v->elements;
        symbol->type = v->type;
        if (base >= 0) {
            symbol->alias = VEU_FIRST_VARIABLE + base;
            symbol->alias_byte = v->offset - program->variables[base].offset;
        }
    }
    if (!in_sequence(program, routine)) {
        declare_inputs(program, routine);
    }
}

static void declare(VisaRoutine *routine, VisaKind kind, char letter,
                    uint32_t id, uint16_t elements)
{
    g_autofree char *name = g_strdup_printf("%c%u", letter, id);

    visa_add_symbol(routine, kind, name)->elements = elements;
}

/* The surfaces that messages name, which the table of a dispatch provides. */
static void declare_surfaces(VisaRoutine *routine)
{
    const GByteArray *code = routine->code;
    uint32_t last = 0;
    uint32_t at = 0;
    VeuEncoding e;
    VeuFault fault;

    while (at < code->len &&
           veu_encoding_parse(code->data + at, code->len - at, &e, &fault)) {
        if (visa_has_field(e.info, VEU_FIELD_SURFACE)) {
            last = MAX(last, e.field[VEU_FIELD_SURFACE].number);
        }
        at += e.bytes;
    }
    for (uint32_t id = VEU_FIRST_SURFACE; id <= last; id++) {
        declare(routine, VISA_SURFACE, 'T', id, 1);
    }
}

/* The labels and state variables of a program of instructions. */
static void declare_sections(const VeuProgram *program, VisaRoutine *routine)
{
    for (uint32_t i = 0; i < program->label_count; i++) {
        g_autofree char *name = g_strdup_printf("L%u", i);

        visa_add_symbol(routine, VISA_LABEL, name)->label_kind =
            program->labels[i].kind == VEU_LABEL_SUBROUTINE ?
                VISA_LABEL_SUBROUTINE :
                VISA_LABEL_BLOCK;
    }
    for (uint32_t i = 0; i < program->state_count; i++) {
        if (i < program->surface_state_count) {
            declare(routine, VISA_SURFACE, 'T', VEU_FIRST_SURFACE + i, 1);
        } else {
            declare(routine, VISA_SAMPLER, 'S',
                    i - program->surface_state_count, 1);
        }
    }
}

static VisaObject *from_program(const VeuProgram *program)
{
    VisaObject *object = visa_object_new();
    VisaRoutine *routine = visa_object_add(object, "program", false);

    declare_variables(program, routine);
    for (uint32_t i = 0; i < program->predicate_count; i++) {
        declare(routine, VISA_PREDICATE, 'P', 1 + i,
                program->predicate_bits[i]);
    }
    for (uint32_t i = 0; i < program->address_count; i++) {
        declare(routine, VISA_ADDRESS, 'A', i, program->addresses[i].elements);
    }
    g_byte_array_append(routine->code, program->code, program->code_bytes);
    if (program->kind == VEU_PROGRAM_INSTRUCTIONS) {
        declare_sections(program, routine);
    } else {
        declare_surfaces(routine);
    }
    return object;
}

VisaObject *visa_program_read(const uint8_t *bytes, size_t byte_count,
                              uint32_t *grf_bytes, VisaError *error)
{
    VeuProgram *program = veu_program_new();
    VisaObject *object = NULL;
    VeuFault fault = { 0 };

    if (!program || byte_count > VEU_LIMIT_PROGRAM_BYTES) {
        visa_error(error, "the program has %zu bytes, and may have %u",
                   byte_count, VEU_LIMIT_PROGRAM_BYTES);
    } else if (veu_program_open(program, bytes, byte_count, VEU_MAX_LANES,
                                &fault)) {
        *grf_bytes = program->grf_bytes;
        if (program->kind == VEU_PROGRAM_INSTRUCTIONS &&
            program->function_count) {
            visa_error(error, "a program with functions has no text");
            visa_hint(error, "print the object that it was made of");
        } else {
            object = from_program(program);
        }
    } else {
        visa_error(error, "the device would refuse the program's header, "
                          "sections or variables");
        visa_hint(error, "veu-run prints where");
    }
    free(program);
    return object;
}
