/*
 * veu-dis: vISA objects, programs and instructions as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/lib/options.h"
#include "tools/visa/visa-tool.h"
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

    if (!vt_parse(summary, entries, argc, argv)) {
        return false;
    }
    return !o->files || !(o->files[1] || o->hex) ||
           tool_error("'%s': only one file can be read",
                      o->files[o->hex ? 0 : 1]);
}

static VisaObject *read_object(const uint8_t *data, uint64_t bytes,
                               VisaError *error)
{
    uint32_t grf_bytes;

    return visa_is_program(data, bytes) ?
               visa_program_read(data, bytes, &grf_bytes, error) :
               visa_object_read(data, bytes, error);
}

static bool list_file(const Options *o)
{
    const char *path = o->files ? o->files[0] : NULL;
    VisaError error = { 0 };
    uint64_t bytes;
    g_autofree uint8_t *data = vt_read(path, &bytes);
    g_autofree char *text = NULL;
    VisaObject *object;

    if (!data) {
        return false;
    }
    object = read_object(data, bytes, &error);
    if (!object) {
        return vt_show(&error, path, NULL);
    }
    text = visa_disassemble(object);
    visa_object_free(object);
    return vt_write(o->output, text, strlen(text));
}

static bool answer(const Options *o)
{
    return o->hex ? vt_answer(o->declarations, 32, visa_hex_disassemble) :
                    list_file(o);
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

    g_set_prgname("veu-dis");
    if (parse_options(&o, &argc, &argv)) {
        status = answer(&o) ? 0 : 1;
    }
    free_options(&o);
    return status;
}
