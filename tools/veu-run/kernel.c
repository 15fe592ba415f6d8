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

/* Only arguments may have buffers. */
static bool check_maps(const RunOptions *o)
{
    return !o->maps ||
           tool_error("--map %s: omit it: --kernel maps its buffers "
                      "itself with --page-table",
                      o->maps[0]);
}

static bool prepare(RunKernel *k, gint64 start)
{
    if (!check_maps(&k->run->options) ||
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
