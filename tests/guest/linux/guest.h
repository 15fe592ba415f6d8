/*
 * The common code of the checks of the Linux guest.
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
/* Kernels with many checks get more time: "slow=N" of the command line. */
#define TIMEOUT_NS   (5 * VEU_CLIENT_SECOND * slowness())

/* A client with a ring and a buffer. */
typedef struct Client {
    struct veu_client *veu;
    struct veu_client_buffer buffer;
    volatile uint64_t *memory;
} Client;

/* Returns 0, or a negative errno and a closed client. */
int open_client(Client *c);
/*
 * Like open_client(), with this process's memory shared, including the buffer.
 */
int open_svm(Client *c);
/* Opens a client without a buffer, whose ring skips commands that fault. */
void open_skipping(Client *c);
void close_client(Client *c);

/* Calls the driver without the library; returns 0, or a negative errno. */
int call_driver(int fd, unsigned long request, void *argument);
/* Stores any tail; returns 0, or a negative errno. */
int submit_tail(int fd, uint32_t tail);

/* Stores @pattern to @bytes bytes at @address; does not wait. */
void submit_fill(Client *c, uint64_t address, uint64_t pattern, uint32_t bytes);

/* Makes the ring wait until *memory is @value; does not wait itself. */
void submit_wait(Client *c, uint64_t value, uint64_t timeout_ns);

/* Waits for all submitted commands; returns 0, or a negative errno. */
int wait_all(Client *c);

/* Returns the events of the client that poll() reports within @timeout_ms. */
int events_of(Client *c, int timeout_ms);

/* Returns true if the device can fill the client's buffer. */
bool fills(Client *c, uint64_t pattern);

/* Returns true if the device has page tables, and the driver uses them. */
bool has_tables(void);

/* Returns true if the device has vectors. */
bool has_interrupts(Client *c);

/* The factor by which this guest is slower than others, at least 1. */
unsigned slowness(void);

/* Returns CLOCK_MONOTONIC. */
uint64_t now_ns(void);

/*
 * Maps the device's registers, as root may; returns NULL if that is impossible.
 */
volatile uint32_t *map_registers(void);
void unmap_registers(volatile uint32_t *registers);

/* Prints a line of the report. */
void check(const char *name, bool good);
void skip(const char *name);
unsigned failures(void);

/* Loads the kernel's own modules that the boot has selected. */
void load_kernel_modules(void);
/* On failure, errno has the reason. */
bool load_module(void);
/* Waits for files that are still being closed. */
bool unload_module(void);
bool write_file(const char *path, const char *text);

/* Unbinds the driver from the device @name, and binds it again. */
bool unbind_driver(const char *name);
bool bind_driver(const char *name);

/* Returns true if the kernel's log contains @text. */
bool kernel_has_said(const char *text);

/*
 * Returns true if it has printed a warning, except of locks that are taken in
 * two orders: of those, known_reports.py allows one.
 */
bool kernel_has_warned(void);
/* Prints the kernel's messages about the device. */
void print_kernel_log(void);

/*
 * Returns the name of the device in sysfs, such as "0000:00:01.0", or NULL if
 * it is not bound.
 */
const char *bus_name(void);
/*
 * Returns the path of the file that resets the device's function; some buses
 * have none.
 */
const char *reset_path(void);

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
void check_interface(void);
void check_library(void);
void check_random(unsigned calls);
void check_disturbed(unsigned count);
void check_users(void);
void check_examples(void);
void check_selftest(void);
void check_svm(void);
void check_process(void);
/*
 * The work of a program that check_process() has started; returns its exit
 * status.
 */
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
