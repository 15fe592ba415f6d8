/*
 * veu tools: prints the tables of docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each table comes from the rows that drive the device. spec-tables.py puts
 * them into docs/spec.md, or tells where that differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "hw/veu/device/model.h"
#include "hw/veu/device/ring.h"
#include "hw/veu/eu/program.h"
#include "tools/spec-tables.h"

void spec_table_begin(const char *name, const char *head, const char *rule)
{
    printf("<!-- table: %s -->\n%s\n%s\n", name, head, rule);
}

void spec_table_end(void)
{
    printf("<!-- end -->\n");
}

void spec_cell(const char *text)
{
    for (; *text; text++) {
        printf(*text == '|' ? "\\|" : "%c", *text);
    }
}

/* --- Identity ------------------------------------------------------------ */

#define IDENTITY(text, value) printf("| " text " | `0x%x` |\n", value)

static void print_identity(void)
{
    spec_table_begin("identity", "| What | Value |", "|---|---|");
    IDENTITY("PCI vendor id", VEU_PCI_VENDOR_ID);
    IDENTITY("PCI device id", VEU_PCI_DEVICE_ID);
    IDENTITY("PCI class and subclass", VEU_PCI_CLASS);
    IDENTITY("Register `MAGIC`", VEU_MAGIC);
    IDENTITY("Register `ABI_VERSION`", VEU_ABI_VERSION);
    spec_table_end();
    spec_table_begin("bar0", "| BAR0 offset | What |", "|---|---|");
    printf("| `0x0000` | registers of the device |\n");
    printf("| `0x%x` + n * `0x%x` | registers of ring n |\n", VEU_RING_BLOCK,
           VEU_RING_BLOCK_STRIDE);
    printf("| `0x%x` + n * `0x%x` | registers of context n |\n",
           VEU_CONTEXT_BLOCK, VEU_CONTEXT_BLOCK_STRIDE);
    printf("| `0x%x` | MSI-X table |\n", VEU_MSIX_TABLE_OFFSET);
    printf("| `0x%x` | MSI-X pending bits |\n", VEU_MSIX_PBA_OFFSET);
    printf("| `0x%x` | end of the BAR |\n", VEU_BAR_REGS_BYTES);
    spec_table_end();
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
    VeuDevice *device = veu_device_new(&config, &host);

    if (!device) {
        fprintf(stderr, "spec-tables: out of memory\n");
        exit(1);
    }
    return device;
}

/* Two devices that differ in every property tell what depends on one. */
static VeuDevice *one;
static VeuDevice *other;

static void print_reset_value(uint32_t offset, unsigned bytes)
{
    uint64_t value = veu_device_read(one, offset, bytes);

    if (veu_device_read(one, offset, bytes) != value) {
        printf("varies");
    } else if (veu_device_read(other, offset, bytes) != value) {
        printf("property");
    } else {
        printf("`0x%" PRIx64 "`", value);
    }
}

static void print_writable(const VeuRegister *r)
{
    uint64_t all = r->bytes == 4 ? UINT32_MAX : UINT64_MAX;

    if (r->access == VEU_REGISTER_RO) {
        printf("none");
    } else if (r->writable == all) {
        printf("all");
    } else {
        printf("`0x%" PRIx64 "`", r->writable);
    }
}

static void print_registers(const char *name, const VeuRegister *rows,
                            unsigned count, uint32_t block)
{
    static const char *const access[] = {
        [VEU_REGISTER_RO] = "RO",
        [VEU_REGISTER_RW] = "RW",
        [VEU_REGISTER_RWD] = "RWD",
    };

    spec_table_begin(
        name,
        "| Offset | Register | Bytes | Access | Reset | Writable | Meaning |",
        "|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < count; i++) {
        const VeuRegister *r = &rows[i];

        printf("| `0x%03" PRIx32 "` | `%s` | %" PRIu32 " | %s | ", r->offset,
               r->name, r->bytes, access[r->access]);
        print_reset_value(block + r->offset, r->bytes);
        printf(" | ");
        print_writable(r);
        printf(" | ");
        spec_cell(r->text);
        printf(" |\n");
    }
    spec_table_end();
}

static void print_all_registers(void)
{
    one = new_device(1, 1, 4096);
    other = new_device(2, 2, 65536);
    print_registers("device registers", veu_device_registers, VEU_DEVICE_ROWS,
                    0);
    print_registers("ring registers", veu_ring_registers, VEU_RING_ROWS,
                    VEU_RING_BLOCK);
    print_registers("context registers", veu_context_registers,
                    VEU_CONTEXT_ROWS, VEU_CONTEXT_BLOCK);
    veu_device_free(one);
    veu_device_free(other);
}

/* --- Commands ------------------------------------------------------------ */

static void print_commands(void)
{
    spec_table_begin("commands", "| Opcode | Command | Slots | What it does |",
                     "|---|---|---|---|");
    for (unsigned i = 0; i < veu_command_count; i++) {
        const VeuCommandInfo *c = &veu_commands[i];

        printf("| `0x%02x` | %s | %u | ", c->opcode, c->name, c->slots);
        spec_cell(c->summary);
        printf(" |\n");
    }
    spec_table_end();
}

/* --- Messages ------------------------------------------------------------ */

static void print_opcode(const VeuMessageInfo *m)
{
    printf("`%02x", m->opcode);
    if (m->sub != VEU_MESSAGE_NO_SUB) {
        printf(" %02x", m->sub);
    }
    printf("`");
}

static void print_lanes(unsigned lanes)
{
    const char *comma = "";

    for (unsigned n = 1; n <= VEU_MAX_LANES; n *= 2) {
        if (lanes & n) {
            printf("%s%u", comma, n);
            comma = ", ";
        }
    }
}

static void print_messages(void)
{
    spec_table_begin("messages",
                     "| Opcode | Message | Lanes | Access | Surfaces "
                     "| Out of bounds | What it does |",
                     "|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *m = &veu_messages[i];

        printf("| ");
        print_opcode(m);
        printf(" | %s | ", m->mnemonic);
        print_lanes(m->lanes);
        printf(" | %s | %s | %s | ",
               m->access == VEU_ACCESS_READ ? "read" : "write", m->surfaces,
               m->bounds);
        spec_cell(m->summary);
        printf(" |\n");
    }
    spec_table_end();
}

/* A scalar operand has one of three sizes: what follows it is at "n + s". */
static void print_encoding(const VeuMessageInfo *m)
{
    unsigned at = m->sub == VEU_MESSAGE_NO_SUB ? 1 : 2;
    const char *plus = "";

    spec_table_begin(m->mnemonic, "| At | Bytes | Field |", "|---|---|---|");
    printf("| 0 | %u | opcode ", at);
    print_opcode(m);
    printf(" |\n");
    for (const uint8_t *f = m->fields; *f != VEU_FIELD_END; f++) {
        static const unsigned bytes[] = {
            [VEU_KIND_BYTE] = 1,
            [VEU_KIND_WORD] = 2,
            [VEU_KIND_RAW] = 6,
        };
        const VeuFieldInfo *field = &veu_fields[*f];

        if (field->kind == VEU_KIND_SCALAR) {
            printf("| %u | s | %s |\n", at, field->name);
            plus = " + s";
        } else {
            printf("| %u%s | %u | %s |\n", at, plus, bytes[field->kind],
                   field->name);
            at += bytes[field->kind];
        }
    }
    spec_table_end();
}

static void print_encodings(void)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        print_encoding(&veu_messages[i]);
    }
}

/* --- Types and formats --------------------------------------------------- */

static void print_types(void)
{
    static const char *const names[] = {
        [VEU_TYPE_UD] = "UD",     [VEU_TYPE_D] = "D",   [VEU_TYPE_UW] = "UW",
        [VEU_TYPE_W] = "W",       [VEU_TYPE_UB] = "UB", [VEU_TYPE_B] = "B",
        [VEU_TYPE_DF] = "DF",     [VEU_TYPE_F] = "F",   [VEU_TYPE_V] = "V",
        [VEU_TYPE_VF] = "VF",     [VEU_TYPE_UQ] = "UQ", [VEU_TYPE_UV] = "UV",
        [VEU_TYPE_BOOL] = "BOOL", [VEU_TYPE_Q] = "Q",   [VEU_TYPE_HF] = "HF",
        [VEU_TYPE_BF] = "BF",
    };

    spec_table_begin("types", "| Code | Type | Bytes of an element |",
                     "|---|---|---|");
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        printf("| %u | %s | ", i, names[i]);
        printf(veu_type_bytes(i) ? "%u |\n" : "refused |\n", veu_type_bytes(i));
    }
    spec_table_end();
}

static const char *const channel_types[] = {
    [VEU_CHANNEL_FLOAT] = "FLOAT", [VEU_CHANNEL_UNORM] = "UNORM",
    [VEU_CHANNEL_SNORM] = "SNORM", [VEU_CHANNEL_SINT] = "SINT",
    [VEU_CHANNEL_UINT] = "UINT",
};

static void print_channels(const VeuFormat *format)
{
    unsigned byte = 0;

    for (unsigned i = 0; i < 4 && format->channels[i].bits; i++) {
        const VeuChannel *c = &format->channels[i];

        printf("%s%c at %u", i ? ", " : "", "RGBA"[c->name], byte);
        byte += c->bits / 8;
    }
    printf(byte ? " | %u | %s |\n" : "none | | |\n", format->channels[0].bits,
           channel_types[format->channels[0].type]);
}

static void print_formats(void)
{
    spec_table_begin("formats",
                     "| Code | Format | Bytes of a texel "
                     "| Channels at byte | Bits of each | Type |",
                     "|---|---|---|---|---|---|");
    for (unsigned i = 0; i < veu_format_count; i++) {
        const VeuFormat *f = &veu_formats[i];

        printf("| `0x%03x` | `%s` | %u | ", f->code, f->name, f->bytes);
        print_channels(f);
    }
    spec_table_end();
}

/* --- Faults -------------------------------------------------------------- */

static void print_faults(void)
{
    spec_table_begin("faults", "| Code | Fault | Cause | What a driver does |",
                     "|---|---|---|---|");
    for (unsigned i = 0; i < veu_fault_count; i++) {
        const VeuFaultInfo *f = &veu_faults[i];

        printf("| `0x%02x` | `%s` | ", f->code, f->name);
        spec_cell(f->cause);
        printf(" | ");
        spec_cell(f->advice);
        printf(" |\n");
    }
    spec_table_end();
}

int main(void)
{
    print_identity();
    print_all_registers();
    print_commands();
    print_messages();
    print_encodings();
    print_types();
    print_formats();
    print_faults();
    return spec_layouts() ? 0 : 1;
}
