/*
 * veu fuzzers: the bytes that a fuzzer made, as numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Past its end an input reads as zeros, so that every input is legal.
 */
#ifndef VEU_FUZZ_INPUT_H
#define VEU_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct FuzzInput {
    const uint8_t *data;
    size_t left;
} FuzzInput;

/* The function that a fuzzer, or replay.c, calls with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static inline void fuzz_bytes(FuzzInput *in, void *to, size_t bytes)
{
    size_t there = bytes < in->left ? bytes : in->left;

    if (there) {
        memcpy(to, in->data, there);
    }
    memset((uint8_t *)to + there, 0, bytes - there);
    in->data += there;
    in->left -= there;
}

static inline uint8_t fuzz_u8(FuzzInput *in)
{
    uint8_t value;

    fuzz_bytes(in, &value, sizeof(value));
    return value;
}

static inline uint16_t fuzz_u16(FuzzInput *in)
{
    uint16_t value;

    fuzz_bytes(in, &value, sizeof(value));
    return value;
}

static inline uint32_t fuzz_u32(FuzzInput *in)
{
    uint32_t value;

    fuzz_bytes(in, &value, sizeof(value));
    return value;
}

static inline uint64_t fuzz_u64(FuzzInput *in)
{
    uint64_t value;

    fuzz_bytes(in, &value, sizeof(value));
    return value;
}

#endif
