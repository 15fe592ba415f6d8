# SPDX-License-Identifier: GPL-2.0-or-later
"""The host's end of a session: the user's input goes to the guest, its output
and its status come back. guest/guest.h describes the frames."""

import fcntl
import os
import select
import signal
import struct
import sys
import termios
import time
import tty

HEADER = struct.Struct('<cI')
FRAME_MAX_BYTES = 4096
ESCAPE = b'\x1d'  # Ctrl-]
# The time that a guest may take to power off after it has sent its status.
LEAVE_SECONDS = 10


def frame(kind, data=b''):
    return HEADER.pack(kind, len(data)) + data


def window():
    """The terminal's rows and columns."""
    rows, columns = struct.unpack('HHHH', fcntl.ioctl(
        1, termios.TIOCGWINSZ, bytes(8)))[:2]
    return struct.pack('<HH', rows, columns)


class Session:
    """One run. @qemu: its process, whose standard output is the kernel's
    console; @channel: a socket, the port's other end."""

    def __init__(self, qemu, channel, terminal):
        self.qemu = qemu
        self.channel = channel
        self.terminal = terminal
        self.status = None
        self.stopped_by = None
        self.received = b''
        self.to_send = b''
        self.wakeup, wakeup_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.wakeup_end = wakeup_end
        self.has_input = True

    # --- What comes from the guest ------------------------------------------

    def take_frame(self, kind, data):
        if kind == b'O':
            write_all(1, data)
        elif kind == b'E':
            write_all(2, data)
        elif kind == b'S' and data:
            self.status = data[0]
            self.has_input = False
            self.to_send += frame(b'L')

    def read_channel(self):
        data = self.channel.recv(1 << 16)
        self.received += data
        while len(self.received) >= HEADER.size:
            kind, size = HEADER.unpack_from(self.received)
            end = HEADER.size + size
            if len(self.received) < end:
                break
            payload = self.received[HEADER.size:end]
            self.received = self.received[end:]
            self.take_frame(kind, payload)
        return bool(data)

    def read_console(self):
        """Shows the kernel's messages until the program has ended. A terminal
        is in raw mode then, a file is not."""
        data = os.read(self.qemu.stdout.fileno(), 1 << 16)
        if self.status is None:
            write_all(2, data if self.terminal else
                      data.replace(b'\r', b''))
        return bool(data)

    # --- What goes to the guest ---------------------------------------------

    def read_input(self):
        data = os.read(0, FRAME_MAX_BYTES)
        if self.terminal and ESCAPE in data:
            self.stop(signal.SIGINT)
        else:
            self.to_send += frame(b'I', data)
        self.has_input = bool(data)

    def send(self):
        done = self.channel.send(self.to_send)
        self.to_send = self.to_send[done:]

    def stop(self, number):
        self.stopped_by = number
        self.qemu.terminate()

    def take_signals(self):
        for number in os.read(self.wakeup, 64):
            if number == signal.SIGWINCH and self.terminal:
                self.to_send += frame(b'W', window())
            elif number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                self.stop(number)

    # --- The whole ----------------------------------------------------------

    def watch_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGWINCH):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(self.wakeup_end, warn_on_full_buffer=False)

    def take_turn(self, open_fds, timeout):
        """Handles what is ready; returns what has ended."""
        # Input waits until earlier input has been sent.
        reading = set(open_fds) | {self.wakeup}
        if self.has_input and not self.to_send:
            reading.add(0)
        writing = [self.channel] if self.to_send and \
            self.channel in open_fds else []
        ready, writable, _ = select.select(reading, writing, [], timeout)
        ended = {fd for fd, handle in ((self.channel, self.read_channel),
                                       (self.qemu.stdout, self.read_console))
                 if fd in ready and not handle()}
        if self.wakeup in ready:
            self.take_signals()
        if 0 in ready and self.has_input:
            self.read_input()
        if writable and self.channel not in ended:
            self.send()
        return ended

    def relay(self):
        """Relays until QEMU has ended; ends a QEMU that does not end with its
        guest."""
        open_fds = {self.channel, self.qemu.stdout}
        deadline = None
        while open_fds:
            if self.status is not None and deadline is None:
                deadline = time.monotonic() + LEAVE_SECONDS
            left = deadline and max(0, deadline - time.monotonic())
            try:
                open_fds -= self.take_turn(open_fds, left)
            except (ConnectionError, BrokenPipeError):
                open_fds.discard(self.channel)
            if left == 0:
                self.qemu.terminate()
                break
        self.qemu.wait()

    def run(self):
        """Returns the program's status, or None."""
        self.watch_signals()
        self.channel.setblocking(False)
        before = None
        if self.terminal:
            before = termios.tcgetattr(0)
            tty.setraw(0)
            self.to_send += frame(b'W', window())
        try:
            self.relay()
        finally:
            if before:
                termios.tcsetattr(0, termios.TCSADRAIN, before)
            if self.qemu.poll() is None:
                self.qemu.kill()
        return self.status


def write_all(fd, data):
    """Writes nothing to a reader that has closed its end, as a program
    would."""
    try:
        while data:
            data = data[os.write(fd, data):]
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), fd)


def is_terminal():
    return os.isatty(0) and os.isatty(1)


def tell(text):
    print('veu-linux: ' + text, file=sys.stderr, flush=True)
