#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiled kernels on veu against pocl and models: ninja check-kernels.

Usage: check.py VEU-RUN FOLDER [REGEX]

Runs each line of suite.txt that REGEX is found in, for each device and set of
options, and prints TAP. A line has a file, a kernel, a global and a local size,
a tolerance (-: equal bits; fN: floats may differ in rounding) and arguments.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys

import models

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICES = ("skl", "tgllp")
SETS = {
    "O2": "-cl-std=CL2.0",
    "O0": "-cl-std=CL2.0 -cl-opt-disable",
    "4g": "-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required",
    "fast": "-cl-std=CL2.0 -cl-fast-relaxed-math",
}
NEEDED = {"ocloc": "intel-opencl-icd", "cc": "gcc"}
# Of an element; and of the largest one, for sums that cancel each other.
TOLERANCE = 2e-5
FAST_TOLERANCE = 2e-3
CANCELLED = 0.1
# The compilers do not have to agree about these: padding, faster mathematics.
UNLIKE = {("language", "structs", None), ("language", "mandel2", "fast"),
          ("doubles", "dtrans", "fast"), ("doubles", "dbl", "fast")}


class Line:
    def __init__(self, text, number):
        words = text.split()
        self.number = str(number)
        (self.file, self.kernel, self.size, self.local,
         self.tolerance) = words[:5]
        self.args = words[5:]
        self.buffers = sum(arg.startswith(("b:", "img:"))
                           for arg in self.args)


def run(*args, **more):
    return subprocess.run(list(map(str, args)), capture_output=True, text=True,
                          timeout=600, check=False, **more)


def read(prefix, count):
    result = []
    for number in range(count):
        with open(f"{prefix}.{number}.out", "rb") as file:
            result.append(file.read())
    return result


class Checker:
    def __init__(self, tool, folder):
        self.tool = os.path.abspath(tool)
        self.folder = folder
        self.points = self.failed = 0
        os.makedirs(folder, exist_ok=True)

    def point(self, good, name, *notes):
        self.points += 1
        self.failed += not good
        print("ok" if good else "not ok", f"{self.points} - {name}",
              flush=True)
        for note in "\n".join(map(str, notes)).splitlines():
            print("#", note, flush=True)

    def path(self, *parts):
        return os.path.join(self.folder, "-".join(parts))

    def compile(self, name, device, options):
        """The zebin, made once; None where this device cannot have it."""
        zebin = self.path(device, options, name) + ".zebin"
        if not os.path.exists(zebin):
            source = self.path(device, options, name) + ".cl"
            shutil.copy(f"{HERE}/src/{name}.cl", source)
            done = run(self.tool, "--compile", source, "--device", device,
                       "--", *SETS[options].split())
            if done.returncode:
                with open(zebin, "wb"):
                    pass
        return zebin if os.path.getsize(zebin) else None

    def reference(self, line):
        """What pocl computes; None where it cannot compile the source."""
        prefix = self.path("pocl", line.file, line.kernel, line.number)
        if not os.path.exists(prefix + ".0.out"):
            for standard in ("-cl-std=CL2.0", "-cl-std=CL1.2"):
                done = run(self.path("clrun"), f"{HERE}/src/{line.file}.cl",
                           standard, line.kernel, line.size, line.local,
                           prefix, *line.args,
                           env=dict(os.environ, CLPLATFORM="Portable"))
                if not done.returncode:
                    break
            else:
                return None
        return read(prefix, line.buffers)

    def model(self, line, zebin):
        kernels = json.loads(run(self.tool, "--kernel", zebin, "--list",
                                 "--json").stdout)["kernels"]
        lanes, = [k["simd"] for k in kernels if k["name"] == line.kernel]
        buffers = models.fill(line.args)
        models.MODELS[line.kernel](buffers, lanes)
        return buffers

    def check(self, line, device, options):
        name = (f"{device} {options} {line.file} {line.kernel} "
                f"(line {line.number})")
        zebin = self.compile(line.file, device, options)
        if not zebin:
            self.point(True, f"{name} # SKIP does not compile for {device}")
            return
        expected = (self.model(line, zebin) if line.kernel in models.MODELS
                    else self.reference(line))
        prefix = self.path(device, options, line.file, line.kernel)
        done = run(self.tool, "--kernel", zebin, line.kernel, "--global",
                   line.size, "--local", line.local, *line.args, "--dump",
                   prefix)
        if done.returncode:
            self.point(False, name, done.stderr)
            return
        if expected is None:
            self.point(True, f"{name} # SKIP runs; pocl cannot compile it")
            return
        notes = difference(read(prefix, line.buffers), expected,
                           tolerance(line, options))
        self.point(not notes, name, *notes)


def tolerance(line, options):
    if options == "fast":
        return FAST_TOLERANCE
    return 0 if line.tolerance == "-" else TOLERANCE


def difference(found, expected, most):
    """The buffers that have floats which differ by more than @most."""
    notes = []
    for number, (one, other) in enumerate(zip(found, expected)):
        if one == other:
            continue
        count = len(one) // 4
        values = struct.unpack(f"<{count}f", one[:count * 4])
        wanted = struct.unpack(f"<{count}f", other[:count * 4])
        scale = max((abs(x) for x in wanted if x - x == 0), default=1)
        bad = [i for i in range(count)
               if one[i * 4:i * 4 + 4] != other[i * 4:i * 4 + 4] and
               not abs(values[i] - wanted[i]) <= most * (
                   abs(wanted[i]) + scale * CANCELLED)]
        if bad or not most:
            first = bad[0] if bad else count
            notes.append(f"buffer {number}: {len(bad)} of {count} dwords, "
                         f"first {first}: {one[first * 4:first * 4 + 4].hex()} "
                         f"in place of {other[first * 4:first * 4 + 4].hex()}")
    return notes


def prepare(folder):
    for command, package in NEEDED.items():
        if not shutil.which(command):
            sys.exit(f"check-kernels needs {command}: install {package}")
    done = run("cc", "-O2", f"{HERE}/clrun.c", "-o",
               os.path.join(folder, "clrun"), "-lOpenCL")
    if done.returncode:
        sys.exit("check-kernels cannot build clrun: install ocl-icd-opencl-dev"
                 f", opencl-c-headers and pocl-opencl-icd\n{done.stderr}")


def main():
    checker = Checker(sys.argv[1], sys.argv[2])
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    prepare(sys.argv[2])
    with open(os.path.join(HERE, "suite.txt"), encoding="utf-8") as file:
        lines = [Line(text, number) for number, text in enumerate(file, 1)
                 if text.strip() and text[0] != "#" and wanted.search(text)]
    for line in lines:
        for device in DEVICES:
            for options in SETS:
                if not {(line.file, line.kernel, None),
                        (line.file, line.kernel, options)} & UNLIKE:
                    checker.check(line, device, options)
    print(f"1..{checker.points}")
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
