/*
 * veu device model: the operands with which an EU thread of a KERNEL starts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For the few hundred bytes that most EU threads have, calls of the C library
 * take longer than the stores.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/device/image.h"
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/simd/cpu.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static void write_r0(uint8_t *operands, const VeuImage *image)
{
    memcpy(operands + image->registers_at, image->r0, sizeof(image->r0));
}

void veu_image_clear(uint8_t *operands, const VeuImage *image)
{
    memset(operands, 0, image->operand_bytes);
    write_r0(operands, image);
}

/* All operands are cleared: to omit the inputs would take longer. */
static __attribute__((noinline)) void write_by_calls(uint8_t *operands,
                                                     const VeuImage *image,
                                                     const uint8_t *local_ids)
{
    uint8_t *inputs = operands + image->registers_at + image->inputs_at;

    veu_image_clear(operands, image);
    veu_guest_read(inputs, local_ids, image->local_id_bytes);
    veu_guest_read(inputs + image->local_id_bytes, image->cross_thread,
                   image->cross_thread_bytes);
}

/* ThreadSanitizer does not see these copies. */
#if defined(__x86_64__) && !defined(VEU_HAS_TSAN)
/* The bytes that one store of AVX-512 writes. */
#define LINE_BYTES ((size_t)64)
/* The stores in a row: the last ones may overlap those before them. */
#define ROW_LINES  4
#define ROW_BYTES  (ROW_LINES * LINE_BYTES)

#define AVX512 VEU_TARGET_AVX512 static inline

AVX512 void clear_row(uint8_t *to, __m512i zero)
{
    VEU_UNROLL
    for (unsigned i = 0; i < ROW_LINES; i++) {
        _mm512_storeu_si512(to + i * LINE_BYTES, zero);
    }
}

/* At least a row. */
AVX512 void clear_rows(uint8_t *to, uint32_t bytes)
{
    uint8_t *last = to + bytes - ROW_BYTES;
    __m512i zero = _mm512_setzero_si512();

    __asm__("" : "+v"(zero)); /* else the compiler makes a call of the loop */
    for (; to < last; to += ROW_BYTES) {
        clear_row(to, zero);
    }
    clear_row(last, zero);
}

AVX512 void copy_line(uint8_t *to, const uint8_t *from)
{
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
}

/* No size of a single access is promised: guest_copy.h. */
AVX512 void read_input(uint8_t *to, const uint8_t *guest, uint32_t bytes)
{
    uint32_t last = bytes - LINE_BYTES;

    if (bytes < LINE_BYTES) {
        veu_guest_read(to, guest, bytes);
        return;
    }
    for (uint32_t at = 0; at < last; at += LINE_BYTES) {
        copy_line(to + at, guest + at);
    }
    copy_line(to + last, guest + last);
}

AVX512 void write_by_rows(uint8_t *operands, const VeuImage *image,
                          const uint8_t *local_ids)
{
    uint8_t *inputs = operands + image->registers_at + image->inputs_at;
    uint8_t *others = inputs + image->local_id_bytes;

    clear_rows(operands, image->operand_bytes);
    write_r0(operands, image);
    read_input(inputs, local_ids, image->local_id_bytes);
    read_input(others, image->cross_thread, image->cross_thread_bytes);
}

static bool has_rows(const VeuImage *image)
{
    return veu_cpu == VEU_CPU_AVX512 && image->operand_bytes >= ROW_BYTES;
}
#else
#define has_rows(image)                           false
#define write_by_rows(operands, image, local_ids) ((void)0)
#endif

void veu_image_write(uint8_t *operands, const VeuImage *image, uint32_t thread)
{
    const uint8_t *local_ids = image->local_ids +
                               (size_t)thread * image->local_id_bytes;

    if (has_rows(image)) {
        write_by_rows(operands, image, local_ids);
    } else {
        write_by_calls(operands, image, local_ids);
    }
}
