/*
 * veu tools: names in vISA text, and the ids that they stand for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_SYMBOLS_H
#define VEU_TOOLS_VISA_SYMBOLS_H

#include "tools/visa/lexer.h"
#include "tools/visa/object.h"

/* What text has said of a label. */
typedef struct VisaLabelUse {
    VisaPlace first_use; /* all 0: its .label line is all */
    bool is_placed;
} VisaLabelUse;

/* The names of a kernel or function, and the predefined ones. */
typedef struct VisaSymbols {
    VisaRoutine *routine;
    GHashTable *ids;     /* by name */
    GArray *label_uses;  /* of VisaLabelUse, by id */
    GHashTable *strings; /* indexes of the routine's strings */
    unsigned grf_bytes;
    /* Without declarations: V32, P1, A0, T6 stand for ids 32, 1, 0, 6. */
    bool implicit;
} VisaSymbols;

VisaSymbols *visa_symbols_new(VisaRoutine *routine, unsigned grf_bytes);
void visa_symbols_free(VisaSymbols *symbols);

/* "a variable", "a surface", ... */
const char *visa_kind_name(VisaKind kind);
/* How it is declared: "G", "T", ... */
const char *visa_kind_letter(VisaKind kind);
/* How names begin that are made up: V32, T6. */
char visa_kind_prefix(VisaKind kind);

/* Adds a symbol under the name at the token; NULL where there is one. */
VisaSymbol *visa_declare(VisaSymbols *symbols, VisaKind kind,
                         const VisaToken *name, VisaError *error);
/* The kind and id of a name; false where nothing has it. */
bool visa_find(const VisaSymbols *symbols, const VisaToken *name,
               VisaKind *kind, uint32_t *id);
/* Reads a symbol of that kind at the lexer's place: its id. */
bool visa_resolve(VisaSymbols *symbols, VisaLexer *lexer, VisaKind kind,
                  uint32_t *id, VisaError *error);
/* A variable's size; the size of a register for the name GRF. */
bool visa_size_of(void *symbols, const VisaToken *name, uint64_t *bytes);

#endif
