/*
 * veu tests: QEMU's qtest protocol, the part that drivers of a device need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One line per command, "OK [value]" as the answer. Whatever goes wrong fails
 * the test, and the message says what was awaited.
 */
#ifndef VEU_TEST_QTEST_CLIENT_H
#define VEU_TEST_QTEST_CLIENT_H

#include <stddef.h>
#include <stdint.h>

/* A socket that is read line by line. */
typedef struct LineSocket {
    int fd;
    const char *name; /* for messages */
    /* Called before a failure is reported, to show what is known. */
    void (*on_failure)(void *opaque);
    void *opaque;
    size_t used;
    char buffer[65536];
} LineSocket;

/* How long any answer may take, in seconds: machines may be busy. */
#define LINE_SOCKET_TIMEOUT_S 30

void line_socket_init(LineSocket *socket, int fd, const char *name);
void line_socket_send(LineSocket *socket, const char *line);
/* The next line, to be freed; @awaited: what for, in words. */
char *line_socket_receive(LineSocket *socket, const char *awaited);
/* The same, or NULL when none has arrived so far. */
char *line_socket_poll(LineSocket *socket);

/* Memory and MMIO; @bytes is 1, 2, 4 or 8. */
uint64_t qtest_read(LineSocket *qtest, uint64_t address, unsigned bytes);
void qtest_write(LineSocket *qtest, uint64_t address, unsigned bytes,
                 uint64_t value);

/*
 * An access of any number of bytes, as one of a device would be. What was read
 * is not looked at.
 */
void qtest_read_bytes(LineSocket *qtest, uint64_t address, unsigned bytes);
void qtest_write_bytes(LineSocket *qtest, uint64_t address, const uint8_t *data,
                       unsigned bytes);

/* I/O ports; @bytes is 1, 2 or 4. */
uint32_t qtest_in(LineSocket *qtest, uint16_t port, unsigned bytes);
void qtest_out(LineSocket *qtest, uint16_t port, unsigned bytes,
               uint32_t value);

#endif
