/*
 * veu tests: programs for the command KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers: r0 at byte 0, 32 bytes of local ids, then cross-thread data.
 * Groups have KERNEL_THREADS EU threads of 8 lanes; local ids are 0 to 31 in x.
 * Stateless memory is DEV_DATA; its word KERNEL_COUNTERS is a counter.
 */
#ifndef VEU_TEST_KERNEL_BUILDER_H
#define VEU_TEST_KERNEL_BUILDER_H

#include "tests/lib/code_builder.h"
#include "tests/lib/device_fixture.h"

#define KERNEL_THREADS     4
#define KERNEL_ITEMS       (8 * KERNEL_THREADS)
#define KERNEL_MARKER      0x5eed
#define KERNEL_IDS         (DEV_PAYLOAD + 0x1000)
#define KERNEL_IDS_BYTES   32
/*
 * Dwords of cross-thread data: numbers of groups in x and y, number of items,
 * marker.
 */
#define KERNEL_CROSS_BYTES 16
#define KERNEL_CROSS_AT    64

/* The values that an item stores at DEV_DATA + 16 * its number. */
typedef struct KernelItem {
    uint32_t slot;
    uint32_t scratch; /* r0.5 */
    uint32_t marker;
    uint32_t group_z;
} KernelItem;

/* Stores the program and up to 8 KiB of inputs; returns the command. */
struct veu_command_kernel kernel_command_at(Dev *dev, const Code *code,
                                            const uint32_t *counts /* [3] */,
                                            uint64_t program, uint64_t inputs);
/* Like kernel_command_at(), at DEV_PROGRAM and DEV_PAYLOAD. */
struct veu_command_kernel kernel_command(Dev *dev, const Code *code,
                                         const uint32_t *counts /* [3] */);

/* Returns the LOAD of the program of @command as program @handle. */
struct veu_command_load kernel_load(const struct veu_command_kernel *command,
                                    uint32_t handle);
/* Returns @command with the program that was loaded as program @handle. */
struct veu_command_kernel kernel_loaded(
    const struct veu_command_kernel *command, uint32_t handle);

/* A grid of KERNEL_GROUPS groups, of KERNEL_ITEMS items each. */
extern const uint32_t kernel_grid[3];
#define KERNEL_GROUPS 12

/* Runs the command to its end, without a fault. */
void kernel_run(Dev *dev, const struct veu_command_kernel *command);

/* Appends a store of 8 lanes: a dword at byte @address + @add of a surface. */
void kernel_add_store(Code *code, uint8_t surface, uint32_t address,
                      uint32_t add, uint32_t data);

/* Each item stores a KernelItem. */
Code kernel_items(void);
/* What item @number has stored. */
KernelItem kernel_item(Dev *dev, unsigned number);
/* Where its EU thread is in flight, of three groups. */
unsigned kernel_slot(unsigned number);

/*
 * Each item adds what other items of its group have stored in local memory, in
 * @rounds rounds with two barriers each, and stores the sum at DEV_DATA + 4 *
 * its number.
 */
Code kernel_sums(unsigned rounds);
uint32_t kernel_sum(unsigned rounds, unsigned item);

#endif
