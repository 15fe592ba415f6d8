/*
 * veu execution unit: messages: the table, the encoding, the decoded form.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A message goes through two steps before it runs. veu_encoding_parse() reads
 * its bytes by the row of the message table: what is encodable. Then
 * veu_message_decode() holds it against the program's declarations and
 * the rules of spec.md: what is executable.
 */
#ifndef VEU_EU_MESSAGE_H
#define VEU_EU_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/fault.h"

typedef struct VeuMessage VeuMessage;
typedef struct VeuMessageInfo VeuMessageInfo;
typedef struct VeuProgram VeuProgram;
typedef struct VeuThread VeuThread;

/* A fast way through a message; false: it has done nothing. See fast_path.h. */
typedef bool VeuFast(VeuThread *thread, const VeuMessage *message);

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

/* How a field stands in the encoding (encoding.md, section 2). */
typedef enum VeuFieldKind {
    VEU_KIND_BYTE,
    VEU_KIND_WORD,
    VEU_KIND_RAW,    /* UD variable id, UW byte offset */
    VEU_KIND_SCALAR, /* general, indirect or immediate: 9, 9, 6 or 10 bytes */
} VeuFieldKind;

/*
 * How a field stands in a line of vISA text (encoding.md, section 6):
 *   (predicate) mnemonic.suffixes (size) operands
 * Those of one place follow each other in the order of the encoding, but for
 * operands where the row of the message has an order of its own.
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
    VEU_TEXT_PLANE,     /* operand: a number */
    VEU_TEXT_SCALAR,    /* operand: V32(0,1)<0;1,0>, 0x10:ud, r[A0(0),4]... */
    VEU_TEXT_RAW,       /* operand: V32.64, %null.0 */
} VeuText;

/* Class of a scalar operand: bits 0..2 of its first byte. */
enum {
    VEU_SCALAR_GENERAL = 0,
    VEU_SCALAR_INDIRECT = 3,
    VEU_SCALAR_IMMEDIATE = 5,
};

typedef struct VeuEncodedRaw {
    uint32_t id;
    uint16_t offset_byte;
} VeuEncodedRaw;

typedef struct VeuEncodedScalar {
    uint8_t class;
    uint8_t modifier; /* bits 3..7 of the first byte */
    uint8_t type;     /* immediate, indirect: enum veu_type */
    uint8_t row;      /* general */
    uint8_t column;   /* general; indirect: element of the address variable */
    uint16_t region;  /* general, indirect */
    uint32_t id;      /* general: variable; indirect: address variable */
    int16_t add_byte; /* indirect */
    uint64_t immediate;
} VeuEncodedScalar;

typedef union VeuEncodedField {
    uint16_t number;
    VeuEncodedRaw raw;
    VeuEncodedScalar scalar;
} VeuEncodedField;

/* A message as its bytes say, unchecked. */
typedef struct VeuEncoding {
    const VeuMessageInfo *info;
    uint32_t bytes;
    uint8_t at[VEU_FIELD_COUNT]; /* offset of each field in the message, or 0 */
    VeuEncodedField field[VEU_FIELD_COUNT]; /* set where the message has it */
} VeuEncoding;

/* What an address operand counts in. */
typedef enum VeuUnit {
    VEU_UNIT_BYTE,
    VEU_UNIT_ELEMENT,
    VEU_UNIT_OWORD,
} VeuUnit;

#define VEU_MESSAGE_MAX_FIELDS   16
#define VEU_MESSAGE_MAX_OPERANDS 8
#define VEU_MESSAGE_NO_SUB       0

/* A row of the message table. */
struct VeuMessageInfo {
    uint8_t opcode;
    uint8_t sub; /* sub-opcode of an SVM message, or VEU_MESSAGE_NO_SUB */
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
    const char *surfaces; /* for the reference page */
    const char *bounds;
    const char *summary;
};

extern const VeuMessageInfo veu_messages[];
extern const unsigned veu_message_count;

/* The row for the opcode at @code, or NULL; 0x4e takes two bytes. */
const VeuMessageInfo *veu_message_find(const uint8_t *code, uint32_t bytes);

/* Do messages with this opcode have a sub-opcode? */
bool veu_message_has_sub(uint8_t opcode);

/* A row of the field table. */
typedef struct VeuFieldInfo {
    const char *name; /* as spec.md writes it */
    VeuFieldKind kind;
    VeuText text;
    /* What its codes 0, 1, ... stand for: sizes and counts. */
    uint8_t values[6];
    uint8_t value_count;
    /* Checks the field and puts its meaning into @message. */
    bool (*decode)(const VeuProgram *program, const VeuEncoding *encoding,
                   VeuField field, VeuMessage *message, VeuFault *fault);
} VeuFieldInfo;

extern const VeuFieldInfo veu_fields[VEU_FIELD_COUNT];

/* Properties of SVM block messages: the documented bit, the compilers'. */
#define VEU_SVM_UNALIGNED_BITS 0x88u

/* Media blocks: sides, and bytes of registers that one takes. */
#define VEU_MEDIA_MAX_SIDE  64
#define VEU_MEDIA_MAX_BYTES 256
/* Bytes from one row of a block to the next, in registers. */
unsigned veu_media_pitch(unsigned width_byte);

/* Modifiers of media messages, by code. */
#define VEU_MEDIA_MODES 6
extern const char *const veu_media_modes[VEU_MEDIA_MODES];

/* Reads the message at @code; false with a fault where it is not one. */
bool veu_encoding_parse(const uint8_t *code, uint32_t bytes,
                        VeuEncoding *encoding, VeuFault *fault);

/* Room for any message: seven operands of 6 bytes, two of up to 10. */
#define VEU_MESSAGE_MAX_BYTES 64

/* The inverse: writes the message to @code, returns its size in bytes. */
uint32_t veu_encoding_write(const VeuEncoding *encoding,
                            uint8_t *code /* [VEU_MESSAGE_MAX_BYTES] */);

/* A raw operand: lanes in the register file. */
typedef struct VeuRaw {
    uint32_t register_byte;
    uint8_t type; /* enum veu_type, as declared */
    bool null;    /* reads as 0; what is written to it is dropped */
} VeuRaw;

/* A scalar operand. */
typedef struct VeuScalar {
    uint8_t class; /* VEU_SCALAR_* */
    uint8_t type;  /* general, indirect */
    union {
        uint32_t register_byte; /* general */
        uint64_t value;         /* immediate: extended to 64 bits */
        struct {
            uint16_t address; /* indirect: index of the address element */
            int16_t add_byte;
        };
    };
} VeuScalar;

typedef enum VeuCombine {
    VEU_COMBINE_NONE,
    VEU_COMBINE_ANY,
    VEU_COMBINE_ALL,
} VeuCombine;

/* Predicate control; index counts from 0 (P1). */
typedef struct VeuPredication {
    bool used;
    bool inverse;
    uint8_t combine;
    uint16_t index;
} VeuPredication;

/*
 * A message that may be executed: nothing of its form is left to check. What a
 * fast way needs of one that follows stands together: it is mostly in one cache
 * line.
 */
struct VeuMessage {
    const VeuMessageInfo *info;
    VeuFast *fast;      /* or NULL */
    uint32_t all_lanes; /* a bit for each of */
    uint8_t lanes;      /* execution size */
    uint8_t mask_offset;
    bool no_mask;
    bool follows; /* differs from the one before in operands only */
    uint8_t surface;
    uint8_t element_bytes;   /* of an element, a block, or an operand */
    uint8_t align_bytes;     /* of the address; 0, 1: any */
    uint8_t blocks;          /* of a lane */
    VeuRaw address;          /* element offsets, SVM addresses, or U */
    VeuRaw data;             /* destination of a read, source of a write */
    VeuScalar global_offset; /* or SVM base address, or X */
    uint32_t offset;         /* in the code, bytes */
    uint8_t channels;        /* mask, R is bit 0 */
    uint8_t channel_stride;  /* lanes from one channel's data to the next */
    /*
     * Of each channel's data, in registers. Every mask bit takes a place, also
     * for channels that a format lacks.
     */
    uint8_t first_lane[4];
    uint8_t mode;          /* media: code in veu_media_modes */
    uint8_t plane;         /* media */
    uint8_t width_byte;    /* media: block width */
    uint8_t height;        /* media: block height, rows */
    uint8_t fence;         /* mask of a fence, as encoded */
    const VeuAtomicOp *op; /* of an atomic */
    VeuPredication predication;
    VeuScalar y_offset; /* media */
    VeuRaw v;
    VeuRaw r;
    VeuRaw lod;
    VeuRaw src0; /* atomics */
    VeuRaw src1;
};

/* Decodes the message at code + offset; *next is the offset behind it. */
bool veu_message_decode(const VeuProgram *program, const uint8_t *code,
                        uint32_t code_bytes, uint32_t offset,
                        VeuMessage *message, uint32_t *next, VeuFault *fault);

/* May a fast way through @a go on with @b: other registers, or a surface? */
bool veu_message_alike(const VeuMessage *a, const VeuMessage *b);

#endif
