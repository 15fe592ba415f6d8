/*
 * A process whose memory changes all the time while the device uses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_BUSY_H
#define VEU_TESTS_LINUX_BUSY_H

#include <stdbool.h>

/*
 * The device fills an area of this process, which moves between, while a thread
 * disturbs it. @rounds, which other processes may read, counts up to @most.
 * Returns true if each word was always as it should be; prints what was not.
 */
bool works_while_disturbed(volatile unsigned *rounds, unsigned most);

#endif /* VEU_TESTS_LINUX_BUSY_H */
