/*
 * veu device tests: QEMU's monitor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Answers are lines of JSON; tests search them for strings.
 */
#ifndef VEU_TEST_QMP_H
#define VEU_TEST_QMP_H

#include <glib.h>
#include <stdbool.h>
#include "tests/lib/qtest_client.h"

typedef struct Qmp {
    LineSocket socket;
    GPtrArray *events; /* lines that were not asked for so far */
} Qmp;

/* @qmp->socket is connected; sends the greeting. */
void qmp_init(Qmp *qmp);
void qmp_exit(Qmp *qmp);

/*
 * Executes a command; @arguments is a JSON object or NULL. Returns the whole
 * answer, which may be an error.
 */
char *qmp_ask(Qmp *qmp, const char *command, const char *arguments);
/* Like qmp_ask(), for a command that has to succeed. */
void qmp_do(Qmp *qmp, const char *command, const char *arguments);
/* Splits qmp_do() in two: something else can be done in between. */
void qmp_send(Qmp *qmp, const char *command, const char *arguments);
char *qmp_receive(Qmp *qmp, const char *awaited);
/*
 * Executes a command of the human monitor; returns its output as a JSON string.
 */
char *qmp_human(Qmp *qmp, const char *command);

bool qmp_is_error(const char *answer);

/* Waits for an event; stores those of other names. */
void qmp_wait_event(Qmp *qmp, const char *name);

#endif
