/*
 * veu unit tests: packed kernels (include/veu/packed.h): the guest library
 * launches a packed kernel as libveu-kernel launches the original.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "packed_world.h"

#define ROUNDS 40

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

        open_world(&w, cases[i].file, cases[i].kernel);
        program_room = w.packed.data - w.packed.program;
        assert_least_lines(program_room, w.packed.program_bytes);
        assert_least_lines(w.packed.place_bytes - program_room,
                           w.packed.packed->data_memory_bytes);
        close_world(&w);
    }
}

static void add_section(GArray *sections, const char *name, uint64_t bytes)
{
    const VeuKernelSection section = { .name = g_strdup(name),
                                       .bytes = bytes,
                                       .data = g_malloc0(bytes) };

    g_array_append_val(sections, section);
}

/* Those without bytes in the file follow the others. */
static void test_sections_begin_in_lines_of_their_own(void)
{
    static const uint64_t addresses[] = { 0, 256, 128 };
    g_autoptr(GByteArray) file = NULL;
    GArray *sections;
    GError *error = NULL;
    World w;

    open_world(&w, "skl-vadd", "vadd");
    sections = veu_zebin_sections(w.zebin);
    add_section(sections, ".data.a", 65);
    add_section(sections, ".bss.b", 1);
    add_section(sections, ".data.c", 128);
    file = veu_kernel_pack(w.zebin, w.kernel, &error);
    g_assert_no_error(error);
    for (unsigned i = 0; i < G_N_ELEMENTS(addresses); i++) {
        g_assert_cmpuint(g_array_index(sections, VeuKernelSection, i).address,
                         ==, addresses[i]);
    }
    close_world(&w);
}

static void test_the_header_has_what_the_kernel_needs(void)
{
    const struct veu_packed_kernel *header;
    g_autoptr(GByteArray) file = NULL;
    GError *error = NULL;
    VeuKernel k;
    World w;

    open_world(&w, "skl-vadd", "vadd");
    k = *w.kernel;
    k.slm_bytes = 100;
    k.private_bytes = 65;
    k.scratch_bytes = 1025;
    k.uses_printf = true;
    k.required_local[2] = 3;
    file = veu_kernel_pack(w.zebin, &k, &error);
    g_assert_no_error(error);
    header = (const struct veu_packed_kernel *)file->data;
    g_assert_cmpuint(header->simd, ==, 32);
    g_assert_cmpuint(header->grf_bytes, ==, 32);
    g_assert_cmpuint(header->slm_bytes, ==, 100);
    g_assert_cmpuint(header->private_bytes, ==, 65);
    g_assert_cmpuint(header->scratch_bytes, ==, 2048); /* whole KiB */
    g_assert_cmpuint(header->flags, ==, 1);
    g_assert_cmpuint(header->required_local[2], ==, 3);
    g_assert_cmpmem(header->walk_order, 3, w.kernel->walk_order, 3);
    close_world(&w);
}

static uint32_t whole_lines(uint32_t bytes)
{
    return bytes / 64 * 64 + (bytes % 64 ? 64 : 0);
}

/*
 * docs/spec.md, "Kernels": an EU thread takes 2,560 bytes, its predicates and
 * the elements of its address variables, and its registers.
 */
static void assert_thread_bytes(const World *w)
{
    struct veu_program_header header;
    uint32_t operands = 0;

    memcpy(&header, w->packed.program, sizeof(header));
    for (unsigned i = 0; i < header.section_count; i++) {
        const uint8_t *at = w->packed.program + sizeof(header);
        struct veu_section section;

        memcpy(&section, at + i * sizeof(section), sizeof(section));
        for (uint32_t n = 0; n < section.bytes; n++) {
            uint8_t elements = w->packed.program[section.offset + n];

            operands += section.type == VEU_SECTION_PREDICATES ? 1 :
                        section.type != VEU_SECTION_ADDRESSES  ? 0 :
                        n % sizeof(struct veu_address)         ? 0 :
                                                                 elements * 2;
        }
    }
    g_assert_cmpuint(w->packed.packed->thread_bytes, ==,
                     2560 + whole_lines(operands) +
                         whole_lines(header.register_bytes));
}

static void test_an_eu_thread_takes_its_operands_and_registers(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        World w;

        open_world(&w, cases[i].file, cases[i].kernel);
        assert_thread_bytes(&w);
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

        open_world(&w, cases[i].file, cases[i].kernel);
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

        open_world(&w, cases[i].file, cases[i].kernel);
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

        open_world(&w, cases[i].file, cases[i].kernel);
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

    open_world(&w, "skl-vadd", "vadd");
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

    open_world(&w, "skl-vadd", "vadd");
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

        open_world(&w, cases[i].file, cases[i].kernel);
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

    open_world(&w, "skl-vadd", "vadd");
    for (uint32_t bytes = 0; bytes < w.file->len; bytes++) {
        g_assert_false(veu_kernel_open(&k, w.file->data, bytes));
    }
    close_world(&w);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    commands = g_array_new(FALSE, TRUE, sizeof(struct veu_command_kernel));
#define RULE(name) g_test_add_func("/packed/" #name, test_##name)
    RULE(program_and_data_take_no_more_than_their_lines);
    RULE(sections_begin_in_lines_of_their_own);
    RULE(the_header_has_what_the_kernel_needs);
    RULE(an_eu_thread_takes_its_operands_and_registers);
    RULE(program_and_data_have_their_addresses);
    RULE(the_file_does_not_depend_on_earlier_addresses);
    RULE(launches_are_those_of_libveu_kernel);
    RULE(wrong_arguments_are_refused);
    RULE(a_full_ring_takes_nothing);
    RULE(damaged_files_do_no_harm);
    RULE(files_that_end_early_are_refused);
#undef RULE
    return g_test_run();
}
