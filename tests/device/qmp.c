/*
 * veu device tests: QEMU's monitor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/qmp.h"

void qmp_init(Qmp *q)
{
    g_autofree char *greeting = line_socket_receive(&q->socket, "the greeting");

    g_assert_nonnull(strstr(greeting, "\"QMP\""));
    q->events = g_ptr_array_new_with_free_func(g_free);
    qmp_do(q, "qmp_capabilities", NULL);
}

void qmp_exit(Qmp *q)
{
    g_ptr_array_unref(q->events);
}

bool qmp_is_error(const char *answer)
{
    return g_str_has_prefix(answer, "{\"error\"");
}

static bool is_event(const char *line)
{
    return strstr(line, "\"event\": \"") && !qmp_is_error(line) &&
           !g_str_has_prefix(line, "{\"return\"");
}

void qmp_send(Qmp *q, const char *command, const char *arguments)
{
    g_autofree char *line =
        arguments ? g_strdup_printf("{\"execute\":\"%s\",\"arguments\":%s}",
                                    command, arguments) :
                    g_strdup_printf("{\"execute\":\"%s\"}", command);

    line_socket_send(&q->socket, line);
}

char *qmp_receive(Qmp *q, const char *awaited)
{
    char *line = line_socket_receive(&q->socket, awaited);

    while (is_event(line)) {
        g_ptr_array_add(q->events, line);
        line = line_socket_receive(&q->socket, awaited);
    }
    return line;
}

char *qmp_ask(Qmp *q, const char *command, const char *arguments)
{
    qmp_send(q, command, arguments);
    return qmp_receive(q, command);
}

void qmp_do(Qmp *q, const char *command, const char *arguments)
{
    g_autofree char *answer = qmp_ask(q, command, arguments);

    if (qmp_is_error(answer)) {
        g_error("%s %s: %s", command, arguments ? arguments : "", answer);
    }
}

char *qmp_human(Qmp *q, const char *command)
{
    g_autofree char *arguments = g_strdup_printf("{\"command-line\":\"%s\"}",
                                                 command);

    return qmp_ask(q, "human-monitor-command", arguments);
}

/* Removes the oldest stored event of this name. */
static bool take_event(Qmp *q, const char *name)
{
    g_autofree char *key = g_strdup_printf("\"event\": \"%s\"", name);

    for (unsigned i = 0; i < q->events->len; i++) {
        if (strstr(g_ptr_array_index(q->events, i), key)) {
            g_ptr_array_remove_index(q->events, i);
            return true;
        }
    }
    return false;
}

void qmp_wait_event(Qmp *q, const char *name)
{
    while (!take_event(q, name)) {
        char *line = line_socket_receive(&q->socket, name);

        g_assert_true(is_event(line));
        g_ptr_array_add(q->events, line);
    }
}
