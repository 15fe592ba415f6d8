/*
 * veu unit tests: one lane of SVM_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_UNIT_ATOMIC_H
#define VEU_TEST_UNIT_ATOMIC_H

#include "tests/lib/eu_fixture.h"

/* The contents of memory and of Dst after the operation. */
typedef struct AtomicResult {
    uint64_t memory;
    uint64_t dst;
} AtomicResult;

static inline uint8_t atomic_width(unsigned bytes)
{
    return bytes == 2 ? TEST_16_BIT : bytes == 8 ? TEST_64_BIT : 0;
}

static inline bool atomic_has_src0(uint8_t op)
{
    return op != TEST_INC && op != TEST_DEC && op != TEST_PREDEC;
}

static inline bool atomic_has_src1(uint8_t op)
{
    return op == TEST_CMPXCHG || op == TEST_FCMPWR;
}

static inline AtomicResult atomic_perform(EuFixture *eu, uint8_t op,
                                          unsigned bytes, uint64_t old,
                                          uint64_t src0, uint64_t src1)
{
    TestMessage m = eu_message(TEST_SVM_ATOMIC);
    uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t memory;

    m.exec = TEST_LANES_1;
    m.op = op | atomic_width(bytes);
    m.data.id = bytes == 8 ? EU_QW_DATA : EU_DATA;
    m.src0.id = !atomic_has_src0(op) ? 0 : bytes == 8 ? EU_QW_SRC0 : EU_SRC0;
    m.src1.id = !atomic_has_src1(op) ? 0 : bytes == 8 ? EU_QW_SRC1 : EU_SRC1;
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM + 16);
    eu_set64(eu, EU_SRC0_AT, 0, src0);
    eu_set64(eu, EU_SRC1_AT, 0, src1);
    eu_set64(eu, EU_DATA_AT, 0, 0xeeeeeeeeeeeeeeee);
    test_memory_fill(&eu->memory, EU_RAM, 0xcc, 32);
    test_memory_put(&eu->memory, EU_RAM + 16, &old, bytes);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, bytes);
    /* no memory outside of the word is written */
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 8), ==,
                    0xcccccccccccccccc);
    memory = test_memory_get64(&eu->memory, EU_RAM + 16);
    g_assert_cmphex(memory & ~mask, ==, 0xcccccccccccccccc & ~mask);
    return (AtomicResult){ memory & mask, eu_get64(eu, EU_DATA_AT, 0) & mask };
}

/* Checks that @old becomes @expected, and is returned. */
static inline void atomic_check(EuFixture *eu, uint8_t op, unsigned bytes,
                                uint64_t old, uint64_t src0, uint64_t src1,
                                uint64_t expected)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    AtomicResult result = atomic_perform(eu, op, bytes, old & mask, src0, src1);

    g_assert_cmphex(result.memory, ==, expected & mask);
    g_assert_cmphex(result.dst, ==, old & mask);
}

#define FOR_EACH_WIDTH(bytes) for (unsigned bytes = 2; bytes <= 8; bytes *= 2)

#endif
