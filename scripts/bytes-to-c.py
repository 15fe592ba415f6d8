#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a file's bytes as an array in C.

Usage: bytes-to-c.py NAME INPUT OUTPUT

OUTPUT defines NAME, an array of uint8_t, and NAME_bytes, its size."""

import pathlib
import sys

name, source, target = sys.argv[1:]
data = pathlib.Path(source).read_bytes()
lines = [', '.join(f'0x{byte:02x}' for byte in data[at:at + 12])
         for at in range(0, len(data), 12)]
pathlib.Path(target).write_text(
    f'#include <stdint.h>\n\n'
    f'extern const uint8_t {name}[];\nextern const uint32_t {name}_bytes;\n'
    f'_Alignas(64) const uint8_t {name}[] = {{\n    '
    + ',\n    '.join(lines) + f',\n}};\n'
    f'const uint32_t {name}_bytes = {len(data)};\n', encoding='utf-8')
