/*
 * veu fuzzer: vISA text. Accepted text has an object, whose text is accepted
 * and has the same meaning.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/input.h"
#include "tools/visa/assemble.h"
#include "tools/visa/disassemble.h"

#define GRF_BYTES 32

static GByteArray *assemble(const char *text)
{
    VisaError error = { 0 };
    VisaObject *object = visa_assemble(text, GRF_BYTES, &error);
    GByteArray *bytes = NULL;

    if (object) {
        bytes = visa_object_write(object, &error);
        visa_object_free(object);
    }
    if (!bytes) {
        g_autofree char *shown = visa_error_show(&error, "text", text);

        g_assert_nonnull(shown);
    }
    return bytes;
}

static char *disassemble(const GByteArray *bytes)
{
    VisaError error = { 0 };
    VisaObject *object = visa_object_read(bytes->data, bytes->len, &error);
    char *text;

    g_assert_nonnull(object);
    text = visa_disassemble(object);
    visa_object_free(object);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    g_autofree char *text = g_strndup((const char *)data, bytes);
    g_autoptr(GByteArray) object = assemble(text);

    if (object) {
        g_autofree char *shown = disassemble(object);
        g_autoptr(GByteArray) again = assemble(shown);
        g_autofree char *same = NULL;

        g_assert_nonnull(again);
        same = disassemble(again);
        g_assert_cmpstr(shown, ==, same);
    }
    return 0;
}
