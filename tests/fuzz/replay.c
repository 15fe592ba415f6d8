/*
 * veu fuzzers: runs inputs from files, once each, without a fuzzer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: fuzz_NAME FILE|DIRECTORY...   prints TAP, a line for each argument.
 * An input that does harm ends the program; its name is the last one printed.
 */
#include <glib.h>
#include <stdio.h>
#include "tests/fuzz/input.h"

static void run_file(const char *path)
{
    g_autofree char *data = NULL;
    gsize bytes;
    g_autoptr(GError) error = NULL;

    if (!g_file_get_contents(path, &data, &bytes, &error)) {
        g_error("%s", error->message);
    }
    /* On a block of exactly that size, so that ASan sees who reads beyond. */
    {
        g_autofree uint8_t *exact = g_memdup2(data, bytes);

        LLVMFuzzerTestOneInput(exact, bytes);
    }
}

static unsigned run_directory(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    unsigned count = 0;

    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);

        printf("# %s\n", name);
        fflush(stdout);
        run_file(file);
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++) {
        unsigned count = 1;

        if (g_file_test(argv[i], G_FILE_TEST_IS_DIR)) {
            count = run_directory(argv[i]);
        } else {
            run_file(argv[i]);
        }
        printf("%s %d - %u inputs of %s\n", count ? "ok" : "not ok", i, count,
               argv[i]);
    }
    return 0;
}
