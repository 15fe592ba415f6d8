/*
 * veu tools: a vISA object in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The format is in encoding.md, section 1, and the documentation's page on the
 * object format. The object owns all memory.
 */
#ifndef VEU_TOOLS_VISA_OBJECT_H
#define VEU_TOOLS_VISA_OBJECT_H

#include <glib.h>
#include "tools/visa/error.h"

/* The version that is written, and those that can be read. */
#define VISA_MAJOR       4
#define VISA_MINOR       1
#define VISA_MAX_MINOR   2
/* "The maximum number of kernels allowed in a virtual ISA file is 512." */
#define VISA_MAX_KERNELS 512

typedef struct VisaAttribute {
    const char *name;
    uint8_t *value;
    uint8_t bytes;
} VisaAttribute;

/* The longest name of any kind: the documentation's limit for labels. */
#define VISA_MAX_NAME 1024

/*
 * Symbols by kind. Each kind has its own table in the object, and its own ids.
 */
typedef enum VisaKind {
    VISA_VARIABLE,
    VISA_ADDRESS,
    VISA_PREDICATE,
    VISA_LABEL,
    VISA_SAMPLER,
    VISA_SURFACE,
    VISA_KINDS,
} VisaKind;

/* An entry of a symbol table. Members that do not apply to a kind are 0. */
typedef struct VisaSymbol {
    const char *name;
    uint16_t elements;
    GArray *attributes; /* elements: VisaAttribute; NULL: none */
    uint8_t type;       /* variable: enum veu_type */
    uint8_t align;      /* variable: code of its alignment */
    uint32_t alias;     /* variable: id of the one that it is a part of, or 0 */
    uint16_t alias_byte;
    uint8_t alias_scope;
    uint8_t label_kind;
} VisaSymbol;

/* Kinds of an input, bits 0 and 1 of VisaInput.kind. */
enum {
    VISA_INPUT_VARIABLE = 0,
    VISA_INPUT_SAMPLER = 1,
    VISA_INPUT_SURFACE = 2,
};

typedef struct VisaInput {
    uint8_t kind;
    uint32_t id;
    uint16_t offset; /* in the register file, bytes */
    uint16_t bytes;
} VisaInput;

enum {
    VISA_LABEL_BLOCK = 0,
    VISA_LABEL_SUBROUTINE = 1,
};

/* The place in the text of an assembled instruction. */
typedef struct VisaLine {
    uint32_t code_at;
    VisaPlace place;
} VisaLine;

/* A kernel or a function. */
typedef struct VisaRoutine {
    char *name;
    bool function;
    uint8_t argument_grfs; /* function */
    uint8_t return_grfs;
    GArray *symbols[VISA_KINDS]; /* of VisaSymbol */
    GArray *inputs;              /* of VisaInput */
    GArray *attributes;          /* elements: VisaAttribute; NULL: none */
    GByteArray *code;
    uint8_t layout; /* layout of its instructions: instruction.h */
    /* elements: const char *, which instructions refer to by index */
    GPtrArray *strings;
    GArray *lines; /* elements: VisaLine, in order; empty if it was not text */
    GStringChunk *names; /* one copy of each, because objects repeat them */
} VisaRoutine;

typedef struct VisaObject {
    uint8_t major;
    uint8_t minor;
    GPtrArray *routines; /* elements: VisaRoutine, kernels first */
} VisaObject;

/* The first id of a kind that is not predefined. */
uint32_t visa_first_id(VisaKind kind);

VisaObject *visa_object_new(void);
void visa_object_free(VisaObject *object);
/* Adds a kernel or function; the object owns it. */
VisaRoutine *visa_object_add(VisaObject *object, const char *name,
                             bool function);

/* Adds an attribute to the routine or to one of its symbols. */
void visa_add_attribute(VisaRoutine *routine, GArray **attributes,
                        const char *name, const uint8_t *value, uint8_t bytes);
/* Adds a symbol of a kind that has only a name. */
VisaSymbol *visa_add_symbol(VisaRoutine *routine, VisaKind kind,
                            const char *name);
/* The place of the instruction at @code_at, or all 0. */
VisaPlace visa_place_of(const VisaRoutine *routine, uint32_t code_at);
/* Finds a symbol by id. NULL if it is predefined, or does not exist. */
VisaSymbol *visa_symbol(const VisaRoutine *routine, VisaKind kind, uint32_t id);

/* Returns true if the bytes begin like an object. */
bool visa_is_object(const uint8_t *bytes, size_t byte_count);
/* Returns NULL with an error. */
VisaObject *visa_object_read(const uint8_t *bytes, size_t byte_count,
                             VisaError *error);
/* Returns the bytes of an object, version 4.1, or NULL with an error. */
GByteArray *visa_object_write(const VisaObject *object, VisaError *error);

#endif
