/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expansion ROM, in protected mode: memory is flat and not translated,
 * interrupts are off.
 */
#ifndef ROM_H
#define ROM_H

/** The length of the printed line, with its end. */
#define ROM_LINE_BYTES 160

#ifndef __ASSEMBLER__

#include <stdint.h>

/**
 * Tests the device at @function, and leaves it as after a reset. @ids: vendor
 * and device id of the image. @line receives the text to print.
 */
void rom_main(uint16_t function, const uint16_t ids[2],
              char line[ROM_LINE_BYTES]);

#endif
#endif /* ROM_H */
