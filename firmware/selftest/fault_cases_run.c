/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults of execution: lanes, and the memory of payload and result.
 */
#include "fault_plan.h"

/* ---- lanes ---- */

static void svm_program(struct plan *p)
{
    plan_begin(p);
    plan_add_svm_gather(p);
    plan_end(p);
    plan_expect_message(p);
    plan_expect_thread(p);
}

void provoke_lane_address(struct plan *p)
{
    uint64_t *addresses;

    svm_program(p);
    addresses = (void *)plan_registers(p, p->addresses);
    addresses[2] = BENCH_HOLE + 8;
    addresses[5] = 0xfffffffffffffffcull;
    p->expect.lane = 2;
    p->expect.element = 0;
    p->expect.lanes = 1 << 2 | 1 << 5;
    p->expect.bytes_done = 6 * 4;
    plan_expect_address(p, addresses[2], 4, VEU_ACCESS_READ);
    plan_submit_dispatch(p);
}

static void lane_alignment(struct plan *p)
{
    uint64_t *addresses;

    svm_program(p);
    addresses = (void *)plan_registers(p, p->addresses);
    addresses[3] += 2;
    p->expect.lane = 3;
    p->expect.element = 0;
    p->expect.lanes = 1 << 3;
    p->expect.bytes_done = 7 * 4;
    plan_expect_address(p, addresses[3], 4, VEU_ACCESS_READ);
    plan_submit_dispatch(p);
}

/* D data for a UNORM surface, which requires F. */
static void register_type(struct plan *p)
{
    struct veu_texels texels;

    if (!p->b->options.strict) {
        p->skip = "needs a device with strict-types=on and option strict";
        return;
    }
    plan_begin(p);
    p->second = p->program.code.bytes;
    texels = (struct veu_texels){ .u = veu_v(p->offsets) };
    veu_encode_scatter4_typed(&p->program.code, 0, VEU_CHANNEL_R,
                              veu_m(1, LANES), T6 + 1, texels, veu_v(p->data));
    plan_end(p);
    plan_expect_message(p);
    plan_expect_thread(p);
    plan_submit_dispatch(p);
}

/* ---- payload and result ---- */

static void payload_memory(struct plan *p)
{
    plan_good(p);
    p->dispatch.launch.payload_address = BENCH_HOLE;
    plan_expect_thread(p);
    plan_expect_address(p, BENCH_HOLE, p->dispatch.launch.payload_bytes,
                        VEU_ACCESS_READ);
    plan_submit_dispatch(p);
}

static void payload_field(struct plan *p)
{
    plan_good(p);
    ((struct veu_payload_header *)p->b->payload)->reserved[2] = 1;
    plan_expect_thread(p);
    p->expect.detail = offsetof(struct veu_payload_header, reserved[2]);
    plan_submit_dispatch(p);
}

static void result_memory(struct plan *p)
{
    plan_good(p);
    p->dispatch.launch.result_address = BENCH_HOLE;
    plan_expect_thread(p);
    plan_expect_address(p, BENCH_HOLE, p->dispatch.launch.result_bytes,
                        VEU_ACCESS_WRITE);
    plan_submit_dispatch(p);
}

const struct fault_case run_fault_cases[] = {
    { VEU_FAULT_ADDRESS, "lanes 2 and 5 outside RAM", provoke_lane_address },
    { VEU_FAULT_ALIGNMENT, "lane 3 misaligned", lane_alignment },
    { VEU_FAULT_REGISTER_TYPE, "D data, UNORM surface", register_type },
    { VEU_FAULT_PAYLOAD_MEMORY, "payload in a hole", payload_memory },
    { VEU_FAULT_PAYLOAD_FIELD, "reserved word set", payload_field },
    { VEU_FAULT_RESULT_MEMORY, "result in a hole", result_memory },
    { 0 },
};
