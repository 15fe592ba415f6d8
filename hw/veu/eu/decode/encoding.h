/*
 * veu execution unit: the encoding of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_ENCODING_H
#define VEU_EU_ENCODING_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/message/message.h"

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

/* A message as it is encoded, unchecked. */
typedef struct VeuEncoding {
    const VeuMessageInfo *info;
    uint32_t bytes;
    uint8_t at[VEU_FIELD_COUNT]; /* offset of each field in the message, or 0 */
    /* set for the fields that the message has */
    VeuEncodedField field[VEU_FIELD_COUNT];
} VeuEncoding;

/* Returns the row of the message at @code; NULL with a fault if it has none. */
const VeuMessageInfo *veu_encoding_find(const uint8_t *code, uint32_t bytes,
                                        VeuFault *fault);

/*
 * Reads the message at @code, which veu_encoding_find() has found to be @info.
 * Returns false with a fault if it is not one.
 */
bool veu_encoding_parse_fields(const VeuMessageInfo *info, const uint8_t *code,
                               uint32_t bytes, VeuEncoding *encoding,
                               VeuFault *fault);

/* Does both. */
bool veu_encoding_parse(const uint8_t *code, uint32_t bytes,
                        VeuEncoding *encoding, VeuFault *fault);

/* Room for any message: seven operands of 6 bytes, two of up to 10. */
#define VEU_MESSAGE_MAX_BYTES 64

/* The inverse: writes the message to @code and returns its size in bytes. */
uint32_t veu_encoding_write(const VeuEncoding *encoding,
                            uint8_t *code /* [VEU_MESSAGE_MAX_BYTES] */);

#endif
