/*
 * veu execution unit: the message table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A message is one row here and one executor. Opcodes and field order: the
 * Format section of the message's page; legal lanes: semantics, section 2.
 */
#include <stddef.h>
#include "hw/veu/eu/execute.h"
#include "hw/veu/eu/message.h"

#define F(name)    VEU_FIELD_##name
#define OPCODE_SVM 0x4e

const VeuMessageInfo veu_messages[] = {
    {
        .opcode = 0x39,
        .mnemonic = "gather",
        .fields = { F(ELT_SIZE), F(IS_MODIFIED), F(NUM_ELTS), F(SURFACE),
                    F(OFFSET), F(ELEMENT_OFFSET), F(LANE_DATA) },
        .lanes = 1 | 8 | 16,
        .unit = VEU_UNIT_ELEMENT,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather,
        .surfaces = "buffer, SLM, stateless",
        .bounds = "zero",
        .summary = "Reads an element of 1, 2 or 4 bytes per lane; offsets "
                   "count elements.",
    },
    {
        .opcode = 0x78,
        .mnemonic = "gather_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                    F(SCALE), F(SURFACE), F(OFFSET), F(ELEMENT_OFFSET),
                    F(LANE_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16 | 32,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_gather,
        .surfaces = "buffer, SLM, stateless",
        .bounds = "zero",
        .summary = "Reads 1, 2 or 4 bytes per lane; offsets count bytes.",
    },
    {
        .opcode = 0x79,
        .mnemonic = "scatter_scaled",
        .fields = { F(EXEC_SIZE), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                    F(SCALE), F(SURFACE), F(OFFSET), F(ELEMENT_OFFSET),
                    F(LANE_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16 | 32,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter,
        .surfaces = "buffer, SLM, stateless",
        .bounds = "drop",
        .summary = "Writes 1, 2 or 4 bytes per lane; offsets count bytes.",
    },
    {
        .opcode = 0x4c,
        .mnemonic = "scatter4_typed",
        .fields = { F(EXEC_SIZE), F(PRED), F(CHANNELS), F(SURFACE), F(U), F(V),
                    F(R), F(LOD), F(CHANNEL_DATA) },
        .lanes = 8 | 16,
        .access = VEU_ACCESS_WRITE,
        .execute = veu_execute_scatter4_typed,
        .surfaces = "1D, 2D, 3D, typed buffer",
        .bounds = "drop",
        .summary = "Writes the chosen channels of a texel per lane, converted "
                   "to the surface's format.",
    },
    {
        .opcode = OPCODE_SVM,
        .sub = 0x03,
        .mnemonic = "svm_gather",
        .fields = { F(EXEC_SIZE), F(PRED), F(SVM_BLOCK_SIZE), F(SVM_NUM_BLOCKS),
                    F(ADDRESSES), F(SVM_DATA) },
        .lanes = 1 | 2 | 4 | 8 | 16,
        .unit = VEU_UNIT_BYTE,
        .access = VEU_ACCESS_READ,
        .execute = veu_execute_svm_gather,
        .surfaces = "none",
        .bounds = "fault",
        .summary = "Reads 1, 2, 4 or 8 blocks of 1, 4 or 8 bytes per lane from "
                   "an address.",
    },
};

const unsigned veu_message_count = sizeof(veu_messages) /
                                   sizeof(veu_messages[0]);

const VeuMessageInfo *veu_message_find(const uint8_t *code, uint32_t bytes)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *info = &veu_messages[i];

        if (bytes && info->opcode == code[0] &&
            (info->sub == VEU_MESSAGE_NO_SUB ||
             (bytes > 1 && info->sub == code[1]))) {
            return info;
        }
    }
    return NULL;
}

bool veu_message_has_sub(uint8_t opcode)
{
    return opcode == OPCODE_SVM;
}
