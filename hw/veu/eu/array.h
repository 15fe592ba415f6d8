/*
 * veu execution unit: the length of a table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_ARRAY_H
#define VEU_EU_ARRAY_H

/* The number of elements of @array, which must not be a pointer. */
#define VEU_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
