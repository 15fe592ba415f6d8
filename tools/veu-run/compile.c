/*
 * veu-run: calls the compiler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib/gstdio.h>
#include <string.h>
#include "tools/veu-run/kernel.h"

/* Options for zebins with vISA text: see docs/kernels.md. */
#define INTERNAL_OPTIONS \
    "-cl-intel-allow-zebin -cl-intel-emit-zebin-visa-sections"
#define DEFAULT_OPTIONS "-cl-std=CL2.0"

static const char *const devices[] = { "skl", "tgllp" };

static bool check_device(const char *device)
{
    for (unsigned i = 0; device && i < G_N_ELEMENTS(devices); i++) {
        if (!strcmp(device, devices[i])) {
            return true;
        }
    }
    return tool_error("--device%s%s: write skl or tgllp", device ? " " : "",
                      device ? device : " is missing");
}

/* k.cl becomes k.zebin, in the folder of the source. */
static char *output_path(const char *source)
{
    const char *dot = strrchr(source, '.');
    const char *slash = strrchr(source, '/');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - source) :
                                                     strlen(source);

    return g_strdup_printf("%.*s.zebin", (int)length, source);
}

/* Returns false with an error, and the compiler's output, if it fails. */
static bool call_ocloc(const RunOptions *o, const char *folder,
                       const char *source, const char *output)
{
    g_autofree char *given = o->files ? g_strjoinv(" ", o->files) : NULL;
    const char *const command[] = {
        "ocloc",
        "compile",
        "-file",
        source,
        "-device",
        o->device,
        "-output_no_suffix",
        "-output",
        output,
        "-options",
        given ? given : DEFAULT_OPTIONS,
        "-internal_options",
        INTERNAL_OPTIONS,
        NULL,
    };
    g_autoptr(GError) error = NULL;
    g_autofree char *said = NULL;
    int status = 0;

    if (!g_spawn_sync(folder, (char **)command, NULL, G_SPAWN_SEARCH_PATH, NULL,
                      NULL, &said, NULL, &status, &error)) {
        return tool_error("--compile: cannot run ocloc (%s): install the "
                          "package intel-opencl-icd",
                          error->message);
    }
    if (!g_spawn_check_wait_status(status, NULL)) {
        g_printerr("%s", said);
        return tool_error("--compile %s: ocloc failed", o->compile);
    }
    return true;
}

/*
 * The compiler leaves vISA text in its working folder, and SPIR-V beside its
 * output.
 */
static bool compile(const RunOptions *o, const char *output)
{
    g_autofree char *folder = g_dir_make_tmp("veu-run-XXXXXX", NULL);
    g_autofree char *source = g_canonicalize_filename(o->compile, NULL);
    g_autofree char *target = g_canonicalize_filename(output, NULL);
    g_autofree char *spirv = g_strdup_printf("%s.spv", target);
    g_autofree char *text = NULL;
    bool good;

    if (!folder) {
        return tool_error("--compile: cannot make a temporary folder");
    }
    text = g_build_filename(folder, "kernel.visaasm", NULL);
    good = call_ocloc(o, folder, source, target);
    g_remove(text);
    g_remove(spirv);
    g_rmdir(folder);
    return good;
}

int run_compile(const RunOptions *o)
{
    g_autofree char *output = output_path(o->compile);

    if (!check_device(o->device) || !compile(o, output)) {
        return RUN_ERROR;
    }
    printf("%s\n", output);
    return RUN_OK;
}
