/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first process of veu-linux's guest.
 *
 * The host hands over files in the initial file system, in /veu: lists of
 * strings that end with a zero byte each. The program's input and output, and
 * how it has ended, travel through a port of a virtio console, as frames: a
 * byte that says what it is (enum Frame), four with the size of the data,
 * lowest first, the data.
 */
#ifndef VEU_LINUX_GUEST_H
#define VEU_LINUX_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX_BYTES 4096

enum Frame {
    /* from the host */
    FRAME_INPUT = 'I',  /* standard input; without data: its end */
    FRAME_WINDOW = 'W', /* two words of 16 bits: rows and columns */
    FRAME_LEAVE = 'L',  /* the status has arrived: turn off */
    /* from the guest */
    FRAME_OUTPUT = 'O', /* standard output, or the terminal's */
    FRAME_ERROR = 'E',  /* standard error */
    FRAME_STATUS = 'S', /* a byte: the exit status */
};

/* The strings of a file in /veu, and NULL; empty where there is no file. */
char **read_list(const char *path);

/* The channel to the host. */

/* Waits for the port, and opens it; returns its descriptor, or -1. */
int channel_open(void);
void channel_send(enum Frame kind, const void *data, size_t bytes);
/* A line for the user, on standard error: "veu-linux: ...". */
__attribute__((format(printf, 1, 2))) void channel_say(const char *format, ...);
/*
 * Reads what has come. Returns the kind of the next whole frame, and its data,
 * which are valid until the next call; 0 if there is none yet, -1 if the host
 * has gone.
 */
int channel_receive(const uint8_t **data, size_t *bytes);
/* Whether channel_receive() may have a frame without reading. */
bool channel_pending(void);

/* The system. */

/* Mounts what Linux itself provides, below @root ("" or a folder). */
void mount_kernel_files(const char *root);
/* Loads the modules of the list, in its order. False: the last of them, which
 * is the driver, did not load; errno says why. */
bool load_modules(char **paths);
/*
 * Makes the host's files the root: they can be read, and written, but what is
 * written is kept in memory and gone with the guest; all but @folder, which is
 * the host's own. Returns what has failed, or NULL.
 */
const char *enter_host_root(const char *folder);
/* Makes /lib/modules/VERSION as "make" and modprobe expect it, where the host
 * has none: of a folder with modules and one with headers; "" for none. */
void link_modules(const char *modules, const char *headers);

/* Runs a program, with a terminal or without; returns its exit status, as a
 * shell says it, or -1 if the host has gone. */
int run_session(char **arguments, char **environment, const char *folder,
                bool terminal);

#endif /* VEU_LINUX_GUEST_H */
