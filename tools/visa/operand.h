/*
 * veu tools: operands of messages in vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_OPERAND_H
#define VEU_TOOLS_VISA_OPERAND_H

#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/message.h"
#include "tools/visa/names.h"
#include "tools/visa/symbols.h"

/* What reads text. */
typedef struct VisaParser {
    VisaLexer lexer;
    VisaSymbols *symbols;
    VisaError *error;
} VisaParser;

/* Each reads an operand at the lexer's position, or returns an error. */
bool visa_parse_raw(VisaParser *parser, VeuEncodedRaw *raw);
bool visa_parse_scalar(VisaParser *parser, VeuEncodedScalar *scalar);
/* (!P1.any) as it is encoded. */
bool visa_parse_predicate(VisaParser *parser, uint16_t *predicate);
/* An integer between two limits. */
bool visa_parse_integer(VisaParser *parser, int64_t least, int64_t most,
                        const char *what, int64_t *value);
/* A number alone: what follows may begin with a sign. */
bool visa_parse_number(VisaParser *parser, int64_t most, const char *what,
                       int64_t *value);
/* Reads a required mark. */
bool visa_parse_mark(VisaParser *parser, const char *mark);
/* A type's name, as in type=ud. */
bool visa_parse_type(VisaParser *parser, uint8_t *type);

/* The label of a name or a string, which is created if it does not exist. */
bool visa_parse_label(VisaParser *parser, uint32_t *id);
/* A name or a string: its index in the routine's strings, at most @most. */
bool visa_parse_string_index(VisaParser *parser, uint32_t most,
                             uint32_t *index);

/* A printer of text. Its errors are about what has no text. */
typedef struct VisaPrinter {
    GString *out;
    const VisaRoutine *routine; /* NULL: nothing is declared */
    VisaNames *names;
    VisaError *error;
} VisaPrinter;

bool visa_print_raw(VisaPrinter *printer, const VeuEncodedRaw *raw);
bool visa_print_scalar(VisaPrinter *printer, const VeuEncodedScalar *scalar);
bool visa_print_predicate(VisaPrinter *printer, uint16_t predicate);
/* Prints the name of a symbol. Fails if there is none with this id. */
bool visa_print_name(VisaPrinter *printer, VisaKind kind, uint32_t id);
/* Prints the name of a label, as an operand. */
bool visa_print_label(VisaPrinter *printer, uint32_t id);
/*
 * Prints a string of the routine, in quotes if @quoted or if it is not a word.
 */
bool visa_print_string_index(VisaPrinter *printer, uint32_t index, bool quoted);
/* (M1, 16) */
bool visa_print_lanes(VisaPrinter *printer, uint8_t lanes);
/* Prints RGBA, by a mask. Returns false if it has no text. */
bool visa_print_channels(VisaPrinter *printer, unsigned mask);
/* "ud", ... */
bool visa_print_type(VisaPrinter *printer, uint8_t type);

/* Source modifiers, such as "(-)", by code; and their number. */
#define VISA_MODIFIERS 6
extern const char *const visa_modifiers[VISA_MODIFIERS];

/* The number for a nibble of a region; nibble 0 means none. */
#define VISA_REGION_CODES 8
extern const uint8_t visa_region_values[VISA_REGION_CODES];

#endif
