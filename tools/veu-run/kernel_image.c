/*
 * veu-run: images and samplers of a kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * img:WxH[xD]:FORMAT:PATTERN is an image, smp:ADDRESSING[,linear][,normalized]
 * a sampler. Anything that is not a pattern is the name of a file with the
 * texels.
 */
#include <string.h>
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/kernel.h"

/* --- Images -------------------------------------------------------------- */

static const VeuKernelArg *arg_of(const RunReader *r)
{
    return &g_array_index(r->k->kernel->args, VeuKernelArg, r->index);
}

/* An image that the compiler removed has the type that its argument says. */
static VeuKernelImageType type_of(const RunReader *r, unsigned sizes)
{
    static const VeuKernelImageType types[] = { VEU_KERNEL_IMAGE_1D,
                                                VEU_KERNEL_IMAGE_2D,
                                                VEU_KERNEL_IMAGE_3D };

    return arg_of(r)->kind == VEU_KERNEL_ARG_IMAGE ? arg_of(r)->image_type :
                                                     types[sizes - 1];
}

/* The number of sizes that an image of this type has. */
static unsigned size_count(VeuKernelImageType type)
{
    switch (type) {
    case VEU_KERNEL_IMAGE_1D:
    case VEU_KERNEL_IMAGE_1D_BUFFER:
        return 1;
    case VEU_KERNEL_IMAGE_1D_ARRAY:
    case VEU_KERNEL_IMAGE_2D:
        return 2;
    default:
        return 3;
    }
}

static bool read_sizes(const RunReader *r, const char *text,
                       VeuKernelImageType *type, VeuKernelImageSize *size)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", 4);
    unsigned count = g_strv_length(parts);
    uint64_t sizes[3] = { 1, 1, 1 };

    if (count < 1 || count > 3) {
        return run_kernel_bad(r, "sizes of an image are W, WxH or WxHxD");
    }
    for (unsigned i = 0; i < count; i++) {
        if (!number_parse(parts[i], &sizes[i]) || sizes[i] > UINT32_MAX) {
            return run_kernel_bad(r, "sizes of an image are W, WxH or WxHxD");
        }
    }
    *type = type_of(r, count);
    if (count != size_count(*type)) {
        return run_kernel_bad(r, size_count(*type) == 1 ? "it has one size" :
                                 size_count(*type) == 2 ? "it has two sizes" :
                                                          "it has three sizes");
    }
    *size = (VeuKernelImageSize){ sizes[0], sizes[1], sizes[2] };
    if (*type == VEU_KERNEL_IMAGE_1D_ARRAY) {
        size->slices = size->height;
        size->height = 1;
    }
    return true;
}

/* A file contains rows and slices without padding. */
static bool read_file(RunReader *r, const char *path, const RunBuffer *buffer)
{
    RunBytes content = { 0 };
    bool good;

    if (!run_file_read(path, RUN_MAX_BYTES, "img:", path,
                       "a pattern is 0, idx, idxf, rand or randf, or a file",
                       &content)) {
        return false;
    }
    good = content.bytes == buffer->bytes;
    if (good) {
        memcpy(buffer->initial, content.data, content.bytes);
    }
    g_free(content.data);
    return good || run_kernel_bad(r, "the file does not have the size of the "
                                     "image");
}

static bool add_image(RunReader *r, VeuKernelValue *value,
                      const VeuKernelImageSize *size, uint64_t step_bytes,
                      const char *pattern)
{
    RunBuffer buffer = { .step_bytes = step_bytes };
    uint64_t row_bytes = (uint64_t)size->width *
                         veu_kernel_texel_bytes(value->image.format);
    bool too_large = step_bytes > RUN_MAX_BYTES / size->slices;

    if (too_large) {
        return run_kernel_bad(r, "an image has 1G at most");
    }
    buffer.slice_bytes = row_bytes * size->height;
    buffer.bytes = buffer.slice_bytes * size->slices;
    buffer.initial = g_try_malloc0(buffer.bytes);
    if (!buffer.initial) {
        return run_kernel_bad(r, "the host is out of memory");
    }
    buffer.address = run_memory_add_own(&r->k->run->memory,
                                        step_bytes * size->slices);
    value->image.base = buffer.address;
    g_array_append_val(r->k->buffers, buffer);
    g_array_append_val(r->k->values, *value);
    return buffer.address &&
           (run_kernel_fill(r, pattern, buffer.initial, buffer.bytes) ||
            read_file(r, pattern, &buffer));
}

bool run_kernel_read_image(RunReader *r, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 3);
    VeuKernelValue value = { 0 };
    VeuKernelImageType type = VEU_KERNEL_IMAGE_UNKNOWN;
    VeuKernelImageSize size;
    const VeuFormat *format;
    GError *error = NULL;
    uint64_t step_bytes;

    if (g_strv_length(parts) != 3) {
        return run_kernel_bad(r, "write img:WxH:FORMAT:PATTERN");
    }
    format = format_by_name(parts[1]);
    if (!format) {
        return run_kernel_bad(r, "there is no such format; veu-spec formats "
                                 "lists them");
    }
    if (!read_sizes(r, parts[0], &type, &size)) {
        return false;
    }
    if (!veu_kernel_image(type, format->code, &size, 0, &value.image,
                          &step_bytes, &error)) {
        run_kernel_bad(r, error->message);
        g_error_free(error);
        return false;
    }
    return add_image(r, &value, &size, step_bytes, parts[2]);
}

/* --- Samplers ------------------------------------------------------------ */

static const struct {
    const char *name;
    struct veu_sampler state;
} words[] = {
    { "none", { .addressing = VEU_ADDRESSING_BORDER } },
    { "border", { .addressing = VEU_ADDRESSING_BORDER } },
    { "edge", { .addressing = VEU_ADDRESSING_EDGE } },
    { "repeat", { .addressing = VEU_ADDRESSING_REPEAT } },
    { "mirror", { .addressing = VEU_ADDRESSING_MIRROR } },
    { "nearest", { .filter = VEU_FILTER_NEAREST } },
    { "linear", { .filter = VEU_FILTER_LINEAR } },
    { "normalized", { .flags = VEU_SAMPLER_NORMALIZED } },
};

static bool add_word(const char *name, struct veu_sampler *sampler)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        if (!strcmp(words[i].name, name)) {
            sampler->addressing |= words[i].state.addressing;
            sampler->filter |= words[i].state.filter;
            sampler->flags |= words[i].state.flags;
            return true;
        }
    }
    return false;
}

bool run_kernel_read_sampler(RunReader *r, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    VeuKernelValue value = { 0 };
    struct veu_sampler *s = &value.sampler;

    for (unsigned i = 0; parts[i]; i++) {
        if (!add_word(parts[i], s)) {
            return run_kernel_bad(r, "write none, border, edge, repeat or "
                                     "mirror, then linear and normalized where "
                                     "they apply: smp:edge,linear");
        }
    }
    if (s->addressing >= VEU_ADDRESSING_REPEAT &&
        !(s->flags & VEU_SAMPLER_NORMALIZED)) {
        return run_kernel_bad(r, "repeat and mirror need normalized");
    }
    g_array_append_val(r->k->values, value);
    return true;
}
