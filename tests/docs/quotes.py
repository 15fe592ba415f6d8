#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the files that pages show with the files themselves.

Usage: quotes.py SOURCE-DIR [--update]

A page shows a file in a block of code after a line <!-- file: PATH -->, where
PATH is relative to the source directory. Prints TAP; --update rewrites the
pages instead.
"""

import pathlib
import re
import sys

QUOTE = re.compile(r'(<!-- file: (\S+) -->\n```c\n)(.*?)(^```\n)', re.M | re.S)


def main():
    """Returns the exit status."""
    source = pathlib.Path(sys.argv[1])
    points = []
    for page in sorted([*source.glob("*.md"), *source.glob("docs/*.md")]):
        text = page.read_text(encoding="utf-8")
        for _, name, quoted, _ in QUOTE.findall(text):
            file = source / name
            points.append((f"{page.name} shows {name}", file.is_file() and
                           file.read_text(encoding="utf-8") == quoted))
        if "--update" in sys.argv:
            page.write_text(QUOTE.sub(
                lambda m: m[1] + (source / m[2]).read_text(encoding="utf-8") +
                m[4], text), encoding="utf-8")
    for number, (name, good) in enumerate(points, 1):
        print("ok" if good else "not ok", number, "-", name)
    print(f"1..{len(points)}")
    return 0 if points and all(good for _, good in points) else 1


sys.exit(main())
