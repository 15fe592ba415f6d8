/*
 * veu captures: profiles of programs, added up over launches and threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include "hw/veu/capture/profiler.h"
#include "hw/veu/capture/rules.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "veu/regs.h"

struct VeuProfiler {
    GPtrArray *programs; /* of VeuProfiledProgram */
    /* What the launches that run count in. */
    VeuProfile *open[VEU_MAX_RINGS][VEU_MAX_SLICES];
};

static void free_program(void *program)
{
    g_array_unref(((VeuProfiledProgram *)program)->instructions);
    g_free(program);
}

VeuProfiler *veu_profiler_new(void)
{
    VeuProfiler *p = g_new0(VeuProfiler, 1);

    p->programs = g_ptr_array_new_with_free_func(free_program);
    return p;
}

static void drop(VeuProfiler *p, uint32_t ring)
{
    for (unsigned i = 0; i < VEU_MAX_SLICES; i++) {
        g_clear_pointer(&p->open[ring][i], g_free);
    }
}

void veu_profiler_free(VeuProfiler *p)
{
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        drop(p, i);
    }
    g_ptr_array_unref(p->programs);
    g_free(p);
}

/* Each runner has a place of its own. */
VeuProfile *veu_profiler_open(VeuProfiler *p, uint32_t ring, unsigned runner,
                              const VeuProgram *program)
{
    VeuProfile **open = &p->open[ring][runner];

    if (!*open) {
        void *memory = g_try_malloc0(veu_profile_bytes(program));

        *open = memory ? veu_profile_place(memory, program) : NULL;
    }
    return *open;
}

const GPtrArray *veu_profiler_programs(const VeuProfiler *p)
{
    return p->programs;
}

/* --- Programs ------------------------------------------------------------ */

static VeuProfiledProgram *add_program(VeuProfiler *p, uint64_t hash,
                                       uint32_t code_bytes,
                                       const VeuProgram *program)
{
    VeuProfiledProgram *new;

    if (p->programs->len >= VEU_PROFILER_MAX_PROGRAMS) {
        return NULL;
    }
    new = g_new0(VeuProfiledProgram, 1);
    new->hash = hash;
    new->simd = program->simd;
    new->code_bytes = code_bytes;
    new->instructions = g_array_new(FALSE, TRUE,
                                    sizeof(VeuProfiledInstruction));
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const VeuInstruction *i = &program->instructions[n];
        VeuProfiledInstruction row = {
            .offset = i->offset,
            .name = i->info ? i->info->mnemonic :
                              program->messages[i->target].info->mnemonic,
            .is_message = !i->info,
        };

        g_array_append_val(new->instructions, row);
    }
    g_ptr_array_add(p->programs, new);
    return new;
}

static VeuProfiledProgram *find_program(VeuProfiler *p, uint64_t hash,
                                        uint32_t code_bytes,
                                        const VeuProgram *program)
{
    for (unsigned i = 0; i < p->programs->len; i++) {
        VeuProfiledProgram *known = g_ptr_array_index(p->programs, i);

        if (known->hash == hash && known->code_bytes == code_bytes &&
            known->simd == program->simd &&
            known->instructions->len == program->instruction_count) {
            return known;
        }
    }
    return add_program(p, hash, code_bytes, program);
}

static void add_counts(VeuProfiledProgram *to, const VeuProfile *from)
{
    for (unsigned i = 0; i < to->instructions->len; i++) {
        VeuInstructionCounts *sum =
            &g_array_index(to->instructions, VeuProfiledInstruction, i).counts;
        const VeuInstructionCounts *c = &from->counts[i];

        sum->executions += c->executions;
        sum->lanes += c->lanes;
        sum->divergent += c->divergent;
        sum->bytes += c->bytes;
        sum->lines += c->lines;
        sum->conflicts += c->conflicts;
    }
}

static void end_launch(VeuProfiler *p, VeuDevice *device, uint32_t ring)
{
    VeuProfiledProgram *to = NULL;
    VeuLaunchView view;

    if (!veu_device_view_launch(device, ring, &view) || !view.code) {
        return;
    }
    for (unsigned i = 0; i < VEU_MAX_SLICES; i++) {
        VeuProfile *from = p->open[ring][i];

        if (from && !to) {
            to = find_program(p, veu_capture_hash(view.code, view.code_bytes),
                              view.code_bytes, from->program);
        }
        if (from && to) {
            veu_profile_finish(from);
            add_counts(to, from);
        }
    }
    if (to) {
        to->launches++;
    }
}

/* Others of the device's rings run on while one of them ends a launch. */
void veu_profiler_event(VeuProfiler *p, VeuDevice *device,
                        const VeuEvent *event)
{
    if (!(VEU_PROFILER_EVENTS & 1u << event->kind)) {
        return;
    }
    if (event->kind == VEU_EVENT_COMMAND_END) {
        end_launch(p, device, event->ring);
    }
    if (event->ring != VEU_EVENT_NO_RING) {
        drop(p, event->ring);
        return;
    }
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        drop(p, i);
    }
}

/* --- JSON ---------------------------------------------------------------- */

static void print_instruction(GString *out, const VeuProfiledInstruction *i)
{
    const VeuInstructionCounts *c = &i->counts;

    g_string_append_printf(out,
                           "{\"offset\": %" PRIu32 ", \"instruction\": \"%s\", "
                           "\"executions\": %" PRIu64 ", \"lanes\": %" PRIu64
                           ", \"divergent\": %" PRIu64,
                           i->offset, i->name, c->executions, c->lanes,
                           c->divergent);
    if (i->is_message) {
        g_string_append_printf(out,
                               ", \"bytes\": %" PRIu64
                               ", \"cache_lines\": %" PRIu64
                               ", \"bank_conflicts\": %" PRIu64,
                               c->bytes, c->lines, c->conflicts);
    }
    g_string_append_c(out, '}');
}

static void print_program(GString *out, const VeuProfiledProgram *p)
{
    g_string_append_printf(out,
                           "{\"program\": \"0x%016" PRIx64 "\", \"simd\": "
                           "%" PRIu32 ", \"code_bytes\": %" PRIu32
                           ", \"launches\": %" PRIu64 ", \"profile\": [\n",
                           p->hash, p->simd, p->code_bytes, p->launches);
    for (unsigned i = 0; i < p->instructions->len; i++) {
        g_string_append(out, i ? ",\n" : "");
        print_instruction(out, &g_array_index(p->instructions,
                                              VeuProfiledInstruction, i));
    }
    g_string_append(out, "]}");
}

char *veu_profiler_json(const VeuProfiler *p)
{
    GString *out = g_string_new("{\"programs\": [");

    for (unsigned i = 0; i < p->programs->len; i++) {
        g_string_append(out, i ? ",\n" : "\n");
        print_program(out, g_ptr_array_index(p->programs, i));
    }
    g_string_append(out, "\n]}\n");
    return g_string_free(out, FALSE);
}
