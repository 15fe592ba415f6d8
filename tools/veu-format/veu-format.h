/*
 * veu-format: surface formats and tilings of the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_FORMAT_H
#define VEU_TOOLS_FORMAT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/surface/surface.h"
#include "tools/lib/options.h"

enum {
    FMT_OK = 0,
    /* the input is wrong or cannot be read, or the output cannot be written */
    FMT_FAILED = 1,
    FMT_USAGE = 2,
};

/* The options of the command line; NULL: not given. */
typedef struct FmtOptions {
    gboolean json;
    char *type;
    char *channels;
    char *onto;
    char *tiling;
    char *width;
    char *height;
    char *bpp;
    char *pitch;
    const VeuFormat *format;
} FmtOptions;

/* Commands: each returns an exit status. */
int fmt_list(const FmtOptions *options);
int fmt_pack(const FmtOptions *options);
int fmt_unpack(const FmtOptions *options);
int fmt_tile(const FmtOptions *options);
int fmt_untile(const FmtOptions *options);

/* The number of a required option. Returns false with an error. */
bool fmt_number(const char *option, const char *text, uint32_t *value);

/* Converts words of type @from (enum veu_type) to @to: F, D or UD. */
uint32_t fmt_convert(uint8_t from, uint8_t to, uint32_t word);

/*
 * A stream from standard input to standard output. It shows progress on a
 * terminal if it takes long.
 */
typedef struct FmtStream {
    const char *command;
    uint64_t in_bytes; /* read so far */
    uint64_t total;    /* 0: unknown */
    int64_t next_us;   /* when to show progress; 0: never */
    bool told;
} FmtStream;

void fmt_stream_open(FmtStream *stream, const char *command);
/* Returns how many of @bytes were read, or -1 with an error. */
int64_t fmt_stream_read(FmtStream *stream, void *to, size_t bytes);
bool fmt_stream_write(const void *from, size_t bytes);
/*
 * Ends the progress display and reports whether everything is written. Returns
 * an exit status.
 */
int fmt_stream_close(FmtStream *stream, bool ok);

#endif
