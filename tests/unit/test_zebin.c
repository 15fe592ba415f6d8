/*
 * veu unit tests: compiled kernels whose files are damaged, and how a range
 * becomes launches (tools/kernel/kernel.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each damaged file is one of tests/data/kernels in which one place of the same
 * length has been replaced, so that all offsets of the file stay right.
 */
#include <elf.h>
#include <string.h>
#include "veu/program.h"
#include "tools/kernel/kernel_internal.h"

/* The register LIMIT_GROUPS of docs/spec.md. */
#define MOST_GROUPS (1024u * 1024)

/* --- Files --------------------------------------------------------------- */

static GByteArray *read_file(const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/tests/data/kernels/%s.zebin",
                                            g_getenv("VEU_TEST_SOURCE"), name);
    GError *error = NULL;
    char *data;
    gsize bytes;

    g_file_get_contents(path, &data, &bytes, &error);
    g_assert_no_error(error);
    return g_byte_array_new_take((guint8 *)data, bytes);
}

/* Puts @to in the first place after @from_byte that has @from. */
static void replace(GByteArray *file, const char *from, const char *to)
{
    size_t length = strlen(from);

    g_assert_cmpuint(strlen(to), ==, length);
    for (uint8_t *at = file->data; at + length <= file->data + file->len;
         at++) {
        if (!memcmp(at, from, length)) {
            memcpy(at, to, length);
            return;
        }
    }
    g_assert_not_reached();
}

/* The header of the section @name. */
static Elf64_Shdr *find_section(GByteArray *file, const char *name)
{
    const Elf64_Ehdr *header = (void *)file->data;
    Elf64_Shdr *sections = (void *)(file->data + header->e_shoff);
    const char *names = (char *)file->data +
                        sections[header->e_shstrndx].sh_offset;

    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (!strcmp(names + sections[i].sh_name, name)) {
            return &sections[i];
        }
    }
    g_assert_not_reached();
}

static VeuZebin *open_file(GByteArray *file)
{
    GError *error = NULL;
    VeuZebin *zebin = veu_zebin_new(file->data, file->len, &error);

    g_assert_no_error(error);
    g_assert_nonnull(zebin);
    return zebin;
}

static const VeuKernel *kernel_of(const VeuZebin *zebin, const char *name)
{
    GError *error = NULL;
    const VeuKernel *kernel = veu_zebin_kernel(zebin, name, &error);

    g_assert_no_error(error);
    return kernel;
}

static void assert_says(GError *error, const char *text)
{
    g_assert_error(error, VEU_KERNEL_ERROR, 0);
    if (!strstr(error->message, text)) {
        g_error("\"%s\" does not say \"%s\"", error->message, text);
    }
    g_error_free(error);
}

/* --- Sections ------------------------------------------------------------ */

/* Each header of 64 bytes asks for a copy of the same 64 KiB of the file. */
static void test_overlapping_sections_have_a_limit_of_64_mib(void)
{
    const uint32_t text_bytes = 64 * 1024, copies = 1100;
    g_autoptr(GByteArray) file = read_file("skl-vadd");
    Elf64_Shdr text = *find_section(file, ".visaasm");
    g_autofree uint8_t *headers = NULL;
    GError *error = NULL;
    Elf64_Ehdr *header;
    uint64_t at;

    g_byte_array_set_size(file, (file->len + 7) / 8 * 8);
    header = (void *)file->data;
    at = header->e_shoff;
    header->e_shoff = file->len;
    headers = g_memdup2(file->data + at, header->e_shnum * sizeof(text));
    g_byte_array_append(file, headers, header->e_shnum * sizeof(text));
    text.sh_size = text_bytes;
    for (uint32_t i = 0; i < copies; i++) {
        g_byte_array_append(file, (uint8_t *)&text, sizeof(text));
    }
    header = (void *)file->data;
    header->e_shnum += copies;
    g_assert_null(veu_zebin_new(file->data, file->len, &error));
    assert_says(error, "more than 64 MiB");
}

/* --- .ze_info ------------------------------------------------------------ */

typedef struct Damage {
    const char *file;
    const char *from;
    const char *to;
    const char *says;
} Damage;

/* Each number of the description, and what else makes a file unusable. */
static const Damage damages[] = {
    { "skl-calls", "size:            131072", "size:            1x1072",
      "size is '1x1072', not a number from 0 to 1073741824" },
    { "skl-calls", "size:            196", "size:            -96",
      "size is '-96'" },
    { "skl-calls", "size:            96", "size:            9z",
      "size is '9z'" },
    { "skl-calls", "simd_size:       8", "simd_size:       x",
      "simd_size is 'x', not a number from 0 to 32" },
    { "skl-scope", "simd_size:       32", "simd_size:       33",
      "simd_size is '33', not a number from 0 to 32" },
    { "skl-calls", "bti_value:       1", "bti_value:       q",
      "bti_value is 'q', not a number from 0 to 249" },
    { "skl-calls", "arg_index:       1", "arg_index:       q",
      "arg_index is 'q'" },
    { "skl-calls", "offset:          32", "offset:          3q",
      "offset is '3q'" },
    { "skl-picture", "sampler_index:   0", "sampler_index:   z",
      "sampler_index is 'z'" },
    { "skl-picture", "sampler_index:   0\n        sampler_type:    ",
      "sampler_index:   z\n        sampler_type:    ", "sampler_index is 'z'" },
    { "skl-reduce", "slm_alignment:   4", "slm_alignment:   x",
      "slm_alignment is 'x', not a number from 0 to 65536" },
    { "skl-calls", "- index:           1", "- index:           y",
      "index is 'y'" },
    { "skl-vadd", "kernels:\n", "kernels:[", ".ze_info: line " },
};

static void test_a_damaged_description_is_refused(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(damages); i++) {
        g_autoptr(GByteArray) file = read_file(damages[i].file);
        GError *error = NULL;

        replace(file, damages[i].from, damages[i].to);
        g_assert_null(veu_zebin_new(file->data, file->len, &error));
        assert_says(error, damages[i].says);
    }
}

/* A number for a work-item counts once for each lane; else it is a thread's. */
static void test_private_memory_is_that_of_an_eu_thread(void)
{
    g_autoptr(GByteArray) file = read_file("skl-calls");
    VeuZebin *zebin = open_file(file);

    g_assert_cmpuint(kernel_of(zebin, "calls")->simd, ==, 8);
    g_assert_cmpuint(kernel_of(zebin, "calls")->private_bytes, ==, 8 * 196);
    veu_zebin_free(zebin);
    replace(file, "is_simt_thread:  true", "is_simt_thread:  nope");
    zebin = open_file(file);
    g_assert_cmpuint(kernel_of(zebin, "calls")->private_bytes, ==, 196);
    veu_zebin_free(zebin);
}

/*
 * What compilers call the values that they ask for, and bytes of the kernel's
 * inputs. Global offsets and workarounds of samplers are 0.
 */
static const struct {
    const char *name;
    enum veu_kernel_field_type type;
} inputs[] = {
    { "const_base", VEU_KERNEL_PAYLOAD_CONST_BASE },
    { "enqueued_local_size", VEU_KERNEL_PAYLOAD_ENQUEUED_LOCAL_SIZE },
    { "global_base", VEU_KERNEL_PAYLOAD_GLOBAL_BASE },
    { "global_id_offset", VEU_KERNEL_PAYLOAD_ZERO },
    { "global_size", VEU_KERNEL_PAYLOAD_GLOBAL_SIZE },
    { "group_count", VEU_KERNEL_PAYLOAD_GROUP_COUNT },
    { "image_array_size", VEU_KERNEL_PAYLOAD_IMAGE_ARRAY_SIZE },
    { "image_channel_data_type", VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_TYPE },
    { "image_channel_order", VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_ORDER },
    { "image_depth", VEU_KERNEL_PAYLOAD_IMAGE_DEPTH },
    { "image_height", VEU_KERNEL_PAYLOAD_IMAGE_HEIGHT },
    { "image_width", VEU_KERNEL_PAYLOAD_IMAGE_WIDTH },
    { "local_size", VEU_KERNEL_PAYLOAD_LOCAL_SIZE },
    { "printf_buffer", VEU_KERNEL_PAYLOAD_PRINTF_BUFFER },
    { "private_base_stateless", VEU_KERNEL_PAYLOAD_PRIVATE_BASE },
    { "sampler_address", VEU_KERNEL_PAYLOAD_SAMPLER_ADDRESSING },
    { "sampler_normalized", VEU_KERNEL_PAYLOAD_SAMPLER_NORMALIZED },
    { "sampler_snap_wa", VEU_KERNEL_PAYLOAD_ZERO },
    { "work_dimensions", VEU_KERNEL_PAYLOAD_WORK_DIMENSIONS },
};

/* The type of the 12 bytes at the start of the inputs. */
static enum veu_kernel_field_type first_input(const VeuKernel *k)
{
    for (unsigned i = 0; i < k->payload->len; i++) {
        const VeuKernelPayload *p = &g_array_index(k->payload, VeuKernelPayload,
                                                   i);

        if (p->offset == 0 && p->bytes == 12) {
            return p->type;
        }
    }
    g_assert_not_reached();
}

static void test_inputs_have_the_names_of_compilers(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(inputs); i++) {
        g_autoptr(GByteArray) file = read_file("skl-vadd");
        g_autofree char *name = g_strdup_printf("arg_type: %-23s",
                                                inputs[i].name);
        VeuZebin *zebin;

        replace(file, "arg_type:        global_id_offset", name);
        zebin = open_file(file);
        g_assert_cmpint(first_input(kernel_of(zebin, "vadd")), ==,
                        inputs[i].type);
        veu_zebin_free(zebin);
    }
}

/* --- The file ------------------------------------------------------------ */

/* What follows the last section does not matter. */
static void test_a_file_has_at_most_64_mib(void)
{
    g_autoptr(GByteArray) file = read_file("skl-vadd");
    guint used = file->len;
    GError *error = NULL;

    g_byte_array_set_size(file, (64 << 20) + 1);
    memset(file->data + used, 0, file->len - used);
    g_assert_null(veu_zebin_new(file->data, file->len, &error));
    assert_says(error, "more than 64 MiB");
    g_byte_array_set_size(file, 64 << 20);
    veu_zebin_free(open_file(file));
}

/* --- Relocations --------------------------------------------------------- */

typedef struct Relocation {
    uint64_t offset;
    uint32_t type;
    const char *says; /* NULL: it is taken */
} Relocation;

/*
 * .data.global of skl-scope has 64 bytes. Types are those of the compiler: 1 an
 * address, 2 its low half, 3 its high one.
 */
static const Relocation relocations[] = {
    { 0, 1, NULL },
    { 56, 1, NULL },
    { 57, 1, "outside of its section" },
    { 60, 1, "outside of its section" },
    { 60, 2, NULL },
    { 60, 3, NULL },
    { 61, 3, "outside of its section" },
    { 64, 3, "outside of its section" },
    { 65, 1, "outside of its section" },
    { UINT64_MAX - 7, 1, "outside of its section" },
    { UINT64_MAX, 3, "outside of its section" },
    { 0, 0, "type 0: not supported" },
    { 0, 4, "type 4: not supported" },
};

static void try_relocation(const Relocation *r)
{
    g_autoptr(GByteArray) file = read_file("skl-scope");
    Elf64_Shdr *header = find_section(file, ".rel.data.global");
    Elf64_Rel *entry = (void *)(file->data + header->sh_offset);
    GError *error = NULL;
    VeuZebin *zebin;

    entry->r_offset = r->offset;
    entry->r_info = ELF64_R_INFO(ELF64_R_SYM(entry->r_info), r->type);
    zebin = open_file(file);
    g_assert_cmpint(veu_zebin_relocate(zebin, &error), ==, !r->says);
    if (r->says) {
        assert_says(error, r->says);
    }
    veu_zebin_free(zebin);
}

static void test_a_relocation_is_inside_its_section(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(relocations); i++) {
        try_relocation(&relocations[i]);
    }
}

/* Makes .rel.data.global a table with addends, at the end of the file. */
static void add_addend(GByteArray *file, int64_t addend)
{
    static const uint8_t zeros[8];
    Elf64_Shdr *header = find_section(file, ".rel.data.global");
    const Elf64_Rel *before = (void *)(file->data + header->sh_offset);
    const Elf64_Rela entry = { before->r_offset, before->r_info, addend };

    g_byte_array_append(file, zeros, -file->len % 8);
    header = find_section(file, ".rel.data.global");
    header->sh_type = SHT_RELA;
    header->sh_offset = file->len;
    header->sh_size = sizeof(entry);
    header->sh_entsize = sizeof(entry);
    g_byte_array_append(file, (const uint8_t *)&entry, sizeof(entry));
}

/* Of `gp`, at 56, which points to element 2 of `arr`, at 20. */
static void test_an_addend_is_of_the_table_or_of_the_data(void)
{
    for (unsigned has_addend = 0; has_addend < 2; has_addend++) {
        g_autoptr(GByteArray) file = read_file("skl-scope");
        GError *error = NULL;
        VeuKernelSection *section;
        VeuZebin *zebin;
        uint64_t value;

        if (has_addend) {
            add_addend(file, 0x1000);
        }
        zebin = open_file(file);
        section = &g_array_index(veu_zebin_sections(zebin), VeuKernelSection,
                                 0);
        section->address = 0x10000;
        g_assert_true(veu_zebin_relocate(zebin, &error));
        memcpy(&value, section->data + 56, sizeof(value));
        g_assert_cmphex(value, ==, 0x10000 + 20 + (has_addend ? 0x1000 : 8));
        veu_zebin_free(zebin);
    }
}

/* sh_info names the section: that of code is no data, and 99 is none. */
static void test_a_relocation_is_of_data(void)
{
    static const uint32_t sections[] = { 0, 1, 8, 99 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sections); i++) {
        g_autoptr(GByteArray) file = read_file("skl-scope");
        GError *error = NULL;
        VeuZebin *zebin;

        find_section(file, ".rel.data.global")->sh_info = sections[i];
        zebin = open_file(file);
        g_assert_false(veu_zebin_relocate(zebin, &error));
        assert_says(error, "outside of its section");
        veu_zebin_free(zebin);
    }
}

/* --- Places -------------------------------------------------------------- */

/* The place of the first variable of 16 words. */
static uint32_t place_of_words(GByteArray *file)
{
    VeuZebin *zebin = open_file(file);
    GError *error = NULL;
    g_autoptr(GByteArray)
        program = veu_kernel_program(kernel_of(zebin, "vadd"), false, &error);
    struct veu_program_header header;

    g_assert_no_error(error);
    memcpy(&header, program->data, sizeof(header));
    for (unsigned i = 0; i < header.section_count; i++) {
        struct veu_section s;

        memcpy(&s, program->data + sizeof(header) + i * sizeof(s), sizeof(s));
        for (uint32_t at = 0; s.type == VEU_SECTION_VARIABLES && at < s.bytes;
             at += sizeof(struct veu_variable)) {
            struct veu_variable v;

            memcpy(&v, program->data + s.offset + at, sizeof(v));
            if (v.type == VEU_TYPE_UW && v.elements == 16) {
                veu_zebin_free(zebin);
                return v.offset;
            }
        }
    }
    g_assert_not_reached();
}

/* V0051 is 16 words of V0039, which has its place from the kernel's inputs. */
static void test_an_alias_begins_within_its_variable(void)
{
    g_autoptr(GByteArray) file = read_file("skl-vadd");
    uint32_t before = place_of_words(file);

    replace(file, "alias=<V0039, 0>", "alias=<V0039, 4>");
    g_assert_cmpuint(place_of_words(file), ==, before + 4);
}

/* --- Source lines -------------------------------------------------------- */

static void free_file(void *name)
{
    g_free(name);
}

static void read_lines(GByteArray *file, GArray *lines, GPtrArray *files)
{
    VeuZebin *zebin = open_file(file);

    veu_kernel_lines(kernel_of(zebin, "vadd"), lines, files);
    veu_zebin_free(zebin);
}

/* The compiler's remarks at the ends of lines make room for its -g. */
static void test_lines_of_the_source_are_those_of_loc(void)
{
    g_autoptr(GByteArray) file = read_file("skl-vadd");
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(VeuKernelLine));
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(free_file);
    const VeuKernelLine *line;

    read_lines(file, lines, files);
    g_assert_cmpuint(lines->len, ==, 0);
    g_assert_cmpuint(files->len, ==, 0);
    replace(file, "                         /// $1",
            "\n.file \"a.cl\"\n.loc 7         //");
    replace(file, "                                 /// $3",
            "\n.loc 90                             //");
    read_lines(file, lines, files);
    g_assert_cmpuint(files->len, ==, 1);
    g_assert_cmpstr(files->pdata[0], ==, "a.cl");
    g_assert_cmpuint(lines->len, ==, 2);
    line = &g_array_index(lines, VeuKernelLine, 0);
    g_assert_cmpuint(line[0].offset, >, 0);
    g_assert_cmpuint(line[0].line, ==, 7);
    g_assert_cmpuint(line[0].file, ==, 0);
    g_assert_cmpuint(line[1].offset, >, line[0].offset);
    g_assert_cmpuint(line[1].line, ==, 90);
    g_assert_cmpuint(line[1].file, ==, 0);
}

/* --- Launches ------------------------------------------------------------ */

static uint64_t group_count(const VeuKernelLaunch *l)
{
    return (uint64_t)l->group_count[0] * l->group_count[1] * l->group_count[2];
}

/* Each launch begins where the previous one ends, in dimension @d. */
static void assert_slices(const GArray *launches, const uint32_t count[3],
                          unsigned d)
{
    uint32_t next = 0;

    for (unsigned i = 0; i < launches->len; i++) {
        const VeuKernelLaunch *l = &g_array_index(launches, VeuKernelLaunch, i);

        g_assert_cmpuint(group_count(l), <=, MOST_GROUPS);
        for (unsigned k = 0; k < 3; k++) {
            g_assert_cmpuint(l->first_group[k], ==, k == d ? next : 0);
            g_assert_cmpuint(l->group_count[k], <=, count[k]);
            g_assert_true(k == d || l->group_count[k] == count[k]);
        }
        next += l->group_count[d];
    }
    g_assert_cmpuint(next, ==, count[d]);
}

/* In groups, and the dimension along which it is divided. */
static const struct {
    uint32_t count[3];
    unsigned dimension;
    unsigned launches;
} divided[] = {
    { { MOST_GROUPS, 1, 1 }, 0, 1 },
    { { MOST_GROUPS + 1, 1, 1 }, 0, 2 },
    { { 1, 6 * MOST_GROUPS, 1 }, 1, 6 },
    { { 2, 3 * MOST_GROUPS / 2, 1 }, 1, 3 },
    { { 2, 1, 3 * MOST_GROUPS / 2 }, 2, 3 },
    { { 1, 2, 3 * MOST_GROUPS / 2 }, 2, 3 },
    { { 3 * MOST_GROUPS / 2, 2, 1 }, 0, 3 },
    { { 3 * MOST_GROUPS / 2, 1, 2 }, 0, 3 },
    { { 3, 500000, 2 }, 1, 3 },
};

static void test_a_large_range_is_divided_along_its_longest_dimension(void)
{
    static const VeuKernelValue values[2] = { 0 };
    g_autoptr(GByteArray) file = read_file("skl-scope");
    VeuZebin *zebin = open_file(file);

    for (unsigned i = 0; i < G_N_ELEMENTS(divided); i++) {
        const uint32_t *count = divided[i].count;
        VeuKernelRange range = { .dimensions = 3,
                                 .global = { count[0], count[1], count[2] },
                                 .local = { 1, 1, 1 },
                                 .values = values };
        g_autoptr(GArray) launches = NULL;
        GError *error = NULL;

        launches = veu_kernel_launch(kernel_of(zebin, "pgmscope"), &range,
                                     &error);
        g_assert_no_error(error);
        g_assert_cmpuint(launches->len, ==, divided[i].launches);
        assert_slices(launches, count, divided[i].dimension);
    }
    veu_zebin_free(zebin);
}

static void test_a_range_has_at_most_six_times_that(void)
{
    static const VeuKernelValue values[2] = { 0 };
    g_autoptr(GByteArray) file = read_file("skl-scope");
    VeuZebin *zebin = open_file(file);
    const VeuKernelRange range = { .dimensions = 3,
                                   .global = { 3, 2 * MOST_GROUPS, 2 },
                                   .local = { 1, 1, 1 },
                                   .values = values };
    GError *error = NULL;

    g_assert_null(
        veu_kernel_launch(kernel_of(zebin, "pgmscope"), &range, &error));
    assert_says(error, "more than 6291456 groups");
    veu_zebin_free(zebin);
}

/* Returns NULL, and what was wrong, if the launch is refused. */
static GArray *launch_local(const VeuKernel *k, const uint32_t local[3],
                            const VeuKernelValue *values, GError **error)
{
    const VeuKernelRange range = {
        .dimensions = 3,
        .global = { local[0], local[1], local[2] },
        .local = { local[0], local[1], local[2] },
        .values = values,
    };

    return veu_kernel_launch(k, &range, error);
}

static void test_a_group_has_at_most_4096_items(void)
{
    static const VeuKernelValue values[2] = { 0 };
    static const struct {
        uint32_t local[3];
        bool taken;
    } groups[] = { { { 4096, 1, 1 }, true }, { { 4097, 1, 1 }, false },
                   { { 16, 16, 16 }, true }, { { 16, 16, 17 }, false },
                   { { 1, 1, 4096 }, true }, { { 1, 2, 2049 }, false },
                   { { 64, 64, 1 }, true },  { { 65536, 65536, 1 }, false },
                   { { 4095, 1, 1 }, true } };
    g_autoptr(GByteArray) file = read_file("skl-scope");
    VeuZebin *zebin = open_file(file);

    for (unsigned i = 0; i < G_N_ELEMENTS(groups); i++) {
        GError *error = NULL;
        g_autoptr(GArray)
            launches = launch_local(kernel_of(zebin, "pgmscope"),
                                    groups[i].local, values, &error);

        g_assert_true(!launches == !groups[i].taken);
        if (!launches) {
            assert_says(error, "4096");
        }
    }
    veu_zebin_free(zebin);
}

/* In lines of 64 bytes after the kernel's own local memory. */
static void test_local_arguments_follow_local_memory(void)
{
    static const uint32_t local[3] = { 8, 1, 1 };
    g_autoptr(GByteArray) file = read_file("skl-reduce");
    VeuZebin *zebin = open_file(file);
    VeuKernel k = *kernel_of(zebin, "reduce_slm");
    g_autofree VeuKernelValue *values = g_new0(VeuKernelValue, k.args->len);
    g_autoptr(GArray) launches = NULL;
    const VeuKernelLaunch *l;
    unsigned pointers = 0;
    GError *error = NULL;

    k.slm_bytes = 100;
    for (unsigned i = 0; i < k.args->len; i++) {
        values[i].bytes = 30;
    }
    launches = launch_local(&k, local, values, &error);
    g_assert_no_error(error);
    l = &g_array_index(launches, VeuKernelLaunch, 0);
    g_assert_cmpuint(l->slm_bytes, ==, 158);
    for (unsigned i = 0; i < k.payload->len; i++) {
        const VeuKernelPayload *p = &g_array_index(k.payload, VeuKernelPayload,
                                                   i);
        uint32_t at;

        if (p->type == VEU_KERNEL_PAYLOAD_LOCAL_POINTER) {
            memcpy(&at, l->cross_thread->data + p->offset, sizeof(at));
            g_assert_cmpuint(at, ==, 128);
            pointers++;
        }
    }
    g_assert_cmpuint(pointers, ==, 1);
    veu_zebin_free(zebin);
}

/* --- Images -------------------------------------------------------------- */

static void test_an_image_is_as_large_as_its_type_permits(void)
{
    static const struct {
        VeuKernelImageType type;
        VeuKernelImageSize size;
        bool taken;
    } images[] = {
        { VEU_KERNEL_IMAGE_1D, { 16384, 1, 1 }, true },
        { VEU_KERNEL_IMAGE_1D, { 16385, 1, 1 }, false },
        { VEU_KERNEL_IMAGE_1D, { 1, 2, 1 }, false },
        { VEU_KERNEL_IMAGE_1D, { 1, 1, 2 }, false },
        { VEU_KERNEL_IMAGE_1D, { 0, 1, 1 }, false },
        { VEU_KERNEL_IMAGE_1D_ARRAY, { 1, 1, 2048 }, true },
        { VEU_KERNEL_IMAGE_1D_ARRAY, { 1, 1, 2049 }, false },
        { VEU_KERNEL_IMAGE_1D_ARRAY, { 1, 2, 1 }, false },
        { VEU_KERNEL_IMAGE_1D_BUFFER, { 65537, 1, 1 }, true },
        { VEU_KERNEL_IMAGE_1D_BUFFER, { 1, 2, 1 }, false },
        { VEU_KERNEL_IMAGE_2D, { 16384, 16384, 1 }, true },
        { VEU_KERNEL_IMAGE_2D, { 1, 16385, 1 }, false },
        { VEU_KERNEL_IMAGE_2D, { 1, 0, 1 }, false },
        { VEU_KERNEL_IMAGE_2D, { 1, 1, 2 }, false },
        { VEU_KERNEL_IMAGE_2D, { 1, 1, 0 }, false },
        { VEU_KERNEL_IMAGE_2D_ARRAY, { 1, 2, 2048 }, true },
        { VEU_KERNEL_IMAGE_3D, { 1, 2, 2048 }, true },
        { VEU_KERNEL_IMAGE_3D, { 1, 1, 2049 }, false },
        { VEU_KERNEL_IMAGE_UNKNOWN, { 1, 1, 1 }, false },
        { VEU_KERNEL_IMAGE_3D + 1, { 1, 1, 1 }, false },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(images); i++) {
        struct veu_surface image;
        uint64_t slice_bytes;

        g_assert_cmpint(veu_kernel_image(images[i].type, VEU_FORMAT_R8_UNORM,
                                         &images[i].size, 0, &image,
                                         &slice_bytes, NULL),
                        ==, images[i].taken);
        g_assert_false(veu_kernel_image(images[i].type, VEU_FORMAT_RAW,
                                        &images[i].size, 0, &image,
                                        &slice_bytes, NULL));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/zebin/overlapping_sections_have_a_limit_of_64_mib",
                    test_overlapping_sections_have_a_limit_of_64_mib);
    g_test_add_func("/zebin/a_damaged_description_is_refused",
                    test_a_damaged_description_is_refused);
    g_test_add_func("/zebin/private_memory_is_that_of_an_eu_thread",
                    test_private_memory_is_that_of_an_eu_thread);
    g_test_add_func("/zebin/a_relocation_is_inside_its_section",
                    test_a_relocation_is_inside_its_section);
    g_test_add_func("/zebin/a_relocation_is_of_data",
                    test_a_relocation_is_of_data);
    g_test_add_func("/zebin/an_addend_is_of_the_table_or_of_the_data",
                    test_an_addend_is_of_the_table_or_of_the_data);
    g_test_add_func("/zebin/lines_of_the_source_are_those_of_loc",
                    test_lines_of_the_source_are_those_of_loc);
    g_test_add_func(
        "/zebin/a_large_range_is_divided_along_its_longest_dimension",
        test_a_large_range_is_divided_along_its_longest_dimension);
    g_test_add_func("/zebin/a_range_has_at_most_six_times_that",
                    test_a_range_has_at_most_six_times_that);
    g_test_add_func("/zebin/a_group_has_at_most_4096_items",
                    test_a_group_has_at_most_4096_items);
    g_test_add_func("/zebin/local_arguments_follow_local_memory",
                    test_local_arguments_follow_local_memory);
    g_test_add_func("/zebin/an_image_is_as_large_as_its_type_permits",
                    test_an_image_is_as_large_as_its_type_permits);
    g_test_add_func("/zebin/a_file_has_at_most_64_mib",
                    test_a_file_has_at_most_64_mib);
    g_test_add_func("/zebin/an_alias_begins_within_its_variable",
                    test_an_alias_begins_within_its_variable);
    g_test_add_func("/zebin/inputs_have_the_names_of_compilers",
                    test_inputs_have_the_names_of_compilers);
    return g_test_run();
}
