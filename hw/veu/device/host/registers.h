/*
 * veu device model: the register table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_REGISTERS_H
#define VEU_DEVICE_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/regs.h"

/* Row numbers in each register block: VEU_ROW_MAGIC, VEU_ROW_RING_BASE, ... */
#define VEU_ROW(name, offset, bytes, access, reset, writable, text) \
    VEU_ROW_##name,
#define VEU_COUNTER_ROW(name, number, text) VEU_ROW_COUNTER_##name,
enum {
    VEU_DEVICE_REGS(VEU_ROW) VEU_COUNTERS(VEU_COUNTER_ROW) VEU_DEVICE_ROWS
};
enum {
    VEU_RING_REGS(VEU_ROW) VEU_RING_ROWS
};
enum {
    VEU_CONTEXT_REGS(VEU_ROW) VEU_CONTEXT_ROWS
};
enum {
    VEU_SCANOUT_REGS(VEU_ROW) VEU_SCANOUT_ROWS
};
#undef VEU_ROW
#undef VEU_COUNTER_ROW

/* Numbers of the counters: VEU_COUNTER_COMMANDS, ... */
#define VEU_COUNTER(name, number, text) VEU_COUNTER_##name = (number),
enum {
    VEU_COUNTERS(VEU_COUNTER) VEU_COUNTER_COUNT
};
#undef VEU_COUNTER

typedef enum VeuRegisterAccess {
    VEU_REGISTER_RO,
    VEU_REGISTER_RW,
    VEU_REGISTER_RWD, /* writable while the ring is disabled */
} VeuRegisterAccess;

typedef struct VeuRegister {
    const char *name;
    uint32_t offset;
    uint32_t bytes;
    VeuRegisterAccess access;
    uint64_t reset;
    uint64_t writable;
    const char *text;
} VeuRegister;

extern const VeuRegister veu_device_registers[VEU_DEVICE_ROWS];
extern const VeuRegister veu_ring_registers[VEU_RING_ROWS];
extern const VeuRegister veu_context_registers[VEU_CONTEXT_ROWS];
extern const VeuRegister veu_scanout_registers[VEU_SCANOUT_ROWS];

/* The name of a value of ring register @row, or NULL if it is just a number. */
const char *veu_ring_value_name(unsigned row, uint64_t value);

/* Sets all registers of a block to their reset values. */
void veu_registers_reset(const VeuRegister *rows, unsigned count,
                         uint64_t *values);

/* Registers such as RING_HEAD and RING_STATE change while others read them. */
static inline uint64_t veu_register_get(const uint64_t *values, unsigned row)
{
    return __atomic_load_n(&values[row], __ATOMIC_RELAXED);
}

static inline void veu_register_set(uint64_t *values, unsigned row,
                                    uint64_t value)
{
    __atomic_store_n(&values[row], value, __ATOMIC_RELAXED);
}

#endif
