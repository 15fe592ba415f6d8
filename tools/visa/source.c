/*
 * veu tools: programs from files of text or objects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/assemble.h"
#include "tools/visa/program.h"
#include "tools/visa/source.h"

VisaObject *visa_source_read(const uint8_t *data, size_t bytes,
                             unsigned grf_bytes, VisaError *error)
{
    if (visa_is_object(data, bytes)) {
        return visa_object_read(data, bytes, error);
    }
    if (memchr(data, 0, bytes)) {
        visa_error(error, "this is neither text nor a vISA object");
        return NULL;
    }
    return visa_assemble((const char *)data, grf_bytes, error);
}

static const VisaRoutine *find_kernel(const VisaObject *object,
                                      const char *kernel, VisaError *error)
{
    const VisaRoutine *found = NULL;
    unsigned kernels = 0;

    for (unsigned i = 0; i < object->routines->len; i++) {
        const VisaRoutine *r = g_ptr_array_index(object->routines, i);

        kernels += !r->function;
        if (!r->function && (!kernel || !strcmp(r->name, kernel))) {
            found = r;
        }
    }
    if (!found) {
        visa_error(error, "there is no kernel%s%.40s", kernel ? " " : "",
                   kernel ? kernel : "");
        return NULL;
    }
    if (!kernel && kernels > 1) {
        visa_error(error, "there are %u kernels", kernels);
        visa_hint(error, "choose one: veu-as --program --kernel %.40s",
                  found->name);
        return NULL;
    }
    return found;
}

GByteArray *visa_source_program(const VisaObject *object, const char *kernel,
                                unsigned grf_bytes, VisaError *error)
{
    const VisaRoutine *found = find_kernel(object, kernel, error);

    GByteArray *program = found ? visa_program_write(object, found, grf_bytes,
                                                     error) :
                                  NULL;

    if (program) {
        visa_program_check(program, object, found, error);
    }
    return program;
}

bool visa_is_source(const uint8_t *data, size_t bytes)
{
    return visa_is_object(data, bytes) ||
           (!memchr(data, 0, bytes) &&
            g_strstr_len((const char *)data, bytes, ".kernel"));
}
