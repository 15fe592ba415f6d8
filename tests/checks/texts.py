#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every text that a mutation or a proof replaces is in its source, once, and
every test that "mutations" names exists, with levels that it has.

Usage: texts.py SOURCE-DIR

Those programs report it as well, but take hours and do not run after each
change."""

import importlib.machinery
import importlib.util
import os
import sys


def load(path):
    loader = importlib.machinery.SourceFileLoader('loaded', path)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader('loaded', loader))
    loader.exec_module(module)
    return module


def errors(source_dir, changes):
    """Of (file, text) pairs, those that are not in the tree once."""
    for file, text in sorted(set(changes)):
        with open(os.path.join(source_dir, file), encoding='utf-8') as source:
            count = source.read().count(text)
        if count != 1:
            yield '%s has "%s" %d times' % (file, text, count)


def unknown_tests(source_dir, mutations):
    """Tests that the mutations name and that do not exist."""
    for name, level in sorted(mutations.named_tests()):
        if not os.path.exists(os.path.join(source_dir, 'tests/unit',
                                           'test_%s.c' % name)):
            yield 'no unit test has the name ' + name
        if level not in mutations.LEVELS:
            yield 'no level is that of %s, %s' % (name, level)


def report(number, title, found):
    print('%s %d - %s' % ('not ok' if found else 'ok', number, title))
    for error in found:
        print('# ' + error.replace('\n', ' '))
    return bool(found)


def main():
    source_dir = os.path.abspath(sys.argv[1])
    mutations = load(os.path.join(source_dir, 'tests/checks/mutations'))
    proofs = load(os.path.join(source_dir, 'tests/proofs/proofs'))
    driver = load(os.path.join(source_dir,
                               'tests/guest/linux/driver_mutations.py'))
    broken = [(mutations.place(source_dir, file), text)
              for _, file, text, _ in mutations.MUTATIONS]
    smaller = [(file, text) for proof in proofs.PROOFS
               for file, text, _ in proof.small]
    drivers = [('firmware/linux/' + file, text)
               for _, file, text, *_ in driver.MUTATIONS]
    wrong = [(file, text) for _, file, text, _ in proofs.MUTATIONS]
    print('1..5')
    failed = [
        report(1, 'texts of mutations', list(errors(source_dir, broken))),
        report(2, 'texts that proofs make smaller',
               list(errors(source_dir, smaller))),
        report(3, 'texts that proofs break', list(errors(source_dir, wrong))),
        report(4, 'tests that mutations name',
               list(unknown_tests(source_dir, mutations))),
        report(5, 'texts of mutations of the Linux driver',
               list(errors(source_dir, drivers))),
    ]
    return any(failed)


if __name__ == '__main__':
    sys.exit(main())
