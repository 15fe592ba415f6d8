#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-kernel pack: files, errors; and, where the compiler is installed, that
it makes the zebins of firmware/examples from their sources.

Usage: veu_kernel.py VEU-KERNEL SOURCE

tests/unit/test_packed*.c test the contents of packed kernels.
"""

import os
import shutil
import struct
import subprocess
import sys

from runner import main

SOURCE = sys.argv.pop()
DATA = os.path.join(SOURCE, "tests/data/kernels")
KERNELS = os.path.join(SOURCE, "firmware/examples/kernels")
# Debian 12's version: others write other texts.
COMPILER = "22.43.24595"
VADD = os.path.join(DATA, "skl-vadd.zebin")
ERRORS = [
    ("no command", [], 2, "veu-kernel pack ZEBIN KERNEL"),
    ("an unknown command", ["run", VADD], 2, "write pack"),
    ("no file", ["pack"], 2, "veu-run --compile"),
    ("too many words", ["pack", VADD, "vadd", "saxpy"], 2, "'saxpy'"),
    ("no such file", ["pack", "absent"], 1, "absent"),
    ("no name where there are two kernels", ["pack", VADD], 1,
     "the file has vadd, saxpy"),
    ("no such kernel", ["pack", VADD, "nothing"], 1, "there is no kernel"),
    ("a file that is no zebin", ["pack", __file__], 1, "not a zebin"),
    ("an output that cannot be written",
     ["pack", "-o", "absent/file", VADD, "vadd"], 1, "absent/file"),
]


def test_files(tap, veu):
    done = veu.run("pack", VADD, "vadd", "-o", "vadd.veuk")
    packed = veu.read("vadd.veuk")
    tap.equal("pack writes a file, and nothing else",
              (done.status, done.out, done.err), (0, "", ""))
    magic, version, simd, flags, size = struct.unpack_from("<4sHBBI", packed)
    tap.equal("its header: VEUK, version 1, 32 lanes, no printf(), its size",
              (magic, version, simd, flags, size),
              (b"VEUK", 1, 32, 0, len(packed)))
    done = subprocess.run(
        [veu.tool, "pack", os.path.join(DATA, "skl-print.zebin"),
         "print_types"], capture_output=True, check=False)
    tap.equal("the flag of a kernel that calls printf()", done.stdout[7], 1)
    tap.true("it has the names of the kernel and of an argument",
             b"vadd\0" in packed and b"n\0" in packed)
    done = subprocess.run([veu.tool, "pack", VADD, "vadd"],
                          capture_output=True, check=False)
    tap.equal("without -o it writes the same to standard output", done.stdout,
              packed)


def test_errors(tap, veu):
    for title, args, status, text in ERRORS:
        done = veu.run(*args)
        tap.true(f"{title}: an error that says what to write",
                 done.status == status and text in done.err and not done.out,
                 done)


def installed_compiler():
    if not shutil.which("ocloc") or not shutil.which("dpkg-query"):
        return ""
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}",
                           "intel-opencl-icd"], capture_output=True,
                          text=True, check=False).stdout


def test_sources(tap, veu):
    version = installed_compiler()
    if not version.startswith(COMPILER):
        tap.skip("examples compile to the files beside them",
                 f"needs ocloc {COMPILER}, and there is {version or 'none'}")
        return
    subprocess.run([sys.executable, os.path.join(KERNELS, "compile"),
                    veu.folder], capture_output=True, check=True)
    for name in sorted(os.listdir(veu.folder)):
        with open(os.path.join(KERNELS, name), "rb") as file:
            tap.true(f"{name} is what its source compiles to",
                     veu.read(name) == file.read())


sys.exit(main(test_files, test_errors, test_sources))
