/*
 * veu ABI: what every other header of this folder needs.
 *
 * SPDX-License-Identifier: MIT
 *
 * The headers in this folder are the guest-visible interface of the veu
 * device. They are freestanding C11 (and C++11): integers of fixed width and
 * nothing else, so that a Linux driver, UEFI, bare metal and bindgen all read
 * the same files. All structures are little endian, have no implicit padding
 * and are naturally aligned. docs/spec.md is the normative text.
 */
#ifndef VEU_BASE_H
#define VEU_BASE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
#define VEU_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define VEU_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/** The bytes of a structure are part of the ABI: pin them. */
#define VEU_ASSERT_SIZE(type, bytes) \
    VEU_STATIC_ASSERT(sizeof(type) == (bytes), #type " has the wrong size")

/** So is the offset of each of its fields. */
#define VEU_ASSERT_OFFSET(type, field, bytes)           \
    VEU_STATIC_ASSERT(offsetof(type, field) == (bytes), \
                      #type "." #field " has the wrong offset")

#endif /* VEU_BASE_H */
