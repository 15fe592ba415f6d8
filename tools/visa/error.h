/*
 * veu tools: errors in vISA text or files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_ERROR_H
#define VEU_TOOLS_VISA_ERROR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct VisaError {
    unsigned line; /* from 1; 0 if it is not about text */
    unsigned column;
    bool warning; /* assembly continued */
    char message[192];
    char hint[192]; /* what to write; may be empty */
    /*
     * If set, reading continues with the next line after an error, and this is
     * called with each error except the last.
     */
    void (*report)(const struct VisaError *earlier, void *opaque);
    void *opaque;
} VisaError;

/* A place in text. */
typedef struct VisaPlace {
    unsigned line;
    unsigned column;
} VisaPlace;

/* These return false, so that callers can return their result. */
bool visa_error(VisaError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool visa_error_at(VisaError *error, VisaPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds to an error what to do about it; returns false. */
bool visa_hint(VisaError *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Returns file:line:column: error: message, the line of @text with a caret, and
 * the hint. The caller frees it.
 */
char *visa_error_show(const VisaError *error, const char *file,
                      const char *text);

#endif
