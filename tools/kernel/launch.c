/*
 * libveu-kernel: the memory that a command KERNEL names.
 *
 * SPDX-License-Identifier: MIT
 *
 * Cross-thread data has the arguments where .ze_info puts them. Local ids are
 * 16-bit numbers, one for each lane and dimension, in whole registers.
 */
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "tools/kernel/kernel_internal.h"
#include "veu/program.h"
#include "veu/ring.h"
#include "veu/surface.h"

#define MAX_GROUP_ITEMS 4096u
/*
 * 8 parts. Those with more groups than a launch may have are divided into
 * launches of at least half of that number, so there are at most
 * VEU_KERNEL_MAX_LAUNCHES.
 */
#define PARTS           8
#define MAX_GROUPS      (6u * VEU_LIMIT_GROUPS)

G_STATIC_ASSERT(PARTS + 2 * (MAX_GROUPS / VEU_LIMIT_GROUPS) <=
                VEU_KERNEL_MAX_LAUNCHES);

typedef struct Launcher {
    const VeuKernel *kernel;
    const VeuKernelRange *range;
    uint32_t *slm_offsets; /* of each argument */
    uint32_t slm_bytes;
    GError **error;
} Launcher;

/* --- Checks -------------------------------------------------------------- */

static const VeuKernelArg *arg_at(const VeuKernel *k, unsigned index)
{
    return &g_array_index(k->args, VeuKernelArg, index);
}

static bool check_sizes(Launcher *l)
{
    const VeuKernelRange *r = l->range;
    uint64_t items = 1;

    for (unsigned d = 0; d < 3; d++) {
        const uint32_t required = l->kernel->required_local[d];

        if (!r->global[d] || !r->local[d] || r->local[d] > MAX_GROUP_ITEMS) {
            return veu_kernel_error(l->error,
                                    "sizes are at least 1, and local ones at "
                                    "most %u",
                                    MAX_GROUP_ITEMS);
        }
        if (required && required != r->local[d]) {
            return veu_kernel_error(
                l->error, "kernel %s demands the local size %u,%u,%u",
                l->kernel->name, l->kernel->required_local[0],
                l->kernel->required_local[1], l->kernel->required_local[2]);
        }
        items *= r->local[d];
    }
    return items <= MAX_GROUP_ITEMS ||
           veu_kernel_error(l->error, "a group has at most %u work-items",
                            MAX_GROUP_ITEMS);
}

static bool check_groups(Launcher *l)
{
    const VeuKernelRange *r = l->range;
    uint64_t groups = 1;

    for (unsigned d = 0; d < 3; d++) {
        groups *= ((uint64_t)r->global[d] + r->local[d] - 1) / r->local[d];
        if (groups > MAX_GROUPS) {
            return veu_kernel_error(l->error,
                                    "more than %u groups: choose a "
                                    "larger local size",
                                    MAX_GROUPS);
        }
    }
    return true;
}

/* Local arguments follow the static local memory, each aligned. */
static bool place_slm(Launcher *l)
{
    const VeuKernel *k = l->kernel;
    uint64_t at = k->slm_bytes;

    for (unsigned i = 0; i < k->args->len; i++) {
        if (arg_at(k, i)->kind == VEU_KERNEL_ARG_LOCAL) {
            at = (at + 63) / 64 * 64;
            l->slm_offsets[i] = MIN(at, UINT32_MAX);
            at += MIN(l->range->values[i].bytes, UINT32_MAX);
        }
    }
    l->slm_bytes = MIN(at, UINT32_MAX);
    return at <= VEU_LIMIT_SLM_BYTES ||
           veu_kernel_error(l->error,
                            "a group needs %" G_GUINT64_FORMAT " bytes of "
                            "local memory, and may have %u",
                            at, VEU_LIMIT_SLM_BYTES);
}

static bool check_image(Launcher *l, unsigned i,
                        const struct veu_surface *image)
{
    const VeuKernelArg *arg = arg_at(l->kernel, i);
    bool is_srgb = image->format == VEU_FORMAT_R8G8B8A8_UNORM_SRGB ||
                   image->format == VEU_FORMAT_B8G8R8A8_UNORM_SRGB;
    bool is_depth = image->format == VEU_FORMAT_R16_UNORM ||
                    image->format == VEU_FORMAT_R32_FLOAT;

    if (!image->width) {
        return veu_kernel_error(l->error, "argument %u needs an image", i);
    }
    if (is_srgb && arg->is_written) {
        return veu_kernel_error(l->error,
                                "argument %u is an image that the kernel "
                                "writes, and images of sRGB are only read: "
                                "write the format without _SRGB",
                                i);
    }
    return !arg->is_depth || is_depth ||
           veu_kernel_error(l->error,
                            "argument %u is a depth image: its format is "
                            "R16_UNORM or R32_FLOAT",
                            i);
}

static bool check_args(Launcher *l)
{
    const VeuKernel *k = l->kernel;

    if (k->refused) {
        return veu_kernel_error(l->error, "kernel %s cannot run: %s", k->name,
                                k->refused);
    }
    for (unsigned i = 0; i < k->args->len; i++) {
        const VeuKernelArg *arg = arg_at(k, i);
        uint64_t bytes = l->range->values[i].bytes;

        if (arg->kind == VEU_KERNEL_ARG_VALUE && bytes < arg->bytes) {
            return veu_kernel_error(l->error,
                                    "argument %u has %u bytes, not "
                                    "%" G_GUINT64_FORMAT,
                                    i, arg->bytes, bytes);
        }
        if (arg->kind == VEU_KERNEL_ARG_IMAGE &&
            !check_image(l, i, &l->range->values[i].image)) {
            return false;
        }
    }
    return true;
}

static bool check_range(Launcher *l)
{
    return check_sizes(l) && check_groups(l) && check_args(l) && place_slm(l);
}

/* --- Cross-thread data --------------------------------------------------- */

/*
 * The groups and sizes of a part of the range: whole groups, or the last ones.
 */
typedef struct Part {
    uint32_t first[3];
    uint32_t count[3];
    uint32_t local[3];
} Part;

/* The address of the first section of data with this name; 0: none. */
static uint64_t section_address(const VeuZebin *zebin, const char *name)
{
    for (unsigned i = 0; i < zebin->sections->len; i++) {
        const VeuKernelSection *s = &g_array_index(zebin->sections,
                                                   VeuKernelSection, i);

        if (!strcmp(s->name, name)) {
            return s->address;
        }
    }
    return 0;
}

static void put(uint8_t *to, const VeuKernelPayload *p, const void *from,
                uint32_t bytes)
{
    memcpy(to + p->offset, from, MIN(p->bytes, bytes));
}

static void put_number(uint8_t *to, const VeuKernelPayload *p, uint64_t number)
{
    put(to, p, &number, sizeof(number));
}

static void put_value(const Launcher *l, uint8_t *to, const VeuKernelPayload *p)
{
    const VeuKernelValue *value = &l->range->values[p->arg];

    if (value->data && p->source_offset < value->bytes) {
        put(to, p, (const uint8_t *)value->data + p->source_offset,
            MIN(value->bytes - p->source_offset, UINT32_MAX));
    }
}

static void put_payload(const Launcher *l, const Part *part,
                        const VeuKernelPayload *p, uint8_t *to)
{
    const VeuKernelRange *r = l->range;
    const VeuZebin *zebin = l->kernel->zebin;
    uint32_t groups[3];

    for (unsigned d = 0; d < 3; d++) {
        groups[d] = (r->global[d] - 1) / r->local[d] + 1;
    }
    switch (p->type) {
    case VEU_KERNEL_PAYLOAD_ZERO:
        break;
    case VEU_KERNEL_PAYLOAD_LOCAL_SIZE:
        put(to, p, part->local, sizeof(part->local));
        break;
    case VEU_KERNEL_PAYLOAD_ENQUEUED_LOCAL_SIZE:
        put(to, p, r->local, sizeof(r->local));
        break;
    case VEU_KERNEL_PAYLOAD_GLOBAL_SIZE:
        put(to, p, r->global, sizeof(r->global));
        break;
    case VEU_KERNEL_PAYLOAD_GROUP_COUNT:
        put(to, p, groups, sizeof(groups));
        break;
    case VEU_KERNEL_PAYLOAD_WORK_DIMENSIONS:
        put_number(to, p, r->dimensions);
        break;
    case VEU_KERNEL_PAYLOAD_VALUE:
        put_value(l, to, p);
        break;
    case VEU_KERNEL_PAYLOAD_POINTER:
        put_number(to, p, r->values[p->arg].address);
        break;
    case VEU_KERNEL_PAYLOAD_LOCAL_POINTER:
        put_number(to, p, l->slm_offsets[p->arg]);
        break;
    case VEU_KERNEL_PAYLOAD_PRIVATE_BASE:
        put_number(to, p, r->private_address);
        break;
    case VEU_KERNEL_PAYLOAD_PRINTF_BUFFER:
        put_number(to, p, r->printf_address);
        break;
    case VEU_KERNEL_PAYLOAD_CONST_BASE:
        put_number(to, p, section_address(zebin, ".data.const"));
        break;
    case VEU_KERNEL_PAYLOAD_GLOBAL_BASE:
        put_number(to, p, section_address(zebin, ".data.global"));
        break;
    default:
        put_number(to, p,
                   veu_kernel_told(&r->values[p->arg].image,
                                   &r->values[p->arg].sampler, p->type));
        break;
    }
}

static GByteArray *make_cross_thread(const Launcher *l, const Part *part)
{
    const VeuKernel *k = l->kernel;
    uint8_t *zeros = g_malloc0(k->cross_thread_bytes);
    GByteArray *out = g_byte_array_new_take(zeros, k->cross_thread_bytes);

    for (unsigned i = 0; i < k->payload->len; i++) {
        put_payload(l, part, &g_array_index(k->payload, VeuKernelPayload, i),
                    out->data);
    }
    return out;
}

/* --- Local ids ----------------------------------------------------------- */

static uint32_t item_count(const Part *part)
{
    return part->local[0] * part->local[1] * part->local[2];
}

/* Bytes of one dimension, in whole registers. */
static uint32_t dimension_bytes(const VeuKernel *k)
{
    return (k->simd * 2 + k->grf_bytes - 1) / k->grf_bytes * k->grf_bytes;
}

/*
 * The position of work-item @item in its group; id[walk_order[0]] changes
 * fastest.
 */
static void find_item(const VeuKernel *k, const Part *part, uint32_t item,
                      uint16_t id[3])
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned d = k->walk_order[i];

        id[d] = item % part->local[d];
        item /= part->local[d];
    }
}

static GByteArray *make_local_ids(const VeuKernel *k, const Part *part,
                                  uint32_t threads)
{
    uint32_t bytes = dimension_bytes(k);
    uint32_t dimensions = MIN(k->local_id_bytes / bytes, 3);
    uint32_t size_byte = threads * k->local_id_bytes;
    GByteArray *out = g_byte_array_new_take(g_malloc0(size_byte), size_byte);

    for (uint32_t item = 0; item < item_count(part); item++) {
        uint16_t id[3];
        uint8_t *to = out->data + item / k->simd * k->local_id_bytes +
                      item % k->simd * sizeof(id[0]);

        find_item(k, part, item, id);
        for (unsigned d = 0; d < dimensions; d++) {
            memcpy(to + d * bytes, &id[d], sizeof(id[d]));
        }
    }
    return out;
}

/* --- Surfaces ------------------------------------------------------------ */

static void add_surface(const Launcher *l, GArray *surfaces,
                        const VeuKernelSurface *s)
{
    const VeuKernelArg *arg = s->arg < l->kernel->args->len ?
                                  arg_at(l->kernel, s->arg) :
                                  NULL;
    const VeuKernelValue *value = arg ? &l->range->values[s->arg] : NULL;

    if (s->index >= surfaces->len) {
        g_array_set_size(surfaces, s->index + 1);
    }
    if (arg && arg->kind == VEU_KERNEL_ARG_IMAGE) {
        g_array_index(surfaces, struct veu_surface, s->index) = value->image;
    } else if (arg && arg->kind == VEU_KERNEL_ARG_BUFFER && value->bytes) {
        g_array_index(surfaces, struct veu_surface,
                      s->index) = (struct veu_surface){
            .base = value->address,
            .format = VEU_FORMAT_RAW,
            .type = VEU_SURFACE_BUFFER,
            .width = MIN(value->bytes, UINT32_MAX),
        };
    }
}

static GArray *make_surfaces(const Launcher *l)
{
    GArray *surfaces = g_array_new(FALSE, TRUE, sizeof(struct veu_surface));

    for (unsigned i = 0; i < l->kernel->surfaces->len; i++) {
        add_surface(l, surfaces,
                    &g_array_index(l->kernel->surfaces, VeuKernelSurface, i));
    }
    return surfaces;
}

static void set_samplers(const Launcher *l, struct veu_sampler *samplers)
{
    const GArray *from = l->kernel->samplers;

    for (unsigned i = 0; i < from->len; i++) {
        const VeuKernelSampler *s = &g_array_index(from, VeuKernelSampler, i);

        samplers[s->index] = s->is_arg ? l->range->values[s->arg].sampler :
                                         s->state;
    }
}

/* --- Launches ------------------------------------------------------------ */

static void clear_launch(void *opaque)
{
    VeuKernelLaunch *launch = opaque;

    g_byte_array_unref(launch->cross_thread);
    g_byte_array_unref(launch->local_ids);
    g_array_unref(launch->surfaces);
}

static void add_launch(const Launcher *l, const Part *part, GArray *launches)
{
    const VeuKernel *k = l->kernel;
    uint32_t items = item_count(part);
    uint32_t threads = (items + k->simd - 1) / k->simd;
    uint32_t last = items - (threads - 1) * k->simd;
    VeuKernelLaunch launch = {
        .cross_thread = make_cross_thread(l, part),
        .local_ids = make_local_ids(k, part, threads),
        .surfaces = make_surfaces(l),
        .slm_bytes = l->slm_bytes,
        .threads = threads,
        .last_exec_mask = UINT32_MAX >> (32 - last),
        .local_id_bytes = k->local_id_bytes,
    };

    set_samplers(l, launch.samplers);
    memcpy(launch.first_group, part->first, sizeof(part->first));
    memcpy(launch.group_count, part->count, sizeof(part->count));
    g_array_append_val(launches, launch);
}

/*
 * Adds launches of slices of the part along its longest dimension, each with at
 * most as many groups as a launch may have. The product of the other dimensions
 * is below MAX_GROUPS.
 */
static void add_launches(const Launcher *l, Part part, GArray *launches)
{
    uint64_t groups = (uint64_t)part.count[0] * part.count[1] * part.count[2];
    unsigned d = part.count[1] > part.count[0];
    uint32_t end, most;

    d = part.count[2] > part.count[d] ? 2 : d;
    most = VEU_LIMIT_GROUPS / (groups / part.count[d]);
    end = part.first[d] + part.count[d];
    for (; part.first[d] < end; part.first[d] += part.count[d]) {
        part.count[d] = MIN(end - part.first[d], most);
        add_launch(l, &part, launches);
    }
}

/*
 * Selects whole groups (0) or the smaller last one (1) of a dimension. Returns
 * false if there are none.
 */
static bool set_part(const Launcher *l, unsigned d, bool last, Part *part)
{
    const VeuKernelRange *r = l->range;
    uint32_t whole = r->global[d] / r->local[d];
    uint32_t rest = r->global[d] % r->local[d];

    part->first[d] = last ? whole : 0;
    part->count[d] = last ? rest != 0 : whole;
    part->local[d] = last ? rest : r->local[d];
    return part->count[d];
}

static GArray *make_launches(const Launcher *l)
{
    GArray *launches = g_array_new(FALSE, TRUE, sizeof(VeuKernelLaunch));
    Part part;

    g_array_set_clear_func(launches, clear_launch);
    for (unsigned i = 0; i < PARTS; i++) {
        if (set_part(l, 0, i & 1, &part) && set_part(l, 1, i & 2, &part) &&
            set_part(l, 2, i & 4, &part)) {
            add_launches(l, part, launches);
        }
    }
    return launches;
}

static Launcher new_launcher(const VeuKernel *kernel,
                             const VeuKernelRange *range, GError **error)
{
    return (Launcher){
        .kernel = kernel,
        .range = range,
        .slm_offsets = g_new0(uint32_t, kernel->args->len + 1),
        .error = error,
    };
}

bool veu_kernel_check(const VeuKernel *kernel, const VeuKernelRange *range,
                      GError **error)
{
    Launcher l = new_launcher(kernel, range, error);
    bool good = check_range(&l);

    g_free(l.slm_offsets);
    return good;
}

GArray *veu_kernel_launch(const VeuKernel *kernel, const VeuKernelRange *range,
                          GError **error)
{
    Launcher l = new_launcher(kernel, range, error);
    GArray *launches = check_range(&l) ? make_launches(&l) : NULL;

    g_free(l.slm_offsets);
    return launches;
}

/* --- Groups in flight ---------------------------------------------------- */

static uint32_t round_to_line(uint32_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Bytes of all predicates and address elements in a payload. */
static uint32_t operand_bytes(const GByteArray *program)
{
    struct veu_program_header header;
    struct veu_section section;
    uint32_t bytes = 0;

    memcpy(&header, program->data, sizeof(header));
    for (unsigned i = 0; i < header.section_count; i++) {
        memcpy(&section, program->data + sizeof(header) + i * sizeof(section),
               sizeof(section));
        if (section.type == VEU_SECTION_PREDICATES) {
            bytes += section.bytes;
        }
        for (uint32_t at = 0;
             section.type == VEU_SECTION_ADDRESSES && at < section.bytes;
             at += sizeof(struct veu_address)) {
            bytes += program->data[section.offset + at] * 2;
        }
    }
    return bytes;
}

uint32_t veu_kernel_thread_bytes(const GByteArray *program)
{
    struct veu_program_header header;

    memcpy(&header, program->data, sizeof(header));
    return VEU_KERNEL_THREAD_BYTES + round_to_line(operand_bytes(program)) +
           round_to_line(header.register_bytes);
}

uint32_t veu_kernel_groups_in_flight(const GByteArray *program,
                                     uint32_t threads, uint32_t slm_bytes,
                                     uint32_t launch_bytes)
{
    uint64_t group = (uint64_t)threads * veu_kernel_thread_bytes(program) +
                     round_to_line(slm_bytes);

    return MIN(launch_bytes / group, VEU_KERNEL_MAX_GROUPS_IN_FLIGHT);
}
