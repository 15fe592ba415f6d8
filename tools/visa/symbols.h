/*
 * veu tools: names in vISA text, and their ids.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_SYMBOLS_H
#define VEU_TOOLS_VISA_SYMBOLS_H

#include "tools/visa/lexer.h"
#include "tools/visa/object.h"

/* The occurrences of a label in the text. */
typedef struct VisaLabelUse {
    VisaPlace first_use; /* all 0: it has only its .label line */
    bool is_placed;
} VisaLabelUse;

/* The names of a kernel or function, and the predefined ones. */
typedef struct VisaSymbols {
    VisaRoutine *routine;
    GHashTable *ids;     /* by name */
    GArray *label_uses;  /* elements: VisaLabelUse, by id */
    GHashTable *strings; /* indexes of the routine's strings */
    unsigned grf_bytes;
    /* Without declarations, V32, P1, A0, T6 mean ids 32, 1, 0, 6. */
    bool implicit;
} VisaSymbols;

VisaSymbols *visa_symbols_new(VisaRoutine *routine, unsigned grf_bytes);
void visa_symbols_free(VisaSymbols *symbols);

/* "a variable", "a surface", ... */
const char *visa_kind_name(VisaKind kind);
/* Its kind in a declaration: "G", "T", ... */
const char *visa_kind_letter(VisaKind kind);
/* The prefix of generated names: V32, T6. */
char visa_kind_prefix(VisaKind kind);

/* Adds a symbol named by the token. Returns NULL if it already exists. */
VisaSymbol *visa_declare(VisaSymbols *symbols, VisaKind kind,
                         const VisaToken *name, VisaError *error);
/* Finds the kind and id of a name. Returns false if it is unknown. */
bool visa_find(const VisaSymbols *symbols, const VisaToken *name,
               VisaKind *kind, uint32_t *id);
/* Reads the id of a symbol of this kind at the lexer's position. */
bool visa_resolve(VisaSymbols *symbols, VisaLexer *lexer, VisaKind kind,
                  uint32_t *id, VisaError *error);
/* The size of a variable, or of a register for the name GRF. */
bool visa_size_of(void *symbols, const VisaToken *name, uint64_t *bytes);

#endif
