/*
 * veu device tests: what the guest's processor does in a storm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It writes and reads registers and doorbells as fast as it can, also across
 * words, while a byte in memory is set. It avoids MSI-X entries, because an
 * illegal interrupt of a processor may end the machine.
 */
#include <string.h>
#include "tests/device/storm.h"

#define RUNS (VM_GUEST_CODE + 0x100)

void storm_put_guest_code(Storm *s)
{
    static const uint8_t code[] = {
        0xfa, /* cli */
        0x2e,
        0x66,
        0x0f,
        0x01,
        0x16,
        0x9c,
        0x80, /* lgdt 1f */
        0x0f,
        0x20,
        0xc0, /* mov eax, cr0 */
        0x0c,
        0x01, /* or al, 1 */
        0x0f,
        0x22,
        0xc0, /* mov cr0, eax */
        0x66,
        0xea,
        0x18,
        0x80,
        0x00,
        0x00,
        0x08,
        0x00, /* jmp 8:0x8018 */
        0x66,
        0xb8,
        0x10,
        0x00, /* mov ax, 16 */
        0x8e,
        0xd8, /* mov ds, ax */
        0xbb,
        0x78,
        0x56,
        0x34,
        0x12, /* mov ebx, SEED */
        0xf3,
        0x90, /* again: pause */
        0x80,
        0x3d,
        0x00,
        0x81,
        0x00,
        0x00,
        0x00, /* cmp byte [RUNS], 0 */
        0x74,
        0xf5, /* je again */
        0x69,
        0xdb,
        0x0d,
        0x66,
        0x19,
        0x00, /* imul ebx, ebx, 1664525 */
        0x81,
        0xc3,
        0x5f,
        0xf3,
        0x6e,
        0x3c, /* add ebx, 1013904223 */
        0x89,
        0xd9, /* mov ecx, ebx */
        0xc1,
        0xe9,
        0x0c, /* shr ecx, 12 */
        0x81,
        0xe1,
        0xfc,
        0xff,
        0x01,
        0x00, /* and ecx, 0x1fffc */
        0x89,
        0xca, /* mov edx, ecx */
        0x81,
        0xe2,
        0x00,
        0xf0,
        0x00,
        0x00, /* and edx, 0xf000 */
        0x81,
        0xfa,
        0x00,
        0xe0,
        0x00,
        0x00, /* cmp edx, 0xe000 */
        0x74,
        0xce, /* je again */
        0x8b,
        0x91,
        0x00,
        0x00,
        0x00,
        0xe0, /* mov edx, [ecx + BAR] */
        0x89,
        0xd8, /* mov eax, ebx */
        0xd3,
        0xe8, /* shr eax, cl */
        0xf7,
        0xc3,
        0x00,
        0x00,
        0x00,
        0x30, /* test ebx, 0x30000000 */
        0x75,
        0x06, /* jne 2f */
        0x89,
        0x81,
        0x00,
        0x00,
        0x00,
        0xe0, /* mov [ecx + BAR], eax */
        0xf7,
        0xc3,
        0x00,
        0x00,
        0x80,
        0x00, /* 2: test ebx, 0x800000 */
        0x74,
        0xae, /* je again */
        0x81,
        0xe1,
        0xf8,
        0xff,
        0x00,
        0x00, /* and ecx, 0xfff8 */
        0x66,
        0x89,
        0x81,
        0x01,
        0x00,
        0x00,
        0xe0, /* mov [ecx + BAR + 1], ax */
        0xeb,
        0x9f, /* jmp again */
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00, /* no segment */
        0xff,
        0xff,
        0x00,
        0x00,
        0x00,
        0x9a,
        0xcf,
        0x00, /* flat code */
        0xff,
        0xff,
        0x00,
        0x00,
        0x00,
        0x92,
        0xcf,
        0x00, /* flat data */
        /* 1: the table of these addresses */
        0x17,
        0x00,
        0x84,
        0x80,
        0x00,
        0x00,
    };
    static const uint8_t seed_at = 0x1f, bar_at[] = { 0x57, 0x69, 0x7e };
    uint8_t *to = s->rig->vm->ram + VM_GUEST_CODE;
    uint32_t bar = (uintptr_t)s->rig->device.regs;
    uint32_t seed = storm_random32();

    memcpy(to, code, sizeof(code));
    memcpy(to + seed_at, &seed, sizeof(seed));
    for (unsigned i = 0; i < sizeof(bar_at); i++) {
        uint32_t address = bar + (i == 2); /* the last one crosses words */

        memcpy(to + bar_at[i], &address, sizeof(address));
    }
}

/* Runs until the next call. */
void storm_toggle_guest(Storm *s)
{
    if (!s->has_guest) {
        return;
    }
    __atomic_xor_fetch(s->rig->vm->ram + RUNS, 1, __ATOMIC_SEQ_CST);
}

void storm_stop_guest(Storm *s)
{
    __atomic_store_n(s->rig->vm->ram + RUNS, 0, __ATOMIC_SEQ_CST);
    vm_settle(); /* it may be in the middle of its loop */
}
