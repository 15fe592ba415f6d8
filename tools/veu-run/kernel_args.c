/*
 * veu-run: the arguments of a kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * b:BYTES:PATTERN is a buffer, l:BYTES local memory, i:, u64:, f: and d: are
 * numbers; kernel_image.c has img: and smp:. Random patterns of all buffers
 * come from one generator.
 */
#include <errno.h>
#include <string.h>
#include "tools/lib/number.h"
#include "tools/veu-run/kernel.h"

#define ARGUMENTS                                                       \
    "write b:BYTES:PATTERN, l:BYTES, i:INT, u64:N, f:FLOAT, d:DOUBLE, " \
    "img:WxH:FORMAT:PATTERN or smp:ADDRESSING"

/* --- Patterns ------------------------------------------------------------ */

static uint32_t next_random(RunReader *r)
{
    r->seed = r->seed * 1664525 + 1013904223;
    return r->seed;
}

static void fill_zero(RunReader *r, uint8_t *to, uint64_t bytes)
{
}

static void fill_index(RunReader *r, uint8_t *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes / 4; i++) {
        uint32_t value = i;

        memcpy(to + i * 4, &value, sizeof(value));
    }
}

static void fill_index_float(RunReader *r, uint8_t *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes / 4; i++) {
        float value = (float)i;

        memcpy(to + i * 4, &value, sizeof(value));
    }
}

static void fill_random(RunReader *r, uint8_t *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        to[i] = next_random(r) >> 24;
    }
}

/* From 0 to 1. */
static void fill_random_float(RunReader *r, uint8_t *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes / 4; i++) {
        float value = (next_random(r) >> 8) * (1.0f / 16777216);

        memcpy(to + i * 4, &value, sizeof(value));
    }
}

static const struct {
    const char *name;
    void (*fill)(RunReader *r, uint8_t *to, uint64_t bytes);
} patterns[] = {
    { "0", fill_zero },
    { "idx", fill_index },
    { "idxf", fill_index_float },
    { "rand", fill_random },
    { "randf", fill_random_float },
};

/* --- Arguments ----------------------------------------------------------- */

bool run_kernel_bad(const RunReader *r, const char *what)
{
    const VeuKernel *k = r->k->kernel;
    const VeuKernelArg *arg = &g_array_index(k->args, VeuKernelArg, r->index);
    g_autofree char *type = arg->type ?
                                g_strdup_printf(" (%s %s)", arg->type,
                                                arg->name ? arg->name : "") :
                                g_strdup("");

    return tool_error("argument %u of %s%s: %s: %s", r->index, k->name, type,
                      r->text, what);
}

static bool take_bytes(const RunReader *r, const char *text, uint64_t *bytes)
{
    return (number_parse(text, bytes) && *bytes && *bytes <= RUN_MAX_BYTES) ||
           run_kernel_bad(r, "a size is 1 byte to 1G");
}

bool run_kernel_fill(RunReader *r, const char *pattern, uint8_t *to,
                     uint64_t bytes)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(patterns); i++) {
        if (!strcmp(patterns[i].name, pattern)) {
            patterns[i].fill(r, to, bytes);
            return true;
        }
    }
    return false;
}

static bool add_buffer(RunReader *r, uint64_t bytes, const char *pattern)
{
    RunBuffer buffer = {
        .bytes = bytes,
        .slice_bytes = bytes,
        .step_bytes = bytes,
        .initial = g_try_malloc0(bytes),
    };
    VeuKernelValue value = { .bytes = bytes };

    if (!buffer.initial) {
        return run_kernel_bad(r, "the host is out of memory");
    }
    buffer.address = run_memory_add_own(&r->k->run->memory, bytes);
    value.address = buffer.address;
    g_array_append_val(r->k->buffers, buffer);
    g_array_append_val(r->k->values, value);
    return buffer.address &&
           (run_kernel_fill(r, pattern, buffer.initial, bytes) ||
            run_kernel_bad(r, "a pattern is 0, idx, idxf, rand or randf"));
}

static bool read_buffer(RunReader *r, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    uint64_t bytes;

    if (g_strv_length(parts) != 2) {
        return run_kernel_bad(r, "write b:BYTES:PATTERN");
    }
    return take_bytes(r, parts[0], &bytes) && add_buffer(r, bytes, parts[1]);
}

static bool read_local(RunReader *r, const char *text)
{
    VeuKernelValue value = { 0 };

    if (!take_bytes(r, text, &value.bytes)) {
        return false;
    }
    g_array_append_val(r->k->values, value);
    return true;
}

static bool add_value(RunReader *r, const void *from, uint32_t bytes)
{
    VeuKernelValue value = { .bytes = bytes, .data = g_memdup2(from, bytes) };

    g_ptr_array_add(r->k->bytes, (void *)value.data);
    g_array_append_val(r->k->values, value);
    return true;
}

/* Integers as in C: decimal, hexadecimal, octal. */
static bool read_int(RunReader *r, const char *text)
{
    char *end;
    gint64 value;
    uint32_t bits;

    errno = 0;
    value = g_ascii_strtoll(text, &end, 0);
    if (errno || end == text || *end || value < INT32_MIN ||
        value > UINT32_MAX) {
        return run_kernel_bad(r, "write an integer of 32 bits");
    }
    bits = value;
    return add_value(r, &bits, sizeof(bits));
}

static bool read_u64(RunReader *r, const char *text)
{
    char *end;
    guint64 value;

    errno = 0;
    value = g_ascii_strtoull(text, &end, 0);
    if (errno || end == text || *end) {
        return run_kernel_bad(r, "write an integer of 64 bits");
    }
    return add_value(r, &value, sizeof(value));
}

static bool read_double(const RunReader *r, const char *text, double *value)
{
    char *end;

    *value = g_ascii_strtod(text, &end);
    return (end != text && !*end) || run_kernel_bad(r, "write a number");
}

static bool read_f(RunReader *r, const char *text)
{
    double value;
    float single;

    if (!read_double(r, text, &value)) {
        return false;
    }
    single = value;
    return add_value(r, &single, sizeof(single));
}

static bool read_d(RunReader *r, const char *text)
{
    double value;

    return read_double(r, text, &value) && add_value(r, &value, sizeof(value));
}

static const struct {
    const char *prefix;
    VeuKernelArgKind kind;
    bool (*read)(RunReader *r, const char *text);
} forms[] = {
    { "b:", VEU_KERNEL_ARG_BUFFER, read_buffer },
    { "l:", VEU_KERNEL_ARG_LOCAL, read_local },
    { "i:", VEU_KERNEL_ARG_VALUE, read_int },
    { "u64:", VEU_KERNEL_ARG_VALUE, read_u64 },
    { "f:", VEU_KERNEL_ARG_VALUE, read_f },
    { "d:", VEU_KERNEL_ARG_VALUE, read_d },
    { "img:", VEU_KERNEL_ARG_IMAGE, run_kernel_read_image },
    { "smp:", VEU_KERNEL_ARG_SAMPLER, run_kernel_read_sampler },
};

static const char *const image_forms[] = {
    [VEU_KERNEL_IMAGE_UNKNOWN] = "(no form)",
    [VEU_KERNEL_IMAGE_1D] = "img:W:FORMAT:PATTERN",
    [VEU_KERNEL_IMAGE_1D_ARRAY] = "img:WxN:FORMAT:PATTERN",
    [VEU_KERNEL_IMAGE_1D_BUFFER] = "img:W:FORMAT:PATTERN",
    [VEU_KERNEL_IMAGE_2D] = "img:WxH:FORMAT:PATTERN",
    [VEU_KERNEL_IMAGE_2D_ARRAY] = "img:WxHxN:FORMAT:PATTERN",
    [VEU_KERNEL_IMAGE_3D] = "img:WxHxD:FORMAT:PATTERN",
};

static bool is_integer(const char *type)
{
    static const char *const names[] = { "bool", "char",  "int",
                                         "long", "short", "uchar",
                                         "uint", "ulong", "ushort" };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!strcmp(type, names[i])) {
            return true;
        }
    }
    return false;
}

/* The form in which users write an argument. */
static const char *form_of(const VeuKernelArg *arg)
{
    const char *type = arg->type ? arg->type : "";

    switch (arg->kind) {
    case VEU_KERNEL_ARG_BUFFER:
        return "b:BYTES:PATTERN";
    case VEU_KERNEL_ARG_LOCAL:
        return "l:BYTES";
    case VEU_KERNEL_ARG_IMAGE:
        return image_forms[arg->image_type];
    case VEU_KERNEL_ARG_SAMPLER:
        return "smp:ADDRESSING";
    case VEU_KERNEL_ARG_VALUE:
        return !strcmp(type, "float")  ? "f:FLOAT" :
               !strcmp(type, "double") ? "d:DOUBLE" :
               arg->bytes > 8          ? "(no form of this size)" :
               arg->bytes > 4          ? "u64:N" :
                                         "i:INT";
    default:
        return "i:0";
    }
}

static const VeuKernelArg *arg_of(const RunReader *r)
{
    return &g_array_index(r->k->kernel->args, VeuKernelArg, r->index);
}

/* Checks types that have only one form; i: and u64: serve the others. */
static bool check_type(const RunReader *r, const char *prefix)
{
    static const struct {
        const char *type;
        const char *prefix;
    } reals[] = { { "float", "f:" }, { "double", "d:" } };
    const char *type = arg_of(r)->type ? arg_of(r)->type : "";
    g_autofree char *what = g_strdup_printf("write %s", form_of(arg_of(r)));

    for (unsigned i = 0; i < G_N_ELEMENTS(reals); i++) {
        bool is_real = !strcmp(type, reals[i].type);
        bool is_form = !strcmp(prefix, reals[i].prefix);

        if (is_real != is_form && (is_real || is_integer(type))) {
            return run_kernel_bad(r, what);
        }
    }
    return true;
}

static bool check_kind(const RunReader *r, VeuKernelArgKind kind)
{
    g_autofree char *what = g_strdup_printf("write %s", form_of(arg_of(r)));

    return arg_of(r)->kind == kind ||
           arg_of(r)->kind == VEU_KERNEL_ARG_UNUSED || run_kernel_bad(r, what);
}

static bool check_size(const RunReader *r)
{
    const VeuKernelArg *arg = arg_of(r);
    const VeuKernelValue *value = &g_array_index(r->k->values, VeuKernelValue,
                                                 r->index);
    /* i: also serves numbers of 8 and 16 bits. */
    bool good = value->bytes == sizeof(uint32_t) ?
                    arg->bytes <= sizeof(uint32_t) :
                    value->bytes == arg->bytes;
    g_autofree char *what =
        arg->bytes > 8 ?
            g_strdup_printf("it has %u bytes, and numbers have 8 at most",
                            arg->bytes) :
            g_strdup_printf("it has %u bytes: write %s", arg->bytes,
                            form_of(arg));

    return arg->kind != VEU_KERNEL_ARG_VALUE || good || run_kernel_bad(r, what);
}

static bool read_argument(RunReader *r)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (g_str_has_prefix(r->text, forms[i].prefix)) {
            return check_kind(r, forms[i].kind) &&
                   check_type(r, forms[i].prefix) &&
                   forms[i].read(r, r->text + strlen(forms[i].prefix)) &&
                   check_size(r);
        }
    }
    return run_kernel_bad(r, ARGUMENTS);
}

char *run_kernel_usage(const VeuKernel *kernel)
{
    GString *out = g_string_new(NULL);

    for (unsigned i = 0; i < kernel->args->len; i++) {
        g_string_append_printf(out, "%s%s", i ? " " : "",
                               form_of(&g_array_index(kernel->args,
                                                      VeuKernelArg, i)));
    }
    return g_string_free(out, FALSE);
}

bool run_kernel_args(RunKernel *k, char **args)
{
    RunReader r = { .k = k, .seed = 12345 };
    g_autofree char *usage = run_kernel_usage(k->kernel);

    if (g_strv_length(args) != k->kernel->args->len) {
        return tool_error("kernel %s has %u arguments, not %u: %s",
                          k->kernel->name, k->kernel->args->len,
                          g_strv_length(args), usage);
    }
    for (; args[r.index]; r.index++) {
        r.text = args[r.index];
        if (!read_argument(&r)) {
            return false;
        }
    }
    return true;
}

/* --- Sizes --------------------------------------------------------------- */

bool run_kernel_sizes(const char *option, const char *text, uint32_t sizes[3],
                      unsigned *dimensions)
{
    g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", -1);
    unsigned count = g_strv_length(parts);
    uint64_t number = 0;

    for (unsigned i = 0; i < 3; i++) {
        sizes[i] = 1;
    }
    for (unsigned i = 0; i < MIN(count, 3); i++) {
        if (!number_parse(parts[i], &number) || !number ||
            number > UINT32_MAX) {
            count = 0;
        } else {
            sizes[i] = number;
        }
    }
    if (count < 1 || count > 3) {
        return tool_error("--%s%s%s: write X, X,Y or X,Y,Z: work-items in each "
                          "dimension, 1 or more",
                          option, text ? " " : " is missing", text ? text : "");
    }
    *dimensions = count;
    return true;
}
