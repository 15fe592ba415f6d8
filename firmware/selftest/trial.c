/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A trial: one program with its initial state and its expected final state.
 */
#include "trial.h"

#define UNTOUCHED 0xcd

static void explain(struct trial *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void explain(struct trial *t, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    machine_format(t->reason, sizeof(t->reason), format, arguments);
    va_end(arguments);
}

struct trial *trial_begin(struct bench *bench, const struct shape *shape)
{
    static struct trial trial;
    struct trial *t = &trial;

    t->bench = bench;
    t->shape = *shape;
    t->surface_count = 0;
    t->slm_bytes = 0;
    t->stateless_base = t->stateless_bytes = 0;
    veu_program_begin(&t->program, bench->program, BENCH_PROGRAM_BYTES,
                      shape->grf_bytes);
    t->pred = 0;
    if (shape->predicated) {
        t->pred = veu_program_predicate(&t->program, 32) | shape->pred_flags;
    }
    bench_random_bytes(bench, t->registers, sizeof(t->registers));
    bench_random_bytes(bench, t->arena, sizeof(t->arena));
    __builtin_memcpy(t->expected, t->registers, sizeof(t->expected));
    __builtin_memcpy(t->expected_arena, t->arena, sizeof(t->arena));
    return t;
}

uint32_t trial_variable(struct trial *t, enum veu_type type, unsigned elements)
{
    return veu_program_variable(&t->program, type, elements);
}

void *trial_register(struct trial *t, uint32_t id)
{
    return t->registers + veu_program_offset(&t->program, id);
}

void *trial_expected(struct trial *t, uint32_t id)
{
    return t->expected + veu_program_offset(&t->program, id);
}

uint8_t trial_surface(struct trial *t, struct veu_surface surface)
{
    t->bench->surfaces[t->surface_count] = surface;
    return VEU_FIRST_SURFACE + t->surface_count++;
}

static uint32_t write_payload(struct trial *t)
{
    unsigned predicates = t->program.predicate_count;
    struct veu_payload_header *header = (void *)t->bench->payload;

    *header = (struct veu_payload_header){ .exec_mask = t->shape.exec_mask };
    for (unsigned i = 0; i < predicates; i++) {
        veu_payload_predicates(header)[i] = t->shape.pred_value;
    }
    __builtin_memcpy(veu_payload_registers(header, &t->program), t->registers,
                     t->program.register_bytes);
    return veu_payload_bytes(&t->program);
}

static void fill_launch(struct trial *t, struct veu_launch *launch)
{
    struct bench *b = t->bench;

    veu_launch_payload(launch, b->payload, write_payload(t));
    veu_launch_result(launch, b->result, 0, t->program.register_bytes);
    veu_launch_surfaces(launch, b->surfaces, t->surface_count);
    launch->slm_bytes = t->slm_bytes;
    launch->stateless_base = t->stateless_base;
    launch->stateless_bytes = t->stateless_bytes;
    __builtin_memset(b->result, UNTOUCHED, t->program.register_bytes);
    __builtin_memcpy(b->arena, t->arena, BENCH_ARENA_BYTES);
}

static bool compare(struct trial *t, const char *how)
{
    struct bench *b = t->bench;
    uint32_t bytes = t->program.register_bytes;
    size_t at = bench_difference(b->result, t->expected, bytes);

    if (at < bytes) {
        at &= ~3ul;
        explain(t, "%s: register byte %lu: 0x%08x, expected 0x%08x", how, at,
                *(uint32_t *)(b->result + at), *(uint32_t *)(t->expected + at));
        return false;
    }
    at = bench_difference(b->arena, t->expected_arena, BENCH_ARENA_BYTES);
    if (at < BENCH_ARENA_BYTES) {
        explain(t, "%s: memory byte %lu: 0x%02x, expected 0x%02x", how, at,
                b->arena[at], t->expected_arena[at]);
        return false;
    }
    return true;
}

static bool run(struct trial *t, const struct veu_command_header *command,
                const char *how)
{
    enum veu_status status = bench_run(t->bench, command);
    const struct veu_fault_record *f = &t->bench->fault;

    if (status == VEU_FAULTED) {
        explain(t, "%s: fault %s, lane %u, detail 0x%x, address 0x%lx", how,
                veu_fault_name(f->code), f->lane, f->detail, f->address);
        return false;
    }
    if (status != VEU_OK) {
        explain(t, "%s: %s", how, veu_status_text(status));
        return false;
    }
    return compare(t, how);
}

static bool run_inline(struct trial *t)
{
    struct veu_command_message command;

    if (!veu_make_message(&command, t->bench->tag++, &t->program,
                          t->shape.simd)) {
        return true; /* more than one message, which only a dispatch can hold */
    }
    fill_launch(t, &command.launch);
    return run(t, &command.header, "inline");
}

static bool run_dispatch(struct trial *t)
{
    uint32_t bytes = veu_program_end(&t->program);
    struct veu_command_dispatch command = veu_make_dispatch(
        t->bench->tag++, t->bench->program, bytes, t->shape.simd);

    if (!bytes) {
        explain(t, "the program could not be built");
        return false;
    }
    fill_launch(t, &command.launch);
    return run(t, &command.header, "dispatch");
}

bool trial_run(struct trial *t)
{
    const struct veu_exec *exec = &t->shape.exec;
    char first[TRIAL_REASON_BYTES];

    if (run_inline(t) && run_dispatch(t)) {
        return true;
    }
    __builtin_memcpy(first, t->reason, sizeof(first));
    explain(t, "GRF %u (M%u%s, %u): %s", t->shape.grf_bytes, exec->mask,
            exec->no_mask ? "_NM" : "", exec->lanes, first);
    return false;
}
