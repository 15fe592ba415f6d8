/*
 * veu-run: the program, or the message, and its declarations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/capture/hash.h"
#include "hw/veu/eu/program/room.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/decode/load.h"
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"
#include "tools/visa/names.h"
#include "tools/visa/program.h"
#include "tools/visa/source.h"

#define VAR_ADVICE "write TYPE:ELEMENTS or TYPE:ELEMENTS@OFFSET, as ud:16"

bool run_name_parse(const char *name, char letter, uint32_t *number)
{
    uint64_t value;

    if (g_ascii_toupper(name[0]) != letter || !g_ascii_isdigit(name[1]) ||
        !number_parse(name + 1, &value) || value > UINT32_MAX) {
        return false;
    }
    *number = value;
    return true;
}

/* --- A message ----------------------------------------------------------- */

static bool load_message(RunProgram *p, const char *hex)
{
    GByteArray *bytes = g_byte_array_new();
    bool ok = true;

    while (ok && *(hex += strspn(hex, " \t\n"))) {
        int high = g_ascii_xdigit_value(hex[0]);
        int low = high < 0 ? -1 : g_ascii_xdigit_value(hex[1]);

        ok = low >= 0 && bytes->len < VEU_INLINE_BYTES;
        if (ok) {
            uint8_t byte = high << 4 | low;

            g_byte_array_append(bytes, &byte, 1);
            hex += 2;
        }
    }
    ok = ok && bytes->len;
    p->code.bytes = bytes->len;
    p->code.data = g_byte_array_free(bytes, FALSE);
    return ok || tool_error("--message: write the bytes of one message in "
                            "hexadecimal, from 1 to %u of them",
                            VEU_INLINE_BYTES);
}

/* The start of the next variable: in a new register. */
static uint32_t next_register(const struct veu_variable *v, unsigned count,
                              uint32_t grf_bytes)
{
    uint32_t end = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t own = v[i].offset + v[i].elements * veu_type_bytes(v[i].type);

        end = MAX(end, own);
    }
    return (end + grf_bytes - 1) / grf_bytes * grf_bytes;
}

/* TYPE:ELEMENTS[@OFFSET]; @to->offset is the default of the offset. */
static bool parse_var(const char *option, struct veu_variable *to)
{
    g_auto(GStrv) parts = g_strsplit(option, ":", 2);
    g_auto(GStrv)
        rest = g_strsplit(parts[0] && parts[1] ? parts[1] : "", "@", 2);
    uint64_t offset = to->offset;
    uint64_t elements;

    if (!rest[0] || !number_parse(rest[0], &elements) ||
        (rest[1] && !number_parse(rest[1], &offset))) {
        return tool_error("--var %s: " VAR_ADVICE, option);
    }
    if (!type_by_name(parts[0], &to->type) || !veu_type_bytes(to->type)) {
        return tool_error("--var %s: no variable has type '%s'; write UD, D, "
                          "UW, W, UB, B, UQ, Q, F, DF, HF or BF",
                          option, parts[0]);
    }
    if (elements == 0 || elements > UINT16_MAX ||
        offset > VEU_LIMIT_REGISTER_BYTES ||
        elements * veu_type_bytes(to->type) >
            VEU_LIMIT_REGISTER_BYTES - offset) {
        return tool_error("--var %s: from 1 element to the end of the register "
                          "file, which has %u bytes",
                          option, VEU_LIMIT_REGISTER_BYTES);
    }
    to->elements = elements;
    to->offset = offset;
    return true;
}

/* Setting a predicate declares it. */
static uint32_t count_predicates(char **sets)
{
    uint32_t count = 0;

    for (; sets && *sets; sets++) {
        g_auto(GStrv) parts = g_strsplit(*sets, "=", 2);
        uint32_t number;

        if (parts[0] && run_name_parse(parts[0], 'P', &number)) {
            count = MAX(count, number);
        }
    }
    return MIN(count, VEU_INLINE_PREDICATES);
}

static bool declare_message(RunProgram *p, const RunOptions *o,
                            const RunNumbers *n)
{
    struct veu_variable variables[VEU_INLINE_VARIABLES] = { 0 };
    uint32_t grf_bytes = n->grf_bytes ? n->grf_bytes : 32;
    unsigned count = 0;
    VeuFault fault;

    for (char **var = o->vars; var && *var; var++) {
        if (count == VEU_INLINE_VARIABLES) {
            return tool_error("--var %s: a message has at most %u variables; "
                              "a program file may have more",
                              *var, VEU_INLINE_VARIABLES);
        }
        variables[count].offset = next_register(variables, count, grf_bytes);
        if (!parse_var(*var, &variables[count++])) {
            return false;
        }
    }
    return veu_program_open_inline(p->declared, n->simd, grf_bytes, variables,
                                   count, count_predicates(o->sets),
                                   p->code.data, p->code.bytes, &fault) ||
           tool_error("--var: the device refuses the variables");
}

/* --- A program file ------------------------------------------------------ */

/* Assembles text; the object of a compiler is linked. */
static bool assemble(RunProgram *p, const char *path, unsigned grf_bytes)
{
    VisaError error = { 0 };
    VisaObject *object = visa_source_read(p->code.data, p->code.bytes,
                                          grf_bytes, &error);
    GByteArray *program = NULL;

    if (object) {
        program = visa_source_program(object, NULL, grf_bytes, &error);
    }
    if (!program) {
        g_autofree char *shown =
            visa_error_show(&error, path,
                            visa_is_object(p->code.data, p->code.bytes) ?
                                NULL :
                                (const char *)p->code.data);

        g_printerr("%s", shown);
        visa_object_free(object);
        return false;
    }
    visa_object_free(object);
    g_free(p->code.data);
    p->code.bytes = program->len;
    p->code.data = g_byte_array_free(program, FALSE);
    return true;
}

/* Reads the file, and makes it a program if it is not one. */
static bool read_program(RunProgram *p, const RunOptions *o,
                         const RunNumbers *n)
{
    const char *path = o->files[0];

    if (!run_file_read(path, VISA_MAX_FILE_BYTES, "", path,
                       "name a program file", &p->code)) {
        return false;
    }
    if (p->code.bytes && visa_is_source(p->code.data, p->code.bytes)) {
        return assemble(p, path, n->grf_bytes ? n->grf_bytes : 32);
    }
    if (n->grf_bytes) {
        return tool_error("--grf is for --message and text; a program file "
                          "states its own");
    }
    return p->code.bytes <= VEU_LIMIT_PROGRAM_BYTES ||
           tool_error("%s: the file has more than %u bytes", path,
                      VEU_LIMIT_PROGRAM_BYTES);
}

/* A program with functions has no object, so its names are made from ids. */
static void take_names(RunProgram *p)
{
    VisaError error = { 0 };
    uint32_t grf_bytes;

    p->object = visa_program_read(p->code.data, p->code.bytes, &grf_bytes,
                                  &error);
    p->names = visa_names_new(run_program_routine(p));
}

void run_program_decode(RunProgram *p)
{
    VeuFault fault;
    uint32_t offset;

    if (!p->broken && p->declared->kind == VEU_PROGRAM_INSTRUCTIONS) {
        veu_program_decode(p->declared, UINT32_MAX, &fault, &offset);
        take_names(p);
    }
}

const VisaRoutine *run_program_routine(const RunProgram *p)
{
    return p->object ? g_ptr_array_index(p->object->routines, 0) : NULL;
}

static bool load_file(RunProgram *p, const RunOptions *o, const RunNumbers *n)
{
    VeuFault fault;

    if (o->vars) {
        return tool_error("--var is for --message; a program file declares "
                          "its variables");
    }
    if (!read_program(p, o, n)) {
        return false;
    }
    if (p->code.bytes < sizeof(struct veu_program_header)) {
        return tool_error("%s: a program has at least %zu bytes, its header",
                          o->files[0], sizeof(struct veu_program_header));
    }
    /* The device reports what is wrong with it. */
    p->broken = !veu_program_open(p->declared, p->code.data, p->code.bytes,
                                  n->simd, &fault);
    run_program_decode(p);
    return true;
}

bool run_program_load(RunProgram *p, const RunOptions *o, const RunNumbers *n)
{
    p->is_message = o->message;
    p->declared = veu_program_new();
    if (!p->declared) {
        return tool_error("the host is out of memory");
    }
    if (o->files && (o->message || o->files[1])) {
        return tool_error("only one program can run; omit '%s'",
                          o->files[o->message ? 0 : 1]);
    }
    if (o->message) {
        return load_message(p, o->message) && declare_message(p, o, n);
    }
    if (!o->files) {
        return tool_error("name a program file, or give --message HEX; see "
                          "veu-run --help");
    }
    return load_file(p, o, n);
}

void run_program_hash_json(Json *json, const uint8_t *code, uint32_t bytes)
{
    g_autofree char *hash = g_strdup_printf("0x%016" PRIx64,
                                            veu_capture_hash(code, bytes));

    json_string(json, "program_hash", hash);
}

void run_program_free(RunProgram *p)
{
    g_free(p->code.data);
    free(p->declared);
    visa_object_free(p->object);
    visa_names_free(p->names);
}

const struct veu_variable *run_program_variable(const RunProgram *p,
                                                const char *name,
                                                const char *option,
                                                const char *value)
{
    uint32_t id;

    if (!run_name_parse(name, 'V', &id)) {
        tool_error("%s %s: '%s' is not a variable; write V32, for example",
                   option, value, name);
        return NULL;
    }
    if (id < VEU_FIRST_VARIABLE ||
        id - VEU_FIRST_VARIABLE >= p->declared->variable_count) {
        tool_error("%s %s: V%u is not declared; there are %u variables, from "
                   "V%u on",
                   option, value, id, p->declared->variable_count,
                   VEU_FIRST_VARIABLE);
        return NULL;
    }
    return &p->declared->variables[id - VEU_FIRST_VARIABLE];
}
