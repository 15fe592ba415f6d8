/*
 * veu captures: writing a file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include <zstd.h>
#include "hw/veu/capture/capture.h"

/* A level that takes about as long as writing the file. */
#define LEVEL 3

static void append(GByteArray *out, const void *from, uint64_t bytes)
{
    g_byte_array_append(out, from, bytes);
}

/* Returns the place of the chunk, for end_chunk(). */
static uint32_t begin_chunk(GByteArray *out, VeuCaptureKind kind)
{
    VeuCaptureChunk chunk = { .kind = kind };
    uint32_t at = out->len;

    append(out, &chunk, sizeof(chunk));
    return at;
}

static void end_chunk(GByteArray *out, uint32_t at)
{
    static const uint8_t zeros[8];
    uint64_t bytes = out->len - at - sizeof(VeuCaptureChunk);

    memcpy(out->data + at + offsetof(VeuCaptureChunk, bytes), &bytes,
           sizeof(bytes));
    append(out, zeros, -bytes % sizeof(zeros));
}

static void append_chunk(GByteArray *out, VeuCaptureKind kind, const void *from,
                         uint64_t bytes)
{
    if (bytes) {
        uint32_t at = begin_chunk(out, kind);

        append(out, from, bytes);
        end_chunk(out, at);
    }
}

static void append_pieces(GByteArray *out, VeuCaptureKind kind,
                          const GArray *pieces)
{
    for (unsigned i = 0; i < pieces->len; i++) {
        const VeuCapturePiece *p = &g_array_index(pieces, VeuCapturePiece, i);
        uint32_t at = begin_chunk(out, kind);

        append(out, p, offsetof(VeuCapturePiece, data));
        append(out, p->data, p->bytes);
        end_chunk(out, at);
    }
}

static void append_threads(GByteArray *out, const GArray *threads)
{
    for (unsigned i = 0; i < threads->len; i++) {
        const VeuCaptureThread *t = &g_array_index(threads, VeuCaptureThread,
                                                   i);
        uint32_t at = begin_chunk(out, VEU_CAPTURE_THREAD);

        append(out, t, offsetof(VeuCaptureThread, registers));
        append(out, t->registers, t->register_bytes);
        append(out, t->predicates, t->predicate_count * sizeof(uint32_t));
        append(out, t->addresses, t->address_count * sizeof(uint16_t));
        append(out, t->slm, t->slm_bytes);
        end_chunk(out, at);
    }
}

static void append_files(GByteArray *out, const GPtrArray *files)
{
    uint32_t at = begin_chunk(out, VEU_CAPTURE_FILES);

    for (unsigned i = 0; i < files->len; i++) {
        const char *name = g_ptr_array_index(files, i);

        append(out, name, strlen(name) + 1);
    }
    end_chunk(out, at);
}

static void append_array(GByteArray *out, VeuCaptureKind kind,
                         const GArray *array, size_t element_bytes)
{
    append_chunk(out, kind, array->data, array->len * element_bytes);
}

static GByteArray *make_content(const VeuCapture *c)
{
    GByteArray *out = g_byte_array_new();

    append_chunk(out, VEU_CAPTURE_LAUNCH, &c->launch, sizeof(c->launch));
    append_chunk(out, VEU_CAPTURE_PROGRAM, c->code, c->code_bytes);
    append_array(out, VEU_CAPTURE_WINDOWS, c->windows,
                 sizeof(struct veu_window));
    append_pieces(out, VEU_CAPTURE_BEFORE, c->before);
    append_pieces(out, VEU_CAPTURE_AFTER, c->after);
    append_array(out, VEU_CAPTURE_FAULTS, c->faults,
                 sizeof(struct veu_fault_record));
    append_threads(out, c->threads);
    append_array(out, VEU_CAPTURE_LINES, c->lines, sizeof(VeuCaptureLine));
    if (c->files->len) {
        append_files(out, c->files);
    }
    return out;
}

/*
 * Returns true if a reader accepts it: the pieces take about half of
 * VEU_CAPTURE_MAX_BYTES, registers and local memory at most a quarter.
 */
static bool fits(const VeuCapture *c)
{
    return (uint64_t)c->before->len + c->after->len <= VEU_CAPTURE_MAX_PIECES;
}

static GByteArray *compress(const GByteArray *content, GError **error)
{
    VeuCaptureHeader header = {
        .version = VEU_CAPTURE_VERSION,
        .content_bytes = content->len,
    };
    size_t room = ZSTD_compressBound(content->len);
    GByteArray *file = g_byte_array_new();
    size_t bytes;

    memcpy(header.magic, VEU_CAPTURE_MAGIC, sizeof(header.magic));
    append(file, &header, sizeof(header));
    g_byte_array_set_size(file, sizeof(header) + room);
    bytes = ZSTD_compress(file->data + sizeof(header), room, content->data,
                          content->len, LEVEL);
    if (ZSTD_isError(bytes)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "the capture cannot be compressed: %s",
                    ZSTD_getErrorName(bytes));
        g_byte_array_unref(file);
        return NULL;
    }
    g_byte_array_set_size(file, sizeof(header) + bytes);
    return file;
}

GByteArray *veu_capture_write(const VeuCapture *c, GError **error)
{
    g_autoptr(GByteArray) content = NULL;

    if (!fits(c)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
                    "the launch accesses more memory than a capture has");
        return NULL;
    }
    content = make_content(c);
    return compress(content, error);
}
