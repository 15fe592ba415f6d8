/*
 * veu device model: what the fields of a dispatch or inline message may say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rules are those of struct veu_launch in include/veu/ring.h.
 */
#include <stddef.h>
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/eu/program/payload.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/zero.h"

typedef struct veu_launch Launch;
typedef struct veu_command_message Message;

#define LAUNCH_AT offsetof(struct veu_command_dispatch, launch)
#define BAD(field, condition)           \
    if (condition) {                    \
        return offsetof(Launch, field); \
    }

/* Rules of both commands; offset in the launch, or 0: it is no field's. */
static uint32_t bad_common(const Launch *l)
{
    BAD(simd, l->simd != 8 && l->simd != 16 && l->simd != 32);
    BAD(surface_count, l->surface_count > VEU_LIMIT_SURFACES);
    BAD(slm_bytes, l->slm_bytes > VEU_LIMIT_SLM_BYTES);
    BAD(payload_bytes,
        l->payload_bytes &&
            l->payload_bytes < sizeof(struct veu_payload_header));
    BAD(threads, l->threads == 0 || l->threads > VEU_LIMIT_THREADS);
    BAD(groups, l->groups == 0 || l->groups > VEU_LIMIT_GROUPS);
    BAD(stateless_bytes,
        l->stateless_bytes > UINT64_C(1) << 32 ||
            l->stateless_base + l->stateless_bytes < l->stateless_base);
    return 0;
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

static uint32_t bad_dispatch(const Launch *l)
{
    BAD(code_bytes, l->code_bytes ? is_bad_program(l) : is_bad_handle(l));
    BAD(grf_bytes, l->grf_bytes);
    BAD(variable_count, l->variable_count);
    BAD(predicate_count, l->predicate_count);
    return bad_common(l);
}

static uint32_t bad_inline(const Launch *l)
{
    BAD(code_bytes, l->code_bytes == 0 || l->code_bytes > VEU_INLINE_BYTES);
    BAD(grf_bytes, l->grf_bytes != 32 && l->grf_bytes != 64);
    BAD(variable_count, l->variable_count > VEU_INLINE_VARIABLES);
    BAD(predicate_count, l->predicate_count > VEU_INLINE_PREDICATES);
    return bad_common(l);
}

uint32_t veu_launch_bad_size(const Launch *l, const VeuProgram *program)
{
    /* EU threads of a group run one after the other: none waits. */
    BAD(threads, l->threads > 1 && program->has_barrier);
    BAD(payload_bytes, l->payload_bytes > veu_payload_registers_at(program) +
                                              program->register_bytes);
    BAD(result_offset, l->result_offset > program->register_bytes);
    BAD(result_bytes,
        l->result_bytes > program->register_bytes - l->result_offset);
    return 0;
}
#undef BAD

uint32_t veu_dispatch_bad_field(const struct veu_command_dispatch *command)
{
    uint32_t field = bad_dispatch(&command->launch);

    return field ? LAUNCH_AT + field : 0;
}

/* The first byte at or after @from that should be 0 and is not, or 0. */
static uint32_t bad_rest(const Message *m, uint32_t from, uint32_t end)
{
    const uint8_t *bytes = (const uint8_t *)m;

    if (veu_is_zero(bytes + from, end - from)) {
        return 0;
    }
    while (!bytes[from]) {
        from++;
    }
    return from;
}

uint32_t veu_message_bad_field(const Message *m)
{
    const Launch *l = &m->launch;
    uint32_t field = bad_inline(l);

    if (field) {
        return LAUNCH_AT + field;
    }
    return l->code_address ? LAUNCH_AT : 0;
}

uint32_t veu_message_bad_rest(const Message *m)
{
    const Launch *l = &m->launch;
    uint32_t at = bad_rest(m, offsetof(Message, variables[l->variable_count]),
                           offsetof(Message, message));

    return at ? at :
                bad_rest(m, offsetof(Message, message[l->code_bytes]),
                         sizeof(*m));
}
