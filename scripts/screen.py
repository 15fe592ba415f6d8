# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a guest until it reports that its picture is complete, and takes the
picture from QEMU's console with the command screendump. Reads and writes
pictures."""

import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import zlib


def png_chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', check)


def write_png(path, width, height, rows):
    """@rows: R, G, B or R, G, B, A for each pixel. All are stored unchanged,
    or all as differences to the row above, whichever is smaller."""
    kind = 6 if len(rows[0]) == width * 4 else 2
    header = struct.pack('>IIBBBBB', width, height, 8, kind, 0, 0, 0)
    above = [bytes(len(rows[0]))] + rows
    differences = [bytes((a - b) & 255 for a, b in zip(row, up))
                   for row, up in zip(rows, above)]
    pixels = min((zlib.compress(b''.join(how + row for row in lines), 9)
                  for how, lines in ((b'\0', rows), (b'\2', differences))),
                 key=len)
    with open(path, 'wb') as png:
        png.write(b'\x89PNG\r\n\x1a\n' + png_chunk(b'IHDR', header) +
                  png_chunk(b'IDAT', pixels) + png_chunk(b'IEND', b''))


def read_ppm(path):
    """Width, height and rows. QEMU pads rows to words."""
    with open(path, 'rb') as ppm:
        if ppm.readline() != b'P6\n':
            raise ValueError('%s is no picture' % path)
        width, height = (int(n) for n in ppm.readline().split())
        ppm.readline()
        stride = (width * 3 + 3) // 4 * 4
        return width, height, [ppm.read(stride)[:width * 3]
                               for _ in range(height)]


def qmp(path, *commands):
    """Executes commands, each (name, arguments), one after the other."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(30)
        channel.connect(path)
        stream = channel.makefile('rw')
        stream.readline()
        for name, arguments in (('qmp_capabilities', {}),) + commands:
            stream.write(json.dumps({'execute': name,
                                     'arguments': arguments}) + '\n')
            stream.flush()
            answer = json.loads(stream.readline())
            while 'event' in answer:
                answer = json.loads(stream.readline())
            if 'error' in answer:
                raise RuntimeError('%s: %s' % (name, answer['error']['desc']))


def follow(qemu, last, show):
    """Yields lines of the guest's console, up to one that begins with
    @last."""
    lines = []
    for line in qemu.stdout:
        lines.append(line.decode(errors='replace').rstrip())
        show(lines[-1])
        if lines[-1].startswith(last):
            break
    return lines


def run(command, last, timeout, show=lambda line: None, look=lambda: None):
    """Runs QEMU, whose first serial port is its standard output, until the
    guest prints a line that begins with @last, and @look has run as well.
    Returns the lines and the picture, as read_ppm() does, or None if there was
    no such line in time."""
    with tempfile.TemporaryDirectory(prefix='veu-') as folder:
        monitor, ppm = os.path.join(folder, 'qmp'), os.path.join(folder, 'ppm')
        command = command + ['-qmp', 'unix:%s,server=on,wait=off' % monitor]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              start_new_session=True) as qemu:
            timer = threading.Timer(timeout, os.killpg,
                                    (qemu.pid, signal.SIGKILL))
            timer.start()
            try:
                lines = follow(qemu, last, show)
                if not lines or not lines[-1].startswith(last):
                    return lines, None
                look()
                qmp(monitor, ('screendump', {'filename': ppm}), ('quit', {}))
                qemu.wait()
                return lines, read_ppm(ppm)
            finally:
                timer.cancel()
                if qemu.poll() is None:
                    os.killpg(qemu.pid, signal.SIGKILL)
