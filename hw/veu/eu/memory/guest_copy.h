/*
 * veu execution unit: loads and stores of guest data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Guest CPUs and other EU threads may write to guest memory while it is read.
 * All data of messages is moved by these functions. An aligned element of 1, 2,
 * 4 or 8 bytes is one access, so that no reader sees half.
 */
#ifndef VEU_EU_GUEST_COPY_H
#define VEU_EU_GUEST_COPY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/simd/cpu.h"

/* The ABI is little endian, and so is every supported host. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "big-endian hosts are not supported");

/* The widest single access that starts at @guest and ends within @bytes. */
static inline uint32_t veu_access_bytes(const void *guest, uint32_t bytes)
{
    uint32_t width = ((uintptr_t)guest & 7) | 8;

    width &= -width;
    while (width > bytes) {
        width >>= 1;
    }
    return width;
}

static inline void veu_guest_load_one(void *to, const void *guest,
                                      uint32_t bytes)
{
    uint64_t value;

    switch (bytes) {
    case 8:
        value = __atomic_load_n((const uint64_t *)guest, __ATOMIC_RELAXED);
        break;
    case 4:
        value = __atomic_load_n((const uint32_t *)guest, __ATOMIC_RELAXED);
        break;
    case 2:
        value = __atomic_load_n((const uint16_t *)guest, __ATOMIC_RELAXED);
        break;
    default:
        value = __atomic_load_n((const uint8_t *)guest, __ATOMIC_RELAXED);
        break;
    }
    memcpy(to, &value, bytes);
}

static inline void veu_guest_store_one(void *guest, const void *from,
                                       uint32_t bytes)
{
    uint64_t value = 0;

    memcpy(&value, from, bytes);
    switch (bytes) {
    case 8:
        __atomic_store_n((uint64_t *)guest, value, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((uint32_t *)guest, value, __ATOMIC_RELAXED);
        break;
    case 2:
        __atomic_store_n((uint16_t *)guest, value, __ATOMIC_RELAXED);
        break;
    default:
        __atomic_store_n((uint8_t *)guest, value, __ATOMIC_RELAXED);
        break;
    }
}

static inline void veu_guest_load(void *to, const void *guest, uint32_t bytes)
{
    for (uint32_t at = 0, width; at < bytes; at += width) {
        const uint8_t *from = (const uint8_t *)guest + at;

        width = veu_access_bytes(from, bytes - at);
        veu_guest_load_one((uint8_t *)to + at, from, width);
    }
}

static inline void veu_guest_store(void *guest, const void *from,
                                   uint32_t bytes)
{
    for (uint32_t at = 0, width; at < bytes; at += width) {
        uint8_t *to = (uint8_t *)guest + at;

        width = veu_access_bytes(to, bytes - at);
        veu_guest_store_one(to, (const uint8_t *)from + at, width);
    }
}

/*
 * A CPU with AVX also accesses 16 aligned bytes at once, according to Intel's
 * and AMD's manuals. ThreadSanitizer does not see them.
 */
#if defined(__x86_64__) && !defined(VEU_HAS_TSAN)
typedef uint64_t VeuOword __attribute__((vector_size(16), may_alias));
typedef VeuOword VeuAnyOword __attribute__((aligned(1)));

/*
 * Returns true if all addresses and sizes that are or-ed in @bits are multiples
 * of 16, and the CPU has a copy for them.
 */
static inline bool veu_guest_is_owords(uintptr_t bits)
{
    return veu_cpu != VEU_CPU_SCALAR && bits % 16 == 0;
}

static inline void veu_guest_load_oword(void *to, const void *guest)
{
    *(VeuAnyOword *)to = *(const volatile VeuOword *)guest;
}

static inline void veu_guest_store_oword(void *guest, const void *from)
{
    *(volatile VeuOword *)guest = *(const VeuAnyOword *)from;
}
#else
#define veu_guest_is_owords(bits)          false
#define veu_guest_load_oword(to, guest)    ((void)0)
#define veu_guest_store_oword(guest, from) ((void)0)
#endif

static inline void veu_guest_load_owords(uint8_t *to, const uint8_t *guest,
                                         uint32_t bytes)
{
    uint32_t at = 0;

    for (; bytes - at >= 64; at += 64) {
        VEU_UNROLL
        for (unsigned i = 0; i < 64; i += 16) {
            veu_guest_load_oword(to + at + i, guest + at + i);
        }
    }
    for (; at < bytes; at += 16) {
        veu_guest_load_oword(to + at, guest + at);
    }
}

static inline void veu_guest_store_owords(uint8_t *guest, const uint8_t *from,
                                          uint32_t bytes)
{
    uint32_t at = 0;

    for (; bytes - at >= 64; at += 64) {
        VEU_UNROLL
        for (unsigned i = 0; i < 64; i += 16) {
            veu_guest_store_oword(guest + at + i, from + at + i);
        }
    }
    for (; at < bytes; at += 16) {
        veu_guest_store_oword(guest + at, from + at);
    }
}

/* The bytes up to the first that is aligned to 8, or up to the end. */
static inline uint32_t veu_guest_head(const void *guest, uint32_t bytes)
{
    uint32_t head = -(uintptr_t)guest & 7;

    return head < bytes ? head : bytes;
}

/* Like veu_guest_load(), for a block. */
static inline void veu_guest_load_block(uint8_t *to, const uint8_t *guest,
                                        uint32_t bytes)
{
    uint32_t at = veu_guest_head(guest, bytes);

    if (veu_guest_is_owords((uintptr_t)guest | bytes)) {
        veu_guest_load_owords(to, guest, bytes);
        return;
    }
    veu_guest_load(to, guest, at);
    for (; bytes - at >= 8; at += 8) {
        veu_guest_load_one(to + at, guest + at, 8);
    }
    veu_guest_load(to + at, guest + at, bytes - at);
}

static inline void veu_guest_store_block(uint8_t *guest, const uint8_t *from,
                                         uint32_t bytes)
{
    uint32_t at = veu_guest_head(guest, bytes);

    if (veu_guest_is_owords((uintptr_t)guest | bytes)) {
        veu_guest_store_owords(guest, from, bytes);
        return;
    }
    veu_guest_store(guest, from, at);
    for (; bytes - at >= 8; at += 8) {
        veu_guest_store_one(guest + at, from + at, 8);
    }
    veu_guest_store(guest + at, from + at, bytes - at);
}

/*
 * Long copies, for which no size of a single access is promised: commands,
 * programs, payloads, results. The C library's copy serves as well as any. C
 * and ThreadSanitizer consider it a race, so ThreadSanitizer gets the other
 * copy.
 */
#ifdef VEU_HAS_TSAN
#define veu_guest_read  veu_guest_load
#define veu_guest_write veu_guest_store
#else
static inline void veu_guest_read(void *to, const void *guest, uint32_t bytes)
{
    memcpy(to, guest, bytes);
}

static inline void veu_guest_write(void *guest, const void *from,
                                   uint32_t bytes)
{
    memcpy(guest, from, bytes);
}
#endif

#define VEU_GUEST_EQUALS_BYTES 64

/*
 * Returns true if guest memory holds these bytes. It compares a copy: guest
 * memory may change at any time, and memcmp() may read differing bytes a second
 * time and find them equal.
 */
static inline bool veu_guest_equals(const uint8_t *guest, const void *bytes)
{
    uint64_t differ = 0;

    VEU_UNROLL
    for (unsigned at = 0; at < VEU_GUEST_EQUALS_BYTES; at += sizeof(differ)) {
        uint64_t copy, known;

        veu_guest_read(&copy, guest + at, sizeof(copy));
        memcpy(&known, (const uint8_t *)bytes + at, sizeof(known));
        differ |= copy ^ known;
    }
    return !differ;
}

/* Puts @value into @bits of an aligned integer and preserves all other bits. */
#define VEU_GUEST_EXCHANGE(name, type)                                       \
    static inline void name(void *guest, type bits, type value)              \
    {                                                                        \
        type *at = guest;                                                    \
        type old = __atomic_load_n(at, __ATOMIC_RELAXED);                    \
                                                                             \
        while (!__atomic_compare_exchange_n(at, &old, (old & ~bits) | value, \
                                            true, __ATOMIC_RELAXED,          \
                                            __ATOMIC_RELAXED)) {}            \
    }
VEU_GUEST_EXCHANGE(veu_guest_exchange16, uint16_t)
VEU_GUEST_EXCHANGE(veu_guest_exchange32, uint32_t)

#endif
