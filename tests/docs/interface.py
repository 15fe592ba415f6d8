#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the interface with what version 1.0 promised: see the first lines
of tests/data/interface-1.0.tsv. Later additions are ignored.

Usage: interface.py SOURCE-DIR [LAUNCHER]

Without a launcher: headers and trace events. With one: properties, in QEMU.
Prints TAP."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'tools'))
from tap import Tap  # noqa: E402

QEMU = ['-M', 'q35', '-nodefaults', '-display', 'none', '-S', '-qmp', 'stdio']


def read_rows(source):
    """{kind: [(name, value)]}"""
    rows = {}
    with open(source / 'tests/data/interface-1.0.tsv',
              encoding='utf-8') as table:
        for line in table:
            if not line.startswith('#'):
                kind, name, value = line.rstrip('\n').split('\t')
                rows.setdefault(kind, []).append((name, value))
    return rows


def assertions(rows):
    """[(name, expression in C)]"""
    for name, value in rows['value']:
        yield name, f'({name}) == {value}'
    for name, value in rows['layout']:
        if '.' in name:
            structure, field = name.split('.', 1)
            offset, size = value.split()
            yield name, (f'offsetof({structure}, {field}) == {offset} && '
                         f'sizeof((({structure} *)0)->{field}) == {size}')
        else:
            yield name, f'sizeof({name}) == {value}'


def compile_errors(source, lines):
    headers = sorted((source / 'include/veu').glob('*.h'))
    text = ['#include <stddef.h>']
    text += [f'#include "veu/{header.name}"' for header in headers]
    done = subprocess.run(['cc', '-std=gnu11', '-fsyntax-only', '-I',
                           source / 'include', '-x', 'c', '-'],
                          input='\n'.join(text + lines) + '\n', text=True,
                          capture_output=True, check=False)
    return done.stderr


def check_headers(tap, source, rows):
    checks = list(assertions(rows))
    lines = [f'_Static_assert({expression}, "{name}");'
             for name, expression in checks]
    tap.equal('values and layouts of include/veu',
              compile_errors(source, lines), '')
    tap.true('a value that differs would be found',
             compile_errors(source, ['_Static_assert(VEU_MAX_RINGS == 63, "");']
                            ))


def check_traces(tap, source, rows):
    text = (source / 'hw/veu/qemu/trace-events').read_text(encoding='utf-8')
    events = dict(re.findall(r'^(\w+)\((.*?)\) "', text, re.MULTILINE))
    for name, arguments in rows['trace']:
        tap.equal(f'trace event {name}', events.get(name), arguments)


class Monitor:
    """QMP of a stopped machine that has a device."""

    def __init__(self, launcher, device):
        self.qemu = subprocess.Popen(
            [launcher, *QEMU, '-device', f'{device},id=veu0'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.qemu.stdout.readline()
        self.ask('qmp_capabilities')

    def ask(self, command, **arguments):
        json.dump({'execute': command, 'arguments': arguments},
                  self.qemu.stdin)
        self.qemu.stdin.write('\n')
        self.qemu.stdin.flush()
        while True:
            answer = json.loads(self.qemu.stdout.readline())
            if 'return' in answer:
                return answer['return']
            if 'error' in answer:
                raise ValueError(answer['error'])

    def about(self, command, **arguments):
        return self.ask(command, path='/machine/peripheral/veu0', **arguments)

    def close(self):
        self.ask('quit')
        self.qemu.wait(timeout=60)


def check_help(tap, launcher, device, rows):
    text = subprocess.run([launcher, '-device', f'{device},help'], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r'  ([\w-]+)=<(\w+)>(?:.*\(default: (.*)\))?', line)
        if match:
            value = ' '.join(filter(None, match.groups()[1:]))
            # as QEMU 10 prints it
            found[match[1]] = 'bool false' if value == 'bool off' else value
    for name, value in rows['property']:
        tap.equal(f'{device}: {name}', found.get(name), value)


def check_objects(tap, launcher, device, rows):
    monitor = Monitor(launcher, device)
    types = {row['name']: row['type'] for row in monitor.about('qom-list')}
    for name, value in rows['object']:
        tap.equal(f'{device}: type of {name}', types.get(name), value)
    for name, value in rows['keys']:
        keys = monitor.about('qom-get', property=name)
        tap.equal(f'{device}: what {name} holds',
                  [key for key in value.split() if key not in keys], [])
    monitor.close()


def main():
    """Returns the exit status."""
    source = pathlib.Path(sys.argv[1])
    rows = read_rows(source)
    tap = Tap()
    if len(sys.argv) > 2:
        for device in 'veu', 'veu-display':
            tap.run(check_help, sys.argv[2], device, rows)
            tap.run(check_objects, sys.argv[2], device, rows)
    else:
        tap.run(check_headers, source, rows)
        tap.run(check_traces, source, rows)
    return tap.done()


sys.exit(main())
