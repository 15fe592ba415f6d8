/*
 * veu device model: the fields of the command KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rules are those of struct veu_command_kernel in include/veu/ring.h.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/device/group.h"
#include "hw/veu/device/kernel.h"
#include "hw/veu/device/kernel_args.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/range.h"
#include "hw/veu/eu/rule.h"

typedef struct veu_command_kernel Kernel;

static bool bad_program(const Kernel *c, uint32_t *at)
{
    VEU_RULE(Kernel, code_bytes,
             c->code_bytes > VEU_LIMIT_PROGRAM_BYTES ||
                 (c->code_bytes < sizeof(struct veu_program_header) &&
                  !(c->code_bytes == 0 && c->program)));
    VEU_RULE(Kernel, program,
             c->program > (c->code_bytes ? 0 : VEU_HANDLE_MAX));
    VEU_RULE(Kernel, code_address, !c->code_bytes && c->code_address);
    VEU_RULE(Kernel, surface_count, c->surface_count > VEU_LIMIT_SURFACES);
    VEU_RULE(Kernel, slm_bytes, c->slm_bytes > VEU_LIMIT_SLM_BYTES);
    VEU_RULE(Kernel, cross_thread_bytes,
             c->cross_thread_bytes > VEU_LIMIT_REGISTER_BYTES);
    VEU_RULE(Kernel, local_id_bytes,
             c->local_id_bytes > VEU_LIMIT_REGISTER_BYTES);
    return false;
}

static bool bad_grid(const Kernel *c, uint32_t *at)
{
    uint64_t product = 1;

    for (unsigned i = 0; i < 3; i++) {
        VEU_RULE(Kernel, group_count[i],
                 c->group_count[i] == 0 ||
                     c->group_count[i] > VEU_LIMIT_GROUPS);
        VEU_RULE(Kernel, first_group[i],
                 c->first_group[i] > UINT32_MAX - (c->group_count[i] - 1));
        product *= c->group_count[i];
    }
    VEU_RULE(Kernel, group_count, product > VEU_LIMIT_GROUPS);
    VEU_RULE(Kernel, threads,
             c->threads == 0 || c->threads > VEU_LIMIT_THREADS);
    VEU_RULE(Kernel, groups_in_flight, c->groups_in_flight == 0);
    VEU_RULE(Kernel, simd, c->simd != 8 && c->simd != 16 && c->simd != 32);
    return false;
}

/* Every slot's scratch memory is in surface 5. */
static bool bad_stateless(const Kernel *c, uint32_t *at)
{
    uint64_t slots = (uint64_t)veu_kernel_places(c) * c->threads;

    VEU_RULE(Kernel, stateless_bytes,
             c->stateless_bytes > UINT64_C(1) << 32 ||
                 veu_range_wraps(c->stateless_base, c->stateless_bytes));
    VEU_RULE(Kernel, scratch_bytes,
             c->scratch_bytes % VEU_KERNEL_SCRATCH_BYTES ||
                 c->scratch_bytes > c->stateless_bytes / slots);
    return false;
}

/* The rules are those of struct veu_sampler in include/veu/surface.h. */
static bool bad_sampler(const Kernel *c, uint32_t *at)
{
    for (unsigned i = 0; i < VEU_SAMPLERS; i++) {
        const struct veu_sampler *s = &c->samplers[i];

        VEU_RULE(Kernel, samplers[i].filter, s->filter > VEU_FILTER_LINEAR);
        VEU_RULE(Kernel, samplers[i].addressing,
                 s->addressing > VEU_ADDRESSING_MIRROR ||
                     (s->addressing >= VEU_ADDRESSING_REPEAT &&
                      !(s->flags & VEU_SAMPLER_NORMALIZED)));
        VEU_RULE(Kernel, samplers[i].flags, s->flags & ~VEU_SAMPLER_NORMALIZED);
        VEU_RULE(Kernel, samplers[i].reserved, s->reserved);
    }
    return false;
}

bool veu_kernel_bad_field(const Kernel *c, uint32_t *at)
{
    return bad_program(c, at) || bad_grid(c, at) || bad_stateless(c, at) ||
           bad_sampler(c, at);
}

void veu_kernel_to_launch(const Kernel *c, struct veu_launch *launch)
{
    *launch = (struct veu_launch){
        .code_address = c->code_bytes ? c->code_address : c->program,
        .code_bytes = c->code_bytes,
        .simd = c->simd,
        .surface_table = c->surface_table,
        .surface_count = c->surface_count,
        .slm_bytes = c->slm_bytes,
        .exec_mask = UINT32_MAX,
        .threads = c->threads,
        .groups = veu_kernel_groups(c),
        .stateless_base = c->stateless_base,
        .stateless_bytes = c->stateless_bytes,
    };
}

bool veu_kernel_misfit(const Kernel *c, const VeuProgram *program, uint32_t *at)
{
    struct veu_launch launch;

    veu_kernel_to_launch(c, &launch);
    VEU_RULE(Kernel, cross_thread_bytes,
             veu_kernel_image_bytes(c, program) > program->register_bytes);
    VEU_RULE(Kernel, groups_in_flight,
             veu_kernel_places(c) * veu_group_limit_bytes(&launch, program) >
                 VEU_LIMIT_LAUNCH_BYTES);
    return false;
}
