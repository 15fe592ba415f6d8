/*
 * veu execution unit: the field table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_FIELD_H
#define VEU_EU_FIELD_H

#include "hw/veu/eu/decode/field_decoder.h"
#include "hw/veu/eu/message/media.h"

extern const VeuFieldInfo veu_fields[VEU_FIELD_COUNT];

/* Modifiers of media messages, by code. */
extern const char *const veu_media_modes[VEU_MEDIA_MODES];

/*
 * Property bits of SVM block messages: the documented bit and the compilers'.
 */
#define VEU_SVM_UNALIGNED_BITS 0x88u

#endif
