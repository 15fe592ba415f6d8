/*
 * veu device tests: what a rogue driver does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random numbers come only from GLib's test generator, and their count does not
 * depend on the device: a seed repeats the same storm.
 */
#ifndef VEU_TEST_STORM_H
#define VEU_TEST_STORM_H

#include "tests/device/rig.h"

#define STORM_RINGS 4

typedef struct Storm {
    Rig *rig;  /* the device that actions affect */
    Rig *peer; /* another device, or NULL */
    bool has_iommu;
    bool has_slot;  /* the device can be unplugged */
    bool has_dma;   /* there is an "edu" device */
    bool has_guest; /* its processor has code */
    /* there is no processor that executes anything, because the VM never ran */
    bool has_no_processor;
    char *disk; /* for snapshots, or NULL */
    unsigned actions;
} Storm;

uint32_t storm_below(uint32_t bound);
uint32_t storm_random32(void);
uint32_t storm_value(void);
void storm_fill(uint8_t *memory, uint32_t bytes);

/* Registers and doorbells. */
void storm_write_register(Storm *storm);
void storm_read_register(Storm *storm);
void storm_ring_doorbell(Storm *storm);
void storm_change_context(Storm *storm);
void storm_flip(Storm *storm);

/* Page tables, requests and PAUSE. */
void storm_change_tables(Storm *storm);
void storm_serve_pages(Storm *storm);
void storm_toggle_pause(Storm *storm);

/* Writes commands, the memory that they name, and the tail. */
void storm_write_dispatch(Storm *storm);
void storm_write_fence(Storm *storm);
void storm_write_wait(Storm *storm);
void storm_write_copy(Storm *storm);
void storm_write_load(Storm *storm);
void storm_write_unload(Storm *storm);
void storm_write_kernel(Storm *storm);
void storm_write_invalidate(Storm *storm);
void storm_clear_slots(Storm *storm);
void storm_spoil_memory(Storm *storm);
void storm_move_tail(Storm *storm);

/* Configuration space, BARs and MSI-X. */
uint64_t storm_bus_address(Storm *storm);
void storm_write_config(Storm *storm);
void storm_write_ecam(Storm *storm);
void storm_move_bar(Storm *storm);
void storm_access_oddly(Storm *storm);
void storm_write_vector(Storm *storm);
void storm_mask_vector(Storm *storm);

/* The guest's processor, which is idle until it is toggled. */
void storm_put_guest_code(Storm *storm);
void storm_toggle_guest(Storm *storm);
void storm_stop_guest(Storm *storm);

/* Another device's DMA. */
void storm_set_up_dma(Storm *storm);
void storm_start_dma(Storm *storm);
/* Waits until it is complete. */
void storm_end_dma(Storm *storm);

/* The ring, the device and the machine. */
void storm_start_ring(Storm *storm);
void storm_stop_ring(Storm *storm);
void storm_toggle_master(Storm *storm);
void storm_toggle_vm(Storm *storm);
void storm_reset_device(Storm *storm);
void storm_reset_machine(Storm *storm);
void storm_toggle_iommu(Storm *storm);
void storm_replug(Storm *storm);
void storm_save(Storm *storm);
void storm_load(Storm *storm);
void storm_look(Storm *storm);
void storm_set_rules(Storm *storm);
void storm_clear_rules(Storm *storm);
/*
 * Makes the device usable by a function level reset, whatever happened to it.
 */
void storm_repair(Storm *storm);

#endif
