#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints words that a fuzzer should try: dictionary.py VEU-SPEC NAME.

They come from the tables of the device: mnemonics and types for text, opcodes
and codes of formats for bytes.
"""
import json
import subprocess
import sys

# What the text has beside names of tables: docs/visa-text.md.
SYNTAX = ['.version 4.1', '.kernel "k"', '.global_function "f"', '.decl ',
          '.input ', '.kernel_attr ', 'v_type=G', 'v_type=A', 'v_type=P',
          'v_type=T', 'v_type=S', 'type=', 'num_elts=16', 'align=GRF',
          'align=GRFx2', 'alias=<V32, 64>', 'attrs={Input}', 'v_name=',
          'offset=', 'size=', '(M1, 16)', '(M5_NM, 4)', '(P1)', '(!P1.any)',
          'T6', 'T5', 'T0', '%null.0', '%r0.0', 'V32.0', 'V32(0,0)<0;1,0>',
          'r[A0(0),0]<0;1,0>:ud', '0:ud', '0x10:uq', '%sizeof(GRF)', '.RGBA',
          '//', '/*', '*/', '<', '>', '{', '}', '@']


def numbers(values):
    """Little-endian bytes, as many as each needs."""
    for value in values:
        yield value.to_bytes(max(1, (value.bit_length() + 7) // 8), 'little')


def words(tables, name):
    if name in ('text', 'object'):
        for key in ('messages', 'types', 'atomics'):
            yield from (row['name'].encode() for row in tables[key])
    if name == 'text':
        yield from (word.encode() for word in SYNTAX)
    else:
        yield from numbers({row['opcode'] for row in tables['messages']})
        yield from numbers({row['code'] for row in tables['formats']})


def main():
    program, name = sys.argv[1:]
    tables = json.loads(subprocess.check_output([program, '--json']))
    for word in sorted(set(words(tables, name))):
        print('"%s"' % ''.join('\\x%02x' % byte for byte in word))


if __name__ == '__main__':
    main()
