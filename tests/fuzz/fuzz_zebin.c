/*
 * veu fuzzer: zebins. A file is refused with an error, or each of its kernels
 * is refused, or has a program and launches; the device loads or refuses that
 * program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An input that begins like an ELF file is the file. In any other, the bytes
 * before the first 0 are .ze_info, and those after it are the text of a kernel,
 * so that a fuzzer reaches both.
 */
#include <elf.h>
#include <glib.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/room.h"
#include "tests/fuzz/input.h"
#include "tools/kernel/kernel.h"

#define SECTIONS   4
#define MAX_ARGS   1024
/*
 * The maximum size of a program that the device decodes; longer ones take too
 * long.
 */
#define MAX_DECODE 4096

/* --- A file -------------------------------------------------------------- */

static void append(GByteArray *file, const void *from, size_t bytes)
{
    g_byte_array_append(file, from, bytes);
    while (file->len % 8) {
        g_byte_array_append(file, (const uint8_t *)"", 1);
    }
}

static void add_section(GByteArray *file, Elf64_Shdr *header, uint32_t name,
                        const void *from, size_t bytes)
{
    *header = (Elf64_Shdr){
        .sh_name = name,
        .sh_type = SHT_PROGBITS,
        .sh_offset = file->len,
        .sh_size = bytes,
        .sh_addralign = 1,
    };
    append(file, from, bytes);
}

static GByteArray *wrap(const uint8_t *data, size_t bytes)
{
    static const char names[] = "\0.ze_info\0.visaasm\0.shstrtab";
    const uint8_t *zero = memchr(data, 0, bytes);
    size_t info = zero ? (size_t)(zero - data) : bytes;
    size_t text = zero ? bytes - info - 1 : 0;
    Elf64_Shdr headers[SECTIONS] = { { 0 } };
    Elf64_Ehdr elf = {
        .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                     ELFDATA2LSB, EV_CURRENT },
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(elf),
        .e_shentsize = sizeof(headers[0]),
        .e_shnum = SECTIONS,
        .e_shstrndx = SECTIONS - 1,
    };
    GByteArray *file = g_byte_array_new();

    append(file, &elf, sizeof(elf));
    add_section(file, &headers[1], 1, data, info);
    add_section(file, &headers[2], 10, zero ? zero + 1 : data, text);
    add_section(file, &headers[3], 19, names, sizeof(names));
    headers[3].sh_type = SHT_STRTAB;
    elf.e_shoff = file->len;
    append(file, headers, sizeof(headers));
    memcpy(file->data, &elf, sizeof(elf));
    return file;
}

/* --- Uses ---------------------------------------------------------------- */

/* Checks that there is an error message if, and only if, there is no result. */
static void check_error(bool good, GError **error)
{
    g_assert(good == !*error);
    g_clear_error(error);
}

static void load(const GByteArray *bytes, uint32_t simd)
{
    VeuProgram *program = veu_program_new_with(&veu_load_limits);
    VeuFault fault;
    uint32_t offset;

    if (veu_program_open(program, bytes->data, bytes->len, simd, &fault)) {
        veu_program_decode(program, MAX_DECODE, &fault, &offset);
    }
    g_free(program);
}

static void make_program(const VeuKernel *kernel, bool one_place)
{
    GError *error = NULL;
    GByteArray *program = veu_kernel_program(kernel, one_place, &error);

    check_error(program, &error);
    if (program) {
        g_assert(program->len <= VEU_LIMIT_LOAD_BYTES);
        veu_kernel_groups_in_flight(program, 1, 0, VEU_LIMIT_LAUNCH_BYTES);
        load(program, kernel->simd);
        g_byte_array_unref(program);
    }
}

static void make_launches(const VeuKernel *kernel)
{
    static const uint8_t content[64];
    g_autofree VeuKernelValue *values = g_new0(VeuKernelValue, MAX_ARGS);
    const VeuKernelRange range = {
        .dimensions = 3,
        .global = { 5, 3, 1 },
        .local = { 2, 3, 1 },
        .values = values,
    };
    GArray *launches;
    GError *error = NULL;

    g_assert(kernel->args->len <= MAX_ARGS);
    for (unsigned i = 0; i < kernel->args->len; i++) {
        bool value = g_array_index(kernel->args, VeuKernelArg, i).kind ==
                     VEU_KERNEL_ARG_VALUE;

        values[i] = (VeuKernelValue){
            .data = value ? content : NULL,
            .bytes = sizeof(content),
            .address = 0x1000,
            .image = { .base = 0x1000, .width = 4, .height = 4, .depth = 4 },
            .sampler = { .addressing = VEU_ADDRESSING_EDGE },
        };
    }
    check_error(veu_kernel_check(kernel, &range, &error), &error);
    launches = veu_kernel_launch(kernel, &range, &error);
    check_error(launches, &error);
    if (launches) {
        g_array_unref(launches);
    }
}

static void use(VeuZebin *zebin)
{
    GArray *sections = veu_zebin_sections(zebin);
    const GArray *kernels = veu_zebin_kernels(zebin);
    GError *error = NULL;

    for (unsigned i = 0; i < sections->len; i++) {
        g_array_index(sections, VeuKernelSection, i).address = i << 20;
    }
    check_error(veu_zebin_relocate(zebin, &error), &error);
    for (unsigned i = 0; i < MIN(kernels->len, 4); i++) {
        const VeuKernel *kernel = &g_array_index(kernels, VeuKernel, i);

        make_launches(kernel);
        make_program(kernel, false);
        make_program(kernel, true);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    bool is_elf = bytes >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
    g_autoptr(GByteArray) file = is_elf ? NULL : wrap(data, bytes);
    GError *error = NULL;
    VeuZebin *zebin = veu_zebin_new(file ? file->data : data,
                                    file ? file->len : bytes, &error);

    check_error(zebin, &error);
    if (zebin) {
        use(zebin);
    }
    veu_zebin_free(zebin);
    return 0;
}
