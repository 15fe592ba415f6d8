/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: starting and stopping a ring, and waiting for it.
 */
#include "veu_ring.h"

/* Reads of memory for each reading of the clock, which is an exit. */
#define SPINS_PER_CLOCK 256
/* The interval at which a wait reads RING_STATE, in TIME. */
#define LOOK_NS         1000000

uint32_t veu_ring_read32(const struct veu_ring *ring, enum veu_reg offset)
{
    return veu_read32(ring->device,
                      veu_ring_register(ring->config.number, offset));
}

static void write32(const struct veu_ring *ring, enum veu_reg offset,
                    uint32_t value)
{
    veu_write32(ring->device, veu_ring_register(ring->config.number, offset),
                value);
}

static void write_address(struct veu_ring *ring, enum veu_reg offset,
                          const void *memory)
{
    veu_write64(ring->device, veu_ring_register(ring->config.number, offset),
                memory ? veu_port_device_address(memory) : 0);
}

static bool is_power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

static bool is_aligned(const void *memory)
{
    return memory && veu_port_device_address(memory) % VEU_SLOT_BYTES == 0;
}

static bool config_fits(const struct veu_device *device,
                        const struct veu_ring_config *config)
{
    const struct veu_limits *limits = &device->limits;

    if (config->fault_count && (!is_power_of_two(config->fault_count) ||
                                config->fault_count > limits->fault_records ||
                                !is_aligned(config->faults))) {
        return false;
    }
    return config->number < limits->rings &&
           config->context < limits->contexts &&
           (config->vector < limits->vectors ||
            config->vector == VEU_NO_VECTOR) &&
           is_power_of_two(config->slot_count) &&
           config->slot_count <= limits->ring_slots &&
           is_aligned(config->slots) && is_aligned(config->shared) &&
           (!config->times || is_aligned(config->times));
}

static void set_up_shared(struct veu_ring *ring)
{
    *ring->config.shared = (struct veu_ring_shared){
        .tail = ring->config.first,
        .head = ring->config.first,
    };
}

static void set_up_registers(struct veu_ring *ring)
{
    const struct veu_ring_config *c = &ring->config;

    write_address(ring, VEU_REG_RING_BASE, c->slots);
    write_address(ring, VEU_REG_RING_SHARED, c->shared);
    write_address(ring, VEU_REG_RING_FAULTS, c->faults);
    write32(ring, VEU_REG_RING_SLOTS, c->slot_count);
    write32(ring, VEU_REG_RING_FAULT_RECORDS, c->fault_count);
    write32(ring, VEU_REG_RING_CONTEXT, c->context);
    write32(ring, VEU_REG_RING_VECTOR, c->vector);
    write32(ring, VEU_REG_RING_POLICY, c->policy);
    write32(ring, VEU_REG_RING_BUDGET, c->budget);
    if (c->times) {
        write_address(ring, VEU_REG_RING_TIMES, c->times);
    }
    write32(ring, VEU_REG_RING_HEAD, c->first);
}

enum veu_status veu_ring_start(struct veu_ring *ring, struct veu_device *device,
                               const struct veu_ring_config *config)
{
    if (!config_fits(device, config)) {
        return VEU_BAD_CONFIG;
    }
    *ring = (struct veu_ring){
        .device = device,
        .config = *config,
        .doorbell = device->doorbells +
                    config->number * device->limits.doorbell_stride,
        .tail = config->first,
    };
    write32(ring, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    set_up_shared(ring);
    set_up_registers(ring);
    /* The device reads the shared block when it is enabled, not before. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    write32(ring, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    return VEU_OK;
}

struct veu_command_times *veu_ring_times(const struct veu_ring *ring,
                                         uint32_t slot)
{
    return &ring->config.times[slot & (ring->config.slot_count - 1)];
}

enum veu_status veu_ring_reload(struct veu_ring *ring, uint64_t timeout_ns)
{
    uint64_t end = veu_time(ring->device) + timeout_ns;

    /* The device reads the table when the bit is set, not before. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    write32(ring, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    while (veu_ring_read32(ring, VEU_REG_RING_CONTROL) & VEU_RING_RELOAD) {
        if (veu_time(ring->device) > end) {
            return VEU_TIMEOUT;
        }
        veu_port_relax();
    }
    return VEU_OK;
}

enum veu_status veu_ring_stop(struct veu_ring *ring, uint64_t timeout_ns)
{
    uint64_t end = veu_time(ring->device) + timeout_ns;

    write32(ring, VEU_REG_RING_CONTROL, 0);
    while (veu_ring_read32(ring, VEU_REG_RING_STATE) != VEU_RING_DISABLED) {
        if (veu_time(ring->device) > end) {
            return VEU_TIMEOUT;
        }
        veu_port_relax();
    }
    return VEU_OK;
}

static bool is_done(const struct veu_ring *ring, uint32_t index)
{
    for (unsigned i = 0; i < SPINS_PER_CLOCK; i++) {
        if ((int32_t)(veu_ring_head(ring) - index) >= 0) {
            return true;
        }
        veu_port_relax();
    }
    return false;
}

static bool shows_halt(const struct veu_ring *ring)
{
    return __atomic_load_n(&ring->config.shared->state, __ATOMIC_ACQUIRE) ==
           VEU_RING_HALTED;
}

/*
 * A fault that leaves the ring without its shared block shows only in the
 * register. Reading that is an exit, like reading the clock.
 */
static bool is_halted(const struct veu_ring *ring)
{
    return veu_ring_read32(ring, VEU_REG_RING_STATE) == VEU_RING_HALTED;
}

enum veu_status veu_ring_wait_head(const struct veu_ring *ring, uint32_t index,
                                   uint64_t timeout_ns)
{
    uint64_t begin = 0, look = 0;

    while (!is_done(ring, index)) {
        uint64_t now = veu_time(ring->device);
        bool late;

        begin = begin ? begin : now;
        look = look ? look : now + LOOK_NS;
        late = now - begin > timeout_ns;
        if (shows_halt(ring) || ((late || now > look) && is_halted(ring))) {
            return VEU_FAULTED;
        }
        if (late) {
            return VEU_TIMEOUT;
        }
        look = now > look ? now + LOOK_NS : look;
    }
    return VEU_OK;
}

enum veu_status veu_ring_wait(const struct veu_ring *ring, uint64_t timeout_ns)
{
    return veu_ring_wait_head(ring, ring->tail, timeout_ns);
}

void veu_ring_set_priority(const struct veu_ring *ring,
                           enum veu_priority priority)
{
    write32(ring, VEU_REG_RING_PRIORITY, priority);
}
