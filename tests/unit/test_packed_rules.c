/*
 * veu unit tests: what the file of a packed kernel may contain
 * (include/veu/packed.h), and what the guest library writes for it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "firmware/lib/veu_kernel_told.h"
#include "packed_world.h"

/* --- Numbers of OpenCL --------------------------------------------------- */

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
    struct veu_packed_surface surfaces[1];
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
                    .surfaces = TABLE(surfaces),
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
        .surfaces = { { .arg = 3, .index = 1 } },
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

/* Puts @h; memory that the library takes contains @fill. */
static uint8_t *put_by_hand(const Handmade *h, struct veu_kernel *k,
                            struct veu_kernel_run *run, uint8_t fill)
{
    uint64_t bytes;
    uint8_t *memory;

    g_assert_true(veu_kernel_open(k, h, sizeof(*h)));
    veu_kernel_begin(run, k, HANDLE, LAUNCH_BYTES);
    set_by_hand(run, UINT_MAX);
    bytes = veu_kernel_bytes(run);
    memory = g_malloc(bytes);
    memset(memory, fill, bytes);
    g_array_set_size(commands, 0);
    g_assert_cmpint(veu_kernel_put(run, NULL, 1, memory), ==, VEU_OK);
    return memory;
}

/* Entry 0 of the surface table is of no argument. */
static void test_surfaces_of_no_argument_are_null(void)
{
    const struct veu_surface null = { 0 };
    const struct veu_command_kernel *c;
    const struct veu_surface *table;
    Handmade h = make_by_hand();
    struct veu_kernel_run run;
    struct veu_kernel k;
    g_autofree uint8_t *memory = put_by_hand(&h, &k, &run, 0xa5);

    c = &g_array_index(commands, struct veu_command_kernel, 0);
    table = (void *)(uintptr_t)c->surface_table;
    g_assert_cmpuint(c->surface_count, ==, 2);
    g_assert_cmpmem(&table[0], sizeof(null), &null, sizeof(null));
    g_assert_cmphex(table[1].base, ==, (uintptr_t)&run);
    g_assert_cmpuint(table[1].width, ==, 4);
}

/* Returns true if neither range has a byte of the other. */
static bool are_apart(const uint8_t *a, uint64_t a_bytes, const uint8_t *b,
                      uint64_t b_bytes)
{
    return a + a_bytes <= b || b + b_bytes <= a;
}

/* Each EU thread in flight has a share of both; nothing else is there. */
static void test_private_and_scratch_memory_are_in_that_of_the_run(void)
{
    Handmade h = make_by_hand();
    const struct veu_command_kernel *c;
    struct veu_kernel_run run;
    struct veu_kernel k;
    g_autofree uint8_t *memory = NULL;
    uint64_t private_bytes, scratch_bytes;
    const uint8_t *others[2], *end;

    h.header.private_bytes = 64;
    h.header.scratch_bytes = 128;
    memory = put_by_hand(&h, &k, &run, 0);
    end = memory + veu_kernel_bytes(&run);
    private_bytes = run.slots * h.header.private_bytes;
    scratch_bytes = run.slots * h.header.scratch_bytes;
    c = &g_array_index(commands, struct veu_command_kernel, 0);
    others[0] = (const uint8_t *)(uintptr_t)c->surface_table;
    others[1] = (const uint8_t *)(uintptr_t)c->cross_thread_address;
    g_assert_cmpuint(run.slots, >, 0);
    g_assert_true(run.private_memory >= memory &&
                  run.private_memory + private_bytes <= end);
    g_assert_true(run.scratch_memory >= memory &&
                  run.scratch_memory + scratch_bytes <= end);
    g_assert_true(are_apart(run.private_memory, private_bytes,
                            run.scratch_memory, scratch_bytes));
    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        g_assert_true(
            are_apart(run.private_memory, private_bytes, others[i], 64));
        g_assert_true(
            are_apart(run.scratch_memory, scratch_bytes, others[i], 64));
    }
    g_assert_cmphex(c->stateless_base, ==, (uintptr_t)run.scratch_memory);
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
    static const uint32_t most[] = { 64, 64 }, more[] = { 64, 65 };
    Handmade h = make_by_hand();
    struct veu_kernel_run run;
    struct veu_kernel k;

    g_assert_true(veu_kernel_open(&k, &h, sizeof(h)));
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    g_assert_true(veu_kernel_set_range(&run, 1, sizes, ones));
    g_assert_false(veu_kernel_set_range(&run, 2, sizes, ones));
    g_assert_false(veu_kernel_set_range(&run, 2, ones, sizes));
    g_assert_false(veu_kernel_set_range(&run, 0, ones, ones));
    /* a group has at most 4,096 items */
    veu_kernel_begin(&run, &k, HANDLE, LAUNCH_BYTES);
    g_assert_true(veu_kernel_set_range(&run, 2, most, most));
    g_assert_false(veu_kernel_set_range(&run, 2, more, more));
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
    TAKEN(h.header.simd = 16);
    REFUSED(h.header.simd = 17);
    TAKEN(h.header.simd = 32);
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    commands = g_array_new(FALSE, TRUE, sizeof(struct veu_command_kernel));
#define RULE(name) g_test_add_func("/packed_rules/" #name, test_##name)
    RULE(formats_have_the_numbers_of_opencl);
    RULE(samplers_have_the_numbers_of_opencl);
    RULE(images_have_sizes);
    RULE(a_kernel_by_hand);
    RULE(surfaces_of_no_argument_are_null);
    RULE(private_and_scratch_memory_are_in_that_of_the_run);
    RULE(all_arguments_are_needed);
    RULE(ranges_are_not_empty);
    RULE(what_no_packed_kernel_has);
#undef RULE
    return g_test_run();
}
