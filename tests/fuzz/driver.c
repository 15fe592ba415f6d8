/*
 * veu fuzzers: a device model that a driver has set up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/driver.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/program_builder.h"

/* A program with a message of each kind, and their encodings for inline use. */
static uint8_t program[PROGRAM_MAX_BYTES];
static uint32_t program_bytes;
static TestCode messages[TEST_KINDS];

/* As many variables as an inline message may have, each large enough. */
static const struct veu_variable variables[VEU_INLINE_VARIABLES] = {
    { .offset = 0, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 1024, .elements = 512, .type = VEU_TYPE_UD },
    { .offset = 0, .elements = 128, .type = VEU_TYPE_UQ },
    { .offset = 256, .elements = 192, .type = VEU_TYPE_UD },
    { .offset = 512, .elements = 128, .type = VEU_TYPE_UD },
    { .offset = 2048, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 3072, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 1024, .elements = 256, .type = VEU_TYPE_UQ },
};
enum {
    V_OFFSETS = 32,
    V_DATA,
    V_QWORDS,
    V_V,
    V_R,
    V_SRC0,
    V_SRC1,
    V_QW_DATA
};

static TestMessage message_of(TestKind kind)
{
    TestMessage m = eu_message(kind);

    m.address.id = m.address.id == EU_ADDRESSES ? V_QWORDS : V_OFFSETS;
    m.v = (TestRaw){ V_V, 0 };
    m.r = (TestRaw){ V_R, 0 };
    m.src0.id = V_SRC0;
    m.src1.id = V_SRC1;
    m.data.id = m.data.id == EU_QW_DATA ? V_QW_DATA : V_DATA;
    m.surface = test_kind_has(kind, TEST_FIELD_V) ? 7 : 6;
    return m;
}

static void make_program(void)
{
    TestProgram p;

    test_program_init(&p);
    p.header.register_bytes = 4096;
    for (unsigned i = 0; i < VEU_INLINE_VARIABLES; i++) {
        test_program_variable(&p, variables[i].offset, variables[i].elements,
                              variables[i].type);
    }
    test_program_predicate(&p, 32);
    test_program_address(&p, 4);
    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = message_of(kind);

        messages[kind] = test_encode(&m);
        test_program_add(&p, &m);
    }
    program_bytes = test_program_build(&p, program);
}

FuzzDriver *fuzz_driver_new(void)
{
    static const VeuDeviceConfig config = {
        .rings = FUZZ_RINGS,
        .vectors = FUZZ_VECTORS,
        .doorbell_stride_bytes = 4096,
        .eu = { .check = true },
    };
    FuzzDriver *d = g_new0(FuzzDriver, 1);

    fuzz_host_init(&d->host);
    d->device = veu_device_new(&config, &d->host.host);
    d->other = veu_device_new(&config, &d->host.host);
    g_assert_true(d->device && d->other);
    make_program();
    return d;
}

void fuzz_driver_reset(FuzzDriver *d, const uint8_t *data, size_t bytes)
{
    uint8_t how;

    d->in = (FuzzInput){ data, bytes };
    how = fuzz_u8(&d->in);
    fuzz_host_reset(&d->host, how & 1);
    veu_device_reset(d->device);
    memset(d->tail, 0, sizeof(d->tail));
    if (how & 2) {
        d->host.race = fuzz_u32(&d->in);
    }
}

void fuzz_set(FuzzDriver *d, unsigned ring, uint32_t reg, uint64_t value)
{
    veu_device_write(d->device,
                     VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg, value,
                     dev_ring_register_bytes(reg));
}

uint64_t fuzz_get(FuzzDriver *d, unsigned ring, uint32_t reg)
{
    return veu_device_read(d->device,
                           VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg,
                           dev_ring_register_bytes(reg));
}

/* A buffer, an image, an image in tiles, and shared local memory. */
static void store_surfaces(FuzzDriver *d, unsigned ring)
{
    struct veu_surface s[FUZZ_SURFACES] = {
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_RAW,
          .type = VEU_SURFACE_BUFFER,
          .width = 4096 },
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_R8G8B8A8_UNORM,
          .type = VEU_SURFACE_2D,
          .width = 32,
          .height = 16,
          .depth = 1,
          .levels = 1,
          .halign = 4,
          .valign = 4,
          .pitch = 128 },
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_R32_UINT,
          .type = VEU_SURFACE_2D,
          .tiling = VEU_TILING_Y,
          .width = 32,
          .height = 32,
          .depth = 1,
          .levels = 1,
          .halign = 4,
          .valign = 4,
          .pitch = 128 },
        { .format = VEU_FORMAT_RAW,
          .type = VEU_SURFACE_BUFFER,
          .flags = VEU_SURFACE_SLM,
          .width = 256 },
    };

    fuzz_store(&d->host, FUZZ_TABLE(ring), s, sizeof(s));
}

/* Header, a predicate, addresses, then registers: small numbers in all. */
static void store_payload(FuzzDriver *d, unsigned ring)
{
    uint32_t payload[0x800 / 4] = { UINT32_MAX };

    for (unsigned i = 16; i < G_N_ELEMENTS(payload); i++) {
        payload[i] = i * 4 % 64;
    }
    fuzz_store(&d->host, FUZZ_PAYLOAD(ring), payload, sizeof(payload));
}

void fuzz_set_up(FuzzDriver *d, unsigned ring, uint32_t context)
{
    store_surfaces(d, ring);
    store_payload(d, ring);
    fuzz_store(&d->host, FUZZ_PROGRAM(ring), program, program_bytes);
    fuzz_set(d, ring, VEU_REG_RING_BASE, FUZZ_RING(ring));
    fuzz_set(d, ring, VEU_REG_RING_SHARED, FUZZ_SHARED(ring));
    fuzz_set(d, ring, VEU_REG_RING_FAULTS, FUZZ_FAULTS(ring));
    fuzz_set(d, ring, VEU_REG_RING_SLOTS, FUZZ_SLOTS);
    fuzz_set(d, ring, VEU_REG_RING_FAULT_RECORDS, FUZZ_RECORDS);
    fuzz_set(d, ring, VEU_REG_RING_CONTEXT, context);
    fuzz_set(d, ring, VEU_REG_RING_VECTOR, ring);
    fuzz_set(d, ring, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    fuzz_set(d, ring, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

/* Commands as a driver would write them. */
typedef union FuzzCommand {
    struct veu_command_header header;
    struct veu_command_message message;
    struct veu_command_dispatch dispatch;
    struct veu_command_fence fence;
    struct veu_command_wait wait;
    struct veu_command_copy copy;
    struct veu_command_fill fill;
    uint8_t bytes[4 * VEU_SLOT_BYTES];
} FuzzCommand;

static struct veu_launch launch_of(unsigned ring)
{
    return (struct veu_launch){
        .code_address = FUZZ_PROGRAM(ring),
        .code_bytes = program_bytes,
        .simd = 16,
        .surface_table = FUZZ_TABLE(ring),
        .surface_count = FUZZ_SURFACES,
        .slm_bytes = 256,
        .payload_address = FUZZ_PAYLOAD(ring),
        .payload_bytes = 0x800,
        .result_address = FUZZ_DATA(ring) + 0x1000,
        .result_bytes = 256,
        .exec_mask = UINT32_MAX,
        .threads = 1,
        .groups = 1,
        .stateless_base = FUZZ_DATA(ring),
        .stateless_bytes = 8192,
    };
}

static void make_message(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    const TestCode *code = &messages[fuzz_u8(&d->in) % TEST_KINDS];

    c->message.launch = launch_of(ring);
    c->message.launch.code_address = 0;
    c->message.launch.code_bytes = code->count;
    c->message.launch.grf_bytes = 32;
    c->message.launch.variable_count = VEU_INLINE_VARIABLES;
    memcpy(c->message.variables, variables, sizeof(variables));
    memcpy(c->message.message, code->bytes, code->count);
}

static void make_dispatch(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    uint8_t shape = fuzz_u8(&d->in);

    c->dispatch.launch = launch_of(ring);
    c->dispatch.launch.threads = 1 + shape % 4;
    c->dispatch.launch.groups = 1 + shape / 4 % 4;
}

static void make_address(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->fence.address = FUZZ_DATA(ring) + (fuzz_u16(&d->in) & 0x1ff8);
}

static void make_copy(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->copy.source = FUZZ_DATA(ring) + fuzz_u16(&d->in) % 0x2000;
    c->copy.destination = FUZZ_DATA(ring) + fuzz_u16(&d->in) % 0x2000;
    c->copy.bytes = fuzz_u16(&d->in) % 0x1000;
}

/* docs/spec.md, "Commands": number, slots. */
static const struct {
    uint8_t slots;
    void (*make)(FuzzDriver *d, unsigned ring, FuzzCommand *c);
} commands[] = {
    { 1, NULL },         { 4, make_message }, { 2, make_dispatch },
    { 1, make_address }, { 1, make_address }, { 1, make_address },
    { 1, make_copy },    { 1, make_copy },    { 1, NULL },
};

/* Somewhere in it: a byte, a word, a number that is often just wrong. */
static void change(FuzzInput *in, uint8_t *bytes, uint32_t count)
{
    static const uint64_t numbers[] = { 0,          1,        UINT32_MAX,
                                        UINT64_MAX, FUZZ_TOP, FUZZ_ROM,
                                        FUZZ_RAM,   0x8000000 };
    uint8_t how = fuzz_u8(in);
    uint32_t at = fuzz_u16(in) % count;
    uint64_t value = how & 8 ? numbers[how >> 5] : fuzz_u64(in);
    uint32_t size = 1u << (how & 3);

    memcpy(bytes + at, &value, MIN(size, count - at));
}

static void change_some(FuzzInput *in, uint8_t *bytes, uint32_t count)
{
    for (unsigned n = fuzz_u8(in) % 4; n; n--) {
        change(in, bytes, count);
    }
}

void fuzz_push_command(FuzzDriver *d, unsigned ring)
{
    unsigned opcode = fuzz_u8(&d->in) % G_N_ELEMENTS(commands);
    FuzzCommand c = { 0 };

    c.header.opcode = opcode;
    c.header.slots = commands[opcode].slots;
    if (commands[opcode].make) {
        commands[opcode].make(d, ring, &c);
    }
    change_some(&d->in, c.bytes, commands[opcode].slots * VEU_SLOT_BYTES);
    for (unsigned i = 0; i < commands[opcode].slots; i++) {
        uint32_t slot = d->tail[ring]++ % FUZZ_SLOTS;

        fuzz_store(&d->host, FUZZ_RING(ring) + slot * VEU_SLOT_BYTES,
                   c.bytes + i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
    fuzz_store(&d->host, FUZZ_SHARED(ring), &d->tail[ring], 4);
}

void fuzz_change_memory(FuzzDriver *d, unsigned ring)
{
    /* Parts that are not zero, so that a change means something. */
    static const uint32_t parts[] = { 0x0000, 0x0800, 0x0c00, 0x1000,
                                      0x2000, 0x2040, 0x3000, 0x3060,
                                      0x3100, 0x5000, 0x6000 };
    uint32_t part = parts[fuzz_u8(&d->in) % G_N_ELEMENTS(parts)];
    uint8_t bytes[128];

    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = *fuzz_byte(&d->host, FUZZ_HALF(ring) + part + i);
    }
    change_some(&d->in, bytes, sizeof(bytes));
    fuzz_store(&d->host, FUZZ_HALF(ring) + part, bytes, sizeof(bytes));
}

void fuzz_step(FuzzDriver *d, unsigned ring)
{
    veu_ring_step(d->device, ring, 1 + fuzz_u8(&d->in));
}

void fuzz_settle(FuzzDriver *d)
{
    for (unsigned n = 0; n < 64; n++) {
        uint64_t ready = veu_device_ready(d->device);

        if (!ready) {
            break;
        }
        veu_ring_step(d->device, veu_device_pick(d->device, ready), 256);
    }
    veu_scanout_step(d->device, 64);
}
