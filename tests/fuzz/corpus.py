#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Converts the inputs of a fuzzer between one text file and a folder.

Usage: corpus.py pack FOLDER FILE
       corpus.py unpack FILE FOLDER
       corpus.py check FOLDER...

FILE has the suffix .hex and one input a line, as pairs of lowercase hex digits.
Its lines are sorted and differ from each other, so that two versions of a file
can be compared with diff. Lines that start with '#' are comments and stand at
the top; pack keeps those of a FILE that exists.

A folder for a fuzzer has one binary file for each input. unpack names each
after the SHA-1 of its bytes, as libFuzzer does, and removes nothing. pack
omits an empty input, which every fuzzer tries first by itself.

check prints TAP, one point for each .hex file below the folders.
"""

import hashlib
import pathlib
import re
import sys

HEAD = '# SPDX-License-' 'Identifier: GPL-2.0-or-later\n'


def split(text):
    """The comments at the top of a file, and the lines after them."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines)
                  if not line.startswith('#')), len(lines))
    return ''.join(line + '\n' for line in lines[:first]), lines[first:]


def pack(folder, path):
    head = split(path.read_text())[0] if path.exists() else HEAD
    inputs = {file.read_bytes().hex() for file in folder.iterdir()
              if file.is_file()} - {''}
    path.write_text(head + ''.join(line + '\n' for line in sorted(inputs)))


def unpack(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for line in split(path.read_text())[1]:
        data = bytes.fromhex(line)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def problems(path):
    head, lines = split(path.read_text())
    if HEAD[:27] not in head:
        yield 'does not name its licence'
    if not lines:
        yield 'has no input'
    for number, line in enumerate(lines, head.count('\n') + 1):
        if not re.fullmatch('([0-9a-f]{2})+', line):
            yield f'line {number} is not pairs of lowercase hex digits'
    if lines != sorted(set(lines)):
        yield 'lines are not sorted, or one stands twice'


def check(folders):
    files = sorted(file for folder in folders
                   for file in pathlib.Path(folder).rglob('*')
                   if file.is_file())
    print(f'1..{len(files)}')
    for number, path in enumerate(files, 1):
        found = list(problems(path)) if path.suffix == '.hex' else [
            'is not a .hex file']
        print(f'{"not ok" if found else "ok"} {number} - '
              f'{path.parent.name}/{path.name}')
        for problem in found:
            print(f'# {path}: {problem}')


def main(arguments):
    if arguments[:1] == ['--help']:
        print(__doc__)
    elif arguments[:1] == ['check'] and len(arguments) > 1:
        check(arguments[1:])
    elif arguments[:1] == ['pack'] and len(arguments) == 3:
        pack(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
    elif arguments[:1] == ['unpack'] and len(arguments) == 3:
        unpack(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
