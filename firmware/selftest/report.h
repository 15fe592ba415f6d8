/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the self-test prints on the console.
 *
 * Programs read it too (tests/guest/boot). One line each:
 *     [title]                     a new section
 *       info  name: value
 *       PASS  name
 *       SKIP  name -- reason
 *       FAIL  name -- what was wrong
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

void report_section(const char *title);

/** A number or name that is no check. */
void report_info(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Names the check that runs now; then exactly one of the next three. */
void report_begin(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void report_pass(void);
void report_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Passes or fails, with the reason if it fails; returns @passed. */
bool report_result(bool passed, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Prints the totals; true if no check failed and at least one passed. */
bool report_end(void);

#endif /* REPORT_H */
