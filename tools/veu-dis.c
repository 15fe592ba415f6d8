/*
 * veu-dis: vISA objects, programs and instructions as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/lib/file.h"
#include "tools/visa/disassemble.h"
#include "tools/visa/hex_lines.h"
#include "tools/visa/program.h"
#include "tools/visa/source.h"

static const char summary[] =
    "Prints a vISA object (.isa, 4.0 to 4.2) or a veu program as text that\n"
    "veu-as takes again. Without a file: standard input. The manual page\n"
    "veu-dis(1) has examples.";

typedef struct Options {
    gboolean hex;
    char *declarations;
    char *output;
    char **files;
} Options;

static bool parse_options(Options *o, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
          "Write the text to a file", "FILE" },
        { "hex", 0, 0, G_OPTION_ARG_NONE, &o->hex,
          "Answer each line of hexadecimal bytes with a line of text", NULL },
        { "decls", 0, 0, G_OPTION_ARG_FILENAME, &o->declarations,
          "With --hex: .decl lines that name the variables", "FILE" },
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->files,
          NULL, "[FILE]" },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    bool good;

    g_option_context_set_summary(context, summary);
    g_option_context_add_main_entries(context, entries, NULL);
    good = g_option_context_parse(context, argc, argv, &error);
    g_option_context_free(context);
    if (!good) {
        g_printerr("veu-dis: %s; see veu-dis --help\n", error->message);
    } else if (o->files && (o->files[1] || o->hex)) {
        g_printerr("veu-dis: '%s' is one file too many\n",
                   o->files[o->hex ? 0 : 1]);
        good = false;
    }
    return good;
}

/* The content of a file, or NULL when an error has been printed. */
static uint8_t *read_file(const char *path, uint64_t *bytes)
{
    g_autofree char *why = NULL;
    uint8_t *data = file_read(path, VISA_MAX_FILE_BYTES, bytes, &why);

    if (!data) {
        g_printerr("veu-dis: %s: %s\n", path ? path : "standard input", why);
    }
    return data;
}

static int print_error(const VisaError *error, const char *path,
                       const char *text)
{
    g_autofree char *shown =
        visa_error_show(error, path ? path : "standard input", text);

    g_printerr("%s", shown);
    return 1;
}

static int answer_lines(const Options *o)
{
    VisaError error = { 0 };
    uint64_t bytes;
    g_autofree char *text = NULL;

    if (o->declarations) {
        text = (char *)read_file(o->declarations, &bytes);
        if (!text) {
            return 1;
        }
    }
    if (!visa_hex_disassemble(text, 32, &error)) {
        return print_error(&error, o->declarations, text);
    }
    return 0;
}

static VisaObject *read_object(const uint8_t *data, uint64_t bytes,
                               VisaError *error)
{
    uint32_t grf_bytes;

    return visa_is_program(data, bytes) ?
               visa_program_read(data, bytes, &grf_bytes, error) :
               visa_object_read(data, bytes, error);
}

static int list_file(const Options *o)
{
    const char *path = o->files ? o->files[0] : NULL;
    VisaError error = { 0 };
    uint64_t bytes;
    g_autofree uint8_t *data = read_file(path, &bytes);
    g_autofree char *text = NULL;
    g_autofree char *why = NULL;
    VisaObject *object;

    if (!data) {
        return 1;
    }
    object = read_object(data, bytes, &error);
    if (!object) {
        return print_error(&error, path, NULL);
    }
    text = visa_disassemble(object);
    visa_object_free(object);
    if (!file_write(o->output, text, strlen(text), &why)) {
        g_printerr("veu-dis: cannot write %s: %s\n",
                   o->output ? o->output : "standard output", why);
        return 1;
    }
    return 0;
}

static void free_options(Options *o)
{
    g_free(o->declarations);
    g_free(o->output);
    g_strfreev(o->files);
}

int main(int argc, char **argv)
{
    Options o = { 0 };
    int status = 2;

    if (parse_options(&o, &argc, &argv)) {
        status = o.hex ? answer_lines(&o) : list_file(&o);
    }
    free_options(&o);
    return status;
}
