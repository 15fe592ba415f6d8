/*
 * SPDX-License-Identifier: MIT
 *
 * README's picture, drawn by a compiled kernel: kernels/tracer.cl traces the
 * rays of each pixel, and writes an R8G8B8A8_UNORM image in memory.
 */
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_kernel.h"
#include "veu_port.h"
#include "veu_ring.h"
#include "veu_surfaces.h"
#include "machine.h"

#define WIDTH     800u
#define HEIGHT    500u
#define PITCH     (WIDTH * 4)
#define SECOND_NS (1000ull * 1000 * 1000)
#define HANDLE    1

/* kernels/tracer.cl, compiled, and packed by `veu-kernel pack`. */
extern const uint8_t tracer_packed[];
extern const uint32_t tracer_packed_bytes;

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

static enum veu_status draw(struct veu_ring *ring, struct veu_kernel *kernel,
                            uint8_t *texels)
{
    static const uint32_t global[] = { WIDTH, HEIGHT }, local[] = { 16, 4 };
    struct veu_surface picture =
        veu_surface_2d(texels, VEU_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, PITCH);
    struct veu_command_load load;
    struct veu_kernel_run run;
    enum veu_status status;

    veu_kernel_place(kernel, machine_alloc(kernel->place_bytes, 64));
    load = veu_make_load(1, kernel->program, kernel->program_bytes,
                         kernel->packed->simd, HANDLE);
    veu_ring_put(ring, &load.header);
    veu_kernel_begin(&run, kernel, HANDLE,
                     veu_read32(ring->device, VEU_REG_LIMIT_LAUNCH_BYTES));
    veu_kernel_set_image(&run, 0, &picture);
    veu_kernel_set_range(&run, 2, global, local);
    status = veu_kernel_put(&run, ring, 2,
                            machine_alloc(veu_kernel_bytes(&run), 64));
    if (status) {
        return status;
    }
    veu_ring_submit(ring);
    return veu_ring_wait(ring, 600 * SECOND_NS);
}

/* zlib's CRC-32, for the program that reads the picture from memory. */
static uint32_t crc32(const uint8_t *bytes, uint32_t count)
{
    uint32_t crc = ~0u;

    for (uint32_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

int program_main(const char *command_line)
{
    uint8_t *texels = machine_alloc(HEIGHT * PITCH, 4096);
    struct veu_kernel kernel;
    struct veu_device device;
    struct veu_ring ring;
    enum veu_status status;

    (void)command_line;
    status = veu_open(&device, &(struct veu_open_options){ 0 });
    if (!status) {
        status = start_ring(&ring, &device);
    }
    if (!status &&
        !veu_kernel_open(&kernel, tracer_packed, tracer_packed_bytes)) {
        status = VEU_BAD_CONFIG;
    }
    if (!status) {
        status = draw(&ring, &kernel, texels);
    }
    if (status) {
        machine_print("tracer: %s\n", veu_status_text(status));
        return status;
    }
    machine_print("picture: %ux%u pitch %u at 0x%lx crc32 %08x\n", WIDTH,
                  HEIGHT, PITCH, veu_port_device_address(texels),
                  crc32(texels, HEIGHT * PITCH));
    return 0;
}
