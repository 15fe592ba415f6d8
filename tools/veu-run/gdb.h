/*
 * veu-run: --gdb.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_RUN_GDB_H
#define VEU_TOOLS_RUN_GDB_H

#include "tools/veu-run/veu-run.h"

/* A packet has at most this many bytes: all registers fit. */
#define GDB_PACKET_BYTES 0x40000

/*
 * Waits until a program of this host connects to a port of TCP; 0: any port,
 * which is printed. Returns the connection, or -1 with errno.
 */
int gdb_accept(uint16_t port);
/* Receives a packet; NULL if gdb has gone. *@fd is then -1. */
char *gdb_receive(int *fd);
/* Returns true if gdb has sent Ctrl-C while the run proceeds. Never waits. */
bool gdb_interrupts(int *fd);
/*
 * Send a packet: text without characters that the protocol escapes, or bytes as
 * hexadecimal digits. If gdb has gone, *@fd becomes -1.
 */
void gdb_send(int *fd, const char *text);
void gdb_send_hex(int *fd, const void *bytes, size_t count);
void gdb_disconnect(int *fd);

/*
 * The description of the target for gdb, in XML: the registers of @thread. Free
 * with g_free().
 */
char *run_gdb_description(const VeuThread *thread);

/*
 * Appends register @number of the description, or all registers for -1. Returns
 * false if there is no such register.
 */
bool run_gdb_registers(const VeuThread *thread, uint32_t offset, int64_t number,
                       GByteArray *bytes);

#endif
