/*
 * SPDX-License-Identifier: MIT
 *
 * The shortest program with a compiled kernel: an OpenCL kernel reverses 16
 * numbers, and prints. docs/kernels.md walks through it.
 */
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_kernel.h"
#include "veu_ring.h"
#include "machine.h"

#define COUNT     16
#define SECOND_NS (1000ull * 1000 * 1000)
#define HANDLE    1

/* kernels/first_kernel.cl, compiled, and packed by `veu-kernel pack`. */
extern const uint8_t first_kernel_packed[];
extern const uint32_t first_kernel_packed_bytes;

/* Makes a ring of 64 slots for the device's ring 0. */
static enum veu_status start_ring(struct veu_ring *ring,
                                  struct veu_device *device)
{
    const struct veu_ring_config config = {
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(64 * VEU_SLOT_BYTES, 64),
        .slot_count = 64,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };

    return veu_ring_start(ring, device, &config);
}

/* Copies the program and its data into memory, and makes the device load it. */
static void load(struct veu_ring *ring, struct veu_kernel *kernel)
{
    struct veu_command_load command;

    veu_kernel_place(kernel, machine_alloc(kernel->place_bytes, 64));
    command = veu_make_load(1, kernel->program, kernel->program_bytes,
                            kernel->packed->simd, HANDLE);
    veu_ring_put(ring, &command.header);
}

static enum veu_status reverse(struct veu_ring *ring,
                               const struct veu_kernel *kernel,
                               const uint32_t *from, uint32_t *to,
                               struct veu_kernel_run *run)
{
    static const uint32_t count = COUNT, local = 8;
    enum veu_status status;

    veu_kernel_begin(run, kernel, HANDLE,
                     veu_read32(ring->device, VEU_REG_LIMIT_LAUNCH_BYTES));
    veu_kernel_set_buffer(run, 0, from, COUNT * sizeof(*from));
    veu_kernel_set_buffer(run, 1, to, COUNT * sizeof(*to));
    veu_kernel_set_value(run, 2, &count, sizeof(count));
    veu_kernel_set_range(run, 1, &count, &local);
    status = veu_kernel_put(run, ring, 2,
                            machine_alloc(veu_kernel_bytes(run), 64));
    if (status) {
        return status;
    }
    veu_ring_submit(ring);
    return veu_ring_wait(ring, 10 * SECOND_NS);
}

static void put_char(void *opaque, char c)
{
    (void)opaque;
    machine_put_char(c);
}

int program_main(const char *command_line)
{
    uint32_t *from = machine_alloc(COUNT * sizeof(*from), 64);
    uint32_t *to = machine_alloc(COUNT * sizeof(*to), 64);
    struct veu_kernel kernel;
    struct veu_kernel_run run;
    struct veu_device device;
    struct veu_ring ring;
    enum veu_status status;

    (void)command_line;
    for (unsigned i = 0; i < COUNT; i++) {
        from[i] = i * i;
    }
    status = veu_open(&device, &(struct veu_open_options){ 0 });
    if (!status) {
        status = start_ring(&ring, &device);
    }
    if (!status && !veu_kernel_open(&kernel, first_kernel_packed,
                                    first_kernel_packed_bytes)) {
        status = VEU_BAD_CONFIG;
    }
    if (!status) {
        load(&ring, &kernel);
        status = reverse(&ring, &kernel, from, to, &run);
    }
    machine_print("kernel: %s\n", veu_status_text(status));
    if (!status) {
        veu_kernel_print(&run, put_char, NULL);
    }
    for (unsigned i = 0; i < COUNT && !status; i++) {
        machine_print("%u ", to[i]);
    }
    machine_print("\n");
    return status;
}
