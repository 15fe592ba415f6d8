/*
 * veu tools: the text of instructions that are only listed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * These are samplers and the messages of LSC. Their operands are not in the
 * order of the encoding, and some are parts of others.
 */
#ifndef VEU_TOOLS_VISA_LISTED_TEXT_H
#define VEU_TOOLS_VISA_LISTED_TEXT_H

#include "tools/visa/instruction.h"

/* Returns true if the token's mnemonic has a text here. */
bool visa_has_listed_text(const VisaLexer *lexer);
/* Reads what follows the predicate, and appends the instruction's bytes. */
bool visa_parse_listed(VisaParser *parser, uint16_t predicate,
                       GByteArray *code);
/*
 * Prints the instruction. Returns false if it has no text; then its name and
 * operands are printed for a comment.
 */
bool visa_print_listed(VisaPrinter *printer, const VeuInstructionInfo *info,
                       uint8_t layout, const uint8_t *code, uint32_t bytes);

/*
 * Samplers: sample_3d, load_3d, sample4, resinfo, sampleinfo and similar ones.
 */
bool visa_is_sampler(const VisaLexer *lexer);
bool visa_parse_sampler(VisaParser *parser, uint16_t predicate,
                        GByteArray *code);
bool visa_print_sampler(VisaPrinter *printer, const uint8_t *code,
                        const VisaOperand *operands, unsigned operand_count);

/* LSC: lsc_load, lsc_store, lsc_atomic_iadd, lsc_fence and similar ones. */
bool visa_is_lsc(const VisaLexer *lexer);
bool visa_parse_lsc(VisaParser *parser, uint16_t predicate, GByteArray *code);
bool visa_print_lsc(VisaPrinter *printer, const VeuInstructionInfo *info,
                    const uint8_t *code, const VisaOperand *operands,
                    unsigned operand_count);

#endif
