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
#define LINE_BYTES ((ptrdiff_t)64)
/* The stores in a row. */
#define ROW_LINES  4
#define ROW_BYTES  (ROW_LINES * LINE_BYTES)

#define AVX512 VEU_TARGET_AVX512 static inline

/*
 * Clears from @to, which may be in the middle of a line, up to @end and the
 * rest of its line.
 */
AVX512 void clear_lines(uint8_t *to, const uint8_t *end)
{
    __m512i zero = _mm512_setzero_si512();
    size_t more = -(uintptr_t)to % LINE_BYTES;

    __asm__("" : "+v"(zero)); /* else the compiler makes calls of the loops */
    if (more) {
        _mm512_mask_storeu_epi8(to, (UINT64_C(1) << more) - 1, zero);
        to += more;
    }
    for (; end - to >= ROW_BYTES; to += ROW_BYTES) {
        VEU_UNROLL
        for (unsigned i = 0; i < ROW_LINES; i++) {
            _mm512_storeu_si512(to + i * LINE_BYTES, zero);
        }
    }
    for (; to < end; to += LINE_BYTES) {
        _mm512_storeu_si512(to, zero);
    }
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

/* Bytes before the inputs, inputs, and bytes after them are written once. */
AVX512 void write_by_lines(uint8_t *operands, const VeuImage *image,
                           const uint8_t *local_ids)
{
    uint8_t *inputs = operands + image->registers_at + image->inputs_at;
    uint8_t *others = inputs + image->local_id_bytes;

    clear_lines(operands, inputs);
    write_r0(operands, image);
    read_input(inputs, local_ids, image->local_id_bytes);
    read_input(others, image->cross_thread, image->cross_thread_bytes);
    clear_lines(others + image->cross_thread_bytes,
                operands + image->operand_bytes);
}

#define HAS_LINES (veu_cpu == VEU_CPU_AVX512)
#else
#define HAS_LINES                                  false
#define write_by_lines(operands, image, local_ids) ((void)0)
#endif

void veu_image_write(uint8_t *operands, const VeuImage *image, uint32_t thread)
{
    const uint8_t *local_ids = image->local_ids +
                               (size_t)thread * image->local_id_bytes;

    if (HAS_LINES) {
        write_by_lines(operands, image, local_ids);
    } else {
        write_by_calls(operands, image, local_ids);
    }
}
