/*
 * veu fuzzers: runs inputs from files, once each, without a fuzzer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: fuzz_NAME FILE|FOLDER...
 *
 * A file whose name ends in .hex is a list of inputs, one in each line, as
 * corpus.py writes it. Any other file is one input, for example one that a
 * fuzzer has saved because it caused a failure. A folder stands for the files
 * in it.
 *
 * Prints TAP, with a point for each argument. An input that causes a failure
 * ends the program; the last comment that was printed names its file and line.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include "tests/fuzz/input.h"

/*
 * Runs it in a block of exactly that size, so that ASan finds reads past its
 * end.
 */
static void run_input(const uint8_t *data, size_t bytes)
{
    g_autofree uint8_t *exact = g_memdup2(data, bytes);

    LLVMFuzzerTestOneInput(exact, bytes);
}

static bool parse_hex(const char *line, GByteArray *input)
{
    g_byte_array_set_size(input, 0);
    for (; *line; line += 2) {
        int high = g_ascii_xdigit_value(line[0]);
        int low = high < 0 ? -1 : g_ascii_xdigit_value(line[1]);
        uint8_t byte = high << 4 | low;

        if (high < 0 || low < 0) {
            return false;
        }
        g_byte_array_append(input, &byte, 1);
    }
    return input->len;
}

static unsigned run_list(const char *path, char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GByteArray) input = g_byte_array_new();
    unsigned count = 0;

    for (unsigned i = 0; lines[i]; i++) {
        if (lines[i][0] == '#' || !lines[i][0]) {
            continue;
        }
        printf("# %s:%u\n", path, i + 1);
        fflush(stdout);
        if (!parse_hex(lines[i], input)) {
            g_error("%s:%u: not pairs of hex digits", path, i + 1);
        }
        run_input(input->data, input->len);
        count++;
    }
    return count;
}

static unsigned run_file(const char *path)
{
    g_autofree char *data = NULL;
    g_autoptr(GError) error = NULL;
    gsize bytes;

    if (!g_file_get_contents(path, &data, &bytes, &error)) {
        g_error("%s", error->message);
    }
    if (g_str_has_suffix(path, ".hex")) {
        return run_list(path, data);
    }
    printf("# %s\n", path);
    fflush(stdout);
    run_input((uint8_t *)data, bytes);
    return 1;
}

static unsigned run_folder(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    unsigned count = 0;

    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);

        count += run_file(file);
    }
    return count;
}

int main(int argc, char **argv)
{
    printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++) {
        bool is_folder = g_file_test(argv[i], G_FILE_TEST_IS_DIR);
        unsigned count = is_folder ? run_folder(argv[i]) : run_file(argv[i]);

        printf("%s %d - %u inputs of %s\n", count ? "ok" : "not ok", i, count,
               argv[i]);
    }
    return 0;
}
