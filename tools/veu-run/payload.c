/*
 * veu-run: the payload, which EU threads start with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/program/payload.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

/* --set P1=MASK */
static bool set_predicate(const RunProgram *p, const char *option,
                          uint32_t number, const char *text, uint8_t *payload)
{
    uint32_t count = p->declared->predicate_count;
    uint64_t mask;
    uint32_t word;

    if (number == 0 || number > count) {
        return tool_error(p->is_message && number ?
                              "--set %s: a message has at most %u predicates" :
                              "--set %s: the predicates are P1 to P%u",
                          option, count);
    }
    if (!number_parse(text, &mask) || mask > UINT32_MAX) {
        return tool_error(
            "--set %s: '%s' is not a mask; write P1=0xff, bit n for "
            "lane n",
            option, text);
    }
    word = mask;
    memcpy(payload + sizeof(struct veu_payload_header) +
               (number - 1) * sizeof(word),
           &word, sizeof(word));
    return true;
}

/* --set A0=VALUES: these follow the predicates, a word for each element. */
static bool set_address(const RunProgram *p, const char *option,
                        uint32_t number, const char *text, uint8_t *payload)
{
    const VeuProgram *declared = p->declared;
    const VeuAddressVariable *a;
    g_autofree char *where = g_strdup_printf("--set %s", option);
    g_autoptr(GByteArray) values = g_byte_array_new();

    if (p->is_message) {
        return tool_error("--set %s: a message has no address variables; a "
                          "program file may have some",
                          option);
    }
    if (number >= declared->address_count) {
        return tool_error(
            "--set %s: there are %u address variables, from A0 on", option,
            declared->address_count);
    }
    a = &declared->addresses[number];
    if (!run_values_parse(text, VEU_TYPE_UW, a->elements, where, values)) {
        return false;
    }
    memcpy(payload + sizeof(struct veu_payload_header) +
               declared->predicate_count * sizeof(uint32_t) +
               a->first * sizeof(uint16_t),
           values->data, values->len);
    return true;
}

/* --set V32=VALUES */
static bool set_variable(const RunProgram *p, const char *option,
                         const char *name, const char *text, uint8_t *registers)
{
    const struct veu_variable *v = run_program_variable(p, name, "--set",
                                                        option);
    g_autofree char *where = g_strdup_printf("--set %s", option);
    g_autoptr(GByteArray) values = g_byte_array_new();

    if (!v || !run_values_parse(text, v->type, v->elements, where, values)) {
        return false;
    }
    if (values->len) {
        memcpy(registers + v->offset, values->data, values->len);
    }
    return true;
}

static bool set_one(const RunProgram *p, const char *option, RunBytes *payload)
{
    g_auto(GStrv) parts = g_strsplit(option, "=", 2);
    uint32_t number;

    if (!parts[0] || !parts[1]) {
        return tool_error("--set %s: write V32=1,2,3 or V32=0..15 or P1=0xff",
                          option);
    }
    if (run_name_parse(parts[0], 'P', &number)) {
        return set_predicate(p, option, number, parts[1], payload->data);
    }
    if (run_name_parse(parts[0], 'A', &number)) {
        return set_address(p, option, number, parts[1], payload->data);
    }
    return set_variable(p, option, parts[0], parts[1],
                        payload->data + veu_payload_registers_at(p->declared));
}

/* The payload's mask enables all lanes; --exec-mask is that of the launch. */
static bool make_from_sets(char **sets, const RunProgram *p, RunBytes *payload)
{
    struct veu_payload_header header = { .exec_mask = UINT32_MAX };

    payload->bytes = veu_payload_registers_at(p->declared) +
                     p->declared->register_bytes;
    payload->data = g_malloc0(payload->bytes);
    memcpy(payload->data, &header, sizeof(header));
    for (; *sets; sets++) {
        if (!set_one(p, *sets, payload)) {
            return false;
        }
    }
    return true;
}

bool run_payload_make(const RunOptions *o, const RunProgram *p,
                      RunBytes *payload)
{
    if (o->payload && o->sets) {
        return tool_error("--payload and --set exclude each other");
    }
    if (o->payload_stride && !o->payload) {
        return tool_error("--payload-stride is for --payload");
    }
    if (o->payload) {
        return run_file_read(o->payload, RUN_MAX_BYTES, "--payload ",
                             o->payload, "name a file", payload);
    }
    return !o->sets || p->broken || make_from_sets(o->sets, p, payload);
}
