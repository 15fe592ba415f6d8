/*
 * veu tools: programs from files of text or objects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_SOURCE_H
#define VEU_TOOLS_VISA_SOURCE_H

#include "tools/visa/object.h"

/* The largest file of text, or object, that tools read. */
#define VISA_MAX_FILE_BYTES (64 * 1024 * 1024)

/*
 * The object that text or an object's bytes stand for; NULL with an error.
 * There is a 0 byte after @data.
 */
VisaObject *visa_source_read(const uint8_t *data, size_t bytes,
                             unsigned grf_bytes, VisaError *error);

/*
 * The program of the kernel of that name, or, where it is NULL, of the only
 * kernel; NULL with an error. What the device will refuse is a warning.
 */
GByteArray *visa_source_program(const VisaObject *object, const char *kernel,
                                unsigned grf_bytes, VisaError *error);

/* Text that has a kernel in it? A device program never is. */
bool visa_is_source(const uint8_t *data, size_t bytes);

#endif
