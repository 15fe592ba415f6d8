/*
 * veu-bench: a guest that loads programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/veu-bench/kernels.h"
#include "tools/visa/source.h"

#define RAM_BYTES (UINT64_C(1) << 30)
#define GRF_BYTES 32

bool kernel_guest_init(KernelGuest *g, unsigned workers, bool jit)
{
    *g = (KernelGuest){ 0 };
    if (!bench_ram_init(&g->ram, RAM_BYTES)) {
        return false;
    }
    g->device = bench_device_new(&g->ram, workers, jit);
    return g->device;
}

bool kernel_guest_set_pages(KernelGuest *g, uint32_t page_bytes)
{
    uint64_t root = page_bytes ? bench_tables_of_all(&g->ram, page_bytes) : 0;

    if (root) {
        bench_device_use_tables(g->device, root);
    }
    return root || !page_bytes;
}

void kernel_guest_free(KernelGuest *g)
{
    bench_device_free(g->device);
    bench_ram_free(&g->ram);
}

uint64_t kernel_guest_put(KernelGuest *g, const void *data, uint64_t bytes)
{
    uint64_t at = bench_ram_take(&g->ram, MAX(bytes, 1), BENCH_PAGE_BYTES);

    if (at && data) {
        memcpy(bench_ram_at(&g->ram, at), data, bytes);
    } else if (at) {
        memset(bench_ram_at(&g->ram, at), 0, bytes);
    }
    return at;
}

void kernel_guest_push(KernelGuest *g, const void *command, uint32_t slots)
{
    bench_device_push(g->device, command, slots);
}

bool kernel_guest_run(KernelGuest *g, const char *name)
{
    bench_device_run(g->device);
    return bench_device_is_good(g->device, name);
}

bool kernel_guest_load(KernelGuest *g, const GByteArray *program, unsigned simd,
                       uint32_t handle)
{
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = kernel_guest_put(g, program->data, program->len),
        .code_bytes = program->len,
        .program = handle,
        .simd = simd,
    };

    if (!load.code_address) {
        return false;
    }
    kernel_guest_push(g, &load, 1);
    return kernel_guest_run(g, "loading a program");
}

GByteArray *kernel_assemble(const char *text)
{
    VisaError error = { 0 };
    VisaObject *object = visa_source_read((const uint8_t *)text, strlen(text),
                                          GRF_BYTES, &error);
    GByteArray *program = NULL;

    if (object) {
        program = visa_source_program(object, NULL, GRF_BYTES, &error);
    }
    if (!program) {
        g_autofree char *shown = visa_error_show(&error, "program", text);

        tool_error("%s", shown);
    }
    visa_object_free(object);
    return program;
}
