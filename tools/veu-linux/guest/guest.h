/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first process of veu-linux's guest.
 *
 * The host passes files in the initial file system, in /veu: lists of
 * zero-terminated strings. The program's input, output and exit status travel
 * through a port of a virtio console as frames: a byte for the kind (enum
 * Frame), four bytes for the size of the data, lowest first, and the data.
 */
#ifndef VEU_LINUX_GUEST_H
#define VEU_LINUX_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX_BYTES 4096

enum Frame {
    /* from the host */
    FRAME_INPUT = 'I',  /* standard input; without data: end of input */
    FRAME_WINDOW = 'W', /* two words of 16 bits: rows and columns */
    FRAME_LEAVE = 'L',  /* the status has arrived: turn off */
    /* from the guest */
    FRAME_OUTPUT = 'O', /* standard output, or the terminal's */
    FRAME_ERROR = 'E',  /* standard error */
    FRAME_STATUS = 'S', /* one byte: the exit status */
};

/*
 * The strings of a file in /veu, ending with NULL; empty if there is no file.
 */
char **read_list(const char *path);

/* The channel to the host. */

/* Waits for the port and opens it. Returns its descriptor, or -1. */
int channel_open(void);
void channel_send(enum Frame kind, const void *data, size_t bytes);
/* Prints a line for the user on standard error: "veu-linux: ...". */
__attribute__((format(printf, 1, 2))) void channel_say(const char *format, ...);
/*
 * Reads what has arrived. Returns the kind of the next complete frame and its
 * data, which are valid until the next call; 0 if there is none yet, or -1 if
 * the host has gone.
 */
int channel_receive(const uint8_t **data, size_t *bytes);
/* Returns true if channel_receive() may have a frame without reading. */
bool channel_pending(void);

/* The system. */

/*
 * Mounts the file systems that Linux itself provides below @root ("" or a
 * folder).
 */
void mount_kernel_files(const char *root);
/*
 * Loads the modules of the list, in order. Returns false with errno set if the
 * last one, which is the driver, did not load.
 */
bool load_modules(char **paths);
/*
 * Makes the host's files the root. They can be read and written, but writes
 * stay in memory and disappear with the guest, except in @folder, which is the
 * host's own. Returns what has failed, or NULL.
 */
const char *enter_host_root(const char *folder);
/*
 * Creates /lib/modules/VERSION as "make" and modprobe expect it, if the host
 * has none, from a folder with modules and one with headers; "" for none.
 */
void link_modules(const char *modules, const char *headers);

/*
 * Runs a program, with or without a terminal. Returns its exit status as a
 * shell would, or -1 if the host has gone.
 */
int run_session(char **arguments, char **environment, const char *folder,
                bool terminal);

#endif /* VEU_LINUX_GUEST_H */
