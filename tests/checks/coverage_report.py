#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints which parts of hw/veu were run: coverage_report.py [--missed]
[--folders] EXPORT.json

EXPORT.json is what "llvm-cov export" prints. For each file and each folder, the
lines and branches, and how many of them were reached; a condition has two
branches. --missed also lists the branches that were not, as LINE:COLUMN of a
condition that was never true, or never false, or was not evaluated. --folders
prints folders only. On a processor without AVX-512, files that only such
processors execute are left out. The exit status is 1 if all of hw/veu, as far
as it is in EXPORT.json, has less than LEAST.
"""
import argparse
import collections
import json
import os
import re
import sys

# The least percentages of hw/veu that the tests reach.
LEAST = {'lines': 95, 'branches': 90}
# What only processors with AVX-512 execute.
AVX512 = r'/jit/message_lanes|avx512|handler_vectors'


def has_avx512():
    with open('/proc/cpuinfo', encoding='utf-8') as text:
        return ' avx512dq ' in text.read()


def executed_here(files):
    """Returns the files that this processor executes, and says what is not."""
    if has_avx512():
        return files
    left_out = sorted(name for name in files if re.search(AVX512, name))
    print('left out, as the processor has no AVX-512:', *left_out)
    return {name: files[name] for name in files if name not in left_out}


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


def too_few(name, reached, count):
    """Returns whether a figure is below its floor, and says so."""
    below = 100 * reached < LEAST[name] * count
    if below:
        print('coverage: the tests reach %.1f %% of the %s of hw/veu: at '
              'least %d %% are required' %
              (100 * reached / count, name, LEAST[name]))
    return below


def report(files, args):
    """Prints the table; returns the four numbers of all files."""
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, file in sorted(files.items()):
        counts = [file['summary'][kind][key] for kind in ('lines', 'branches')
                  for key in ('covered', 'count')]
        if not args.folders:
            row(name, counts[:2], counts[2:])
        for text in missed(file) if args.missed else []:
            print('    ' + text)
        for folder in (os.path.dirname(name), 'hw/veu'):
            sums[folder] = [a + b for a, b in zip(sums[folder], counts)]
    total = sums.pop('hw/veu')
    for folder, counts in sorted(sums.items()):
        row(folder, counts[:2], counts[2:])
    row('hw/veu', total[:2], total[2:])
    return total


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--missed', action='store_true')
    parser.add_argument('--folders', action='store_true')
    parser.add_argument('export')
    args = parser.parse_args()
    with open(args.export, encoding='utf-8') as text:
        files = json.load(text)['data'][0]['files']
    print('%-40s %20s  %20s' % ('', 'lines', 'branches'))
    files = {file['filename'][file['filename'].index('hw/veu/'):]: file
             for file in files if '/hw/veu/' in file['filename']}
    total = report(executed_here(files), args)
    return any([too_few('lines', *total[:2]), too_few('branches', *total[2:])])


if __name__ == '__main__':
    sys.exit(main())
