/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test's output on the console.
 */
#include "report.h"

#include "machine.h"

#define NAME_BYTES   80
#define REASON_BYTES 240

static char name[NAME_BYTES];
static unsigned passed, failed, skipped;

void report_section(const char *title)
{
    machine_print("\n[%s]\n", title);
}

static void print_reason(const char *format, va_list arguments)
{
    char reason[REASON_BYTES];

    machine_format(reason, sizeof(reason), format, arguments);
    machine_print("%s\n", reason);
}

void report_info(const char *what, const char *format, ...)
{
    va_list arguments;

    machine_print("  info  %s: ", what);
    va_start(arguments, format);
    print_reason(format, arguments);
    va_end(arguments);
}

void report_begin(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    machine_format(name, sizeof(name), format, arguments);
    va_end(arguments);
}

void report_pass(void)
{
    passed++;
    machine_print("  PASS  %s\n", name);
}

void report_skip(const char *format, ...)
{
    va_list arguments;

    skipped++;
    machine_print("  SKIP  %s -- ", name);
    va_start(arguments, format);
    print_reason(format, arguments);
    va_end(arguments);
}

static void fail(const char *format, va_list arguments)
{
    failed++;
    machine_print("  FAIL  %s -- ", name);
    print_reason(format, arguments);
}

void report_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail(format, arguments);
    va_end(arguments);
}

bool report_result(bool good, const char *format, ...)
{
    va_list arguments;

    if (good) {
        report_pass();
    } else {
        va_start(arguments, format);
        fail(format, arguments);
        va_end(arguments);
    }
    return good;
}

bool report_end(void)
{
    machine_print("\nresult: %u passed, %u failed, %u skipped\n", passed,
                  failed, skipped);
    return passed && !failed;
}
