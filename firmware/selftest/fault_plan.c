/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A legal dispatch of two messages with one error.
 */
#include "fault_plan.h"

uint8_t *plan_second_message(struct plan *p)
{
    return p->program.code.memory + p->second;
}

void plan_add_gather(struct plan *p)
{
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, 0, 4, veu_m(1, LANES), T6,
                             veu_ud(0), veu_v(p->offsets), veu_v(p->data));
}

void plan_add_svm_gather(struct plan *p)
{
    p->second = p->program.code.bytes;
    veu_encode_svm_gather(&p->program.code, 0, 4, 1, veu_m(1, LANES),
                          veu_v(p->addresses), veu_v(p->loaded));
}

void plan_begin(struct plan *p)
{
    struct veu_program *program = &p->program;

    veu_program_begin(program, p->b->program, BENCH_PROGRAM_BYTES, 32);
    p->offsets = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->data = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->addresses = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    p->loaded = veu_program_variable(program, VEU_TYPE_UD, LANES);
    plan_add_gather(p);
}

uint8_t *plan_registers(struct plan *p, uint32_t id)
{
    return veu_payload_registers(p->b->payload, &p->program) +
           veu_program_offset(&p->program, id);
}

static void fill_payload(struct plan *p)
{
    struct veu_payload_header *header = (void *)p->b->payload;
    uint32_t *offsets;
    uint64_t *addresses;

    __builtin_memset(header, 0, veu_payload_bytes(&p->program));
    header->exec_mask = 0xff;
    offsets = (void *)plan_registers(p, p->offsets);
    addresses = (void *)plan_registers(p, p->addresses);
    for (unsigned i = 0; i < LANES; i++) {
        offsets[i] = 4 * i;
        addresses[i] = veu_port_device_address(p->b->arena + 4 * i);
    }
}

void plan_end(struct plan *p)
{
    struct bench *b = p->b;
    struct veu_launch *launch = &p->dispatch.launch;
    uint32_t bytes = veu_program_end(&p->program);

    p->dispatch = veu_make_dispatch(b->tag++, b->program, bytes, 8);
    fill_payload(p);
    b->surfaces[0] = veu_surface_raw(b->arena, DATA_BYTES);
    b->surfaces[1] = veu_surface_2d(b->arena, VEU_FORMAT_R8G8B8A8_UNORM, 4, 4,
                                    16);
    veu_launch_payload(launch, b->payload, veu_payload_bytes(&p->program));
    veu_launch_result(launch, b->result, 0, p->program.register_bytes);
    veu_launch_surfaces(launch, b->surfaces, 2);
    p->expect.tag = p->dispatch.header.tag;
    p->expect.command = VEU_COMMAND_DISPATCH;
}

void plan_good(struct plan *p)
{
    plan_begin(p);
    plan_add_gather(p);
    plan_end(p);
}

void plan_submit(struct plan *p, const struct veu_command_header *command)
{
    p->expect.slot = p->b->ring.tail;
    if (bench_run(p->b, command) == VEU_FAULTED) {
        p->got = p->b->fault;
    }
}

void plan_submit_dispatch(struct plan *p)
{
    plan_submit(p, &p->dispatch.header);
}

void plan_expect_address(struct plan *p, uint64_t address, uint32_t bytes,
                         enum veu_access access)
{
    p->expect.address = address;
    p->expect.bytes = bytes;
    p->expect.access = access;
}

void plan_expect_message(struct plan *p)
{
    p->expect.message_offset = p->second;
    p->expect.message_opcode = plan_second_message(p)[0];
    if (p->expect.message_opcode == 0x4e) {
        p->expect.message_sub = plan_second_message(p)[1];
    }
}

void plan_expect_thread(struct plan *p)
{
    p->expect.group = 0;
    p->expect.thread = 0;
}
