#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The compiled kernels of the guests are what ocloc makes of their sources.

Usage: stored_kernels.py VEU-RUN SOURCE-DIR

Without ocloc it is skipped. Another version than the one that made the files
compiles to other bytes: then what its kernels compute is compared."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

# What wrote the files: Debian 12's intel-opencl-icd.
COMPILER = "22.43.24595"
# Fraction of the bytes of a picture that may differ by more than ROUNDING:
# edges of what the rays meet.
EDGES = 0.01
ROUNDING = 2
KERNELS = [
    ("first_kernel", ["reverse", "b:64:rand", "b:64:0", "i:16"], "16", "8"),
    ("tracer", ["tracer", "img:160x96:R8G8B8A8_UNORM:0"], "160,96", "16,4"),
]


def compiler_version(folder):
    """Of ocloc, which writes it to a file."""
    subprocess.run(["ocloc", "query", "OCL_DRIVER_VERSION"], cwd=folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False)
    path = folder / "OCL_DRIVER_VERSION"
    return path.read_text().strip(" \0\n") if path.exists() else "unknown"


def results(tool, zebin, args, sizes, folder):
    """The buffers and images after a run, and what it printed."""
    local, prefix = sizes[1], folder / "out"
    done = subprocess.run([tool, "--kernel", zebin, *args, "--global",
                           sizes[0], "--local", local, "--dump", prefix],
                          capture_output=True, check=False, text=True)
    paths = sorted(folder.glob("out.*.out"))
    found = [path.read_bytes() for path in paths]
    for path in paths:
        path.unlink()
    return done.returncode, found


def alike(one, other):
    """Whether two results are equal, except for roundings."""
    differ = sum(abs(a - b) > ROUNDING for a, b in zip(one, other))
    return len(one) == len(other) and differ <= EDGES * len(one)


def test_results(tap, tool, stored, made, folder):
    for name, args, *sizes in KERNELS:
        status, wanted = results(tool, stored / f"{name}.zebin", args, sizes,
                                 folder)
        tap.equal(f"{name}.zebin runs", (status, any(map(any, wanted))),
                  (0, True))
        status, found = results(tool, made / f"{name}.zebin", args, sizes,
                                folder)
        tap.true(f"{name}.cl computes the same", status == 0 and
                 len(found) == len(wanted) and
                 all(map(alike, found, wanted)), status)


def test_bytes(tap, stored, made, version):
    for path in sorted(made.iterdir()):
        name = f"{path.name} is what ocloc makes of its source"
        if version == COMPILER:
            tap.true(name, path.read_bytes() ==
                     (stored / path.name).read_bytes(),
                     f"run {stored.name}/compile, and commit its files")
        else:
            tap.skip(name, f"ocloc is {version}, not {COMPILER}")


def main():
    tool = os.path.abspath(sys.argv[1])
    stored = pathlib.Path(sys.argv[2]) / "firmware/examples/kernels"
    if not shutil.which("ocloc"):
        print("1..0 # SKIP there is no ocloc (Debian: intel-opencl-icd)")
        return 0
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        made = folder / "made"
        made.mkdir()
        done = subprocess.run([sys.executable, stored / "compile", made],
                              capture_output=True, text=True, check=False)
        tap.true("the sources compile", done.returncode == 0, done.stderr)
        test_bytes(tap, stored, made, compiler_version(folder))
        tap.run(test_results, tool, stored, made, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
