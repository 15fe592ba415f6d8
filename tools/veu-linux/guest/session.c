/*
 * A program, with its input and output through the channel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

/* As shells have it. */
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127
#define STATUS_SIGNAL         128

/* Descriptors, or -1; with a terminal, input and output are the same. */
typedef struct Session {
    pid_t pid;
    int port;
    int children; /* SIGCHLD comes here */
    int input;
    int output;
    int error;
    bool terminal;
    /* The part of the newest input frame that the program has not taken. */
    const uint8_t *pending;
    size_t pending_bytes;
    int status; /* -1: it runs */
    bool host_gone;
} Session;

/* --- The start ------------------------------------------------------------ */

static void execute(char **arguments, char **environment, const char *folder)
{
    int error;

    environ = environment;
    if (chdir(folder)) {
        fprintf(stderr, "veu-linux: %s: %s\n", folder, strerror(errno));
        _exit(STATUS_NOT_EXECUTABLE);
    }
    execvp(arguments[0], arguments);
    error = errno;
    fprintf(stderr, "veu-linux: %s: %s\n", arguments[0], strerror(error));
    _exit(error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/* In the child: sets three descriptors, and restores the default signals. */
static void become(int input, int output, int error)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    dup2(input, 0);
    dup2(output, 1);
    dup2(error, 2);
}

static bool start_with_pipes(Session *s, char **arguments, char **environment,
                             const char *folder)
{
    int in[2], out[2], error[2];

    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) ||
        pipe2(error, O_CLOEXEC)) {
        return false;
    }
    s->pid = fork();
    if (!s->pid) {
        become(in[0], out[1], error[1]);
        execute(arguments, environment, folder);
    }
    close(in[0]);
    close(out[1]);
    close(error[1]);
    s->input = in[1];
    s->output = out[0];
    s->error = error[0];
    return s->pid > 0;
}

static bool start_with_terminal(Session *s, char **arguments,
                                char **environment, const char *folder)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), fd;

    if (master < 0 || grantpt(master) || unlockpt(master)) {
        return false;
    }
    s->pid = fork();
    if (!s->pid) {
        fd = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
        become(fd, fd, fd);
        ioctl(0, TIOCSCTTY, 0);
        execute(arguments, environment, folder);
    }
    s->input = s->output = master;
    s->error = -1;
    return s->pid > 0;
}

/* --- While it runs -------------------------------------------------------- */

static void set_window(Session *s, const uint8_t *data, size_t bytes)
{
    struct winsize size = { 0 };

    if (s->terminal && bytes == 4) {
        size.ws_row = data[0] | data[1] << 8;
        size.ws_col = data[2] | data[3] << 8;
        ioctl(s->input, TIOCSWINSZ, &size);
    }
}

static void end_input(Session *s)
{
    static const uint8_t end_of_file[] = { 4 }; /* Ctrl-D */

    if (s->terminal) {
        s->pending = end_of_file;
        s->pending_bytes = 1;
    } else if (s->input >= 0) {
        close(s->input);
        s->input = -1;
    }
}

static void take_frame(Session *s)
{
    const uint8_t *data;
    size_t bytes;
    int kind = channel_receive(&data, &bytes);

    if (kind < 0) {
        s->host_gone = true;
    } else if (kind == FRAME_WINDOW) {
        set_window(s, data, bytes);
    } else if (kind == FRAME_INPUT && !bytes) {
        end_input(s);
    } else if (kind == FRAME_INPUT && s->input >= 0) {
        s->pending = data;
        s->pending_bytes = bytes;
    }
}

static void give_input(Session *s)
{
    ssize_t done = write(s->input, s->pending, s->pending_bytes);

    if (done > 0) {
        s->pending += done;
        s->pending_bytes -= done;
    } else if (done < 0 && errno != EAGAIN && errno != EINTR) {
        /* The program has closed its input, so further input is dropped. */
        s->pending_bytes = 0;
        if (!s->terminal) {
            close(s->input);
            s->input = -1;
        }
    }
}

/* Returns false if there is no output now, or will be no more. */
static bool take_output(int *fd, enum Frame kind)
{
    uint8_t data[FRAME_MAX_BYTES];
    ssize_t got = *fd < 0 ? -1 : read(*fd, data, sizeof(data));

    if (got > 0) {
        channel_send(kind, data, got);
        return true;
    }
    if (*fd >= 0 && (!got || (errno != EAGAIN && errno != EINTR))) {
        *fd = -1;
    }
    return false;
}

/* The first process also inherits orphans. */
static void take_children(Session *s)
{
    struct signalfd_siginfo info;
    int status;

    if (read(s->children, &info, sizeof(info)) < 0 && errno != EAGAIN) {
        return;
    }
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid == s->pid) {
            s->status = WIFEXITED(status) ? WEXITSTATUS(status) :
                                            STATUS_SIGNAL + WTERMSIG(status);
        }
    }
}

static void take_turn(Session *s)
{
    struct pollfd fds[] = {
        { .fd = s->pending_bytes ? -1 : s->port, .events = POLLIN },
        { .fd = s->pending_bytes ? s->input : -1, .events = POLLOUT },
        { .fd = s->output, .events = POLLIN },
        { .fd = s->error, .events = POLLIN },
        { .fd = s->children, .events = POLLIN },
    };
    bool ready = !s->pending_bytes && channel_pending();

    poll(fds, 5, ready ? 0 : -1);
    if (ready || fds[0].revents) {
        take_frame(s);
    }
    if (fds[1].revents) {
        give_input(s);
    }
    if (fds[2].revents) {
        take_output(&s->output, FRAME_OUTPUT);
    }
    if (fds[3].revents) {
        take_output(&s->error, FRAME_ERROR);
    }
    if (fds[4].revents) {
        take_children(s);
    }
}

/* Without this, a program that reads slowly would block its own output. */
static void do_not_block(int fd)
{
    if (fd >= 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
}

int run_session(char **arguments, char **environment, const char *folder,
                bool terminal)
{
    Session s = { .port = channel_open(), .terminal = terminal, .status = -1 };
    sigset_t children;

    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    s.children = signalfd(-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
    if (terminal ? !start_with_terminal(&s, arguments, environment, folder) :
                   !start_with_pipes(&s, arguments, environment, folder)) {
        channel_say("cannot start %s: %s", arguments[0], strerror(errno));
        return STATUS_NOT_EXECUTABLE;
    }
    signal(SIGPIPE, SIG_IGN);
    do_not_block(s.input);
    do_not_block(s.output);
    do_not_block(s.error);
    while (s.status < 0 && !s.host_gone) {
        take_turn(&s);
    }
    while (take_output(&s.output, FRAME_OUTPUT) ||
           take_output(&s.error, FRAME_ERROR)) {}
    return s.host_gone ? -1 : s.status;
}
