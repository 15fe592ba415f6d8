/*
 * veu execution unit: decoding of operands: VeuFieldInfo.decode.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_OPERAND_H
#define VEU_EU_OPERAND_H

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/program.h"

bool veu_decode_offset(const VeuProgram *program, const VeuEncoding *encoding,
                       VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_y_offset(const VeuProgram *program, const VeuEncoding *encoding,
                         VeuField field, VeuMessage *message, VeuFault *fault);
bool veu_decode_texel_offsets(const VeuProgram *program,
                              const VeuEncoding *encoding, VeuField field,
                              VeuMessage *message, VeuFault *fault);
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
