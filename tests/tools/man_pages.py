#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the examples of a manual page, and compares its options with --help.

Usage: man_pages.py TOOL PAGE

In a page's examples (.EX to .EE) a line that begins with "$ " is a command,
one with "> " continues it, as does one after a backslash. The lines that
follow are what the command prints, on standard error and standard output.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

ESCAPES = {r"\-": "-", r"\e": "\\", r"\(aq": "'", r"\(dq": '"', r"\&": "",
           r"\fR": "", r"\ ": " "}


def plain(text):
    """Returns what a reader sees of a line of roff."""
    return re.sub(r"\\(?:\(..|f.|.)", lambda m: ESCAPES[m[0]], text)


def examples(page):
    """The blocks of the examples: lists of (command, what it prints)."""
    for block in re.findall(r"^\.EX\n(.*?)^\.EE\n", page, re.M | re.S):
        found = []
        goes_on = False
        for line in plain(block).splitlines():
            if line.startswith("$ "):
                found.append([line[2:], ""])
            elif goes_on or line.startswith("> "):
                found[-1][0] += "\n" + (line if goes_on else line[2:])
            else:
                found[-1][1] += line + "\n"
                continue
            quotes = found[-1][0].count("'")
            goes_on = line.endswith("\\") or quotes % 2 == 1
        yield found


def run_examples(tap, page, environment, folder):
    """Blocks share files; the commands of one share a shell."""
    for number, block in enumerate(examples(page), 1):
        script = "\n".join(command for command, _ in block)
        done = subprocess.run(["sh", "-c", script], cwd=folder,
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              check=False)
        tap.equal(f"example {number} prints what the page says",
                  done.stdout.splitlines(),
                  "".join(text for _, text in block).splitlines())


def options(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def compare_options(tap, page, environment, name):
    done = subprocess.run([name, "--help"], env=environment, text=True,
                          stdout=subprocess.PIPE, check=True)
    documented = set()
    for line in page.splitlines():
        if line.startswith((".B ", ".BI ", ".BR ")):
            documented |= options(plain(line))
    tap.equal("the page has the options of --help",
              sorted(documented), sorted(options(done.stdout)))


def main():
    tool, page_path = sys.argv[1:]
    tap = Tap()
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    environment = dict(os.environ, LC_ALL="C", PATH=os.pathsep.join(
        (os.path.dirname(os.path.abspath(tool)), os.environ["PATH"])))
    with tempfile.TemporaryDirectory() as folder:
        tap.run(run_examples, page, environment, folder)
    tap.run(compare_options, page, environment, os.path.basename(tool))
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", page_path],
                              stdout=subprocess.DEVNULL, text=True,
                              stderr=subprocess.PIPE, check=False)
        tap.equal("groff has no complaints", done.stderr, "")
    else:
        tap.skip("groff has no complaints", "no groff")
    return tap.done()


sys.exit(main())
