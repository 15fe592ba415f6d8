/* SPDX-License-Identifier: MIT */
/*
 * Two faults. A misaligned address is corrected and its message repeated; a
 * message with an address that the client does not have is skipped.
 */
#include <errno.h>
#include <stdio.h>
#include <veu/client.h>
#include "veu_command.h"
#include "veu_fault.h"
#include "veu_port.h"

#define LANES        8
#define BUFFER_BYTES 4096

/* The buffer, with the initial registers. */
struct memory {
    struct veu_payload_header header;
    uint64_t addresses[LANES];
    uint32_t data[LANES];
    uint32_t numbers[LANES];
    uint32_t result[LANES];
};

/* svm_gather.4.1 (M1, 8) V32.0 V33.0: each lane has an address. */
static struct veu_command_message make_message(struct memory *memory)
{
    _Alignas(64) uint8_t code[256];
    struct veu_command_message message;
    struct veu_program program;
    uint32_t addresses, data;

    veu_program_begin(&program, code, sizeof(code), 32);
    addresses = veu_program_variable(&program, VEU_TYPE_UQ, LANES);
    data = veu_program_variable(&program, VEU_TYPE_UD, LANES);
    veu_encode_svm_gather(&program.code, 0, 4, 1, veu_m(1, LANES),
                          veu_v(addresses), veu_v(data));
    veu_make_message(&message, 77, &program, LANES);
    veu_launch_payload(&message.launch, memory, veu_payload_bytes(&program));
    veu_launch_result(&message.launch, memory->result,
                      veu_program_offset(&program, data),
                      sizeof(memory->result));
    return message;
}

static void print_place(const struct memory *memory, uint64_t address)
{
    uint64_t at = address - veu_port_device_address(memory);

    if (at < BUFFER_BYTES) {
        printf("byte %u of the buffer\n", (unsigned)at);
    } else {
        printf("address 0x%llx\n", (unsigned long long)address);
    }
}

/* Takes the record of a fault and explains it. */
static int explain(struct veu_client *client, const struct memory *memory,
                   struct veu_fault_record *fault)
{
    struct veu_linux_faults taken;
    int error = veu_client_faults(client, &taken);

    if (error || !taken.count) {
        return error ? error : -EIO;
    }
    *fault = taken.records[0];
    printf("%s: tag %u, lane %u, ", veu_fault_name(fault->code), fault->tag,
           fault->lane);
    print_place(memory, fault->address);
    printf("%s\n%s\n", veu_fault_cause(fault->code),
           veu_fault_advice(fault->code));
    return 0;
}

/*
 * Lane 5 is off by one byte, so the ring halts. After the correction, the
 * command repeats.
 */
static int repeat(struct veu_client *client, struct memory *memory,
                  struct veu_command_message *message)
{
    struct veu_fault_record fault;
    int error;

    memory->addresses[5]++;
    error = veu_client_run(client, &message->header, VEU_CLIENT_SECOND);
    printf("%s\n", veu_client_error(error));
    error = explain(client, memory, &fault);
    memory->addresses[5]--;
    if (!error) {
        error = veu_client_resume(client, fault.slot);
    }
    if (!error) {
        error = veu_client_wait(client, veu_client_tail(client),
                                VEU_CLIENT_SECOND);
    }
    printf("Lane 5 has read %u.\n", memory->result[5]);
    return error;
}

/*
 * Lane 2 has an address outside of all buffers; memory right after the buffer
 * might be the client's, too. The ring continues with the next command.
 */
static int skip(struct veu_client *client, struct memory *memory,
                struct veu_command_message *message)
{
    uint64_t good = memory->addresses[2];
    struct veu_fault_record fault;
    int error;

    memory->addresses[2] = 0;
    veu_client_run(client, &message->header, VEU_CLIENT_SECOND);
    error = explain(client, memory, &fault);
    if (!error) {
        error = veu_client_skip(client, &fault);
    }
    memory->addresses[2] = good;
    if (!error) {
        error = veu_client_run(client, &message->header, VEU_CLIENT_SECOND);
    }
    printf("Lane 2 has read %u.\n", memory->result[2]);
    return error;
}

static int faults(struct veu_client *client, struct memory *memory)
{
    struct veu_command_message message = make_message(memory);
    int error;

    memory->header.exec_mask = ~0u;
    for (unsigned i = 0; i < LANES; i++) {
        memory->numbers[i] = 100 + i;
        memory->addresses[i] = veu_port_device_address(&memory->numbers[i]);
    }
    error = repeat(client, memory, &message);
    return error ? error : skip(client, memory, &message);
}

int main(void)
{
    struct veu_client_buffer buffer;
    struct veu_client *client;
    int error = veu_client_open(&client, NULL);

    if (!error) {
        error = veu_client_ring_create(client, NULL);
    }
    if (!error) {
        error = veu_client_buffer_create(client, BUFFER_BYTES, &buffer);
    }
    if (!error) {
        error = faults(client, buffer.memory);
    }
    puts(veu_client_error(error));
    veu_client_close(client);
    return error != 0;
}
