#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns the structures of the public headers into rows of veu-spec.

Usage: veu-spec-layouts.py HEADER... > veu-spec-layouts.inc

For each "struct veu_... { ... };" that is shared with the device it prints a
row of layouts[] in tools/veu-spec/layouts.c: the names of its fields and their
comments. The compiler computes offsets and sizes. A field without a comment is
an error.
"""

import re
import sys

STRUCT = re.compile(r"^struct (veu_\w+) \{\n(.*?)^\};", re.M | re.S)
FIELD = re.compile(
    r"(?:/\*\*(?!<)(?P<before>.*?)\*/\s*)?"
    r"^\s*[\w ]+?\b(?P<name>\w+)(?:\[\w+\])?;"
    r"(?:\s*/\*\*<(?P<after>.*?)\*/)?", re.M | re.S)
# Structures whose member is listed field by field.
EXPANDED = {"veu_command_dispatch": ("launch", "veu_launch")}
# Not a layout of its own: every table that contains it lists its fields.
PARTS = {"veu_launch"}


def text_of(comment):
    """Returns a comment as the text of a cell: one line, a capital, no full
    stop."""
    lines = [line.strip().lstrip("*").strip()
             for line in comment.strip().splitlines()]
    text = " ".join(line for line in lines if line)
    first = text.split(" ", 1)[0].rstrip(":,;")
    if first.isalpha() and first.islower() and first not in ("enum", "struct"):
        text = text[0].upper() + text[1:]
    return text.rstrip(".")


def fields(name, body):
    """Returns names and texts of a structure's fields, in order."""
    for match in FIELD.finditer(body):
        comment = match["after"] or match["before"]
        if not comment:
            sys.exit(f"veu-spec-layouts.py: struct {name}: "
                     f"{match['name']} has no comment")
        yield match["name"], text_of(comment)


def row(name, structures):
    """The row of a structure."""
    member, part = EXPANDED.get(name, (None, None))
    lines = []
    for field, text in structures[name]:
        if field == member:
            lines += [(f"{member}.{inner}", inner_text)
                      for inner, inner_text in structures[part]]
        else:
            lines.append((field, text))
    print(f"{{ LAYOUT({name}),\n  .fields = {{")
    for field, text in lines:
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        print(f'      FIELD({name}, {field}, "{quoted}"),')
    print("  } },")


def main():
    """Prints the rows of all headers."""
    structures = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as header:
            for name, body in STRUCT.findall(header.read()):
                structures[name] = list(fields(name, body))
    for name in structures:
        if name not in PARTS:
            row(name, structures)


main()
