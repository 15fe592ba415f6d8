/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults: each code provoked on purpose, its record compared field by field,
 * and the ring used again afterwards.
 */
#include "checks.h"

#define LANES          8
#define DATA_BYTES     256
/* For the one fault that is not told in memory. */
#define RING_CONFIG_NS 100000000

/*
 * The plan of one fault: a good dispatch of two messages, of which a case
 * below spoils something, and the record that must come of it.
 */
struct plan {
    struct bench *b;
    struct veu_program program;
    uint32_t offsets, data, addresses, loaded; /* variables */
    uint32_t second;                           /* offset of message 2 */
    struct veu_command_dispatch dispatch;
    struct veu_fault_record expect;
    struct veu_fault_record got;
    const char *skip; /* why the fault cannot be provoked here */
};

static uint8_t *second_message(struct plan *p)
{
    return p->program.code.memory + p->second;
}

static void add_good_message(struct plan *p)
{
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, 0, 4, veu_m(1, LANES), T6,
                             veu_ud(0), veu_v(p->offsets), veu_v(p->data));
}

static void add_svm_message(struct plan *p)
{
    p->second = p->program.code.bytes;
    veu_encode_svm_gather(&p->program.code, 0, 4, 1, veu_m(1, LANES),
                          veu_v(p->addresses), veu_v(p->loaded));
}

/* Variables and the first message; a case adds the second one. */
static void begin_program(struct plan *p)
{
    struct veu_program *program = &p->program;

    veu_program_begin(program, p->b->program, BENCH_PROGRAM_BYTES, 32);
    p->offsets = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->data = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->addresses = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    p->loaded = veu_program_variable(program, VEU_TYPE_UD, LANES);
    add_good_message(p);
}

static uint8_t *registers(struct plan *p, uint32_t id)
{
    return veu_payload_registers(p->b->payload, &p->program) +
           veu_program_offset(&p->program, id);
}

static void fill_payload(struct plan *p)
{
    struct veu_payload_header *header = (void *)p->b->payload;
    uint32_t *offsets;
    uint64_t *addresses;

    __builtin_memset(header, 0, veu_payload_bytes(&p->program));
    header->exec_mask = 0xff;
    offsets = (void *)registers(p, p->offsets);
    addresses = (void *)registers(p, p->addresses);
    for (unsigned i = 0; i < LANES; i++) {
        offsets[i] = 4 * i;
        addresses[i] = veu_port_device_address(p->b->arena + 4 * i);
    }
}

/* Everything around the program, and what every record says. */
static void end_program(struct plan *p)
{
    struct bench *b = p->b;
    struct veu_launch *launch = &p->dispatch.launch;
    uint32_t bytes = veu_program_end(&p->program);

    p->dispatch = veu_make_dispatch(b->tag++, b->program, bytes, 8);
    fill_payload(p);
    b->surfaces[0] = veu_surface_raw(b->arena, DATA_BYTES);
    b->surfaces[1] = veu_surface_2d(b->arena, VEU_FORMAT_R8G8B8A8_UNORM, 4, 4,
                                    16);
    veu_launch_payload(launch, b->payload, veu_payload_bytes(&p->program));
    veu_launch_result(launch, b->result, 0, p->program.register_bytes);
    veu_launch_surfaces(launch, b->surfaces, 2);
    p->expect.tag = p->dispatch.header.tag;
    p->expect.command = VEU_COMMAND_DISPATCH;
}

static void good_program(struct plan *p)
{
    begin_program(p);
    add_good_message(p);
    end_program(p);
}

static void submit(struct plan *p, const struct veu_command_header *command)
{
    p->expect.slot = p->b->ring.tail;
    if (bench_run(p->b, command) == VEU_FAULTED) {
        p->got = p->b->fault;
    }
}

static void submit_dispatch(struct plan *p)
{
    submit(p, &p->dispatch.header);
}

static void expect_address(struct plan *p, uint64_t address, uint32_t bytes,
                           enum veu_access access)
{
    p->expect.address = address;
    p->expect.bytes = bytes;
    p->expect.access = access;
}

static void expect_message(struct plan *p)
{
    p->expect.message_offset = p->second;
    p->expect.message_opcode = second_message(p)[0];
    if (p->expect.message_opcode == 0x4e) {
        p->expect.message_sub = second_message(p)[1];
    }
}

static void expect_thread(struct plan *p)
{
    p->expect.group = 0;
    p->expect.thread = 0;
}

/* ---- the ring ---- */

/* Enables a ring that bench_start_ring() would refuse, and takes its fault. */
static void start_bad_ring(struct plan *p, const struct veu_ring_config *config)
{
    struct veu_device *device = &p->b->device;
    struct veu_ring *ring = &p->b->ring;
    unsigned control = veu_ring_register(0, VEU_REG_RING_CONTROL);

    veu_write32(device, control, VEU_RING_RESET);
    __builtin_memset(config->shared, 0, sizeof(*config->shared));
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_BASE),
                (uintptr_t)config->slots);
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_SHARED),
                veu_port_device_address(config->shared));
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_FAULTS),
                veu_port_device_address(config->faults));
    veu_write32(device, veu_ring_register(0, VEU_REG_RING_SLOTS),
                config->slot_count);
    veu_write32(device, veu_ring_register(0, VEU_REG_RING_FAULT_RECORDS),
                config->fault_count);
    veu_write32(device, control, VEU_RING_ENABLE);
    ring->tail = 1;
    ring->fault_head = 0;
    veu_ring_submit(ring);
    veu_ring_kick(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

static void ring_memory(struct plan *p)
{
    struct veu_ring_config config = p->b->config;

    config.slots = (void *)BENCH_HOLE;
    expect_address(p, BENCH_HOLE, VEU_SLOT_BYTES, VEU_ACCESS_READ);
    start_bad_ring(p, &config);
}

static void ring_tail_too_far(struct plan *p)
{
    struct veu_ring *ring = &p->b->ring;

    p->expect.slot = ring->tail;
    ring->tail += BENCH_SLOTS + 1;
    veu_ring_submit(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

static void ring_tail_in_command(struct plan *p)
{
    struct veu_ring *ring = &p->b->ring;

    good_program(p);
    p->expect.tag = p->expect.command = 0; /* it is the ring's fault */
    p->expect.slot = ring->tail;
    bench_put(p->b, &p->dispatch.header);
    ring->tail--;
    veu_ring_submit(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

/* ---- commands ---- */

static void command_opcode(struct plan *p)
{
    struct veu_command_nop nop = veu_make_nop(p->b->tag++);

    nop.header.opcode = 0x7f;
    p->expect.command = 0x7f;
    p->expect.tag = nop.header.tag;
    submit(p, &nop.header);
}

static void command_flags(struct plan *p)
{
    struct veu_command_nop nop = veu_make_nop(p->b->tag++);

    nop.header.flags = 0x8000;
    p->expect.tag = nop.header.tag;
    p->expect.detail = offsetof(struct veu_command_header, flags);
    submit(p, &nop.header);
}

static void command_threads(struct plan *p)
{
    good_program(p);
    p->dispatch.launch.threads = 0;
    p->expect.detail = offsetof(struct veu_command_dispatch, launch.threads);
    submit_dispatch(p);
}

static void fence_to(struct plan *p, uint64_t address)
{
    struct veu_command_fence fence = veu_make_fence(p->b->tag++, NULL, 1);

    fence.address = address;
    p->expect.command = VEU_COMMAND_FENCE;
    p->expect.tag = fence.header.tag;
    expect_address(p, address, 8, VEU_ACCESS_WRITE);
    submit(p, &fence.header);
}

static void fence_to_hole(struct plan *p)
{
    fence_to(p, BENCH_HOLE);
}

static void fence_to_rom(struct plan *p)
{
    fence_to(p, 0xfffffff0);
}

static void fence_to_itself(struct plan *p)
{
    fence_to(p, veu_pci_bar_address(p->b->device.function, VEU_BAR_REGS));
}

/* ---- programs ---- */

static void program_memory(struct plan *p)
{
    good_program(p);
    p->dispatch.launch.code_address = BENCH_HOLE;
    expect_address(p, BENCH_HOLE, p->dispatch.launch.code_bytes,
                   VEU_ACCESS_READ);
    submit_dispatch(p);
}

static void program_version(struct plan *p)
{
    struct veu_program_header *header = (void *)p->b->program;

    good_program(p);
    header->version = 99;
    p->expect.detail = offsetof(struct veu_program_header, version);
    submit_dispatch(p);
}

static void program_messages(struct plan *p)
{
    uint32_t messages = p->b->device.limits.messages;
    uint32_t bytes = p->b->device.limits.program_bytes;
    uint8_t *memory = machine_alloc(bytes, 64);
    struct veu_program *program = &p->program;

    begin_program(p);
    veu_program_begin(program, memory, bytes, 32);
    p->addresses = veu_program_variable(program, VEU_TYPE_UQ, LANES);
    p->loaded = veu_program_variable(program, VEU_TYPE_UD, LANES);
    p->offsets = p->addresses;
    for (uint32_t i = 0; i <= messages; i++) {
        add_svm_message(p);
    }
    end_program(p);
    expect_message(p);
    if (!p->dispatch.launch.code_bytes) {
        p->skip = "so many messages are more bytes than a program may have";
        return;
    }
    p->dispatch.launch.code_address = veu_port_device_address(memory);
    submit_dispatch(p);
}

/* ---- messages, refused when the program is loaded ---- */

static void message_opcode(struct plan *p)
{
    good_program(p);
    second_message(p)[0] = 0xff;
    expect_message(p);
    submit_dispatch(p);
}

static void message_truncated(struct plan *p)
{
    struct veu_section *code;

    good_program(p);
    code = (void *)(p->b->program + sizeof(struct veu_program_header));
    code->bytes--;
    expect_message(p);
    p->expect.detail = 26; /* where the code ends */
    submit_dispatch(p);
}

static void message_field(struct plan *p)
{
    good_program(p);
    second_message(p)[5] = 3; /* number of blocks */
    expect_message(p);
    p->expect.detail = 5;
    submit_dispatch(p);
}

static void message_operand(struct plan *p)
{
    begin_program(p);
    p->data = 60; /* not declared */
    add_good_message(p);
    end_program(p);
    expect_message(p);
    p->expect.detail = 21;
    submit_dispatch(p);
}

static void message_predicate(struct plan *p)
{
    uint16_t predicate;

    begin_program(p);
    predicate = veu_program_predicate(&p->program, 8);
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, predicate, 4, veu_m(3, LANES),
                             T6, veu_ud(0), veu_v(p->offsets), veu_v(p->data));
    end_program(p);
    p->dispatch.launch.simd = 16;
    expect_message(p);
    p->expect.detail = 2;
    submit_dispatch(p);
}

static void message_lanes(struct plan *p)
{
    begin_program(p);
    p->second = p->program.code.bytes;
    veu_encode_gather_scaled(&p->program.code, 0, 4, veu_m(3, LANES), T6,
                             veu_ud(0), veu_v(p->offsets), veu_v(p->data));
    end_program(p); /* SIMD 8, but lanes 8 to 15 */
    expect_message(p);
    p->expect.detail = 1;
    submit_dispatch(p);
}

/* ---- surfaces ---- */

static void surface_table(struct plan *p)
{
    good_program(p);
    p->dispatch.launch.surface_table = BENCH_HOLE;
    expect_address(p, BENCH_HOLE, 2 * sizeof(struct veu_surface),
                   VEU_ACCESS_READ);
    submit_dispatch(p);
}

static void surface_field(struct plan *p)
{
    good_program(p);
    p->b->surfaces[1].tiling = 99;
    p->expect.detail = sizeof(struct veu_surface) +
                       offsetof(struct veu_surface, tiling);
    submit_dispatch(p);
}

static void use_surface(struct plan *p, uint8_t surface)
{
    good_program(p);
    second_message(p)[8] = surface;
    expect_message(p);
    expect_thread(p);
    submit_dispatch(p);
}

static void surface_index(struct plan *p)
{
    use_surface(p, T6 + 2);
}

static void surface_kind(struct plan *p)
{
    use_surface(p, T6 + 1); /* an image */
}

static void surface_not_modelled(struct plan *p)
{
    use_surface(p, 4);
}

/* ---- lanes ---- */

static void svm_program(struct plan *p)
{
    begin_program(p);
    add_svm_message(p);
    end_program(p);
    expect_message(p);
    expect_thread(p);
}

static void lane_address(struct plan *p)
{
    uint64_t *addresses;

    svm_program(p);
    addresses = (void *)registers(p, p->addresses);
    addresses[2] = BENCH_HOLE + 8;
    addresses[5] = 0xfffffffffffffffcull;
    p->expect.lane = 2;
    p->expect.element = 0;
    p->expect.lanes = 1 << 2 | 1 << 5;
    p->expect.bytes_done = 6 * 4;
    expect_address(p, addresses[2], 4, VEU_ACCESS_READ);
    submit_dispatch(p);
}

static void lane_alignment(struct plan *p)
{
    uint64_t *addresses;

    svm_program(p);
    addresses = (void *)registers(p, p->addresses);
    addresses[3] += 2;
    p->expect.lane = 3;
    p->expect.element = 0;
    p->expect.lanes = 1 << 3;
    p->expect.bytes_done = 7 * 4;
    expect_address(p, addresses[3], 4, VEU_ACCESS_READ);
    submit_dispatch(p);
}

/* D data for a UNORM surface, which wants F. */
static void register_type(struct plan *p)
{
    struct veu_texels texels;

    if (!p->b->options.strict) {
        p->skip = "needs a device with strict-types=on and option strict";
        return;
    }
    begin_program(p);
    p->second = p->program.code.bytes;
    texels = (struct veu_texels){ .u = veu_v(p->offsets) };
    veu_encode_scatter4_typed(&p->program.code, 0, VEU_CHANNEL_R,
                              veu_m(1, LANES), T6 + 1, texels, veu_v(p->data));
    end_program(p);
    expect_message(p);
    expect_thread(p);
    submit_dispatch(p);
}

/* ---- payload and result ---- */

static void payload_memory(struct plan *p)
{
    good_program(p);
    p->dispatch.launch.payload_address = BENCH_HOLE;
    expect_thread(p);
    expect_address(p, BENCH_HOLE, p->dispatch.launch.payload_bytes,
                   VEU_ACCESS_READ);
    submit_dispatch(p);
}

static void payload_field(struct plan *p)
{
    good_program(p);
    ((struct veu_payload_header *)p->b->payload)->reserved[2] = 1;
    expect_thread(p);
    p->expect.detail = offsetof(struct veu_payload_header, reserved[2]);
    submit_dispatch(p);
}

static void result_memory(struct plan *p)
{
    good_program(p);
    p->dispatch.launch.result_address = BENCH_HOLE;
    expect_thread(p);
    expect_address(p, BENCH_HOLE, p->dispatch.launch.result_bytes,
                   VEU_ACCESS_WRITE);
    submit_dispatch(p);
}

static const struct fault_case {
    enum veu_fault_code code;
    const char *how;
    void (*provoke)(struct plan *);
} cases[] = {
    { VEU_FAULT_RING_TAIL, "more slots than there are", ring_tail_too_far },
    { VEU_FAULT_RING_TAIL, "half a command", ring_tail_in_command },
    { VEU_FAULT_RING_MEMORY, "slots in a hole", ring_memory },
    { VEU_FAULT_COMMAND_OPCODE, "opcode 0x7f", command_opcode },
    { VEU_FAULT_COMMAND_FIELD, "unknown flag", command_flags },
    { VEU_FAULT_COMMAND_FIELD, "no threads", command_threads },
    { VEU_FAULT_COMMAND_MEMORY, "fence into a hole", fence_to_hole },
    { VEU_FAULT_COMMAND_MEMORY, "fence into ROM", fence_to_rom },
    { VEU_FAULT_COMMAND_MEMORY, "fence into registers", fence_to_itself },
    { VEU_FAULT_PROGRAM_MEMORY, "program in a hole", program_memory },
    { VEU_FAULT_PROGRAM_FIELD, "version 99", program_version },
    { VEU_FAULT_PROGRAM_MESSAGES, "one message too many", program_messages },
    { VEU_FAULT_MESSAGE_OPCODE, "opcode 0xff", message_opcode },
    { VEU_FAULT_MESSAGE_TRUNCATED, "a byte short", message_truncated },
    { VEU_FAULT_MESSAGE_FIELD, "number of blocks 3", message_field },
    { VEU_FAULT_MESSAGE_OPERAND, "undeclared variable", message_operand },
    { VEU_FAULT_MESSAGE_PREDICATE, "too few bits", message_predicate },
    { VEU_FAULT_MESSAGE_LANES, "M3 in SIMD 8", message_lanes },
    { VEU_FAULT_SURFACE_TABLE, "table in a hole", surface_table },
    { VEU_FAULT_SURFACE_FIELD, "tiling 99", surface_field },
    { VEU_FAULT_SURFACE_INDEX, "beyond the table", surface_index },
    { VEU_FAULT_SURFACE_KIND, "gather_scaled of an image", surface_kind },
    { VEU_FAULT_SURFACE_NOT_MODELLED, "surface 4", surface_not_modelled },
    { VEU_FAULT_ADDRESS, "lanes 2 and 5 outside RAM", lane_address },
    { VEU_FAULT_ALIGNMENT, "lane 3 misaligned", lane_alignment },
    { VEU_FAULT_REGISTER_TYPE, "D data, UNORM surface", register_type },
    { VEU_FAULT_PAYLOAD_MEMORY, "payload in a hole", payload_memory },
    { VEU_FAULT_PAYLOAD_FIELD, "reserved word set", payload_field },
    { VEU_FAULT_RESULT_MEMORY, "result in a hole", result_memory },
};

/* The record's fields but time, to say which one is wrong. */
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

    good_program(&p);
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

/* A ring that cannot be set up has no queue either: only registers tell. */
static void ring_config(struct bench *b)
{
    unsigned control = veu_ring_register(0, VEU_REG_RING_CONTROL);
    struct veu_ring *ring = &b->ring;
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t state, fault;

    report_begin("RING_CONFIG: 3 slots");
    veu_ring_stop(ring, BENCH_TIMEOUT_NS);
    veu_write32(&b->device, veu_ring_register(0, VEU_REG_RING_SLOTS), 3);
    veu_write32(&b->device, control, VEU_RING_ENABLE);
    bench_put(b, &nop.header);
    veu_ring_wait(ring, RING_CONFIG_NS);
    state = veu_ring_read32(ring, VEU_REG_RING_STATE);
    fault = veu_ring_read32(ring, VEU_REG_RING_LAST_FAULT);
    report_result(state == VEU_RING_HALTED && fault == VEU_FAULT_RING_CONFIG,
                  "state %u, fault %s", state, veu_fault_name(fault));
    bench_start_ring(b, VEU_POLICY_HALT);
}

/* A faulting lane has no effect, the others complete. */
static void other_lanes(struct bench *b)
{
    struct plan p = { .b = b };
    uint32_t *loaded;
    bool good = true;

    report_begin("a faulting lane leaves the others alone");
    bench_random_bytes(b, b->arena, DATA_BYTES);
    bench_start_ring(b, VEU_POLICY_SKIP_MESSAGE);
    lane_address(&p);
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
 * Message 1 faults, message 2 would load; a fence follows. What each policy
 * lets happen: 2 if the message ran, 1 if the fence did.
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
    add_svm_message(&p);
    add_good_message(&p);
    end_program(&p);
    *(uint64_t *)registers(&p, p.addresses) = BENCH_HOLE;
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

/* Five faults, room for two records. */
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

void check_faults(struct bench *b)
{
    report_section("faults");
    ring_config(b);
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        one(b, &cases[i]);
    }
    other_lanes(b);
    policies(b);
    overflow(b);
}
