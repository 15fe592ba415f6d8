/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ring 3: 64-bit code with interrupts enabled and access to all of memory.
 */
#include "x86.h"

#define PRESENT      0x1u
#define USER         0x4u
#define LARGE        0x80u
#define ADDRESS_MASK 0x000ffffffffff000ull
#define ENTRIES      512

#define STACK_BYTES         16384
#define ILLEGAL_INSTRUCTION 6
#define TSS_SELECTOR        0x30

#define TSS_AVAILABLE 0x89ull

/* user.S */
void x86_user_enter(void (*run)(void *), void *opaque, void *stack);
void x86_user_leave(void);

struct __attribute__((packed)) tss {
    uint32_t reserved0;
    uint64_t rsp0;
    uint32_t reserved1[22];
    uint16_t reserved2;
    uint16_t io_map;
};
_Static_assert(sizeof(struct tss) == 104, "a 64-bit TSS");

static struct tss tss = { .io_map = sizeof(tss) };

/*
 * The first four are those of boot.S; user data, user code and the TSS follow.
 */
static uint64_t gdt[8] = {
    0,
    0x00cf9a000000ffffull,
    0x00af9a000000ffffull,
    0x00cf92000000ffffull,
    0x00cff2000000ffffull,
    0x00affa000000ffffull,
};

static void load_gdt(void)
{
    struct __attribute__((packed)) {
        uint16_t limit;
        uint64_t base;
    } pointer = { sizeof(gdt) - 1, (uintptr_t)gdt };
    uint64_t base = (uintptr_t)&tss;
    uint16_t selector = TSS_SELECTOR;

    gdt[TSS_SELECTOR / 8] = (sizeof(tss) - 1) | (base & 0xffffff) << 16 |
                            TSS_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
    gdt[TSS_SELECTOR / 8 + 1] = base >> 32;
    __asm__ volatile("lgdt %0" : : "m"(pointer));
    __asm__ volatile("ltr %0" : : "r"(selector));
}

/* Gives the user access to mapped memory, level by level. */
static void open_table(uint64_t *table, unsigned levels)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (!(table[i] & PRESENT)) {
            continue;
        }
        table[i] |= USER;
        if (levels > 1 && !(table[i] & LARGE)) {
            open_table((uint64_t *)(table[i] & ADDRESS_MASK), levels - 1);
        }
    }
}

/* boot.S maps 2 MiB pages, with three levels. */
static void open_memory(void)
{
    uint64_t cr3;

    __asm__ volatile("movq %%cr3, %0" : "=r"(cr3));
    open_table((uint64_t *)(cr3 & ADDRESS_MASK), 3);
    __asm__ volatile("movq %0, %%cr3" : : "r"(cr3) : "memory");
}

void x86_run_user(void (*run)(void *), void *opaque)
{
    uint8_t *stack = machine_alloc(STACK_BYTES, 16);

    tss.rsp0 = (uintptr_t)machine_alloc(STACK_BYTES, 16) + STACK_BYTES;
    load_gdt();
    open_memory();
    x86_set_entry(ILLEGAL_INSTRUCTION, x86_user_leave);
    x86_user_enter(run, opaque, stack + STACK_BYTES);
}
