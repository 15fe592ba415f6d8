/*
 * veu execution unit: what a row of the field table says, and what
 * decoding of a field works on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_FIELD_DECODER_H
#define VEU_EU_FIELD_DECODER_H

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/program.h"

/* How a field is encoded (encoding.md, section 2). */
typedef enum VeuFieldKind {
    VEU_KIND_BYTE,
    VEU_KIND_WORD,
    VEU_KIND_RAW,    /* UD variable id, UW byte offset */
    VEU_KIND_SCALAR, /* general, indirect or immediate: 9, 9, 6 or 10 bytes */
} VeuFieldKind;

/*
 * How a field appears in a line of vISA text (encoding.md, section 6):
 *   (predicate) mnemonic.suffixes (size) operands
 * Fields of one place follow each other in the order of the encoding, except
 * operands where the row of the message gives another order.
 */
typedef enum VeuText {
    VEU_TEXT_NONE,      /* not written; 0 when it is assembled */
    VEU_TEXT_PREDICATE, /* before the mnemonic: (!P1.any) */
    VEU_TEXT_SUFFIX,    /* one of the field's values: .4 */
    VEU_TEXT_CHANNELS,  /* suffix: .RGBA */
    VEU_TEXT_ATOMIC,    /* suffix: .add, .add.16, .add.64 */
    VEU_TEXT_MODE,      /* suffix: a name from veu_media_modes */
    VEU_TEXT_FENCE,     /* in the mnemonic and a suffix: _global.EI, _sw */
    VEU_TEXT_LANES,     /* size: mask and one of the field's values: (M1, 16) */
    VEU_TEXT_SIZE,      /* size: one of the field's values: (4) */
    VEU_TEXT_SVM_SIZE,  /* the same, and a suffix: .aligned, .unaligned */
    VEU_TEXT_EXTENT,    /* size: block width and height: (32, 8) */
    VEU_TEXT_SURFACE,   /* operand: T6 */
    VEU_TEXT_SAMPLER,   /* operand: S0 */
    VEU_TEXT_PLANE,     /* operand: a number */
    VEU_TEXT_SCALAR,    /* operand: V32(0,1)<0;1,0>, 0x10:ud, r[A0(0),4]... */
    VEU_TEXT_RAW,       /* operand: V32.64, %null.0 */
} VeuText;

/* What the variable of a raw operand may be declared as. */
typedef enum VeuRawTypes {
    VEU_RAW_OFFSET,  /* a dword integer */
    VEU_RAW_ADDRESS, /* a qword integer */
    VEU_RAW_DATA,    /* a dword or F; of elements of 8 bytes, a qword or DF */
    VEU_RAW_ANY,
} VeuRawTypes;

/* The bytes of a raw operand. */
typedef enum VeuRawExtent {
    VEU_RAW_DWORDS,   /* a dword per lane */
    VEU_RAW_QWORDS,   /* a qword per lane */
    VEU_RAW_LANES,    /* the elements of each lane, at least a dword */
    VEU_RAW_CHANNELS, /* an element per lane, for each channel */
    VEU_RAW_BLOCK,    /* elements, one after the other */
    VEU_RAW_MEDIA,    /* rows of a block, from one pitch to the next */
} VeuRawExtent;

typedef struct VeuFieldInfo VeuFieldInfo;

/* The objects on which the decoding of a field works. */
typedef struct VeuFieldDecoder {
    const VeuProgram *program;
    const VeuEncoding *encoding;
    VeuField field;
    const VeuFieldInfo *info; /* its row */
    VeuMessage *message;      /* contains the meaning of earlier fields */
    VeuFault *fault;
} VeuFieldDecoder;

/* A row of the field table. */
struct VeuFieldInfo {
    const char *name; /* as spec.md writes it */
    VeuFieldKind kind;
    VeuText text;
    /* What codes 0, 1, ... stand for: sizes and counts. */
    uint8_t values[6];
    uint8_t value_count;
    uint16_t to_at; /* operands: offset in VeuMessage of the decoded operand */
    VeuRawTypes types;
    VeuRawExtent extent;
    /* Checks the field and stores its meaning in the message. */
    bool (*decode)(const VeuFieldDecoder *d);
};

/* Refuses the message because of this field, with fault @code. */
static inline bool veu_field_refuse(const VeuFieldDecoder *d, uint16_t code)
{
    return veu_fault_form(d->fault, code, d->encoding->at[d->field]);
}

#endif
