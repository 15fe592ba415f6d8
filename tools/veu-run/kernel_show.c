/*
 * veu-run: the kernels of a file, and the results of one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/capture/hash.h"
#include "tools/veu-run/kernel.h"

static const char *const kinds[] = {
    [VEU_KERNEL_ARG_UNUSED] = "unused", [VEU_KERNEL_ARG_VALUE] = "value",
    [VEU_KERNEL_ARG_BUFFER] = "buffer", [VEU_KERNEL_ARG_LOCAL] = "local",
    [VEU_KERNEL_ARG_IMAGE] = "image",   [VEU_KERNEL_ARG_SAMPLER] = "sampler",
};

/* --- A list -------------------------------------------------------------- */

static void list_arg_json(Json *json, const VeuKernelArg *arg)
{
    json_row(json, NULL);
    json_string(json, "name", arg->name ? arg->name : "");
    json_string(json, "type", arg->type ? arg->type : "");
    json_string(json, "kind", kinds[arg->kind]);
    json_uint(json, "bytes", arg->bytes);
    json_end(json);
}

/*
 * Returns the program that `program=` of --capture-rules names by its hash, or
 * NULL if it depends on where its data is placed.
 */
static GByteArray *fixed_program(const VeuKernel *k)
{
    return veu_zebin_sections(k->zebin)->len || k->refused ?
               NULL :
               veu_kernel_program(k, false, NULL);
}

static void list_kernel_json(Json *json, const VeuKernel *k)
{
    g_autoptr(GByteArray) program = fixed_program(k);

    json_object(json, NULL);
    json_string(json, "name", k->name);
    json_uint(json, "simd", k->simd);
    json_uint(json, "slm_bytes", k->slm_bytes);
    json_uint(json, "private_bytes", k->private_bytes);
    json_uint(json, "scratch_bytes", k->scratch_bytes);
    if (k->required_local[0]) {
        json_list(json, "local");
        for (unsigned i = 0; i < 3; i++) {
            json_uint(json, NULL, k->required_local[i]);
        }
        json_end(json);
    }
    if (k->refused) {
        json_string(json, "refused", k->refused);
    }
    if (program) {
        run_program_hash_json(json, program->data, program->len);
    }
    json_array(json, "arguments");
    for (unsigned i = 0; i < k->args->len; i++) {
        list_arg_json(json, &g_array_index(k->args, VeuKernelArg, i));
    }
    json_end(json);
    json_end(json);
}

static void list_json(const GArray *kernels)
{
    g_autofree char *text = NULL;
    Json json;

    json_init(&json);
    json_object(&json, NULL);
    json_array(&json, "kernels");
    for (unsigned i = 0; i < kernels->len; i++) {
        const VeuKernel *k = &g_array_index(kernels, VeuKernel, i);

        if (veu_kernel_can_run(k)) {
            list_kernel_json(&json, k);
        }
    }
    json_end(&json);
    json_end(&json);
    text = json_finish(&json);
    fputs(text, stdout);
}

static void list_arg(const VeuKernelArg *arg, unsigned i)
{
    g_autofree char *type = printable(arg->type ? arg->type : "?", "");
    g_autofree char *name = printable(arg->name ? arg->name : "?", "");

    printf("  %u  %s %s: %s\n", i, type, name, kinds[arg->kind]);
}

static void list_kernel(const VeuKernel *k)
{
    g_autofree char *usage = run_kernel_usage(k);
    g_autofree char *name = printable(k->name, "");
    g_autoptr(GByteArray) program = fixed_program(k);

    printf("%s: SIMD%u", name, k->simd);
    if (k->required_local[0]) {
        printf(", --local %u,%u,%u", k->required_local[0], k->required_local[1],
               k->required_local[2]);
    }
    if (k->refused) {
        printf(", cannot run: %s", k->refused);
    }
    if (program) {
        printf(", hash 0x%016" PRIx64,
               veu_capture_hash(program->data, program->len));
    }
    printf("\n");
    for (unsigned i = 0; i < k->args->len; i++) {
        list_arg(&g_array_index(k->args, VeuKernelArg, i), i);
    }
    printf("  %s %s\n", name, usage);
}

void run_kernel_list(const VeuZebin *zebin, bool as_json)
{
    const GArray *kernels = veu_zebin_kernels(zebin);

    if (as_json) {
        list_json(kernels);
        return;
    }
    for (unsigned i = 0; i < kernels->len; i++) {
        const VeuKernel *k = &g_array_index(kernels, VeuKernel, i);

        if (veu_kernel_can_run(k)) {
            list_kernel(k);
        }
    }
}

/* --- Results ------------------------------------------------------------- */

static const RunBuffer *buffer_at(const RunKernel *k, unsigned i)
{
    return &g_array_index(k->buffers, RunBuffer, i);
}

/* Its slices without gaps; free with g_free(). */
static uint8_t *content_of(const RunKernel *k, const RunBuffer *buffer)
{
    const uint8_t *from =
        run_memory_find(&k->run->memory, buffer->address)->data;
    uint8_t *content = g_malloc(buffer->bytes);

    for (uint64_t n = 0; n < buffer->bytes / buffer->slice_bytes; n++) {
        memcpy(content + n * buffer->slice_bytes, from + n * buffer->step_bytes,
               buffer->slice_bytes);
    }
    return content;
}

/* 64-bit FNV-1a hash. */
static uint64_t hash_of(const RunKernel *k, const RunBuffer *buffer)
{
    g_autofree uint8_t *bytes = content_of(k, buffer);
    uint64_t hash = UINT64_C(1469598103934665603);

    for (uint64_t i = 0; i < buffer->bytes; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

bool run_kernel_dump(const RunKernel *k, const char *prefix)
{
    for (unsigned i = 0; i < k->buffers->len; i++) {
        const RunBuffer *buffer = buffer_at(k, i);
        g_autofree char *path = g_strdup_printf("%s.%u.out", prefix, i);
        g_autofree uint8_t *content = content_of(k, buffer);

        if (!run_file_write(path, content, buffer->bytes)) {
            return false;
        }
    }
    return true;
}

static double items(const RunKernel *k)
{
    const uint32_t *global = k->range.global;

    return (double)global[0] * global[1] * global[2];
}

static void show_json(RunKernel *k)
{
    Json *json = &k->run->json;

    json_string(json, "kernel", k->kernel->name);
    json_uint(json, "program_bytes", k->program->len);
    json_uint(json, "register_bytes", k->run->program.declared->register_bytes);
    json_uint(json, "slots", k->slots);
    if (k->kernel->uses_printf) {
        json_string(json, "printf", k->printed->str);
        json_uint(json, "printf_is_cut", k->printf_is_cut);
    }
    json_array(json, "buffers");
    for (unsigned i = 0; i < k->buffers->len; i++) {
        g_autofree char *hash = g_strdup_printf("%016" PRIx64,
                                                hash_of(k, buffer_at(k, i)));

        json_row(json, NULL);
        json_uint(json, "bytes", buffer_at(k, i)->bytes);
        json_string(json, "fnv1a", hash);
        json_end(json);
    }
    json_end(json);
    if (k->run->options.time) {
        json_double(json, "build_us", k->times.build_us);
        json_double(json, "first_us", k->times.first_us);
        json_double(json, "best_us", k->times.best_us);
        json_double(json, "best_ns_per_item",
                    k->times.best_us * 1000 / items(k));
    }
}

/* Shows what the kernel has printed, before the line of results. */
static void show_printed(const RunKernel *k)
{
    fwrite(k->printed->str, 1, k->printed->len, stdout);
    if (k->printf_is_cut) {
        fflush(stdout);
        fprintf(stderr, "veu-run: the kernel prints more than fits into the "
                        "buffer of printf(), or damages it\n");
    }
}

static void show_text(const RunKernel *k)
{
    show_printed(k);
    printf("%s", k->kernel->name);
    if (k->run->options.time) {
        printf(" build %.1f ms first %.0f us best %.1f us per work-item %.3f "
               "ns",
               k->times.build_us / 1000, k->times.first_us, k->times.best_us,
               k->times.best_us * 1000 / items(k));
    }
    for (unsigned i = 0; i < k->buffers->len; i++) {
        printf(" %u:%016" PRIx64, i, hash_of(k, buffer_at(k, i)));
    }
    printf("\n");
}

void run_kernel_show(RunKernel *k)
{
    if (k->run->options.json) {
        show_json(k);
    } else {
        show_text(k);
    }
}
