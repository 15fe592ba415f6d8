/*
 * veu execution unit: messages: their table, their encoding, their decoded
 * form.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A message goes through two steps before it runs. veu_encoding_parse() reads
 * its bytes by the row of the message table: what is encodable. Then
 * veu_message_decode() checks it against the program's declarations and the
 * rules of spec.md: what is executable.
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

/* The unit of an address operand. */
typedef enum VeuUnit {
    VEU_UNIT_BYTE,
    VEU_UNIT_ELEMENT,
    VEU_UNIT_OWORD,
} VeuUnit;

/*
 * The surfaces that a message takes. Messages that move bytes take memory;
 * those that move texels take surfaces with a format, including arrays.
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
    VEU_TAKES_SRGB = 1 << 11, /* texels of sRGB, as well as others */
    VEU_TAKES_TEXELS = VEU_TAKES_1D | VEU_TAKES_2D | VEU_TAKES_3D |
                       VEU_TAKES_CUBE | VEU_TAKES_TYPED_BUFFER,
    VEU_TAKES_BYTES = VEU_TAKES_BUFFER | VEU_TAKES_SLM | VEU_TAKES_STATELESS,
};

/* What a lane reads outside the surface. Writes there are dropped. */
typedef enum VeuOutside {
    VEU_OUTSIDE_ZERO,
    VEU_OUTSIDE_DEFAULT, /* the value of a channel that the format lacks */
    VEU_OUTSIDE_BORDER,  /* a texel of zero bits */
    VEU_OUTSIDE_SAMPLER, /* as the sampler says: the border, or other texels */
} VeuOutside;

#define VEU_MESSAGE_MAX_FIELDS   16
#define VEU_MESSAGE_MAX_OPERANDS 8
#define VEU_MESSAGE_NO_SUB       0

/* A row of the message table. */
struct VeuMessageInfo {
    uint8_t opcode;
    uint8_t sub; /* the byte after the opcode, or VEU_MESSAGE_NO_SUB */
    /*
     * A sampler message, which only programs of instructions may have. The
     * field Num_parms says how many of U, V and R there are.
     */
    bool samples;
    const char *mnemonic;
    uint8_t fields[VEU_MESSAGE_MAX_FIELDS]; /* enum VeuField, binary order */
    /* Operands in the order of the text, if it differs from the encoding. */
    uint8_t text_operands[VEU_MESSAGE_MAX_OPERANDS];
    /* sum of the legal lane counts; 0: the message has no lanes */
    uint8_t lanes;
    VeuUnit unit;
    /* alignment of an address; 0: any, or as a field says */
    uint8_t align_bytes;
    enum veu_access access;
    /* Returns false with thread->fault set. */
    bool (*execute)(VeuThread *thread, const VeuMessage *message);
    /* Chooses a fast path for @message, or returns NULL. */
    VeuFast *(*choose_fast)(const VeuMessage *message);
    /* Like choose_fast, for access to SLM by a program of instructions. */
    VeuFast *(*choose_slm)(const VeuMessage *message);
    uint16_t surfaces; /* VEU_TAKES_*; 0: it names no surface */
    VeuOutside outside;
    const char *summary;
};

extern const VeuMessageInfo veu_messages[];
extern const unsigned veu_message_count;

/* The row for the opcode at @code, or NULL; opcode 0x4e has a second byte. */
const VeuMessageInfo *veu_message_find(const uint8_t *code, uint32_t bytes);

/* Returns true if messages with this opcode have a sub-opcode. */
bool veu_message_has_sub(uint8_t opcode);

#endif
