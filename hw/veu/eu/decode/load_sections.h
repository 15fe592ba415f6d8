/*
 * veu execution unit: the header and sections of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_VEU_EU_DECODE_LOAD_SECTIONS_H
#define HW_VEU_EU_DECODE_LOAD_SECTIONS_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/program/room.h"

/*
 * Copies the header, checks it, and finds the sections by type; those that are
 * missing stay 0. Each has at most as many entries as @limits has room for.
 */
bool veu_program_read_header(const VeuProgramRoom *limits, const uint8_t *bytes,
                             uint32_t byte_count,
                             struct veu_program_header *header,
                             struct veu_section *sections /* [type] */,
                             VeuFault *fault);

/*
 * The room for the entries of these sections, and for an implicit first
 * routine.
 */
VeuProgramRoom veu_sections_room(const struct veu_section *sections);

#endif
