#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the places of an instruction that docs/hacking.md lists against the
files in which the name of one instruction stands.

Usage: places.py SOURCE-DIR

Prints TAP."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'tools'))
from tap import Tap  # noqa: E402

TITLE = '### The places of an instruction'
# Where places are looked for; data and what is generated have none.
FOLDERS = ['docs', 'firmware', 'hw', 'include', 'plugin', 'scripts', 'tests',
           'tools']
IGNORED = ['docs/hacking.md', 'tests/data', 'tests/fuzz/dictionary']


def section(text):
    """Text up to the next title, and the name of the example in it."""
    body = text[text.index(TITLE) + len(TITLE):]
    body = body[:re.search(r'^#', body, re.M).start()]
    return body, re.search(r'`(\w+)` is one to follow', body)[1]


def listed(body):
    """Paths in the first column of the first table; a name without a folder
    has the one of the path before."""
    table = body[body.index('\n| '):]
    paths = []
    for row in re.findall(r'^\| (`.*?) \|', table[:table.index('\n\n')], re.M):
        for path in re.findall(r'`([^`]+)`', row):
            if '/' not in path:
                path = f'{paths[-1].rsplit("/", 1)[0]}/{path}'
            paths.append(path)
    return paths


def found(source, name):
    """Files that have the name, also as a part of another: VEU_X_NAME."""
    word = re.compile(rf'(?<![a-z0-9]){name}(?![a-z0-9])', re.I)
    for folder in FOLDERS:
        for file in sorted((source / folder).rglob('*')):
            path = file.relative_to(source).as_posix()
            if (file.is_file() and not path.startswith(tuple(IGNORED)) and
                    '__pycache__' not in path and
                    word.search(file.read_text('utf-8', 'replace'))):
                yield path


def main():
    tap = Tap()
    source = pathlib.Path(sys.argv[1])
    body, name = section((source / 'docs/hacking.md').read_text('utf-8'))
    places = listed(body)
    files = list(found(source, name))
    tap.equal(f'all places of {name} are listed',
              [file for file in files if file not in places], [])
    tap.equal(f'all that are listed have {name}',
              [place for place in places if place not in files], [])
    tap.equal('three files of the device',
              len([file for file in files if file.startswith('hw/')]), 3)
    return tap.done()


sys.exit(main())
