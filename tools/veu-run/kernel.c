/*
 * veu-run: runs a compiled kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/lib/number.h"
#include "tools/veu-run/kernel.h"

/* The start of veu-run's memory for kernels: above 4 GiB. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)

static void clear_buffer(void *opaque)
{
    g_free(((RunBuffer *)opaque)->initial);
}

static void init_kernel(RunKernel *k, Run *run)
{
    *k = (RunKernel){
        .run = run,
        .values = g_array_new(FALSE, TRUE, sizeof(VeuKernelValue)),
        .bytes = g_ptr_array_new_with_free_func(g_free),
        .buffers = g_array_new(FALSE, TRUE, sizeof(RunBuffer)),
        .printed = g_string_new(NULL),
        .repeat = 1,
    };
    g_array_set_clear_func(k->buffers, clear_buffer);
    run->memory.next_own = FIRST_ADDRESS;
}

static void free_kernel(RunKernel *k)
{
    veu_zebin_free(k->zebin);
    g_array_unref(k->values);
    g_ptr_array_unref(k->bytes);
    g_array_unref(k->buffers);
    g_string_free(k->printed, TRUE);
    if (k->program) {
        g_byte_array_unref(k->program);
    }
    if (k->launches) {
        g_array_unref(k->launches);
    }
}

static bool fail(const char *path, GError *error)
{
    tool_error("%s: %s", path, error->message);
    g_error_free(error);
    return false;
}

static bool load_zebin(RunKernel *k)
{
    const char *path = k->run->options.kernel;
    RunBytes content = { 0 };
    GError *error = NULL;

    if (!run_file_read(path, VEU_ZEBIN_MAX_BYTES, "--kernel ", path,
                       "name a zebin: veu-run --compile FILE.cl makes one",
                       &content)) {
        return false;
    }
    k->zebin = veu_zebin_new(content.data, content.bytes, &error);
    g_free(content.data);
    return k->zebin || fail(path, error);
}

static bool choose_kernel(RunKernel *k)
{
    const RunOptions *o = &k->run->options;
    GError *error = NULL;

    if (!o->files) {
        return tool_error(
            "name the kernel: veu-run --kernel %s NAME --global X "
            "--local X ARG...; --list lists them",
            o->kernel);
    }
    k->kernel = veu_zebin_kernel(k->zebin, o->files[0], &error);
    return k->kernel || fail(o->kernel, error);
}

static bool take_repeat(RunKernel *k)
{
    const char *text = k->run->options.repeat;

    return !text || (number_parse(text, &k->repeat) && k->repeat) ||
           tool_error("--repeat %s: write a number of runs, 1 or more", text);
}

static bool take_budget(RunKernel *k)
{
    const char *text = k->run->options.budget;
    uint64_t budget = 0;

    if (text && (!number_parse(text, &budget) || budget > UINT32_MAX)) {
        return tool_error("--budget %s: write a number below 2^32", text);
    }
    k->run->numbers.budget = budget;
    return true;
}

static bool take_sizes(RunKernel *k)
{
    const RunOptions *o = &k->run->options;
    VeuKernelRange *r = &k->range;
    unsigned local;

    if (!run_kernel_sizes("global", o->global, r->global, &r->dimensions) ||
        !run_kernel_sizes("local", o->local, r->local, &local)) {
        return false;
    }
    return local <= r->dimensions ||
           tool_error("--global %s and --local %s: --local cannot have more "
                      "dimensions than --global",
                      o->global, o->local);
}

static bool take_arguments(RunKernel *k)
{
    GError *error = NULL;

    if (!take_sizes(k) || !take_repeat(k) || !take_budget(k) ||
        !run_kernel_args(k, k->run->options.files + 1)) {
        return false;
    }
    k->range.values = (const VeuKernelValue *)k->values->data;
    return veu_kernel_check(k->kernel, &k->range, &error) ||
           fail(k->run->options.kernel, error);
}

/* Buffers, sizes and results are those of the kernel. */
#define BY_ARGUMENTS "the kernel's arguments describe its memory"
#define BY_SIZES     "the kernel, --global and --local determine it"
#define BY_DUMP      "--dump writes the kernel's buffers"

static const char *first(char **list)
{
    return list ? list[0] : NULL;
}

/* Options that describe a program must not seem to affect a kernel. */
static bool check_options(const RunOptions *o)
{
    const struct {
        const char *option;
        const char *value; /* NULL: not given */
        const char *why;
    } refused[] = {
        { "message", o->message, "--kernel runs a compiled kernel" },
        { "var", first(o->vars), BY_ARGUMENTS },
        { "memory", first(o->memory), BY_ARGUMENTS },
        { "map", first(o->maps),
          "--kernel maps its buffers itself with --page-table" },
        { "surface", first(o->surfaces), BY_ARGUMENTS },
        { "set", first(o->sets), BY_ARGUMENTS },
        { "payload", o->payload, BY_ARGUMENTS },
        { "payload-stride", o->payload_stride, BY_ARGUMENTS },
        { "stateless", o->stateless, BY_ARGUMENTS },
        { "slm", o->slm, "an argument l:BYTES is shared local memory" },
        { "exec-mask", o->exec_mask, BY_SIZES },
        { "simd", o->simd, BY_SIZES },
        { "grf", o->grf, BY_SIZES },
        { "threads", o->threads, BY_SIZES },
        { "groups", o->groups, BY_SIZES },
        { "show", first(o->shows), BY_DUMP },
        { "save", first(o->saves), BY_DUMP },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(refused); i++) {
        if (refused[i].value) {
            return tool_error("--%s %s: omit it: %s", refused[i].option,
                              refused[i].value, refused[i].why);
        }
    }
    return true;
}

static bool prepare(RunKernel *k, gint64 start)
{
    if (!check_options(&k->run->options) ||
        !run_options_numbers(&k->run->options, &k->run->numbers,
                             &k->run->launch) ||
        !run_inject_parse(k->run->options.fault_inject, &k->run->rules) ||
        !choose_kernel(k) || !take_arguments(k) || !run_kernel_place(k)) {
        return false;
    }
    k->times.build_us = g_get_monotonic_time() - start;
    return true;
}

static int perform(RunKernel *k)
{
    const char *prefix = k->run->options.dump;
    bool good;

    run_trace_begin(k->run);
    good = run_kernel_perform(k);
    good = run_tell(k->run, good) && good;
    if (!good) {
        return RUN_ERROR;
    }
    if (k->run->fault_count || k->run->hangs) {
        return RUN_FAULT;
    }
    return !prefix || run_kernel_dump(k, prefix) ? RUN_OK : RUN_ERROR;
}

int run_kernel(Run *run)
{
    gint64 start = g_get_monotonic_time();
    RunKernel k;
    int status = RUN_ERROR;

    init_kernel(&k, run);
    run->kernel = &k;
    if (load_zebin(&k)) {
        if (run->options.list) {
            run_kernel_list(k.zebin, run->options.json);
            status = RUN_OK;
        } else if (prepare(&k, start)) {
            status = perform(&k);
        }
    }
    free_kernel(&k);
    return status;
}
