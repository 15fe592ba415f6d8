/*
 * veu execution unit: decoding of fields, shared by field.c and operand.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FIELD_H
#define VEU_EU_FIELD_H

#include "hw/veu/eu/message/message.h"

/* Refuses the message for this field; returns false. */
bool veu_bad_field(const VeuEncoding *encoding, VeuField field,
                   VeuFault *fault);

/* VeuFieldInfo.decode of the operands. */
bool veu_decode_offset(const VeuProgram *program, const VeuEncoding *encoding,
                       VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_y_offset(const VeuProgram *program, const VeuEncoding *encoding,
                         VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_offsets(const VeuProgram *program, const VeuEncoding *encoding,
                        VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_v(const VeuProgram *program, const VeuEncoding *encoding,
                  VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_r(const VeuProgram *program, const VeuEncoding *encoding,
                  VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_lod(const VeuProgram *program, const VeuEncoding *encoding,
                    VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_addresses(const VeuProgram *program,
                          const VeuEncoding *encoding, VeuField field,
                          VeuMessage *message, VeuFault *fault);
bool veu_decode_lane_data(const VeuProgram *program,
                          const VeuEncoding *encoding, VeuField field,
                          VeuMessage *message, VeuFault *fault);
bool veu_decode_channel_data(const VeuProgram *program,
                             const VeuEncoding *encoding, VeuField field,
                             VeuMessage *message, VeuFault *fault);
bool veu_decode_svm_channel_data(const VeuProgram *program,
                                 const VeuEncoding *encoding, VeuField field,
                                 VeuMessage *message, VeuFault *fault);
bool veu_decode_qw_data(const VeuProgram *program, const VeuEncoding *encoding,
                        VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_svm_data(const VeuProgram *program, const VeuEncoding *encoding,
                         VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_block_data(const VeuProgram *program,
                           const VeuEncoding *encoding, VeuField field,
                           VeuMessage *message, VeuFault *fault);
bool veu_decode_media_data(const VeuProgram *program,
                           const VeuEncoding *encoding, VeuField field,
                           VeuMessage *message, VeuFault *fault);
bool veu_decode_src0(const VeuProgram *program, const VeuEncoding *encoding,
                     VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_src1(const VeuProgram *program, const VeuEncoding *encoding,
                     VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_atomic_dst(const VeuProgram *program,
                           const VeuEncoding *encoding, VeuField field,
                           VeuMessage *message, VeuFault *fault);

#endif
