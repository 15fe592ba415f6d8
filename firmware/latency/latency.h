/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The latency of a veu from submit to completion, compared with a device that
 * does nothing else: veu-floor (tests/guest/latency).
 */
#ifndef LATENCY_H
#define LATENCY_H

#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "x86.h"

/** Registers and doorbell of a veu-floor: tests/guest/latency/floor.c. */
#define FLOOR_VENDOR_ID 0x1234
#define FLOOR_DEVICE_ID 0x0f10
#define FLOOR_RING      0x00
#define FLOOR_MODE      0x08
#define FLOOR_DOORBELL  0x1000

enum floor_mode {
    FLOOR_STOP,
    FLOOR_SPIN,      /**< polls the tail all the time */
    FLOOR_SLEEP,     /**< waits for the doorbell */
    FLOOR_INTERRUPT, /**< spins, and interrupts */
    FLOOR_COPY,      /**< spins, and copies the command before the tail */
};

#define FLOOR_SLOTS 256

/** The memory that driver and veu-floor share, as in a veu's ring. */
struct floor_shared {
    uint32_t tail;
    uint32_t reserved0[15];
    uint32_t head;
    uint32_t asleep; /**< always 0 */
    uint32_t reserved1[14];
    uint8_t slots[FLOOR_SLOTS][VEU_SLOT_BYTES];
};

struct floor {
    struct veu_device pci; /**< for MSI-X: function, table */
    volatile uint8_t *regs;
    struct floor_shared *shared;
};

struct latency {
    struct veu_device veu;
    struct veu_ring ring;
    struct floor floor;
    struct veu_command_message message;
    uint32_t count; /**< samples of each */
    uint64_t *veu_ticks;
    uint64_t *floor_ticks;
    uint64_t tsc_per_ms;
};

/** interrupt.S */
extern const uint8_t latency_interrupt[];
extern volatile uint64_t latency_interrupt_tsc;
extern volatile uint32_t latency_interrupts;

/**
 * The middle is the mean of the middle half: close to the median, but with a
 * finer resolution than a TSC's steps, which may be 10 ns.
 */
struct latency_figure {
    uint32_t middle_ns;
    uint32_t p99_ns;
};

struct latency_result {
    struct latency_figure veu;
    struct latency_figure floor;
    uint32_t kicks; /**< submits that found the veu asleep */
};

/** The measurements; rows.c. */
struct latency_row {
    const char *name;
    enum floor_mode mode;
    uint64_t (*veu)(struct latency *l);
    uint64_t (*floor)(struct latency *l);
    uint32_t idle_us; /**< before each sample */
};

extern const struct latency_row latency_rows[];
extern const unsigned latency_row_count;

/** In ring 3. */
void latency_measure(struct latency *l, const struct latency_row *row,
                     struct latency_result *result);
void latency_calibrate(struct latency *l);

#endif /* LATENCY_H */
