/*
 * veu tools: messages as vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_MESSAGE_TEXT_H
#define VEU_TOOLS_VISA_MESSAGE_TEXT_H

#include "hw/veu/eu/decode/field.h"
#include "tools/visa/operand.h"

/*
 * Reads the message whose mnemonic is the lexer's token. Accepts whatever can
 * be encoded, whether or not it can be executed.
 */
bool visa_parse_message(VisaParser *parser, VeuEncoding *encoding);

/* Prints a message. Returns false with an error if it has no text. */
bool visa_print_message(VisaPrinter *printer, const VeuEncoding *encoding);

/* Fences: the mask's bit for each letter, in order. */
typedef struct VisaFenceBit {
    const char *letters;
    uint8_t bit;
} VisaFenceBit;

#define VISA_FENCE_BITS 6
extern const VisaFenceBit visa_fence_bits[VISA_FENCE_BITS];
#define VISA_FENCE_LOCAL    0x20
#define VISA_FENCE_SOFTWARE 0x80
/* The bit of SVM block messages that compilers set. */
#define VISA_SVM_UNALIGNED  0x80

/*
 * The operands of a message in the order of its text, ending with
 * VEU_FIELD_END.
 */
const uint8_t *visa_text_operands(const VeuMessageInfo *info);
/* Return true if the field has this place. */
bool visa_is_suffix(VeuField field);
bool visa_is_size(VeuField field);
bool visa_is_operand(VeuField field);
/* Returns true if the message has this field. */
bool visa_has_field(const VeuMessageInfo *info, VeuField field);
/* The bytes that a block message moves; 0 for any other message. */
uint32_t visa_block_bytes(const VeuEncoding *encoding);

#endif
