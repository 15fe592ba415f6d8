/*
 * veu-bench: kinds of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A kind is a row here and a loop in loops-scalar.c and loops-vector.c.
 */
#include "tools/veu-bench/bench.h"

/* clang-format off */
const BenchKind bench_kinds[] = {
    /* columns: name, text, lanes, operands, unit, access, data, type */
    { "gather", "gather.4 (M1, @N) @T 0x0:ud @A @D",
      8 | 16, BENCH_OFFSETS, 4, 4, 4, "ud",
      .gives = true, .loop = BENCH_LOOP_GATHER },
    { "gather_scaled", "gather_scaled.4 (M1, @N) @T 0x0:ud @A @D",
      8 | 16 | 32, BENCH_OFFSETS, 1, 4, 4, "ud",
      .gives = true, .loop = BENCH_LOOP_GATHER_BYTES },
    { "gather4_scaled", "gather4_scaled.RGBA (M1, @N) @T 0x0:ud @A @D",
      8 | 16, BENCH_OFFSETS, 1, 16, 16, "ud",
      .gives = true, .loop = BENCH_LOOP_GATHER4 },
    { "qw_gather", "qw_gather.1 (M1, @N) @T @A @D",
      8 | 16, BENCH_OFFSETS, 1, 8, 8, "uq",
      .gives = true, .loop = BENCH_LOOP_GATHER8 },
    { "scatter", "scatter.4 (M1, @N) @T 0x0:ud @A @D",
      8 | 16, BENCH_OFFSETS, 4, 4, 4, "ud", .takes = true,
      .loop = BENCH_LOOP_SCATTER },
    { "scatter_scaled", "scatter_scaled.4 (M1, @N) @T 0x0:ud @A @D",
      8 | 16 | 32, BENCH_OFFSETS, 1, 4, 4, "ud", .takes = true,
      .loop = BENCH_LOOP_SCATTER_BYTES },
    { "scatter4_scaled", "scatter4_scaled.RGBA (M1, @N) @T 0x0:ud @A @D",
      8 | 16, BENCH_OFFSETS, 1, 16, 16, "ud", .takes = true,
      .loop = BENCH_LOOP_SCATTER4 },
    { "qw_scatter", "qw_scatter.1 (M1, @N) @T @A @D",
      8 | 16, BENCH_OFFSETS, 1, 8, 8, "uq", .takes = true,
      .loop = BENCH_LOOP_SCATTER8 },
    { "gather4_typed",
      "gather4_typed.RGBA (M1, @N) @T @A @B %null.0 %null.0 @D",
      8 | 16, BENCH_TEXELS, 1, 4, 16, "f", .format = VEU_FORMAT_R8G8B8A8_UNORM,
      .gives = true, .loop = BENCH_LOOP_TYPED_READ },
    { "scatter4_typed",
      "scatter4_typed.RGBA (M1, @N) @T @A @B %null.0 %null.0 @D",
      8 | 16, BENCH_TEXELS, 1, 4, 16, "f", .is_float = true, .takes = true,
      .format = VEU_FORMAT_R8G8B8A8_UNORM,
      .loop = BENCH_LOOP_TYPED_WRITE },
    { "svm_gather", "svm_gather.4.1 (M1, @N) @A @D",
      8 | 16, BENCH_ADDRESSES, 1, 4, 4, "ud",
      .gives = true, .loop = BENCH_LOOP_SVM_GATHER },
    { "svm_scatter", "svm_scatter.4.1 (M1, @N) @A @D",
      8 | 16, BENCH_ADDRESSES, 1, 4, 4, "ud", .takes = true,
      .loop = BENCH_LOOP_SVM_SCATTER },
    { "dword_atomic", "dword_atomic.add (M1, @N) @T @A @S %null.0 @D",
      8 | 16, BENCH_OFFSETS, 1, 4, 8, "ud", .takes = true, .gives = true,
      .loop = BENCH_LOOP_ATOMIC },
    { "typed_atomic",
      "typed_atomic.add (M1, @N) @T @A @B %null.0 %null.0 @S %null.0 @D",
      8 | 16, BENCH_TEXELS, 1, 4, 8, "ud", .takes = true, .gives = true,
      .format = VEU_FORMAT_R32_UINT,
      .loop = BENCH_LOOP_TYPED_ATOMIC },
    { "svm_atomic", "svm_atomic.add (M1, @N) @A @D @S %null.0",
      8, BENCH_ADDRESSES, 1, 4, 8, "ud", .takes = true, .gives = true,
      .loop = BENCH_LOOP_SVM_ATOMIC },
    { "oword_ld", "oword_ld (8) @T @A @D",
      0, BENCH_OFFSET, 16, 128, 128, "ud",
      .gives = true, .loop = BENCH_LOOP_BLOCK_LOAD },
    { "oword_st", "oword_st (8) @T @A @D",
      0, BENCH_OFFSET, 16, 128, 128, "ud", .takes = true,
      .loop = BENCH_LOOP_BLOCK_STORE },
    { "svm_block_ld", "svm_block_ld.unaligned (8) @A @D",
      0, BENCH_ADDRESS, 1, 128, 128, "ud",
      .gives = true, .loop = BENCH_LOOP_SVM_BLOCK_LOAD },
    { "svm_block_st", "svm_block_st.unaligned (8) @A @D",
      0, BENCH_ADDRESS, 1, 128, 128, "ud", .takes = true,
      .loop = BENCH_LOOP_SVM_BLOCK_STORE },
    { "media_ld", "media_ld.nomod (32,8) @T 0 @A @B @D",
      0, BENCH_CORNER, 1, 256, 256, "ud", .format = VEU_FORMAT_R8_UINT,
      .gives = true, .loop = BENCH_LOOP_MEDIA_LOAD },
    { "media_st", "media_st.nomod (32,8) @T 0 @A @B @D",
      0, BENCH_CORNER, 1, 256, 256, "ud", .takes = true,
      .format = VEU_FORMAT_R8_UINT,
      .loop = BENCH_LOOP_MEDIA_STORE },
};
/* clang-format on */

const unsigned bench_kind_count = G_N_ELEMENTS(bench_kinds);

const BenchKind *bench_kind_find(const char *name)
{
    for (unsigned i = 0; i < bench_kind_count; i++) {
        if (strcmp(bench_kinds[i].name, name) == 0) {
            return &bench_kinds[i];
        }
    }
    return NULL;
}
