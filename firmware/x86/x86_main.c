/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first C code: from the multiboot information to program_main().
 */
#include "x86.h"

#define LOADER_MAGIC     0x2badb002u
#define HAS_MEMORY       0x1
#define HAS_COMMAND_LINE 0x4
#define MIB              0x100000ull

/* The program's memory starts here, above everything that loaders place. */
#define HEAP_START (16 * MIB)

struct multiboot_info {
    uint32_t flags;
    uint32_t memory_lower_kib;
    uint32_t memory_upper_kib; /* starts at 1 MiB */
    uint32_t boot_device;
    uint32_t command_line;
};

void x86_main(uint32_t magic, const struct multiboot_info *info)
    __attribute__((noreturn));

static char command_line[512];
static uint64_t ram_bytes;

static void copy_command_line(const char *from)
{
    unsigned i = 0;

    for (; from[i] && i + 1 < sizeof(command_line); i++) {
        command_line[i] = from[i];
    }
    command_line[i] = '\0';
}

uint64_t machine_ram_bytes(void)
{
    return ram_bytes;
}

void x86_main(uint32_t magic, const struct multiboot_info *info)
{
    x86_serial_init();
    x86_interrupt_init();
    x86_lapic_init();
    if (magic != LOADER_MAGIC || !(info->flags & HAS_MEMORY)) {
        machine_panic("not started by a multiboot loader (0x%x)", magic);
    }
    ram_bytes = MIB + info->memory_upper_kib * 1024ull;
    machine_memory_init(HEAP_START, ram_bytes);
    if (info->flags & HAS_COMMAND_LINE) {
        copy_command_line((const char *)(uintptr_t)info->command_line);
    }
    machine_exit(program_main(command_line));
}
