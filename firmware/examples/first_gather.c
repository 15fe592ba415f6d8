/*
 * SPDX-License-Identifier: MIT
 *
 * The shortest program with a gather: 16 numbers, read backwards. README.md
 * walks through it.
 */
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "machine.h"

#define LANES 16

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

/* One message: lane i reads element offsets[i] of the stateless surface. */
static bool make_gather(struct veu_command_message *command, uint32_t *numbers,
                        uint32_t *result, uint8_t *payload)
{
    static uint8_t memory[256];
    struct veu_program program;
    uint32_t offsets, data, *registers;

    veu_program_begin(&program, memory, sizeof(memory), 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    veu_encode_gather(&program.code, 4, veu_m(1, LANES), 5, veu_ud(0),
                      veu_v(offsets), veu_v(data));
    if (!veu_make_message(command, 1, &program, LANES)) {
        return false;
    }
    *(uint32_t *)payload = UINT32_MAX; /* struct veu_payload_header.exec_mask */
    registers = (uint32_t *)veu_payload_registers(payload, &program);
    for (unsigned i = 0; i < LANES; i++) {
        registers[i] = LANES - 1 - i;
    }
    veu_launch_stateless(&command->launch, numbers, LANES * 4);
    veu_launch_payload(&command->launch, payload, veu_payload_bytes(&program));
    veu_launch_result(&command->launch, result,
                      veu_program_offset(&program, data), LANES * 4);
    return true;
}

int program_main(const char *command_line)
{
    uint32_t *numbers = machine_alloc(LANES * 4, 64);
    uint32_t *result = machine_alloc(LANES * 4, 64);
    struct veu_command_message command;
    struct veu_device device;
    struct veu_ring ring;
    enum veu_status status;

    (void)command_line;
    for (unsigned i = 0; i < LANES; i++) {
        numbers[i] = i * i;
    }
    status = veu_open(&device, &(struct veu_open_options){ 0 });
    if (!status) {
        status = start_ring(&ring, &device);
    }
    if (!status &&
        make_gather(&command, numbers, result, machine_alloc(256, 64))) {
        veu_ring_put(&ring, &command.header);
        veu_ring_submit(&ring);
        status = veu_ring_wait(&ring, 1000 * 1000 * 1000);
    }
    machine_print("gather: %s\n", veu_status_text(status));
    for (unsigned i = 0; i < LANES && !status; i++) {
        machine_print("%u ", result[i]);
    }
    machine_print("\n");
    return status;
}
