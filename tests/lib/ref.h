/*
 * veu tests: a second implementation of the messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from the vendor's loops and semantics.md, as plainly as possible,
 * without regard for speed. It shares no code with hw/veu/eu.
 */
#ifndef VEU_TEST_REF_H
#define VEU_TEST_REF_H

#include "tests/lib/encode.h"
#include "tests/lib/test_memory.h"
#include "veu/surface.h"

/* What messages are checked against. */
typedef struct RefProgram {
    unsigned simd;
    unsigned grf_bytes;
    unsigned variable_count;
    const struct veu_variable *variables;
    unsigned predicate_count;
    const struct veu_predicate *predicates;
    unsigned address_count;
    const struct veu_address *addresses;
    /*
     * The 32 variables by id in a program of instructions (without elements if
     * undeclared); otherwise NULL.
     */
    const struct veu_variable *predefined;
    unsigned surface_variables; /* of a program of instructions */
} RefProgram;

typedef struct RefOperand {
    bool null;
    uint32_t at; /* first byte in the register file */
    uint8_t type;
} RefOperand;

typedef struct RefScalar {
    uint8_t class;    /* TEST_CLASS_* */
    uint8_t type;     /* general, indirect */
    uint32_t at;      /* general: byte in the register file */
    unsigned address; /* indirect: number of the address element */
    int add;          /* indirect: bytes to add to it */
    uint64_t value;   /* immediate: extended to 64 bits */
} RefScalar;

typedef struct RefMessage {
    TestKind kind;
    uint32_t bytes; /* length of the encoding */
    unsigned lanes; /* 1 for messages without lanes */
    unsigned mask_offset;
    bool no_mask;
    uint16_t pred;
    unsigned element_bytes; /* of an element, a block, an oword or a word */
    unsigned blocks;
    unsigned align; /* of an address, in bytes; 0 for any */
    uint8_t channels;
    unsigned channel_stride;
    uint8_t surface;
    uint8_t op;   /* of an atomic, without its width */
    uint8_t mode; /* these five are for MEDIA */
    uint8_t plane;
    unsigned width;
    unsigned height;
    unsigned pitch;   /* of the block, in registers */
    RefScalar scalar; /* Offset, Address or X */
    RefScalar y;
    RefOperand address;
    RefOperand v;
    RefOperand r;
    RefOperand lod;
    RefOperand src0;
    RefOperand src1;
    RefOperand data;
} RefMessage;

/* As struct veu_fault_record. */
typedef struct RefFault {
    uint16_t code; /* 0: none */
    uint32_t detail;
    uint8_t access;
    uint8_t lane;
    uint8_t element;
    uint64_t address;
    uint32_t bytes;
    uint32_t bytes_done;
    uint32_t lanes;
} RefFault;

typedef struct RefThread {
    const RefProgram *program;
    TestMemory *memory;
    uint8_t *registers;
    uint32_t register_bytes;
    const uint32_t *predicates;
    const uint16_t *addresses; /* elements of all address variables */
    uint32_t exec_mask;
    const struct veu_surface *surfaces; /* legal ones */
    unsigned surface_count;
    uint8_t *slm;
    uint32_t slm_bytes;
    uint64_t stateless_base;
    uint64_t stateless_bytes;
    uint8_t undefined;
    bool strict_types;
    bool slm_wraps;       /* only the low 16 bits of an SLM address are used */
    uint32_t moved_bytes; /* by the last message */
} RefThread;

/* Decodes the message at @code; returns false with a fault of its form. */
bool ref_decode(const RefProgram *program, const uint8_t *code, uint32_t bytes,
                RefMessage *message, RefFault *fault);

/*
 * The bytes of an element of a variable; 0 for types that no variable may have.
 */
unsigned ref_type_bytes(uint8_t type);
/* Returns an integer of that type, sign- or zero-extended. */
uint64_t ref_extend(uint64_t value, uint8_t type);

/* Performs a message; fault->code is 0 on success. */
void ref_execute(RefThread *thread, const RefMessage *message, RefFault *fault);

/* Returns the lanes of the message that run. */
uint32_t ref_enabled(const RefThread *thread, const RefMessage *message);

/* Finds a surface format by its code; returns NULL if there is none. */
typedef enum RefType {
    REF_FLOAT,
    REF_UFLOAT,
    REF_UNORM,
    REF_SNORM,
    REF_SRGB,
    REF_SINT,
    REF_UINT,
} RefType;

typedef struct RefFormat {
    uint16_t code;
    const char *name;
    const char *channels; /* "RGBA", in the order of memory; "" for RAW */
    unsigned bits[4];     /* of each of them */
    RefType type;         /* of all channels, except perhaps A */
    RefType alpha_type;
    bool atomics;
} RefFormat;

typedef struct RefChannel {
    unsigned bit; /* the lowest one, in the texel */
    unsigned bits;
    RefType type;
} RefChannel;

extern const RefFormat ref_formats[];
extern const unsigned ref_format_count;
const RefFormat *ref_format(uint16_t code);
unsigned ref_texel_bytes(const RefFormat *format);
/* Returns false for a channel that the format lacks. */
bool ref_channel(const RefFormat *format, char name, RefChannel *channel);

/* Converts a register value, and back: semantics.md, section 5. */
uint32_t ref_convert(RefType type, unsigned bits, uint32_t lane);
uint32_t ref_convert_back(RefType type, unsigned bits, uint32_t code);

#endif
