/*
 * veu-bench: other implementations of OpenCL, if they are installed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <dlfcn.h>
#include <glib.h>
#include <string.h>
#include "tools/veu-bench/bench.h"
#include "tools/veu-bench/kernels_peer.h"

static const struct {
    const char *name;
    const char *libraries[2]; /* the second one is Debian's */
    const char *platform;     /* part of its name */
} kinds[KERNEL_PEER_KINDS] = {
    [KERNEL_POCL] = { "pocl",
                      { "libOpenCL.so.1", "libOpenCL.so" },
                      "Portable Computing Language" },
    [KERNEL_OCLGRIND] = { "oclgrind",
                          { "liboclgrind-rt.so",
                            "/usr/lib/oclgrind/liboclgrind-rt.so" },
                          "Oclgrind" },
};

const char *kernel_peer_name(KernelPeerKind kind)
{
    return kinds[kind].name;
}

#define MAX_ARGUMENTS 16
#define MAX_PLATFORMS 8
#define MAX_LOG       65536

/*
 * The part of OpenCL 1.2 that is used, so that building needs no headers. All
 * handles are pointers.
 */
enum {
    CL_TRUE = 1,
    CL_MEM_READ_WRITE = 1 << 0,
    CL_MEM_COPY_HOST_PTR = 1 << 5,
    CL_PLATFORM_NAME = 0x902,
    CL_PROGRAM_BUILD_LOG = 0x1183,
};
#define CL_DEVICE_TYPE_ALL UINT32_MAX

/* clang-format off */
#define FUNCTIONS(F) \
    F(int32_t, clGetPlatformIDs, (uint32_t, void **, uint32_t *)) \
    F(int32_t, clGetPlatformInfo, (void *, uint32_t, size_t, void *, \
                                   size_t *)) \
    F(int32_t, clGetDeviceIDs, (void *, uint64_t, uint32_t, void **, \
                                uint32_t *)) \
    F(void *, clCreateContext, (const intptr_t *, uint32_t, void *const *, \
                                void *, void *, int32_t *)) \
    F(void *, clCreateCommandQueue, (void *, void *, uint64_t, int32_t *)) \
    F(void *, clCreateProgramWithSource, (void *, uint32_t, const char **, \
                                          const size_t *, int32_t *)) \
    F(int32_t, clBuildProgram, (void *, uint32_t, void *const *, \
                                const char *, void *, void *)) \
    F(int32_t, clGetProgramBuildInfo, (void *, void *, uint32_t, size_t, \
                                       void *, size_t *)) \
    F(void *, clCreateKernel, (void *, const char *, int32_t *)) \
    F(void *, clCreateBuffer, (void *, uint64_t, size_t, void *, int32_t *)) \
    F(int32_t, clSetKernelArg, (void *, uint32_t, size_t, const void *)) \
    F(int32_t, clEnqueueNDRangeKernel, (void *, void *, uint32_t, \
                                        const size_t *, const size_t *, \
                                        const size_t *, uint32_t, \
                                        void *const *, void **)) \
    F(int32_t, clEnqueueReadBuffer, (void *, void *, uint32_t, size_t, \
                                     size_t, void *, uint32_t, \
                                     void *const *, void **)) \
    F(int32_t, clEnqueueWriteBuffer, (void *, void *, uint32_t, size_t, \
                                      size_t, const void *, uint32_t, \
                                      void *const *, void **)) \
    F(int32_t, clFinish, (void *)) \
    F(int32_t, clReleaseKernel, (void *)) \
    F(int32_t, clReleaseProgram, (void *)) \
    F(int32_t, clReleaseMemObject, (void *))
/* clang-format on */

struct KernelPeer {
    const char *name;
    void *library;
#define FUNCTION(type, name, parameters) type(*name) parameters;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    void *device;
    void *context;
    void *queue;
};

struct KernelPeerRun {
    KernelPeer *peer;
    void *program;
    void *kernel;
    void *buffer[MAX_ARGUMENTS];
};

/* --- Loading ------------------------------------------------------------- */

static bool find_functions(KernelPeer *p)
{
    bool found = true;

#define FUNCTION(type, name, parameters)           \
    *(void **)&p->name = dlsym(p->library, #name); \
    found &= p->name != NULL;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    return found;
}

static bool load_library(KernelPeer *p, KernelPeerKind kind)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds[kind].libraries); i++) {
        p->library = dlopen(kinds[kind].libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (p->library) {
            return find_functions(p);
        }
    }
    return false;
}

static bool find_device(KernelPeer *p, const char *platform)
{
    void *ids[MAX_PLATFORMS];
    uint32_t count = 0;

    p->clGetPlatformIDs(MAX_PLATFORMS, ids, &count);
    for (uint32_t i = 0; i < MIN(count, MAX_PLATFORMS) && !p->device; i++) {
        char name[256] = "";

        p->clGetPlatformInfo(ids[i], CL_PLATFORM_NAME, sizeof(name), name,
                             NULL);
        if (strstr(name, platform)) {
            p->clGetDeviceIDs(ids[i], CL_DEVICE_TYPE_ALL, 1, &p->device, NULL);
        }
    }
    return p->device;
}

/* Sets one computing thread, and no cache of programs from earlier runs. */
static void set_environment(void)
{
    g_setenv("POCL_DEVICES", "pthread", false);
    g_setenv("POCL_MAX_PTHREAD_COUNT", "1", false);
    g_setenv("POCL_KERNEL_CACHE", "0", false);
}

static bool open_peer(KernelPeer *p, KernelPeerKind kind)
{
    int32_t error = 0;

    set_environment();
    p->name = kinds[kind].name;
    if (!load_library(p, kind) || !find_device(p, kinds[kind].platform)) {
        return false;
    }
    p->context = p->clCreateContext(NULL, 1, &p->device, NULL, NULL, &error);
    p->queue = error ?
                   NULL :
                   p->clCreateCommandQueue(p->context, p->device, 0, &error);
    return !error;
}

KernelPeer *kernel_peer(KernelPeerKind kind)
{
    static KernelPeer peers[KERNEL_PEER_KINDS];
    static bool tried[KERNEL_PEER_KINDS];

    if (!tried[kind]) {
        tried[kind] = true;
        if (!open_peer(&peers[kind], kind)) {
            peers[kind].queue = NULL;
        }
    }
    return peers[kind].queue ? &peers[kind] : NULL;
}

/* --- Kernels ------------------------------------------------------------- */

static bool check(const KernelPeer *p, int32_t error, const char *what)
{
    return !error || tool_error("%s: %s: error %d", p->name, what, error);
}

static bool build(KernelPeerRun *r, const char *source)
{
    KernelPeer *p = r->peer;
    int32_t error;

    r->program = p->clCreateProgramWithSource(p->context, 1, &source, NULL,
                                              &error);
    if (!check(p, error, "program")) {
        return false;
    }
    if (p->clBuildProgram(r->program, 1, &p->device, "-cl-std=CL1.2", NULL,
                          NULL)) {
        g_autofree char *log = g_malloc0(MAX_LOG);

        p->clGetProgramBuildInfo(r->program, p->device, CL_PROGRAM_BUILD_LOG,
                                 MAX_LOG - 1, log, NULL);
        return tool_error("%s: %s", p->name, log);
    }
    return true;
}

KernelPeerRun *kernel_peer_build(KernelPeer *p, const char *source,
                                 const char *kernel)
{
    KernelPeerRun *r = g_new0(KernelPeerRun, 1);
    int32_t error = 0;

    r->peer = p;
    if (build(r, source)) {
        r->kernel = p->clCreateKernel(r->program, kernel, &error);
        if (check(p, error, kernel)) {
            return r;
        }
    }
    kernel_peer_free(r);
    return NULL;
}

void kernel_peer_free(KernelPeerRun *r)
{
    if (!r) {
        return;
    }
    for (unsigned i = 0; i < MAX_ARGUMENTS; i++) {
        if (r->buffer[i]) {
            r->peer->clReleaseMemObject(r->buffer[i]);
        }
    }
    if (r->kernel) {
        r->peer->clReleaseKernel(r->kernel);
    }
    if (r->program) {
        r->peer->clReleaseProgram(r->program);
    }
    g_free(r);
}

bool kernel_peer_value(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes)
{
    return check(r->peer,
                 r->peer->clSetKernelArg(r->kernel, index, bytes, data),
                 "argument");
}

bool kernel_peer_buffer(KernelPeerRun *r, unsigned index, const void *data,
                        size_t bytes)
{
    int32_t error;

    r->buffer[index] = r->peer->clCreateBuffer(r->peer->context,
                                               CL_MEM_READ_WRITE |
                                                   CL_MEM_COPY_HOST_PTR,
                                               bytes, (void *)data, &error);
    return check(r->peer, error, "buffer") &&
           kernel_peer_value(r, index, &r->buffer[index], sizeof(void *));
}

bool kernel_peer_write(KernelPeerRun *r, unsigned index, const void *data,
                       size_t bytes)
{
    KernelPeer *p = r->peer;

    return check(p,
                 p->clEnqueueWriteBuffer(p->queue, r->buffer[index], CL_TRUE, 0,
                                         bytes, data, 0, NULL, NULL),
                 "write");
}

bool kernel_peer_read(KernelPeerRun *r, unsigned index, void *data,
                      size_t bytes)
{
    KernelPeer *p = r->peer;

    return check(p,
                 p->clEnqueueReadBuffer(p->queue, r->buffer[index], CL_TRUE, 0,
                                        bytes, data, 0, NULL, NULL),
                 "read");
}

bool kernel_peer_run(KernelPeerRun *r, const uint32_t global[3],
                     const uint32_t local[3], unsigned times)
{
    KernelPeer *p = r->peer;
    const size_t items[3] = { global[0], global[1], global[2] };
    const size_t group[3] = { local[0], local[1], local[2] };

    for (unsigned i = 0; i < times; i++) {
        if (!check(p,
                   p->clEnqueueNDRangeKernel(p->queue, r->kernel, 3, NULL,
                                             items, group, 0, NULL, NULL),
                   "launch")) {
            return false;
        }
    }
    return check(p, p->clFinish(p->queue), "run");
}
