/*
 * veu tests: runs a kernel on an OpenCL device, as veu-run --kernel does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Usage: clrun FILE.cl OPTIONS KERNEL GLOBAL LOCAL PREFIX ARG...
 *
 * Writes buffer N to PREFIX.N.out. CLPLATFORM in the environment is a part of
 * the platform's name. Exits with 3 where the source cannot be compiled.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BUFFERS 32

typedef struct Runner {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    unsigned seed;
    unsigned buffers;
    cl_mem buffer[MAX_BUFFERS];
    size_t bytes[MAX_BUFFERS];
    size_t region[MAX_BUFFERS][3]; /* of an image; 0: a buffer */
} Runner;

static void check(cl_int error, const char *what)
{
    if (error) {
        fprintf(stderr, "clrun: %s: error %d\n", what, error);
        exit(1);
    }
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    if (!file || !text || !fread(text, 1, (1 << 20) - 1, file)) {
        fprintf(stderr, "clrun: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static cl_device_id find_device(void)
{
    const char *wanted = getenv("CLPLATFORM");
    cl_platform_id platforms[8];
    cl_device_id device = NULL;
    cl_uint count = 0;

    check(clGetPlatformIDs(8, platforms, &count), "platforms");
    for (cl_uint i = 0; i < count && i < 8 && !device; i++) {
        char name[256] = "";

        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name,
                          NULL);
        if (!wanted || strstr(name, wanted)) {
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
        }
    }
    check(device ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "device");
    return device;
}

static void build(Runner *r, char **argv)
{
    cl_device_id device = find_device();
    char *source = read_file(argv[1]);
    static char log[1 << 16];
    char options[1024];
    cl_program program;
    cl_int error;

    r->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "context");
    r->queue = clCreateCommandQueue(r->context, device, 0, &error);
    check(error, "queue");
    program = clCreateProgramWithSource(r->context, 1, (const char **)&source,
                                        NULL, &error);
    check(error, "program");
    snprintf(options, sizeof(options), "%s -cl-kernel-arg-info", argv[2]);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
                              sizeof(log), log, NULL);
        fprintf(stderr, "clrun: %s\n", log);
        exit(3);
    }
    r->kernel = clCreateKernel(program, argv[3], &error);
    check(error, "kernel");
    free(source);
}

static unsigned next_random(Runner *r)
{
    r->seed = r->seed * 1664525 + 1013904223;
    return r->seed;
}

static void fill(Runner *r, const char *pattern, unsigned char *to,
                 size_t bytes)
{
    float *floats = (float *)to;
    unsigned *dwords = (unsigned *)to;

    for (size_t i = 0; i < bytes / 4; i++) {
        if (!strcmp(pattern, "idx")) {
            dwords[i] = i;
        } else if (!strcmp(pattern, "idxf")) {
            floats[i] = i;
        } else if (!strcmp(pattern, "randf")) {
            floats[i] = (next_random(r) >> 8) * (1.0f / 16777216);
        }
    }
    for (size_t i = 0; i < bytes && !strcmp(pattern, "rand"); i++) {
        to[i] = next_random(r) >> 24;
    }
}

static void set_buffer(Runner *r, unsigned index, const char *text)
{
    char *pattern;
    size_t bytes = strtoull(text, &pattern, 0);
    unsigned char *content = calloc(1, bytes + 4);
    cl_int error;

    if (r->buffers == MAX_BUFFERS || !content || *pattern != ':') {
        fprintf(stderr, "clrun: b:%s\n", text);
        exit(1);
    }
    fill(r, pattern + 1, content, bytes);
    r->bytes[r->buffers] = bytes;
    r->buffer[r->buffers] =
        clCreateBuffer(r->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       bytes, content, &error);
    check(error, "buffer");
    check(clSetKernelArg(r->kernel, index, sizeof(cl_mem),
                         &r->buffer[r->buffers]),
          "argument");
    r->buffers++;
    free(content);
}

/* --- Images -------------------------------------------------------------- */

#define R(bits, kind, type)                            \
    {                                                  \
        "R" #bits "_" #kind, CL_R, CL_##type, bits / 8 \
    }
#define RG(bits, kind, type)                                      \
    {                                                             \
        "R" #bits "G" #bits "_" #kind, CL_RG, CL_##type, bits / 4 \
    }
#define RGBA(bits, kind, type)                                                 \
    {                                                                          \
        "R" #bits "G" #bits "B" #bits "A" #bits "_" #kind, CL_RGBA, CL_##type, \
            bits / 2                                                           \
    }
#define ALL(bits, kind, type) \
    R(bits, kind, type), RG(bits, kind, type), RGBA(bits, kind, type)

static const struct {
    const char *name;
    cl_channel_order order;
    cl_channel_type type;
    size_t bytes;
} formats[] = {
    ALL(8, UNORM, UNORM_INT8),
    ALL(8, SNORM, SNORM_INT8),
    ALL(8, SINT, SIGNED_INT8),
    ALL(8, UINT, UNSIGNED_INT8),
    ALL(16, UNORM, UNORM_INT16),
    ALL(16, SNORM, SNORM_INT16),
    ALL(16, SINT, SIGNED_INT16),
    ALL(16, UINT, UNSIGNED_INT16),
    ALL(16, FLOAT, HALF_FLOAT),
    ALL(32, SINT, SIGNED_INT32),
    ALL(32, UINT, UNSIGNED_INT32),
    ALL(32, FLOAT, FLOAT),
    { "B8G8R8A8_UNORM", CL_BGRA, CL_UNORM_INT8, 4 },
    { "A8_UNORM", CL_A, CL_UNORM_INT8, 1 },
};

/* The type of image that the source says: clrun names it "2d_array:". */
static cl_image_desc describe(const char *text, const char **rest)
{
    cl_image_desc d = { 0 };
    size_t sizes[3] = { 1, 1, 1 };
    char type[32] = "";

    if (sscanf(text, "%31[^:]:%zux%zux%zu", type, &sizes[0], &sizes[1],
               &sizes[2]) < 2) {
        fprintf(stderr, "clrun: img:%s\n", text);
        exit(1);
    }
    *rest = strchr(strchr(text, ':') + 1, ':') + 1;
    d.image_width = sizes[0];
    if (!strcmp(type, "1d") || !strcmp(type, "1d_buffer")) {
        d.image_type = strcmp(type, "1d") ? CL_MEM_OBJECT_IMAGE1D_BUFFER :
                                            CL_MEM_OBJECT_IMAGE1D;
    } else if (!strcmp(type, "1d_array")) {
        d.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
        d.image_array_size = sizes[1];
    } else {
        d.image_type = !strcmp(type, "2d")       ? CL_MEM_OBJECT_IMAGE2D :
                       !strcmp(type, "2d_array") ? CL_MEM_OBJECT_IMAGE2D_ARRAY :
                                                   CL_MEM_OBJECT_IMAGE3D;
        d.image_height = sizes[1];
        d.image_depth = strcmp(type, "3d") ? 0 : sizes[2];
        d.image_array_size = strcmp(type, "2d_array") ? 0 : sizes[2];
    }
    return d;
}

static void set_image(Runner *r, unsigned index, const char *text)
{
    const char *format;
    cl_image_desc d = describe(text, &format);
    const char *pattern = strchr(format, ':');
    unsigned n = r->buffers++;
    cl_image_format f = { 0 };
    size_t *region = r->region[n];
    unsigned char *content;
    cl_int error;

    region[0] = d.image_width;
    region[1] = d.image_height ? d.image_height :
                d.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ?
                                 d.image_array_size :
                                 1;
    region[2] = d.image_depth ? d.image_depth :
                d.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ?
                                d.image_array_size :
                                1;
    r->bytes[n] = region[0] * region[1] * region[2];
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (!strncmp(format, formats[i].name, pattern - format) &&
            formats[i].name[pattern - format] == 0) {
            f = (cl_image_format){ formats[i].order, formats[i].type };
            r->bytes[n] *= formats[i].bytes;
        }
    }
    content = calloc(1, r->bytes[n] + 4);
    fill(r, pattern + 1, content, r->bytes[n]);
    if (d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        d.buffer = clCreateBuffer(r->context,
                                  CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                  r->bytes[n], content, &error);
        check(error, "buffer of an image");
    }
    r->buffer[n] = clCreateImage(r->context,
                                 CL_MEM_READ_WRITE |
                                     (d.buffer ? 0 : CL_MEM_COPY_HOST_PTR),
                                 &f, &d, d.buffer ? NULL : content, &error);
    check(error, "image");
    check(clSetKernelArg(r->kernel, index, sizeof(cl_mem), &r->buffer[n]),
          text);
    if (d.buffer) {
        r->buffer[n] = d.buffer;
        region[0] = 0;
    }
    free(content);
}

static void set_sampler(Runner *r, unsigned index, const char *text)
{
    cl_addressing_mode mode = strstr(text, "edge") ?
                                  CL_ADDRESS_CLAMP_TO_EDGE :
                              strstr(text, "repeat") ?
                                  CL_ADDRESS_REPEAT :
                              strstr(text, "mirror") ?
                                  CL_ADDRESS_MIRRORED_REPEAT :
                              strstr(text, "none") ? CL_ADDRESS_NONE :
                                                     CL_ADDRESS_CLAMP;
    cl_int error;
    cl_sampler sampler = clCreateSampler(
        r->context, strstr(text, "normalized") != NULL, mode,
        strstr(text, "linear") ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);

    check(error, "sampler");
    check(clSetKernelArg(r->kernel, index, sizeof(sampler), &sampler), text);
}

/* The type of an image is not in the text: it is asked of the kernel. */
static void set_typed_image(Runner *r, unsigned index, const char *text)
{
    char type[64] = "";
    char whole[256];

    check(clGetKernelArgInfo(r->kernel, index, CL_KERNEL_ARG_TYPE_NAME,
                             sizeof(type), type, NULL),
          "type of an argument");
    if (strncmp(type, "image", 5) || !strstr(type, "_t")) {
        fprintf(stderr, "clrun: argument %u is a %s\n", index, type);
        exit(1);
    }
    *strstr(type, "_t") = 0;
    snprintf(whole, sizeof(whole), "%s:%s", type + 5, text);
    set_image(r, index, whole);
}

static void set_argument(Runner *r, unsigned index, const char *text)
{
    const char *value = strchr(text, ':') + 1;
    cl_int integer = strtol(value, NULL, 0);
    cl_ulong number = strtoull(value, NULL, 0);
    cl_float single = atof(value);
    cl_double twice = atof(value);
    cl_kernel k = r->kernel;

    if (!strncmp(text, "img:", 4)) {
        set_typed_image(r, index, value);
        return;
    }
    switch (text[0]) {
    case 's':
        set_sampler(r, index, value);
        break;
    case 'b':
        set_buffer(r, index, value);
        break;
    case 'l':
        check(clSetKernelArg(k, index, number, NULL), text);
        break;
    case 'i':
        check(clSetKernelArg(k, index, sizeof(integer), &integer), text);
        break;
    case 'u':
        check(clSetKernelArg(k, index, sizeof(number), &number), text);
        break;
    case 'f':
        check(clSetKernelArg(k, index, sizeof(single), &single), text);
        break;
    default:
        check(clSetKernelArg(k, index, sizeof(twice), &twice), text);
        break;
    }
}

static void run(Runner *r, const char *global_text, const char *local_text)
{
    size_t global[3] = { 1, 1, 1 };
    size_t local[3] = { 1, 1, 1 };
    int dimensions = sscanf(global_text, "%zu,%zu,%zu", &global[0], &global[1],
                            &global[2]);

    sscanf(local_text, "%zu,%zu,%zu", &local[0], &local[1], &local[2]);
    check(clEnqueueNDRangeKernel(r->queue, r->kernel, dimensions, NULL, global,
                                 local, 0, NULL, NULL),
          "run");
    check(clFinish(r->queue), "finish");
}

static void dump(Runner *r, const char *prefix)
{
    for (unsigned i = 0; i < r->buffers; i++) {
        char path[4096];
        char *content = malloc(r->bytes[i]);
        FILE *file;

        snprintf(path, sizeof(path), "%s.%u.out", prefix, i);
        file = fopen(path, "wb");
        check(file && content ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, path);
        check(r->region[i][0] ?
                  clEnqueueReadImage(r->queue, r->buffer[i], CL_TRUE,
                                     (size_t[3]){ 0 }, r->region[i], 0, 0,
                                     content, 0, NULL, NULL) :
                  clEnqueueReadBuffer(r->queue, r->buffer[i], CL_TRUE, 0,
                                      r->bytes[i], content, 0, NULL, NULL),
              "read");
        fwrite(content, 1, r->bytes[i], file);
        fclose(file);
        free(content);
    }
}

int main(int argc, char **argv)
{
    Runner r = { .seed = 12345 };

    if (argc < 7) {
        fprintf(stderr, "clrun: FILE.cl OPTIONS KERNEL GLOBAL LOCAL PREFIX "
                        "ARG...\n");
        return 1;
    }
    build(&r, argv);
    for (int i = 7; i < argc; i++) {
        set_argument(&r, i - 7, argv[i]);
    }
    run(&r, argv[4], argv[5]);
    dump(&r, argv[6]);
    return 0;
}
