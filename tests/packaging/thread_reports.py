#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what ThreadSanitizer reports of the device in its logs of a QEMU.

Usage: thread_reports.py EXCEPTIONS FILE...

A report counts if a stack of an access, of a lock or of a free has a frame in
hw/veu. Where a thread, a lock or memory was created does not matter: QEMU's
code uses them, too. Reports of QEMU alone are only counted, and so are those
that EXCEPTIONS, a file such as thread_exceptions.txt, describes, and races of
two accesses under one lock: ThreadSanitizer loses the order that QEMU's big
lock makes once a coroutine has run while the main loop held it.

Prints a report of each kind that counts, and how often each kind occurred.
Exits with 1 if a report counts."""

import collections
import re
import sys

DEVICE = 'hw/veu/'
# What ends the folder of QEMU's source: scripts/qemu-source.
TREE = '-whole/'
# Headings of stacks that do not count.
CREATED = re.compile(r'\bcreated\b|^Location is|^As if synchronized|^Hint:')
FRAME = re.compile(r'\s+#\d+ (?P<function>\S+) (?P<place>\S+)( \(.*\))?$')
# memcpy() and others, as ThreadSanitizer has them
OWN = 'libsanitizer/'
# Headings of the two accesses of a race.
ACCESS = re.compile(r'^  .*(?:[Rr]ead|[Ww]rite) of size .*$', re.MULTILINE)
TITLE = re.compile(r'(?:WARNING|ERROR|FATAL): ThreadSanitizer: '
                   r'(.*?)(?: \(pid=\d+\))?$', re.MULTILINE)


def read_exceptions(path):
    """Lists of functions, from the innermost on."""
    with open(path, encoding='utf-8') as file:
        lines = [line.strip() for line in file]
    return [line.split() for line in lines if line and line[0] != '#']


def reports(path):
    """Texts of the reports in a log."""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    return [part for part in re.split(r'^={18}$', text, flags=re.MULTILINE)
            if TITLE.search(part)]


def stacks(report):
    """Frames, as matches, of each stack that counts."""
    for paragraph in report.split('\n\n'):
        lines = paragraph.strip('\n').split('\n')
        frames = [match for match in map(FRAME.match, lines) if match]
        headings = [line.strip() for line in lines if not FRAME.match(line)]
        if frames and headings and not CREATED.search(headings[-1]):
            yield [f for f in frames if OWN not in f['place']] or frames


def is_of_device(report):
    return any(DEVICE in frame['place'] for frames in stacks(report)
               for frame in frames)


def is_false(report, exception):
    """Returns true if a stack begins with these functions."""
    return any([frame['function'] for frame in frames[:len(exception)]] ==
               exception for frames in stacks(report))


def have_one_lock(report):
    """Returns true if both accesses of a race hold the same lock."""
    locks = [set(re.findall(r'write (M\d+)', text))
             for text in ACCESS.findall(report)]
    return len(locks) == 2 and bool(locks[0] & locks[1])


def reason_of(report, exceptions):
    """Returns why the report is false, or None."""
    if have_one_lock(report):
        return 'two accesses under one lock'
    found = (e for e in exceptions if is_false(report, e))
    return next((' '.join(exception) for exception in found), None)


def kind_of(report):
    """What it is about and where, without addresses."""
    places = [f'{frames[0]["function"]} ' +
              frames[0]['place'].rpartition(TREE)[2]
              for frames in stacks(report)]
    return ', '.join([TITLE.search(report)[1], *sorted(places)])


def main():
    exceptions = read_exceptions(sys.argv[1])
    kinds = collections.Counter()
    false = collections.Counter()
    texts = {}
    others = 0
    for path in sys.argv[2:]:
        for report in reports(path):
            reason = reason_of(report, exceptions)
            if not is_of_device(report):
                others += 1
            elif reason:
                false[reason] += 1
            else:
                kinds[kind_of(report)] += 1
                texts.setdefault(kind_of(report), report)
    for text in texts.values():
        print(text.strip() + '\n')
    for kind, count in kinds.most_common():
        print(f'{count:5} {kind}')
    for kind, count in false.most_common():
        print(f'{count:5} false: {kind}')
    print(f'{others:5} without the device')
    return 1 if kinds else 0


if __name__ == '__main__':
    sys.exit(main())
