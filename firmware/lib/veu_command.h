/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: commands, filled in. Pass the header of the result to
 * veu_ring_put().
 */
#ifndef VEU_GUEST_COMMAND_H
#define VEU_GUEST_COMMAND_H

#include "veu/veu.h"
#include "veu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

struct veu_command_nop veu_make_nop(uint32_t tag);

/** @to: 8 bytes of driver memory that receive @value. */
struct veu_command_fence veu_make_fence(uint32_t tag, volatile uint64_t *to,
                                        uint64_t value);

/**
 * The ring proceeds to its next command once (*@word & mask) compares with
 * @value as @condition specifies. The caller may change mask (all ones) and
 * timeout_ns (none).
 */
struct veu_command_wait veu_make_wait(uint32_t tag,
                                      const volatile uint64_t *word,
                                      enum veu_condition condition,
                                      uint64_t value);

/** Copies memory, or stores @pattern repeatedly. */
struct veu_command_copy veu_make_copy(uint32_t tag, void *to, const void *from,
                                      uint32_t bytes);
struct veu_command_fill veu_make_fill(uint32_t tag, void *to, uint64_t pattern,
                                      uint32_t bytes);

/** @to: 8 bytes of driver memory that receive the device's time. */
struct veu_command_timestamp veu_make_timestamp(uint32_t tag,
                                                volatile uint64_t *to);

/**
 * A dispatch of one EU thread with all lanes on; the caller adds
 * payload, result, surfaces, threads and groups in the result's launch.
 */
struct veu_command_dispatch veu_make_dispatch(uint32_t tag, const void *program,
                                              uint32_t program_bytes,
                                              unsigned simd);

/**
 * Like veu_make_dispatch(), for one message in the command itself, which is
 * taken with its variables and predicates from @program. Returns false unless
 * that has exactly one message, few enough variables and predicates, only
 * predicates of 32 bits, and no address variables.
 */
bool veu_make_message(struct veu_command_message *command, uint32_t tag,
                      const struct veu_program *program, unsigned simd);

/**
 * Sets the address of the EU threads' payloads, which follow each other without
 * gaps.
 */
void veu_launch_payload(struct veu_launch *launch, const void *payload,
                        uint32_t bytes);

/**
 * Sets the destination of @bytes from byte @offset of the register file,
 * likewise.
 */
void veu_launch_result(struct veu_launch *launch, void *result, uint32_t offset,
                       uint32_t bytes);

/** Sets the surfaces 6, 7, ... */
void veu_launch_surfaces(struct veu_launch *launch,
                         const struct veu_surface *table, uint32_t count);

/** Sets the memory for stateless accesses (surface 5). */
void veu_launch_stateless(struct veu_launch *launch, void *base,
                          uint64_t bytes);

/**
 * A kernel of one group with one EU thread, all of whose lanes run; the caller
 * adds inputs, surfaces, group_count, threads and groups_in_flight.
 */
struct veu_command_kernel veu_make_kernel(uint32_t tag, const void *program,
                                          uint32_t program_bytes,
                                          unsigned simd);

/**
 * Loads a program of launches of @simd lanes. @handle: 1 to VEU_HANDLE_MAX, one
 * that no other program of the context has.
 */
struct veu_command_load veu_make_load(uint32_t tag, const void *program,
                                      uint32_t program_bytes, unsigned simd,
                                      uint32_t handle);

/** Unloads a program, or with handle 0 all programs of the context. */
struct veu_command_unload veu_make_unload(uint32_t tag, uint32_t handle);

/**
 * Drops the device's cached translations of @context's page tables for
 * 2^@log2_pages pages of 4 KiB, the aligned range that contains @address;
 * VEU_INVALIDATE_ALL: all of them. Only for rings whose context is of type 0.
 */
struct veu_command_invalidate veu_make_invalidate(uint32_t tag,
                                                  uint32_t context,
                                                  uint64_t address,
                                                  unsigned log2_pages);

/** Makes the launch run a loaded program, not the one that it was made with. */
void veu_dispatch_loaded(struct veu_command_dispatch *command, uint32_t handle);
void veu_kernel_loaded(struct veu_command_kernel *command, uint32_t handle);

/**
 * Sets the initial registers of EU threads: @local_id_bytes for each thread of
 * a group, and @cross_thread_bytes for all of them.
 */
void veu_kernel_inputs(struct veu_command_kernel *command,
                       const void *local_ids, uint32_t local_id_bytes,
                       const void *cross_thread, uint32_t cross_thread_bytes);

/** Sets the surfaces 6, 7, ... */
void veu_kernel_surfaces(struct veu_command_kernel *command,
                         const struct veu_surface *table, uint32_t count);

/** Sets surface 5, with @scratch_bytes for each slot. */
void veu_kernel_stateless(struct veu_command_kernel *command, void *base,
                          uint64_t bytes, uint32_t scratch_bytes);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_COMMAND_H */
