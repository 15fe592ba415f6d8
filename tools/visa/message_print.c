/*
 * veu tools: printing messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/atomic_ops.h"
#include "tools/visa/message_text.h"

static bool no_text(VisaPrinter *p, VeuField field, unsigned number)
{
    return visa_error(p->error, "%s 0x%02x has no text", veu_fields[field].name,
                      number);
}

static bool print_value(VisaPrinter *p, VeuField field, unsigned code)
{
    const VeuFieldInfo *info = &veu_fields[field];

    if (code >= info->value_count) {
        return no_text(p, field, code);
    }
    g_string_append_printf(p->out, "%u", info->values[code]);
    return true;
}

bool visa_print_channels(VisaPrinter *p, unsigned mask)
{
    if (!mask || mask > 15) {
        return no_text(p, VEU_FIELD_CHANNELS, mask);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (mask & 1 << i) {
            g_string_append_c(p->out, "RGBA"[i]);
        }
    }
    return true;
}

static bool print_atomic(VisaPrinter *p, VeuField field, unsigned number)
{
    unsigned wide = field == VEU_FIELD_SVM_ATOMIC_OP ? VEU_ATOMIC_64_BIT : 0;
    unsigned width = number & (VEU_ATOMIC_16_BIT | wide);
    const VeuAtomicOp *op = veu_atomic_op_find(number & ~width);

    if (!op || width == (VEU_ATOMIC_16_BIT | VEU_ATOMIC_64_BIT)) {
        return no_text(p, field, number);
    }
    g_string_append_printf(p->out, "%s%s", op->name,
                           width == VEU_ATOMIC_16_BIT ? ".16" :
                           width == VEU_ATOMIC_64_BIT ? ".64" :
                                                        "");
    return true;
}

static bool print_mode(VisaPrinter *p, VeuField field, unsigned mode)
{
    if (mode >= VEU_MEDIA_MODES) {
        return no_text(p, field, mode);
    }
    g_string_append(p->out, veu_media_modes[mode]);
    return true;
}

static bool print_suffix(VisaPrinter *p, VeuField field, unsigned number)
{
    g_string_append_c(p->out, '.');
    switch (veu_fields[field].text) {
    case VEU_TEXT_CHANNELS:
        return visa_print_channels(p, number);
    case VEU_TEXT_ATOMIC:
        return print_atomic(p, field, number);
    case VEU_TEXT_MODE:
        return print_mode(p, field, number);
    default:
        return print_value(p, field, number);
    }
}

static bool print_lanes(VisaPrinter *p, VeuField field, unsigned number)
{
    unsigned mask = number >> 4;

    g_string_append_printf(p->out, "(M%u%s, ", (mask & 7) + 1,
                           mask & 8 ? "_NM" : "");
    if (!print_value(p, field, number & 0xf)) {
        return false;
    }
    g_string_append_c(p->out, ')');
    return true;
}

bool visa_print_lanes(VisaPrinter *p, uint8_t lanes)
{
    return print_lanes(p, VEU_FIELD_EXEC_SIZE, lanes);
}

static bool print_owords(VisaPrinter *p, VeuField field, unsigned number)
{
    g_string_append(p->out, " (");
    if (!print_value(p, field, number)) {
        return false;
    }
    g_string_append_c(p->out, ')');
    return true;
}

static bool print_size(VisaPrinter *p, VeuField field, unsigned number)
{
    switch (veu_fields[field].text) {
    case VEU_TEXT_LANES:
        g_string_append_c(p->out, ' ');
        return print_lanes(p, field, number);
    case VEU_TEXT_SIZE:
        return print_owords(p, field, number);
    case VEU_TEXT_SVM_SIZE:
        g_string_append(p->out, number & VEU_SVM_UNALIGNED_BITS ? ".unaligned" :
                                                                  ".aligned");
        return print_owords(p, field, number & ~VEU_SVM_UNALIGNED_BITS);
    default:
        g_string_append_printf(p->out,
                               field == VEU_FIELD_BLOCK_WIDTH ? " (%u," : "%u)",
                               number);
        return true;
    }
}

static bool print_operand(VisaPrinter *p, const VeuEncodedField *field,
                          VeuField f)
{
    g_string_append_c(p->out, ' ');
    switch (veu_fields[f].text) {
    case VEU_TEXT_SURFACE:
        return visa_print_name(p, VISA_SURFACE, field->number);
    case VEU_TEXT_PLANE:
        g_string_append_printf(p->out, "%u", field->number);
        return field->number <= 15 || no_text(p, f, field->number);
    case VEU_TEXT_SCALAR:
        return visa_print_scalar(p, &field->scalar);
    default:
        return visa_print_raw(p, &field->raw);
    }
}

/* _global, _local or _sw, and the options. */
static bool print_fence(VisaPrinter *p, unsigned mask)
{
    const char *dot = ".";

    if (mask & VISA_FENCE_SOFTWARE) {
        g_string_append(p->out, "_sw");
        return mask == VISA_FENCE_SOFTWARE ||
               no_text(p, VEU_FIELD_FENCE_MASK, mask);
    }
    g_string_append(p->out, mask & VISA_FENCE_LOCAL ? "_local" : "_global");
    for (unsigned i = 0; i < VISA_FENCE_BITS; i++) {
        if (mask & visa_fence_bits[i].bit) {
            g_string_append_printf(p->out, "%s%s", dot,
                                   visa_fence_bits[i].letters);
            dot = "";
        }
    }
    return true;
}

/* Fields that are numbers: in suffixes, or in the size. */
static bool print_numbers(VisaPrinter *p, const VeuEncoding *e,
                          bool (*is_here)(VeuField),
                          bool (*print)(VisaPrinter *, VeuField, unsigned))
{
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        if (is_here(*f) && !print(p, *f, e->field[*f].number)) {
            return false;
        }
    }
    return true;
}

bool visa_print_message(VisaPrinter *p, const VeuEncoding *e)
{
    uint16_t predicate = e->field[VEU_FIELD_PRED].number;

    if (visa_has_field(e->info, VEU_FIELD_PRED) && predicate &&
        !visa_print_predicate(p, predicate)) {
        return false;
    }
    g_string_append(p->out, e->info->mnemonic);
    if (visa_has_field(e->info, VEU_FIELD_FENCE_MASK)) {
        return print_fence(p, e->field[VEU_FIELD_FENCE_MASK].number);
    }
    if (!print_numbers(p, e, visa_is_suffix, print_suffix) ||
        !print_numbers(p, e, visa_is_size, print_size)) {
        return false;
    }
    for (const uint8_t *f = visa_text_operands(e->info); *f != VEU_FIELD_END;
         f++) {
        if (visa_is_operand(*f) && !print_operand(p, &e->field[*f], *f)) {
            return false;
        }
    }
    return true;
}
