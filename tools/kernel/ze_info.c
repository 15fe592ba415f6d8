/*
 * libveu-kernel: .ze_info, the description of the kernels of a zebin.
 *
 * SPDX-License-Identifier: MIT
 *
 * Intel's graphics compiler documents its format ("zeinfo"). Keys that change
 * nothing here are ignored. A feature that a kernel needs but that is not
 * supported is remembered as `refused`; the other kernels of the file can run.
 */
#include <string.h>
#include <yaml.h>
#include "tools/kernel/kernel_internal.h"

#define MAX_KERNELS  4096
#define MAX_ELEMENTS 4096 /* in a list of a kernel */
#define MAX_SURFACES 250
#define MAX_BYTES    (1u << 30)

typedef struct Info {
    VeuZebin *zebin;
    yaml_document_t document;
    GError **error;
} Info;

/* --- Nodes --------------------------------------------------------------- */

static const char *text_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ?
               (const char *)node->data.scalar.value :
               "";
}

/* The value of a key, or NULL if @node is not a mapping or does not have it. */
static yaml_node_t *get(Info *info, const yaml_node_t *node, const char *key)
{
    if (!node || node->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        if (!strcmp(text_of(yaml_document_get_node(&info->document, p->key)),
                    key)) {
            return yaml_document_get_node(&info->document, p->value);
        }
    }
    return NULL;
}

static const char *get_text(Info *info, const yaml_node_t *node,
                            const char *key)
{
    return text_of(get(info, node, key));
}

/* The number of elements of a sequence; 0 for anything else. */
static unsigned count_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SEQUENCE_NODE ?
               node->data.sequence.items.top - node->data.sequence.items.start :
               0;
}

static yaml_node_t *element(Info *info, const yaml_node_t *node, unsigned i)
{
    return yaml_document_get_node(&info->document,
                                  node->data.sequence.items.start[i]);
}

static bool parse_number(Info *info, const char *key, const char *text,
                         uint32_t max, uint32_t *value)
{
    guint64 number;

    if (!g_ascii_string_to_unsigned(text, 10, 0, max, &number, NULL)) {
        return veu_kernel_error(info->error,
                                ".ze_info: %s is '%.40s', not a number from "
                                "0 to %u",
                                key, text, max);
    }
    *value = number;
    return true;
}

/* @value is unchanged if the key is missing. */
static bool get_number(Info *info, const yaml_node_t *node, const char *key,
                       uint32_t max, uint32_t *value)
{
    const yaml_node_t *number = get(info, node, key);

    return !number || parse_number(info, key, text_of(number), max, value);
}

/* Reads three numbers; @values are unchanged if the key is missing. */
static bool get_triple(Info *info, const yaml_node_t *node, const char *key,
                       uint32_t max, uint32_t values[3])
{
    const yaml_node_t *list = get(info, node, key);

    for (unsigned i = 0; i < MIN(count_of(list), 3); i++) {
        if (!parse_number(info, key, text_of(element(info, list, i)), max,
                          &values[i])) {
            return false;
        }
    }
    return true;
}

/* --- Payload ------------------------------------------------------------- */

#define ROW(name, type)                  \
    {                                    \
        name, VEU_KERNEL_PAYLOAD_##type, \
    }

static const struct {
    const char *name;
    VeuKernelPayloadType type;
} payload_types[] = {
    ROW("arg_byvalue", VALUE),
    ROW("arg_bypointer", POINTER),
    ROW("buffer_address", POINTER),
    ROW("buffer_offset", ZERO),
    ROW("const_base", CONST_BASE),
    ROW("enqueued_local_size", ENQUEUED_LOCAL_SIZE),
    ROW("global_base", GLOBAL_BASE),
    ROW("global_id_offset", ZERO),
    ROW("global_size", GLOBAL_SIZE),
    ROW("group_count", GROUP_COUNT),
    ROW("image_array_size", IMAGE_ARRAY_SIZE),
    ROW("image_channel_data_type", IMAGE_CHANNEL_TYPE),
    ROW("image_channel_order", IMAGE_CHANNEL_ORDER),
    ROW("image_depth", IMAGE_DEPTH),
    ROW("image_height", IMAGE_HEIGHT),
    ROW("image_width", IMAGE_WIDTH),
    ROW("local_size", LOCAL_SIZE),
    ROW("printf_buffer", PRINTF_BUFFER),
    ROW("private_base_stateless", PRIVATE_BASE),
    ROW("sampler_address", SAMPLER_ADDRESSING),
    ROW("sampler_normalized", SAMPLER_NORMALIZED),
    /*
     * A workaround for samplers that do not round as OpenCL requires: these do.
     */
    ROW("sampler_snap_wa", ZERO),
    ROW("work_dimensions", WORK_DIMENSIONS),
};

static void refuse(VeuKernel *k, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void refuse(VeuKernel *k, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!k->refused) {
        k->refused = g_strdup_vprintf(format, args);
    }
    va_end(args);
}

static VeuKernelArg *get_arg(VeuKernel *k, uint32_t index)
{
    if (index >= k->args->len) {
        g_array_set_size(k->args, index + 1);
    }
    return &g_array_index(k->args, VeuKernelArg, index);
}

/*
 * The kind of an argument cannot change, because the caller gives one value for
 * it.
 */
static bool set_kind(Info *info, VeuKernel *k, uint32_t index,
                     VeuKernelArgKind kind)
{
    VeuKernelArg *arg = get_arg(k, index);
    bool has_value = arg->kind == VEU_KERNEL_ARG_VALUE ||
                     kind == VEU_KERNEL_ARG_VALUE;

    if (arg->kind != VEU_KERNEL_ARG_UNUSED && arg->kind != kind) {
        return veu_kernel_error(info->error, ".ze_info: argument %u is %s",
                                index,
                                has_value ? "a value and a pointer" :
                                            "of two kinds");
    }
    arg->kind = kind;
    return true;
}

static bool set_value(Info *info, VeuKernel *k, const VeuKernelPayload *p)
{
    VeuKernelArg *arg = get_arg(k, p->arg);

    arg->bytes = MAX(arg->bytes, p->source_offset + p->bytes);
    return set_kind(info, k, p->arg, VEU_KERNEL_ARG_VALUE);
}

/* "image_2d" in payloads; "image2d_t" in types of the source. */
static VeuKernelImageType image_type(const char *name)
{
    static const struct {
        const char *names[2];
        VeuKernelImageType type;
    } types[] = {
        { { "image_1d", "image1d_t" }, VEU_KERNEL_IMAGE_1D },
        { { "image_1d_array", "image1d_array_t" }, VEU_KERNEL_IMAGE_1D_ARRAY },
        { { "image_buffer", "image1d_buffer_t" }, VEU_KERNEL_IMAGE_1D_BUFFER },
        { { "image_2d", "image2d_t" }, VEU_KERNEL_IMAGE_2D },
        { { "image_2d_array", "image2d_array_t" }, VEU_KERNEL_IMAGE_2D_ARRAY },
        { { "image_2d_depth", "image2d_depth_t" }, VEU_KERNEL_IMAGE_2D },
        { { "image_2d_array_depth", "image2d_array_depth_t" },
          VEU_KERNEL_IMAGE_2D_ARRAY },
        { { "image_3d", "image3d_t" }, VEU_KERNEL_IMAGE_3D },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        if (!strcmp(name, types[i].names[0]) ||
            !strcmp(name, types[i].names[1])) {
            return types[i].type;
        }
    }
    return VEU_KERNEL_IMAGE_UNKNOWN;
}

static bool set_image(Info *info, VeuKernel *k, const yaml_node_t *node,
                      VeuKernelPayload *p)
{
    const char *name = get_text(info, node, "image_type");
    VeuKernelArg *arg;

    if (!set_kind(info, k, p->arg, VEU_KERNEL_ARG_IMAGE)) {
        return false;
    }
    p->type = VEU_KERNEL_PAYLOAD_ZERO;
    arg = get_arg(k, p->arg);
    arg->image_type = image_type(name);
    arg->is_depth = g_str_has_suffix(name, "_depth");
    arg->is_written = strcmp(get_text(info, node, "access_type"), "readonly");
    if (arg->image_type == VEU_KERNEL_IMAGE_UNKNOWN) {
        refuse(k,
               "argument %u is an image of type '%.40s', which is not "
               "supported",
               p->arg, name);
    }
    return true;
}

static bool set_sampler(Info *info, VeuKernel *k, const yaml_node_t *node,
                        VeuKernelPayload *p)
{
    VeuKernelSampler s = { .is_arg = true, .arg = p->arg };

    p->type = VEU_KERNEL_PAYLOAD_ZERO;
    if (!get_number(info, node, "sampler_index", VEU_SAMPLERS - 1, &s.index)) {
        return false;
    }
    g_array_append_val(k->samplers, s);
    return set_kind(info, k, p->arg, VEU_KERNEL_ARG_SAMPLER);
}

static bool set_pointer(Info *info, VeuKernel *k, const yaml_node_t *node,
                        VeuKernelPayload *p)
{
    const char *space = get_text(info, node, "addrspace");

    if (!strcmp(space, "local")) {
        p->type = VEU_KERNEL_PAYLOAD_LOCAL_POINTER;
        return set_kind(info, k, p->arg, VEU_KERNEL_ARG_LOCAL);
    }
    if (!strcmp(space, "image")) {
        return set_image(info, k, node, p);
    }
    if (!strcmp(space, "sampler")) {
        return set_sampler(info, k, node, p);
    }
    return set_kind(info, k, p->arg, VEU_KERNEL_ARG_BUFFER);
}

/* Finds the type by name. Returns false if the kernel cannot run without it. */
static bool find_payload_type(VeuKernel *k, const char *name,
                              VeuKernelPayloadType *type)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(payload_types); i++) {
        if (!strcmp(payload_types[i].name, name)) {
            *type = payload_types[i].type;
            return true;
        }
    }
    refuse(k, "it needs '%.60s', which is not supported", name);
    return false;
}

static bool read_payload(Info *info, VeuKernel *k, const yaml_node_t *node)
{
    VeuKernelPayload p = { .slm_align = 1 };

    if (!get_number(info, node, "offset", VEU_KERNEL_MAX_PAYLOAD_BYTES,
                    &p.offset) ||
        !get_number(info, node, "size", VEU_KERNEL_MAX_PAYLOAD_BYTES,
                    &p.bytes) ||
        !get_number(info, node, "arg_index", VEU_KERNEL_MAX_ARGS - 1, &p.arg) ||
        !get_number(info, node, "source_offset", VEU_KERNEL_MAX_PAYLOAD_BYTES,
                    &p.source_offset) ||
        !get_number(info, node, "slm_alignment", 65536, &p.slm_align)) {
        return false;
    }
    if (!find_payload_type(k, get_text(info, node, "arg_type"), &p.type)) {
        return true;
    }
    if ((p.type == VEU_KERNEL_PAYLOAD_VALUE && !set_value(info, k, &p)) ||
        (p.type == VEU_KERNEL_PAYLOAD_POINTER &&
         !set_pointer(info, k, node, &p))) {
        return false;
    }
    if (veu_kernel_is_told(p.type)) {
        get_arg(k, p.arg);
    }
    k->uses_printf |= p.type == VEU_KERNEL_PAYLOAD_PRINTF_BUFFER;
    k->cross_thread_bytes = MAX(k->cross_thread_bytes, p.offset + p.bytes);
    g_array_append_val(k->payload, p);
    return true;
}

/* Reads local ids; an EU thread's other own inputs are not supported. */
static bool read_thread_payload(Info *info, VeuKernel *k,
                                const yaml_node_t *node)
{
    const char *type = get_text(info, node, "arg_type");
    uint32_t offset = 0;
    uint32_t bytes = 0;

    if (!get_number(info, node, "offset", VEU_KERNEL_MAX_PAYLOAD_BYTES,
                    &offset) ||
        !get_number(info, node, "size", VEU_KERNEL_MAX_PAYLOAD_BYTES, &bytes)) {
        return false;
    }
    if (strcmp(type, "local_id") || offset) {
        refuse(k, "its EU threads need '%.60s', which is not supported", type);
    }
    k->local_id_bytes = bytes;
    return true;
}

static bool read_surface(Info *info, VeuKernel *k, const yaml_node_t *node)
{
    VeuKernelSurface s = { 0 };

    if (!get_number(info, node, "bti_value", MAX_SURFACES - 1, &s.index) ||
        !get_number(info, node, "arg_index", VEU_KERNEL_MAX_ARGS - 1, &s.arg)) {
        return false;
    }
    g_array_append_val(k->surfaces, s);
    return true;
}

/* Reads a sampler that the source defines. */
static bool read_sampler(Info *info, VeuKernel *k, const yaml_node_t *node)
{
    static const struct {
        const char *name;
        uint8_t addressing;
    } modes[] = {
        { "none", VEU_ADDRESSING_BORDER },
        { "clamp_border", VEU_ADDRESSING_BORDER },
        { "clamp_edge", VEU_ADDRESSING_EDGE },
        { "repeat", VEU_ADDRESSING_REPEAT },
        { "mirror", VEU_ADDRESSING_MIRROR },
    };
    const char *mode = get_text(info, node, "addrmode");
    VeuKernelSampler s = { 0 };
    bool known = false;

    if (!get_number(info, node, "sampler_index", VEU_SAMPLERS - 1, &s.index)) {
        return false;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++) {
        if (!strcmp(mode, modes[i].name)) {
            s.state.addressing = modes[i].addressing;
            known = true;
        }
    }
    if (!known) {
        refuse(k, "its sampler addresses '%.40s', which is not supported",
               mode);
    }
    s.state.filter = !strcmp(get_text(info, node, "filtermode"), "linear");
    s.state.flags = !strcmp(get_text(info, node, "normalized"), "true");
    g_array_append_val(k->samplers, s);
    return true;
}

/* --- Memory of EU threads ------------------------------------------------ */

/* Reads private memory, and scratch memory that the vISA text uses for it. */
static bool read_buffer(Info *info, VeuKernel *k, const yaml_node_t *node)
{
    const char *type = get_text(info, node, "type");
    const char *usage = get_text(info, node, "usage");
    uint32_t bytes = 0;

    if (!get_number(info, node, "size", MAX_BYTES, &bytes)) {
        return false;
    }
    if (!strcmp(type, "scratch") && strcmp(usage, "spill_fill_space")) {
        k->scratch_bytes = MAX(k->scratch_bytes, bytes);
    } else if (!strcmp(type, "global") && !strcmp(usage, "private_space")) {
        if (!strcmp(get_text(info, node, "is_simt_thread"), "true")) {
            bytes = bytes > MAX_BYTES / k->simd ? MAX_BYTES : bytes * k->simd;
        }
        k->private_bytes = MAX(k->private_bytes, bytes);
    }
    return true;
}

/* --- Kernels ------------------------------------------------------------- */

typedef bool ReadElement(Info *info, VeuKernel *kernel,
                         const yaml_node_t *node);

static bool read_list(Info *info, VeuKernel *k, const yaml_node_t *node,
                      const char *key, ReadElement *read)
{
    const yaml_node_t *list = get(info, node, key);

    if (count_of(list) > MAX_ELEMENTS) {
        return veu_kernel_error(info->error,
                                ".ze_info: %s has more than %u elements", key,
                                MAX_ELEMENTS);
    }
    for (unsigned i = 0; i < count_of(list); i++) {
        if (!read(info, k, element(info, list, i))) {
            return false;
        }
    }
    return true;
}

static bool read_walk_order(Info *info, VeuKernel *k, const yaml_node_t *env)
{
    uint32_t order[3] = { 0, 1, 2 };
    unsigned seen = 0;

    if (!get_triple(info, env, "work_group_walk_order_dimensions", 2, order)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        k->walk_order[i] = order[i];
        seen |= 1u << order[i];
    }
    return seen == 7 ||
           veu_kernel_error(info->error,
                            ".ze_info: work_group_walk_order_dimensions names "
                            "a dimension twice");
}

static bool read_environment(Info *info, VeuKernel *k, const yaml_node_t *env)
{
    uint32_t grf_bytes = 32;

    if (!get_number(info, env, "simd_size", 32, &k->simd) ||
        !get_number(info, env, "slm_size", MAX_BYTES, &k->slm_bytes) ||
        !get_triple(info, env, "required_work_group_size", UINT16_MAX,
                    k->required_local) ||
        !read_walk_order(info, k, env)) {
        return false;
    }
    k->grf_bytes = grf_bytes;
    if (k->simd != 8 && k->simd != 16 && k->simd != 32) {
        refuse(k, "its SIMD size is %u, not 8, 16 or 32", k->simd);
        k->simd = 8;
    }
    return true;
}

/* A depth image has the texels of another format, but an order of its own. */
static void complete_depth(VeuKernel *k)
{
    for (unsigned i = 0; i < k->payload->len; i++) {
        VeuKernelPayload *p = &g_array_index(k->payload, VeuKernelPayload, i);

        if (p->type == VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_ORDER &&
            get_arg(k, p->arg)->is_depth) {
            p->type = VEU_KERNEL_PAYLOAD_IMAGE_DEPTH_ORDER;
        }
    }
}

/* Without local ids, an empty register takes their place. */
static void complete_kernel(VeuKernel *k)
{
    complete_depth(k);
    if (!k->local_id_bytes) {
        k->local_id_bytes = k->grf_bytes;
    }
}

static bool read_kernel(Info *info, const yaml_node_t *node)
{
    bool good;

    VeuKernel *k;

    if (info->zebin->kernels->len >= MAX_KERNELS) {
        return veu_kernel_error(info->error, ".ze_info: more than %u kernels",
                                MAX_KERNELS);
    }
    g_array_set_size(info->zebin->kernels, info->zebin->kernels->len + 1);
    k = &g_array_index(info->zebin->kernels, VeuKernel,
                       info->zebin->kernels->len - 1);
    k->zebin = info->zebin;
    k->index = info->zebin->kernels->len - 1;
    k->name = g_strdup(get_text(info, node, "name"));
    k->args = g_array_new(FALSE, TRUE, sizeof(VeuKernelArg));
    k->payload = g_array_new(FALSE, TRUE, sizeof(VeuKernelPayload));
    k->surfaces = g_array_new(FALSE, TRUE, sizeof(VeuKernelSurface));
    k->samplers = g_array_new(FALSE, TRUE, sizeof(VeuKernelSampler));
    good = read_environment(info, k, get(info, node, "execution_env")) &&
           read_list(info, k, node, "payload_arguments", read_payload) &&
           read_list(info, k, node, "per_thread_payload_arguments",
                     read_thread_payload) &&
           read_list(info, k, node, "binding_table_indices", read_surface) &&
           read_list(info, k, node, "inline_samplers", read_sampler) &&
           read_list(info, k, node, "per_thread_memory_buffers", read_buffer);
    complete_kernel(k);
    return good;
}

/* --- Names of arguments -------------------------------------------------- */

/* Guesses the kind of an argument that the compiler removed. */
static void guess_kind(Info *info, VeuKernelArg *arg, const yaml_node_t *node,
                       const char *bytes)
{
    const char *space = get_text(info, node, "address_qualifier");
    guint64 number = 0;

    arg->image_type = image_type(arg->type ? arg->type : "");
    if (arg->image_type != VEU_KERNEL_IMAGE_UNKNOWN) {
        arg->kind = VEU_KERNEL_ARG_IMAGE;
    } else if (arg->type && !strcmp(arg->type, "sampler_t")) {
        arg->kind = VEU_KERNEL_ARG_SAMPLER;
    } else if (!strcmp(space, "__global") || !strcmp(space, "__constant")) {
        arg->kind = VEU_KERNEL_ARG_BUFFER;
    } else if (!strcmp(space, "__local")) {
        arg->kind = VEU_KERNEL_ARG_LOCAL;
    } else if (bytes && g_ascii_string_to_unsigned(bytes, 10, 1,
                                                   VEU_KERNEL_MAX_PAYLOAD_BYTES,
                                                   &number, NULL)) {
        arg->kind = VEU_KERNEL_ARG_VALUE;
        arg->bytes = number;
    }
}

/* type_name is 'float*;8': a type and its size. */
static bool read_arg_info(Info *info, VeuKernel *k, const yaml_node_t *node)
{
    g_auto(GStrv) type = g_strsplit(get_text(info, node, "type_name"), ";", 2);
    const char *name = get_text(info, node, "name");
    VeuKernelArg *arg;
    uint32_t index = 0;

    if (!get_number(info, node, "index", VEU_KERNEL_MAX_ARGS - 1, &index)) {
        return false;
    }
    arg = get_arg(k, index);
    g_free(arg->name);
    g_free(arg->type);
    arg->name = *name ? g_strdup(name) : NULL;
    arg->type = type[0] && *type[0] ? g_strdup(type[0]) : NULL;
    if (arg->kind == VEU_KERNEL_ARG_UNUSED) {
        guess_kind(info, arg, node, type[0] ? type[1] : NULL);
    }
    return true;
}

static bool read_misc(Info *info, const yaml_node_t *node)
{
    const char *name = get_text(info, node, "name");

    for (unsigned i = 0; i < info->zebin->kernels->len; i++) {
        VeuKernel *k = &g_array_index(info->zebin->kernels, VeuKernel, i);

        if (!strcmp(k->name, name)) {
            return read_list(info, k, node, "args_info", read_arg_info);
        }
    }
    return true;
}

/* --- The page ------------------------------------------------------------ */

static bool read_document(Info *info)
{
    const yaml_node_t *root = yaml_document_get_root_node(&info->document);
    const yaml_node_t *kernels = get(info, root, "kernels");
    const yaml_node_t *misc = get(info, root, "kernels_misc_info");

    for (unsigned i = 0; i < count_of(kernels); i++) {
        if (!read_kernel(info, element(info, kernels, i))) {
            return false;
        }
    }
    for (unsigned i = 0; i < count_of(misc); i++) {
        if (!read_misc(info, element(info, misc, i))) {
            return false;
        }
    }
    return true;
}

bool veu_zebin_read_info(VeuZebin *zebin, GError **error)
{
    Info info = { .zebin = zebin, .error = error };
    yaml_parser_t parser;
    bool good;

    if (!yaml_parser_initialize(&parser)) {
        return veu_kernel_error(error, ".ze_info: not enough memory");
    }
    yaml_parser_set_input_string(&parser, (const uint8_t *)zebin->info->str,
                                 zebin->info->len);
    good = yaml_parser_load(&parser, &info.document);
    if (good) {
        good = read_document(&info);
        yaml_document_delete(&info.document);
    } else {
        veu_kernel_error(error, ".ze_info: line %zu: %s",
                         parser.problem_mark.line + 1,
                         parser.problem ? parser.problem : "no YAML");
    }
    yaml_parser_delete(&parser);
    return good;
}

void veu_kernel_clear(VeuKernel *k)
{
    for (unsigned i = 0; i < k->args->len; i++) {
        g_free(g_array_index(k->args, VeuKernelArg, i).name);
        g_free(g_array_index(k->args, VeuKernelArg, i).type);
    }
    g_free(k->name);
    g_free(k->refused);
    g_array_unref(k->args);
    g_array_unref(k->payload);
    g_array_unref(k->surfaces);
    g_array_unref(k->samplers);
}
