/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The library's encoders, compared with bytes from the vendor's assembler.
 */
#include "checks.h"
#include "veu_encode_buffer.h"

#define LONGEST 48

struct vector {
    const char *text;
    bool (*encode)(struct veu_code *code);
    const char *hex;
};

static bool gather_1(struct veu_code *c)
{
    return veu_encode_gather(c, 1, veu_m(4, 1), 6, veu_ud(16), veu_v(255),
                             veu_v(32));
}

static bool gather_2(struct veu_code *c)
{
    return veu_encode_gather(c, 2, veu_m(7, 1), STATELESS, veu_ud(0),
                             (struct veu_raw){ 319, 32 }, veu_v(47));
}

static bool gather_4(struct veu_code *c)
{
    return veu_encode_gather(c, 4, veu_m(1, 16), 6, veu_imm(VEU_TYPE_UQ, 16),
                             veu_v(32), veu_v(33));
}

static bool gather_scaled_1(struct veu_code *c)
{
    return veu_encode_gather_scaled(c, VEU_PRED_NOT | VEU_PRED_ALL | 2, 1,
                                    veu_m(8, 1), 6, veu_ud(0),
                                    (struct veu_raw){ 33, 224 }, veu_v(34));
}

static bool gather_scaled_4(struct veu_code *c)
{
    return veu_encode_gather_scaled(c, VEU_PRED_ANY | 1, 4, veu_m(1, 4), 6,
                                    veu_element(41, 0, 0),
                                    (struct veu_raw){ 32, 32 }, veu_v(300));
}

static bool scatter_scaled_1(struct veu_code *c)
{
    return veu_encode_scatter_scaled(c, VEU_PRED_NOT | VEU_PRED_ANY | 1, 1,
                                     veu_m_nm(3, 2), 6, veu_ud(16), veu_v(32),
                                     veu_v(46));
}

static bool typed_rgba(struct veu_code *c)
{
    struct veu_texels at = { veu_v(300), { 32, 128 }, veu_v(255), veu_v(256) };

    return veu_encode_scatter4_typed(c, 1, VEU_CHANNEL_RGBA, veu_m_nm(7, 8), 40,
                                     at, veu_v(47));
}

static bool typed_ga(struct veu_code *c)
{
    struct veu_texels at = { .u = veu_v(32), .v = veu_v(33) };

    return veu_encode_scatter4_typed(c, 0, VEU_CHANNEL_G | VEU_CHANNEL_A,
                                     veu_m(1, 16), 6, at, veu_v(34));
}

static bool svm_1_8(struct veu_code *c)
{
    return veu_encode_svm_gather(c, 1, 1, 8, veu_m_nm(3, 8),
                                 (struct veu_raw){ 37, 32 }, veu_v(46));
}

static bool svm_8_1(struct veu_code *c)
{
    return veu_encode_svm_gather(c, 0, 8, 1, veu_m(1, 8), veu_v(37), veu_v(38));
}

static bool svm_scatter_1_8(struct veu_code *c)
{
    return veu_encode_svm_scatter(c, VEU_PRED_ANY | 2, 1, 8, veu_m_nm(1, 16),
                                  (struct veu_raw){ 37, 32 },
                                  (struct veu_raw){ 36, 256 });
}

static bool svm_scatter_4_1(struct veu_code *c)
{
    return veu_encode_svm_scatter(c, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                                  veu_v(37), veu_v(32));
}

static bool gather_indirect(struct veu_code *c)
{
    return veu_encode_gather(c, 2, veu_m_nm(5, 16), 6,
                             veu_indirect(1, 0, -32, VEU_TYPE_UD), veu_v(46),
                             (struct veu_raw){ 35, 32 });
}

static bool svm_atomic_add(struct veu_code *c)
{
    return veu_encode_svm_atomic(c, VEU_PRED_NOT | VEU_PRED_ALL | 1,
                                 VEU_ATOMIC_ADD, 32, veu_m(8, 2), veu_v(38),
                                 veu_v(33), (struct veu_raw){ 34, 96 },
                                 VEU_NULL);
}

static bool dword_atomic_add(struct veu_code *c)
{
    return veu_encode_dword_atomic(c, 255, VEU_ATOMIC_ADD, 32, veu_m(1, 2), 32,
                                   (struct veu_raw){ 32, 128 }, veu_v(47),
                                   VEU_NULL, VEU_NULL);
}

static bool scatter_1(struct veu_code *c)
{
    return veu_encode_scatter(c, 1, veu_m(5, 8), SLM, veu_ud(0),
                              (struct veu_raw){ 319, 32 }, veu_v(46));
}

static bool gather4_scaled_rg(struct veu_code *c)
{
    return veu_encode_gather4_scaled(c, VEU_PRED_ANY | 1,
                                     VEU_CHANNEL_R | VEU_CHANNEL_G, veu_m(3, 8),
                                     6, veu_ud(0), (struct veu_raw){ 32, 128 },
                                     veu_v(34));
}

static bool scatter4_scaled_rb(struct veu_code *c)
{
    return veu_encode_scatter4_scaled(c, 1, VEU_CHANNEL_R | VEU_CHANNEL_B,
                                      veu_m_nm(1, 16), 40,
                                      veu_element(255, 0, 3),
                                      (struct veu_raw){ 319, 32 },
                                      (struct veu_raw){ 35, 64 });
}

static bool qw_gather_1(struct veu_code *c)
{
    return veu_encode_qw_gather(c, VEU_PRED_ALL | 1, veu_m(1, 8), 7,
                                (struct veu_raw){ 32, 32 }, veu_v(37));
}

static bool qw_scatter_1(struct veu_code *c)
{
    return veu_encode_qw_scatter(c, 300, veu_m(6, 4), SLM, veu_v(256),
                                 veu_v(37));
}

static bool oword_ld_1(struct veu_code *c)
{
    return veu_encode_oword_ld(c, 1, SLM, veu_ud(0x100),
                               (struct veu_raw){ 44, 64 });
}

static bool oword_ld_unaligned_2(struct veu_code *c)
{
    return veu_encode_oword_ld_unaligned(c, 2, STATELESS, veu_ud(0x80),
                                         veu_v(255));
}

static bool oword_st_1(struct veu_code *c)
{
    return veu_encode_oword_st(c, 1, 7, veu_element(35, 2, 6), veu_v(36));
}

static bool media_ld_nomod(struct veu_code *c)
{
    struct veu_block block = {
        .width = 16, .height = 4, .x = veu_ud(0), .y = veu_ud(0)
    };

    return veu_encode_media_ld(c, block, 6, veu_v(32));
}

static bool media_st_bottom(struct veu_code *c)
{
    struct veu_block block = { VEU_MEDIA_BOTTOM, 4, 64, veu_ud(0x80),
                               veu_element(33, 1, 3) };

    return veu_encode_media_st(c, block, 7, veu_v(47));
}

static bool typed_atomic_inc(struct veu_code *c)
{
    struct veu_texels at = { veu_v(34), veu_v(256), veu_v(34), veu_v(300) };

    return veu_encode_typed_atomic(c, VEU_PRED_NOT | 3, VEU_ATOMIC_INC, 32,
                                   veu_m(7, 8), 32, at, VEU_NULL, VEU_NULL,
                                   VEU_NULL);
}

static bool typed_atomic_cmpxchg_16(struct veu_code *c)
{
    struct veu_texels at = { { 319, 32 }, { 319, 32 }, veu_v(34), veu_v(300) };

    return veu_encode_typed_atomic(c, VEU_PRED_ALWAYS, VEU_ATOMIC_CMPXCHG, 16,
                                   veu_m(1, 8), 6, at,
                                   (struct veu_raw){ 34, 96 }, veu_v(256),
                                   VEU_NULL);
}

static bool svm_block_ld_2(struct veu_code *c)
{
    return veu_encode_svm_block_ld(c, 2, VEU_SVM_UNALIGNED,
                                   veu_element(38, 7, 3),
                                   (struct veu_raw){ 38, 32 });
}

static bool svm_block_ld_8(struct veu_code *c)
{
    return veu_encode_svm_block_ld(c, 8, 0, veu_element(37, 0, 1), veu_v(36));
}

static bool svm_block_st_4(struct veu_code *c)
{
    return veu_encode_svm_block_st(c, 4, VEU_SVM_UNALIGNED,
                                   veu_element(37, 0, 1), veu_v(37));
}

static bool svm_gather4_a(struct veu_code *c)
{
    return veu_encode_svm_gather4scaled(c, VEU_PRED_ALL | 1, VEU_CHANNEL_A,
                                        veu_m_nm(5, 16),
                                        veu_imm(VEU_TYPE_UQ, UINT64_MAX),
                                        (struct veu_raw){ 37, 128 },
                                        (struct veu_raw){ 35, 32 });
}

static bool svm_scatter4_ba(struct veu_code *c)
{
    return veu_encode_svm_scatter4scaled(c, VEU_PRED_ANY | 2,
                                         VEU_CHANNEL_B | VEU_CHANNEL_A,
                                         veu_m_nm(7, 8), veu_element(42, 0, 0),
                                         (struct veu_raw){ 39, 64 }, veu_v(34));
}

static bool fence_local(struct veu_code *c)
{
    return veu_encode_fence(c, VEU_FENCE_LOCAL | VEU_FENCE_COMMIT | 2);
}

static const struct vector vectors[] = {
    { "gather.2 (M5_NM, 16) r[A1(0),-32]<0;1,0>:ud", gather_indirect,
      "390100c10603010000e0ff0021012e0000000000230000002000" },
    { "(!P1.all) svm_atomic.add (M8, 2)", svm_atomic_add,
      "4e057101c00026000000000022000000600000000000000021"
      "0000000000" },
    { "(P255) dword_atomic.add (M1, 2)", dword_atomic_add,
      "7d0001ff00202000000080002f0000000000000000000000000000000000" },
    { "gather.1 (M4, 1)", gather_1,
      "3900003206050010000000ff0000000000200000000000" },
    { "gather.2 (M7, 1) %scratch", gather_2,
      "39010062050500000000003f01000020002f0000000000" },
    { "gather.4 (M1, 16), offset of type UQ", gather_4,
      "3902000106050b1000000000000000200000000000210000000000" },
    { "(!P2.all) gather_scaled.1 (M8, 1)", gather_scaled_1,
      "787002c0000000000605000000000021000000e000220000000000" },
    { "(P1.any) gather_scaled.4 (M1, 4) V41(0,0)<0;1,0>", gather_scaled_4,
      "7802012000020000060029000000000021012000000020002c0100000000" },
    { "(!P1.any) scatter_scaled.1 (M3_NM, 2)", scatter_scaled_1,
      "79a101a000000000060500100000002000000000002e0000000000" },
    { "(P1) scatter4_typed.RGBA (M7_NM, 8)", typed_rgba,
      "4ce301000f282c0100000000200000008000ff0000000000"
      "0001000000002f0000000000" },
    { "scatter4_typed.GA (M1, 16)", typed_ga,
      "4c0400000a06200000000000210000000000000000000000"
      "000000000000220000000000" },
    { "(P1) svm_gather.1.8 (M3_NM, 8)", svm_1_8,
      "4e03a3010000032500000020002e0000000000" },
    { "svm_gather.8.1 (M1, 8)", svm_8_1,
      "4e030300000200250000000000260000000000" },
    { "(P2.any) svm_scatter.1.8 (M1_NM, 16)", svm_scatter_1_8,
      "4e048402200003250000002000240000000001" },
    { "svm_scatter.4.1 (M1, 8)", svm_scatter_4_1,
      "4e040300000100250000000000200000000000" },
    { "scatter.1 (M5, 8) %slm", scatter_1,
      "3a0040000500000000003f01000020002e0000000000" },
    { "(P1.any) gather4_scaled.RG (M3, 8)", gather4_scaled_rg,
      "7423012003000006050000000000200000008000220000000000" },
    { "(P1) scatter4_scaled.RB (M1_NM, 16) V255(0,3)<0;1,0>",
      scatter4_scaled_rb,
      "758401000500002800ff000000000321013f0100002000230000004000" },
    { "(P1.all) qw_gather.1 (M1, 8)", qw_gather_1,
      "860301400007200000002000250000000000" },
    { "(P300) qw_scatter.1 (M6, 4) %slm", qw_scatter_1,
      "87522c010000000100000000250000000000" },
    { "oword_ld (1) %slm", oword_ld_1, "350000000500000100002c0000004000" },
    { "oword_ld_unaligned (2) %scratch", oword_ld_unaligned_2,
      "3c010005050080000000ff0000000000" },
    { "oword_st (1) V35(2,6)<0;1,0>", oword_st_1,
      "360007002300000002062101240000000000" },
    { "media_ld.nomod (16,4)", media_ld_nomod,
      "370006001004050000000000050000000000200000000000" },
    { "media_st.bottom (4,64) V33(1,3)<0;1,0>", media_st_bottom,
      "3803070004400500800000000021000000010321012f0000000000" },
    { "(!P3) typed_atomic.inc (M7, 8)", typed_atomic_inc,
      "7302630380202200000000000001000000002200000000002c010000000000000000"
      "0000000000000000000000000000" },
    { "typed_atomic.cmpxchg.16 (M1, 8)", typed_atomic_cmpxchg_16,
      "7327030000063f01000020003f01000020002200000000002c010000000022000000"
      "6000000100000000000000000000" },
    { "svm_block_ld.unaligned (2) V38(7,3)<0;1,0>", svm_block_ld_2,
      "4e0181002600000007032101260000002000" },
    { "svm_block_ld.aligned (8) V37(0,1)<0;1,0>", svm_block_ld_8,
      "4e0103002500000000012101240000000000" },
    { "svm_block_st.unaligned (4) V37(0,1)<0;1,0>", svm_block_st_4,
      "4e0282002500000000012101250000000000" },
    { "(P1.all) svm_gather4scaled.A (M5_NM, 16)", svm_gather4_a,
      "4e06c40140080000050bffffffffffffffff250000008000230000002000" },
    { "(P2.any) svm_scatter4scaled.BA (M7_NM, 8)", svm_scatter4_ba,
      "4e07e302200c0000002a00000000002101270000004000220000000000" },
    { "fence_local.EI", fence_local, "5c23" },
};

static unsigned digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static bool same(const struct veu_code *code, const char *hex)
{
    uint32_t i = 0;

    while (i < code->bytes && hex[2 * i] &&
           code->memory[i] == digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1])) {
        i++;
    }
    return i == code->bytes && !hex[2 * i];
}

static void refusals(void)
{
    uint8_t memory[LONGEST];
    struct veu_code code;
    unsigned accepted = 0;

    report_begin("encoders refuse what cannot be encoded");
    veu_code_begin(&code, memory, sizeof(memory));
    accepted += veu_encode_gather(&code, 8, veu_m(1, 8), 6, veu_ud(0),
                                  veu_v(32), veu_v(33));
    veu_code_begin(&code, memory, sizeof(memory));
    accepted += veu_encode_gather(&code, 4, veu_m(1, 4), 6, veu_ud(0),
                                  veu_v(32), veu_v(33));
    veu_code_begin(&code, memory, sizeof(memory));
    accepted += veu_encode_svm_gather(&code, 0, 2, 1, veu_m(1, 8), veu_v(32),
                                      veu_v(33));
    veu_code_begin(&code, memory, 18); /* one byte too few */
    accepted += svm_8_1(&code);
    report_result(accepted == 0, "%u were encoded", accepted);
}

void check_encode(void)
{
    uint8_t memory[LONGEST];
    struct veu_code code;

    report_section("encoders of the library");
    for (unsigned i = 0; i < ARRAY_SIZE(vectors); i++) {
        report_begin("%s", vectors[i].text);
        veu_code_begin(&code, memory, sizeof(memory));
        report_result(vectors[i].encode(&code) && same(&code, vectors[i].hex),
                      "the vendor's bytes are %s", vectors[i].hex);
    }
    refusals();
}
