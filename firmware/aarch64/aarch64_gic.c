/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupts: a GICv2, and the frame that makes interrupts of messages (v2m).
 */
#include "aarch64.h"

#define DISTRIBUTOR 0x08000000ull
#define CPU         0x08010000ull

#define DIST_CONTROL  0x000
#define DIST_ENABLE   0x100 /* a bit each */
#define DIST_PRIORITY 0x400 /* a byte each */
#define DIST_TARGETS  0x800
#define DIST_CONFIG   0xc00 /* two bits each */
#define CONFIG_EDGE   2u

#define CPU_CONTROL  0x00
#define CPU_PRIORITY 0x04
#define CPU_TAKE     0x0c
#define CPU_END      0x10
#define NUMBER_MASK  0x3ffu
#define SPURIOUS     1020

#define FRAME_TYPE 0x008
#define FRAME_SET  0x040

static struct {
    machine_handler *call;
    void *opaque;
    unsigned number;
} wanted;

static volatile uint32_t *reg(uint64_t address)
{
    return (volatile uint32_t *)address;
}

static void enable(unsigned number)
{
    unsigned config = number % 16 * 2;
    uint64_t in_config = DISTRIBUTOR + DIST_CONFIG + number / 16 * 4;

    *reg(DISTRIBUTOR + DIST_CONTROL) = 1;
    *reg(CPU + CPU_PRIORITY) = 0xff;
    *reg(CPU + CPU_CONTROL) = 1;
    *(volatile uint8_t *)(DISTRIBUTOR + DIST_PRIORITY + number) = 0x80;
    *(volatile uint8_t *)(DISTRIBUTOR + DIST_TARGETS +
                          number) = 1u << aarch64_processor();
    *reg(in_config) = (*reg(in_config) & ~(3u << config)) | CONFIG_EDGE
                                                                << config;
    *reg(DISTRIBUTOR + DIST_ENABLE + number / 32 * 4) = 1u << number % 32;
}

bool machine_set_message(machine_handler *handler, void *opaque,
                         struct machine_message *message)
{
    uint64_t frame = virt_tree.message_frame;

    if (!frame) {
        return false;
    }
    wanted.call = handler;
    wanted.opaque = opaque;
    wanted.number = *reg(frame + FRAME_TYPE) >> 16 & NUMBER_MASK;
    enable(wanted.number);
    message->address = frame + FRAME_SET;
    message->data = wanted.number;
    return true;
}

void aarch64_interrupt(void)
{
    uint32_t taken = *reg(CPU + CPU_TAKE);

    if ((taken & NUMBER_MASK) >= SPURIOUS) {
        return;
    }
    if ((taken & NUMBER_MASK) != wanted.number) {
        machine_panic("interrupt %u, which was not asked for",
                      taken & NUMBER_MASK);
    }
    wanted.call(wanted.opaque);
    *reg(CPU + CPU_END) = taken;
}
