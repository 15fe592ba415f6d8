/*
 * veu-run: shows the walk through page tables for an address that was not
 * translated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.4.
 */
#include <inttypes.h>
#include "hw/veu/device/host/inspect.h"
#include "tools/veu-run/veu-run.h"

static const char *const reasons[] = {
    [VEU_WALK_NOT_CANONICAL] = "a bit above bit 47 of the address is 1",
    [VEU_WALK_NOT_VALID] = "the entry is not VALID",
    [VEU_WALK_NO_READ] = "the page must not be read",
    [VEU_WALK_NO_WRITE] = "the page must not be written",
    [VEU_WALK_RESERVED] = "a reserved bit of the entry is 1",
    [VEU_WALK_TABLE_MEMORY] = "the table is not in RAM",
    [VEU_WALK_PAGE_MEMORY] = "the page has no RAM at this address",
};

bool run_has_reason(const Run *run, const struct veu_fault_record *r)
{
    uint32_t reason = VEU_WALK_REASON(r->detail);

    switch (r->code) {
    case VEU_FAULT_ADDRESS:
    case VEU_FAULT_COMMAND_MEMORY:
    case VEU_FAULT_PROGRAM_MEMORY:
    case VEU_FAULT_SURFACE_TABLE:
    case VEU_FAULT_PAYLOAD_MEMORY:
    case VEU_FAULT_RESULT_MEMORY:
        return (run->context.root || run->has_tables) && reason &&
               reason < G_N_ELEMENTS(reasons);
    default:
        return false;
    }
}

bool run_has_walk(const Run *run, const struct veu_fault_record *r)
{
    return run->context.root && run_has_reason(run, r);
}

char *run_walk_reason(uint32_t detail)
{
    uint32_t reason = VEU_WALK_REASON(detail);
    uint32_t level = VEU_WALK_LEVEL(detail);
    const char *name = veu_walk_name(reason);

    return level ? g_strdup_printf("%s at level %u: %s", name, level,
                                   reasons[reason]) :
                   g_strdup_printf("%s: %s", name, reasons[reason]);
}

unsigned run_walk(const Run *run, uint64_t address,
                  RunStep steps[VEU_TABLE_LEVELS])
{
    uint64_t table = run->context.root;
    unsigned count = 0;

    if (address >> RUN_VIRTUAL_BITS) {
        return 0;
    }
    for (unsigned level = VEU_TABLE_LEVELS; level; level--) {
        RunStep *step = &steps[count];

        step->level = level;
        step->index = address >> run_page_bits(level) & (VEU_TABLE_ENTRIES - 1);
        step->address = table + step->index * sizeof(step->entry);
        if (!run_memory_find_iova(&run->memory, step->address)) {
            break; /* of a captured launch, which has not read it */
        }
        run_memory_read(&run->memory, step->address, &step->entry,
                        sizeof(step->entry));
        count++;
        if (!(step->entry & VEU_PAGE_VALID)) {
            break;
        }
        table = step->entry & VEU_PAGE_ADDRESS;
    }
    return count;
}

/* "a table", "READ, no WRITE", ... */
static const char *meaning(const RunStep *step)
{
    static const char *const pages[] = { "no READ, no WRITE", "READ, no WRITE",
                                         "no READ, WRITE", "READ, WRITE" };

    if (!(step->entry & VEU_PAGE_VALID)) {
        return "not VALID";
    }
    return step->level > 1 ? "a table" : pages[step->entry / VEU_PAGE_READ % 4];
}

void run_walk_print(const Run *run, GString *out, uint64_t address)
{
    RunStep steps[VEU_TABLE_LEVELS];
    unsigned count = run_walk(run, address, steps);

    for (unsigned i = 0; i < count; i++) {
        const RunStep *s = &steps[i];
        g_autofree char *text = g_strdup_printf("level %u, entry %u: 0x%" PRIx64
                                                ", %s",
                                                s->level, s->index, s->entry,
                                                meaning(s));

        run_append_field(out, i ? "" : "walk", text);
    }
}

void run_walk_json(Run *run, uint64_t address)
{
    RunStep steps[VEU_TABLE_LEVELS];
    unsigned count = run_walk(run, address, steps);
    Json *j = &run->json;

    json_array(j, "walk");
    for (unsigned i = 0; i < count; i++) {
        json_row(j, NULL);
        json_uint(j, "level", steps[i].level);
        json_uint(j, "index", steps[i].index);
        json_uint(j, "address", steps[i].address);
        json_uint(j, "entry", steps[i].entry);
        json_string(j, "meaning", meaning(&steps[i]));
        json_end(j);
    }
    json_end(j);
}
