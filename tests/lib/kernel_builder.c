/*
 * veu tests: programs for the command KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/kernel_builder.h"

/* Returns element @n of the cross-thread data. */
static Op cross(uint32_t id, unsigned n)
{
    return op_v(id, n, 0, 1, 0);
}

struct veu_command_kernel kernel_command_at(Dev *d, const Code *code,
                                            const uint32_t *counts,
                                            uint64_t program, uint64_t inputs)
{
    g_autofree uint8_t *bytes = g_new0(uint8_t, CODE_PROGRAM_BYTES);
    uint64_t ids = inputs + (KERNEL_IDS - DEV_PAYLOAD);
    uint32_t words[4] = { counts[0], counts[1], KERNEL_ITEMS, KERNEL_MARKER };
    struct veu_command_kernel c = {
        .header = { .opcode = VEU_COMMAND_KERNEL, .slots = 3 },
        .code_address = program,
        .code_bytes = code_build(code, bytes),
        .cross_thread_address = inputs,
        .cross_thread_bytes = KERNEL_CROSS_BYTES,
        .local_id_address = ids,
        .local_id_bytes = KERNEL_IDS_BYTES,
        .group_count = { counts[0], counts[1], counts[2] },
        .threads = KERNEL_THREADS,
        .last_exec_mask = 0xff,
        .stateless_base = DEV_DATA,
        .stateless_bytes = 0x4000,
        .groups_in_flight = 3,
        .simd = 8,
    };

    test_memory_put(&d->host.memory, program, bytes, c.code_bytes);
    test_memory_put(&d->host.memory, inputs, words, sizeof(words));
    for (unsigned i = 0; i < KERNEL_ITEMS; i++) {
        uint16_t id = i;

        test_memory_put(&d->host.memory,
                        ids + i / 8 * KERNEL_IDS_BYTES + i % 8 * 2, &id,
                        sizeof(id));
    }
    return c;
}

struct veu_command_kernel kernel_command(Dev *d, const Code *code,
                                         const uint32_t *counts)
{
    return kernel_command_at(d, code, counts, DEV_PROGRAM, DEV_PAYLOAD);
}

struct veu_command_load kernel_load(const struct veu_command_kernel *c,
                                    uint32_t handle)
{
    return (struct veu_command_load){
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = c->code_address,
        .code_bytes = c->code_bytes,
        .program = handle,
        .simd = c->simd,
    };
}

struct veu_command_kernel kernel_loaded(
    const struct veu_command_kernel *command, uint32_t handle)
{
    struct veu_command_kernel loaded = *command;

    loaded.code_address = 0;
    loaded.code_bytes = 0;
    loaded.program = handle;
    return loaded;
}

/* The variables of both programs; @number becomes the number of the item. */
typedef struct Inputs {
    uint32_t ids;
    uint32_t cross;
    uint32_t number;
} Inputs;

static Inputs add_number(Code *code)
{
    uint32_t x = code_variable(code, 4, 1, VEU_TYPE_UD);
    uint32_t y = code_variable(code, 24, 1, VEU_TYPE_UD);
    uint32_t z = code_variable(code, 28, 1, VEU_TYPE_UD);
    Inputs in = {
        .ids = code_variable(code, 32, 8, VEU_TYPE_UW),
        .cross = code_variable(code, KERNEL_CROSS_AT, 4, VEU_TYPE_UD),
        .number = code_variable(code, 128, 8, VEU_TYPE_UD),
    };
    Op n = op_dst(in.number);

    CODE_ADD(code, "mad", size_m1(8), 0, 0, n, op_scalar(z), cross(in.cross, 1),
             op_scalar(y));
    CODE_ADD(code, "mad", size_m1(8), 0, 0, n, op_lanes(in.number),
             cross(in.cross, 0), op_scalar(x));
    CODE_ADD(code, "mad", size_m1(8), 0, 0, n, op_lanes(in.number),
             cross(in.cross, 2), op_lanes(in.ids));
    return in;
}

void kernel_add_store(Code *code, uint8_t surface, uint32_t address,
                      uint32_t add, uint32_t data)
{
    code_add_message(code, &(TestMessage){ .kind = TEST_SCATTER_SCALED,
                                           .exec = TEST_LANES_8,
                                           .num_blocks = 2,
                                           .surface = surface,
                                           .offset = test_immediate(add),
                                           .address = { address, 0 },
                                           .data = { data, 0 } });
}

static void add_load(Code *code, uint8_t surface, uint32_t address,
                     uint32_t data)
{
    code_add_message(code, &(TestMessage){ .kind = TEST_GATHER_SCALED,
                                           .exec = TEST_LANES_8,
                                           .num_blocks = 2,
                                           .surface = surface,
                                           .offset = test_immediate(0),
                                           .address = { address, 0 },
                                           .data = { data, 0 } });
}

static void add_shift(Code *code, uint32_t to, uint32_t from, unsigned bits)
{
    CODE_ADD(code, "shl", size_m1(8), 0, 0, op_dst(to), op_lanes(from),
             op_imm(VEU_TYPE_UD, bits));
}

const uint32_t kernel_grid[3] = { 3, 2, 2 };

void kernel_run(Dev *d, const struct veu_command_kernel *c)
{
    dev_push(d, c, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
}

Code kernel_items(void)
{
    Code code = { 0 };
    Inputs in = add_number(&code);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t slot = code_variable(&code, CODE_HW_ID_AT, 1, VEU_TYPE_UD);
    uint32_t scratch = code_variable(&code, 20, 1, VEU_TYPE_UD);
    uint32_t z = code_variable(&code, 28, 1, VEU_TYPE_UD);
    Op values[] = { op_scalar(slot), op_scalar(scratch), cross(in.cross, 3),
                    op_scalar(z) };

    add_shift(&code, in.number, in.number, 4);
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data), values[i]);
        kernel_add_store(&code, 5, in.number, 4 * i, data);
    }
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

KernelItem kernel_item(Dev *d, unsigned n)
{
    KernelItem i;

    test_memory_get(&d->host.memory, DEV_DATA + n * sizeof(i), &i, sizeof(i));
    return i;
}

unsigned kernel_slot(unsigned n)
{
    return n / KERNEL_ITEMS % 3 * KERNEL_THREADS + n / 8 % KERNEL_THREADS;
}

/* In round r, an item reads what item + 5 * (r + 1) of its group has stored. */
Code kernel_sums(unsigned rounds)
{
    Code code = { 0 };
    Inputs in = add_number(&code);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t at = code_variable(&code, 192, 8, VEU_TYPE_UD);
    uint32_t sum = code_variable(&code, 224, 8, VEU_TYPE_UD);
    uint32_t other = code_variable(&code, 256, 8, VEU_TYPE_UD);

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(other), op_lanes(in.ids));
    for (unsigned i = 0; i < rounds; i++) {
        add_shift(&code, at, in.ids, 2);
        CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(data), op_lanes(in.ids),
                 op_lanes(sum));
        kernel_add_store(&code, 0, at, 0, data);
        CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
        CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(other), op_lanes(other),
                 op_imm(VEU_TYPE_UD, 5));
        CODE_ADD(&code, "and", size_m1(8), 0, 0, op_dst(other), op_lanes(other),
                 op_imm(VEU_TYPE_UD, KERNEL_ITEMS - 1));
        add_shift(&code, at, other, 2);
        add_load(&code, 0, at, data);
        CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(sum), op_lanes(sum),
                 op_lanes(data));
        CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    }
    add_shift(&code, in.number, in.number, 2);
    kernel_add_store(&code, 5, in.number, 0, sum);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

uint32_t kernel_sum(unsigned rounds, unsigned item)
{
    uint32_t sums[KERNEL_ITEMS] = { 0 };

    for (unsigned r = 0; r < rounds; r++) {
        uint32_t stored[KERNEL_ITEMS];

        for (unsigned i = 0; i < KERNEL_ITEMS; i++) {
            stored[i] = i + sums[i];
        }
        for (unsigned i = 0; i < KERNEL_ITEMS; i++) {
            sums[i] += stored[(i + 5 * (r + 1)) % KERNEL_ITEMS];
        }
    }
    return sums[item];
}
