# SPDX-License-Identifier: GPL-2.0-or-later
"""vISA messages and veu programs, byte by byte.

Written from docs/encoding.md and docs/spec.md, sections 7 and 8;
nothing here comes from the device's tables.
"""

import struct

TYPES = {name: code for code, name in enumerate(
    "ud d uw w ub b df f v vf bool uq uv q hf bf".split())}
SIZE_CODES = {1: 0, 2: 1, 4: 2}
NUM_ELTS = {8: 0, 16: 1, 1: 2}
LANES = {1: 0, 2: 1, 4: 2, 8: 3, 16: 4, 32: 5}


def raw(variable, offset=0):
    return struct.pack("<IH", variable, offset)


def ud(value):
    return struct.pack("<BBI", 5, 0, value)


def indirect(variable, element, add, type_):
    return struct.pack("<BHBhBH", 3, variable, element, add, TYPES[type_],
                       0x0121)


def gather(element, lanes, surface, base, offsets, data):
    return bytes([0x39, SIZE_CODES[element], 0, NUM_ELTS[lanes], surface]) + \
        base + raw(offsets) + raw(data)


def scaled(opcode, size, lanes, surface, base, offsets, data, pred=0):
    return struct.pack("<BBHBBHB", opcode, LANES[lanes], pred, 0,
                       SIZE_CODES[size], 0, surface) + \
        base + raw(offsets) + raw(data)


def gather_scaled(*args, **kwargs):
    return scaled(0x78, *args, **kwargs)


def scatter_scaled(*args, **kwargs):
    return scaled(0x79, *args, **kwargs)


def scatter4_typed(channels, lanes, surface, u, v, r, lod, data, pred=0):
    return struct.pack("<BBHBB", 0x4c, LANES[lanes], pred, channels,
                       surface) + b"".join(map(raw, (u, v, r, lod, data)))


def svm_gather(block, blocks, lanes, addresses, data, pred=0):
    return struct.pack("<BBBHBB", 0x4e, 3, LANES[lanes], pred,
                       {1: 0, 4: 1, 8: 2}[block],
                       {1: 0, 2: 1, 4: 2, 8: 3}[blocks]) + \
        raw(addresses) + raw(data)


def gather4_scaled(channels, lanes, surface, base, offsets, data, pred=0):
    return struct.pack("<BBHBHB", 0x74, LANES[lanes], pred, channels, 0,
                       surface) + base + raw(offsets) + raw(data)


def oword_ld(owords, surface, base, data):
    return struct.pack("<BBBB", 0x35, {1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[owords],
                       0, surface) + base + raw(data)


def media_ld(mode, width, height, surface, x, y, data):
    return bytes([0x37, mode, surface, 0, width, height]) + x + y + raw(data)


def fence(mask):
    return bytes([0x5c, mask])


def program(code, variables=(), predicates=(), registers=1024, grf=32,
            addresses=(), **header):
    """@variables: (offset, type, elements) from V32 on; @predicates: bits;
    @addresses: elements. Without @addresses there is no section for them."""
    sections = [
        (1, code),
        (2, b"".join(struct.pack("<IHBB", at, count, TYPES[type_], 0)
                     for at, type_, count in variables)),
        (3, b"".join(struct.pack("<HH", bits, 0) for bits in predicates)),
    ]
    if addresses:
        sections.append((4, b"".join(struct.pack("<HH", count, 0)
                                     for count in addresses)))
    at = 32 + 16 * len(sections)
    table = content = b""
    for kind, data in sections:
        table += struct.pack("<IIII", kind, at, len(data), 0)
        data += bytes(-len(data) % 4)
        content += data
        at += len(data)
    fields = dict(magic=0x50554556, version=1, kind=0, bytes=at, grf=grf,
                  sections=len(sections), entry=0, registers=registers)
    fields.update(header)
    return struct.pack("<IHHIHHII8x", *fields.values()) + table + content
