# SPDX-License-Identifier: GPL-2.0-or-later
"""The archive that a kernel unpacks as its first file system: cpio's format
"newc", as the kernel's Documentation/driver-api/early-userspace describes
it."""

import gzip


def entry(name, mode, data=b'', device=(0, 0)):
    """One file of the archive. @mode: type and permissions, as in stat()."""
    name = name.encode() + b'\0'
    fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0]
    head = b'070701' + b''.join(b'%08x' % f for f in fields) + name
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def folder(name):
    return entry(name, 0o40755)


def program(name, data):
    return entry(name, 0o100755, data)


def file(name, data):
    return entry(name, 0o100644, data)


def console():
    """/dev/console, which the kernel opens before /dev is mounted."""
    return entry('dev/console', 0o20600, device=(5, 1))


def archive(entries):
    """The whole, compressed: a kernel loads less of it in less time."""
    return gzip.compress(b''.join(entries) + entry('TRAILER!!!', 0), 1)
