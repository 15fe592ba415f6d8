/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: commands, filled in.
 */
#include "veu_command.h"

#include "veu_port.h"

#define HEADER(op, type, name)                                              \
    {                                                                       \
        .opcode = VEU_COMMAND_##op, .slots = sizeof(type) / VEU_SLOT_BYTES, \
        .tag = (name),                                                      \
    }

struct veu_command_nop veu_make_nop(uint32_t tag)
{
    return (struct veu_command_nop){
        .header = HEADER(NOP, struct veu_command_nop, tag),
    };
}

struct veu_command_fence veu_make_fence(uint32_t tag, volatile uint64_t *to,
                                        uint64_t value)
{
    return (struct veu_command_fence){
        .header = HEADER(FENCE, struct veu_command_fence, tag),
        .address = veu_port_device_address(to),
        .value = value,
    };
}

struct veu_command_wait veu_make_wait(uint32_t tag,
                                      const volatile uint64_t *word,
                                      enum veu_condition condition,
                                      uint64_t value)
{
    return (struct veu_command_wait){
        .header = HEADER(WAIT, struct veu_command_wait, tag),
        .address = veu_port_device_address(word),
        .mask = ~0ull,
        .value = value,
        .condition = condition,
    };
}

struct veu_command_copy veu_make_copy(uint32_t tag, void *to, const void *from,
                                      uint32_t bytes)
{
    return (struct veu_command_copy){
        .header = HEADER(COPY, struct veu_command_copy, tag),
        .source = veu_port_device_address(from),
        .destination = veu_port_device_address(to),
        .bytes = bytes,
    };
}

struct veu_command_fill veu_make_fill(uint32_t tag, void *to, uint64_t pattern,
                                      uint32_t bytes)
{
    return (struct veu_command_fill){
        .header = HEADER(FILL, struct veu_command_fill, tag),
        .pattern = pattern,
        .destination = veu_port_device_address(to),
        .bytes = bytes,
    };
}

struct veu_command_timestamp veu_make_timestamp(uint32_t tag,
                                                volatile uint64_t *to)
{
    return (struct veu_command_timestamp){
        .header = HEADER(TIMESTAMP, struct veu_command_timestamp, tag),
        .address = veu_port_device_address(to),
    };
}

struct veu_command_dispatch veu_make_dispatch(uint32_t tag, const void *program,
                                              uint32_t program_bytes,
                                              unsigned simd)
{
    return (struct veu_command_dispatch) {
        .header = HEADER(DISPATCH, struct veu_command_dispatch, tag),
        .launch = {
            .code_address = veu_port_device_address(program),
            .code_bytes = program_bytes,
            .simd = simd,
            .exec_mask = ~0u,
            .threads = 1,
            .groups = 1,
        },
    };
}

static bool fits_inline(const struct veu_program *program)
{
    for (unsigned i = 0; i < program->predicate_count; i++) {
        if (program->predicates[i].bits != 32) {
            return false;
        }
    }
    return program->code.messages == 1 &&
           program->code.bytes <= VEU_INLINE_BYTES &&
           program->variable_count <= VEU_INLINE_VARIABLES &&
           program->predicate_count <= 8 && !program->address_count;
}

bool veu_make_message(struct veu_command_message *command, uint32_t tag,
                      const struct veu_program *program, unsigned simd)
{
    *command = (struct veu_command_message) {
        .header = HEADER(MESSAGE, struct veu_command_message, tag),
        .launch = {
            .code_bytes = program->code.bytes,
            .simd = simd,
            .grf_bytes = program->grf_bytes,
            .variable_count = program->variable_count,
            .predicate_count = program->predicate_count,
            .exec_mask = ~0u,
            .threads = 1,
            .groups = 1,
        },
    };
    if (!fits_inline(program)) {
        return false;
    }
    __builtin_memcpy(command->variables, program->variables,
                     program->variable_count * sizeof(struct veu_variable));
    __builtin_memcpy(command->message, program->code.memory,
                     program->code.bytes);
    return true;
}

void veu_launch_payload(struct veu_launch *launch, const void *payload,
                        uint32_t bytes)
{
    launch->payload_address = veu_port_device_address(payload);
    launch->payload_bytes = bytes;
    launch->payload_stride = bytes;
}

void veu_launch_result(struct veu_launch *launch, void *result, uint32_t offset,
                       uint32_t bytes)
{
    launch->result_address = veu_port_device_address(result);
    launch->result_bytes = bytes;
    launch->result_stride = bytes;
    launch->result_offset = offset;
}

void veu_launch_surfaces(struct veu_launch *launch,
                         const struct veu_surface *table, uint32_t count)
{
    launch->surface_table = veu_port_device_address(table);
    launch->surface_count = count;
}

void veu_launch_stateless(struct veu_launch *launch, void *base, uint64_t bytes)
{
    launch->stateless_base = veu_port_device_address(base);
    launch->stateless_bytes = bytes;
}

struct veu_command_kernel veu_make_kernel(uint32_t tag, const void *program,
                                          uint32_t program_bytes, unsigned simd)
{
    return (struct veu_command_kernel){
        .header = HEADER(KERNEL, struct veu_command_kernel, tag),
        .code_address = veu_port_device_address(program),
        .code_bytes = program_bytes,
        .group_count = { 1, 1, 1 },
        .threads = 1,
        .last_exec_mask = ~0u,
        .groups_in_flight = 1,
        .simd = simd,
    };
}

struct veu_command_load veu_make_load(uint32_t tag, const void *program,
                                      uint32_t program_bytes, unsigned simd,
                                      uint32_t handle)
{
    return (struct veu_command_load){
        .header = HEADER(LOAD, struct veu_command_load, tag),
        .code_address = veu_port_device_address(program),
        .code_bytes = program_bytes,
        .program = handle,
        .simd = simd,
    };
}

struct veu_command_unload veu_make_unload(uint32_t tag, uint32_t handle)
{
    return (struct veu_command_unload){
        .header = HEADER(UNLOAD, struct veu_command_unload, tag),
        .program = handle,
    };
}

struct veu_command_invalidate veu_make_invalidate(uint32_t tag,
                                                  uint32_t context,
                                                  uint64_t address,
                                                  unsigned log2_pages)
{
    return (struct veu_command_invalidate){
        .header = HEADER(INVALIDATE, struct veu_command_invalidate, tag),
        .range = VEU_INVALIDATE(address, log2_pages),
        .context = context,
    };
}

void veu_dispatch_loaded(struct veu_command_dispatch *command, uint32_t handle)
{
    command->launch.code_address = handle;
    command->launch.code_bytes = 0;
}

void veu_kernel_loaded(struct veu_command_kernel *command, uint32_t handle)
{
    command->code_address = 0;
    command->code_bytes = 0;
    command->program = handle;
}

void veu_kernel_inputs(struct veu_command_kernel *command,
                       const void *local_ids, uint32_t local_id_bytes,
                       const void *cross_thread, uint32_t cross_thread_bytes)
{
    command->local_id_address = veu_port_device_address(local_ids);
    command->local_id_bytes = local_id_bytes;
    command->cross_thread_address = veu_port_device_address(cross_thread);
    command->cross_thread_bytes = cross_thread_bytes;
}

void veu_kernel_surfaces(struct veu_command_kernel *command,
                         const struct veu_surface *table, uint32_t count)
{
    command->surface_table = veu_port_device_address(table);
    command->surface_count = count;
}

void veu_kernel_stateless(struct veu_command_kernel *command, void *base,
                          uint64_t bytes, uint32_t scratch_bytes)
{
    command->stateless_base = veu_port_device_address(base);
    command->stateless_bytes = bytes;
    command->scratch_bytes = scratch_bytes;
}
