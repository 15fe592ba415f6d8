/*
 * veu-format: surface formats and tilings of the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <locale.h>
#include <stdio.h>
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-format/veu-format.h"

typedef enum FormatArgument {
    FORMAT_NONE,
    FORMAT_NEEDED,
    FORMAT_MAY_BE,
} FormatArgument;

typedef struct Command {
    const char *name;
    int (*run)(const FmtOptions *options);
    FormatArgument format;
    const char *options; /* accepted options, each between blanks */
} Command;

static const Command commands[] = {
    { "list", fmt_list, FORMAT_NONE, " json " },
    { "pack", fmt_pack, FORMAT_NEEDED, " type channels onto " },
    { "unpack", fmt_unpack, FORMAT_NEEDED, " type channels " },
    { "tile", fmt_tile, FORMAT_MAY_BE, " tiling width height bpp pitch " },
    { "untile", fmt_untile, FORMAT_MAY_BE, " tiling width height bpp pitch " },
};

bool fmt_number(const char *option, const char *text, uint32_t *value)
{
    uint64_t number;

    if (!text) {
        return tool_error("%s is missing", option);
    }
    if (!number_parse(text, &number) || number > UINT32_MAX) {
        return tool_error("%s %s: write a number", option, text);
    }
    *value = number;
    return true;
}

static const Command *find_command(const char *name)
{
    for (unsigned i = 0; name && i < G_N_ELEMENTS(commands); i++) {
        if (g_str_equal(name, commands[i].name)) {
            return &commands[i];
        }
    }
    if (name) {
        tool_error("no command is named '%s'; see veu-format --help", name);
    } else {
        tool_error("write list, pack, unpack, tile or untile; see veu-format "
                   "--help");
    }
    return NULL;
}

/* An option that the command does not take is an error. */
static bool check_options(const Command *c, const GOptionEntry *entries)
{
    for (; entries->long_name; entries++) {
        bool given = entries->arg == G_OPTION_ARG_NONE ?
                         *(gboolean *)entries->arg_data :
                         *(char **)entries->arg_data != NULL;
        g_autofree char *word = g_strdup_printf(" %s ", entries->long_name);

        if (given && !g_strstr_len(c->options, -1, word)) {
            return tool_error("%s does not take --%s", c->name,
                              entries->long_name);
        }
    }
    return true;
}

static bool find_format(const Command *c, const char *name, FmtOptions *o)
{
    if (!name) {
        return c->format != FORMAT_NEEDED ||
               tool_error("%s: FORMAT is missing; veu-format list prints them",
                          c->name);
    }
    if (c->format == FORMAT_NONE) {
        return tool_error("%s does not take '%s'", c->name, name);
    }
    o->format = format_by_name(name);
    return o->format || tool_error("no format is named '%s'; veu-format list "
                                   "prints them",
                                   name);
}

static int run(FmtOptions *o, const GOptionEntry *entries, int argc,
               char **argv)
{
    const Command *c = find_command(argc > 1 ? argv[1] : NULL);

    if (!c || !check_options(c, entries) ||
        !find_format(c, argc > 2 ? argv[2] : NULL, o)) {
        return FMT_USAGE;
    }
    if (argc > 3) {
        tool_error("%s does not take '%s'", c->name, argv[3]);
        return FMT_USAGE;
    }
    return c->run(o);
}

static bool parse(const GOptionEntry *entries, int *argc, char ***argv)
{
    GOptionContext *context = g_option_context_new("COMMAND [FORMAT]");

    g_option_context_set_summary(
        context,
        "Surface formats and tilings, as the veu device has them.\n\n"
        "  list            Print the formats\n"
        "  pack FORMAT     Words of registers to texels\n"
        "  unpack FORMAT   Texels to words of registers\n"
        "  tile [FORMAT]   A linear image to a tiled one\n"
        "  untile [FORMAT] A tiled image to a linear one\n\n"
        "All but list read standard input and write standard output. FORMAT "
        "is a name,\nas R8G8B8A8_UNORM, or a code, as 0x0c7.");
    return tool_parse_options(context, entries, argc, argv);
}

int main(int argc, char **argv)
{
    FmtOptions o = { 0 };
    const GOptionEntry entries[] = {
        { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, "list: print JSON", NULL },
        { "type", 0, 0, G_OPTION_ARG_STRING, &o.type,
          "pack, unpack: the words are f, d or ud", "TYPE" },
        { "channels", 0, 0, G_OPTION_ARG_STRING, &o.channels,
          "pack, unpack: these only, as RG", "RGBA" },
        { "onto", 0, 0, G_OPTION_ARG_FILENAME, &o.onto,
          "pack: change the texels of a file, not zeroes", "FILE" },
        { "tiling", 0, 0, G_OPTION_ARG_STRING, &o.tiling,
          "tile, untile: x, y or tile4", "TILING" },
        { "width", 0, 0, G_OPTION_ARG_STRING, &o.width,
          "tile, untile: texels in a row", "N" },
        { "height", 0, 0, G_OPTION_ARG_STRING, &o.height, "tile, untile: rows",
          "N" },
        { "bpp", 0, 0, G_OPTION_ARG_STRING, &o.bpp,
          "tile, untile: bits of a texel, without a FORMAT", "N" },
        { "pitch", 0, 0, G_OPTION_ARG_STRING, &o.pitch,
          "tile, untile: bytes of a row of the tiled image", "N" },
        { 0 }
    };
    int status = FMT_USAGE;

    setlocale(LC_CTYPE, "");
    g_set_prgname("veu-format");
    if (parse(entries, &argc, &argv)) {
        status = run(&o, entries, argc, argv);
    }
    g_free(o.type);
    g_free(o.channels);
    g_free(o.onto);
    g_free(o.tiling);
    g_free(o.width);
    g_free(o.height);
    g_free(o.bpp);
    g_free(o.pitch);
    return status;
}
