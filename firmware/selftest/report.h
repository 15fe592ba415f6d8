/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test's output on the console, which programs read, too
 * (tests/guest/boot). Each line is one of these: [title]                     a
 * new section
 *       info  name: value PASS  name SKIP  name -- reason FAIL  name -- what
 *       was wrong
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

void report_section(const char *title);

/** Prints a number or name that is not a check. */
void report_info(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Names the check that starts now; exactly one of the next three follows. */
void report_begin(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void report_pass(void);
void report_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Reports a pass, or a failure with the reason; returns @passed. */
bool report_result(bool passed, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Prints the totals; returns true if no check failed and at least one passed.
 */
bool report_end(void);

#endif /* REPORT_H */
