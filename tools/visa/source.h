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
 * Returns the object of a text or of an object's bytes, or NULL with an error.
 * @data must be followed by a 0 byte.
 */
VisaObject *visa_source_read(const uint8_t *data, size_t bytes,
                             unsigned grf_bytes, VisaError *error);

/*
 * Returns the program of the kernel with this name, or of the only kernel if
 * the name is NULL. Returns NULL with an error. Code that the device will
 * refuse causes a warning.
 */
GByteArray *visa_source_program(const VisaObject *object, const char *kernel,
                                unsigned grf_bytes, VisaError *error);

/*
 * Returns true for text with a kernel in it. A device program never is such
 * text.
 */
bool visa_is_source(const uint8_t *data, size_t bytes);

#endif
