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

/* Each reads an operand at the lexer's place, or returns an error. */
bool visa_parse_raw(VisaParser *parser, VeuEncodedRaw *raw);
bool visa_parse_scalar(VisaParser *parser, VeuEncodedScalar *scalar);
/* (!P1.any) as it is encoded. */
bool visa_parse_predicate(VisaParser *parser, uint16_t *predicate);
/* An integer between two others. */
bool visa_parse_integer(VisaParser *parser, int64_t least, int64_t most,
                        const char *what, int64_t *value);
/* A number alone: what follows may begin with a sign. */
bool visa_parse_number(VisaParser *parser, int64_t most, const char *what,
                       int64_t *value);
/* The mark that has to stand here. */
bool visa_parse_mark(VisaParser *parser, const char *mark);
/* A type's name, as in type=ud. */
bool visa_parse_type(VisaParser *parser, uint8_t *type);

/* The label that a name or a string stands for; made where there is none. */
bool visa_parse_label(VisaParser *parser, uint32_t *id);
/* A name or a string: its index in the routine's strings, @most at most. */
bool visa_parse_string_index(VisaParser *parser, uint32_t most,
                             uint32_t *index);

/* What prints text. Errors: what has no text. */
typedef struct VisaPrinter {
    GString *out;
    const VisaRoutine *routine; /* NULL: nothing is declared */
    VisaNames *names;
    VisaError *error;
} VisaPrinter;

bool visa_print_raw(VisaPrinter *printer, const VeuEncodedRaw *raw);
bool visa_print_scalar(VisaPrinter *printer, const VeuEncodedScalar *scalar);
bool visa_print_predicate(VisaPrinter *printer, uint16_t predicate);
/* The name of a symbol; an error where there is none with this id. */
bool visa_print_name(VisaPrinter *printer, VisaKind kind, uint32_t id);
/* The name of a label, as an operand. */
bool visa_print_label(VisaPrinter *printer, uint32_t id);
/* A string of the routine, in quotes if @quoted or if it is no word. */
bool visa_print_string_index(VisaPrinter *printer, uint32_t index, bool quoted);
/* (M1, 16) */
bool visa_print_lanes(VisaPrinter *printer, uint8_t lanes);
/* RGBA, by a mask; false where it has no text. */
bool visa_print_channels(VisaPrinter *printer, unsigned mask);
/* "ud", ... */
bool visa_print_type(VisaPrinter *printer, uint8_t type);

/* Source modifiers: "(-)", by code; and how many there are. */
#define VISA_MODIFIERS 6
extern const char *const visa_modifiers[VISA_MODIFIERS];

/* What a nibble of a region stands for; 0 stands for nothing. */
#define VISA_REGION_CODES 8
extern const uint8_t visa_region_values[VISA_REGION_CODES];

#endif
