/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: reading packed kernels.
 *
 * All offsets, sizes and indices in the file are checked here, once. Later code
 * may rely on them.
 */
#include "veu_kernel.h"

#include "veu/program.h"
#include "veu_port.h"

#define LINE 64u

/* --- Checks -------------------------------------------------------------- */

/* Returns true if the bytes are inside the file and after its header. */
static bool is_inside(const struct veu_packed_kernel *p, uint32_t offset,
                      uint64_t bytes)
{
    return offset % 8 == 0 && offset >= sizeof(*p) && offset <= p->bytes &&
           bytes <= p->bytes - offset;
}

/* A table's rows, or NULL. */
static const void *find_table(const struct veu_packed_kernel *p,
                              struct veu_packed_table table, uint32_t row_bytes,
                              uint32_t most)
{
    return table.count <= most && is_inside(p, table.offset,
                                            (uint64_t)table.count * row_bytes) ?
               (const uint8_t *)p + table.offset :
               NULL;
}

static bool is_text(const struct veu_packed_kernel *p, uint32_t offset)
{
    const char *file = (const char *)p;

    for (uint32_t i = offset; i >= sizeof(*p) && i < p->bytes; i++) {
        if (!file[i]) {
            return true;
        }
    }
    return false;
}

static bool find_tables(struct veu_kernel *k)
{
    const struct veu_packed_kernel *p = k->packed;

    k->args = find_table(p, p->args, sizeof(*k->args), VEU_KERNEL_ARGS);
    k->fields = find_table(p, p->fields, sizeof(*k->fields),
                           VEU_PACKED_MAX_ROWS);
    k->surfaces = find_table(p, p->surfaces, sizeof(*k->surfaces),
                             VEU_PACKED_MAX_ROWS);
    k->samplers = find_table(p, p->samplers, sizeof(*k->samplers),
                             VEU_PACKED_MAX_ROWS);
    k->addresses = find_table(p, p->addresses, sizeof(*k->addresses),
                              UINT32_MAX);
    return k->args && k->fields && k->surfaces && k->samplers && k->addresses;
}

static bool check_header(const struct veu_packed_kernel *p)
{
    unsigned dimensions = 0;

    for (unsigned i = 0; i < 3; i++) {
        dimensions |= p->walk_order[i] < 3 ? 1u << p->walk_order[i] : 8;
    }
    return (p->simd == 8 || p->simd == 16 || p->simd == 32) &&
           p->grf_bytes == 32 && p->flags <= 1 && dimensions == 7 &&
           p->thread_bytes >= LINE && p->thread_bytes <= VEU_PACKED_MAX_BYTES &&
           p->cross_thread_bytes <= VEU_PACKED_MAX_PAYLOAD_BYTES &&
           p->local_id_bytes <= VEU_PACKED_MAX_PAYLOAD_BYTES &&
           p->slm_bytes <= VEU_PACKED_MAX_BYTES && is_text(p, p->name);
}

static bool check_parts(const struct veu_packed_kernel *p)
{
    return is_inside(p, p->program, p->program_bytes) &&
           is_inside(p, p->data, p->data_bytes) &&
           p->data_bytes <= p->data_memory_bytes &&
           p->data_memory_bytes <= VEU_PACKED_MAX_BYTES - p->bytes;
}

static bool check_args(const struct veu_kernel *k)
{
    for (uint32_t i = 0; i < k->packed->args.count; i++) {
        const struct veu_packed_arg *arg = &k->args[i];

        if (arg->kind > VEU_KERNEL_ARG_SAMPLER ||
            arg->bytes > VEU_PACKED_MAX_PAYLOAD_BYTES ||
            (arg->bytes && arg->kind != VEU_KERNEL_ARG_VALUE) ||
            (arg->name && !is_text(k->packed, arg->name))) {
            return false;
        }
    }
    return true;
}

/* The kind of argument that a type of field needs; -1: none. */
static int kind_of(uint32_t type)
{
    switch (type) {
    case VEU_KERNEL_PAYLOAD_VALUE:
        return VEU_KERNEL_ARG_VALUE;
    case VEU_KERNEL_PAYLOAD_POINTER:
        return VEU_KERNEL_ARG_BUFFER;
    case VEU_KERNEL_PAYLOAD_LOCAL_POINTER:
        return VEU_KERNEL_ARG_LOCAL;
    case VEU_KERNEL_PAYLOAD_SAMPLER_ADDRESSING:
    case VEU_KERNEL_PAYLOAD_SAMPLER_NORMALIZED:
        return VEU_KERNEL_ARG_SAMPLER;
    default:
        return type >= VEU_KERNEL_PAYLOAD_IMAGE_WIDTH ? VEU_KERNEL_ARG_IMAGE :
                                                        -1;
    }
}

/* A removed argument has no value, so its fields stay 0. */
static bool has_kind(const struct veu_kernel *k, uint32_t arg, int kind)
{
    return arg < k->packed->args.count &&
           (k->args[arg].kind == kind ||
            k->args[arg].kind == VEU_KERNEL_ARG_UNUSED);
}

static bool check_field(const struct veu_kernel *k,
                        const struct veu_packed_field *f)
{
    const struct veu_packed_kernel *p = k->packed;
    int kind = kind_of(f->type);

    if (f->type >= VEU_KERNEL_PAYLOAD_COUNT ||
        f->offset > p->cross_thread_bytes ||
        f->bytes > p->cross_thread_bytes - f->offset ||
        (kind >= 0 && !has_kind(k, f->arg, kind))) {
        return false;
    }
    return f->type != VEU_KERNEL_PAYLOAD_VALUE ||
           (f->source_offset <= k->args[f->arg].bytes &&
            f->bytes <= k->args[f->arg].bytes - f->source_offset);
}

static bool check_fields(const struct veu_kernel *k)
{
    for (uint32_t i = 0; i < k->packed->fields.count; i++) {
        if (!check_field(k, &k->fields[i])) {
            return false;
        }
    }
    return true;
}

static bool check_surfaces(struct veu_kernel *k)
{
    for (uint32_t i = 0; i < k->packed->surfaces.count; i++) {
        const struct veu_packed_surface *s = &k->surfaces[i];

        if (s->index >= VEU_PACKED_SURFACES ||
            s->arg >= k->packed->args.count) {
            return false;
        }
        if (s->index >= k->surface_count) {
            k->surface_count = s->index + 1;
        }
    }
    for (uint32_t i = 0; i < k->packed->samplers.count; i++) {
        const struct veu_packed_sampler *s = &k->samplers[i];

        if (s->index >= VEU_SAMPLERS ||
            (s->arg != UINT32_MAX &&
             !has_kind(k, s->arg, VEU_KERNEL_ARG_SAMPLER))) {
            return false;
        }
    }
    return true;
}

static bool check_addresses(const struct veu_kernel *k)
{
    const struct veu_packed_kernel *p = k->packed;

    for (uint32_t i = 0; i < p->addresses.count; i++) {
        const struct veu_packed_address *a = &k->addresses[i];
        uint32_t bytes = a->part ? p->data_memory_bytes : p->program_bytes;

        if (a->part > VEU_PACKED_DATA || (a->bytes != 4 && a->bytes != 8) ||
            a->shift > 32 || a->offset > bytes ||
            a->bytes > bytes - a->offset) {
            return false;
        }
    }
    return true;
}

/* --- The kernel ---------------------------------------------------------- */

static uint32_t round_to_line(uint32_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

bool veu_kernel_open(struct veu_kernel *k, const void *file, uint32_t capacity)
{
    const struct veu_packed_kernel *p = file;

    *k = (struct veu_kernel){ .packed = p };
    if (capacity < sizeof(*p) || (uintptr_t)file % 8 ||
        p->magic != VEU_PACKED_MAGIC || p->version != VEU_PACKED_VERSION ||
        p->bytes < sizeof(*p) || p->bytes > capacity ||
        p->bytes > VEU_PACKED_MAX_BYTES) {
        return false;
    }
    if (!check_header(p) || !check_parts(p) || !find_tables(k) ||
        !check_args(k) || !check_fields(k) || !check_surfaces(k) ||
        !check_addresses(k)) {
        return false;
    }
    k->program_bytes = p->program_bytes;
    k->place_bytes = round_to_line(p->program_bytes) +
                     round_to_line(p->data_memory_bytes);
    return true;
}

const char *veu_kernel_name(const struct veu_kernel *k)
{
    return (const char *)k->packed + k->packed->name;
}

const char *veu_kernel_arg_name(const struct veu_kernel *k, unsigned arg)
{
    return arg < k->packed->args.count && k->args[arg].name ?
               (const char *)k->packed + k->args[arg].name :
               NULL;
}

static void put_address(const struct veu_kernel *k,
                        const struct veu_packed_address *a)
{
    uint8_t *to = a->part ? k->data : k->program;
    uint64_t address = veu_port_device_address(k->data) + a->addend;

    address = a->shift ? address >> a->shift : address;
    __builtin_memcpy(to + a->offset, &address, a->bytes);
}

void veu_kernel_place(struct veu_kernel *k, void *memory)
{
    const struct veu_packed_kernel *p = k->packed;
    const uint8_t *file = (const uint8_t *)p;

    k->program = memory;
    k->data = k->program + round_to_line(p->program_bytes);
    __builtin_memcpy(k->program, file + p->program, p->program_bytes);
    __builtin_memcpy(k->data, file + p->data, p->data_bytes);
    __builtin_memset(k->data + p->data_bytes, 0,
                     p->data_memory_bytes - p->data_bytes);
    for (uint32_t i = 0; i < p->addresses.count; i++) {
        put_address(k, &k->addresses[i]);
    }
}
