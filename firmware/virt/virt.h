/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The common parts of QEMU's "virt" machines: a device tree, and PCI that no
 * firmware has set up.
 */
#ifndef VIRT_H
#define VIRT_H

#include "machine.h"

/** The contents of the device tree. */
struct virt_tree {
    const char *command_line;
    uint64_t ram_start;
    uint64_t ram_bytes;
    unsigned processors;
    uint64_t ecam; /**< PCI configuration space */
    uint64_t ecam_bytes;
    uint64_t window_start; /**< for BARs, below 4 GiB */
    uint64_t window_end;
    uint64_t message_frame; /**< of a GICv2m; 0 if there is none */
};

/** Reads a flattened device tree; panics if it is not one. */
void virt_read_tree(const void *blob, struct virt_tree *tree);

/** The machine's tree, valid from virt_main() on. */
extern struct virt_tree virt_tree;

/** Numbers buses, and assigns BARs to all functions. */
void virt_pci_init(void);

/** Runs everything from the device tree to program_main(). */
void virt_main(const void *blob) __attribute__((noreturn));

#endif /* VIRT_H */
