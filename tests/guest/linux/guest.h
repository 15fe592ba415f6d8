/*
 * What the checks of the Linux guest share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_GUEST_H
#define VEU_TESTS_LINUX_GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/client.h"

#define SLOTS        64
#define BUFFER_BYTES 65536
/* Kernels with many checks have more time: "slow=N" of the command line. */
#define TIMEOUT_NS   (5 * VEU_CLIENT_SECOND * slowness())

/* A client with a ring and a buffer. */
typedef struct Client {
    struct veu_client *veu;
    struct veu_client_buffer buffer;
    volatile uint64_t *memory;
} Client;

/* 0, or a negative errno; closed again then. */
int open_client(Client *c);
/* The same, with this process's memory shared; the buffer is part of that. */
int open_svm(Client *c);
void close_client(Client *c);

/* Stores @pattern to @bytes bytes at @address; does not wait. */
void submit_fill(Client *c, uint64_t address, uint64_t pattern, uint32_t bytes);

/* Has the ring wait until *memory is @value; does not wait itself. */
void submit_wait(Client *c, uint64_t value, uint64_t timeout_ns);

/* For all that was submitted: 0, or a negative errno. */
int wait_all(Client *c);

/* What poll() says about the client within @timeout_ms. */
int events_of(Client *c, int timeout_ms);

/* Whether the device can fill the client's buffer. */
bool fills(Client *c, uint64_t pattern);

/* Whether the device has page tables, and the driver uses them. */
bool has_tables(void);

/* How many times as long as others this guest takes, at least 1. */
unsigned slowness(void);

/* Of CLOCK_MONOTONIC. */
uint64_t now_ns(void);

/* The device's registers, which root may map; NULL: not here. */
volatile uint32_t *map_registers(void);
void unmap_registers(volatile uint32_t *registers);

/* A line of the report. */
void check(const char *name, bool good);
void skip(const char *name);
unsigned failures(void);

/* Loads the kernel's own that the boot has chosen. */
void load_kernel_modules(void);
/* errno tells why not. */
bool load_module(void);
bool unload_module(void);
bool write_file(const char *path, const char *text);

/* Takes the driver off the device @name, and gives it back. */
bool unbind_driver(const char *name);
bool bind_driver(const char *name);

/* Returns true if the kernel's log contains @text. */
bool kernel_has_said(const char *text);
/* Prints what it has said of the device. */
void print_kernel_log(void);

/* The name of the device in sysfs: "0000:00:01.0"; NULL: it is not bound. */
const char *bus_name(void);

void check_use(void);
void check_messages(void);
void check_isolation(void);
void check_buffers(void);
void check_kills(void);
void check_windows(void);
void check_threads(void);
void check_waits(void);
void check_halts(void);
void check_poll(void);
void check_debugger(void);
void check_errors(void);
void check_random(unsigned calls);
void check_disturbed(unsigned count);
void check_users(void);
void check_examples(void);
void check_selftest(void);
void check_svm(void);
void check_process(void);
/* What a program does that check_process() has started: its exit status. */
int after_exec(int fd);
void check_map(void);
void check_storm(void);
void check_pages(void);
void check_sparse(void);
void check_pressure(void);
void check_neighbours(void);
void check_long_storm(unsigned seconds);
void check_programs(void);
void check_lies(void);
void check_late(void);
void check_removal(void);
void check_compat(void);
void check_reset(void);
void check_sleep(void);
void check_unbind(void);
void check_failures(void);
void check_leaks(void);
void check_kernel(void);

#endif /* VEU_TESTS_LINUX_GUEST_H */
