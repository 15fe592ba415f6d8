/*
 * veu-as: vISA text to objects and programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tools/lib/options.h"
#include "tools/visa/visa-tool.h"
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

static bool check_options(const Options *o)
{
    if (o->grf_bytes != 32 && o->grf_bytes != 64) {
        return tool_error("--grf %d: a register has 32 or 64 bytes",
                          o->grf_bytes);
    }
    if (o->kernel && !o->program) {
        return tool_error(
            "--kernel is for --program; an object has all kernels");
    }
    if (o->hex && (o->program || o->output || o->files)) {
        return tool_error("--hex reads lines from standard input, and writes "
                          "lines to standard output");
    }
    if (o->declarations && !o->hex) {
        return tool_error("--decls is for --hex; a file has its declarations");
    }
    return !o->files || !o->files[1] ||
           tool_error("'%s': only one file can be read", o->files[1]);
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

    return vt_parse(summary, entries, argc, argv) && check_options(o);
}

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

/* The file name and text that errors quote. */
typedef struct Source {
    const char *path;
    const char *text;
} Source;

static void show_earlier(const VisaError *error, void *opaque)
{
    const Source *source = opaque;

    vt_show(error, source->path, source->text);
}

static bool assemble_file(const Options *o)
{
    const char *path = o->files ? o->files[0] : NULL;
    Source source = { .path = path };
    VisaError error = { .report = show_earlier, .opaque = &source };
    uint64_t bytes;
    g_autofree uint8_t *data = vt_read(path, &bytes);
    GByteArray *out;
    bool good;

    if (!data) {
        return false;
    }
    source.text = (const char *)data;
    out = assemble(o, data, bytes, &error);
    if (!out) {
        return vt_show(&error, path, (const char *)data);
    }
    if (error.warning) {
        vt_show(&error, path, (const char *)data);
    }
    good = vt_write(o->output, out->data, out->len);
    g_byte_array_unref(out);
    return good;
}

static bool answer(const Options *o)
{
    return o->hex ?
               vt_answer(o->declarations, o->grf_bytes, visa_hex_assemble) :
               assemble_file(o);
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

    g_set_prgname("veu-as");
    if (parse_options(&o, &argc, &argv)) {
        status = answer(&o) ? 0 : 1;
    }
    free_options(&o);
    return status;
}
