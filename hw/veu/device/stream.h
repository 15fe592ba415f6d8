/*
 * veu device model: pieces of a saved state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each function both saves and loads, so that the two directions share one
 * layout. They return false if the stream has failed. Numbers are little
 * endian.
 */
#ifndef VEU_DEVICE_STREAM_H
#define VEU_DEVICE_STREAM_H

#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/host/state.h"

/* Makes loading fail, for this reason. Returns false. */
bool veu_stream_refuse(VeuStream *stream, const char *why);

bool veu_stream_bytes(VeuStream *stream, void *data, uint32_t bytes);
bool veu_stream_u32(VeuStream *stream, uint32_t *value);
bool veu_stream_u64(VeuStream *stream, uint64_t *value);
bool veu_stream_bool(VeuStream *stream, bool *value);

/*
 * Saves or loads a number of at most @limit; @why is the error for a larger
 * one.
 */
bool veu_stream_upto(VeuStream *stream, uint32_t *value, uint32_t limit,
                     const char *why);

/* Saves or checks a number that must be the same on both sides. */
bool veu_stream_same(VeuStream *stream, uint32_t value, const char *why);

/* The registers of a block, each with its offset, except capabilities. */
bool veu_stream_registers(VeuStream *stream, const VeuRegister *rows,
                          unsigned count, uint64_t *values);

#endif
