#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the places that docs/hacking.md lists for a new instruction,
message, register and so on with the files that contain the name of an existing
one.

Usage: places.py SOURCE-DIR

Prints TAP."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'tools'))
from tap import Tap  # noqa: E402

TITLE = '### The places of an instruction'
COUNTED = '### How many places'
# In the table of these, a name stands for the files of the device.
DEVICE = ('hw/', 'include/')
# Folders in which places are searched; data and generated files have none.
FOLDERS = ['docs', 'firmware', 'hw', 'include', 'plugin', 'scripts', 'tests',
           'tools']
IGNORED = ['docs/hacking.md', 'tests/data', 'tests/fuzz/dictionary']


def section(text, title):
    """Returns the text up to the next title."""
    body = text[text.index(title) + len(title):]
    return body[:re.search(r'^#', body, re.M).start()]


def paths_of(cells):
    """Paths in cells; a bare name is in the folder of the path before it."""
    paths = []
    for path in re.findall(r'`([^`]+)`', ' '.join(cells)):
        if '/' not in path:
            path = f'{paths[-1].rsplit("/", 1)[0]}/{path}'
        paths.append(path)
    return paths


def listed(body):
    """Paths in the first column of the first table."""
    table = body[body.index('\n| '):]
    return paths_of(re.findall(r'^\| (`.*?) \|', table[:table.index('\n\n')],
                               re.M))


def counted(body):
    """(what, example, paths) of each row."""
    for what, example, cell in re.findall(
            r'^\| ([^|]+) \| `([^`|]+)` \| ([^|]+) \|$', body, re.M):
        yield what, example, paths_of([cell])


def found(source, name):
    """Yields files that contain the name, also as a part of another:
    VEU_X_NAME."""
    name = re.sub('[-_]', '[-_]', name)
    word = re.compile(rf'(?<![a-z0-9]){name}(?![a-z0-9])', re.I)
    for folder in FOLDERS:
        for file in sorted((source / folder).rglob('*')):
            path = file.relative_to(source).as_posix()
            if (file.is_file() and not path.startswith(tuple(IGNORED)) and
                    '__pycache__' not in path and
                    word.search(file.read_text('utf-8', 'replace'))):
                yield path


def hold(tap, what, places, files):
    tap.equal(f'all places of {what} are listed',
              [file for file in files if file not in places], [])
    tap.equal(f'all that are listed have {what}',
              [place for place in places if place not in files], [])


def main():
    tap = Tap()
    source = pathlib.Path(sys.argv[1])
    text = (source / 'docs/hacking.md').read_text('utf-8')
    body = section(text, TITLE)
    name = re.search(r'`(\w+)` is an example to follow', body)[1]
    files = list(found(source, name))
    hold(tap, name, listed(body), files)
    tap.equal('three files of the device',
              len([file for file in files if file.startswith('hw/')]), 3)
    rows = list(counted(section(text, COUNTED)))
    tap.equal('six kinds of things are counted', len(rows), 6)
    for what, example, places in rows:
        hold(tap, f'{what}, {example},', places,
             [file for file in found(source, example)
              if file.startswith(DEVICE)])
    return tap.done()


sys.exit(main())
