#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run --timeline: what began and ended, as viewers read it.

Usage: run_timeline.py VEU-RUN VEU-SPEC DATA

DATA has zebins, as for run_kernels.py.
"""

import os
import sys

from runner import main
from timeline import Timeline

DATA = os.path.abspath(sys.argv.pop())
VADD = ["--kernel", os.path.join(DATA, "skl-vadd.zebin"), "vadd",
        "b:1024:randf", "b:1024:randf", "b:1024:0", "i:250", "--global", "256",
        "--local", "64"]


def timeline_of(veu, *args):
    done = veu.run(*args, "--timeline", "t.json")
    return done, Timeline(os.path.join(veu.folder, "t.json"))


def test_a_kernel(tap, veu):
    done, t = timeline_of(veu, *VADD, "--repeat", 3)
    tap.equal("it runs as without", done.out,
              veu.run(*VADD, "--repeat", 3).out)
    tap.equal("what began has ended, in order", t.mistakes, [])
    tap.equal("the program is loaded, then runs three times",
              t.names("command"), ["load"] + ["kernel"] * 3)
    kernels = [s for s in t.slices if s.category == "kernel"]
    # 256 work-items in groups of 64; SIMD32: two EU threads in each
    tap.equal("each is the kernel, by its name",
              [(s.name, s.args["groups"], s.args["threads"], s.args["simd"])
               for s in kernels], [("vadd", 4, 2, 32)] * 3)
    commands = [s for s in t.slices if s.name == "kernel"]
    tap.true("a kernel is within its command",
             all(k.depth == 1 and c.depth == 0 and
                 c.begin <= k.begin <= k.end <= c.end
                 for k, c in zip(kernels, commands)), kernels, commands)
    tap.true("commands follow each other",
             all(a.end <= b.begin for a, b in zip(commands, commands[1:])))
    tap.true("it takes time", commands[0].end > commands[0].begin)
    tap.equal("the ring runs", t.names("state"), ["running"])


def test_a_fault(tap, veu):
    done, t = timeline_of(veu, *VADD, "--budget", 20)
    tap.equal("the launch faults", done.status, 1)
    tap.equal("what began has ended, in order", t.mistakes, [])
    tap.equal("the fault is in it", t.names("fault"), ["BUDGET"])
    tap.equal("and the ring halts", t.names("state"), ["running", "halted"])


def test_what_cannot_be(tap, veu):
    done = veu.run(*VADD, "--timeline", "no/such/folder")
    tap.true("a file that cannot be written",
             done.status == 2 and "--timeline no/such/folder: No such file" in
             done.err, done)


sys.exit(main(test_a_kernel, test_a_fault, test_what_cannot_be))
