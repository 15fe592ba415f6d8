#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Words that a fuzzer should try, from the tables of the device.

Usage: dictionary.py (--check | --update) VEU-SPEC DIRECTORY

DIRECTORY has NAME.dict for each fuzzer, as libFuzzer and AFL++ read them. Both
refuse to start without it, so that each corpus beside DIRECTORY needs one.
--check prints TAP, a point for each; --update writes them.
"""

import json
import pathlib
import subprocess
import sys

HEAD = '''# SPDX-License-Identifier: GPL-2.0-or-later
# Written by "ninja update-dictionaries".
'''

# Words of the text other than names in tables: docs/visa-text.md.
ZEBIN = (
    'kernels:', 'kernels_misc_info:', 'name:', 'execution_env:', 'simd_size:',
    'slm_size:', 'required_work_group_size:', 'arg_type:', 'arg_index:',
    'work_group_walk_order_dimensions:', 'payload_arguments:', 'offset:',
    'per_thread_payload_arguments:', 'binding_table_indices:', 'bti_value:',
    'per_thread_memory_buffers:', 'is_simt_thread: true', 'usage:', 'size:',
    'source_offset:', 'slm_alignment:', 'addrspace: local', 'args_info:',
    'arg_byvalue', 'arg_bypointer', 'buffer_address', 'local_id', 'local_size',
    'private_base_stateless', 'private_space', 'scratch', 'printf_buffer')

SYNTAX = ['.version 4.1', '.kernel "k"', '.global_function "f"', '.decl ',
          '.input ', '.kernel_attr ', 'v_type=G', 'v_type=A', 'v_type=P',
          'v_type=T', 'v_type=S', 'type=', 'num_elts=16', 'align=GRF',
          'align=GRFx2', 'alias=<V32, 64>', 'attrs={Input}', 'v_name=',
          'offset=', 'size=', '(M1, 16)', '(M5_NM, 4)', '(P1)', '(!P1.any)',
          'T6', 'T5', 'T0', '%null.0', '%r0.0', 'V32.0', 'V32(0,0)<0;1,0>',
          'r[A0(0),0]<0;1,0>:ud', '0:ud', '0x10:uq', '%sizeof(GRF)', '.RGBA',
          '//', '/*', '*/', '<', '>', '{', '}', '@', '.function "f"', 'f:',
          '.funcdecl "f"', '.sat', '.lt', '.x3f', '(-)', '(abs)', '(~)', 'P1',
          'A0(0)<1>', 'T6(0)', 'S0(0)', '&V32[4]', 'V32(0,0)<1>', '<8;8,1>',
          '0x3c00:hf', '1.5:f', '0x76543210:uv', 'sample_lz.RGBA',
          'lsc_load.ugm.ca.ca', ':d32x2', ':d32.xz', 'flat[V32+0x10]:a64',
          'bti(0x4)[V32]:a32', 'lsc_fence.ugm.none.gpu']

# Rules, except names of commands, messages and faults: docs/fault-inject.md.
RULES = ['action=', 'ring=', 'opcode=', 'lane=', 'address=', 'nth=', 'every=',
         'probability=', 'seed=', 'fault:', 'delay:', 'drop', 'drop:store',
         'drop:head', 'drop:interrupt', 'corrupt', 'hang', 'miss', 'miss:',
         'never', '..', ';', '0x', 'ns', 'us', 'ms', 's', '0.5']

# Rules of captures, and the kinds of chunks: docs/capture.md.
CAPTURE_RULES = ['r', 'launch=', 'ring=', 'tag=', 'fault=', 'fault=any',
                 'offset=', 'kernel=', 'program=0x', '..', ';', '1', '255']
CAPTURE_KINDS = range(1, 10)

# Blocks of registers as fuzz_device.c counts them: of two rings, two contexts.
BLOCKS = {'device': [0], 'ring': [1, 2], 'context': [3, 4], 'scanout': [5]}
ANYWHERE = 6


def little(value, size):
    return value.to_bytes(size, 'little')


def numbers(values):
    """Yields each number with the bytes that it needs."""
    for value in values:
        yield little(value, max(1, (value.bit_length() + 7) // 8))


def names(tables):
    for key in ('messages', 'instructions', 'types', 'atomics'):
        yield from (row['name'].encode() for row in tables[key])


def codes(tables):
    for key in ('messages', 'instructions'):
        yield from numbers({row['opcode'] for row in tables[key]})
    yield from numbers({row['code'] for row in tables['atomics']})


def formats(tables):
    yield from (little(row['code'], 2) for row in tables['formats'])


def faults(tables):
    yield from (little(row['code'], 2) for row in tables['faults'])


def limits(tables):
    """Yields the initial values of registers, and their successors."""
    for rows in tables['registers'].values():
        for row in rows:
            if row['reset']:
                yield little(row['reset'], 4)
                yield little((row['reset'] + 1) % 2**32, 4)


def accesses(tables):
    """Which register, as fuzz_device.c takes it from an input."""
    for name, blocks in BLOCKS.items():
        for row in tables['registers'][name]:
            for block in blocks:
                yield (bytes([block, row['offset']]) if row['offset'] < 256
                       else bytes([ANYWHERE]) + little(row['offset'], 2))


def commands(tables):
    """A command's header: its opcode and slots."""
    for row in tables['commands']:
        yield bytes([row['opcode'], row['slots']])


def offsets(tables):
    """Registers as a saved state has them in front of their values."""
    for rows in tables['registers'].values():
        yield from (little(row['offset'], 4) for row in rows)


def syntax(_):
    yield from (word.encode() for word in SYNTAX)


def rules(tables):
    yield from (word.encode() for word in RULES)
    for key in ('commands', 'faults', 'messages'):
        yield from (row['name'].encode() for row in tables[key])


def zebin(_):
    """Keys and values of .ze_info."""
    yield from (word.encode() for word in ZEBIN)


def captures(tables):
    yield b'veu\x1acap\n' + little(1, 4)
    yield from (little(kind, 8) for kind in CAPTURE_KINDS)
    yield from (word.encode() for word in CAPTURE_RULES)
    yield from (row['name'].encode() for row in tables['faults'])


DICTIONARIES = {
    'capture': [captures, commands, faults],
    'device': [accesses, commands, faults, formats, codes, limits],
    'inject': [rules],
    'instruction': [codes],
    'isolation': [commands, formats, codes, limits],
    'message': [codes, formats],
    'object': [names, codes, formats],
    'pages': [commands, formats, codes, limits],
    'state': [offsets, commands, faults, formats, codes, limits],
    'surface': [formats, limits],
    'text': [names, syntax],
    'zebin': [names, syntax, zebin],
}


def quoted(word):
    return ''.join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\'
                   else '\\x%02x' % byte for byte in word)


def dictionary(tables, name):
    words = {word for part in DICTIONARIES[name] for word in part(tables)}
    return HEAD + ''.join(f'"{quoted(word)}"\n' for word in sorted(words))


def main():
    how, program, directory = sys.argv[1:]
    tables = json.loads(subprocess.check_output([program, '--json']))
    fuzzers = {path.stem for path in
               (pathlib.Path(directory).parent / 'corpus').glob('*.hex')}
    complete = good = fuzzers == set(DICTIONARIES)
    print(f'1..{len(DICTIONARIES) + 1}')
    for number, name in enumerate(DICTIONARIES, 1):
        path = pathlib.Path(directory) / (name + '.dict')
        text = dictionary(tables, name)
        if how == '--update':
            path.write_text(text, encoding='ascii')
        same = path.exists() and path.read_text(encoding='ascii') == text
        good &= same
        print('ok' if same else 'not ok', f'{number} - {name}.dict')
    print('ok' if complete else 'not ok',
          f'{len(DICTIONARIES) + 1} - each fuzzer has a dictionary')
    if not good:
        print('# "ninja update-dictionaries" writes them again')
    return not good


if __name__ == '__main__':
    sys.exit(main())
