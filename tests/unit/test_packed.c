/*
 * veu unit tests: packed kernels (include/veu/packed.h): the guest library
 * launches a packed kernel as libveu-kernel launches the original.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "firmware/lib/veu_kernel.h"
#include "firmware/lib/veu_kernel_real.h"
#include "firmware/lib/veu_kernel_told.h"
#include "firmware/lib/veu_port.h"
#include "tools/kernel/kernel.h"

#define LAUNCH_BYTES (4u << 20)
#define HANDLE       7u
#define ROUNDS       40

/* --- The needs of the guest library: a system and a ring ----------------- */

static GArray *commands; /* of struct veu_command_kernel */
static bool ring_is_full;

uint64_t veu_port_device_address(const volatile void *memory)
{
    return (uintptr_t)memory;
}

enum veu_status veu_ring_reserve(const struct veu_ring *ring, uint32_t slots)
{
    return ring_is_full ? VEU_FULL : VEU_OK;
}

enum veu_status veu_ring_put(struct veu_ring *ring,
                             const struct veu_command_header *command)
{
    g_assert_cmpint(command->opcode, ==, VEU_COMMAND_KERNEL);
    g_array_append_vals(commands, command, 1);
    return VEU_OK;
}

/* --- Files --------------------------------------------------------------- */

typedef struct Case {
    const char *file;
    const char *kernel;
} Case;

static const Case cases[] = {
    { "skl-vadd", "vadd" },          { "skl-vadd", "saxpy" },
    { "skl-reduce", "reduce_slm" },  { "skl-picture", "image_scale" },
    { "skl-picture", "image_info" }, { "skl-scope", "pgmscope" },
    { "skl-print", "print_types" },  { "tgllp-generic", "generic_" },
    { "tgllp-skip", "skip" },        { "skl-calls", "calls" },
};

typedef struct World {
    VeuZebin *zebin;
    const VeuKernel *kernel;
    GByteArray *file;
    struct veu_kernel packed;
    uint8_t *place;
} World;

static void open_world(World *w, const Case *c)
{
    g_autofree char *path = g_strdup_printf("%s/tests/data/kernels/%s.zebin",
                                            g_getenv("VEU_TEST_SOURCE"),
                                            c->file);
    g_autofree char *data = NULL;
    GError *error = NULL;
    gsize bytes;

    g_file_get_contents(path, &data, &bytes, &error);
    g_assert_no_error(error);
    w->zebin = veu_zebin_new((uint8_t *)data, bytes, &error);
    g_assert_no_error(error);
    w->kernel = veu_zebin_kernel(w->zebin, c->kernel, &error);
    g_assert_no_error(error);
    w->file = veu_kernel_pack(w->zebin, w->kernel, &error);
    g_assert_no_error(error);
    g_assert_true(veu_kernel_open(&w->packed, w->file->data, w->file->len));
    w->place = g_malloc0(w->packed.place_bytes + 64);
    veu_kernel_place(&w->packed, w->place + 64 - (uintptr_t)w->place % 64);
}

static void close_world(World *w)
{
    g_byte_array_unref(w->file);
    veu_zebin_free(w->zebin);
    g_free(w->place);
}

/* The sections, in the memory where the guest library has put them. */
static void place_sections(World *w)
{
    GArray *sections = veu_zebin_sections(w->zebin);
    GError *error = NULL;

    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        s->address += (uintptr_t)w->packed.data;
    }
    veu_zebin_relocate(w->zebin, &error);
    g_assert_no_error(error);
}

/* --- Placed -------------------------------------------------------------- */

/* @room is the least number of whole lines of 64 bytes that has @bytes. */
static void assert_least_lines(uint64_t room, uint32_t bytes)
{
    g_assert_cmpuint(room % 64, ==, 0);
    g_assert_cmpuint(room, >=, bytes);
    g_assert_cmpuint(room - bytes, <, 64);
}

static void test_program_and_data_take_no_more_than_their_lines(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t program_room;
        World w;

        open_world(&w, &cases[i]);
        program_room = w.packed.data - w.packed.program;
        assert_least_lines(program_room, w.packed.program_bytes);
        assert_least_lines(w.packed.place_bytes - program_room,
                           w.packed.packed->data_memory_bytes);
        close_world(&w);
    }
}

static void assert_placed(World *w)
{
    GArray *sections = veu_zebin_sections(w->zebin);
    GError *error = NULL;
    g_autoptr(GByteArray) program = NULL;

    place_sections(w);
    program = veu_kernel_program(w->kernel, false, &error);
    g_assert_no_error(error);
    g_assert_cmpmem(program->data, program->len, w->packed.program,
                    w->packed.program_bytes);
    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        g_assert_cmpmem(s->data, s->bytes, (void *)(uintptr_t)s->address,
                        s->bytes);
    }
}

static void test_program_and_data_have_their_addresses(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        World w;

        open_world(&w, &cases[i]);
        g_assert_cmpstr(veu_kernel_name(&w.packed), ==, cases[i].kernel);
        assert_placed(&w);
        close_world(&w);
    }
}

static void test_the_file_does_not_depend_on_earlier_addresses(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GByteArray) again = NULL;
        GError *error = NULL;
        World w;

        open_world(&w, &cases[i]);
        place_sections(&w);
        again = veu_kernel_pack(w.zebin, w.kernel, &error);
        g_assert_no_error(error);
        g_assert_cmpmem(again->data, again->len, w.file->data, w.file->len);
        close_world(&w);
    }
}

/* --- Launched ------------------------------------------------------------ */

typedef struct Arguments {
    VeuKernelValue values[VEU_KERNEL_ARGS];
    uint64_t numbers[VEU_KERNEL_ARGS];
} Arguments;

static void choose_image(VeuKernelImageType type, VeuKernelValue *value)
{
    const VeuKernelImageSize size = {
        1 + g_test_rand_int_range(0, 100),
        type == VEU_KERNEL_IMAGE_2D || type == VEU_KERNEL_IMAGE_3D ||
                type == VEU_KERNEL_IMAGE_2D_ARRAY ?
            7 :
            1,
        type == VEU_KERNEL_IMAGE_1D_ARRAY || type == VEU_KERNEL_IMAGE_3D ||
                type == VEU_KERNEL_IMAGE_2D_ARRAY ?
            5 :
            1,
    };
    uint64_t slice_bytes;

    g_assert_true(veu_kernel_image(type, VEU_FORMAT_R8G8_UINT, &size, 0x10000,
                                   &value->image, &slice_bytes, NULL));
}

/* Sets an argument in both libraries. */
static void set_argument(struct veu_kernel_run *run, unsigned i,
                         const VeuKernelArg *arg, VeuKernelValue *value,
                         uint64_t *number)
{
    switch (arg->kind) {
    case VEU_KERNEL_ARG_VALUE:
        *number = g_test_rand_int();
        *value = (VeuKernelValue){ .data = number, .bytes = arg->bytes };
        g_assert_true(veu_kernel_set_value(run, i, number, arg->bytes));
        break;
    case VEU_KERNEL_ARG_BUFFER:
        value->address = (uint32_t)g_test_rand_int();
        value->bytes = 1 + (uint32_t)g_test_rand_int();
        g_assert_true(veu_kernel_set_buffer(
            run, i, (void *)(uintptr_t)value->address, value->bytes));
        break;
    case VEU_KERNEL_ARG_LOCAL:
        value->bytes = g_test_rand_int_range(1, 5000);
        g_assert_true(veu_kernel_set_local(run, i, value->bytes));
        break;
    case VEU_KERNEL_ARG_IMAGE:
        choose_image(arg->image_type, value);
        g_assert_true(veu_kernel_set_image(run, i, &value->image));
        break;
    case VEU_KERNEL_ARG_SAMPLER:
        value->sampler.addressing = g_test_rand_int_range(0, 4);
        value->sampler.flags = VEU_SAMPLER_NORMALIZED;
        g_assert_true(veu_kernel_set_sampler(run, i, value->sampler));
        break;
    default:
        break;
    }
}

static void set_arguments(const World *w, struct veu_kernel_run *run,
                          Arguments *a)
{
    memset(a, 0, sizeof(*a));
    for (unsigned i = 0; i < w->kernel->args->len; i++) {
        set_argument(run, i, &g_array_index(w->kernel->args, VeuKernelArg, i),
                     &a->values[i], &a->numbers[i]);
    }
}

static VeuKernelRange choose_range(void)
{
    VeuKernelRange r = { .dimensions = g_test_rand_int_range(1, 4) };

    for (unsigned d = 0; d < 3; d++) {
        r.local[d] = d < r.dimensions ? g_test_rand_int_range(1, 14) : 1;
        r.global[d] = d < r.dimensions ? g_test_rand_int_range(1, 60) : 1;
    }
    return r;
}

static void assert_same_launch(const VeuKernelLaunch *l,
                               const struct veu_command_kernel *c)
{
    g_assert_cmpmem(l->cross_thread->data, l->cross_thread->len,
                    (void *)(uintptr_t)c->cross_thread_address,
                    c->cross_thread_bytes);
    g_assert_cmpmem(l->local_ids->data, l->local_ids->len,
                    (void *)(uintptr_t)c->local_id_address,
                    c->threads * c->local_id_bytes);
    g_assert_cmpmem(l->surfaces->data,
                    l->surfaces->len * sizeof(struct veu_surface),
                    (void *)(uintptr_t)c->surface_table,
                    c->surface_count * sizeof(struct veu_surface));
    g_assert_cmpmem(l->samplers, sizeof(l->samplers), c->samplers,
                    sizeof(c->samplers));
    g_assert_cmpmem(l->first_group, 12, c->first_group, 12);
    g_assert_cmpmem(l->group_count, 12, c->group_count, 12);
    g_assert_cmpuint(l->slm_bytes, ==, c->slm_bytes);
    g_assert_cmpuint(l->threads, ==, c->threads);
    g_assert_cmphex(l->last_exec_mask, ==, c->last_exec_mask);
    g_assert_cmpuint(c->program, ==, HANDLE);
    g_assert_cmpuint(c->groups_in_flight, >, 0);
}

static void assert_launches(const World *w, struct veu_kernel_run *run,
                            VeuKernelRange *range)
{
    GError *error = NULL;
    g_autoptr(GArray) launches = NULL;
    uint32_t slots = 0;

    range->private_address = (uintptr_t)run->private_memory;
    range->printf_address = (uintptr_t)run->printf_memory;
    launches = veu_kernel_launch(w->kernel, range, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(launches->len, ==, commands->len);
    for (unsigned i = 0; i < launches->len; i++) {
        const struct veu_command_kernel *c =
            &g_array_index(commands, struct veu_command_kernel, i);

        assert_same_launch(&g_array_index(launches, VeuKernelLaunch, i), c);
        slots = MAX(slots, c->groups_in_flight * c->threads);
    }
    /* Each EU thread in flight has private memory of its own. */
    g_assert_cmpuint(run->slots, ==, slots);
}

static void launch_once(World *w)
{
    VeuKernelRange range = choose_range();
    struct veu_kernel_run run;
    Arguments a;
    g_autofree uint8_t *memory = NULL;

    veu_kernel_begin(&run, &w->packed, HANDLE, LAUNCH_BYTES);
    g_assert_cmpuint(veu_kernel_bytes(&run), ==, 0);
    set_arguments(w, &run, &a);
    g_assert_true(veu_kernel_set_range(&run, range.dimensions, range.global,
                                       range.local));
    range.values = a.values;
    memory = g_malloc(veu_kernel_bytes(&run));
    g_array_set_size(commands, 0);
    g_assert_cmpint(veu_kernel_put(&run, NULL, 1, memory), ==, VEU_OK);
    /* the buffer begins with the number of its used bytes */
    g_assert_true(!run.printf_memory == !w->packed.packed->flags);
    g_assert_true(!run.printf_memory || *(uint32_t *)run.printf_memory == 4);
    assert_launches(w, &run, &range);
    veu_kernel_bytes(&run);
    g_assert_cmphex((uintptr_t)run.printf_memory, ==, range.printf_address);
}

static void test_launches_are_those_of_libveu_kernel(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        World w;

        open_world(&w, &cases[i]);
        place_sections(&w);
        for (unsigned n = 0; n < ROUNDS; n++) {
            launch_once(&w);
        }
        close_world(&w);
    }
}

static void test_wrong_arguments_are_refused(void)
{
    static const uint32_t one = 1, many = 1u << 31;
    struct veu_kernel_run run;
    World w;

    open_world(&w, &cases[0]);
    veu_kernel_begin(&run, &w.packed, HANDLE, LAUNCH_BYTES);
    g_assert_false(veu_kernel_set_value(&run, 0, &one, sizeof(one)));
    g_assert_false(veu_kernel_set_value(&run, 3, &one, 8));
    g_assert_false(veu_kernel_set_buffer(&run, 3, &one, 4));
    g_assert_false(veu_kernel_set_buffer(&run, 4, &one, 4));
    g_assert_false(veu_kernel_set_range(&run, 4, &one, &one));
    g_assert_false(veu_kernel_set_range(&run, 1, &many, &one));
    g_assert_false(veu_kernel_set_range(&run, 1, &many, &many));
    g_assert_cmpuint(veu_kernel_bytes(&run), ==, 0);
    g_assert_cmpint(veu_kernel_put(&run, NULL, 1, NULL), ==, VEU_BAD_CONFIG);
    close_world(&w);
}

static void test_a_full_ring_takes_nothing(void)
{
    static const uint32_t one = 1;
    struct veu_kernel_run run;
    Arguments a;
    World w;

    open_world(&w, &cases[0]);
    veu_kernel_begin(&run, &w.packed, HANDLE, LAUNCH_BYTES);
    set_arguments(&w, &run, &a);
    veu_kernel_set_range(&run, 1, &one, &one);
    g_array_set_size(commands, 0);
    ring_is_full = true;
    g_assert_cmpint(veu_kernel_put(&run, NULL, 1, w.place), ==, VEU_FULL);
    ring_is_full = false;
    g_assert_cmpuint(commands->len, ==, 0);
    close_world(&w);
}

/* --- What kernels can ask for -------------------------------------------- */

/*
 * cl_channel_order and cl_channel_type of OpenCL's cl.h, which compilers write
 * into kernels; 0: there is no name.
 */
static const struct {
    uint16_t format;
    uint16_t order;
    uint16_t type;
} named_formats[] = {
    { VEU_FORMAT_R8_UNORM, 0x10b0, 0x10d2 },
    { VEU_FORMAT_R8G8_UNORM, 0x10b2, 0x10d2 },
    { VEU_FORMAT_R8G8B8A8_UNORM, 0x10b5, 0x10d2 },
    { VEU_FORMAT_R8_SNORM, 0x10b0, 0x10d0 },
    { VEU_FORMAT_R8G8_SNORM, 0x10b2, 0x10d0 },
    { VEU_FORMAT_R8G8B8A8_SNORM, 0x10b5, 0x10d0 },
    { VEU_FORMAT_R8_SINT, 0x10b0, 0x10d7 },
    { VEU_FORMAT_R8G8_SINT, 0x10b2, 0x10d7 },
    { VEU_FORMAT_R8G8B8A8_SINT, 0x10b5, 0x10d7 },
    { VEU_FORMAT_R8_UINT, 0x10b0, 0x10da },
    { VEU_FORMAT_R8G8_UINT, 0x10b2, 0x10da },
    { VEU_FORMAT_R8G8B8A8_UINT, 0x10b5, 0x10da },
    { VEU_FORMAT_R16_UNORM, 0x10b0, 0x10d3 },
    { VEU_FORMAT_R16G16_UNORM, 0x10b2, 0x10d3 },
    { VEU_FORMAT_R16G16B16A16_UNORM, 0x10b5, 0x10d3 },
    { VEU_FORMAT_R16_SNORM, 0x10b0, 0x10d1 },
    { VEU_FORMAT_R16G16_SNORM, 0x10b2, 0x10d1 },
    { VEU_FORMAT_R16G16B16A16_SNORM, 0x10b5, 0x10d1 },
    { VEU_FORMAT_R16_SINT, 0x10b0, 0x10d8 },
    { VEU_FORMAT_R16G16_SINT, 0x10b2, 0x10d8 },
    { VEU_FORMAT_R16G16B16A16_SINT, 0x10b5, 0x10d8 },
    { VEU_FORMAT_R16_UINT, 0x10b0, 0x10db },
    { VEU_FORMAT_R16G16_UINT, 0x10b2, 0x10db },
    { VEU_FORMAT_R16G16B16A16_UINT, 0x10b5, 0x10db },
    { VEU_FORMAT_R16_FLOAT, 0x10b0, 0x10dd },
    { VEU_FORMAT_R16G16_FLOAT, 0x10b2, 0x10dd },
    { VEU_FORMAT_R16G16B16A16_FLOAT, 0x10b5, 0x10dd },
    { VEU_FORMAT_R32_SINT, 0x10b0, 0x10d9 },
    { VEU_FORMAT_R32G32_SINT, 0x10b2, 0x10d9 },
    { VEU_FORMAT_R32G32B32A32_SINT, 0x10b5, 0x10d9 },
    { VEU_FORMAT_R32_UINT, 0x10b0, 0x10dc },
    { VEU_FORMAT_R32G32_UINT, 0x10b2, 0x10dc },
    { VEU_FORMAT_R32G32B32A32_UINT, 0x10b5, 0x10dc },
    { VEU_FORMAT_R32_FLOAT, 0x10b0, 0x10de },
    { VEU_FORMAT_R32G32_FLOAT, 0x10b2, 0x10de },
    { VEU_FORMAT_R32G32B32A32_FLOAT, 0x10b5, 0x10de },
    { VEU_FORMAT_A8_UNORM, 0x10b1, 0x10d2 },
    { VEU_FORMAT_B8G8R8A8_UNORM, 0x10b6, 0x10d2 },
    { VEU_FORMAT_R8G8B8A8_UNORM_SRGB, 0x10c1, 0x10d2 },
    { VEU_FORMAT_B8G8R8A8_UNORM_SRGB, 0x10c2, 0x10d2 },
    { VEU_FORMAT_R11G11B10_FLOAT, 0, 0 },
};

static void test_formats_have_the_numbers_of_opencl(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(named_formats); i++) {
        const struct veu_surface image = { .format = named_formats[i].format };

        g_assert_cmphex(veu_kernel_told(&image, NULL,
                                        VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_ORDER),
                        ==, named_formats[i].order);
        g_assert_cmphex(veu_kernel_told(&image, NULL,
                                        VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_TYPE),
                        ==, named_formats[i].type);
    }
}

/* CLK_ADDRESS_CLAMP and others of OpenCL's header for kernels. */
static void test_samplers_have_the_numbers_of_opencl(void)
{
    static const uint8_t numbers[] = { [VEU_ADDRESSING_BORDER] = 4,
                                       [VEU_ADDRESSING_EDGE] = 2,
                                       [VEU_ADDRESSING_REPEAT] = 6,
                                       [VEU_ADDRESSING_MIRROR] = 8 };

    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        struct veu_sampler s = { .addressing = i };

#define TOLD(name) veu_kernel_told(NULL, &s, VEU_KERNEL_PAYLOAD_SAMPLER_##name)
        g_assert_cmpuint(TOLD(ADDRESSING), ==, numbers[i]);
        g_assert_cmpuint(TOLD(NORMALIZED), ==, 0);
        s.flags = VEU_SAMPLER_NORMALIZED;
        g_assert_cmpuint(TOLD(NORMALIZED), ==, 1);
#undef TOLD
    }
}

static void test_images_have_sizes(void)
{
    const struct veu_surface image = { .width = 3, .height = 5, .depth = 7 };

#define TOLD(name) \
    veu_kernel_told(&image, NULL, VEU_KERNEL_PAYLOAD_IMAGE_##name)
    g_assert_cmpuint(TOLD(WIDTH), ==, 3);
    g_assert_cmpuint(TOLD(HEIGHT), ==, 5);
    g_assert_cmpuint(TOLD(DEPTH), ==, 7);
    g_assert_cmpuint(TOLD(ARRAY_SIZE), ==, 7);
    g_assert_cmphex(TOLD(DEPTH_ORDER), ==, 0x10bd);
#undef TOLD
}

/* --- A file by hand ------------------------------------------------------ */

/* A kernel (ulong a, __local *b, __local *c, __global *d), without code. */
typedef struct Handmade {
    struct veu_packed_kernel header;
    struct veu_packed_arg args[4];
    struct veu_packed_field fields[6];
    struct veu_packed_address addresses[2];
    uint64_t program[2];
    uint64_t data[1];
    char name[8];
} Handmade;

#define TABLE(member)                                   \
    {                                                   \
        .offset = G_STRUCT_OFFSET(Handmade, member),    \
        .count = G_N_ELEMENTS(((Handmade *)0)->member), \
    }

static Handmade make_by_hand(void)
{
    return (Handmade){
        .header = { .magic = VEU_PACKED_MAGIC,
                    .version = VEU_PACKED_VERSION,
                    .simd = 8,
                    .bytes = sizeof(Handmade),
                    .name = G_STRUCT_OFFSET(Handmade, name),
                    .grf_bytes = 32,
                    .thread_bytes = 4096,
                    .slm_bytes = 100,
                    .cross_thread_bytes = 64,
                    .walk_order = { 0, 1, 2 },
                    .program = G_STRUCT_OFFSET(Handmade, program),
                    .program_bytes = 16,
                    .data = G_STRUCT_OFFSET(Handmade, data),
                    .data_bytes = 8,
                    .data_memory_bytes = 8,
                    .args = TABLE(args),
                    .fields = TABLE(fields),
                    .addresses = TABLE(addresses),
                    .surfaces = { .offset = sizeof(struct veu_packed_kernel) },
                    .samplers = { .offset = sizeof(
                                      struct veu_packed_kernel) } },
        .args = { { .kind = VEU_KERNEL_ARG_VALUE,
                    .bytes = 8,
                    .name = G_STRUCT_OFFSET(Handmade, name) },
                  { .kind = VEU_KERNEL_ARG_LOCAL },
                  { .kind = VEU_KERNEL_ARG_LOCAL },
                  { .kind = VEU_KERNEL_ARG_BUFFER } },
        .fields = { { VEU_KERNEL_PAYLOAD_WORK_DIMENSIONS, 0, 4, 0, 0, 0 },
                    { VEU_KERNEL_PAYLOAD_VALUE, 8, 4, 0, 4, 0 },
                    { VEU_KERNEL_PAYLOAD_LOCAL_POINTER, 16, 8, 1, 0, 0 },
                    { VEU_KERNEL_PAYLOAD_LOCAL_POINTER, 24, 8, 2, 0, 0 },
                    { VEU_KERNEL_PAYLOAD_POINTER, 32, 8, 3, 0, 0 },
                    { VEU_KERNEL_PAYLOAD_GROUP_COUNT, 40, 12, 0, 0, 0 } },
        .addresses = { { .bytes = 8, .addend = UINT64_C(5) << 32 },
                       { .bytes = 4,
                         .shift = 32,
                         .offset = 8,
                         .addend = UINT64_C(5) << 32 } },
        .name = "hand",
    };
}

static void set_by_hand(struct veu_kernel_run *run, unsigned left_out)
{
    static const uint64_t value = UINT64_C(0x1122334455667788);
    static const uint32_t global[] = { 20, 3 }, local[] = { 8, 3 };

    veu_kernel_set_range(run, 2, global, local);
    if (left_out != 0) {
        g_assert_true(veu_kernel_set_value(run, 0, &value, 8));
    }
    for (unsigned arg = 1; arg <= 2; arg++) {
        if (left_out != arg) {
            g_assert_true(veu_kernel_set_local(run, arg, 10));
        }
    }
    if (left_out != 3) {
        g_assert_true(veu_kernel_set_buffer(run, 3, run, 4));
    }
}

/* Local memory: 100 bytes of the kernel, and 10 in each of the next lines. */
static void assert_payload(const struct veu_command_kernel *c,
                           const struct veu_kernel_run *run)
{
    static const uint32_t groups[] = { 3, 1, 1 };
    const uint8_t *payload = (void *)(uintptr_t)c->cross_thread_address;
    uint64_t local[2], buffer;
    uint32_t dimensions, value;

    memcpy(&dimensions, payload, 4);
    memcpy(&value, payload + 8, 4);
    memcpy(local, payload + 16, 16);
    memcpy(&buffer, payload + 32, 8);
    g_assert_cmpuint(dimensions, ==, 2);
    g_assert_cmphex(value, ==, 0x11223344);
    g_assert_cmpuint(local[0], ==, 128);
    g_assert_cmpuint(local[1], ==, 192);
    g_assert_cmphex(buffer, ==, (uintptr_t)run);
    g_assert_cmpmem(payload + 40, 12, groups, 12);
    g_assert_cmpuint(c->slm_bytes, ==, 202);
}

static void test_a_kernel_by_hand(void)
{
    Handmade h = make_by_hand();
    uint8_t place[128] __attribute__((aligned(64)));
    struct veu_kernel_run run;
    struct veu_kernel k;
    g_autofree uint8_t *memory = NULL;
    uint64_t address;
    uint32_t high;

    g_assert_true(veu_kernel_open(&k, &h, sizeof(h)));
    g_assert_cmpuint(k.place_bytes, ==, sizeof(place));
    g_assert_cmpstr(veu_kernel_arg_name(&k, 0), ==, "hand");
    g_assert_null(veu_kernel_arg_name(&k, 1));
    g_assert_null(veu_kernel_arg_name(&k, 4));
    veu_kernel_place(&k, place);
    address = (uintptr_t)k.data + (UINT64_C(5) << 32);
    high = address >> 32;
    g_assert_cmpmem(place, 8, &address, 8);
    g_assert_cmpmem(place + 8, 4, &high, 4);
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    set_by_hand(&run, UINT_MAX);
    memory = g_malloc(veu_kernel_bytes(&run));
    g_array_set_size(commands, 0);
    g_assert_cmpint(veu_kernel_put(&run, NULL, 1, memory), ==, VEU_OK);
    g_assert_cmpuint(commands->len, ==, 2); /* 2 groups of 8, and 4 items */
    assert_payload(&g_array_index(commands, struct veu_command_kernel, 0),
                   &run);
}

/* No argument may be missing, and a wrong call spoils the run. */
static void test_all_arguments_are_needed(void)
{
    Handmade h = make_by_hand();
    struct veu_kernel_run run;
    struct veu_kernel k;

    g_assert_true(veu_kernel_open(&k, &h, sizeof(h)));
    for (unsigned arg = 0; arg < 4; arg++) {
        veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
        set_by_hand(&run, arg);
        g_assert_cmpuint(veu_kernel_bytes(&run), ==, 0);
    }
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    g_assert_false(veu_kernel_set_local(&run, 0, 8));
    set_by_hand(&run, UINT_MAX);
    g_assert_cmpuint(veu_kernel_bytes(&run), ==, 0);
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    g_assert_false(veu_kernel_set_value(&run, 0, &k, 4));
    set_by_hand(&run, UINT_MAX);
    g_assert_cmpuint(veu_kernel_bytes(&run), ==, 0);
}

static void test_ranges_are_not_empty(void)
{
    static const uint32_t sizes[] = { 4, 0 }, ones[] = { 1, 1 };
    Handmade h = make_by_hand();
    struct veu_kernel_run run;
    struct veu_kernel k;

    g_assert_true(veu_kernel_open(&k, &h, sizeof(h)));
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    g_assert_true(veu_kernel_set_range(&run, 1, sizes, ones));
    g_assert_false(veu_kernel_set_range(&run, 2, sizes, ones));
    g_assert_false(veu_kernel_set_range(&run, 2, ones, sizes));
    g_assert_false(veu_kernel_set_range(&run, 0, ones, ones));
}

static void test_what_no_packed_kernel_has(void)
{
    struct veu_kernel k;
    Handmade h;

#define TAKEN(change)   \
    h = make_by_hand(); \
    change;             \
    g_assert_true(veu_kernel_open(&k, &h, sizeof(h)))
#define REFUSED(change) \
    h = make_by_hand(); \
    change;             \
    g_assert_false(veu_kernel_open(&k, &h, sizeof(h)))
    TAKEN(h.args[0].bytes = VEU_PACKED_MAX_PAYLOAD_BYTES);
    REFUSED(h.args[0].bytes = VEU_PACKED_MAX_PAYLOAD_BYTES + 1);
    REFUSED(h.args[1].bytes = 8);
    REFUSED(h.args[3].kind = VEU_KERNEL_ARG_SAMPLER + 1);
    TAKEN(h.args[3].kind = VEU_KERNEL_ARG_UNUSED);
    REFUSED(h.args[0].name = sizeof(h));
    REFUSED(h.fields[1].bytes = 5); /* past the end of the value */
    REFUSED(h.fields[1].source_offset = 9);
    REFUSED(h.fields[4].arg = 4);
    REFUSED(h.fields[4].arg = 1);
    REFUSED(h.fields[4].offset = 57);
    TAKEN(h.fields[4].offset = 56);
    REFUSED(h.fields[4].type = VEU_KERNEL_PAYLOAD_COUNT);
    REFUSED(h.addresses[1].part = 2);
    REFUSED(h.addresses[1].bytes = 2);
    REFUSED(h.addresses[1].shift = 33);
    REFUSED(h.addresses[1].offset = 13);
    TAKEN(h.addresses[1].offset = 12);
    REFUSED(h.header.simd = 4);
    REFUSED(h.header.grf_bytes = 64);
    REFUSED(h.header.flags = 2);
    REFUSED(h.header.walk_order[0] = 1);
    REFUSED(h.header.walk_order[0] = 3);
    REFUSED(h.header.thread_bytes = 63);
    REFUSED(h.header.data_memory_bytes = 7);
    REFUSED(h.header.program += 4);
    REFUSED(memset(h.name, 1, sizeof(h.name)));
#undef TAKEN
#undef REFUSED
}

/* --- Hostile files ------------------------------------------------------- */

/* Uses the opened file as far as possible. */
static void use_file(const uint8_t *file, uint32_t bytes)
{
    static const uint32_t sizes[] = { 3, 5, 7 }, local[] = { 2, 2, 2 };
    struct veu_kernel_run run;
    struct veu_kernel k;
    uint8_t number[64] = { 0 };
    g_autofree uint8_t *place = NULL;
    g_autofree uint8_t *memory = NULL;

    if (!veu_kernel_open(&k, file, bytes) || k.place_bytes > 1u << 20) {
        return;
    }
    place = g_malloc(k.place_bytes);
    veu_kernel_place(&k, place);
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    for (unsigned i = 0; i < k.packed->args.count; i++) {
        run.values[i] = (struct veu_kernel_value){ .bytes = 64,
                                                   .address = 4096,
                                                   .is_set = true };
        if (k.args[i].kind != VEU_KERNEL_ARG_VALUE ||
            k.args[i].bytes <= sizeof(number)) {
            run.values[i].data = number;
        }
    }
    veu_kernel_set_range(&run, 3, sizes, local);
    if (veu_kernel_bytes(&run) && veu_kernel_bytes(&run) < 16u << 20) {
        memory = g_malloc(veu_kernel_bytes(&run));
        veu_kernel_put(&run, NULL, 1, memory);
    }
}

static void damage(const World *w, uint32_t at, uint8_t value)
{
    /* a block of its own, so that reads outside of it are found */
    g_autofree uint8_t *file = g_memdup2(w->file->data, w->file->len);

    file[at] = value;
    g_array_set_size(commands, 0);
    use_file(file, w->file->len);
}

static void test_damaged_files_do_no_harm(void)
{
    static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        World w;

        open_world(&w, &cases[i]);
        for (uint32_t at = 0; at < w.file->len; at++) {
            /* the device checks the bytes of the program */
            if (at - w.packed.packed->program < w.packed.program_bytes) {
                continue;
            }
            for (unsigned v = 0; v < G_N_ELEMENTS(values); v++) {
                damage(&w, at, values[v]);
            }
        }
        close_world(&w);
    }
}

static void test_files_that_end_early_are_refused(void)
{
    World w;
    struct veu_kernel k;

    open_world(&w, &cases[0]);
    for (uint32_t bytes = 0; bytes < w.file->len; bytes++) {
        g_assert_false(veu_kernel_open(&k, w.file->data, bytes));
    }
    close_world(&w);
}

/* --- Numbers as text ----------------------------------------------------- */

static double choose_double(void)
{
    static const double special[] = { 0.0,    0.5,       1.5,
                                      2.5,    0.05,      9.5,
                                      99.95,  9.9999995, 1e22,
                                      5e-324, 0x1p-1022, 0x1.fffffffffffffp1023,
                                      1e-5,   123456 };
    uint64_t bits = (uint64_t)(uint32_t)g_test_rand_int() << 32 |
                    (uint32_t)g_test_rand_int();
    double value;

    switch (g_test_rand_int_range(0, 4)) {
    case 0:
        return special[g_test_rand_int_range(0, G_N_ELEMENTS(special))];
    case 1:
        return g_test_rand_int_range(0, 100000) / 64.0;
    case 2:
        return g_test_rand_double();
    default:
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
}

/* glibc omits a zero of %#g where rounding adds a digit: 99.6 with %#.2g. */
static bool is_glibc_wrong(char letter, bool alternative)
{
    return alternative && (letter == 'g' || letter == 'G');
}

static void test_real_numbers_are_those_of_printf(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        double value = fabs(choose_double());
        char letter = "fFeEgGaA"[g_test_rand_int_range(0, 8)];
        int precision = g_test_rand_int_range(-1, 30);
        bool alternative = g_test_rand_bit();
        char format[] = { '%', '#', '.', '*', letter, 0 };
        char expected[VEU_REAL_TEXT_BYTES];
        char text[VEU_REAL_TEXT_BYTES];
        uint64_t bits;

        if (!alternative) {
            memmove(format + 1, format + 2, sizeof(format) - 2);
        }
        memcpy(&bits, &value, sizeof(bits));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(expected, sizeof(expected), format, precision, value);
#pragma GCC diagnostic pop
        veu_real_text(text, bits, letter, precision, alternative);
        if (!is_glibc_wrong(letter, alternative)) {
            g_assert_cmpstr(text, ==, expected);
        }
    }
}

/* "Trailing zeros are not removed" with #: the C standard, not glibc. */
static void test_general_numbers_keep_zeros(void)
{
    static const struct {
        double value;
        int precision;
        const char *text;
    } rows[] = {
        { 1.5, -1, "1.50000" },    { 0.0001, -1, "0.000100000" },
        { 123456, -1, "123456." }, { 1234567, -1, "1.23457e+06" },
        { 100000, 3, "1.00e+05" }, { 99.6, 2, "1.0e+02" },
        { 0, 3, "0.00" },          { 0.00001, 2, "1.0e-05" },
    };
    char text[VEU_REAL_TEXT_BYTES];

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t bits;

        memcpy(&bits, &rows[i].value, sizeof(bits));
        veu_real_text(text, bits, 'g', rows[i].precision, true);
        g_assert_cmpstr(text, ==, rows[i].text);
    }
}

static void test_precisions_have_a_bound(void)
{
    const uint64_t third = 0x3fd5555555555555;
    char text[VEU_REAL_TEXT_BYTES + 1];

    text[VEU_REAL_TEXT_BYTES] = 'x';
    g_assert_cmpuint(veu_real_text(text, third, 'f', INT_MAX, false), ==,
                     2 + VEU_REAL_MAX_PRECISION);
    g_assert_cmpuint(text[VEU_REAL_TEXT_BYTES], ==, 'x');
}

static void test_floats_become_doubles(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        uint32_t bits = g_test_rand_int();
        uint64_t twice;
        float single;
        double value;

        bits &= n % 4 ? ~0u : 0x807fffff; /* includes subnormal ones */
        memcpy(&single, &bits, sizeof(single));
        value = single;
        memcpy(&twice, &value, sizeof(twice));
        if (!isnan(value)) {
            g_assert_cmphex(veu_real_of_float(bits), ==, twice);
        }
    }
}

/* --- printf() ------------------------------------------------------------ */

static bool read_here(void *opaque, uint64_t address, void *to, uint32_t bytes)
{
    const World *w = opaque;
    uint64_t from = (uintptr_t)w->packed.data;

    if (address < from ||
        address - from + bytes > w->packed.packed->data_memory_bytes) {
        return false;
    }
    memcpy(to, (void *)(uintptr_t)address, bytes);
    return true;
}

static bool has_glibc_error(const char *format)
{
    return strchr(format, '#') && strpbrk(format, "gG");
}

static void append_char(void *opaque, char c)
{
    g_string_append_c(opaque, c);
}

/* Returns "%-08.3v4hlx", or a similar format. */
static char *choose_format(void)
{
    static const char *const lengths[] = { "", "h", "hh", "hl", "l" };
    GString *format = g_string_new("<%");

    for (unsigned i = 0; i < 2; i++) {
        if (g_test_rand_bit()) {
            g_string_append_c(format, "-+ #0"[g_test_rand_int_range(0, 5)]);
        }
    }
    if (g_test_rand_bit()) {
        g_string_append_printf(format, "%d", g_test_rand_int_range(1, 30));
    }
    if (g_test_rand_bit()) {
        g_string_append_printf(format, ".%d", g_test_rand_int_range(0, 20));
    }
    if (g_test_rand_bit()) {
        g_string_append(format, "v4");
    }
    g_string_append(format, lengths[g_test_rand_int_range(0, 5)]);
    g_string_append_c(format,
                      "diouxXcspfFeEgGaA"[g_test_rand_int_range(0, 17)]);
    g_string_append(format, "%%>");
    return g_string_free(format, FALSE);
}

/* A call with one argument; its strings are at the start of the data. */
static uint32_t write_call(const World *w, uint8_t *to)
{
    uint64_t address = (uintptr_t)w->packed.data;
    uint32_t type = g_test_rand_int_range(1, 15);
    uint32_t words = 2;
    uint32_t count = 4;

    memcpy(to, &address, 8);
    memcpy(to + 8, &type, 4);
    if (type >= 9) {
        memcpy(to + 12, &count, 4);
        words = 3;
    }
    for (unsigned i = 0; i < 16; i++) {
        uint32_t word = (uint32_t)g_test_rand_int();

        memcpy(to + 4 + words * 4 + i * 4, &word, 4);
    }
    if (type == 5) {
        memcpy(to + 4 + words * 4, &address, 8);
    }
    return 8 + 4 + 4 * words + 64;
}

static void test_printf_is_that_of_libveu_kernel(void)
{
    g_autofree uint8_t *buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    World w;

    open_world(&w, &cases[6]);
    for (unsigned n = 0; n < 3000; n++) {
        const VeuKernelMemory memory = { read_here, &w };
        struct veu_kernel_run run = { .kernel = &w.packed,
                                      .printf_memory = buffer };
        g_autoptr(GString) expected = g_string_new(NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        g_autofree char *format = choose_format();
        uint32_t end = 4 + write_call(&w, buffer + 4);

        strcpy((char *)w.packed.data, format);
        memcpy(buffer, &end, sizeof(end));
        g_assert_cmpint(veu_kernel_print(&run, append_char, text), ==,
                        veu_kernel_printf(buffer, VEU_KERNEL_PRINTF_BYTES,
                                          &memory, expected));
        if (!has_glibc_error(format)) {
            g_assert_cmpstr(text->str, ==, expected->str);
        }
    }
    close_world(&w);
}

/* A string that does not end within the kernel's data is none. */
static void test_strings_end_within_the_data(void)
{
    g_autofree uint8_t *buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    g_autoptr(GString) text = g_string_new(NULL);
    const uint32_t end = 24, string = 5;
    struct veu_kernel_run run = { .printf_memory = buffer };
    uint64_t format, at;
    World w;

    open_world(&w, &cases[6]);
    run.kernel = &w.packed;
    strcpy((char *)w.packed.data, "%s");
    format = veu_port_device_address(w.packed.data);
    at = format + w.packed.packed->data_memory_bytes - 4;
    memset((void *)(uintptr_t)at, 'a', 4);
    memcpy(buffer, &end, sizeof(end));
    memcpy(buffer + 4, &format, sizeof(format));
    memcpy(buffer + 12, &string, sizeof(string));
    memcpy(buffer + 16, &at, sizeof(at));
    g_assert_true(veu_kernel_print(&run, append_char, text));
    g_assert_cmpstr(text->str, ==, "(not a string)");
    close_world(&w);
}

static void count_char(void *opaque, char c)
{
    ++*(uint64_t *)opaque;
}

/* A width with more digits than an int holds becomes the maximum. */
static void test_a_width_has_a_bound(void)
{
    g_autofree uint8_t *buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    const uint32_t end = 20, int32 = 3;
    struct veu_kernel_run run = { .printf_memory = buffer };
    uint64_t format, count = 0;
    World w;

    open_world(&w, &cases[6]);
    run.kernel = &w.packed;
    strcpy((char *)w.packed.data, "%99999999999d");
    format = veu_port_device_address(w.packed.data);
    memcpy(buffer, &end, sizeof(end));
    memcpy(buffer + 4, &format, sizeof(format));
    memcpy(buffer + 12, &int32, sizeof(int32));
    g_assert_true(veu_kernel_print(&run, count_char, &count));
    g_assert_cmpuint(count, ==, 1000);
    close_world(&w);
}

/* A call of 16 bytes, whose only number is padded to a field of 500. */
static void test_printf_writes_at_most_16_mib(void)
{
    g_autofree uint8_t *buffer = g_malloc0(VEU_KERNEL_PRINTF_BYTES);
    uint32_t end = VEU_KERNEL_PRINTF_BYTES / 16 * 16 - 12;
    struct veu_kernel_run run = { .printf_memory = buffer };
    uint64_t format, count = 0;
    const uint32_t int32 = 3;
    World w;

    open_world(&w, &cases[6]);
    run.kernel = &w.packed;
    strcpy((char *)w.packed.data, "%500d");
    format = veu_port_device_address(w.packed.data);
    memcpy(buffer, &end, sizeof(end));
    for (uint32_t at = 4; at < end; at += 16) {
        memcpy(buffer + at, &format, sizeof(format));
        memcpy(buffer + at + 8, &int32, sizeof(int32));
    }
    g_assert_false(veu_kernel_print(&run, count_char, &count));
    g_assert_cmpuint(count, ==, 16 * 1024 * 1024);
    close_world(&w);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    commands = g_array_new(FALSE, TRUE, sizeof(struct veu_command_kernel));
    g_test_add_func("/packed/addresses",
                    test_program_and_data_have_their_addresses);
    g_test_add_func("/packed/relocated",
                    test_the_file_does_not_depend_on_earlier_addresses);
    g_test_add_func("/packed/room",
                    test_program_and_data_take_no_more_than_their_lines);
    g_test_add_func("/packed/launches",
                    test_launches_are_those_of_libveu_kernel);
    g_test_add_func("/packed/wrong arguments",
                    test_wrong_arguments_are_refused);
    g_test_add_func("/packed/full ring", test_a_full_ring_takes_nothing);
    g_test_add_func("/packed/formats", test_formats_have_the_numbers_of_opencl);
    g_test_add_func("/packed/samplers",
                    test_samplers_have_the_numbers_of_opencl);
    g_test_add_func("/packed/images", test_images_have_sizes);
    g_test_add_func("/packed/by hand", test_a_kernel_by_hand);
    g_test_add_func("/packed/missing", test_all_arguments_are_needed);
    g_test_add_func("/packed/empty", test_ranges_are_not_empty);
    g_test_add_func("/packed/refused", test_what_no_packed_kernel_has);
    g_test_add_func("/packed/general", test_general_numbers_keep_zeros);
    g_test_add_func("/packed/precision", test_precisions_have_a_bound);
    g_test_add_func("/packed/strings", test_strings_end_within_the_data);
    g_test_add_func("/packed/damaged", test_damaged_files_do_no_harm);
    g_test_add_func("/packed/short", test_files_that_end_early_are_refused);
    g_test_add_func("/packed/real", test_real_numbers_are_those_of_printf);
    g_test_add_func("/packed/float", test_floats_become_doubles);
    g_test_add_func("/packed/printf", test_printf_is_that_of_libveu_kernel);
    g_test_add_func("/packed/printf width", test_a_width_has_a_bound);
    g_test_add_func("/packed/printf limit", test_printf_writes_at_most_16_mib);
    return g_test_run();
}
