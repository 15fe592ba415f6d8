/*
 * veu-as: vISA text to objects and programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tools/lib/file.h"
#include "tools/visa/hex_lines.h"
#include "tools/visa/source.h"

static const char summary[] =
    "Assembles vISA text to an object (.isa, version 4.1) or to a program\n"
    "that the device runs. Without a file: standard input. The manual page\n"
    "veu-as(1) has examples.";

typedef struct Options {
    char *output;
    gboolean program;
    char *kernel;
    int grf_bytes;
    gboolean hex;
    char *declarations;
    char **files;
} Options;

static bool complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

static bool complain(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_printerr("veu-as: %s\n", text);
    return false;
}

static bool check_options(const Options *o)
{
    if (o->grf_bytes != 32 && o->grf_bytes != 64) {
        return complain("--grf %d: a register has 32 or 64 bytes",
                        o->grf_bytes);
    }
    if (o->kernel && !o->program) {
        return complain("--kernel is for --program; an object has them all");
    }
    if (o->hex && (o->program || o->output || o->files)) {
        return complain("--hex reads lines from standard input, and writes "
                        "lines to standard output");
    }
    if (o->declarations && !o->hex) {
        return complain("--decls is for --hex; a file has its declarations");
    }
    return !o->files || !o->files[1] ||
           complain("'%s' is one file too many", o->files[1]);
}

static bool parse_options(Options *o, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
          "Write to a file", "FILE" },
        { "program", 0, 0, G_OPTION_ARG_NONE, &o->program,
          "Write a program for the device; the file may be an object", NULL },
        { "kernel", 0, 0, G_OPTION_ARG_STRING, &o->kernel,
          "With --program: the kernel, where there are more than one", "NAME" },
        { "grf", 0, 0, G_OPTION_ARG_INT, &o->grf_bytes,
          "Bytes of a register: 32 or 64 [32]", "BYTES" },
        { "hex", 0, 0, G_OPTION_ARG_NONE, &o->hex,
          "Answer each line with an instruction by its bytes", NULL },
        { "decls", 0, 0, G_OPTION_ARG_FILENAME, &o->declarations,
          "With --hex: .decl lines for the variables", "FILE" },
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
    return good ? check_options(o) :
                  complain("%s; see veu-as --help", error->message);
}

static const char *name_of(const char *path)
{
    return path ? path : "standard input";
}

/* The content of a file, or NULL when an error has been printed. */
static uint8_t *read_file(const char *path, uint64_t *bytes)
{
    g_autofree char *why = NULL;
    uint8_t *data = file_read(path, VISA_MAX_FILE_BYTES, bytes, &why);

    if (!data) {
        complain("%s: %s", name_of(path), why);
    }
    return data;
}

static bool print_error(const VisaError *error, const char *path,
                        const char *text)
{
    g_autofree char *shown = visa_error_show(error, name_of(path), text);

    g_printerr("%s", shown);
    return false;
}

static bool answer_lines(const Options *o)
{
    g_autofree char *text = NULL;
    VisaError error = { 0 };
    uint64_t bytes;

    if (o->declarations) {
        text = (char *)read_file(o->declarations, &bytes);
        if (!text) {
            return false;
        }
    }
    return visa_hex_assemble(text, o->grf_bytes, &error) ||
           print_error(&error, o->declarations, text);
}

/* --- Files --------------------------------------------------------------- */

static GByteArray *assemble(const Options *o, const uint8_t *data,
                            uint64_t bytes, VisaError *error)
{
    VisaObject *object = visa_source_read(data, bytes, o->grf_bytes, error);
    GByteArray *out = NULL;

    if (object) {
        out = o->program ?
                  visa_source_program(object, o->kernel, o->grf_bytes, error) :
                  visa_object_write(object, error);
    }
    visa_object_free(object);
    return out;
}

static bool assemble_file(const Options *o)
{
    const char *path = o->files ? o->files[0] : NULL;
    VisaError error = { 0 };
    uint64_t bytes;
    g_autofree uint8_t *data = read_file(path, &bytes);
    g_autofree char *why = NULL;
    GByteArray *out;
    bool good;

    if (!data) {
        return false;
    }
    out = assemble(o, data, bytes, &error);
    if (!out) {
        return print_error(&error, path, (const char *)data);
    }
    if (error.warning) {
        print_error(&error, path, (const char *)data);
    }
    good = file_write(o->output, out->data, out->len, &why) ||
           complain("cannot write %s: %s",
                    o->output ? o->output : "standard output", why);
    g_byte_array_unref(out);
    return good;
}

static void free_options(Options *o)
{
    g_free(o->output);
    g_free(o->kernel);
    g_free(o->declarations);
    g_strfreev(o->files);
}

int main(int argc, char **argv)
{
    Options o = { .grf_bytes = 32 };
    int status = 2;

    if (parse_options(&o, &argc, &argv)) {
        status = (o.hex ? answer_lines(&o) : assemble_file(&o)) ? 0 : 1;
    }
    free_options(&o);
    return status;
}
