#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints which parts of hw/veu were run: coverage_report.py [--missed]
EXPORT.json

EXPORT.json is what "llvm-cov export" prints. For each file and each folder, the
lines and branches, and how many of them were reached; a condition has two
branches. --missed also lists the branches that were not, as LINE:COLUMN of a
condition that was never true, or never false, or was not evaluated.
"""
import argparse
import collections
import json
import os


def percent(reached, count):
    return '%6.1f %%' % (100 * reached / count) if count else '       -'


def row(name, lines, branches):
    print('%-40s %5d/%5d %s  %5d/%5d %s' %
          (name, *lines, percent(*lines), *branches, percent(*branches)))


def sides(file):
    """Returns for each condition how often it was true, and false."""
    counts = collections.defaultdict(lambda: [0, 0])
    for line, column, _, _, was_true, was_false, *_ in file['branches']:
        counts[line, column][0] += was_true
        counts[line, column][1] += was_false
    return counts


def missed(file):
    words = {(False, False): 'not evaluated', (True, False): 'never false',
             (False, True): 'never true'}
    for (line, column), (was_true, was_false) in sorted(sides(file).items()):
        if not (was_true and was_false):
            yield '%d:%d %s' % (line, column,
                                words[bool(was_true), bool(was_false)])


def report(files, show_missed):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, file in sorted(files.items()):
        counts = [file['summary'][kind][key] for kind in ('lines', 'branches')
                  for key in ('covered', 'count')]
        row(name, counts[:2], counts[2:])
        for text in missed(file) if show_missed else []:
            print('    ' + text)
        for folder in (os.path.dirname(name), 'hw/veu'):
            sums[folder] = [a + b for a, b in zip(sums[folder], counts)]
    total = sums.pop('hw/veu')
    for folder, counts in sorted(sums.items()):
        row(folder, counts[:2], counts[2:])
    row('hw/veu', total[:2], total[2:])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--missed', action='store_true')
    parser.add_argument('export')
    args = parser.parse_args()
    with open(args.export, encoding='utf-8') as text:
        files = json.load(text)['data'][0]['files']
    print('%-40s %20s  %20s' % ('', 'lines', 'branches'))
    report({file['filename'][file['filename'].index('hw/veu/'):]: file
            for file in files if '/hw/veu/' in file['filename']},
           args.missed)


if __name__ == '__main__':
    main()
