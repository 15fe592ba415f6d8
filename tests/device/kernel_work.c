/*
 * veu device tests: a compiled kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/kernel_work.h"

/* tests/data/kernels/skl-reduce.zebin, packed. */
extern const uint8_t reduce_packed[];
extern const uint32_t reduce_packed_bytes;

/* The offsets in memory, past those of rounds. */
#define PROGRAM_AT   0x20000
#define MEMORY_AT    0xc0000
/*
 * The memory that a command points at: a surface table, inputs, local ids of a
 * group.
 */
#define RUN_BYTES    0x1000
/* The value of LIMIT_LAUNCH_BYTES. */
#define LAUNCH_BYTES (4u << 20)

void kernel_work_place(const Rig *r, KernelWork *work)
{
    kernel_work_open(r, work);
    g_assert_cmpuint(work->kernel.place_bytes, <,
                     RIG_PROGRAM_BYTES - PROGRAM_AT);
    veu_kernel_place(&work->kernel, work->kernel.program);
}

void kernel_work_open(const Rig *r, KernelWork *work)
{
    g_assert_true(
        veu_kernel_open(&work->kernel, reduce_packed, reduce_packed_bytes));
    work->kernel.program = r->program + PROGRAM_AT;
    work->memory = r->payload + MEMORY_AT;
    work->memory_bytes = RIG_PAYLOAD_BYTES - MEMORY_AT;
}

struct veu_command_load kernel_work_load(const KernelWork *work,
                                         uint32_t handle)
{
    return veu_make_load(0, work->kernel.program, work->kernel.program_bytes,
                         work->kernel.packed->simd, handle);
}

/* A ring that only stores the command. */
static struct veu_command_kernel take_command(struct veu_kernel_run *run,
                                              uint8_t *memory)
{
    struct veu_command_kernel command;
    struct veu_ring_shared shared = { 0 };
    uint8_t slots[64 * VEU_SLOT_BYTES];
    struct veu_ring ring = {
        .config = { .slots = slots, .slot_count = 64, .shared = &shared }
    };

    g_assert_cmpint(veu_kernel_put(run, &ring, 0, memory), ==, VEU_OK);
    g_assert_cmpuint(ring.tail, ==, 3);
    memcpy(&command, slots, sizeof(command));
    return command;
}

struct veu_command_kernel kernel_work_make(const KernelWork *work,
                                           unsigned index, uint32_t handle,
                                           const uint32_t *from, uint32_t *to,
                                           uint32_t words)
{
    static const uint32_t local = KERNEL_WORK_LOCAL;
    struct veu_kernel_run run;

    veu_kernel_begin(&run, &work->kernel, handle, LAUNCH_BYTES);
    veu_kernel_set_buffer(&run, 0, from, words * sizeof(*from));
    veu_kernel_set_buffer(&run, 1, to, words / local * sizeof(*to));
    veu_kernel_set_local(&run, 2, local * sizeof(*from));
    veu_kernel_set_range(&run, 1, &words, &local);
    g_assert_cmpuint(veu_kernel_bytes(&run), <=, RUN_BYTES);
    return take_command(&run,
                        work->memory + index * RUN_BYTES % work->memory_bytes);
}
