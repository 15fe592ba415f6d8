/*
 * veu fuzzer: captures. A file is refused with an error; otherwise its contents
 * are the same after they are written and read again. The rules of captures are
 * tested, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An input that begins like a capture is the file. One that begins with 'r' is
 * text of rules. Any other is the uncompressed contents of a file, so that a
 * fuzzer gets past the compression.
 */
#include <glib.h>
#include <zstd.h>
#include "hw/veu/capture/rules.h"
#include "tests/fuzz/input.h"

static void check_error(bool good, GError **error)
{
    g_assert(good == !*error);
    g_clear_error(error);
}

static GByteArray *wrap(const uint8_t *data, size_t bytes)
{
    VeuCaptureHeader header = {
        .version = VEU_CAPTURE_VERSION,
        .content_bytes = bytes,
    };
    size_t room = ZSTD_compressBound(bytes);
    GByteArray *file = g_byte_array_new();

    memcpy(header.magic, VEU_CAPTURE_MAGIC, sizeof(header.magic));
    g_byte_array_append(file, (const uint8_t *)&header, sizeof(header));
    g_byte_array_set_size(file, sizeof(header) + room);
    g_byte_array_set_size(file, sizeof(header) +
                                    ZSTD_compress(file->data + sizeof(header),
                                                  room, data, bytes, 1));
    return file;
}

static void use(const VeuCapture *capture)
{
    GError *error = NULL;
    g_autoptr(GByteArray) first = veu_capture_write(capture, &error);
    g_autoptr(GByteArray) second = NULL;
    VeuCapture *again;

    check_error(first, &error);
    if (!first) {
        return;
    }
    again = veu_capture_read(first->data, first->len, &error);
    check_error(again, &error);
    g_assert(again);
    g_assert(again->before->len == capture->before->len);
    g_assert(again->threads->len == capture->threads->len);
    second = veu_capture_write(again, &error);
    g_assert(second && second->len == first->len &&
             !memcmp(first->data, second->data, first->len));
    veu_capture_free(again);
}

static void use_rules(const uint8_t *data, size_t bytes)
{
    g_autofree char *text = g_strndup((const char *)data, bytes);
    VeuCaptureLaunch launch = { .number = 1 };
    GError *error = NULL;
    VeuCaptureRules *rules = veu_capture_rules_new(text, &error);

    check_error(rules, &error);
    if (rules) {
        veu_capture_rules_may(rules, &launch, NULL);
        veu_capture_rules_free(rules);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    bool is_file = bytes >= VEU_CAPTURE_MAGIC_BYTES &&
                   !memcmp(data, VEU_CAPTURE_MAGIC, VEU_CAPTURE_MAGIC_BYTES);
    g_autoptr(GByteArray) file = is_file ? NULL : wrap(data, bytes);
    GError *error = NULL;
    VeuCapture *capture;

    if (bytes && *data == 'r') {
        use_rules(data + 1, bytes - 1);
    }
    capture = veu_capture_read(file ? file->data : data,
                               file ? file->len : bytes, &error);
    check_error(capture, &error);
    if (capture) {
        use(capture);
        veu_capture_line(capture->lines, 64);
        veu_capture_free(capture);
    }
    return 0;
}
