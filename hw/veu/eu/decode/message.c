/*
 * veu execution unit: from the bytes of a message to its executable form.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/message.h"
#include "hw/veu/eu/message/surface_operand.h"

static bool is_slm_that_wraps(const VeuProgram *program, const VeuMessage *m)
{
    return program->kind == VEU_PROGRAM_INSTRUCTIONS && m->info->choose_slm &&
           m->surface == VEU_SLM_SURFACE;
}

static VeuFast *choose_fast(const VeuProgram *program, const VeuMessage *m)
{
    if (is_slm_that_wraps(program, m)) {
        return m->info->choose_slm(m);
    }
    return m->info->choose_fast ? m->info->choose_fast(m) : NULL;
}

static bool decode_fields(const VeuProgram *program,
                          const VeuEncoding *encoding, VeuMessage *message,
                          VeuFault *fault)
{
    VeuFieldDecoder d = { .program = program,
                          .encoding = encoding,
                          .message = message,
                          .fault = fault };

    for (const uint8_t *f = encoding->info->fields; *f != VEU_FIELD_END; f++) {
        d.field = *f;
        d.info = &veu_fields[*f];
        if (!d.info->decode(&d)) {
            return false;
        }
    }
    return true;
}

bool veu_message_decode(const VeuProgram *program, const uint8_t *code,
                        uint32_t code_bytes, uint32_t offset,
                        VeuMessage *message, uint32_t *next, VeuFault *fault)
{
    uint32_t bytes = code_bytes - offset;
    const VeuMessageInfo *info = veu_encoding_find(code + offset, bytes, fault);
    VeuEncoding encoding;

    if (!info) {
        return false;
    }
    if (info->samples && program->kind == VEU_PROGRAM_MESSAGES) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_OPCODE, 0);
    }
    if (!veu_encoding_parse_fields(info, code + offset, bytes, &encoding,
                                   fault)) {
        return false;
    }
    *message = (VeuMessage){
        .info = info,
        .offset = offset,
        .align_bytes = info->align_bytes,
        /* A message without lanes runs once, whatever the mask is. */
        .lanes = 1,
        .no_mask = true,
        /* 0 for a message that has no such operand. */
        .global_offset = { .class = VEU_SCALAR_IMMEDIATE },
        .lod = { .null = true },
    };
    if (!decode_fields(program, &encoding, message, fault)) {
        return false;
    }
    message->all_lanes = UINT32_MAX >> (32 - message->lanes);
    message->fast = choose_fast(program, message);
    *next = offset + encoding.bytes;
    return true;
}

/*
 * Registers may change from one message to the next, so byte 0 counts, too.
 * Fast paths of messages without lanes read it again.
 */
static bool is_same_offset(const VeuMessage *a, const VeuMessage *b)
{
    const VeuScalar *x = &a->global_offset;
    const VeuScalar *y = &b->global_offset;

    return a->info->lanes == 0 ||
           (x->class == VEU_SCALAR_IMMEDIATE &&
            y->class == VEU_SCALAR_IMMEDIATE && x->value == y->value);
}

static bool is_alike(const VeuMessage *a, const VeuMessage *b)
{
    return a->fast && a->fast == b->fast && a->info == b->info &&
           a->all_lanes == b->all_lanes && a->mask_offset == b->mask_offset &&
           a->no_mask == b->no_mask && !a->predication.used &&
           !b->predication.used && a->element_bytes == b->element_bytes &&
           a->align_bytes == b->align_bytes && a->blocks == b->blocks &&
           is_same_offset(a, b);
}

static bool is_same_kind(const VeuScalar *a, const VeuScalar *b)
{
    return a->class == b->class && a->type == b->type;
}

/* All members are 0 in messages that have no such block. */
static bool is_same_media_block(const VeuMessage *a, const VeuMessage *b)
{
    return a->mode == b->mode && a->plane == b->plane &&
           a->width_byte == b->width_byte && a->height == b->height &&
           is_same_kind(&a->y_offset, &b->y_offset);
}

/* All members are 0 in messages that have no such operands. */
static bool has_same_coordinates(const VeuMessage *a, const VeuMessage *b)
{
    return a->r.null == b->r.null && a->lod.null == b->lod.null;
}

VeuFollows veu_message_follows(const VeuMessage *a, const VeuMessage *b)
{
    if (!is_alike(a, b)) {
        return VEU_FOLLOWS_NOT;
    }
    return a->surface == b->surface && a->channels == b->channels &&
                   is_same_kind(&a->global_offset, &b->global_offset) &&
                   is_same_media_block(a, b) && has_same_coordinates(a, b) ?
               VEU_FOLLOWS_CLOSELY :
               VEU_FOLLOWS;
}
