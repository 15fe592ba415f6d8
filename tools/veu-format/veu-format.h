/*
 * veu-format: surface formats and tilings, as the device has them.
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
    FMT_FAILED = 1, /* the input is wrong, or cannot be read, or the output */
    FMT_USAGE = 2,
};

/* What the command line says; NULL: nothing. */
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

/* The number of an option that has to be there; false with an error. */
bool fmt_number(const char *option, const char *text, uint32_t *value);

/* How words of type @from, enum veu_type, are written as @to: F, D or UD. */
uint32_t fmt_convert(uint8_t from, uint8_t to, uint32_t word);

/*
 * From standard input to standard output. Tells progress on a terminal where
 * it takes long.
 */
typedef struct FmtStream {
    const char *command;
    uint64_t in_bytes; /* read so far */
    uint64_t total;    /* 0: unknown */
    int64_t next_us;   /* when to tell progress; 0: never */
    bool told;
} FmtStream;

void fmt_stream_open(FmtStream *stream, const char *command);
/* How many bytes of @bytes there were; -1 with an error. */
int64_t fmt_stream_read(FmtStream *stream, void *to, size_t bytes);
bool fmt_stream_write(const void *from, size_t bytes);
/* Ends progress, and says whether all is written; an exit status. */
int fmt_stream_close(FmtStream *stream, bool ok);

#endif
