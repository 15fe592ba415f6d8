/*
 * veu fuzzer: objects and programs as veu-dis reads them; programs of objects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/input.h"
#include "tools/visa/disassemble.h"
#include "tools/visa/object.h"
#include "tools/visa/program.h"
#include "tools/visa/source.h"

#define GRF_BYTES 32

static VisaObject *read_object(const uint8_t *data, size_t bytes,
                               VisaError *error)
{
    uint32_t grf_bytes;

    return visa_is_program(data, bytes) ?
               visa_program_read(data, bytes, &grf_bytes, error) :
               visa_object_read(data, bytes, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    VisaError error = { 0 };
    VisaObject *object = read_object(data, bytes, &error);

    if (object) {
        g_autofree char *text = visa_disassemble(object);

        GByteArray *program = visa_source_program(object, NULL, GRF_BYTES,
                                                  &error);

        g_assert_nonnull(text);
        g_clear_pointer(&program, g_byte_array_unref);
        visa_object_free(object);
    } else {
        g_autofree char *shown = visa_error_show(&error, "object", NULL);

        g_assert_nonnull(shown);
    }
    return 0;
}
