#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the tables of docs/spec.md with those that veu-spec prints.

Usage: veu-spec-docs.py (--check | --update) VEU-SPEC SPEC.MD

--check prints TAP, a point for each table; --update rewrites the tables.
"""

import difflib
import re
import subprocess
import sys

BLOCK = re.compile(
    r"^<!-- table: (?P<name>[^\n]*) -->\n(?P<rows>.*?)^<!-- end -->\n",
    re.M | re.S)


def tables(text):
    """Returns the tables of a text: name to rows, in order."""
    return {m["name"]: m["rows"] for m in BLOCK.finditer(text)}


def difference(name, spec, device):
    """Returns lines that describe how a table differs, if it does."""
    return list(difflib.unified_diff(
        spec.get(name, "").splitlines(), device.get(name, "").splitlines(),
        "docs/spec.md", "the device", "", "", 1, ""))


def check(spec, device):
    """Prints TAP; returns True if all tables are equal."""
    names = list(dict.fromkeys([*device, *spec]))
    good = True
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        lines = difference(name, spec, device)
        good &= not lines
        print("not ok" if lines else "ok", f"{number} - table: {name}")
        for line in lines:
            print("#", line)
    if not good:
        print("# 'ninja update-spec' rewrites the tables")
    return good


def update(path, text, device):
    """Rewrites the tables of the file that have a marker there."""
    def fresh(match):
        name = match["name"]
        rows = device.get(name, match["rows"])
        return f"<!-- table: {name} -->\n{rows}<!-- end -->\n"

    with open(path, "w", encoding="utf-8") as file:
        file.write(BLOCK.sub(fresh, text))
    missing = [name for name in device if name not in tables(text)]
    for name in missing:
        print(f"{path} lacks the marker of table '{name}'", file=sys.stderr)
    return not missing


def main():
    """Returns the exit status."""
    action, tool, path = sys.argv[1:]
    printed = subprocess.run([tool], check=True, capture_output=True,
                             text=True).stdout
    device = tables(printed)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if action == "--update":
        return 0 if update(path, text, device) else 1
    return 0 if check(tables(text), device) else 1


sys.exit(main())
