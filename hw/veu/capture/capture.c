/*
 * veu captures: launches recorded in files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/capture/capture.h"

VeuCapture *veu_capture_new(void)
{
    VeuCapture *c = g_new0(VeuCapture, 1);

    c->windows = g_array_new(FALSE, FALSE, sizeof(struct veu_window));
    c->before = g_array_new(FALSE, FALSE, sizeof(VeuCapturePiece));
    c->after = g_array_new(FALSE, FALSE, sizeof(VeuCapturePiece));
    c->faults = g_array_new(FALSE, FALSE, sizeof(struct veu_fault_record));
    c->threads = g_array_new(FALSE, FALSE, sizeof(VeuCaptureThread));
    c->lines = g_array_new(FALSE, FALSE, sizeof(VeuCaptureLine));
    c->files = g_ptr_array_new_with_free_func(g_free);
    c->data = g_byte_array_new();
    return c;
}

void veu_capture_free(VeuCapture *c)
{
    g_array_unref(c->windows);
    g_array_unref(c->before);
    g_array_unref(c->after);
    g_array_unref(c->faults);
    g_array_unref(c->threads);
    g_array_unref(c->lines);
    g_ptr_array_unref(c->files);
    g_byte_array_unref(c->data);
    g_free(c);
}

bool veu_capture_refuse(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (error) {
        *error = g_error_new_valist(G_FILE_ERROR, G_FILE_ERROR_INVAL, format,
                                    args);
    }
    va_end(args);
    return false;
}

const VeuCaptureLine *veu_capture_line(const GArray *lines, uint32_t offset)
{
    const VeuCaptureLine *found = NULL;

    for (unsigned i = 0; i < lines->len; i++) {
        const VeuCaptureLine *line = &g_array_index(lines, VeuCaptureLine, i);

        if (line->offset > offset) {
            break;
        }
        found = line->line ? line : NULL;
    }
    return found;
}

int veu_capture_compare_pieces(const void *a, const void *b)
{
    const VeuCapturePiece *x = a;
    const VeuCapturePiece *y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}
