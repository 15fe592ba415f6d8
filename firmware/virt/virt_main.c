/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the device tree to program_main().
 */
#include "virt.h"

/* The program's memory starts here in RAM: above image and device tree. */
#define HEAP_OFFSET 0x1000000

struct virt_tree virt_tree;

static char command_line[512] = "veu ";

static void copy_command_line(const char *from)
{
    unsigned at = sizeof("veu ") - 1;

    for (; *from && at + 1 < sizeof(command_line); at++) {
        command_line[at] = *from++;
    }
    command_line[at] = '\0';
}

void virt_main(const void *blob)
{
    virt_read_tree(blob, &virt_tree);
    machine_memory_init(virt_tree.ram_start + HEAP_OFFSET,
                        virt_tree.ram_start + virt_tree.ram_bytes);
    virt_pci_init();
    copy_command_line(virt_tree.command_line);
    machine_exit(program_main(command_line));
}

uint64_t machine_ram_bytes(void)
{
    return virt_tree.ram_bytes;
}

unsigned machine_processors(void)
{
    return virt_tree.processors;
}
