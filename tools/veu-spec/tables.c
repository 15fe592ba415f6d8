/*
 * veu-spec: the tables of registers, commands, counters and faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are made from the rows that drive the device.
 */
#include <inttypes.h>
#include "hw/veu/device/host/commands.h"
#include "hw/veu/device/host/device.h"
#include "hw/veu/device/host/registers.h"
#include "tools/lib/json.h"
#include "tools/veu-spec/veu-spec.h"

/* --- Identity ------------------------------------------------------------ */

static void identity_row(SpecTable *t, const char *markdown, const char *key,
                         uint64_t value)
{
    spec_cell(t, g_strdup(markdown), json_quote(key));
    spec_hex(t, 0, value);
}

/* @stride: 0 if there is only one. */
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
    bar0_row(t, VEU_SCANOUT_BLOCK, 0, "registers of the scanout");
    bar0_row(t, VEU_MSIX_TABLE_OFFSET, 0, "MSI-X table");
    bar0_row(t, VEU_MSIX_PBA_OFFSET, 0, "MSI-X pending bits");
    bar0_row(t, VEU_BAR_REGS_BYTES, 0, "end of the BAR");
}

/* --- Registers ----------------------------------------------------------- */

/* No two readings of the clock are equal, so that TIME is found to vary. */
static uint64_t host_now_ns(VeuHost *host)
{
    static uint64_t now;

    return ++now;
}

static void blank(VeuHost *h)
{
}

/* The device has a display, so that all registers exist. */
static const VeuScreen screen = { .blank = blank };
static VeuHost host = { .now_ns = host_now_ns, .screen = &screen };

static VeuDevice *new_device(uint32_t rings, uint32_t vectors, uint32_t stride,
                             uint32_t host_flags)
{
    VeuDeviceConfig config = {
        .rings = rings,
        .vectors = vectors,
        .doorbell_stride_bytes = stride,
        .host_flags = host_flags,
    };

    return veu_device_new(&config, &host);
}

/* Two devices that differ in every property show what depends on one. */
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
    Devices d = { new_device(1, 1, 4096, 0),
                  new_device(2, 2, 65536, VEU_FLAG_PARALLEL) };
    bool ok = d.one && d.other;

    if (ok) {
        add_registers(tables, &d, "device registers", "device",
                      veu_device_registers, VEU_DEVICE_ROWS, 0);
        add_registers(tables, &d, "ring registers", "ring", veu_ring_registers,
                      VEU_RING_ROWS, VEU_RING_BLOCK);
        add_registers(tables, &d, "context registers", "context",
                      veu_context_registers, VEU_CONTEXT_ROWS,
                      VEU_CONTEXT_BLOCK);
        add_registers(tables, &d, "scanout registers", "scanout",
                      veu_scanout_registers, VEU_SCANOUT_ROWS,
                      VEU_SCANOUT_BLOCK);
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
        const VeuCommandInfo *c = veu_commands[i];

        spec_hex(t, 2, c->opcode);
        spec_text(t, c->name);
        spec_number(t, c->slots);
        spec_text(t, c->summary);
    }
}

/* --- Scanout ------------------------------------------------------------- */

void spec_scanout_formats(GPtrArray *tables)
{
    static const SpecColumn columns[] = { { "Code", "code" },
                                          { "Format", "name" },
                                          { 0 } };
    static const struct {
        const char *name;
        uint32_t code;
    } formats[] = {
#define FORMAT(name, pixman) { #name, VEU_FORMAT_##name },
        VEU_SCANOUT_FORMATS(FORMAT)
#undef FORMAT
    };
    SpecTable *t = spec_table(tables, "scanout_formats", "scanout_formats",
                              NULL, columns);

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        spec_hex(t, 3, formats[i].code);
        spec_code(t, formats[i].name);
    }
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
