/*
 * veu captures: reading a file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A file may come from an untrusted source. It is decompressed in parts, so
 * that memory grows with the data, not with what a header promises.
 */
#include <stddef.h>
#include <string.h>
#include <zstd.h>
#include "hw/veu/capture/capture.h"
#include "hw/veu/eu/fault.h"

/*
 * The decompressor's window: zstd's own tool also accepts at most 2^27 bytes.
 */
#define MAX_WINDOW_LOG 27

/* --- The frame ----------------------------------------------------------- */

static bool check_header(const VeuCaptureHeader *h, size_t bytes,
                         GError **error)
{
    if (bytes < sizeof(*h) ||
        memcmp(h->magic, VEU_CAPTURE_MAGIC, sizeof(h->magic))) {
        return veu_capture_refuse(error, "not a veu capture");
    }
    if (h->version != VEU_CAPTURE_VERSION) {
        return veu_capture_refuse(
            error, "a capture of version %u; this veu reads version %u",
            h->version, VEU_CAPTURE_VERSION);
    }
    return h->content_bytes <= VEU_CAPTURE_MAX_BYTES ||
           veu_capture_refuse(error, "the capture has more than 512M");
}

/*
 * Decompresses up to the end of the frame; the content has at most @most bytes.
 */
static bool decompress_frame(ZSTD_DCtx *context, ZSTD_inBuffer *in,
                             uint64_t most, GByteArray *content, GError **error)
{
    g_autofree uint8_t *part = g_malloc(ZSTD_DStreamOutSize());
    size_t left;

    do {
        ZSTD_outBuffer out = { part, ZSTD_DStreamOutSize(), 0 };
        size_t before = in->pos;

        left = ZSTD_decompressStream(context, &out, in);
        if (ZSTD_isError(left)) {
            return veu_capture_refuse(error, "the capture is damaged: %s",
                                      ZSTD_getErrorName(left));
        }
        if (left && !out.pos && in->pos == before) {
            return veu_capture_refuse(error, "the capture is cut off");
        }
        if (out.pos > most - content->len) {
            return veu_capture_refuse(
                error, "the capture is longer than its header says");
        }
        g_byte_array_append(content, part, out.pos);
    } while (left);
    return true;
}

static bool decompress(const uint8_t *file, size_t bytes, GByteArray *content,
                       GError **error)
{
    ZSTD_inBuffer in = { file, bytes, sizeof(VeuCaptureHeader) };
    VeuCaptureHeader header = { 0 };
    ZSTD_DCtx *context;
    bool good;

    memcpy(&header, file, MIN(bytes, sizeof(header)));
    if (!check_header(&header, bytes, error)) {
        return false;
    }
    context = ZSTD_createDCtx();
    if (!context) {
        return veu_capture_refuse(error, "not enough memory");
    }
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
    good = decompress_frame(context, &in, header.content_bytes, content, error);
    ZSTD_freeDCtx(context);
    return good &&
           (content->len == header.content_bytes ||
            veu_capture_refuse(error, "the capture is shorter than its header "
                                      "says"));
}

/* --- Chunks -------------------------------------------------------------- */

/* The unread part of the content. */
typedef struct Reader {
    const uint8_t *at;
    uint64_t bytes;
} Reader;

/* Takes @bytes, or returns NULL if there are fewer. */
static const uint8_t *take(Reader *r, uint64_t bytes)
{
    const uint8_t *at = r->at;

    if (bytes > r->bytes) {
        return NULL;
    }
    r->at += bytes;
    r->bytes -= bytes;
    return at;
}

static bool take_copy(Reader *r, void *to, uint64_t bytes)
{
    const uint8_t *from = take(r, bytes);

    if (from) {
        memcpy(to, from, bytes);
    }
    return from;
}

static bool read_launch(VeuCapture *c, Reader *r, GError **error)
{
    VeuCaptureLaunch *l = &c->launch;
    uint32_t slots;

    if (l->command_bytes || !take_copy(r, l, sizeof(*l)) || r->bytes) {
        return veu_capture_refuse(error, "the capture's launch is damaged");
    }
    slots = l->command_bytes / VEU_SLOT_BYTES;
    return (slots && l->command_bytes <= sizeof(l->command) &&
            l->command_bytes % VEU_SLOT_BYTES == 0 && l->pages_moved <= 1 &&
            l->strict_types <= 1 && l->trace_contracts <= 1 &&
            !l->kernel[sizeof(l->kernel) - 1]) ||
           veu_capture_refuse(error, "the capture's launch is illegal");
}

static bool read_program(VeuCapture *c, Reader *r, GError **error)
{
    if (c->code || r->bytes > UINT32_MAX) {
        return veu_capture_refuse(error, "the capture's program is illegal");
    }
    c->code_bytes = r->bytes;
    c->code = take(r, r->bytes);
    return true;
}

/* Reads at most @most whole elements into an array that is still empty. */
static bool read_array(GArray *array, Reader *r, size_t element_bytes,
                       uint32_t most, const char *what, GError **error)
{
    if (array->len || r->bytes % element_bytes ||
        r->bytes / element_bytes > most) {
        return veu_capture_refuse(error, "the capture's %s are illegal", what);
    }
    g_array_append_vals(array, r->at, r->bytes / element_bytes);
    take(r, r->bytes);
    return true;
}

static bool read_windows(VeuCapture *c, Reader *r, GError **error)
{
    return read_array(c->windows, r, sizeof(struct veu_window), UINT32_MAX,
                      "windows", error);
}

static bool are_faults_legal(const GArray *faults)
{
    for (unsigned i = 0; i < faults->len; i++) {
        const struct veu_fault_record *f =
            &g_array_index(faults, struct veu_fault_record, i);

        if (!veu_fault_info(f->code) || f->access > VEU_ACCESS_WRITE) {
            return false;
        }
    }
    return true;
}

static bool read_faults(VeuCapture *c, Reader *r, GError **error)
{
    return read_array(c->faults, r, sizeof(struct veu_fault_record),
                      VEU_CAPTURE_MAX_FAULTS, "fault records", error) &&
           (are_faults_legal(c->faults) ||
            veu_capture_refuse(error,
                               "the capture's fault records are illegal"));
}

static bool read_lines(VeuCapture *c, Reader *r, GError **error)
{
    return read_array(c->lines, r, sizeof(VeuCaptureLine),
                      VEU_CAPTURE_MAX_LINES, "source lines", error);
}

/* Returns true if a piece may follow those in the array. */
static bool is_legal_piece(const GArray *pieces, const VeuCapturePiece *p)
{
    const VeuCapturePiece *last = pieces->len ?
                                      &g_array_index(pieces, VeuCapturePiece,
                                                     pieces->len - 1) :
                                      NULL;

    return p->bytes && p->bytes <= VEU_CAPTURE_PAGE_BYTES &&
           p->address % VEU_CAPTURE_PAGE_BYTES + p->bytes <=
               VEU_CAPTURE_PAGE_BYTES &&
           p->permissions &&
           !(p->permissions & ~(VEU_CAPTURE_READ | VEU_CAPTURE_WRITE)) &&
           (!last || (p->address > last->address &&
                      p->address - last->address >= last->bytes));
}

static bool read_piece(VeuCapture *c, GArray *pieces, Reader *r, GError **error)
{
    VeuCapturePiece p = { 0 };

    if (c->before->len + c->after->len >= VEU_CAPTURE_MAX_PIECES) {
        return veu_capture_refuse(
            error, "the capture has more than %u pieces of memory",
            VEU_CAPTURE_MAX_PIECES);
    }
    if (!take_copy(r, &p, offsetof(VeuCapturePiece, data)) ||
        p.bytes != r->bytes || !is_legal_piece(pieces, &p)) {
        return veu_capture_refuse(error, "the capture's memory is illegal");
    }
    p.data = take(r, p.bytes);
    g_array_append_val(pieces, p);
    return true;
}

static bool read_before(VeuCapture *c, Reader *r, GError **error)
{
    return read_piece(c, c->before, r, error);
}

static bool read_after(VeuCapture *c, Reader *r, GError **error)
{
    return read_piece(c, c->after, r, error);
}

static bool is_legal_thread(const VeuCaptureThread *t, uint64_t left)
{
    return t->barrier <= 1 && t->depth <= VEU_LIMIT_CALLS &&
           t->slm_bytes <= VEU_LIMIT_SLM_BYTES &&
           left == (uint64_t)t->register_bytes +
                       t->predicate_count * UINT64_C(4) +
                       t->address_count * UINT64_C(2) + t->slm_bytes;
}

static bool read_thread(VeuCapture *c, Reader *r, GError **error)
{
    VeuCaptureThread t = { 0 };

    if (!take_copy(r, &t, offsetof(VeuCaptureThread, registers)) ||
        !is_legal_thread(&t, r->bytes) ||
        c->threads->len >= VEU_CAPTURE_MAX_THREADS) {
        return veu_capture_refuse(error,
                                  "the capture's EU threads are illegal");
    }
    t.registers = take(r, t.register_bytes);
    t.predicates = take(r, t.predicate_count * UINT64_C(4));
    t.addresses = take(r, t.address_count * UINT64_C(2));
    t.slm = take(r, t.slm_bytes);
    g_array_append_val(c->threads, t);
    return true;
}

static bool read_files(VeuCapture *c, Reader *r, GError **error)
{
    if (c->files->len || !r->bytes || r->at[r->bytes - 1]) {
        return veu_capture_refuse(error,
                                  "the capture's file names are illegal");
    }
    while (r->bytes) {
        size_t length = strlen((const char *)r->at);

        if (c->files->len >= VEU_CAPTURE_MAX_FILES) {
            return veu_capture_refuse(error,
                                      "the capture has more than %u file names",
                                      VEU_CAPTURE_MAX_FILES);
        }
        g_ptr_array_add(c->files,
                        g_utf8_make_valid((const char *)r->at, length));
        take(r, length + 1);
    }
    return true;
}

static bool (*const readers[])(VeuCapture *c, Reader *r, GError **error) = {
    [VEU_CAPTURE_LAUNCH] = read_launch,   [VEU_CAPTURE_PROGRAM] = read_program,
    [VEU_CAPTURE_WINDOWS] = read_windows, [VEU_CAPTURE_BEFORE] = read_before,
    [VEU_CAPTURE_AFTER] = read_after,     [VEU_CAPTURE_FAULTS] = read_faults,
    [VEU_CAPTURE_THREAD] = read_thread,   [VEU_CAPTURE_LINES] = read_lines,
    [VEU_CAPTURE_FILES] = read_files,
};
G_STATIC_ASSERT(G_N_ELEMENTS(readers) == VEU_CAPTURE_KINDS);

static bool read_chunk(VeuCapture *c, Reader *all, GError **error)
{
    VeuCaptureChunk chunk;
    Reader r;

    if (!take_copy(all, &chunk, sizeof(chunk)) || chunk.reserved) {
        return veu_capture_refuse(error, "the capture has a damaged chunk");
    }
    r = (Reader){ .at = all->at, .bytes = chunk.bytes };
    if (!take(all, chunk.bytes) || !take(all, -chunk.bytes % 8)) {
        return veu_capture_refuse(error,
                                  "the capture has a chunk that is cut off");
    }
    if (!chunk.kind || chunk.kind >= VEU_CAPTURE_KINDS ||
        (chunk.kind != VEU_CAPTURE_LAUNCH && !c->launch.command_bytes)) {
        return veu_capture_refuse(error, "the capture has a chunk of kind %u",
                                  chunk.kind);
    }
    return readers[chunk.kind](c, &r, error);
}

static bool check_lines(const VeuCapture *c, GError **error)
{
    for (unsigned i = 0; i < c->lines->len; i++) {
        const VeuCaptureLine *line = &g_array_index(c->lines, VeuCaptureLine,
                                                    i);

        if (line->file >= c->files->len ||
            (i && line->offset < line[-1].offset)) {
            return veu_capture_refuse(error,
                                      "the capture's source lines are illegal");
        }
    }
    return true;
}

static bool read_chunks(VeuCapture *c, GError **error)
{
    Reader all = { .at = c->data->data, .bytes = c->data->len };

    while (all.bytes) {
        if (!read_chunk(c, &all, error)) {
            return false;
        }
    }
    if (!c->launch.command_bytes) {
        return veu_capture_refuse(error, "the capture has no launch");
    }
    return check_lines(c, error);
}

VeuCapture *veu_capture_read(const void *file, size_t bytes, GError **error)
{
    g_autoptr(VeuCapture) c = veu_capture_new();

    return decompress(file, bytes, c->data, error) && read_chunks(c, error) ?
               g_steal_pointer(&c) :
               NULL;
}
