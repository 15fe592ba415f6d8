/*
 * veu tests: a program outside of this tree that uses libveu-kernel. It
 * launches the kernel vadd of a zebin, as far as possible without a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Usage: uses_kernel ZEBIN
 */
#include <stdio.h>
#include <veu-kernel/kernel.h>

static int fail(GError *error)
{
    fprintf(stderr, "uses_kernel: %s\n", error->message);
    g_error_free(error);
    return 1;
}

static int launch(const VeuKernel *kernel)
{
    int count = 1000;
    VeuKernelValue values[4] = { { NULL, 4096, 0x10000, { 0 }, { 0 } },
                                 { NULL, 4096, 0x20000, { 0 }, { 0 } },
                                 { NULL, 4096, 0x30000, { 0 }, { 0 } },
                                 { &count, sizeof(count), 0, { 0 }, { 0 } } };
    VeuKernelRange range = { 1, { 1024, 1, 1 }, { 64, 1, 1 }, values, 0, 0 };
    GError *error = NULL;
    GByteArray *program = veu_kernel_program(kernel, false, &error);
    GArray *launches = program ? veu_kernel_launch(kernel, &range, &error) :
                                 NULL;

    if (!launches) {
        return fail(error);
    }
    printf("%s: %u launch of %u groups, a program of %u bytes\n", kernel->name,
           launches->len,
           g_array_index(launches, VeuKernelLaunch, 0).group_count[0],
           program->len);
    g_array_unref(launches);
    g_byte_array_unref(program);
    return 0;
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    gchar *bytes = NULL;
    gsize size = 0;
    VeuZebin *zebin = NULL;
    const VeuKernel *kernel;
    int status;

    if (argc != 2 || !g_file_get_contents(argv[1], &bytes, &size, &error) ||
        !(zebin = veu_zebin_new((uint8_t *)bytes, size, &error))) {
        return error ? fail(error) : 2;
    }
    g_free(bytes);
    kernel = veu_zebin_kernel(zebin, "vadd", &error);
    status = kernel ? launch(kernel) : fail(error);
    veu_zebin_free(zebin);
    return status;
}
