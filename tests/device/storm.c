/*
 * veu device tests: what a rogue driver does to registers and memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/storm.h"

uint32_t storm_below(uint32_t bound)
{
    return g_test_rand_int_range(0, bound);
}

uint32_t storm_random32(void)
{
    return g_test_rand_int();
}

/* An address that is mostly RAM. */
static uint64_t random_address(Rig *r)
{
    uint64_t address = veu_port_device_address(r->slots) +
                       storm_below(0x2000000);

    switch (storm_below(12)) {
    case 0:
        return (uint64_t)storm_random32() << 32 | storm_random32();
    case 1:
        return storm_random32();
    case 2:
        return (uintptr_t)r->device.regs + storm_below(0x20000);
    default:
        return address & ~UINT64_C(0x3f);
    }
}

uint32_t storm_value(void)
{
    switch (storm_below(4)) {
    case 0:
        return storm_random32();
    case 1:
        return 1u << storm_below(32);
    default:
        return storm_below(8);
    }
}

/* ---- registers ---- */

void storm_write_register(Storm *s)
{
    Rig *r = s->rig;
    unsigned offset = storm_below(4) ?
                          0x4000 + 0x100 * storm_below(STORM_RINGS) +
                              4 * storm_below(36) :
                      storm_below(2) ? 4 * storm_below(0x20) :
                                       storm_below(0x10000);

    if (offset >= 0xe000 && offset < 0xf000) {
        return; /* reserved for storm_write_vector() */
    }
    if (storm_below(8) == 0) {
        port_write(r->device.regs + offset, 1u << storm_below(4),
                   storm_random32());
    } else if (storm_below(3) == 0) {
        port_write(r->device.regs + (offset & ~7u), 8, random_address(r));
    } else {
        port_write(r->device.regs + offset, 4, storm_value());
    }
}

void storm_read_register(Storm *s)
{
    port_read(s->rig->device.regs + storm_below(0x10000), 1u << storm_below(4));
}

void storm_ring_doorbell(Storm *s)
{
    for (unsigned i = storm_below(8); i; i--) {
        port_write(s->rig->device.doorbells + storm_below(STORM_RINGS) * 4096 +
                       (storm_below(4) ? 0 : storm_below(4096)),
                   1u << storm_below(4), storm_random32());
    }
}

/* Windows that are mostly in RAM. */
static void write_windows(Rig *r, struct veu_window *windows, unsigned count)
{
    uint64_t at = veu_port_device_address(r->slots);

    for (unsigned i = 0; i < count; i++) {
        windows[i] = (struct veu_window){ at, storm_below(0x1000) * 4096,
                                          storm_below(4), 0 };
        at += windows[i].bytes;
    }
}

/* Rings that are enabled keep their copy. */
void storm_change_context(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *registers = (uint8_t *)(uintptr_t)r->device.regs + 0x8000 +
                         0x100 * storm_below(STORM_RINGS);
    struct veu_window *windows = (void *)(r->arena + 0x10000);
    unsigned count = storm_below(4);

    write_windows(r, windows, count);
    port_write(registers, 4, storm_below(8) ? storm_below(2) : storm_value());
    port_write(registers + 4, 4, storm_below(8) ? count : storm_value());
    port_write(registers + 8, 8,
               storm_below(8) ? veu_port_device_address(windows) :
                                random_address(r));
}

/* Flips to a surface that may be legal; devices without a display ignore it. */
void storm_flip(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *scanout = (uint8_t *)(uintptr_t)r->device.regs + 0xc000;
    struct veu_surface *surface = r->surfaces + 8;

    *surface = (struct veu_surface){ .base = random_address(r),
                                     .format = VEU_FORMAT_B8G8R8A8_UNORM,
                                     .type = VEU_SURFACE_2D,
                                     .width = 1 + storm_below(640),
                                     .height = 1 + storm_below(480),
                                     .pitch = 4096,
                                     .levels = 1 };
    port_write(scanout + 0x08, 4, storm_below(8) != 0);
    port_write(scanout + 0x0c, 4, storm_below(STORM_RINGS + 1));
    port_write(scanout + 0x10, 8, veu_port_device_address(surface));
    port_write(scanout + 0x18, 4, storm_below(STORM_RINGS + 1));
    port_write(scanout + 0x1c, 4, storm_random32());
}

/* ---- memory ---- */

static void flip_bits(void *memory, uint32_t bytes)
{
    for (unsigned i = storm_below(4); i; i--) {
        ((uint8_t *)memory)[storm_below(bytes)] ^= 1u << storm_below(8);
    }
}

void storm_fill(uint8_t *memory, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        memory[i] = storm_random32() >> 8;
    }
}

static struct veu_command_dispatch make_dispatch(Rig *r)
{
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32 << storm_below(2));
    veu_program_variable(&p, VEU_TYPE_UD, 16);
    veu_program_variable(&p, VEU_TYPE_UQ, 16);
    veu_encode_scatter_scaled(&p.code, VEU_PRED_ALWAYS, 4, veu_m(1, 8), T6,
                              veu_ud(storm_below(64)), veu_v(32), veu_v(32));
    veu_encode_svm_gather(&p.code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                          veu_v(33), veu_v(32));
    command = veu_make_dispatch(storm_random32(), r->program,
                                veu_program_end(&p), 8u << storm_below(3));
    *(uint32_t *)r->payload = storm_random32();
    memset(r->payload + 4, 0, 60);
    r->surfaces[0] = veu_surface_raw(r->arena, 1 + storm_below(100000));
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, 64 + storm_below(2) * 64);
    veu_launch_result(&command.launch, r->result, 0, 4 * storm_below(16));
    command.launch.threads = 1 + storm_below(1024);
    command.launch.groups = 1 + storm_below(storm_below(2) ? 1000000 : 4);
    return command;
}

void storm_write_dispatch(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_dispatch command = make_dispatch(r);
    unsigned slot = storm_below(RIG_SLOTS - 1);

    if (storm_below(2)) {
        flip_bits(&command, sizeof(command));
        flip_bits(r->program, 200);
        flip_bits(r->surfaces, 64);
        flip_bits(r->payload, 128);
    }
    memcpy(r->slots + slot * VEU_SLOT_BYTES, &command, sizeof(command));
}

void storm_write_fence(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_fence command = veu_make_fence(0, r->fence, 1);

    command.address = random_address(r);
    command.header.flags = storm_below(4);
    if (storm_below(4) == 0) {
        flip_bits(&command, sizeof(command));
    }
    memcpy(r->slots + storm_below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

/* An address of memory that the guest's processor does not execute. */
static uint64_t memory_of(Rig *r)
{
    return veu_port_device_address(r->slots) + storm_below(0x2000000);
}

void storm_write_wait(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_wait command = veu_make_wait(0, r->fence, storm_below(6),
                                                    storm_below(3));

    command.timeout_ns = storm_below(3) * 1000000;
    if (storm_below(4) == 0) {
        flip_bits(&command, sizeof(command));
    }
    memcpy(r->slots + storm_below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

void storm_write_copy(Storm *s)
{
    Rig *r = s->rig;
    struct veu_command_copy command = veu_make_copy(0, r->arena, r->arena,
                                                    storm_below(0x100000));

    command.header.opcode = storm_below(2) ? VEU_COMMAND_COPY :
                                             VEU_COMMAND_FILL;
    command.source = random_address(r);
    command.destination = memory_of(r);
    memcpy(r->slots + storm_below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

void storm_write_invalidate(Storm *s)
{
    struct veu_command_invalidate command =
        veu_make_invalidate(0, storm_below(STORM_RINGS + 1),
                            random_address(s->rig), storm_below(64));

    memcpy(s->rig->slots + storm_below(RIG_SLOTS) * VEU_SLOT_BYTES, &command,
           sizeof(command));
}

void storm_clear_slots(Storm *s)
{
    struct veu_command_nop nop = veu_make_nop(0);

    for (unsigned i = 0; i < RIG_SLOTS; i++) {
        memcpy(s->rig->slots + i * VEU_SLOT_BYTES, &nop, sizeof(nop));
    }
}

void storm_spoil_memory(Storm *s)
{
    Rig *r = s->rig;

    switch (storm_below(4)) {
    case 0:
        storm_fill(r->slots + storm_below(RIG_SLOTS) * VEU_SLOT_BYTES, 64);
        break;
    case 1:
        storm_fill((uint8_t *)r->shared, sizeof(*r->shared));
        break;
    case 2:
        storm_fill(r->payload, 256);
        break;
    default:
        storm_fill(r->program, 256);
        break;
    }
}

void storm_move_tail(Storm *s)
{
    Rig *r = s->rig;
    uint32_t head = rig_ring_read(r, VEU_REG_RING_HEAD);

    __atomic_store_n(&r->shared->tail,
                     storm_below(16) ? head + storm_below(RIG_SLOTS + 1) :
                                       storm_random32(),
                     __ATOMIC_SEQ_CST);
    veu_ring_kick(&r->ring);
}
