/*
 * veu-run: reports of faults and broken rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/instruction/encoding.h"
#include "tools/lib/names.h"
#include "tools/veu-run/veu-run.h"

typedef struct veu_fault_record Record;

/* --- The meaning of a record's numbers ----------------------------------- */

/* The bytes of the message that a record names, up to the end of the code. */
static const uint8_t *message_bytes(const Run *run, const Record *r,
                                    uint32_t *bytes)
{
    const VeuProgram *p = run->program.declared;

    if (run->program.broken || r->message_offset >= p->code_bytes) {
        return NULL;
    }
    *bytes = p->code_bytes - r->message_offset;
    return p->code + r->message_offset;
}

/* The row of the message, or NULL. */
static const VeuMessageInfo *message_info(const Run *run, const Record *r)
{
    uint32_t bytes;
    const uint8_t *code = message_bytes(run, r, &bytes);

    return code ? veu_message_find(code, bytes) : NULL;
}

/* The row of the instruction, or NULL. */
static const VeuInstructionInfo *instruction_info(const Run *run,
                                                  const Record *r)
{
    uint32_t bytes;
    const uint8_t *code = message_bytes(run, r, &bytes);

    return code ? veu_instruction_find(code, bytes) : NULL;
}

static const char *instruction_field(const Run *run, const Record *r)
{
    const VeuInstructionInfo *info = instruction_info(run, r);
    uint32_t bytes = 0;
    const uint8_t *code = message_bytes(run, r, &bytes);
    VeuInstructionEncoding encoding;
    VeuFault fault;

    if (!info || info->listed) {
        return NULL;
    }
    veu_instruction_parse(info, code, bytes, &encoding, &fault);
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        if (encoding.at[*f] == r->detail) {
            return veu_instruction_fields[*f].name;
        }
    }
    return NULL;
}

/* The field at a byte of the message, which may not be decodable after that. */
static const char *message_field(const Run *run, const Record *r)
{
    const VeuMessageInfo *info = message_info(run, r);
    uint32_t bytes = 0;
    const uint8_t *code = message_bytes(run, r, &bytes);
    VeuEncoding encoding;
    VeuFault fault;

    if (!code || instruction_info(run, r)) {
        return instruction_field(run, r);
    }
    if (!info) {
        return NULL;
    }
    veu_encoding_parse_fields(info, code, bytes, &encoding, &fault);
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        if (encoding.at[*f] == r->detail) {
            return veu_fields[*f].name;
        }
    }
    return NULL;
}

static char *surface_detail(const Record *r)
{
    uint32_t entry = r->detail / sizeof(struct veu_surface);
    const char *field = run_surface_field(r->detail %
                                          sizeof(struct veu_surface));

    return g_strdup_printf("field %s of surface T%u", field ? field : "?",
                           VEU_FIRST_SURFACE + entry);
}

/* The name of the command's structure. */
static const char *command_name(const Record *r)
{
    return r->command == VEU_COMMAND_MESSAGE ? "veu_command_message" :
           r->command == VEU_COMMAND_KERNEL  ? "veu_command_kernel" :
                                               "veu_command_dispatch";
}

/* The meaning of detail, or NULL if it has none; free with g_free(). */
static char *detail_text(const Run *run, const Record *r)
{
    const char *field;

    if (run_has_reason(run, r)) {
        return run_walk_reason(r->detail);
    }
    switch (r->code) {
    case VEU_FAULT_MESSAGE_FIELD:
    case VEU_FAULT_MESSAGE_OPERAND:
    case VEU_FAULT_MESSAGE_PREDICATE:
    case VEU_FAULT_MESSAGE_LANES:
        field = message_field(run, r);
        return g_strdup_printf("%s, at byte %u of the %s",
                               field ? field : "a field", r->detail,
                               instruction_info(run, r) ? "instruction" :
                                                          "message");
    case VEU_FAULT_MESSAGE_TRUNCATED:
        return g_strdup_printf("%u bytes are left", r->detail);
    case VEU_FAULT_PROGRAM_FIELD:
        return g_strdup_printf("byte %u of the program", r->detail);
    case VEU_FAULT_PAYLOAD_FIELD:
        return g_strdup_printf("byte %u of the payload", r->detail);
    case VEU_FAULT_COMMAND_FIELD:
        return g_strdup_printf("byte %u of the command (veu-spec %s)",
                               r->detail, command_name(r));
    case VEU_FAULT_SURFACE_FIELD:
        return surface_detail(r);
    case VEU_FAULT_PROGRAM_LABEL:
        return g_strdup_printf("label %u", r->detail);
    case VEU_FAULT_PROGRAM_FLOW:
        return g_strdup_printf("+0x%x of the code", r->detail);
    default:
        return r->detail ? g_strdup_printf("%u", r->detail) : NULL;
    }
}

/* How to correct it with options, or NULL. */
static const char *option_advice(const Run *run, const Record *r)
{
    bool is_message = run->program.is_message;

    if (run->kernel || run->replay) {
        return NULL;
    }
    switch (r->code) {
    case VEU_FAULT_ADDRESS:
        return run->context.root ? "--map ADDRESS=BYTES maps pages" :
                                   "--memory ADDRESS:BYTES makes RAM";
    case VEU_FAULT_SURFACE_INDEX:
    case VEU_FAULT_SURFACE_KIND:
    case VEU_FAULT_SURFACE_FIELD:
        return "--surface describes T6, T7, ...";
    case VEU_FAULT_MESSAGE_OPERAND:
        return is_message ? "--var declares V32, V33, ..." : NULL;
    case VEU_FAULT_MESSAGE_PREDICATE:
        return is_message ? "--set P1=0xffffffff declares P1" : NULL;
    case VEU_FAULT_INDIRECT:
        return "--set A0=BYTE points into the register file";
    case VEU_FAULT_MESSAGE_LANES:
        return "--simd 32 allows all lanes";
    case VEU_FAULT_COMMAND_FIELD:
        return is_message && run->fault_count ?
                   "--message takes one message, and payloads that fit" :
                   NULL;
    default:
        return NULL;
    }
}

/* --- Text ---------------------------------------------------------------- */

/* Takes the text; NULL: the line does not apply. */
static void line(GString *out, const char *label, char *text)
{
    if (text) {
        run_append_field(out, label, text);
    }
    g_free(text);
}

static char *message_text(const Run *run, const Record *r)
{
    const VeuMessageInfo *info = message_info(run, r);
    const VeuInstructionInfo *instruction = instruction_info(run, r);
    g_autofree char *text = NULL;

    if (r->message_offset == VEU_FAULT_NOT_APPLICABLE) {
        return NULL;
    }
    text = run_instruction_text(run, r->message_offset);
    if (text || instruction) {
        return g_strdup_printf("%s, at +0x%x of the code",
                               text ? text : instruction->mnemonic,
                               r->message_offset);
    }
    if (!info) {
        return g_strdup_printf("opcode 0x%02x, at +0x%x of the code",
                               r->message_opcode, r->message_offset);
    }
    return g_strdup_printf("%s, at +0x%x of the code", info->mnemonic,
                           r->message_offset);
}

static char *source_text(const Run *run, const Record *r)
{
    return r->message_offset == VEU_FAULT_NOT_APPLICABLE ?
               NULL :
               run_source(run, r->message_offset);
}

static char *thread_text(const Record *r)
{
    return r->thread == VEU_FAULT_NOT_APPLICABLE ?
               NULL :
               g_strdup_printf("%u of group %u", r->thread, r->group);
}

static char *lane_text(const Record *r)
{
    return r->lane == VEU_FAULT_NO_LANE ?
               NULL :
               g_strdup_printf("%u, block %u; all lanes that faulted: 0x%x",
                               r->lane, r->element, r->lanes);
}

static char *address_text(const Record *r)
{
    return r->access == VEU_ACCESS_NONE ?
               NULL :
               g_strdup_printf("0x%" PRIx64 ", %s of %u bytes", r->address,
                               name_of_access(r->access), r->bytes);
}

static char *moved_text(const Record *r)
{
    return r->lane == VEU_FAULT_NO_LANE ?
               NULL :
               g_strdup_printf("%u bytes, by the other lanes", r->bytes_done);
}

static void print_fault(const Run *run, const Record *r)
{
    const VeuFaultInfo *info = veu_fault_info(r->code);
    GString *out = g_string_new(NULL);

    line(out, "cause", g_strdup(info->cause));
    line(out, "message", message_text(run, r));
    line(out, "source", source_text(run, r));
    line(out, "thread", thread_text(r));
    line(out, "lane", lane_text(r));
    line(out, "address", address_text(r));
    line(out, "moved", moved_text(r));
    line(out, "detail", detail_text(run, r));
    if (run_has_walk(run, r)) {
        run_walk_print(run, out, r->address);
    }
    line(out, "before", g_strdup(info->effect));
    line(out, "advice", g_strdup(info->advice));
    line(out, "option", g_strdup(option_advice(run, r)));
    g_printerr("veu-run: fault %s (0x%02x)\n%s", info->name, r->code, out->str);
    g_string_free(out, TRUE);
}

static void print_contract(const RunContract *c)
{
    g_printerr("veu-run: check: %s: thread %" PRIu64 ", message at "
               "+0x%" PRIx64 "\n",
               c->name, c->thread, c->message_offset);
}

/* Prints how many were not kept. */
static void print_rest(const char *what, uint64_t count, uint64_t kept)
{
    if (count > kept) {
        g_printerr("veu-run: and %" PRIu64 " more %s\n", count - kept, what);
    }
}

void run_faults_print(const Run *run)
{
    for (unsigned i = 0; i < run->contracts->len; i++) {
        print_contract(&g_array_index(run->contracts, RunContract, i));
    }
    print_rest("broken rules", run->contract_count, run->contracts->len);
    for (unsigned i = 0; i < run->faults->len; i++) {
        print_fault(run, &g_array_index(run->faults, Record, i));
    }
    print_rest("faults", run->fault_count, run->faults->len);
}

/* --- JSON ---------------------------------------------------------------- */

static void json_message_place(Run *run, const Record *r)
{
    const VeuMessageInfo *info = message_info(run, r);
    const VeuInstructionInfo *instruction = instruction_info(run, r);
    Json *j = &run->json;

    if (r->thread != VEU_FAULT_NOT_APPLICABLE) {
        json_uint(j, "group", r->group);
        json_uint(j, "thread", r->thread);
    }
    if (r->message_offset != VEU_FAULT_NOT_APPLICABLE) {
        json_uint(j, "message_offset", r->message_offset);
        json_uint(j, "message_opcode", r->message_opcode);
    }
    if (info) {
        json_string(j, "message", info->mnemonic);
    } else if (instruction) {
        json_string(j, "instruction", instruction->mnemonic);
    }
}

static void json_lanes(Json *j, const Record *r)
{
    if (r->access != VEU_ACCESS_NONE) {
        json_uint(j, "address", r->address);
        json_uint(j, "bytes", r->bytes);
        json_string(j, "access", name_of_access(r->access));
    }
    if (r->lane != VEU_FAULT_NO_LANE) {
        json_uint(j, "lane", r->lane);
        json_uint(j, "element", r->element);
        json_uint(j, "lanes", r->lanes);
        json_uint(j, "bytes_done", r->bytes_done);
    }
}

static void json_fault(Run *run, const Record *r)
{
    const VeuFaultInfo *info = veu_fault_info(r->code);
    g_autofree char *detail = detail_text(run, r);
    Json *j = &run->json;

    json_object(j, NULL);
    json_uint(j, "code", r->code);
    json_string(j, "name", info->name);
    json_message_place(run, r);
    json_lanes(j, r);
    json_uint(j, "detail", r->detail);
    if (detail) {
        json_string(j, "detail_text", detail);
    }
    if (run_has_walk(run, r)) {
        run_walk_json(run, r->address);
    }
    json_string(j, "cause", info->cause);
    json_string(j, "effect", info->effect);
    json_string(j, "advice", info->advice);
    json_end(j);
}

static void json_contract(Json *j, const RunContract *c)
{
    json_row(j, NULL);
    json_string(j, "name", c->name);
    json_uint(j, "thread", c->thread);
    json_uint(j, "message_offset", c->message_offset);
    json_end(j);
}

void run_faults_json(Run *run)
{
    Json *j = &run->json;

    json_uint(j, "contract_count", run->contract_count);
    json_array(j, "contracts");
    for (unsigned i = 0; i < run->contracts->len; i++) {
        json_contract(j, &g_array_index(run->contracts, RunContract, i));
    }
    json_end(j);
    json_uint(j, "fault_count", run->fault_count);
    json_array(j, "faults");
    for (unsigned i = 0; i < run->faults->len; i++) {
        json_fault(run, &g_array_index(run->faults, Record, i));
    }
    json_end(j);
}
