/* SPDX-License-Identifier: MIT */
/* 16 lanes read the squares of 0 to 15 in reverse order. */
#include <stdio.h>
#include <veu/client.h>
#include "veu_command.h"

int main(void)
{
    _Alignas(64) uint8_t code[256];
    uint32_t *numbers, *result, *payload, *registers, offsets, data;
    struct veu_command_message message;
    struct veu_client_buffer buffer;
    struct veu_program program;
    struct veu_client *client;
    int error;

    if ((error = veu_client_open(&client, NULL)) ||
        (error = veu_client_ring_create(client, NULL)) ||
        (error = veu_client_buffer_create(client, 4096, &buffer))) {
        puts(veu_client_error(error));
        return 1;
    }
    numbers = buffer.memory;
    result = numbers + 16;
    payload = numbers + 32;

    /* gather.4 (M1, 16) T5 0x0:ud V32.0 V33.0 */
    veu_program_begin(&program, code, sizeof(code), 32);
    offsets = veu_program_variable(&program, VEU_TYPE_UD, 16);
    data = veu_program_variable(&program, VEU_TYPE_UD, 16);
    veu_encode_gather(&program.code, 4, veu_m(1, 16), 5, veu_ud(0),
                      veu_v(offsets), veu_v(data));
    veu_make_message(&message, 1, &program, 16);

    payload[0] = ~0u; /* all lanes run */
    registers = (uint32_t *)veu_payload_registers(payload, &program);
    for (unsigned i = 0; i < 16; i++) {
        numbers[i] = i * i;
        registers[i] = 15 - i; /* V32 is the first variable */
    }
    veu_launch_stateless(&message.launch, numbers, 64);
    veu_launch_payload(&message.launch, payload, veu_payload_bytes(&program));
    veu_launch_result(&message.launch, result,
                      veu_program_offset(&program, data), 64);
    error = veu_client_run(client, &message.header, VEU_CLIENT_SECOND);

    for (unsigned i = 0; i < 16 && !error; i++) {
        printf("%u ", result[i]);
    }
    puts(error ? veu_client_error(error) : "");
    veu_client_close(client);
    return error != 0;
}
