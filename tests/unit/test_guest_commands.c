/*
 * veu unit tests: what the guest library writes into memory and registers:
 * veu_command.h, veu_surfaces.h, veu_scanout.h, veu_fault.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses of the device are those of the process, moved by OFFSET.
 */
#include <glib.h>
#include <string.h>
#include "firmware/lib/veu_command.h"
#include "firmware/lib/veu_encode_buffer.h"
#include "firmware/lib/veu_fault.h"
#include "firmware/lib/veu_guest.h"
#include "firmware/lib/veu_port.h"
#include "firmware/lib/veu_scanout.h"
#include "firmware/lib/veu_surfaces.h"
#include "tests/lib/ref_surface.h"

#define OFFSET UINT64_C(0x7000000000000000)
#define TAG    0x12345678

/* --- A device that is only registers ------------------------------------- */

static struct {
    const struct veu_device *device;
    uint32_t scanout[64];
    uint64_t surface; /* SCANOUT_SURFACE */
    uint64_t now_ns;
    unsigned flips;
    unsigned looks_until_done;
} device_regs;

uint64_t veu_port_device_address(const volatile void *memory)
{
    return OFFSET + (uintptr_t)memory;
}

void veu_port_relax(void)
{
    device_regs.now_ns += 10;
}

uint64_t veu_time(const struct veu_device *device)
{
    return device_regs.now_ns;
}

static uint32_t *scanout_reg(unsigned offset)
{
    g_assert_cmphex(offset, >=, 0xc000);
    g_assert_cmphex(offset, <, 0xc100);
    return &device_regs.scanout[(offset - 0xc000) / 4];
}

uint32_t veu_read32(const struct veu_device *device, unsigned offset)
{
    g_assert_true(device == device_regs.device);
    if (offset == 0xc000 + VEU_REG_SCANOUT_DONE &&
        device_regs.looks_until_done && !--device_regs.looks_until_done) {
        *scanout_reg(offset) = *scanout_reg(0xc000 + VEU_REG_SCANOUT_FLIP);
    }
    return *scanout_reg(offset);
}

void veu_write32(struct veu_device *device, unsigned offset, uint32_t value)
{
    *scanout_reg(offset) = value;
    device_regs.flips += offset == 0xc000 + VEU_REG_SCANOUT_FLIP;
}

void veu_write64(struct veu_device *device, unsigned offset, uint64_t value)
{
    g_assert_cmphex(offset, ==, 0xc000 + VEU_REG_SCANOUT_SURFACE);
    g_assert_cmpuint(device_regs.flips, ==, 0);
    device_regs.surface = value;
}

/* --- Commands ------------------------------------------------------------ */

static uint64_t memory[8];
static const uint64_t there = 5;
#define MEMORY (OFFSET + (uintptr_t)memory)
#define THERE  (OFFSET + (uintptr_t)&there)

/* The opcodes and slots of docs/spec.md, and all other bytes. */
#define COMMAND(structure, call, ...)                                        \
    do {                                                                     \
        struct veu_command_##structure is = call;                            \
        const struct veu_command_##structure expected = { .header.tag = TAG, \
                                                          __VA_ARGS__ };     \
                                                                             \
        g_assert_cmpmem(&is, sizeof(is), &expected, sizeof(expected));       \
    } while (0)
#define HEADER(op, count) .header.opcode = (op), .header.slots = (count)

static void test_commands_of_one_slot(void)
{
    COMMAND(nop, veu_make_nop(TAG), HEADER(0, 1));
    COMMAND(fence, veu_make_fence(TAG, memory, 9), HEADER(3, 1),
            .address = MEMORY, .value = 9);
    COMMAND(wait,
            veu_make_wait(TAG, memory, VEU_CONDITION_GREATER, UINT64_MAX - 1),
            HEADER(4, 1), .address = MEMORY, .mask = UINT64_MAX,
            .value = UINT64_MAX - 1, .condition = 4);
    COMMAND(timestamp, veu_make_timestamp(TAG, memory), HEADER(5, 1),
            .address = MEMORY);
    COMMAND(copy, veu_make_copy(TAG, memory, &there, 8), HEADER(6, 1),
            .source = THERE, .destination = MEMORY, .bytes = 8);
    COMMAND(fill, veu_make_fill(TAG, memory, 7, 64), HEADER(7, 1), .pattern = 7,
            .destination = MEMORY, .bytes = 64);
    COMMAND(load, veu_make_load(TAG, &there, 96, 16, 65535), HEADER(9, 1),
            .code_address = THERE, .code_bytes = 96, .program = 65535,
            .simd = 16);
    COMMAND(unload, veu_make_unload(TAG, 3), HEADER(10, 1), .program = 3);
    COMMAND(invalidate, veu_make_invalidate(TAG, 2, 0x12345000, 9),
            HEADER(11, 1), .range = 0x12345009, .context = 2);
}

static void test_dispatches(void)
{
    struct veu_surface table[2];
    struct veu_command_dispatch d = veu_make_dispatch(TAG, &there, 96, 16);

    COMMAND(dispatch, veu_make_dispatch(TAG, &there, 96, 16), HEADER(2, 2),
            .launch = { .code_address = THERE,
                        .code_bytes = 96,
                        .simd = 16,
                        .exec_mask = UINT32_MAX,
                        .threads = 1,
                        .groups = 1 });
    veu_launch_payload(&d.launch, memory, 64);
    veu_launch_result(&d.launch, memory + 1, 32, 16);
    veu_launch_surfaces(&d.launch, table, 2);
    veu_launch_stateless(&d.launch, memory + 2, 48);
    veu_dispatch_loaded(&d, 77);
    COMMAND(dispatch, d, HEADER(2, 2),
            .launch = { .code_address = 77,
                        .simd = 16,
                        .surface_table = OFFSET + (uintptr_t)table,
                        .surface_count = 2,
                        .payload_address = MEMORY,
                        .result_address = MEMORY + 8,
                        .payload_stride = 64,
                        .result_stride = 16,
                        .payload_bytes = 64,
                        .result_bytes = 16,
                        .result_offset = 32,
                        .exec_mask = UINT32_MAX,
                        .threads = 1,
                        .groups = 1,
                        .stateless_base = MEMORY + 16,
                        .stateless_bytes = 48 });
}

static void test_kernels(void)
{
    struct veu_surface table[2];
    struct veu_command_kernel k = veu_make_kernel(TAG, &there, 96, 32);

    COMMAND(kernel, veu_make_kernel(TAG, &there, 96, 32), HEADER(8, 3),
            .code_address = THERE, .code_bytes = 96, .group_count = { 1, 1, 1 },
            .threads = 1, .last_exec_mask = UINT32_MAX, .groups_in_flight = 1,
            .simd = 32);
    veu_kernel_loaded(&k, 77);
    veu_kernel_inputs(&k, memory, 96, memory + 1, 40);
    veu_kernel_surfaces(&k, table, 2);
    veu_kernel_stateless(&k, memory + 2, UINT64_C(1) << 32, 1024);
    COMMAND(kernel, k, HEADER(8, 3), .program = 77,
            .surface_table = OFFSET + (uintptr_t)table, .surface_count = 2,
            .cross_thread_address = MEMORY + 8, .local_id_address = MEMORY,
            .cross_thread_bytes = 40, .local_id_bytes = 96,
            .group_count = { 1, 1, 1 }, .threads = 1,
            .last_exec_mask = UINT32_MAX, .stateless_base = MEMORY + 16,
            .stateless_bytes = UINT64_C(1) << 32, .scratch_bytes = 1024,
            .groups_in_flight = 1, .simd = 32);
}

/* --- Inline messages ----------------------------------------------------- */

static uint8_t program_memory[1024] __attribute__((aligned(64)));

static struct veu_program begin(unsigned variables, unsigned predicates,
                                unsigned bits)
{
    struct veu_program p;

    veu_program_begin(&p, program_memory, sizeof(program_memory), 64);
    for (unsigned i = 0; i < variables; i++) {
        veu_program_variable(&p, VEU_TYPE_UD, i + 1);
    }
    for (unsigned i = 0; i < predicates; i++) {
        veu_program_predicate(&p, bits);
    }
    return p;
}

static void test_inline_messages(void)
{
    struct veu_program p = begin(2, 3, 32);
    struct veu_command_message m;
    const struct veu_launch launch = { .code_bytes = 2,
                                       .simd = 8,
                                       .grf_bytes = 64,
                                       .variable_count = 2,
                                       .predicate_count = 3,
                                       .exec_mask = UINT32_MAX,
                                       .threads = 1,
                                       .groups = 1 };

    veu_encode_fence(&p.code, 7);
    g_assert_true(veu_make_message(&m, TAG, &p, 8));
    COMMAND(message, m, HEADER(1, 4), .launch = launch,
            .variables = { { .elements = 1 }, { .offset = 64, .elements = 2 } },
            .message = { 0x5c, 7 });
}

static bool fits(struct veu_program p, unsigned messages)
{
    struct veu_command_message m;

    for (unsigned i = 0; i < messages; i++) {
        veu_encode_fence(&p.code, 7);
    }
    return veu_make_message(&m, TAG, &p, 8);
}

/* "exactly one message, few enough variables and predicates, of 32 bits" */
static void test_what_is_no_inline_message(void)
{
    struct veu_program p = begin(0, 0, 0);

    g_assert_true(fits(begin(8, 8, 32), 1));
    g_assert_false(fits(begin(9, 0, 0), 1));
    g_assert_false(fits(begin(0, 9, 32), 1));
    g_assert_false(fits(begin(0, 1, 16), 1));
    g_assert_false(fits(begin(0, 2, 16), 1));
    g_assert_false(fits(begin(0, 0, 0), 0));
    g_assert_false(fits(begin(0, 0, 0), 2));
    p.code.bytes = 62;
    g_assert_true(fits(p, 1));
    p.code.bytes = 63;
    g_assert_false(fits(p, 1));
    veu_program_address(&p, 1);
    p.code.bytes = 0;
    g_assert_false(fits(p, 1));
}

/* --- Surfaces ------------------------------------------------------------ */

static void assert_surface(struct veu_surface is, struct veu_surface expected)
{
    g_assert_cmpmem(&is, sizeof(is), &expected, sizeof(expected));
    g_assert_true(ref_surface_is_legal(&is));
}

#define SURFACE(...) ((struct veu_surface){ __VA_ARGS__ })

static void test_plain_surfaces(void)
{
    void *at = memory;

    assert_surface(veu_surface_raw(at, 100),
                   SURFACE(.base = MEMORY, .format = VEU_FORMAT_RAW, .type = 4,
                           .width = 100));
    assert_surface(veu_surface_slm(64, 100),
                   SURFACE(.base = 64, .format = VEU_FORMAT_RAW, .type = 4,
                           .width = 100, .flags = 1));
    assert_surface(veu_surface_buffer(at, VEU_FORMAT_R8_UINT, 9),
                   SURFACE(.base = MEMORY, .format = VEU_FORMAT_R8_UINT,
                           .type = 4, .width = 9));
    assert_surface(veu_surface_1d(at, VEU_FORMAT_R32_UINT, 9),
                   SURFACE(.base = MEMORY, .format = VEU_FORMAT_R32_UINT,
                           .width = 9, .levels = 1));
    assert_surface(veu_surface_2d(at, VEU_FORMAT_R32_UINT, 9, 5, 40),
                   SURFACE(.base = MEMORY, .format = VEU_FORMAT_R32_UINT,
                           .type = 1, .width = 9, .height = 5, .pitch = 40,
                           .levels = 1));
    assert_surface(veu_surface_3d(at, VEU_FORMAT_R32_UINT, 9, 5, 3, 40, 8),
                   SURFACE(.base = MEMORY, .format = VEU_FORMAT_R32_UINT,
                           .type = 2, .width = 9, .height = 5, .depth = 3,
                           .pitch = 40, .qpitch = 8, .levels = 1));
}

static void test_formats_have_sizes(void)
{
    g_assert_cmpuint(veu_format_bytes(VEU_FORMAT_RAW), ==, 1);
    g_assert_cmpuint(veu_format_bytes(VEU_FORMAT_R16_UINT), ==, 2);
    g_assert_cmpuint(veu_format_bytes(VEU_FORMAT_R8G8B8A8_UNORM), ==, 4);
    g_assert_cmpuint(veu_format_bytes(VEU_FORMAT_R32G32B32A32_FLOAT), ==, 16);
    g_assert_cmpuint(veu_format_bytes(0xffff), ==, 0);
}

static uint32_t between(uint32_t least, uint32_t most)
{
    return g_test_rand_int_range(least, most + 1);
}

static bool has_slices(const struct veu_surface *s)
{
    return s->type == VEU_SURFACE_3D || s->type == VEU_SURFACE_CUBE ||
           s->flags & VEU_SURFACE_ARRAY;
}

static struct veu_surface choose_image(void)
{
    static const uint16_t formats[] = { VEU_FORMAT_R8_UINT,
                                        VEU_FORMAT_R16G16_FLOAT,
                                        VEU_FORMAT_R32G32B32A32_UINT };
    struct veu_surface s = {
        .format = formats[between(0, G_N_ELEMENTS(formats) - 1)],
        .type = between(VEU_SURFACE_1D, VEU_SURFACE_CUBE),
        .width = between(1, 150),
        .levels = between(1, 4),
        .min_lod = between(0, 2),
    };

    if (s.type <= VEU_SURFACE_2D && between(0, 1)) {
        s.flags = VEU_SURFACE_ARRAY;
    }
    if (s.type != VEU_SURFACE_1D) {
        s.height = s.type == VEU_SURFACE_CUBE ? s.width : between(1, 150);
        s.tiling = between(0, 3);
        if (s.tiling == VEU_TILING_X && s.type != VEU_SURFACE_2D) {
            s.tiling = VEU_TILING_LINEAR;
        }
    }
    if (has_slices(&s)) {
        s.depth = s.type == VEU_SURFACE_CUBE ? 6 : between(1, 9);
    }
    return s;
}

/* One step less of pitch or qpitch makes the image illegal. */
static void assert_smallest(struct veu_surface s)
{
    bool is_3d_of_tiles = s.type == VEU_SURFACE_3D && s.tiling;
    uint32_t unit = s.tiling == VEU_TILING_X ? 512 :
                    s.tiling                 ? 128 :
                                               veu_format_bytes(s.format);
    struct veu_surface less = s;

    if (s.pitch) {
        less.pitch -= unit;
        g_assert_false(ref_surface_is_legal(&less));
    }
    less = s;
    if (s.qpitch) {
        less.qpitch -= is_3d_of_tiles ? 32 : 4;
        g_assert_false(ref_surface_is_legal(&less));
    }
}

/* All bytes of the last slice, and of the last tiles. */
static uint64_t expected_bytes(const struct veu_surface *s)
{
    uint64_t before = (uint64_t)s->qpitch * (s->depth ? s->depth - 1 : 0);
    uint64_t rows = s->tiling == VEU_TILING_LINEAR ? 1 :
                    s->tiling == VEU_TILING_X      ? 8 :
                                                     32;

    return s->type == VEU_SURFACE_1D ?
               (before + ref_slice(s).width) * veu_format_bytes(s->format) :
               (before + ref_slice(s).height + rows - 1) / rows * rows *
                   s->pitch;
}

static void test_images_are_legal_and_small(void)
{
    static uint8_t page[2 * 4096];
    uint8_t *at = page + 4096 - (uintptr_t)page % 4096;

    for (unsigned i = 0; i < 5000; i++) {
        struct veu_surface s = veu_surface_image(at, choose_image());

        g_assert_cmphex(s.base, ==, OFFSET + (uintptr_t)at);
        g_assert_true(ref_surface_is_legal(&s));
        assert_smallest(s);
        g_assert_cmpuint(veu_surface_bytes(&s), ==, expected_bytes(&s));
        g_assert_cmpuint(veu_surface_bytes(&s), >=, ref_surface_bytes(&s));
    }
}

/* --- Scanout ------------------------------------------------------------- */

static struct veu_scanout start_scanout(struct veu_device *device)
{
    struct veu_scanout s;

    memset(&device_regs, 0, sizeof(device_regs));
    device_regs.scanout[VEU_REG_SCANOUT_LIMIT_WIDTH / 4] = 4096;
    device_regs.scanout[VEU_REG_SCANOUT_DONE / 4] = 41;
    device_regs.device = device;
    memset(&s, 0, sizeof(s));
    g_assert_cmpint(veu_scanout_start(&s, device, 2, 3), ==, VEU_OK);
    return s;
}

static void test_a_scanout_is_started_and_stopped(void)
{
    struct veu_device device = { 0 };
    struct veu_scanout s = start_scanout(&device);

    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_CONTEXT), ==, 2);
    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_VECTOR), ==, 3);
    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_CONTROL), ==, 1);
    veu_scanout_stop(&s);
    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_CONTROL), ==, 0);
    memset(device_regs.scanout, 0, sizeof(device_regs.scanout));
    g_assert_cmpint(veu_scanout_start(&s, &device, 0, 0), ==, VEU_NOT_FOUND);
    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_CONTROL), ==, 0);
}

/* Flips are numbered on from the last one that is done. */
static void test_flips(void)
{
    struct veu_device device = { 0 };
    struct veu_scanout s = start_scanout(&device);
    struct veu_surface surface;

    g_assert_true(veu_scanout_is_done(&s));
    veu_scanout_flip(&s, &surface);
    g_assert_cmphex(device_regs.surface, ==, OFFSET + (uintptr_t)&surface);
    g_assert_cmpuint(veu_scanout_read32(&s, VEU_REG_SCANOUT_FLIP), ==, 42);
    g_assert_false(veu_scanout_is_done(&s));
    g_assert_cmpint(veu_scanout_wait(&s, 1000), ==, VEU_TIMEOUT);
    g_assert_cmpuint(device_regs.now_ns, ==, 1010);
    device_regs.looks_until_done = 5;
    g_assert_cmpint(veu_scanout_wait(&s, 1000), ==, VEU_OK);
    device_regs.scanout[VEU_REG_SCANOUT_FAULT / 4] = 1;
    g_assert_cmpint(veu_scanout_wait(&s, 1000), ==, VEU_FAULTED);
}

/* --- Faults -------------------------------------------------------------- */

static void test_faults_have_words(void)
{
    g_assert_cmpstr(veu_fault_name(0), ==, "none");
    g_assert_cmpstr(veu_fault_cause(0), ==, "");
    g_assert_cmpstr(veu_fault_name(1), ==, "RING_CONFIG");
    g_assert_cmpstr(veu_fault_cause(1), ==,
                    "A ring register holds an illegal value; detail is its "
                    "offset.");
    g_assert_cmpstr(veu_fault_advice(1), ==,
                    "Disable the ring, correct the register, enable it again.");
    g_assert_cmpstr(veu_fault_name(0xffff), ==, "unknown");
    g_assert_cmpstr(veu_fault_cause(0xffff), ==, "");
    g_assert_cmpstr(veu_fault_advice(0xffff), ==, "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/guest-commands/" #name, test_##name)
    RULE(commands_of_one_slot);
    RULE(dispatches);
    RULE(kernels);
    RULE(inline_messages);
    RULE(what_is_no_inline_message);
    RULE(plain_surfaces);
    RULE(formats_have_sizes);
    RULE(images_are_legal_and_small);
    RULE(a_scanout_is_started_and_stopped);
    RULE(flips);
    RULE(faults_have_words);
#undef RULE
    return g_test_run();
}
