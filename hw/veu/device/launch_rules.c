/*
 * veu device model: the legal values of fields of dispatches and inline
 * messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rules are those of struct veu_launch in include/veu/ring.h.
 */
#include <stddef.h>
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/eu/program/payload.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/range.h"
#include "hw/veu/eu/rule.h"
#include "hw/veu/eu/zero.h"

typedef struct veu_launch Launch;
typedef struct veu_command_message Message;

#define LAUNCH_AT offsetof(struct veu_command_dispatch, launch)

/* Rules of both commands; @at is an offset in the launch. */
static bool bad_common(const Launch *l, uint32_t *at)
{
    VEU_RULE(Launch, simd, l->simd != 8 && l->simd != 16 && l->simd != 32);
    VEU_RULE(Launch, surface_count, l->surface_count > VEU_LIMIT_SURFACES);
    VEU_RULE(Launch, slm_bytes, l->slm_bytes > VEU_LIMIT_SLM_BYTES);
    VEU_RULE(Launch, payload_bytes,
             l->payload_bytes &&
                 l->payload_bytes < sizeof(struct veu_payload_header));
    VEU_RULE(Launch, threads,
             l->threads == 0 || l->threads > VEU_LIMIT_THREADS);
    VEU_RULE(Launch, groups, l->groups == 0 || l->groups > VEU_LIMIT_GROUPS);
    VEU_RULE(Launch, stateless_bytes,
             l->stateless_bytes > UINT64_C(1) << 32 ||
                 veu_range_wraps(l->stateless_base, l->stateless_bytes));
    return false;
}

static bool is_bad_program(const Launch *l)
{
    return l->code_bytes < sizeof(struct veu_program_header) ||
           l->code_bytes > VEU_LIMIT_PROGRAM_BYTES;
}

static bool is_bad_handle(const Launch *l)
{
    return l->code_address == 0 || l->code_address > VEU_HANDLE_MAX;
}

static bool bad_dispatch(const Launch *l, uint32_t *at)
{
    VEU_RULE(Launch, code_bytes,
             l->code_bytes ? is_bad_program(l) : is_bad_handle(l));
    VEU_RULE(Launch, grf_bytes, l->grf_bytes);
    VEU_RULE(Launch, variable_count, l->variable_count);
    VEU_RULE(Launch, predicate_count, l->predicate_count);
    return bad_common(l, at);
}

static bool bad_inline(const Launch *l, uint32_t *at)
{
    VEU_RULE(Launch, code_bytes,
             l->code_bytes == 0 || l->code_bytes > VEU_INLINE_BYTES);
    VEU_RULE(Launch, grf_bytes, l->grf_bytes != 32 && l->grf_bytes != 64);
    VEU_RULE(Launch, variable_count, l->variable_count > VEU_INLINE_VARIABLES);
    VEU_RULE(Launch, predicate_count,
             l->predicate_count > VEU_INLINE_PREDICATES);
    return bad_common(l, at);
}

bool veu_launch_bad_size(const Launch *l, const VeuProgram *program,
                         uint32_t *at)
{
    /* EU threads of a group run one after another, so none can wait. */
    VEU_RULE(Launch, threads, l->threads > 1 && program->has_barrier);
    VEU_RULE(Launch, payload_bytes,
             l->payload_bytes >
                 veu_payload_registers_at(program) + program->register_bytes);
    VEU_RULE(Launch, result_offset, l->result_offset > program->register_bytes);
    VEU_RULE(Launch, result_bytes,
             l->result_bytes > program->register_bytes - l->result_offset);
    return false;
}

bool veu_dispatch_bad_field(const struct veu_command_dispatch *command,
                            uint32_t *at)
{
    if (bad_dispatch(&command->launch, at)) {
        *at += LAUNCH_AT;
        return true;
    }
    return false;
}

/* Bytes from @from up to @end must be 0. */
static bool bad_rest(const Message *m, uint32_t from, uint32_t end,
                     uint32_t *at)
{
    const uint8_t *bytes = (const uint8_t *)m;

    if (veu_is_zero(bytes + from, end - from)) {
        return false;
    }
    for (*at = from; !bytes[*at]; ++*at) {}
    return true;
}

bool veu_message_bad_field(const Message *m, uint32_t *at)
{
    if (bad_inline(&m->launch, at)) {
        *at += LAUNCH_AT;
        return true;
    }
    VEU_RULE(Message, launch.code_address, m->launch.code_address);
    return false;
}

bool veu_message_bad_rest(const Message *m, uint32_t *at)
{
    const Launch *l = &m->launch;

    return bad_rest(m, offsetof(Message, variables[l->variable_count]),
                    offsetof(Message, message), at) ||
           bad_rest(m, offsetof(Message, message[l->code_bytes]), sizeof(*m),
                    at);
}
