/* SPDX-License-Identifier: MIT */
/* 16 lanes read the targets of 16 pointers of the process. */
#include <stdio.h>
#include <stdlib.h>
#include <veu/client.h>
#include "veu_command.h"

int main(void)
{
    _Alignas(64) uint8_t code[256];
    static const uint32_t constant = 1000;
    uint32_t variable = 2000, result[16], addresses, data;
    uint32_t *numbers = malloc(14 * sizeof(*numbers));
    struct veu_command_message message;
    struct veu_program program;
    struct veu_client *client;
    uint64_t *pointers;
    uint32_t *payload;
    int error;

    if ((error = veu_client_open(&client, NULL)) ||
        (error = veu_client_svm(client)) ||
        (error = veu_client_ring_create(client, NULL))) {
        puts(veu_client_error(error));
        return 1;
    }

    /* svm_gather.4.1 (M1, 16) V32.0 V33.0 */
    veu_program_begin(&program, code, sizeof(code), 32);
    addresses = veu_program_variable(&program, VEU_TYPE_UQ, 16);
    data = veu_program_variable(&program, VEU_TYPE_UD, 16);
    veu_encode_svm_gather(&program.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 16),
                          veu_v(addresses), veu_v(data));
    veu_make_message(&message, 1, &program, 16);

    payload = calloc(1, veu_payload_bytes(&program));
    payload[0] = ~0u; /* all lanes run */
    pointers = (uint64_t *)veu_payload_registers(payload, &program);
    for (unsigned i = 0; i < 14; i++) {
        numbers[i] = i * i;
        pointers[i] = (uintptr_t)&numbers[i];
    }
    pointers[14] = (uintptr_t)&constant;
    pointers[15] = (uintptr_t)&variable;
    veu_launch_payload(&message.launch, payload, veu_payload_bytes(&program));
    veu_launch_result(&message.launch, result,
                      veu_program_offset(&program, data), sizeof(result));
    error = veu_client_run(client, &message.header, VEU_CLIENT_SECOND);

    for (unsigned i = 0; i < 16 && !error; i++) {
        printf("%u ", result[i]);
    }
    puts(error ? veu_client_error(error) : "");
    veu_client_close(client);
    return error != 0;
}
