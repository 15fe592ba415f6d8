/*
 * veu execution unit: messages: the table, the encoding, the decoded form.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A message goes through two steps before it runs. veu_encoding_parse() reads
 * its bytes by the row of the message table: what is encodable. Then
 * veu_message_decode() holds it against the program's declarations and
 * the rules of spec.md: what is executable.
 */
#ifndef VEU_EU_MESSAGE_H
#define VEU_EU_MESSAGE_H

#include "hw/veu/eu/program/message.h"
#include "veu/surface.h"

/* The fields of all messages; field.c has a row for each. */
typedef enum VeuField {
    VEU_FIELD_END, /* ends a row's list */
    VEU_FIELD_ELT_SIZE,
    VEU_FIELD_IS_MODIFIED,
    VEU_FIELD_NUM_ELTS,
    VEU_FIELD_EXEC_SIZE,
    VEU_FIELD_PRED,
    VEU_FIELD_BLOCK_SIZE,
    VEU_FIELD_NUM_BLOCKS,
    VEU_FIELD_SVM_BLOCK_SIZE,
    VEU_FIELD_SVM_STORE_BLOCK_SIZE,
    VEU_FIELD_SVM_NUM_BLOCKS,
    VEU_FIELD_QW_NUM_BLOCKS,
    VEU_FIELD_OWORDS,
    VEU_FIELD_SVM_OWORDS,
    VEU_FIELD_ATOMIC_OP,
    VEU_FIELD_SVM_ATOMIC_OP,
    VEU_FIELD_MEDIA_LOAD_MODE,
    VEU_FIELD_MEDIA_STORE_MODE,
    VEU_FIELD_PLANE,
    VEU_FIELD_BLOCK_WIDTH,
    VEU_FIELD_BLOCK_HEIGHT,
    VEU_FIELD_FENCE_MASK,
    VEU_FIELD_SAMPLE_OP,
    VEU_FIELD_TEXEL_OFFSETS,
    VEU_FIELD_SAMPLER,
    VEU_FIELD_PARAMETERS,
    VEU_FIELD_SCALE,
    VEU_FIELD_CHANNELS,
    VEU_FIELD_SURFACE,
    VEU_FIELD_OFFSET,
    VEU_FIELD_ELEMENT_OFFSET,
    VEU_FIELD_U,
    VEU_FIELD_V,
    VEU_FIELD_R,
    VEU_FIELD_LOD,
    VEU_FIELD_X_OFFSET,
    VEU_FIELD_Y_OFFSET,
    VEU_FIELD_ADDRESS,
    VEU_FIELD_ADDRESSES,
    VEU_FIELD_SVM_ELEMENT_OFFSET,
    VEU_FIELD_LANE_DATA,
    VEU_FIELD_CHANNEL_DATA,
    VEU_FIELD_QW_DATA,
    VEU_FIELD_SVM_DATA,
    VEU_FIELD_SVM_CHANNEL_DATA,
    VEU_FIELD_BLOCK_DATA,
    VEU_FIELD_MEDIA_DATA,
    VEU_FIELD_ATOMIC_SRC0,
    VEU_FIELD_ATOMIC_SRC1,
    VEU_FIELD_ATOMIC_DST,
    VEU_FIELD_COUNT
} VeuField;

/* What an address operand counts in. */
typedef enum VeuUnit {
    VEU_UNIT_BYTE,
    VEU_UNIT_ELEMENT,
    VEU_UNIT_OWORD,
} VeuUnit;

/*
 * What a message takes as its surface. Messages of bytes take memory, those of
 * texels take surfaces with a format, arrays of them included.
 */
enum {
    VEU_TAKES_1D = 1 << VEU_SURFACE_1D,
    VEU_TAKES_2D = 1 << VEU_SURFACE_2D,
    VEU_TAKES_3D = 1 << VEU_SURFACE_3D,
    VEU_TAKES_CUBE = 1 << VEU_SURFACE_CUBE,
    VEU_TAKES_TYPED_BUFFER = 1 << VEU_SURFACE_BUFFER,
    VEU_TAKES_BUFFER = 1 << 8, /* the bytes of a buffer, also one in SLM */
    VEU_TAKES_SLM = 1 << 9,
    VEU_TAKES_STATELESS = 1 << 10,
    VEU_TAKES_TEXELS = VEU_TAKES_1D | VEU_TAKES_2D | VEU_TAKES_3D |
                       VEU_TAKES_CUBE | VEU_TAKES_TYPED_BUFFER,
    VEU_TAKES_BYTES = VEU_TAKES_BUFFER | VEU_TAKES_SLM | VEU_TAKES_STATELESS,
};

/* What a lane reads outside of the surface. What it writes is dropped. */
typedef enum VeuOutside {
    VEU_OUTSIDE_ZERO,
    VEU_OUTSIDE_DEFAULT, /* what a channel reads that the format lacks */
    VEU_OUTSIDE_BORDER,  /* a texel of zero bits */
    VEU_OUTSIDE_SAMPLER, /* the sampler says: the border, or other texels */
} VeuOutside;

#define VEU_MESSAGE_MAX_FIELDS   16
#define VEU_MESSAGE_MAX_OPERANDS 8
#define VEU_MESSAGE_NO_SUB       0

/* A row of the message table. */
struct VeuMessageInfo {
    uint8_t opcode;
    uint8_t sub; /* the byte after the opcode, or VEU_MESSAGE_NO_SUB */
    /*
     * A sampler's message: for programs of instructions only, and U, V and R
     * are as many as the field Num_parms says.
     */
    bool samples;
    const char *mnemonic;
    uint8_t fields[VEU_MESSAGE_MAX_FIELDS]; /* enum VeuField, binary order */
    /* Operands in the order of the text, where that is another. */
    uint8_t text_operands[VEU_MESSAGE_MAX_OPERANDS];
    uint8_t lanes; /* sum of the legal lane counts; 0: a message without */
    VeuUnit unit;
    uint8_t align_bytes; /* of an address; 0: any, or as a field says */
    enum veu_access access;
    /* Returns false when it has set thread->fault. */
    bool (*execute)(VeuThread *thread, const VeuMessage *message);
    /* Chooses a fast way through @message; NULL: there is none. */
    VeuFast *(*choose_fast)(const VeuMessage *message);
    /* The same of a program of instructions, to SLM; NULL: there is none. */
    VeuFast *(*choose_slm)(const VeuMessage *message);
    uint16_t surfaces; /* VEU_TAKES_*; 0: it names none */
    VeuOutside outside;
    const char *summary;
};

extern const VeuMessageInfo veu_messages[];
extern const unsigned veu_message_count;

/* The row for the opcode at @code, or NULL; 0x4e takes two bytes. */
const VeuMessageInfo *veu_message_find(const uint8_t *code, uint32_t bytes);

/* Returns true if messages with this opcode have a sub-opcode. */
bool veu_message_has_sub(uint8_t opcode);

#endif
