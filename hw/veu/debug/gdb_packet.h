/*
 * veu debugging: the packets of gdb's remote protocol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEBUG_GDB_PACKET_H
#define VEU_DEBUG_GDB_PACKET_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A packet has at most this many bytes: all registers fit. */
#define VEU_GDB_PACKET_BYTES 0x40000

/* A packet with @text, which has no character that the protocol escapes. */
char *veu_gdb_packet(const char *text);

/*
 * Takes the first packet out of @input, whose other bytes before it are
 * dropped. Returns its text, or NULL if it is not complete yet.
 */
char *veu_gdb_packet_take(GString *input);

/*
 * Takes acknowledgements, and one Ctrl-C after them, out of @input. Returns
 * true if there was a Ctrl-C.
 */
bool veu_gdb_packet_take_interrupt(GString *input);

void veu_gdb_append_hex(GString *out, const void *bytes, size_t count);
/* Two digits for each byte; returns false if @text is anything else. */
bool veu_gdb_parse_hex(const char *text, GByteArray *bytes);
/* Returns what follows a hexadecimal number, or NULL if @text has none. */
const char *veu_gdb_parse_number(const char *text, uint64_t *number);
/* "NUMBER,NUMBER": like veu_gdb_parse_number(). */
const char *veu_gdb_parse_range(const char *text, uint64_t *first,
                                uint64_t *second);

#endif
