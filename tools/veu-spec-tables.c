/*
 * veu-spec: the tables of messages, commands, registers, formats and faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each comes from the rows that drive the device.
 */
#include <inttypes.h>
#include "hw/veu/device/model.h"
#include "hw/veu/device/ring.h"
#include "hw/veu/eu/program.h"
#include "tools/lib/json.h"
#include "tools/lib/names.h"
#include "tools/veu-spec.h"

/* --- Identity ------------------------------------------------------------ */

static void identity_row(SpecTable *t, const char *markdown, const char *key,
                         uint64_t value)
{
    spec_cell(t, g_strdup(markdown), json_quote(key));
    spec_hex(t, 0, value);
}

/* @stride: 0 where there is but one. */
static void bar0_row(SpecTable *t, uint32_t offset, uint32_t stride,
                     const char *text)
{
    g_autofree char *at = g_strdup_printf("`0x%04x`", offset);
    g_autofree char *each = g_strdup_printf("%s + n * `0x%x`", at, stride);

    spec_number_as(t, stride ? each : at, offset);
    spec_number(t, stride);
    spec_text(t, text);
}

void spec_identity(GPtrArray *tables)
{
    static const SpecColumn what[] = { { "What", "name" },
                                       { "Value", "value" },
                                       { 0 } };
    static const SpecColumn places[] = { { "BAR0 offset", "offset" },
                                         { NULL, "stride" },
                                         { "What", "text" },
                                         { 0 } };
    SpecTable *t = spec_table(tables, "identity", "identity", NULL, what);

    identity_row(t, "PCI vendor id", "pci_vendor_id", VEU_PCI_VENDOR_ID);
    identity_row(t, "PCI device id", "pci_device_id", VEU_PCI_DEVICE_ID);
    identity_row(t, "PCI class and subclass", "pci_class", VEU_PCI_CLASS);
    identity_row(t, "Register `MAGIC`", "magic", VEU_MAGIC);
    identity_row(t, "Register `ABI_VERSION`", "abi_version", VEU_ABI_VERSION);
    t = spec_table(tables, "bar0", "bar0", NULL, places);
    bar0_row(t, 0, 0, "registers of the device");
    bar0_row(t, VEU_RING_BLOCK, VEU_RING_BLOCK_STRIDE, "registers of ring n");
    bar0_row(t, VEU_CONTEXT_BLOCK, VEU_CONTEXT_BLOCK_STRIDE,
             "registers of context n");
    bar0_row(t, VEU_MSIX_TABLE_OFFSET, 0, "MSI-X table");
    bar0_row(t, VEU_MSIX_PBA_OFFSET, 0, "MSI-X pending bits");
    bar0_row(t, VEU_BAR_REGS_BYTES, 0, "end of the BAR");
}

/* --- Registers ----------------------------------------------------------- */

/* No two looks at the clock are alike, so TIME is seen to vary. */
static uint64_t host_now_ns(VeuHost *host)
{
    static uint64_t now;

    return ++now;
}

static VeuHost host = { .now_ns = host_now_ns };

static VeuDevice *new_device(uint32_t rings, uint32_t vectors, uint32_t stride)
{
    VeuDeviceConfig config = {
        .rings = rings,
        .vectors = vectors,
        .doorbell_stride_bytes = stride,
    };

    return veu_device_new(&config, &host);
}

/* Two devices that differ in every property tell what depends on one. */
typedef struct Devices {
    VeuDevice *one;
    VeuDevice *other;
} Devices;

static void reset_cells(SpecTable *t, const Devices *d, uint32_t offset,
                        unsigned bytes)
{
    uint64_t value = veu_device_read(d->one, offset, bytes);
    const char *kind = "number";

    if (veu_device_read(d->one, offset, bytes) != value) {
        kind = "varies";
    } else if (veu_device_read(d->other, offset, bytes) != value) {
        kind = "property";
    }
    if (*kind == 'n') {
        spec_hex(t, 0, value);
    } else {
        spec_null(t, kind);
    }
    spec_text(t, kind);
}

static void writable_cell(SpecTable *t, const VeuRegister *r)
{
    uint64_t all = r->bytes == 4 ? UINT32_MAX : UINT64_MAX;

    if (r->access == VEU_REGISTER_RO) {
        spec_number_as(t, "none", 0);
    } else if (r->writable == all) {
        spec_number_as(t, "all", all);
    } else {
        spec_hex(t, 0, r->writable);
    }
}

static void add_registers(GPtrArray *tables, const Devices *devices,
                          const char *name, const char *key,
                          const VeuRegister *rows, unsigned count,
                          uint32_t block)
{
    static const SpecColumn columns[] = { { "Offset", "offset" },
                                          { "Register", "name" },
                                          { "Bytes", "bytes" },
                                          { "Access", "access" },
                                          { "Reset", "reset" },
                                          { NULL, "reset_kind" },
                                          { "Writable", "writable" },
                                          { "Meaning", "text" },
                                          { 0 } };
    static const char *const access[] = {
        [VEU_REGISTER_RO] = "RO",
        [VEU_REGISTER_RW] = "RW",
        [VEU_REGISTER_RWD] = "RWD",
    };
    SpecTable *t = spec_table(tables, "registers", name, key, columns);

    for (unsigned i = 0; i < count; i++) {
        const VeuRegister *r = &rows[i];

        spec_hex(t, 3, r->offset);
        spec_code(t, r->name);
        spec_number(t, r->bytes);
        spec_text(t, access[r->access]);
        reset_cells(t, devices, block + r->offset, r->bytes);
        writable_cell(t, r);
        spec_text(t, r->text);
    }
}

bool spec_registers(GPtrArray *tables)
{
    Devices d = { new_device(1, 1, 4096), new_device(2, 2, 65536) };
    bool ok = d.one && d.other;

    if (ok) {
        add_registers(tables, &d, "device registers", "device",
                      veu_device_registers, VEU_DEVICE_ROWS, 0);
        add_registers(tables, &d, "ring registers", "ring", veu_ring_registers,
                      VEU_RING_ROWS, VEU_RING_BLOCK);
        add_registers(tables, &d, "context registers", "context",
                      veu_context_registers, VEU_CONTEXT_ROWS,
                      VEU_CONTEXT_BLOCK);
    } else {
        g_printerr("veu-spec: out of memory\n");
    }
    veu_device_free(d.one);
    veu_device_free(d.other);
    return ok;
}

/* --- Commands ------------------------------------------------------------ */

void spec_commands(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Opcode", "opcode" },
                                          { "Command", "name" },
                                          { "Slots", "slots" },
                                          { "What it does", "text" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "commands", "commands", NULL, columns);

    for (unsigned i = 0; i < veu_command_count; i++) {
        const VeuCommandInfo *c = &veu_commands[i];

        spec_hex(t, 2, c->opcode);
        spec_text(t, c->name);
        spec_number(t, c->slots);
        spec_text(t, c->summary);
    }
}

/* --- Messages ------------------------------------------------------------ */

static char *opcode_text(const VeuMessageInfo *m)
{
    return m->sub == VEU_MESSAGE_NO_SUB ?
               g_strdup_printf("`%02x`", m->opcode) :
               g_strdup_printf("`%02x %02x`", m->opcode, m->sub);
}

static void opcode_cells(SpecTable *t, const VeuMessageInfo *m)
{
    g_autofree char *text = opcode_text(m);

    spec_number_as(t, text, m->opcode);
    if (m->sub == VEU_MESSAGE_NO_SUB) {
        spec_null(t, "");
    } else {
        spec_number(t, m->sub);
    }
}

static void lanes_cell(SpecTable *t, unsigned lanes)
{
    GString *text = g_string_new(NULL);

    for (unsigned n = 1; n <= VEU_MAX_LANES; n *= 2) {
        if (lanes & n) {
            g_string_append_printf(text, "%s%u", text->len ? ", " : "", n);
        }
    }
    spec_cell(t, g_strdup(text->str), g_strdup_printf("[%s]", text->str));
    g_string_free(text, TRUE);
}

/* A list in words; "none" is empty. */
static void words_cell(SpecTable *t, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, ", ", -1);
    g_autofree char *joined = g_strjoinv("\", \"", words);

    spec_cell(t, g_strdup(text),
              g_str_equal(text, "none") ? g_strdup("[]") :
                                          g_strdup_printf("[\"%s\"]", joined));
}

static void add_messages(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Opcode", "opcode" },
                                          { NULL, "sub_opcode" },
                                          { "Message", "name" },
                                          { "Lanes", "lanes" },
                                          { "Access", "access" },
                                          { "Surfaces", "surfaces" },
                                          { "Out of bounds", "out_of_bounds" },
                                          { "What it does", "text" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "messages", "messages", NULL, columns);

    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *m = &veu_messages[i];

        opcode_cells(t, m);
        spec_text(t, m->mnemonic);
        lanes_cell(t, m->lanes);
        spec_text(t, name_of_access(m->access));
        words_cell(t, m->surfaces);
        spec_text(t, m->bounds);
        spec_text(t, m->summary);
    }
}

/* Where a field is; it moves by the size of a scalar before it, if any. */
typedef struct FieldPlace {
    unsigned at;
    bool after_scalar;
} FieldPlace;

static void field_row(SpecTable *t, const VeuFieldInfo *field,
                      FieldPlace *place)
{
    static const struct {
        unsigned bytes;
        const char *name;
    } kinds[] = {
        [VEU_KIND_BYTE] = { 1, "byte" },
        [VEU_KIND_WORD] = { 2, "word" },
        [VEU_KIND_RAW] = { 6, "raw" },
        [VEU_KIND_SCALAR] = { 0, "scalar" },
    };
    bool scalar = field->kind == VEU_KIND_SCALAR;
    g_autofree char *at = g_strdup_printf(place->after_scalar ? "%u + s" : "%u",
                                          place->at);

    spec_number_as(t, at, place->at);
    spec_cell(t, g_strdup(""),
              g_strdup(place->after_scalar ? "true" : "false"));
    if (scalar) {
        spec_null(t, "s");
    } else {
        spec_number(t, kinds[field->kind].bytes);
    }
    spec_text(t, field->name);
    spec_text(t, kinds[field->kind].name);
    place->at += kinds[field->kind].bytes;
    place->after_scalar |= scalar;
}

/* A scalar operand has one of three sizes: what follows it is at "n + s". */
static void add_fields(GPtrArray *tables, const VeuMessageInfo *m)
{
    static const SpecColumn columns[] = {
        { "At", "offset" },  { NULL, "after_scalar" }, { "Bytes", "bytes" },
        { "Field", "name" }, { NULL, "kind" },         { 0 }
    };
    SpecTable *t = spec_table(tables, "fields", m->mnemonic, m->mnemonic,
                              columns);
    FieldPlace place = { .at = m->sub == VEU_MESSAGE_NO_SUB ? 1 : 2 };
    g_autofree char *opcode = opcode_text(m);

    spec_number(t, 0);
    spec_cell(t, g_strdup(""), g_strdup("false"));
    spec_number(t, place.at);
    spec_cell(t, g_strdup_printf("opcode %s", opcode), json_quote("opcode"));
    spec_text(t, "opcode");
    for (const uint8_t *f = m->fields; *f != VEU_FIELD_END; f++) {
        field_row(t, &veu_fields[*f], &place);
    }
}

void spec_messages(GPtrArray *tables)
{
    add_messages(tables);
    for (unsigned i = 0; i < veu_message_count; i++) {
        add_fields(tables, &veu_messages[i]);
    }
}

/* --- Types and formats --------------------------------------------------- */

static void add_types(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Type", "name" },
                                          { "Bytes of an element", "bytes" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "types", "types", NULL, columns);

    for (unsigned i = 0; i < VEU_TYPE_COUNT; i++) {
        spec_number(t, i);
        spec_text(t, name_of_type(i));
        if (veu_type_bytes(i)) {
            spec_number(t, veu_type_bytes(i));
        } else {
            spec_null(t, "refused");
        }
    }
}

static void channels_cell(SpecTable *t, const VeuFormat *format)
{
    GString *text = g_string_new(NULL);
    GString *json = g_string_new(NULL);
    unsigned byte = 0;

    for (unsigned i = 0; i < 4 && format->channels[i].bits; i++) {
        const VeuChannel *c = &format->channels[i];
        const char *comma = i ? ", " : "";

        g_string_append_printf(text, "%s%c at %u", comma, "RGBA"[c->name],
                               byte);
        g_string_append_printf(json,
                               "%s{\"name\": \"%c\", \"byte\": %u, "
                               "\"bits\": %u}",
                               comma, "RGBA"[c->name], byte, c -> bits);
        byte += c->bits / 8;
    }
    spec_cell(t, g_strdup(byte ? text->str : "none"),
              g_strdup_printf("[%s]", json->str));
    g_string_free(text, TRUE);
    g_string_free(json, TRUE);
}

static void add_formats(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Format", "name" },
                                          { "Bytes of a texel", "bytes" },
                                          { "Channels at byte", "channels" },
                                          { "Bits of each", "bits" },
                                          { "Type", "type" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "formats", "formats", NULL, columns);

    for (unsigned i = 0; i < veu_format_count; i++) {
        const VeuFormat *f = &veu_formats[i];

        spec_hex(t, 3, f->code);
        spec_code(t, f->name);
        spec_number(t, f->bytes);
        channels_cell(t, f);
        if (f->channels[0].bits) {
            spec_number(t, f->channels[0].bits);
            spec_text(t, name_of_channel_type(f->channels[0].type));
        } else {
            spec_null(t, "");
            spec_null(t, "");
        }
    }
}

void spec_formats(GPtrArray *tables)
{
    add_types(tables);
    add_formats(tables);
}

/* --- Counters ------------------------------------------------------------ */

void spec_counters(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Counter", "name" },
                                          { "Register at", "offset" },
                                          { "What it counts", "text" },
                                          { 0 } };
    static const struct {
        const char *name;
        uint32_t offset;
        const char *text;
    } counters[] = {
#define COUNTER(name, number, text) { #name, VEU_REG_COUNTER_##name, text },
        VEU_COUNTERS(COUNTER)
#undef COUNTER
    };
    SpecTable *t = spec_table(tables, "counters", "counters", NULL, columns);

    for (unsigned i = 0; i < G_N_ELEMENTS(counters); i++) {
        spec_code(t, counters[i].name);
        spec_hex(t, 3, counters[i].offset);
        spec_text(t, counters[i].text);
    }
}

/* --- Faults -------------------------------------------------------------- */

void spec_faults(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Fault", "name" },
                                          { "Cause", "cause" },
                                          { "What had happened", "effect" },
                                          { "What a driver does", "advice" },
                                          { 0 } };
    SpecTable *t = spec_table(tables, "faults", "faults", NULL, columns);

    for (unsigned i = 0; i < veu_fault_count; i++) {
        const VeuFaultInfo *f = &veu_faults[i];

        spec_hex(t, 2, f->code);
        spec_code(t, f->name);
        spec_text(t, f->cause);
        spec_text(t, f->effect);
        spec_text(t, f->advice);
    }
}
