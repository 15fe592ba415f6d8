/*
 * libveu-kernel: packed kernels.
 *
 * SPDX-License-Identifier: MIT
 *
 * The file format is that of veu/packed.h: the information that a guest needs
 * about a kernel, in tables. Program-scope data forms one block, in which each
 * section has a place.
 */
#include <string.h>
#include "tools/kernel/kernel_internal.h"

#define SECTION_ALIGNMENT 64
#define SCRATCH_UNIT      1024u

typedef struct Packer {
    VeuZebin *zebin;
    const VeuKernel *kernel;
    struct veu_packed_kernel header;
    GByteArray *out;
    GArray *addresses; /* elements: struct veu_packed_address */
    GError **error;
} Packer;

/* --- Tables -------------------------------------------------------------- */

/* Appends @bytes, aligned to 8, and returns their offset. */
static uint32_t append(Packer *p, const void *from, uint32_t bytes)
{
    static const uint8_t zeros[8];
    uint32_t offset;

    g_byte_array_append(p->out, zeros, (8 - p->out->len % 8) % 8);
    offset = p->out->len;
    g_byte_array_append(p->out, from ? from : zeros, bytes);
    return offset;
}

static uint32_t append_text(Packer *p, const char *text)
{
    return text ? append(p, text, strlen(text) + 1) : 0;
}

static struct veu_packed_table append_table(Packer *p, const GArray *rows)
{
    return (struct veu_packed_table){
        .offset = append(p, rows->data,
                         rows->len * g_array_get_element_size((GArray *)rows)),
        .count = rows->len,
    };
}

static GArray *new_table(unsigned row_bytes)
{
    return g_array_new(FALSE, TRUE, row_bytes);
}

static void pack_args(Packer *p)
{
    g_autoptr(GArray) rows = new_table(sizeof(struct veu_packed_arg));

    for (unsigned i = 0; i < p->kernel->args->len; i++) {
        const VeuKernelArg *arg = &g_array_index(p->kernel->args, VeuKernelArg,
                                                 i);
        struct veu_packed_arg row = {
            .name = append_text(p, arg->name),
            .kind = arg->kind,
            .image_type = arg->image_type,
            .bytes = arg->bytes,
        };

        g_array_append_val(rows, row);
    }
    p->header.args = append_table(p, rows);
}

/*
 * The offset of the first section with this name in the data; 0 if there is
 * none.
 */
static uint64_t section_offset(const Packer *p, const char *name)
{
    for (unsigned i = 0; i < p->zebin->sections->len; i++) {
        const VeuKernelSection *s = &g_array_index(p->zebin->sections,
                                                   VeuKernelSection, i);

        if (!strcmp(s->name, name)) {
            return s->address;
        }
    }
    return 0;
}

static void pack_fields(Packer *p)
{
    g_autoptr(GArray) rows = new_table(sizeof(struct veu_packed_field));

    for (unsigned i = 0; i < p->kernel->payload->len; i++) {
        const VeuKernelPayload *from = &g_array_index(p->kernel->payload,
                                                      VeuKernelPayload, i);
        struct veu_packed_field row = {
            .type = from->type,
            .offset = from->offset,
            .bytes = from->bytes,
            .arg = from->arg,
            .source_offset = from->source_offset,
        };

        if (from->type == VEU_KERNEL_PAYLOAD_CONST_BASE) {
            row.source_offset = section_offset(p, ".data.const");
        } else if (from->type == VEU_KERNEL_PAYLOAD_GLOBAL_BASE) {
            row.source_offset = section_offset(p, ".data.global");
        }
        if (from->type != VEU_KERNEL_PAYLOAD_ZERO) {
            g_array_append_val(rows, row);
        }
    }
    p->header.fields = append_table(p, rows);
}

/*
 * Packs the surfaces that a launch fills; images that the compiler removed have
 * none.
 */
static void pack_surfaces(Packer *p)
{
    g_autoptr(GArray) rows = new_table(sizeof(struct veu_packed_surface));

    for (unsigned i = 0; i < p->kernel->surfaces->len; i++) {
        const VeuKernelSurface *from = &g_array_index(p->kernel->surfaces,
                                                      VeuKernelSurface, i);
        struct veu_packed_surface row = { from->index, from->arg };

        if (from->arg < p->kernel->args->len) {
            g_array_append_val(rows, row);
        }
    }
    p->header.surfaces = append_table(p, rows);
}

static void pack_samplers(Packer *p)
{
    g_autoptr(GArray) rows = new_table(sizeof(struct veu_packed_sampler));

    for (unsigned i = 0; i < p->kernel->samplers->len; i++) {
        const VeuKernelSampler *from = &g_array_index(p->kernel->samplers,
                                                      VeuKernelSampler, i);
        struct veu_packed_sampler row = {
            .index = from->index,
            .arg = from->is_arg ? from->arg : UINT32_MAX,
            .state = from->state,
        };

        g_array_append_val(rows, row);
    }
    p->header.samplers = append_table(p, rows);
}

/* --- Data ---------------------------------------------------------------- */

/*
 * Places sections with bytes in the file, then those of zeros, from @base on.
 */
static uint64_t place_sections(Packer *p, uint64_t base)
{
    uint64_t at = 0;

    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < p->zebin->sections->len; i++) {
            VeuKernelSection *s = &g_array_index(p->zebin->sections,
                                                 VeuKernelSection, i);

            if (g_str_has_prefix(s->name, ".bss.") == (pass == 1)) {
                s->address = base + at;
                at += (s->bytes + SECTION_ALIGNMENT - 1) / SECTION_ALIGNMENT *
                      SECTION_ALIGNMENT;
            }
        }
    }
    return at;
}

/* Zeros at the end are not stored in the file. */
static void pack_data(Packer *p, uint64_t bytes)
{
    g_autofree uint8_t *data = g_malloc0(bytes + 1);
    uint64_t used = bytes;

    for (unsigned i = 0; i < p->zebin->sections->len; i++) {
        const VeuKernelSection *s = &g_array_index(p->zebin->sections,
                                                   VeuKernelSection, i);

        memcpy(data + s->address, s->data, s->bytes);
    }
    while (used && !data[used - 1]) {
        used--;
    }
    p->header.data = append(p, data, used);
    p->header.data_bytes = used;
    p->header.data_memory_bytes = bytes;
}

/* Does what veu_zebin_relocate() does, but in the guest. */
static void add_data_addresses(Packer *p)
{
    for (unsigned i = 0; i < p->zebin->relocations->len; i++) {
        const VeuKernelRelocation *r = &g_array_index(p->zebin->relocations,
                                                      VeuKernelRelocation, i);
        const VeuKernelSection *target = veu_zebin_section(p->zebin, r->target);
        struct veu_packed_address row = {
            .part = VEU_PACKED_DATA,
            .bytes = r->type == VEU_ZEBIN_RELOCATE_ADDRESS ? 8 : 4,
            .shift = r->type == VEU_ZEBIN_RELOCATE_HIGH ? 32 : 0,
            .offset = target->address + r->offset,
        };

        veu_zebin_address(p->zebin, &r->symbol, &row.addend);
        row.addend += veu_zebin_addend(p->zebin, r);
        g_array_append_val(p->addresses, row);
    }
}

/* --- The program --------------------------------------------------------- */

/*
 * Bytes that differ if the data is at another address are addresses of 8 bytes.
 * OTHER_BASE changes all of their bytes except the first.
 */
#define OTHER_BASE UINT64_C(0x8080808080808000)

static void add_program_addresses(Packer *p, const GByteArray *here,
                                  const GByteArray *there)
{
    for (uint32_t i = 1; i + 7 <= here->len; i++) {
        struct veu_packed_address row = { .part = VEU_PACKED_PROGRAM,
                                          .bytes = 8,
                                          .offset = i - 1 };

        if (here->data[i] != there->data[i]) {
            memcpy(&row.addend, here->data + row.offset, sizeof(row.addend));
            g_array_append_val(p->addresses, row);
            i += 7;
        }
    }
}

static bool pack_program(Packer *p)
{
    g_autoptr(GByteArray) here = NULL;
    g_autoptr(GByteArray) there = NULL;

    place_sections(p, OTHER_BASE);
    there = veu_kernel_program(p->kernel, false, p->error);
    place_sections(p, 0);
    here = there ? veu_kernel_program(p->kernel, false, p->error) : NULL;
    if (!here) {
        return false;
    }
    if (here->len != there->len) {
        return veu_kernel_error(p->error,
                                "kernel %s depends on where its data is",
                                p->kernel->name);
    }
    add_program_addresses(p, here, there);
    p->header.program = append(p, here->data, here->len);
    p->header.program_bytes = here->len;
    p->header.thread_bytes = veu_kernel_thread_bytes(here);
    return true;
}

/* --- The file ------------------------------------------------------------ */

static void pack_header(Packer *p)
{
    const VeuKernel *k = p->kernel;

    p->header.magic = VEU_PACKED_MAGIC;
    p->header.version = VEU_PACKED_VERSION;
    p->header.simd = k->simd;
    p->header.flags = k->uses_printf;
    p->header.name = append_text(p, k->name);
    p->header.grf_bytes = k->grf_bytes;
    p->header.slm_bytes = k->slm_bytes;
    p->header.private_bytes = k->private_bytes;
    p->header.scratch_bytes = (k->scratch_bytes + SCRATCH_UNIT - 1) /
                              SCRATCH_UNIT * SCRATCH_UNIT;
    p->header.cross_thread_bytes = k->cross_thread_bytes;
    p->header.local_id_bytes = k->local_id_bytes;
    memcpy(p->header.required_local, k->required_local,
           sizeof(k->required_local));
    memcpy(p->header.walk_order, k->walk_order, sizeof(k->walk_order));
}

static bool pack(Packer *p)
{
    if (p->kernel->refused) {
        return veu_kernel_error(p->error, "kernel %s cannot run: %s",
                                p->kernel->name, p->kernel->refused);
    }
    append(p, &p->header, sizeof(p->header));
    pack_header(p);
    if (!pack_program(p) || !veu_zebin_relocate(p->zebin, p->error)) {
        return false;
    }
    pack_data(p, place_sections(p, 0));
    pack_args(p);
    pack_fields(p);
    pack_surfaces(p);
    pack_samplers(p);
    add_data_addresses(p);
    p->header.addresses = append_table(p, p->addresses);
    p->header.bytes = p->out->len;
    memcpy(p->out->data, &p->header, sizeof(p->header));
    return true;
}

GByteArray *veu_kernel_pack(VeuZebin *zebin, const VeuKernel *kernel,
                            GError **error)
{
    Packer p = {
        .zebin = zebin,
        .kernel = kernel,
        .out = g_byte_array_new(),
        .addresses = new_table(sizeof(struct veu_packed_address)),
        .error = error,
    };
    bool good = pack(&p);

    g_array_unref(p.addresses);
    if (!good) {
        g_byte_array_unref(p.out);
        return NULL;
    }
    return p.out;
}
