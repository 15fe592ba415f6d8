/*
 * veu execution unit: the message table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A message consists of one row here and one executor. Opcodes and field order:
 * the table in encoding.md, section 3; legal lanes: semantics.md, section 2.
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/message.h"

#define F(name) VEU_FIELD_##name

const VeuMessageInfo veu_messages[] = {
    {
        .opcode = VEU_OPCODE_OWORD_LD,
        .mnemonic = "oword_ld",
        .fields = { F(OWORDS), F(IS_MODIFIED), F(SURFACE), F(OFFSET),
                    F(BLOCK_DATA) },
        .unit = VEU_UNIT_OWORD,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_oword_ld,
        .choose_fast = veu_fast_oword_ld,
        .choose_slm = veu_slm_oword_ld,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads 1 to 16 owords in a row, whatever the mask; the "
                   "offset counts owords.",
    },
    {
        .opcode = VEU_OPCODE_OWORD_ST,
        .mnemonic = "oword_st",
        .fields = { F(OWORDS), F(SURFACE), F(OFFSET), F(BLOCK_DATA) },
        .unit = VEU_UNIT_OWORD,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_oword_st,
        .choose_fast = veu_fast_oword_st,
        .choose_slm = veu_slm_oword_st,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Writes 1 to 16 owords in a row, whatever the mask; the "
                   "offset counts owords.",
    },
    {
        .opcode = VEU_OPCODE_MEDIA_LD,
        .mnemonic = "media_ld",
        .fields = { F(MEDIA_LOAD_MODE), F(SURFACE), F(PLANE), F(BLOCK_WIDTH),
                    F(BLOCK_HEIGHT), F(X_OFFSET), F(Y_OFFSET), F(MEDIA_DATA) },
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_media_ld,
        .choose_fast = veu_fast_media_ld,
        .surfaces = VEU_TAKES_2D,
        .summary = "Reads a rectangle of bytes, whatever the mask.",
    },
    {
        .opcode = VEU_OPCODE_MEDIA_ST,
        .mnemonic = "media_st",
        .fields = { F(MEDIA_STORE_MODE), F(SURFACE), F(PLANE), F(BLOCK_WIDTH),
                    F(BLOCK_HEIGHT), F(X_OFFSET), F(Y_OFFSET), F(MEDIA_DATA) },
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_media_st,
        .choose_fast = veu_fast_media_st,
        .surfaces = VEU_TAKES_2D,
        .summary = "Writes a rectangle of bytes, whatever the mask; X is a "
                   "multiple of 4.",
    },
    {
        .opcode = VEU_OPCODE_GATHER,
        .mnemonic = "gather",
        .fields = { F(ELT_SIZE), F(IS_MODIFIED), F(NUM_ELTS), F(SURFACE),
                    F(OFFSET), F(ELEMENT_OFFSET), F(LANE_DATA) },
        .lanes = 1 | 8 | 16,
        .unit = VEU_UNIT_ELEMENT,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather,
        .choose_fast = veu_fast_gather,
        .choose_slm = veu_slm_gather,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads an element of 1, 2 or 4 bytes per lane; offsets "
                   "count elements.",
    },
    {
        .opcode = VEU_OPCODE_SCATTER,
        .mnemonic = "scatter",
        .fields = { F(ELT_SIZE), F(NUM_ELTS), F(SURFACE), F(OFFSET),
                    F(ELEMENT_OFFSET), F(LANE_DATA) },
        .lanes = 1 | 8 | 16,
        .unit = VEU_UNIT_ELEMENT,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter,
        .choose_fast = veu_fast_scatter,
        .choose_slm = veu_slm_scatter,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Writes an element of 1, 2 or 4 bytes per lane; offsets "
                   "count elements.",
    },
    {
        .opcode = VEU_OPCODE_OWORD_LD_UNALIGNED,
        .mnemonic = "oword_ld_unaligned",
        .fields = { F(OWORDS), F(IS_MODIFIED), F(SURFACE), F(OFFSET),
                    F(BLOCK_DATA) },
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_oword_ld,
        .choose_fast = veu_fast_oword_ld,
        .choose_slm = veu_slm_oword_ld,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads 1 to 16 owords in a row, whatever the mask; the "
                   "offset counts bytes, a multiple of 4.",
    },
    {
        .opcode = VEU_OPCODE_GATHER4_TYPED,
        .mnemonic = "gather4_typed",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SURFACE), F(U), F(V),
                    F(R), F(LOD), F(CHANNEL_DATA) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather4_typed,
        .choose_fast = veu_fast_gather4_typed,
        .surfaces = VEU_TAKES_TEXELS,
        .outside = VEU_OUTSIDE_DEFAULT,
        .summary = "Reads the chosen channels of a texel per lane, "
                   "converted from the surface's format.",
    },
    {
        .opcode = VEU_OPCODE_SCATTER4_TYPED,
        .mnemonic = "scatter4_typed",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SURFACE), F(U), F(V),
                    F(R), F(LOD), F(CHANNEL_DATA) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter4_typed,
        .choose_fast = veu_fast_scatter4_typed,
        .surfaces = VEU_TAKES_TEXELS,
        .summary = "Writes the chosen channels of a texel per lane, "
                   "converted to the surface's format.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_BLOCK_LD,
        .mnemonic = "svm_block_ld",
        .fields = { F(SVM_OWORDS), F(ADDRESS), F(BLOCK_DATA) },
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_svm_block_ld,
        .choose_fast = veu_fast_svm_block_ld,
        .summary = "Reads 1, 2, 4 or 8 owords in a row from an address, "
                   "whatever the mask.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_BLOCK_ST,
        .mnemonic = "svm_block_st",
        .fields = { F(SVM_OWORDS), F(ADDRESS), F(BLOCK_DATA) },
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_svm_block_st,
        .choose_fast = veu_fast_svm_block_st,
        .summary = "Writes 1, 2, 4 or 8 owords in a row to an address, "
                   "whatever the mask.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_GATHER,
        .mnemonic = "svm_gather",
        .fields = { F(EXEC_SIZE), F(PRED), F(SVM_BLOCK_SIZE), F(SVM_NUM_BLOCKS),
                    F(ADDRESSES), F(SVM_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_svm_gather,
        .choose_fast = veu_fast_svm_gather,
        .summary = "Reads 1, 2, 4 or 8 blocks of 1, 4 or 8 bytes per lane "
                   "from an address.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_SCATTER,
        .mnemonic = "svm_scatter",
        .fields = { F(EXEC_SIZE), F(PRED), F(SVM_STORE_BLOCK_SIZE),
                    F(SVM_NUM_BLOCKS), F(ADDRESSES), F(SVM_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_svm_scatter,
        .choose_fast = veu_fast_svm_scatter,
        .summary = "Writes 1, 2, 4 or 8 blocks of 1, 4 or 8 bytes per lane "
                   "to an address.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_ATOMIC,
        .mnemonic = "svm_atomic",
        .fields = { F(EXEC_SIZE), F(PRED), F(SVM_ATOMIC_OP), F(ADDRESSES),
                    F(ATOMIC_SRC0), F(ATOMIC_SRC1), F(ATOMIC_DST) },
        .text_operands = { F(ADDRESSES), F(ATOMIC_DST), F(ATOMIC_SRC0),
                           F(ATOMIC_SRC1) },
        .lanes = 1 | 2 | 4 | 8,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_svm_atomic,
        .choose_fast = veu_fast_svm_atomic,
        .summary = "Changes 2, 4 or 8 bytes per lane at an address, "
                   "atomically, and returns the old value.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_GATHER4SCALED,
        .mnemonic = "svm_gather4scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SCALE), F(ADDRESS),
                    F(SVM_ELEMENT_OFFSET), F(SVM_CHANNEL_DATA) },
        .lanes = 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_svm_gather4scaled,
        .choose_fast = veu_fast_svm_gather4,
        .summary = "Reads up to 4 dwords in a row per lane from a base "
                   "address and byte offsets.",
    },
    {
        .opcode = VEU_OPCODE_SVM,
        .sub = VEU_SVM_SCATTER4SCALED,
        .mnemonic = "svm_scatter4scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SCALE), F(ADDRESS),
                    F(SVM_ELEMENT_OFFSET), F(SVM_CHANNEL_DATA) },
        .lanes = 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_svm_scatter4scaled,
        .choose_fast = veu_fast_svm_scatter4,
        .summary = "Writes up to 4 dwords in a row per lane at a base "
                   "address and byte offsets.",
    },
    {
        .opcode = VEU_OPCODE_FENCE,
        .mnemonic = "fence",
        .fields = { F(FENCE_MASK) },
        .access = VEU_ACCESS_NONE,
        .execute = veu_execute_fence,
        .choose_fast = veu_fast_fence,
        .summary = "Orders what the EU thread did before it and what it "
                   "does after it.",
    },
    {
        .opcode = VEU_OPCODE_SAMPLE,
        .sub = VEU_SAMPLE_LZ,
        .samples = true,
        .mnemonic = "sample_lz",
        .fields = { F(SAMPLE_OP), F(EXEC_SIZE), F(PRED), F(CHANNELS),
                    F(TEXEL_OFFSETS), F(SAMPLER), F(SURFACE), F(CHANNEL_DATA),
                    F(PARAMETERS), F(U), F(V), F(R) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_sample,
        .surfaces = VEU_TAKES_1D | VEU_TAKES_2D | VEU_TAKES_3D | VEU_TAKES_SRGB,
        .outside = VEU_OUTSIDE_SAMPLER,
        .summary = "Reads the chosen channels at a point per lane through a "
                   "sampler, from level 0.",
    },
    {
        .opcode = VEU_OPCODE_LOAD,
        .sub = VEU_LOAD_LZ,
        .samples = true,
        .mnemonic = "load_lz",
        .fields = { F(SAMPLE_OP), F(EXEC_SIZE), F(PRED), F(CHANNELS),
                    F(TEXEL_OFFSETS), F(SURFACE), F(CHANNEL_DATA),
                    F(PARAMETERS), F(U), F(V), F(R) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_load,
        .surfaces = VEU_TAKES_TEXELS | VEU_TAKES_SRGB,
        .outside = VEU_OUTSIDE_BORDER,
        .summary = "Reads the chosen channels of a texel per lane, from "
                   "level 0.",
    },
    {
        .opcode = VEU_OPCODE_TYPED_ATOMIC,
        .mnemonic = "typed_atomic",
        .fields = { F(ATOMIC_OP), F(EXEC_SIZE), F(PRED), F(SURFACE), F(U), F(V),
                    F(R), F(LOD), F(ATOMIC_SRC0), F(ATOMIC_SRC1),
                    F(ATOMIC_DST) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_typed_atomic,
        .choose_fast = veu_fast_typed_atomic,
        .surfaces = VEU_TAKES_TEXELS,
        .summary = "Changes a texel of 16 or 32 bits per lane, atomically, "
                   "and returns the old value.",
    },
    {
        .opcode = VEU_OPCODE_GATHER4_SCALED,
        .mnemonic = "gather4_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SCALE), F(SURFACE),
                    F(OFFSET), F(ELEMENT_OFFSET), F(CHANNEL_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather4_scaled,
        .choose_fast = veu_fast_gather4,
        .choose_slm = veu_slm_gather4,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads up to 4 dwords in a row per lane; offsets count "
                   "bytes.",
    },
    {
        .opcode = VEU_OPCODE_SCATTER4_SCALED,
        .mnemonic = "scatter4_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SCALE), F(SURFACE),
                    F(OFFSET), F(ELEMENT_OFFSET), F(CHANNEL_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .align_bytes = 4,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter4_scaled,
        .choose_fast = veu_fast_scatter4,
        .choose_slm = veu_slm_scatter4,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Writes up to 4 dwords in a row per lane; offsets count "
                   "bytes.",
    },
    {
        .opcode = VEU_OPCODE_GATHER_SCALED,
        .mnemonic = "gather_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                    F(SCALE), F(SURFACE), F(OFFSET), F(ELEMENT_OFFSET),
                    F(LANE_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16 | 32,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather,
        .choose_fast = veu_fast_gather,
        .choose_slm = veu_slm_gather,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads 1, 2 or 4 bytes per lane; offsets count bytes.",
    },
    {
        .opcode = VEU_OPCODE_SCATTER_SCALED,
        .mnemonic = "scatter_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                    F(SCALE), F(SURFACE), F(OFFSET), F(ELEMENT_OFFSET),
                    F(LANE_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16 | 32,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter,
        .choose_fast = veu_fast_scatter,
        .choose_slm = veu_slm_scatter,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Writes 1, 2 or 4 bytes per lane; offsets count bytes.",
    },
    {
        .opcode = VEU_OPCODE_DWORD_ATOMIC,
        .mnemonic = "dword_atomic",
        .fields = { F(ATOMIC_OP), F(EXEC_SIZE), F(PRED), F(SURFACE),
                    F(ELEMENT_OFFSET), F(ATOMIC_SRC0), F(ATOMIC_SRC1),
                    F(ATOMIC_DST) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_dword_atomic,
        .choose_fast = veu_fast_dword_atomic,
        .choose_slm = veu_slm_dword_atomic,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Changes 2 or 4 bytes per lane, atomically, and returns "
                   "the old value; offsets count bytes.",
    },
    {
        .opcode = VEU_OPCODE_QW_GATHER,
        .mnemonic = "qw_gather",
        .fields = { F(EXEC_SIZE), F(PRED), F(QW_NUM_BLOCKS), F(SURFACE),
                    F(ELEMENT_OFFSET), F(QW_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather,
        .choose_fast = veu_fast_gather,
        .choose_slm = veu_slm_gather,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Reads 8 bytes per lane; offsets count bytes.",
    },
    {
        .opcode = VEU_OPCODE_QW_SCATTER,
        .mnemonic = "qw_scatter",
        .fields = { F(EXEC_SIZE), F(PRED), F(QW_NUM_BLOCKS), F(SURFACE),
                    F(ELEMENT_OFFSET), F(QW_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter,
        .choose_fast = veu_fast_scatter,
        .choose_slm = veu_slm_scatter,
        .surfaces = VEU_TAKES_BYTES,
        .summary = "Writes 8 bytes per lane; offsets count bytes.",
    },
};

const unsigned veu_message_count = VEU_ARRAY_SIZE(veu_messages);

/* The first row whose opcode is not below @opcode; rows ascend by opcode. */
static unsigned find_opcode(uint8_t opcode)
{
    unsigned low = 0;
    unsigned high = veu_message_count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (veu_messages[middle].opcode < opcode) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const VeuMessageInfo *veu_message_find(const uint8_t *code, uint32_t bytes)
{
    for (unsigned i = bytes ? find_opcode(code[0]) : veu_message_count;
         i < veu_message_count && veu_messages[i].opcode == code[0]; i++) {
        const VeuMessageInfo *info = &veu_messages[i];

        if (info->sub == VEU_MESSAGE_NO_SUB ||
            (bytes > 1 && info->sub == code[1])) {
            return info;
        }
    }
    return NULL;
}

bool veu_message_has_sub(uint8_t opcode)
{
    return opcode == VEU_OPCODE_SVM;
}
