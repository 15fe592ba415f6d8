#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that a function is in the source with the name of its header, and
that no two folders have functions of the same name.

Usage: homes.py SOURCE-DIR

Functions that the rows of a table name, such as the executors of messages, do
not count: they are declared together, and their sources are named by messages.
Headers for hosts, which are named by the tasks of hosts, do not count either.

Prints TAP."""

import collections
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'tools'))
from tap import Tap  # noqa: E402

# The minimum percentage of the functions of a folder that are at home. It may
# only rise.
LEAST = {'eu': 93, 'device': 99, 'qemu': 92, 'capture': 94, 'debug': 100}
# Rows of the message table.
BY_ROWS = re.compile(r'veu_(execute|fast|slm)_(?!by_rules|fast$)\w+')
# The prefix of each folder's functions. The device and the guest library, whose
# names are an interface for guests, share one, but have no name in common.
PREFIXES = {'hw/veu': 'veu_', 'firmware/lib': 'veu_',
            'firmware/linux/module': 'kveu_',
            'firmware/linux/lib': ('veu_client_', 'veu_port_')}
FUNCTION = re.compile(r'^(?!static|typedef|extern|return)[A-Za-z_][\w \n]*?'
                      r'[\s*](k?veu_\w+)\(', re.M)


def functions(path):
    """(name, True if it is defined) of what is not static in a file."""
    text = re.sub(r'/\*.*?\*/', '', path.read_text('utf-8'), flags=re.S)
    for match in FUNCTION.finditer(text):
        at, depth = match.end(), 1
        while depth and at < len(text):
            depth += {'(': 1, ')': -1}.get(text[at], 0)
            at += 1
        after = text[at:].lstrip()[:1]
        if after in (';', '{'):
            yield match[1], after == '{'


def homes(source):
    """{folder: [functions, [those that are not at home]]}"""
    declared, defined = {}, {}
    for path in sorted((source / 'hw/veu').rglob('*.[ch]')):
        for name, is_defined in functions(path):
            if path.suffix == '.c' and is_defined:
                defined[name] = path
            elif path.suffix == '.h' and not is_defined:
                declared[name] = path
    folders = collections.defaultdict(lambda: [0, []])
    for name, header in declared.items():
        if (name in defined and 'host' != header.parent.name and
                not BY_ROWS.fullmatch(name)):
            folder = folders[header.relative_to(source / 'hw/veu').parts[0]]
            folder[0] += 1
            if defined[name].stem != header.stem:
                folder[1].append(f'{header.name} has {name} of '
                                 f'{defined[name].name}')
    return folders


def names(source, folder):
    return {name for path in (source / folder).rglob('*.c')
            for name, is_defined in functions(path) if is_defined}


def main():
    tap = Tap()
    source = pathlib.Path(sys.argv[1])
    folders = homes(source)
    for folder, least in LEAST.items():
        count, away = folders[folder]
        share = 100 * (count - len(away)) // count if count else 0
        tap.equal(f'{folder}: {least} % of functions are at home',
                  away if share < least else [], [])
        tap.equal(f'{folder}: the figure is the one that was reached',
                  max(share, least), least)
    found = {folder: names(source, folder) for folder in PREFIXES}
    for folder, prefix in PREFIXES.items():
        tap.equal(f'{folder}: functions begin with {prefix}',
                  sorted(name for name in found[folder]
                         if not name.startswith(prefix)), [])
    count = collections.Counter(itertools.chain.from_iterable(found.values()))
    tap.equal('folders have names of their own',
              {name for name in count if count[name] > 1}, set())
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
