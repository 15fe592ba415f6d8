#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints which parts of hw/veu were run: coverage_report.py [--lines]
OBJECT-DIR...

For each file its lines and branches, and how many of them were reached; with
--lines also which lines were not. A line of a header, or of a function that is
compiled several times, counts once: it is reached if one copy of it is.
"""
import collections
import json
import pathlib
import subprocess
import sys


class File:
    def __init__(self):
        self.lines = collections.Counter()
        self.branches = collections.Counter()

    def add(self, line):
        number = line['line_number']
        self.lines[number] += line['count']
        for i, branch in enumerate(line['branches']):
            if not branch['throw']:
                self.branches[number, i] += branch['count']

    def missed(self):
        return sorted(n for n, count in self.lines.items() if not count)


def reached(counts):
    return sum(1 for count in counts.values() if count), len(counts)


def percent(pair):
    return '%6.1f %%' % (100 * pair[0] / pair[1]) if pair[1] else '       -'


def read(directory, files):
    data = sorted(pathlib.Path(directory).resolve().glob('*.gcda'))
    out = subprocess.run(['gcov', '--json-format', '--stdout',
                          '--branch-probabilities', *map(str, data)],
                         check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True).stdout
    for text in out.splitlines():
        for source in json.loads(text)['files']:
            at = source['file'].find('hw/veu/')
            if at >= 0:
                for line in source['lines']:
                    files[source['file'][at:]].add(line)


def row(name, lines, branches):
    print('%-40s %5d/%5d %s  %5d/%5d %s' %
          (name, *lines, percent(lines), *branches, percent(branches)))


def report(files, show_lines):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, file in sorted(files.items()):
        lines, branches = reached(file.lines), reached(file.branches)
        row(name, lines, branches)
        if show_lines and file.missed():
            print('    not reached:', *file.missed())
        folder = name.rsplit('/', 1)[0]
        sums[folder] = [a + b for a, b in
                        zip(sums[folder], (*lines, *branches))]
    for folder, total in sorted(sums.items()):
        row(folder, total[:2], total[2:])
    total = [sum(column) for column in zip(*sums.values())]
    row('hw/veu', total[:2], total[2:])


def main():
    files = collections.defaultdict(File)
    for directory in [arg for arg in sys.argv[1:] if arg != '--lines']:
        read(directory, files)
    print('%-40s %20s  %20s' % ('', 'lines', 'branches'))
    report(files, '--lines' in sys.argv)


if __name__ == '__main__':
    main()
