#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the numbered requirements of docs/spec.md with requirements.tsv.

Usage: requirements.py SPEC.MD LIST.TSV DEVICE-TESTS-DIR UNIT-TEST-PROGRAM...

Every requirement is in its section, has one of the key words, and has a row in
the list; every row's requirement and tests exist. Prints TAP.
"""

import pathlib
import re
import subprocess
import sys

NUMBER = re.compile(r"\*\*((?:DRV|DEV)-(\d+)\.(\d+))\*\*")
KEY_WORDS = re.compile(r"\b(MUST|SHOULD|MAY)\b")
DEVICE_TEST = re.compile(r'rig_test_add\w*\(\s*"([^"]+)"')


def requirements(text):
    """Pairs of a requirement's number and its text, in the text's order."""
    found = list(NUMBER.finditer(text))
    for match, following in zip(found, found[1:] + [None]):
        end = following.start() if following else len(text)
        paragraph = re.split(r"\n\n|\n- (?!\*\*)", text[match.end():end])[0]
        yield match, paragraph


def section_at(text, position):
    """Number of the section of level 2 at a position."""
    numbers = re.findall(r"^## (\d+) ", text[:position], re.M)
    return numbers[-1] if numbers else "0"


def misplaced(text):
    """Returns errors in requirements as such: numbers, sections, words."""
    seen = set()
    for match, paragraph in requirements(text):
        name, section, number = match[1], match[2], match[3]
        if (section, number) in seen:
            yield f"{name} is given twice"
        seen.add((section, number))
        if section_at(text, match.start()) != section:
            yield f"{name} is not in section {section}"
        if name.startswith("DRV") and not KEY_WORDS.search(paragraph):
            yield f"{name} says neither MUST nor SHOULD nor MAY"


def rows(path):
    """The list: number to tests."""
    result = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            number, tests = line.split("\t")
            result[number] = tests
    return result


def existing_tests(folder, programs):
    """Returns names in the form of the list."""
    names = set()
    for path in folder.glob("**/test_*.c"):
        text = path.read_text(encoding="utf-8")
        stem = path.stem[len("test_"):]
        names.update(f"{stem}:{name}" for name in DEVICE_TEST.findall(text))
    for program in programs:
        output = subprocess.check_output([program, "-l"], text=True)
        names.update(re.findall(r"^(?:# )?(/\S+)", output, re.M))
    return names


def missing_tests(listed, names):
    """Returns tests in the list that do not exist."""
    for number, tests in listed.items():
        if not tests.startswith("- "):
            for test in tests.split():
                if test not in names:
                    yield f"{number}: there is no test {test}"


def point(number, name, problems):
    """Prints a test point; returns True if it passes."""
    print("not ok" if problems else "ok", f"{number} - {name}")
    for problem in problems:
        print("#", problem)
    return not problems


def main():
    """Returns the exit status."""
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    listed = rows(pathlib.Path(sys.argv[2]))
    names = existing_tests(pathlib.Path(sys.argv[3]), sys.argv[4:])
    numbers = [match[1] for match in NUMBER.finditer(text)]
    print("1..4")
    good = point(1, "requirements are numbered once, in their section",
                 list(misplaced(text)))
    good &= point(2, "every requirement has a row",
                  [n for n in numbers if n not in listed])
    good &= point(3, "every row has its requirement",
                  [n for n in listed if n not in numbers])
    good &= point(4, "every test of a row exists",
                  list(missing_tests(listed, names)))
    return 0 if good else 1


sys.exit(main())
