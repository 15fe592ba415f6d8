/*
 * veu tools: messages of LSC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Their text has two operands, data and address, for what the encoding has in a
 * dozen fields:
 *
 *   (P1) lsc_load.ugm.ca.ca (M1, 16) V40:d32x2 flat[V32+0x10]:a64
 *   lsc_store_quad.tgm (M1, 8) bti(0x4)[V32,V33]:a32 V40:d32.xz
 *   lsc_fence.ugm.clean.gpu
 *
 * See the pages LSC_UNTYPED, LSC_TYPED and LSC_FENCE.
 */
#ifndef VEU_TOOLS_VISA_LSC_H
#define VEU_TOOLS_VISA_LSC_H

#include "tools/visa/listed_text.h"

enum {
    VISA_LSC_UNTYPED = 0x89,
    VISA_LSC_TYPED = 0x8a,
    VISA_LSC_FENCE = 0x8b,
};

/* The operands of a message, by its sub-opcode. */
typedef enum VisaLscShape {
    VISA_LSC_LOAD,   /* data address */
    VISA_LSC_STORE,  /* address data */
    VISA_LSC_ATOMIC, /* data address source source */
    VISA_LSC_STATE,  /* destination surface */
} VisaLscShape;

#define VISA_LSC_TGM          2 /* of lsc_function */
#define VISA_LSC_TRANSPOSE    2
#define VISA_LSC_NONTRANSPOSE 1

/* A message's fields, named as in the pages. */
typedef struct VisaLsc {
    uint8_t opcode;
    uint8_t sub;
    uint8_t lanes;
    uint16_t predicate;
    uint8_t function; /* LscSFID */
    uint8_t caching[2];
    uint8_t address_type;
    uint16_t scale;
    uint32_t offset;
    uint8_t address_size;
    uint8_t data_size;
    uint8_t order;
    uint8_t elements;
    uint8_t channels;
    uint8_t blocks;
    uint16_t width;
    uint16_t height;
    uint8_t vnni;
    VeuEncodedVector surface;
    /* Block: base, width, height, pitch, x, y; strided: the pitch. */
    VeuEncodedVector vector[6];
    VeuEncodedRaw data;       /* that is loaded */
    VeuEncodedRaw address[4]; /* typed: U, V, R, LOD */
    VeuEncodedRaw source[2];
    uint8_t fence_op;
    uint8_t scope;
} VisaLsc;

bool visa_lsc_is_block(const VisaLsc *lsc);
bool visa_lsc_is_strided(const VisaLsc *lsc);
bool visa_lsc_is_quad(const VisaLsc *lsc);
VisaLscShape visa_lsc_shape(const VisaLsc *lsc);

/* Names of codes 0, 1, ...; NULL if a code has none. */
typedef struct VisaLscNames {
    const char *what;
    const char *name[10];
} VisaLscNames;

extern const VisaLscNames visa_lsc_functions;
extern const VisaLscNames visa_lsc_caching;
extern const VisaLscNames visa_lsc_address_types;
extern const VisaLscNames visa_lsc_address_sizes;
extern const VisaLscNames visa_lsc_data_sizes;
extern const VisaLscNames visa_lsc_fence_ops;
extern const VisaLscNames visa_lsc_scopes;
/* Numbers of elements, by code; 0: no such code. */
extern const uint8_t visa_lsc_elements[9];

/* The bytes of a message in layout 0, and the message for such bytes. */
void visa_lsc_write(const VisaLsc *lsc, GByteArray *code);
bool visa_lsc_read(const uint8_t *code, const VisaOperand *operands,
                   unsigned count, VisaLsc *lsc);

#endif
