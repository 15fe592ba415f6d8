/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults of a program, its messages and its surfaces, before any of it runs.
 */
#include "fault_plan.h"

/* ---- programs ---- */

static void program_memory(struct plan *p)
{
    plan_good(p);
    p->dispatch.launch.code_address = BENCH_HOLE;
    plan_expect_address(p, BENCH_HOLE, p->dispatch.launch.code_bytes,
                        VEU_ACCESS_READ);
    plan_submit_dispatch(p);
}

static void program_version(struct plan *p)
{
    struct veu_program_header *header = (void *)p->b->program;

    plan_good(p);
    header->version = 99;
    p->expect.detail = offsetof(struct veu_program_header, version);
    plan_submit_dispatch(p);
}

static void program_messages(struct plan *p)
{
    uint32_t messages = p->b->device.limits.messages;
    uint32_t bytes = p->b->device.limits.program_bytes;
    uint8_t *memory = machine_alloc(bytes, 64);
    struct veu_program *program = &p->program;

    plan_begin(p);
    veu_program_begin(program, memory, bytes, 32);
    p->addresses = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    p->loaded = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->offsets = p->addresses;
    for (uint32_t i = 0; i <= messages; i++) {
        plan_add_svm_gather(p);
    }
    plan_end(p);
    plan_expect_message(p);
    if (!p->dispatch.launch.code_bytes) {
        p->skip = "the messages would take more bytes than a program may have";
        return;
    }
    p->dispatch.launch.code_address = veu_port_device_address(memory);
    plan_submit_dispatch(p);
}

/* ---- messages, refused when the program is loaded ---- */

static void message_opcode(struct plan *p)
{
    plan_good(p);
    plan_second_message(p)[0] = 0xff;
    plan_expect_message(p);
    plan_submit_dispatch(p);
}

static void message_truncated(struct plan *p)
{
    struct veu_section *code;

    plan_good(p);
    code = (void *)(p->b->program + sizeof(struct veu_program_header));
    code->bytes--;
    plan_expect_message(p);
    p->expect.detail = 26; /* the end of the code */
    plan_submit_dispatch(p);
}

static void message_field(struct plan *p)
{
    plan_good(p);
    plan_second_message(p)[5] = 3; /* the number of blocks */
    plan_expect_message(p);
    p->expect.detail = 5;
    plan_submit_dispatch(p);
}

static void message_operand(struct plan *p)
{
    plan_begin(p);
    p->data = 60; /* a variable that is not declared */
    plan_add_gather(p);
    plan_end(p);
    plan_expect_message(p);
    p->expect.detail = 21;
    plan_submit_dispatch(p);
}

static void message_predicate(struct plan *p)
{
    uint16_t predicate;

    plan_begin(p);
    predicate = veu_program_predicate(&p->program, 8);
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, predicate, 4, veu_m(3, LANES),
                             T6, veu_ud(0), veu_v(p->offsets), veu_v(p->data));
    plan_end(p);
    p->dispatch.launch.simd = 16;
    plan_expect_message(p);
    p->expect.detail = 2;
    plan_submit_dispatch(p);
}

static void message_lanes(struct plan *p)
{
    plan_begin(p);
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, 0, 4, veu_m(3, LANES), T6,
                             veu_ud(0), veu_v(p->offsets), veu_v(p->data));
    plan_end(p); /* SIMD 8, but lanes 8 to 15 */
    plan_expect_message(p);
    p->expect.detail = 1;
    plan_submit_dispatch(p);
}

/* ---- surfaces ---- */

static void surface_table(struct plan *p)
{
    plan_good(p);
    p->dispatch.launch.surface_table = BENCH_HOLE;
    plan_expect_address(p, BENCH_HOLE, 2 * sizeof(struct veu_surface),
                        VEU_ACCESS_READ);
    plan_submit_dispatch(p);
}

static void surface_field(struct plan *p)
{
    plan_good(p);
    p->b->surfaces[0].tiling = 99;
    p->expect.detail = offsetof(struct veu_surface, tiling);
    plan_submit_dispatch(p);
}

static void use_surface(struct plan *p, uint8_t surface)
{
    plan_good(p);
    plan_second_message(p)[8] = surface;
    plan_expect_message(p);
    plan_expect_thread(p);
    plan_submit_dispatch(p);
}

static void surface_index(struct plan *p)
{
    use_surface(p, T6 + 2);
}

static void surface_kind(struct plan *p)
{
    use_surface(p, T6 + 1); /* an image */
}

static void surface_not_modelled(struct plan *p)
{
    use_surface(p, 4);
}

const struct fault_case program_fault_cases[] = {
    { VEU_FAULT_PROGRAM_MEMORY, "program in a hole", program_memory },
    { VEU_FAULT_PROGRAM_FIELD, "version 99", program_version },
    { VEU_FAULT_PROGRAM_MESSAGES, "one message too many", program_messages },
    { VEU_FAULT_MESSAGE_OPCODE, "opcode 0xff", message_opcode },
    { VEU_FAULT_MESSAGE_TRUNCATED, "a byte short", message_truncated },
    { VEU_FAULT_MESSAGE_FIELD, "number of blocks 3", message_field },
    { VEU_FAULT_MESSAGE_OPERAND, "undeclared variable", message_operand },
    { VEU_FAULT_MESSAGE_PREDICATE, "too few bits", message_predicate },
    { VEU_FAULT_MESSAGE_LANES, "M3 in SIMD 8", message_lanes },
    { VEU_FAULT_SURFACE_TABLE, "table in a hole", surface_table },
    { VEU_FAULT_SURFACE_FIELD, "tiling 99", surface_field },
    { VEU_FAULT_SURFACE_INDEX, "beyond the table", surface_index },
    { VEU_FAULT_SURFACE_KIND, "gather_scaled of an image", surface_kind },
    { VEU_FAULT_SURFACE_NOT_MODELLED, "surface 4", surface_not_modelled },
    { 0 },
};
