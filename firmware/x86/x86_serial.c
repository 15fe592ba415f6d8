/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first serial port: a 16550 that is polled.
 */
#include "x86.h"

#define COM1       0x3f8
#define DATA       (COM1 + 0)
#define INTERRUPTS (COM1 + 1)
#define FIFO       (COM1 + 2)
#define LINE       (COM1 + 3)
#define MODEM      (COM1 + 4)
#define STATUS     (COM1 + 5)

#define LINE_DIVISOR    0x80
#define LINE_8N1        0x03
#define FIFO_ON_CLEAR   0x07
#define MODEM_READY     0x03
#define STATUS_CAN_SEND 0x20

void x86_serial_init(void)
{
    x86_out8(INTERRUPTS, 0);
    x86_out8(LINE, LINE_DIVISOR | LINE_8N1);
    x86_out8(DATA, 1); /* 115200 baud */
    x86_out8(INTERRUPTS, 0);
    x86_out8(LINE, LINE_8N1);
    x86_out8(FIFO, FIFO_ON_CLEAR);
    x86_out8(MODEM, MODEM_READY);
}

void machine_put_char(char c)
{
    if (c == '\n') {
        machine_put_char('\r');
    }
    while (!(x86_in8(STATUS) & STATUS_CAN_SEND)) {
        machine_pause();
    }
    x86_out8(DATA, c);
}
