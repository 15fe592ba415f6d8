/*
 * SPDX-License-Identifier: MIT
 *
 * veu client library: compiled kernels, packed by `veu-kernel pack`. The guest
 * library makes the commands; this file handles memory, files and errors.
 */
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "veu/regs.h"
#include "veu_command.h"
#include "veu_kernel.h"

#define LOAD_NS        (10 * VEU_CLIENT_SECOND)
#define HIGHEST_HANDLE 65535u

struct veu_client_kernel {
    struct veu_client *client;
    struct veu_client_kernel *next; /* of the client's */
    void *file;
    struct veu_kernel kernel;
    struct veu_kernel_run run;
    uint32_t handle;
    struct veu_client_buffer place;  /* program and data */
    struct veu_client_buffer memory; /* memory of the run; no bytes: none yet */
    void *values[VEU_KERNEL_ARGS];   /* copies */
    bool has_run;
    bool is_gone;    /* a reset has removed it from the device */
    bool unloading;  /* its last command was UNLOAD */
    bool is_refused; /* its last command was a LOAD that failed */
    uint32_t end;    /* index after its last command */
    uint32_t resets; /* client->resets when that was put */
};

/* --- Load and unload ------------------------------------------------------ */

static int read_file(const char *path, void **data, uint32_t *bytes)
{
    struct stat info = { 0 };
    FILE *file = fopen(path, "rbe");
    int error = file && !fstat(fileno(file), &info) ? 0 : -errno;

    if (!error && (info.st_size <= 0 || info.st_size > VEU_PACKED_MAX_BYTES)) {
        error = -ENOEXEC;
    }
    *bytes = info.st_size;
    *data = error ? NULL : malloc(*bytes);
    if (!error && !*data) {
        error = -ENOMEM;
    }
    if (!error && fread(*data, 1, *bytes, file) != *bytes) {
        error = -ENOEXEC;
    }
    if (file) {
        fclose(file);
    }
    return error;
}

static int open_kernel(struct veu_client_kernel *k, const char *path)
{
    uint32_t bytes;
    int error = read_file(path, &k->file, &bytes);

    if (error) {
        return error;
    }
    return veu_kernel_open(&k->kernel, k->file, bytes) ? 0 : -ENOEXEC;
}

static bool has_handle(const struct veu_client *client, uint32_t handle)
{
    const struct veu_client_kernel *k = client->kernels;

    while (k && k->handle != handle) {
        k = k->next;
    }
    return k;
}

/*
 * Handles are reused only after all have been used. Returns 0 if all are in
 * use; a device has fewer programs than that.
 */
static uint32_t next_handle(struct veu_client *client)
{
    for (unsigned tries = 0; tries < HIGHEST_HANDLE; tries++) {
        client->handles = client->handles % HIGHEST_HANDLE + 1;
        if (!has_handle(client, client->handles)) {
            return client->handles;
        }
    }
    return 0;
}

static int load(struct veu_client_kernel *k)
{
    struct veu_linux_registers registers;
    struct veu_command_load command;
    int error = client_ioctl(k->client, VEU_IOC_REGISTERS, &registers);

    if (error) {
        return error;
    }
    if (!registers.registers[VEU_REG_LIMIT_PROGRAM_MEMORY / 4]) {
        return -EOPNOTSUPP;
    }
    error = veu_client_buffer_create(k->client, k->kernel.place_bytes,
                                     &k->place);
    if (error) {
        return error;
    }
    veu_kernel_place(&k->kernel, k->place.memory);
    k->handle = next_handle(k->client);
    if (!k->handle) {
        return -ENOSPC;
    }
    command = veu_make_load(0, k->kernel.program, k->kernel.program_bytes,
                            k->kernel.packed->simd, k->handle);
    error = veu_client_run(k->client, &command.header, LOAD_NS);
    veu_kernel_begin(&k->run, &k->kernel, k->handle,
                     registers.registers[VEU_REG_LIMIT_LAUNCH_BYTES / 4]);
    return error;
}

static void free_kernel(struct veu_client_kernel *k)
{
    for (unsigned i = 0; i < VEU_KERNEL_ARGS; i++) {
        free(k->values[i]);
    }
    if (k->place.memory) {
        veu_client_buffer_destroy(k->client, &k->place);
    }
    if (k->memory.memory) {
        veu_client_buffer_destroy(k->client, &k->memory);
    }
    free(k->file);
    free(k);
}

static void add(struct veu_client *client, struct veu_client_kernel *k)
{
    k->next = client->kernels;
    client->kernels = k;
}

static void take_out(struct veu_client_kernel *k)
{
    struct veu_client_kernel **at = &k->client->kernels;

    while (*at != k) {
        at = &(*at)->next;
    }
    *at = k->next;
}

/* The device no longer uses their memory. */
void client_kernels_free(struct veu_client *client)
{
    while (client->kernels) {
        struct veu_client_kernel *k = client->kernels;

        client->kernels = k->next;
        free_kernel(k);
    }
}

/* The last command of @k has been put. */
static void set_end(struct veu_client_kernel *k)
{
    k->end = veu_client_tail(k->client);
    k->resets = k->client->resets;
}

/*
 * Returns true if the ring was reset after it, so that nothing of it is under
 * way.
 */
static bool is_lost(const struct veu_client_kernel *k)
{
    return k->resets != k->client->resets;
}

static bool is_done(const struct veu_client_kernel *k)
{
    return is_lost(k) || (int32_t)(veu_client_head(k->client) - k->end) >= 0;
}

/*
 * Frees the memory of a LOAD that failed, which the device may read until then.
 */
static void free_refused(struct veu_client *client)
{
    struct veu_client_kernel *k, *next;

    for (k = client->kernels; k; k = next) {
        next = k->next;
        if (k->is_refused && is_done(k)) {
            take_out(k);
            free_kernel(k);
        }
    }
}

/* If LOAD is in the ring, its memory must remain. */
static void refuse(struct veu_client_kernel *k)
{
    if (veu_client_tail(k->client) == k->end) {
        free_kernel(k);
        return;
    }
    k->is_refused = true;
    set_end(k);
    add(k->client, k);
}

int veu_client_kernel_load(struct veu_client *client, const char *path,
                           struct veu_client_kernel **kernel)
{
    struct veu_client_kernel *k = calloc(1, sizeof(*k));
    int error;

    *kernel = NULL;
    if (!k) {
        return -ENOMEM;
    }
    free_refused(client);
    k->client = client;
    k->resets = client->resets;
    k->end = veu_client_tail(client);
    error = client->has_ring ? open_kernel(k, path) : -EINVAL;
    if (!error) {
        error = load(k);
    }
    if (error) {
        refuse(k);
        return error;
    }
    add(client, k);
    *kernel = k;
    return 0;
}

static int put_unload(struct veu_client_kernel *k)
{
    struct veu_command_unload command = veu_make_unload(0, k->handle);
    int error;

    command.header.flags |= VEU_COMMAND_INTERRUPT;
    error = veu_client_put(k->client, &command.header);
    if (error) {
        return error;
    }
    k->unloading = true;
    set_end(k);
    return veu_client_submit(k->client);
}

/*
 * Returns true if the fault that halted the ring says that the program is not
 * loaded.
 */
static bool was_not_there(const struct veu_client_kernel *k)
{
    const struct veu_linux_faults *faults = &k->client->kept;
    const struct veu_fault_record *last;

    if (client_look_at_faults(k->client) || !faults->count) {
        return false;
    }
    last = &faults->records[faults->count - 1];
    return last->slot == veu_client_head(k->client) &&
           last->code == VEU_FAULT_PROGRAM_HANDLE && last->detail == k->handle;
}

/* Waits for the last command. */
static int finish(struct veu_client_kernel *k, uint64_t timeout_ns)
{
    int error = veu_client_wait(k->client, k->end, timeout_ns);

    if (error == -EIO && was_not_there(k)) {
        k->is_gone = true;
        error = -ESTALE;
    }
    return error;
}

/*
 * The device does not have the program, so the rest of its last run is skipped.
 */
static int skip_rest(struct veu_client_kernel *k)
{
    int error = is_lost(k) ? 0 : veu_client_wait(k->client, k->end, LOAD_NS);

    return error == -EIO ? veu_client_resume(k->client, k->end) : error;
}

static int unload(struct veu_client_kernel *k)
{
    int error = 0;

    if (k->is_gone) {
        return skip_rest(k);
    }
    if (!k->unloading || is_lost(k)) {
        error = put_unload(k);
    }
    return error ? error : finish(k, LOAD_NS);
}

/*
 * Commands are executed in order, so everything that has used the memory is
 * done when UNLOAD is. While that is in the ring, the device may use the
 * memory.
 */
int veu_client_kernel_unload(struct veu_client_kernel *kernel)
{
    int error = kernel ? unload(kernel) : 0;

    if (!kernel || (error && error != -ENODEV)) {
        return error;
    }
    take_out(kernel);
    free_kernel(kernel);
    return error;
}

/* --- Arguments ------------------------------------------------------------ */

/* A refused argument leaves the previous value. */
static int result(struct veu_client_kernel *k, bool good)
{
    if (!good) {
        k->run.failed = false;
    }
    return good ? 0 : -EINVAL;
}

int veu_client_kernel_value(struct veu_client_kernel *kernel, unsigned arg,
                            const void *value, __u32 bytes)
{
    void *copy = malloc(bytes ? bytes : 1);

    if (!copy) {
        return -ENOMEM;
    }
    memcpy(copy, value, bytes);
    if (!veu_kernel_set_value(&kernel->run, arg, copy, bytes)) {
        free(copy);
        return result(kernel, false);
    }
    free(kernel->values[arg]);
    kernel->values[arg] = copy;
    return 0;
}

int veu_client_kernel_buffer(struct veu_client_kernel *kernel, unsigned arg,
                             const volatile void *memory, __u64 bytes)
{
    return result(kernel,
                  veu_kernel_set_buffer(&kernel->run, arg, memory, bytes));
}

int veu_client_kernel_local(struct veu_client_kernel *kernel, unsigned arg,
                            __u32 bytes)
{
    return result(kernel, veu_kernel_set_local(&kernel->run, arg, bytes));
}

/* --- Runs ----------------------------------------------------------------- */

static int make_memory(struct veu_client_kernel *k)
{
    uint64_t bytes = veu_kernel_bytes(&k->run);
    int error;

    if (!bytes || bytes <= k->memory.bytes) {
        return bytes ? 0 : -EINVAL;
    }
    if (k->memory.memory) {
        veu_client_buffer_destroy(k->client, &k->memory);
    }
    error = veu_client_buffer_create(k->client, bytes, &k->memory);
    if (error) {
        k->memory = (struct veu_client_buffer){ 0 };
    }
    return error;
}

/* The last command of a run ends waits. */
static int put(struct veu_client_kernel *k)
{
    const struct veu_command_nop nop = {
        .header = { VEU_COMMAND_NOP, 1, VEU_COMMAND_INTERRUPT },
    };

    if (veu_ring_reserve(&k->client->ring, VEU_KERNEL_SLOTS + 1) ||
        veu_kernel_put(&k->run, &k->client->ring, 0, k->memory.memory)) {
        return -EAGAIN;
    }
    return veu_client_put(k->client, &nop.header);
}

int veu_client_kernel_enqueue(struct veu_client_kernel *kernel,
                              unsigned dimensions, const __u32 *global,
                              const __u32 *local)
{
    int error;

    if (kernel->is_gone) {
        return -ESTALE;
    }
    if (!is_done(kernel) || kernel->unloading) {
        return -EBUSY;
    }
    error = result(kernel, veu_kernel_set_range(&kernel->run, dimensions,
                                                global, local));
    if (!error) {
        error = make_memory(kernel);
    }
    if (!error) {
        error = put(kernel);
    }
    if (error) {
        return error;
    }
    kernel->has_run = true;
    set_end(kernel);
    return veu_client_submit(kernel->client);
}

int veu_client_kernel_wait(struct veu_client_kernel *kernel, __u64 timeout_ns)
{
    if (is_lost(kernel)) {
        return kernel->has_run ? -ECANCELED : 0;
    }
    return finish(kernel, timeout_ns);
}

static void put_char(void *opaque, char c)
{
    putc(c, opaque);
}

int veu_client_kernel_print(const struct veu_client_kernel *kernel, FILE *file)
{
    if (!is_done(kernel)) {
        return -EBUSY;
    }
    return veu_kernel_print(&kernel->run, put_char, file) ? 0 : -ENOSPC;
}
