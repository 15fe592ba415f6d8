/*
 * veu unit tests: each rule that the file of a capture has to obey:
 * docs/capture.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files are written here byte by byte. Each begins with a legal launch, unless
 * the test is about launches.
 */
#include <stddef.h>
#include <string.h>
#include <zstd.h>
#include "hw/veu/capture/capture.h"

static void add_bytes(GByteArray *to, const void *bytes, size_t count)
{
    g_byte_array_append(to, bytes, count);
}

/* Adds the header of a chunk, @bytes and what fills the last 8 of them. */
static void add_chunk(GByteArray *to, uint32_t kind, const void *bytes,
                      uint64_t count)
{
    static const uint8_t zeros[8];
    const VeuCaptureChunk chunk = { .kind = kind, .bytes = count };

    add_bytes(to, &chunk, sizeof(chunk));
    add_bytes(to, bytes, count);
    add_bytes(to, zeros, -count % 8);
}

static VeuCaptureLaunch legal_launch(void)
{
    return (VeuCaptureLaunch){ .command_bytes = VEU_SLOT_BYTES };
}

static GByteArray *with_launch(void)
{
    GByteArray *content = g_byte_array_new();
    const VeuCaptureLaunch launch = legal_launch();

    add_chunk(content, VEU_CAPTURE_LAUNCH, &launch, sizeof(launch));
    return content;
}

/* Makes a file whose header promises @promised bytes. */
static GByteArray *make_file(const GByteArray *content, uint32_t version,
                             uint64_t promised)
{
    VeuCaptureHeader header = { .version = version, .content_bytes = promised };
    size_t room = ZSTD_compressBound(content->len);
    g_autofree uint8_t *frame = g_malloc(room);
    GByteArray *file = g_byte_array_new();
    size_t bytes = ZSTD_compress(frame, room, content->data, content->len, 1);

    g_assert_false(ZSTD_isError(bytes));
    memcpy(header.magic, VEU_CAPTURE_MAGIC, sizeof(header.magic));
    add_bytes(file, &header, sizeof(header));
    add_bytes(file, frame, bytes);
    return file;
}

/* Reads @bytes of the file; @why is NULL if they are a capture. */
static void check_file(const GByteArray *file, size_t bytes, const char *why)
{
    g_autofree void *copy = g_memdup2(file->data, bytes);
    g_autoptr(GError) error = NULL;
    g_autoptr(VeuCapture) c = veu_capture_read(copy, bytes, &error);

    g_assert_cmpstr(error ? error->message : NULL, ==, why);
    g_assert_true(!c == !!why);
}

static void check(const GByteArray *content, const char *why)
{
    g_autoptr(GByteArray) file = make_file(content, 1, content->len);

    check_file(file, file->len, why);
}

/* A file with one chunk after the launch, or with the same one twice. */
static void check_chunk(uint32_t kind, const void *bytes, uint64_t count,
                        unsigned times, const char *why)
{
    g_autoptr(GByteArray) content = with_launch();

    for (unsigned i = 0; i < times; i++) {
        add_chunk(content, kind, bytes, count);
    }
    check(content, why);
}

/* ---- the header and the frame ---- */

static void test_header(void)
{
    g_autoptr(GByteArray) content = with_launch();
    g_autoptr(GByteArray) file = make_file(content, 1, content->len);
    g_autoptr(GByteArray) older = make_file(content, 0, content->len);
    g_autoptr(GByteArray) newer = make_file(content, 2, content->len);

    check_file(file, file->len, NULL);
    check_file(file, sizeof(VeuCaptureHeader) - 1, "not a veu capture");
    check_file(file, 3, "not a veu capture");
    file->data[0] ^= 1;
    check_file(file, file->len, "not a veu capture");
    check_file(older, older->len,
               "a capture of version 0; this veu reads version 1");
    check_file(newer, newer->len,
               "a capture of version 2; this veu reads version 1");
}

static void check_promise(const GByteArray *content, uint64_t promised,
                          const char *why)
{
    g_autoptr(GByteArray) file = make_file(content, 1, promised);

    check_file(file, file->len, why);
}

static void test_the_size_of_the_content(void)
{
    static const uint8_t zeros[300000];
    g_autoptr(GByteArray) content = with_launch();
    const char *is_longer = "the capture is longer than its header says";
    const char *is_shorter = "the capture is shorter than its header says";
    const uint64_t most = UINT64_C(512) << 20;

    check_promise(content, content->len - 1, is_longer);
    check_promise(content, content->len + 1, is_shorter);
    check_promise(content, most, is_shorter);
    check_promise(content, most + 1, "the capture has more than 512M");
    /* more than the decompressor returns at a time */
    add_bytes(content, zeros, sizeof(zeros) - content->len);
    check_promise(content, 299999, is_longer);
}

static void test_a_file_that_ends_early(void)
{
    g_autoptr(GByteArray) content = with_launch();
    g_autoptr(GByteArray) file = make_file(content, 1, content->len);

    for (size_t n = sizeof(VeuCaptureHeader); n < file->len; n++) {
        check_file(file, n, "the capture is cut off");
    }
}

/* ---- chunks ---- */

static void test_kinds_of_chunks(void)
{
    g_autoptr(GByteArray) empty = g_byte_array_new();
    g_autoptr(GByteArray) first = g_byte_array_new();

    check_chunk(0, "", 0, 1, "the capture has a chunk of kind 0");
    check_chunk(VEU_CAPTURE_FILES + 1, "", 0, 1,
                "the capture has a chunk of kind 10");
    check(empty, "the capture has no launch");
    add_chunk(first, VEU_CAPTURE_PROGRAM, "code", 4);
    check(first, "the capture has a chunk of kind 2");
}

/* @bytes is what the header of the last chunk says; @left is what follows. */
static void check_end(uint32_t reserved, uint64_t bytes, size_t left,
                      const char *why)
{
    g_autoptr(GByteArray) content = with_launch();
    const VeuCaptureChunk chunk = { VEU_CAPTURE_PROGRAM, reserved, bytes };
    const uint8_t zeros[64] = { 0 };

    add_bytes(content, &chunk, sizeof(chunk));
    add_bytes(content, zeros, left);
    check(content, why);
}

static void test_sizes_of_chunks(void)
{
    const char *is_cut = "the capture has a chunk that is cut off";
    g_autoptr(GByteArray) part = with_launch();

    check_end(0, 16, 16, NULL);
    check_end(1, 16, 16, "the capture has a damaged chunk");
    check_end(0, 17, 16, is_cut);
    check_end(0, 16, 15, is_cut);
    check_end(0, 9, 15, is_cut);
    check_end(0, UINT64_MAX, 16, is_cut);
    add_bytes(part, "\2\0\0\0\0\0\0", 8);
    check(part, "the capture has a damaged chunk");
}

/* ---- the launch ---- */

static void check_launch(const VeuCaptureLaunch *launch, bool legal)
{
    g_autoptr(GByteArray) content = g_byte_array_new();

    add_chunk(content, VEU_CAPTURE_LAUNCH, launch, sizeof(*launch));
    check(content, legal ? NULL : "the capture's launch is illegal");
}

/* A launch with one other byte. */
static void check_launch_byte(size_t at, uint8_t byte, bool legal)
{
    VeuCaptureLaunch launch = legal_launch();

    ((uint8_t *)&launch)[at] = byte;
    check_launch(&launch, legal);
}

static void test_fields_of_a_launch(void)
{
    static const uint32_t sizes[] = { 64, 128, 256, 0, 63, 65, 320 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        check_launch(&(VeuCaptureLaunch){ .command_bytes = sizes[i] }, i < 3);
    }
    check_launch_byte(offsetof(VeuCaptureLaunch, pages_moved), 1, true);
    check_launch_byte(offsetof(VeuCaptureLaunch, pages_moved), 2, false);
    check_launch_byte(offsetof(VeuCaptureLaunch, strict_types), 1, true);
    check_launch_byte(offsetof(VeuCaptureLaunch, strict_types), 2, false);
    check_launch_byte(offsetof(VeuCaptureLaunch, trace_contracts), 1, true);
    check_launch_byte(offsetof(VeuCaptureLaunch, trace_contracts), 2, false);
    check_launch_byte(offsetof(VeuCaptureLaunch, kernel[62]), 'k', true);
    check_launch_byte(offsetof(VeuCaptureLaunch, kernel[63]), 'k', false);
}

static void test_one_launch_of_its_size(void)
{
    const VeuCaptureLaunch launches[2] = { legal_launch(), legal_launch() };
    const char *why = "the capture's launch is damaged";
    g_autoptr(GByteArray) shorter = g_byte_array_new();
    g_autoptr(GByteArray) longer = g_byte_array_new();

    check_chunk(VEU_CAPTURE_LAUNCH, launches, sizeof(launches[0]), 1, why);
    add_chunk(shorter, VEU_CAPTURE_LAUNCH, launches, sizeof(launches[0]) - 1);
    check(shorter, why);
    add_chunk(longer, VEU_CAPTURE_LAUNCH, launches, sizeof(launches[0]) + 1);
    check(longer, why);
}

/* ---- what there is once, and arrays ---- */

static void test_what_there_is_once(void)
{
    static const uint8_t zeros[64];
    const struct veu_fault_record fault = { .code = VEU_FAULT_ADDRESS };

    check_chunk(VEU_CAPTURE_PROGRAM, zeros, 5, 1, NULL);
    check_chunk(VEU_CAPTURE_PROGRAM, zeros, 5, 2,
                "the capture's program is illegal");
    check_chunk(VEU_CAPTURE_WINDOWS, zeros, sizeof(struct veu_window), 1, NULL);
    check_chunk(VEU_CAPTURE_WINDOWS, zeros, sizeof(struct veu_window), 2,
                "the capture's windows are illegal");
    check_chunk(VEU_CAPTURE_WINDOWS, zeros, sizeof(struct veu_window) + 1, 1,
                "the capture's windows are illegal");
    check_chunk(VEU_CAPTURE_FAULTS, &fault, sizeof(fault), 1, NULL);
    check_chunk(VEU_CAPTURE_FAULTS, &fault, sizeof(fault), 2,
                "the capture's fault records are illegal");
    check_chunk(VEU_CAPTURE_FILES, "a\0b", 4, 1, NULL);
    check_chunk(VEU_CAPTURE_FILES, "a\0b", 4, 2,
                "the capture's file names are illegal");
}

static void check_faults(uint16_t code, uint8_t access, unsigned count,
                         bool legal)
{
    g_autofree struct veu_fault_record *faults = g_new0(struct veu_fault_record,
                                                        count);

    for (unsigned i = 0; i < count; i++) {
        faults[i].code = VEU_FAULT_ADDRESS;
    }
    faults[count - 1].code = code;
    faults[count - 1].access = access;
    check_chunk(VEU_CAPTURE_FAULTS, faults, count * sizeof(*faults), 1,
                legal ? NULL : "the capture's fault records are illegal");
}

static void test_fault_records(void)
{
    check_faults(VEU_FAULT_ADDRESS, VEU_ACCESS_WRITE, 256, true);
    check_faults(VEU_FAULT_ADDRESS, VEU_ACCESS_WRITE, 257, false);
    check_faults(VEU_FAULT_ADDRESS, VEU_ACCESS_WRITE + 1, 2, false);
    check_faults(VEU_FAULT_NONE, VEU_ACCESS_READ, 2, false);
}

static void test_file_names(void)
{
    g_autofree char *names = g_malloc0(2 * 4097);

    for (unsigned i = 0; i < 4097; i++) {
        names[2 * i] = 'a';
    }
    check_chunk(VEU_CAPTURE_FILES, names, 2 * 4096, 1, NULL);
    check_chunk(VEU_CAPTURE_FILES, names, 2 * 4097, 1,
                "the capture has more than 4096 file names");
    check_chunk(VEU_CAPTURE_FILES, names, 3, 1,
                "the capture's file names are illegal");
    check_chunk(VEU_CAPTURE_FILES, names, 0, 1,
                "the capture's file names are illegal");
}

/* Lines of a file; the last two have these offsets and this file. */
static void check_lines(unsigned count, uint32_t before_last, uint32_t last,
                        uint32_t file, const char *why)
{
    g_autoptr(GByteArray) content = with_launch();
    g_autofree VeuCaptureLine *lines = g_new0(VeuCaptureLine, count);

    lines[count - 2].offset = before_last;
    lines[count - 1].offset = last;
    lines[count - 1].file = file;
    add_chunk(content, VEU_CAPTURE_LINES, lines, count * sizeof(*lines));
    add_chunk(content, VEU_CAPTURE_FILES, "a\0b", 4);
    check(content, why);
}

static void test_source_lines(void)
{
    const char *why = "the capture's source lines are illegal";

    check_lines(2, 8, 8, 1, NULL);
    check_lines(2, 8, 7, 1, why);
    check_lines(2, 8, 8, 2, why);
    check_lines(1000000, 0, 0, 0, NULL);
    check_lines(1000001, 0, 0, 0, why);
}

/* ---- memory ---- */

/* A piece of memory, and how many bytes of data its chunk has. */
typedef struct Piece {
    uint64_t address;
    uint32_t bytes;
    uint32_t permissions;
    uint32_t data_bytes;
    bool legal;
} Piece;

/* They follow one of bytes 0x1100 to 0x11ff. */
static const Piece pieces[] = {
    { 0x1200, 0xe00, 3, 0xe00, true },
    { 0x1200, 0xe01, 3, 0xe01, false }, /* in two pages */
    { 0x2000, 0x1000, 3, 0x1000, true },
    { 0x2000, 0x1001, 3, 0x1001, false },
    { 0x11ff, 1, 3, 1, false }, /* not after the piece before */
    { 0x1100, 1, 3, 1, false },
    { 0x1000, 1, 3, 1, false },
    { 0x1200, 1, 0, 1, false }, /* permissions that do not exist */
    { 0x1200, 1, 4, 1, false },
    /* no data, and not as much as the length says */
    { 0x1200, 0, 3, 0, false },
    { 0x1200, 4, 3, 3, false },
    { 0x1200, 4, 3, 5, false },
};

static void add_piece(GByteArray *content, uint32_t kind, const Piece *p)
{
    const VeuCapturePiece piece = { .address = p->address,
                                    .bytes = p->bytes,
                                    .permissions = p->permissions };
    const size_t head = offsetof(VeuCapturePiece, data);
    g_autofree uint8_t *chunk = g_malloc0(head + p->data_bytes);

    memcpy(chunk, &piece, head);
    add_chunk(content, kind, chunk, head + p->data_bytes);
}

static void test_pieces_of_memory(void)
{
    static const Piece first = { 0x1100, 0x100, 1, 0x100, true };

    for (unsigned i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GByteArray) content = with_launch();

        add_piece(content, VEU_CAPTURE_BEFORE, &first);
        add_piece(content, VEU_CAPTURE_BEFORE, &pieces[i]);
        check(content,
              pieces[i].legal ? NULL : "the capture's memory is illegal");
    }
}

static void test_at_most_65536_pieces(void)
{
    g_autoptr(GByteArray) content = with_launch();

    for (uint64_t i = 0; i <= 65536; i++) {
        const Piece piece = { i * 4096, 1, VEU_CAPTURE_READ, 1, true };

        if (i == 65536) {
            check(content, NULL);
        }
        add_piece(content, i % 2 ? VEU_CAPTURE_BEFORE : VEU_CAPTURE_AFTER,
                  &piece);
    }
    check(content, "the capture has more than 65536 pieces of memory");
}

/* ---- EU threads ---- */

#define THREAD_BYTES offsetof(VeuCaptureThread, registers)

static void check_threads(const VeuCaptureThread *t, uint32_t bytes,
                          unsigned count, bool legal)
{
    g_autofree uint8_t *chunk = g_malloc0(THREAD_BYTES + bytes);

    memcpy(chunk, t, THREAD_BYTES);
    check_chunk(VEU_CAPTURE_THREAD, chunk, THREAD_BYTES + bytes, count,
                legal ? NULL : "the capture's EU threads are illegal");
}

static void test_eu_threads(void)
{
    const VeuCaptureThread t = { .register_bytes = 32,
                                 .predicate_count = 3,
                                 .address_count = 5,
                                 .slm_bytes = 7 };
    const uint32_t bytes = 32 + 3 * 4 + 5 * 2 + 7;
    VeuCaptureThread other = t;

    check_threads(&t, bytes, 1024, true);
    check_threads(&t, bytes, 1025, false);
    check_threads(&t, bytes - 1, 1, false);
    check_threads(&t, bytes + 1, 1, false);
    other.barrier = 1;
    check_threads(&other, bytes, 1, true);
    other.barrier = 2;
    check_threads(&other, bytes, 1, false);
    other = t;
    other.depth = VEU_LIMIT_CALLS;
    check_threads(&other, bytes, 1, true);
    other.depth++;
    check_threads(&other, bytes, 1, false);
    other = (VeuCaptureThread){ .slm_bytes = VEU_LIMIT_SLM_BYTES };
    check_threads(&other, other.slm_bytes, 1, true);
    other.slm_bytes++;
    check_threads(&other, other.slm_bytes, 1, false);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/capture_read/" #name, test_##name)
    RULE(header);
    RULE(the_size_of_the_content);
    RULE(a_file_that_ends_early);
    RULE(kinds_of_chunks);
    RULE(sizes_of_chunks);
    RULE(fields_of_a_launch);
    RULE(one_launch_of_its_size);
    RULE(what_there_is_once);
    RULE(fault_records);
    RULE(file_names);
    RULE(source_lines);
    RULE(pieces_of_memory);
    RULE(at_most_65536_pieces);
    RULE(eu_threads);
#undef RULE
    return g_test_run();
}
