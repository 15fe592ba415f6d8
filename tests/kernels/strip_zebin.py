#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Empties the sections of a zebin that veu does not read.

Usage: strip_zebin.py ZEBIN NEW

All sections keep their numbers, as symbols name them; machine code, SPIR-V and
notes have no bytes afterwards.
"""

import struct
import sys

KEPT = (".visaasm", ".ze_info", ".data", ".bss", ".symtab", ".strtab",
        ".rel.data", ".rela.data")
HEADER = struct.Struct("<IIQQQQIIQQ")


def strip(data):
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3a)
    headers = [list(HEADER.unpack_from(data, table + i * size))
               for i in range(count)]
    names = headers[names_index]
    out = bytearray(data[:64])
    for header in headers:
        start = names[4] + header[0]
        name = data[start:data.index(b"\0", start)].decode()
        content = data[header[4]:header[4] + header[5]]
        if not name.startswith(KEPT):
            content = b""
        header[4:6] = len(out), len(content)
        out += content + bytes(-len(content) % 8)
    struct.pack_into("<Q", out, 0x28, len(out))
    for header in headers:
        out += HEADER.pack(*header)
    return bytes(out)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    with open(sys.argv[2], "wb") as file:
        file.write(strip(data))


if __name__ == "__main__":
    main()
