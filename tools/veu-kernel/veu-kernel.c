/*
 * veu-kernel: packs compiled kernels for guests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/kernel/kernel.h"
#include "tools/lib/file.h"
#include "tools/lib/options.h"

static const char summary[] =
    "Packs a kernel of a zebin, a file that Intel's compiler writes, into a\n"
    ".veuk: a file that a guest launches without a parser. KERNEL may be left\n"
    "out where the zebin has one kernel. The manual page veu-kernel(1) has\n"
    "examples.";

typedef struct Options {
    char *output;
    char **words; /* pack ZEBIN [KERNEL] */
} Options;

static bool check_options(const Options *o)
{
    unsigned count = o->words ? g_strv_length(o->words) : 0;

    if (!count) {
        return tool_error("write veu-kernel pack ZEBIN KERNEL; see veu-kernel "
                          "--help");
    }
    if (strcmp(o->words[0], "pack")) {
        return tool_error("invalid command '%s': write pack", o->words[0]);
    }
    if (count < 2) {
        return tool_error("name a zebin: veu-run --compile FILE.cl makes one");
    }
    return count <= 3 || tool_error("'%s': too many arguments", o->words[3]);
}

static bool parse_options(Options *o, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
          "Write to a file [standard output]", "FILE" },
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->words,
          NULL, "pack ZEBIN [KERNEL]" },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(context, summary);
    return tool_parse_options(context, entries, argc, argv) && check_options(o);
}

static VeuZebin *read_zebin(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *why = NULL;
    g_autofree uint8_t *data = NULL;
    VeuZebin *zebin;
    uint64_t bytes;

    data = file_read(path, VEU_ZEBIN_MAX_BYTES, &bytes, &why);
    if (!data) {
        tool_error("%s: %s", path, why);
        return NULL;
    }
    zebin = veu_zebin_new(data, bytes, &error);
    if (!zebin) {
        tool_error("%s: %s", path, error->message);
    }
    return zebin;
}

/* The kernel that is named, or the only one. */
static const VeuKernel *choose(const VeuZebin *zebin, const char *name,
                               GError **error)
{
    const GArray *kernels = veu_zebin_kernels(zebin);

    return !name && kernels->len == 1 ?
               &g_array_index(kernels, VeuKernel, 0) :
               veu_zebin_kernel(zebin, name ? name : "without a name", error);
}

static bool write_packed(const Options *o, const GByteArray *packed)
{
    g_autofree char *why = NULL;

    return file_write(o->output, packed->data, packed->len, &why) ||
           tool_error("cannot write %s: %s",
                      o->output ? o->output : "standard output", why);
}

static bool pack(const Options *o)
{
    g_autoptr(GError) error = NULL;
    VeuZebin *zebin = read_zebin(o->words[1]);
    const VeuKernel *kernel;
    GByteArray *packed = NULL;
    bool good = false;

    if (!zebin) {
        return false;
    }
    kernel = choose(zebin, o->words[2], &error);
    if (kernel) {
        packed = veu_kernel_pack(zebin, kernel, &error);
    }
    if (packed) {
        good = write_packed(o, packed);
        g_byte_array_unref(packed);
    } else {
        tool_error("%s: %s", o->words[1], error->message);
    }
    veu_zebin_free(zebin);
    return good;
}

int main(int argc, char **argv)
{
    Options o = { 0 };
    int status = 2;

    g_set_prgname("veu-kernel");
    if (parse_options(&o, &argc, &argv)) {
        status = pack(&o) ? 0 : 1;
    }
    g_free(o.output);
    g_strfreev(o.words);
    return status;
}
