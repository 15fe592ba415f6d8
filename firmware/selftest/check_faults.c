/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults: each code is provoked on purpose, its record is compared field by
 * field, and the ring is used again afterwards.
 */
#include "checks.h"
#include "fault_plan.h"

/*
 * The time within which a wait finds the only fault that memory does not show.
 */
#define RING_CONFIG_NS 100000000

/* Compares the record's fields except time, to name the wrong one. */
#define FIELD(name)                                      \
    {                                                    \
#name, offsetof(struct veu_fault_record, name),  \
            sizeof(((struct veu_fault_record *)0)->name) \
    }
static const struct field {
    const char *name;
    unsigned offset;
    unsigned bytes;
} fields[] = {
    FIELD(code),        FIELD(ring),           FIELD(slot),
    FIELD(tag),         FIELD(command),        FIELD(access),
    FIELD(lane),        FIELD(element),        FIELD(group),
    FIELD(thread),      FIELD(message_offset), FIELD(message_opcode),
    FIELD(message_sub), FIELD(reserved),       FIELD(address),
    FIELD(bytes),       FIELD(bytes_done),     FIELD(lanes),
    FIELD(detail),
};

static uint64_t field_value(const struct veu_fault_record *record,
                            const struct field *field)
{
    uint64_t value = 0;

    __builtin_memcpy(&value, (const uint8_t *)record + field->offset,
                     field->bytes);
    return value;
}

static bool same_record(const struct plan *p)
{
    if (!p->got.code) {
        report_fail("no fault");
        return false;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(fields); i++) {
        uint64_t got = field_value(&p->got, &fields[i]);
        uint64_t expected = field_value(&p->expect, &fields[i]);

        if (got != expected) {
            report_fail("record (%s): %s is 0x%lx, expected 0x%lx",
                        veu_fault_name(p->got.code), fields[i].name, got,
                        expected);
            return false;
        }
    }
    return true;
}

static bool works_again(struct bench *b)
{
    struct plan p = { .b = b };
    const uint8_t *data;

    plan_good(&p);
    bench_random_bytes(b, b->arena, DATA_BYTES);
    data = b->result + veu_program_offset(&p.program, p.data);
    return bench_run(b, &p.dispatch.header) == VEU_OK &&
           bench_difference(b->arena, data, 4 * LANES) == 4 * LANES;
}

static void one(struct bench *b, const struct fault_case *c)
{
    struct plan p = {
        .b = b,
        .expect = {
            .code = c->code,
            .lane = VEU_FAULT_NO_LANE,
            .element = VEU_FAULT_NO_LANE,
            .group = VEU_FAULT_NOT_APPLICABLE,
            .thread = VEU_FAULT_NOT_APPLICABLE,
            .message_offset = VEU_FAULT_NOT_APPLICABLE,
        },
    };
    uint64_t start = veu_time(&b->device);

    report_begin("%s: %s", veu_fault_name(c->code), c->how);
    c->provoke(&p);
    if (p.skip) {
        report_skip("%s", p.skip);
    } else if (!same_record(&p)) {
        return;
    } else if (p.got.time < start || p.got.time > veu_time(&b->device)) {
        report_fail("time %lu is not of now", p.got.time);
    } else {
        report_result(works_again(b), "the ring does not work afterwards");
    }
}

/*
 * A ring that cannot be set up has no queue either: only registers report the
 * fault.
 */
static void ring_config(struct bench *b)
{
    unsigned control = veu_ring_register(0, VEU_REG_RING_CONTROL);
    struct veu_ring *ring = &b->ring;
    struct veu_command_nop nop = veu_make_nop(0);
    uint64_t start = veu_time(&b->device);
    enum veu_status status;
    uint32_t state, fault;

    report_begin("RING_CONFIG: 3 slots");
    veu_ring_stop(ring, BENCH_TIMEOUT_NS);
    veu_write32(&b->device, veu_ring_register(0, VEU_REG_RING_SLOTS), 3);
    veu_write32(&b->device, control, VEU_RING_ENABLE);
    bench_put(b, &nop.header);
    status = veu_ring_wait(ring, BENCH_TIMEOUT_NS);
    state = veu_ring_read32(ring, VEU_REG_RING_STATE);
    fault = veu_ring_read32(ring, VEU_REG_RING_LAST_FAULT);
    report_result(status == VEU_FAULTED && state == VEU_RING_HALTED &&
                      fault == VEU_FAULT_RING_CONFIG &&
                      veu_time(&b->device) - start < RING_CONFIG_NS,
                  "wait: %s, state %u, fault %s", veu_status_text(status),
                  state, veu_fault_name(fault));
    bench_start_ring(b, VEU_POLICY_HALT);
}

/* A faulting lane has no effect, and the others complete. */
static void other_lanes(struct bench *b)
{
    struct plan p = { .b = b };
    uint32_t *loaded;
    bool good = true;

    report_begin("a faulting lane leaves the others alone");
    bench_random_bytes(b, b->arena, DATA_BYTES);
    bench_start_ring(b, VEU_POLICY_SKIP_MESSAGE);
    provoke_lane_address(&p);
    loaded = (uint32_t *)(b->result + veu_program_offset(&p.program, p.loaded));
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t expected = 1u << i & p.got.lanes ? 0 :
                                                    ((uint32_t *)b->arena)[i];

        good &= loaded[i] == expected;
    }
    report_result(good, "lanes hold 0x%x 0x%x 0x%x ...", loaded[0], loaded[1],
                  loaded[2]);
}

/*
 * Message 1 faults, message 2 would load, and a fence follows. Returns the
 * effects under a policy: 2 if the message ran, plus 1 if the fence did.
 */
static unsigned effects(struct bench *b, enum veu_policy policy)
{
    struct plan p = { .b = b };
    struct veu_command_fence fence = veu_make_fence(1, b->fence, 77);
    uint32_t *data;

    bench_start_ring(b, policy);
    veu_program_begin(&p.program, b->program, BENCH_PROGRAM_BYTES, 32);
    p.offsets = veu_program_variable(&p.program, VEU_TYPE_UD, LANES);
    p.data = veu_program_variable(&p.program, VEU_TYPE_UD, LANES);
    p.addresses = veu_program_variable(&p.program, VEU_TYPE_UQ, LANES);
    p.loaded = veu_program_variable(&p.program, VEU_TYPE_UD, LANES);
    plan_add_svm_gather(&p);
    plan_add_gather(&p);
    plan_end(&p);
    *(uint64_t *)plan_registers(&p, p.addresses) = BENCH_HOLE;
    __builtin_memset(b->arena, 0x5a, DATA_BYTES);
    __builtin_memset(b->result, 0, p.program.register_bytes);
    *b->fence = 0;
    bench_put(b, &p.dispatch.header);
    bench_put(b, &fence.header);
    veu_ring_submit(&b->ring);
    veu_ring_wait(&b->ring, BENCH_TIMEOUT_NS);
    data = (uint32_t *)(b->result + veu_program_offset(&p.program, p.data));
    return (data[0] == 0x5a5a5a5a ? 2 : 0) + (*b->fence == 77);
}

static void policies(struct bench *b)
{
    static const struct {
        enum veu_policy policy;
        unsigned effects;
        enum veu_ring_state state;
        const char *name;
    } rows[] = {
        { VEU_POLICY_HALT, 0, VEU_RING_HALTED, "halt" },
        { VEU_POLICY_SKIP_MESSAGE, 3, VEU_RING_RUNNING, "skip message" },
        { VEU_POLICY_SKIP_COMMAND, 1, VEU_RING_RUNNING, "skip command" },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        unsigned got = effects(b, rows[i].policy);
        uint32_t state = veu_ring_read32(&b->ring, VEU_REG_RING_STATE);

        report_begin("policy %s", rows[i].name);
        report_result(got == rows[i].effects && state == rows[i].state &&
                          veu_ring_read32(&b->ring, VEU_REG_RING_LAST_FAULT) ==
                              VEU_FAULT_ADDRESS,
                      "next message %s, next command %s, ring state %u",
                      got & 2 ? "ran" : "did not run",
                      got & 1 ? "ran" : "did not run", state);
    }
}

/* Five faults with room for two records. */
static void overflow(struct bench *b)
{
    struct veu_command_nop nop = veu_make_nop(0);
    struct veu_fault_record record;
    const struct veu_ring_shared *shared = b->config.shared;
    unsigned records = 0;
    uint32_t count;

    report_begin("fault queue overflow: 5 faults, 2 records");
    b->config.fault_count = 2;
    bench_start_ring(b, VEU_POLICY_SKIP_COMMAND);
    nop.header.opcode = 0x7f;
    for (nop.header.tag = 100; nop.header.tag < 105; nop.header.tag++) {
        bench_put(b, &nop.header);
    }
    veu_ring_submit(&b->ring);
    veu_ring_wait(&b->ring, BENCH_TIMEOUT_NS);
    while (veu_ring_read_fault(&b->ring, &record)) {
        records += record.tag == 100 + records;
    }
    count = veu_ring_read32(&b->ring, VEU_REG_RING_FAULT_COUNT);
    report_result(records == 2 && shared->fault_overflow == 3 && count == 5,
                  "%u records, overflow %u, FAULT_COUNT %u", records,
                  shared->fault_overflow, count);
    b->config.fault_count = BENCH_FAULTS;
    bench_start_ring(b, VEU_POLICY_HALT);
}

static void all(struct bench *b, const struct fault_case *cases)
{
    for (const struct fault_case *c = cases; c->provoke; c++) {
        one(b, c);
    }
}

void check_faults(struct bench *b)
{
    report_section("faults");
    ring_config(b);
    all(b, ring_fault_cases);
    all(b, program_fault_cases);
    all(b, run_fault_cases);
    other_lanes(b);
    policies(b);
    overflow(b);
}
