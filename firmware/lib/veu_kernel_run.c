/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: runs of packed kernels.
 *
 * The memory of a run is one block: the pools of private and scratch memory,
 * printf()'s buffer, the surface table, and for each command KERNEL its
 * cross-thread data and local ids. The same code first counts bytes, without
 * memory, and then fills them.
 */
#include "veu_kernel.h"

#include "veu_command.h"
#include "veu_kernel_told.h"
#include "veu_port.h"

#define LINE                 64u
#define MAX_GROUP_ITEMS      4096u
#define MAX_GROUPS           (1024u * 1024)
#define MAX_SLM_BYTES        (64u * 1024)
/* Private and scratch memory of all slots; a single group may need more. */
#define MAX_POOL_BYTES       (16u << 20)
/* More groups in flight would have no benefit. */
#define MAX_GROUPS_IN_FLIGHT 64u
/* printf()'s buffer: compilers assume its size and its first value. */
#define PRINTF_BYTES         (4u << 20)
#define PRINTF_START         4u

/* Memory to be handed out; NULL while bytes are counted. */
struct room {
    uint8_t *memory;
    uint64_t used;
};

/* Whole groups of the range, or smaller ones at its end. */
struct part {
    uint32_t first[3];
    uint32_t count[3];
    uint32_t local[3];
    uint32_t items; /* of a group */
    uint32_t threads;
};

static uint64_t round_to_line(uint64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static uint8_t *take(struct room *room, uint64_t bytes)
{
    uint8_t *at = room->memory ? room->memory + room->used : NULL;

    room->used += round_to_line(bytes);
    return at;
}

/* --- Arguments ----------------------------------------------------------- */

void veu_kernel_begin(struct veu_kernel_run *run,
                      const struct veu_kernel *kernel, uint32_t handle,
                      uint32_t launch_bytes)
{
    *run = (struct veu_kernel_run){ .kernel = kernel,
                                    .handle = handle,
                                    .launch_bytes = launch_bytes };
}

static bool set(struct veu_kernel_run *run, unsigned arg,
                enum veu_kernel_arg_kind kind, struct veu_kernel_value value)
{
    const struct veu_kernel *k = run->kernel;

    if (arg >= k->packed->args.count ||
        (k->args[arg].kind != VEU_KERNEL_ARG_UNUSED &&
         k->args[arg].kind != kind)) {
        run->failed = true;
        return false;
    }
    value.is_set = true;
    run->values[arg] = value;
    return true;
}

bool veu_kernel_set_value(struct veu_kernel_run *run, unsigned arg,
                          const void *value, uint32_t bytes)
{
    const struct veu_kernel *k = run->kernel;

    if (arg < k->packed->args.count &&
        k->args[arg].kind == VEU_KERNEL_ARG_VALUE &&
        k->args[arg].bytes != bytes) {
        run->failed = true;
        return false;
    }
    return set(run, arg, VEU_KERNEL_ARG_VALUE,
               (struct veu_kernel_value){ .data = value });
}

bool veu_kernel_set_buffer(struct veu_kernel_run *run, unsigned arg,
                           const volatile void *memory, uint64_t bytes)
{
    return set(run, arg, VEU_KERNEL_ARG_BUFFER,
               (struct veu_kernel_value){
                   .address = veu_port_device_address(memory),
                   .bytes = bytes });
}

bool veu_kernel_set_local(struct veu_kernel_run *run, unsigned arg,
                          uint32_t bytes)
{
    return set(run, arg, VEU_KERNEL_ARG_LOCAL,
               (struct veu_kernel_value){ .bytes = bytes });
}

bool veu_kernel_set_image(struct veu_kernel_run *run, unsigned arg,
                          const struct veu_surface *image)
{
    return set(run, arg, VEU_KERNEL_ARG_IMAGE,
               (struct veu_kernel_value){ .image = image });
}

bool veu_kernel_set_sampler(struct veu_kernel_run *run, unsigned arg,
                            struct veu_sampler sampler)
{
    return set(run, arg, VEU_KERNEL_ARG_SAMPLER,
               (struct veu_kernel_value){ .sampler = sampler });
}

static bool check_range(const struct veu_kernel_run *run)
{
    uint64_t items = 1, groups = 1;

    for (unsigned d = 0; d < 3; d++) {
        uint32_t required = run->kernel->packed->required_local[d];

        if (!run->global[d] || !run->local[d] ||
            (required && run->local[d] != required)) {
            return false;
        }
        items *= run->local[d];
        groups *= ((uint64_t)run->global[d] - 1) / run->local[d] + 1;
        if (items > MAX_GROUP_ITEMS || groups > MAX_GROUPS) {
            return false;
        }
    }
    return true;
}

bool veu_kernel_set_range(struct veu_kernel_run *run, unsigned dimensions,
                          const uint32_t *global, const uint32_t *local)
{
    bool good = dimensions >= 1 && dimensions <= 3;

    for (unsigned d = 0; d < 3; d++) {
        run->global[d] = good && d < dimensions ? global[d] : 1;
        run->local[d] = good && d < dimensions ? local[d] : 1;
    }
    good = good && check_range(run);
    run->dimensions = good ? dimensions : 0;
    run->failed |= !good;
    return good;
}

/* --- Parts --------------------------------------------------------------- */

/*
 * Selects whole groups (0) or the smaller last one (1) of a dimension. Returns
 * false if there are none.
 */
static bool set_part(const struct veu_kernel_run *run, unsigned d, bool last,
                     struct part *part)
{
    uint32_t whole = run->global[d] / run->local[d];
    uint32_t rest = run->global[d] % run->local[d];

    part->first[d] = last ? whole : 0;
    part->count[d] = last ? rest != 0 : whole;
    part->local[d] = last ? rest : run->local[d];
    return part->count[d];
}

/* Finds part @number of 8. Returns false if the range does not have it. */
static bool find_part(const struct veu_kernel_run *run, unsigned number,
                      struct part *part)
{
    uint32_t simd = run->kernel->packed->simd;

    if (!set_part(run, 0, number & 1, part) ||
        !set_part(run, 1, number & 2, part) ||
        !set_part(run, 2, number & 4, part)) {
        return false;
    }
    part->items = part->local[0] * part->local[1] * part->local[2];
    part->threads = (part->items + simd - 1) / simd;
    return true;
}

/* --- Sizes --------------------------------------------------------------- */

/* Local memory: the kernel's own, then that of arguments. */
static bool place_slm(struct veu_kernel_run *run)
{
    const struct veu_kernel *k = run->kernel;
    uint64_t at = k->packed->slm_bytes;

    for (unsigned i = 0; i < k->packed->args.count; i++) {
        if (k->args[i].kind == VEU_KERNEL_ARG_LOCAL) {
            at = round_to_line(at);
            run->slm_offsets[i] = at;
            at += run->values[i].bytes;
        }
        if (at > MAX_SLM_BYTES) {
            return false;
        }
    }
    run->slm_bytes = at;
    return at <= MAX_SLM_BYTES;
}

/*
 * The number of groups of @threads EU threads for which the device and the
 * pools have room.
 */
static uint32_t groups_in_flight(const struct veu_kernel_run *run,
                                 uint32_t threads)
{
    const struct veu_packed_kernel *p = run->kernel->packed;
    uint64_t group = (uint64_t)threads * p->thread_bytes +
                     round_to_line(run->slm_bytes);
    uint64_t pool = (uint64_t)threads *
                    ((uint64_t)p->private_bytes + p->scratch_bytes);
    uint64_t groups = run->launch_bytes / group;

    if (groups > 1 && pool && groups > MAX_POOL_BYTES / pool) {
        groups = pool > MAX_POOL_BYTES ? 1 : MAX_POOL_BYTES / pool;
    }
    return groups < MAX_GROUPS_IN_FLIGHT ? groups : MAX_GROUPS_IN_FLIGHT;
}

static bool count_slots(struct veu_kernel_run *run)
{
    struct part part;

    run->slots = 0;
    for (unsigned i = 0; i < VEU_KERNEL_COMMANDS; i++) {
        if (find_part(run, i, &part)) {
            uint32_t groups = groups_in_flight(run, part.threads);

            if (!groups) {
                return false;
            }
            if (groups * part.threads > run->slots) {
                run->slots = groups * part.threads;
            }
        }
    }
    return true;
}

static bool has_arguments(const struct veu_kernel_run *run)
{
    const struct veu_kernel *k = run->kernel;

    for (unsigned i = 0; i < k->packed->args.count; i++) {
        if (k->args[i].kind != VEU_KERNEL_ARG_UNUSED &&
            !run->values[i].is_set) {
            return false;
        }
    }
    return true;
}

/* --- Cross-thread data --------------------------------------------------- */

/* Copies as many of the @has bytes as the field can hold. */
static void put(uint8_t *to, const struct veu_packed_field *f, const void *from,
                uint32_t has)
{
    __builtin_memcpy(to + f->offset, from, f->bytes < has ? f->bytes : has);
}

static void put_number(uint8_t *to, const struct veu_packed_field *f,
                       uint64_t number)
{
    put(to, f, &number, sizeof(number));
}

static void put_groups(const struct veu_kernel_run *run, uint8_t *to,
                       const struct veu_packed_field *f)
{
    uint32_t groups[3];

    for (unsigned d = 0; d < 3; d++) {
        groups[d] = (run->global[d] - 1) / run->local[d] + 1;
    }
    put(to, f, groups, sizeof(groups));
}

static void put_value(const struct veu_kernel_run *run, uint8_t *to,
                      const struct veu_packed_field *f)
{
    const uint8_t *data = run->values[f->arg].data;

    if (data) {
        put(to, f, data + f->source_offset, f->bytes);
    }
}

static void put_told(const struct veu_kernel_run *run, uint8_t *to,
                     const struct veu_packed_field *f)
{
    static const struct veu_surface no_image;
    const struct veu_kernel_value *value = &run->values[f->arg];

    put_number(to, f,
               veu_kernel_told(value->image ? value->image : &no_image,
                               &value->sampler, f->type));
}

static void put_field(const struct veu_kernel_run *run, const struct part *part,
                      const struct veu_packed_field *f, uint8_t *to)
{
    switch (f->type) {
    case VEU_KERNEL_PAYLOAD_ZERO:
        break;
    case VEU_KERNEL_PAYLOAD_LOCAL_SIZE:
        put(to, f, part->local, sizeof(part->local));
        break;
    case VEU_KERNEL_PAYLOAD_ENQUEUED_LOCAL_SIZE:
        put(to, f, run->local, sizeof(run->local));
        break;
    case VEU_KERNEL_PAYLOAD_GLOBAL_SIZE:
        put(to, f, run->global, sizeof(run->global));
        break;
    case VEU_KERNEL_PAYLOAD_GROUP_COUNT:
        put_groups(run, to, f);
        break;
    case VEU_KERNEL_PAYLOAD_WORK_DIMENSIONS:
        put_number(to, f, run->dimensions);
        break;
    case VEU_KERNEL_PAYLOAD_VALUE:
        put_value(run, to, f);
        break;
    case VEU_KERNEL_PAYLOAD_POINTER:
        put_number(to, f, run->values[f->arg].address);
        break;
    case VEU_KERNEL_PAYLOAD_LOCAL_POINTER:
        put_number(to, f, run->slm_offsets[f->arg]);
        break;
    case VEU_KERNEL_PAYLOAD_PRIVATE_BASE:
        put_number(to, f, veu_port_device_address(run->private_memory));
        break;
    case VEU_KERNEL_PAYLOAD_PRINTF_BUFFER:
        if (run->printf_memory) {
            put_number(to, f, veu_port_device_address(run->printf_memory));
        }
        break;
    case VEU_KERNEL_PAYLOAD_CONST_BASE:
    case VEU_KERNEL_PAYLOAD_GLOBAL_BASE:
        put_number(to, f,
                   veu_port_device_address(run->kernel->data) +
                       f->source_offset);
        break;
    default:
        put_told(run, to, f);
        break;
    }
}

static void fill_cross_thread(const struct veu_kernel_run *run,
                              const struct part *part, uint8_t *to)
{
    const struct veu_kernel *k = run->kernel;

    __builtin_memset(to, 0, k->packed->cross_thread_bytes);
    for (uint32_t i = 0; i < k->packed->fields.count; i++) {
        put_field(run, part, &k->fields[i], to);
    }
}

/* --- Local ids ----------------------------------------------------------- */

/* 16-bit numbers, one for each dimension and lane, in whole registers. */
static void fill_local_ids(const struct veu_packed_kernel *p,
                           const struct part *part, uint8_t *to)
{
    uint32_t bytes = (p->simd * 2u + p->grf_bytes - 1) / p->grf_bytes *
                     p->grf_bytes;

    __builtin_memset(to, 0, (uint64_t)part->threads * p->local_id_bytes);
    for (uint32_t item = 0; item < part->items; item++) {
        uint8_t *lane = to + item / p->simd * p->local_id_bytes +
                        item % p->simd * 2;
        uint32_t rest = item;
        uint16_t id[3];

        for (unsigned i = 0; i < 3; i++) {
            unsigned d = p->walk_order[i];

            id[d] = rest % part->local[d];
            rest /= part->local[d];
        }
        for (unsigned d = 0; d < 3 && (d + 1) * bytes <= p->local_id_bytes;
             d++) {
            __builtin_memcpy(lane + d * bytes, &id[d], sizeof(id[d]));
        }
    }
}

/* --- Surfaces ------------------------------------------------------------ */

static void fill_surfaces(const struct veu_kernel_run *run,
                          struct veu_surface *table)
{
    const struct veu_kernel *k = run->kernel;

    __builtin_memset(table, 0, k->surface_count * sizeof(*table));
    for (uint32_t i = 0; i < k->packed->surfaces.count; i++) {
        const struct veu_kernel_value *value = &run->values[k->surfaces[i].arg];
        struct veu_surface *to = &table[k->surfaces[i].index];

        if (value->image) {
            *to = *value->image;
        } else if (value->address && value->bytes) {
            *to = (struct veu_surface){
                .base = value->address,
                .format = VEU_FORMAT_RAW,
                .type = VEU_SURFACE_BUFFER,
                .width = value->bytes < UINT32_MAX ? value->bytes : UINT32_MAX,
            };
        }
    }
}

static void fill_samplers(const struct veu_kernel_run *run,
                          struct veu_sampler *samplers)
{
    const struct veu_kernel *k = run->kernel;

    for (uint32_t i = 0; i < k->packed->samplers.count; i++) {
        const struct veu_packed_sampler *s = &k->samplers[i];

        samplers[s->index] = s->arg == UINT32_MAX ? s->state :
                                                    run->values[s->arg].sampler;
    }
}

/* --- Commands ------------------------------------------------------------ */

/* Memory that all parts of a run share. */
struct shared {
    uint8_t *private_memory;
    uint8_t *scratch_memory;
    uint8_t *printf_memory;
    struct veu_surface *surfaces;
};

static struct shared take_shared(const struct veu_kernel_run *run,
                                 struct room *room)
{
    const struct veu_packed_kernel *p = run->kernel->packed;
    struct shared s;

    s.private_memory = take(room, (uint64_t)run->slots * p->private_bytes);
    s.scratch_memory = take(room, (uint64_t)run->slots * p->scratch_bytes);
    s.printf_memory = p->flags ? take(room, PRINTF_BYTES) : NULL;
    s.surfaces = (struct veu_surface *)take(
        room, run->kernel->surface_count * sizeof(struct veu_surface));
    return s;
}

static void put_command(struct veu_kernel_run *run, struct veu_ring *ring,
                        uint32_t tag, const struct part *part,
                        const struct veu_surface *surfaces, struct room *room)
{
    const struct veu_packed_kernel *p = run->kernel->packed;
    struct veu_command_kernel c = veu_make_kernel(tag, run->kernel->program, 0,
                                                  p->simd);
    uint8_t *cross_thread = take(room, p->cross_thread_bytes);
    uint8_t *local_ids = take(room,
                              (uint64_t)part->threads * p->local_id_bytes);
    uint32_t last = part->items - (part->threads - 1) * p->simd;

    fill_cross_thread(run, part, cross_thread);
    fill_local_ids(p, part, local_ids);
    veu_kernel_loaded(&c, run->handle);
    veu_kernel_inputs(&c, local_ids, p->local_id_bytes, cross_thread,
                      p->cross_thread_bytes);
    veu_kernel_surfaces(&c, surfaces, run->kernel->surface_count);
    veu_kernel_stateless(&c, run->scratch_memory,
                         (uint64_t)run->slots * p->scratch_bytes,
                         p->scratch_bytes);
    c.slm_bytes = run->slm_bytes;
    c.threads = part->threads;
    c.last_exec_mask = UINT32_MAX >> (32 - last);
    c.groups_in_flight = groups_in_flight(run, part->threads);
    for (unsigned d = 0; d < 3; d++) {
        c.first_group[d] = part->first[d];
        c.group_count[d] = part->count[d];
    }
    fill_samplers(run, c.samplers);
    veu_ring_put(ring, &c.header);
}

uint64_t veu_kernel_bytes(struct veu_kernel_run *run)
{
    const struct veu_packed_kernel *p = run->kernel->packed;
    struct room room = { 0 };
    struct part part;

    if (run->failed || !run->dimensions || !has_arguments(run) ||
        !place_slm(run) || !count_slots(run)) {
        return 0;
    }
    take_shared(run, &room);
    for (unsigned i = 0; i < VEU_KERNEL_COMMANDS; i++) {
        if (find_part(run, i, &part)) {
            take(&room, p->cross_thread_bytes);
            take(&room, (uint64_t)part.threads * p->local_id_bytes);
        }
    }
    return room.used ? room.used : LINE;
}

enum veu_status veu_kernel_put(struct veu_kernel_run *run,
                               struct veu_ring *ring, uint32_t tag,
                               void *memory)
{
    struct room room = { .memory = memory };
    struct shared shared;
    struct part part;

    if (!veu_kernel_bytes(run)) {
        return VEU_BAD_CONFIG;
    }
    if (veu_ring_reserve(ring, VEU_KERNEL_SLOTS)) {
        return VEU_FULL;
    }
    shared = take_shared(run, &room);
    run->private_memory = shared.private_memory;
    run->scratch_memory = shared.scratch_memory;
    run->printf_memory = shared.printf_memory;
    fill_surfaces(run, shared.surfaces);
    if (run->printf_memory) {
        __builtin_memset(run->printf_memory, 0, PRINTF_BYTES);
        *(uint32_t *)run->printf_memory = PRINTF_START;
    }
    for (unsigned i = 0; i < VEU_KERNEL_COMMANDS; i++) {
        if (find_part(run, i, &part)) {
            put_command(run, ring, tag, &part, shared.surfaces, &room);
        }
    }
    return VEU_OK;
}
