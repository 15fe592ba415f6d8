/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time and power: QEMU's PCs (pc, q35) with the addresses SeaBIOS chooses.
 */
#include "x86.h"

#define PM1A_CONTROL 0x604
#define PM_TIMER     0x608
/* with sleep type 0, which means S5 on these machines */
#define SLEEP_ENABLE 0x2000
#define DEBUG_EXIT   0xf4 /* -device isa-debug-exit,iobase=0xf4,iosize=4 */

#define PM_TIMER_MASK 0xffffffu
#define PM_TIMER_HZ   3579545ull

void machine_delay_us(unsigned us)
{
    uint64_t ticks = us * PM_TIMER_HZ / 1000000 + 1;
    uint32_t last = x86_in32(PM_TIMER);
    uint64_t passed = 0;

    while (passed < ticks) {
        uint32_t now = x86_in32(PM_TIMER);

        passed += (now - last) & PM_TIMER_MASK;
        last = now;
        machine_pause();
    }
}

void machine_exit(int status)
{
    if (status == 0) {
        x86_out16(PM1A_CONTROL, SLEEP_ENABLE);
    } else {
        x86_out32(DEBUG_EXIT, status); /* QEMU exits with status * 2 + 1 */
    }
    machine_delay_us(1000000); /* QEMU does not end at once */
    machine_print("halted: QEMU would end with status %d, had it been started "
                  "with\n-device isa-debug-exit,iobase=0xf4,iosize=4\n",
                  status * 2 + 1);
    for (;;) {
        __asm__ volatile("cli; hlt");
    }
}
