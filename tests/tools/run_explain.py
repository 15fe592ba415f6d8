#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --explain, of every fault.

Usage: run_explain.py VEU-RUN VEU-SPEC
"""

import json
import re
import subprocess
import sys

from runner import main


def faults():
    done = subprocess.run([sys.argv[2], "--json", "faults"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)["faults"]


def parts(text):
    """The texts after the labels; lines that continue are joined."""
    joined = re.sub(r"\n {11}", " ", text)
    return re.findall(r"^  (\w+) +(.*)$", joined, re.M)


def test_all(tap, veu):
    for fault in faults():
        name = fault["name"]
        done = veu.run("--explain", name)
        tap.true(f"{name}", done.status == 0 and not done.err and
                 done.out.startswith(f"{name} (0x{fault['code']:02x})\n") and
                 parts(done.out) == [("cause", fault["cause"]),
                                     ("before", fault["effect"]),
                                     ("advice", fault["advice"])], done)
        tap.true(f"{name}: lines have at most 80 columns",
                 all(len(line) <= 80 for line in done.out.splitlines()))
        others = [veu.run("--explain", other).out for other in (
            name.lower(), fault["code"], hex(fault["code"]))]
        tap.equal(f"{name}: small letters, codes", others, [done.out] * 3)
        tap.equal(f"{name}: JSON",
                  json.loads(veu.run("--json", "--explain", name).out), fault)


def test_unknown(tap, veu):
    names = [fault["name"] for fault in faults()]
    for text in ("NONSENSE", "", "0", "0xffff", "0x10050"):
        done = veu.run("--explain", text)
        tap.true(f"'{text}': all names are listed",
                 done.status == 2 and not done.out and
                 f"--explain {text}: no such fault" in done.err and
                 [line.split()[-1] for line in done.err.splitlines()[1:]] ==
                 names, done)


sys.exit(main(test_all, test_unknown))
