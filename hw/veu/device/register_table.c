/*
 * veu device model: the register table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/host/device.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/limits.h"

/* The reset value of a capability comes from set_capabilities(). */
#define CAP 0
#define ROW(name_, offset_, bytes_, access_, reset_, writable_, text_) \
    [VEU_ROW_##name_] = {                                              \
        .name = #name_,                                                \
        .offset = (offset_),                                           \
        .bytes = (bytes_),                                             \
        .access = VEU_REGISTER_##access_,                              \
        .reset = (reset_),                                             \
        .writable = (writable_),                                       \
        .text = text_,                                                 \
    },

/* Each counter has a register that shows its snapshot. */
#define COUNTER_ROW(name, number, text) \
    ROW(COUNTER_##name, VEU_REG_COUNTER_##name, 8, RO, 0, 0, text)

const VeuRegister veu_device_registers[VEU_DEVICE_ROWS] = { VEU_DEVICE_REGS(
    ROW) VEU_COUNTERS(COUNTER_ROW) };
const VeuRegister veu_ring_registers[VEU_RING_ROWS] = { VEU_RING_REGS(ROW) };
const VeuRegister veu_context_registers[VEU_CONTEXT_ROWS] = { VEU_CONTEXT_REGS(
    ROW) };

/* The capabilities of a scanout are its limits, equal for both sides. */
#undef CAP
#define CAP VEU_LIMIT_SCANOUT_SIDE
const VeuRegister veu_scanout_registers[VEU_SCANOUT_ROWS] = { VEU_SCANOUT_REGS(
    ROW) };
#undef COUNTER_ROW
#undef ROW
#undef CAP

/* Named values of registers. */
static const struct {
    uint8_t row;
    uint32_t value;
    const char *name;
} named_values[] = {
    { VEU_ROW_RING_STATE, VEU_RING_DISABLED, "disabled" },
    { VEU_ROW_RING_STATE, VEU_RING_RUNNING, "running" },
    { VEU_ROW_RING_STATE, VEU_RING_DRAINING, "draining" },
    { VEU_ROW_RING_STATE, VEU_RING_HALTED, "halted" },
    { VEU_ROW_RING_VECTOR, VEU_NO_VECTOR, "none" },
    { VEU_ROW_RING_POLICY, VEU_POLICY_HALT, "halt" },
    { VEU_ROW_RING_POLICY, VEU_POLICY_SKIP_MESSAGE, "skip-message" },
    { VEU_ROW_RING_POLICY, VEU_POLICY_SKIP_COMMAND, "skip-command" },
    { VEU_ROW_RING_PRIORITY, VEU_PRIORITY_LOW, "low" },
    { VEU_ROW_RING_PRIORITY, VEU_PRIORITY_NORMAL, "normal" },
    { VEU_ROW_RING_PRIORITY, VEU_PRIORITY_HIGH, "high" },
    { VEU_ROW_RING_PRIORITY, VEU_PRIORITY_HIGHEST, "highest" },
};

const char *veu_ring_value_name(unsigned row, uint64_t value)
{
    for (unsigned i = 0; i < VEU_ARRAY_SIZE(named_values); i++) {
        if (named_values[i].row == row && named_values[i].value == value) {
            return named_values[i].name;
        }
    }
    return NULL;
}

void veu_registers_reset(const VeuRegister *rows, unsigned count,
                         uint64_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        veu_register_set(values, i, rows[i].reset);
    }
}
