/*
 * veu tests: QEMU's qtest protocol, the part that drivers of a device need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each command is one line, and the answer is "OK [value]". Any error fails the
 * test, and the message names what was awaited.
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

/* The time that any answer may take, in seconds, as machines may be busy. */
#define LINE_SOCKET_TIMEOUT_S 30

void line_socket_init(LineSocket *socket, int fd, const char *name);
void line_socket_send(LineSocket *socket, const char *line);
/*
 * Returns the next line, which the caller frees; @awaited describes it in
 * messages.
 */
char *line_socket_receive(LineSocket *socket, const char *awaited);
/* Like line_socket_receive(), but returns NULL if no line has arrived. */
char *line_socket_poll(LineSocket *socket);

/* Accesses memory and MMIO; @bytes is 1, 2, 4 or 8. */
uint64_t qtest_read(LineSocket *qtest, uint64_t address, unsigned bytes);
void qtest_write(LineSocket *qtest, uint64_t address, unsigned bytes,
                 uint64_t value);

/*
 * Makes an access of any number of bytes, as a device would. The bytes that are
 * read are ignored.
 */
void qtest_read_bytes(LineSocket *qtest, uint64_t address, unsigned bytes);
void qtest_write_bytes(LineSocket *qtest, uint64_t address, const uint8_t *data,
                       unsigned bytes);

/* Accesses I/O ports; @bytes is 1, 2 or 4. */
uint32_t qtest_in(LineSocket *qtest, uint16_t port, unsigned bytes);
void qtest_out(LineSocket *qtest, uint16_t port, unsigned bytes,
               uint32_t value);

#endif
