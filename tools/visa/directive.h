/*
 * veu tools: directives of vISA text, such as .decl and .input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_DIRECTIVE_H
#define VEU_TOOLS_VISA_DIRECTIVE_H

#include "tools/visa/operand.h"

/* Each reads what follows the directive's name. */
bool visa_parse_decl(VisaParser *parser);
bool visa_parse_input(VisaParser *parser, uint8_t provenance);
bool visa_parse_kernel_attribute(VisaParser *parser);

/* {NAME, NAME=5}, of a variable */
bool visa_parse_attributes(VisaParser *parser, VisaSymbol *symbol);

/*
 * The provenance of .implicit_NAME. Returns false if there is none with this
 * name.
 */
bool visa_provenance_by_name(const char *name, size_t length, uint8_t *code);
/* The name, or NULL. */
const char *visa_provenance_name(uint8_t code);

/*
 * A name as a word or as a string, which the caller frees, or NULL with an
 * error.
 */
char *visa_parse_name(VisaParser *parser);

/* Kinds of target, by code: Target="cm". */
#define VISA_TARGETS 2
extern const char *const visa_targets[VISA_TARGETS];

#endif
