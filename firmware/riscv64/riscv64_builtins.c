/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions that compilers expect from a library because RV64IMAC has no
 * instruction for them.
 */
#include "riscv64.h"

int __clzdi2(uint64_t value);
uint16_t __atomic_fetch_add_2(volatile void *at, uint16_t value, int order);

int __clzdi2(uint64_t value)
{
    int zeroes = 0;

    for (unsigned half = 32; half; half /= 2) {
        if (value >> (64 - half) == 0) {
            value <<= half;
            zeroes += half;
        }
    }
    return zeroes;
}

/* Operates within the aligned word that contains it. */
uint16_t __atomic_fetch_add_2(volatile void *at, uint16_t value, int order)
{
    volatile uint32_t *word = (volatile uint32_t *)((uintptr_t)at &
                                                    ~(uintptr_t)3);
    unsigned shift = ((uintptr_t)at & 2) * 8;
    uint32_t old = *word, new;

    (void)order;
    do {
        new = (old & ~(0xffffu << shift)) | (((old >> shift) + value) & 0xffff)
                                                << shift;
    } while (!__atomic_compare_exchange_n(word, &old, new, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return old >> shift;
}
