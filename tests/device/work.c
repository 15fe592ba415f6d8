/*
 * veu device tests: dispatches with known results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/work.h"

#define GROUPS 2000
#define LANES  8

void work_make(Rig *r, struct veu_command_dispatch *command)
{
    struct veu_program p;
    uint32_t offsets, data, bytes;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                              veu_v(offsets), veu_v(data));
    *command = veu_make_dispatch(7, r->program, veu_program_end(&p), 8);
    bytes = veu_payload_bytes(&p);
    for (unsigned g = 0; g < GROUPS; g++) {
        struct veu_payload_header *header = (void *)(r->payload + g * bytes);
        uint32_t *registers = (uint32_t *)veu_payload_registers(header, &p);

        header->exec_mask = 0xff;
        for (unsigned i = 0; i < LANES; i++) {
            registers[i] = (g * LANES + i) * 4;
            registers[LANES + i] = g * 1000 + i;
        }
    }
    r->surfaces[0] = veu_surface_raw(r->arena, GROUPS * LANES * 4);
    veu_launch_surfaces(&command->launch, r->surfaces, 1);
    veu_launch_payload(&command->launch, r->payload, bytes);
    veu_launch_result(&command->launch, r->result, veu_program_offset(&p, data),
                      LANES * 4);
    command->launch.payload_stride = bytes;
    command->launch.result_stride = LANES * 4;
    command->launch.groups = GROUPS;
}

void work_assert_groups_done(const Rig *r, unsigned groups)
{
    for (unsigned i = 0; i < groups * LANES; i++) {
        uint32_t expected = i / LANES * 1000 + i % LANES;

        g_assert_cmpuint(((uint32_t *)r->arena)[i], ==, expected);
        g_assert_cmpuint(((uint32_t *)r->result)[i], ==, expected);
    }
}

void work_assert_done(const Rig *r)
{
    work_assert_groups_done(r, GROUPS);
}

/* ---- counters ---- */

#define PAGE_BYTES 4096

static uint32_t *counter_at(const Rig *r, unsigned n)
{
    return (uint32_t *)(r->arena + n * PAGE_BYTES);
}

uint32_t work_counter(const Rig *r, unsigned n)
{
    return __atomic_load_n(counter_at(r, n), __ATOMIC_ACQUIRE);
}

static void make_counters(Rig *r, struct veu_command_dispatch *command)
{
    struct veu_program p;
    struct veu_payload_header *header = (void *)r->payload;
    uint64_t *addresses;
    uint32_t variable;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    variable = veu_program_variable(&p, VEU_TYPE_UQ, WORK_COUNTERS);
    veu_encode_svm_atomic(&p.code, 0, VEU_ATOMIC_INC, 32,
                          veu_m(1, WORK_COUNTERS), veu_v(variable), VEU_NULL,
                          VEU_NULL, VEU_NULL);
    *command = veu_make_dispatch(99, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    header->exec_mask = 0xff;
    addresses = (uint64_t *)veu_payload_registers(r->payload, &p);
    for (unsigned i = 0; i < WORK_COUNTERS; i++) {
        addresses[i] = veu_port_device_address(counter_at(r, i));
        *counter_at(r, i) = 0;
    }
    veu_launch_payload(&command->launch, r->payload, veu_payload_bytes(&p));
    command->launch.payload_stride = 0;
    command->launch.threads = r->device.limits.threads;
    command->launch.groups = r->device.limits.groups;
}

void work_put_counters(Rig *r)
{
    struct veu_command_dispatch command;

    make_counters(r, &command);
    rig_put(r, &command.header);
    rig_submit(r);
}

void work_run_counters(Rig *r)
{
    work_put_counters(r);
    VM_WAIT(r->vm, work_counter(r, WORK_COUNTERS - 1), "the counters");
}

void work_assert_moved(Rig *r, unsigned old, unsigned to)
{
    uint32_t left[WORK_COUNTERS], first = work_counter(r, to);

    for (unsigned n = 0; n < WORK_COUNTERS; n++) {
        left[n] = work_counter(r, old + n);
    }
    VM_WAIT(r->vm, work_counter(r, to) != first, "the dispatch");
    for (unsigned n = 0; n < WORK_COUNTERS; n++) {
        g_assert_cmpuint(work_counter(r, old + n), ==, left[n]);
    }
}

void work_assert_pages_move(Rig *r,
                            void (*map)(Vm *vm, const void *memory,
                                        const void *to, IommuAccess access),
                            void (*invalidate)(Vm *vm, IommuScope scope,
                                               const void *memory))
{
    work_run_counters(r);
    for (unsigned i = 0; i < 60; i++) {
        unsigned old = i % 2 * WORK_COUNTERS;
        unsigned to = WORK_COUNTERS - old;
        IommuScope scope = IOMMU_GLOBAL + i % 3;

        for (unsigned n = 0; n < WORK_COUNTERS; n++) {
            uint8_t *page = r->arena + n * IOMMU_PAGE_BYTES;

            map(r->vm, page, page + to * IOMMU_PAGE_BYTES, IOMMU_BOTH);
            if (scope == IOMMU_PAGE) {
                invalidate(r->vm, scope, page);
            }
        }
        if (scope != IOMMU_PAGE) {
            invalidate(r->vm, scope, NULL);
        }
        work_assert_moved(r, old, to);
    }
}
