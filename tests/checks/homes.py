#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A function is in the source that has the name of its header, and no two rooms
have a function of one name.

Usage: homes.py SOURCE-DIR

Functions that a table calls by its rows, as the executors of messages, are
declared together and have homes by their messages: they do not count, and
neither do headers for hosts, which are by what hosts do.

Prints TAP."""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'tools'))
from tap import Tap  # noqa: E402

# The minimum percentage of a room's functions that are at home. It may only
# rise.
LEAST = {'eu': 90, 'device': 99, 'qemu': 91, 'capture': 93}
# Rows of the message table.
BY_ROWS = re.compile(r'veu_(execute|fast|slm)_(?!by_rules|fast$)\w+')
# Rooms whose functions have names of their own.
ROOMS = ['hw/veu', 'firmware/lib', 'firmware/linux/module']
# Names that two rooms have. The list may only shrink.
SHARED = {
    ('hw/veu', 'firmware/lib'): {
        'veu_ring_reload', 'veu_ring_start', 'veu_scanout_flip',
        'veu_surface_image'},
    ('hw/veu', 'firmware/linux/module'): {
        'veu_poll', 'veu_ring_reload', 'veu_ring_reset', 'veu_ring_start'},
    ('firmware/lib', 'firmware/linux/module'): {
        'veu_ring_reload', 'veu_ring_start', 'veu_ring_stop',
        'veu_ring_submit', 'veu_ring_wait', 'veu_space_entry'},
}
FUNCTION = re.compile(r'^(?!static|typedef|extern|return)[A-Za-z_][\w \n]*?'
                      r'[\s*](veu_\w+)\(', re.M)


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
    """{room: [functions, [those that are not at home]]}"""
    declared, defined = {}, {}
    for path in sorted((source / 'hw/veu').rglob('*.[ch]')):
        for name, is_defined in functions(path):
            if path.suffix == '.c' and is_defined:
                defined[name] = path
            elif path.suffix == '.h' and not is_defined:
                declared[name] = path
    rooms = collections.defaultdict(lambda: [0, []])
    for name, header in declared.items():
        if (name in defined and 'host' != header.parent.name and
                not BY_ROWS.fullmatch(name)):
            room = rooms[header.relative_to(source / 'hw/veu').parts[0]]
            room[0] += 1
            if defined[name].stem != header.stem:
                room[1].append(f'{header.name} has {name} of '
                               f'{defined[name].name}')
    return rooms


def names(source, room):
    return {name for path in (source / room).rglob('*.c')
            for name, is_defined in functions(path) if is_defined}


def main():
    tap = Tap()
    source = pathlib.Path(sys.argv[1])
    rooms = homes(source)
    for room, least in LEAST.items():
        count, away = rooms[room]
        share = 100 * (count - len(away)) // count if count else 0
        tap.equal(f'{room}: {least} % of functions are at home',
                  away if share < least else [], [])
        tap.equal(f'{room}: the figure is the one that was reached',
                  max(share, least), least)
    found = {room: names(source, room) for room in ROOMS}
    for (first, second), shared in SHARED.items():
        tap.equal(f'{first} and {second}: names of their own',
                  sorted(found[first] & found[second]), sorted(shared))
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
