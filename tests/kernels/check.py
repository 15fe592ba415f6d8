#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares compiled kernels on veu with pocl and models: ninja check-kernels.

Usage: check.py VEU-RUN FOLDER [REGEX]

Runs each line of suite.txt that REGEX is found in, for each device and set of
options, and prints TAP. A line has a file, a kernel, a global and a local size,
a tolerance (-: equal bits; fN: floats may differ in rounding) and arguments.
"""

import hashlib
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
# The exit status of clrun if pocl does not compile the source.
NOT_COMPILED = 3
# Of an element; and of the largest one, for sums that cancel each other.
TOLERANCE = 2e-5
FAST_TOLERANCE = 2e-3
CANCELLED = 0.1
# The compilers need not agree about these: padding, faster mathematics.
UNLIKE = {("language", "structs", None), ("language", "mandel2", "fast"),
          ("doubles", "dtrans", "fast"), ("doubles", "dbl", "fast")}

# Sources that do not compile for a device: its compiler has no doubles.
WITHOUT = {("tgllp", "doubles"), ("tgllp", "mandelbrot")}


class Line:
    def __init__(self, text, number):
        words = text.split()
        self.number = str(number)
        (self.file, self.kernel, self.size, self.local,
         self.tolerance) = words[:5]
        self.args = words[5:]
        self.source = f"{HERE}/src/{self.file}.cl"
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


def content(path):
    with open(path, "rb") as file:
        return file.read()


def digest(*parts):
    """A part of the name of a file that is kept: made of other things, it has
    another name."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part if isinstance(part, bytes) else str(part).encode())
        found.update(b"\0")
    return found.hexdigest()[:16]


class Checker:
    def __init__(self, tool, folder):
        self.tool = os.path.abspath(tool)
        self.folder = folder
        self.points = self.failed = 0
        self.compiler = content(os.path.realpath(shutil.which("ocloc")))

    def point(self, good, name, *notes):
        self.points += 1
        self.failed += not good
        print("ok" if good else "not ok", f"{self.points} - {name}",
              flush=True)
        for note in "\n".join(map(str, notes)).splitlines():
            print("#", note, flush=True)

    def path(self, *parts):
        return os.path.join(self.folder, "-".join(parts))

    def compile(self, line, device, options):
        """The zebin, made once, and what the compiler said if there is none"""
        key = digest(content(line.source), SETS[options], self.compiler)
        source = self.path(device, options, line.file, key) + ".cl"
        zebin = source[:-len(".cl")] + ".zebin"
        if os.path.exists(zebin):
            return zebin, ""
        shutil.copy(line.source, source)
        done = run(self.tool, "--compile", source, "--device", device,
                   "--", *SETS[options].split())
        return (None if done.returncode else zebin), done.stderr + done.stdout

    def reference(self, line):
        """What pocl computes, or None, and what went wrong. Neither: pocl
        cannot compile the source."""
        key = digest(content(line.source), content(f"{HERE}/clrun.c"),
                     line.size, line.local, *line.args)
        prefix = self.path("pocl", line.file, line.kernel, key)
        if os.path.exists(prefix + ".done"):
            return read(prefix, line.buffers), ""
        for standard in ("-cl-std=CL2.0", "-cl-std=CL1.2"):
            done = run(self.path("clrun"), line.source, standard, line.kernel,
                       line.size, line.local, prefix, *line.args,
                       env=dict(os.environ, CLPLATFORM="Portable"))
            if not done.returncode:
                with open(prefix + ".done", "wb"):
                    pass
                return read(prefix, line.buffers), ""
            if done.returncode != NOT_COMPILED:
                return None, (f"clrun ended with {done.returncode}: "
                              f"{done.stderr}")
        return None, ""

    def model(self, line, zebin):
        kernels = json.loads(run(self.tool, "--kernel", zebin, "--list",
                                 "--json").stdout)["kernels"]
        lanes, = [k["simd"] for k in kernels if k["name"] == line.kernel]
        return models.run(line.kernel, line.args, lanes)

    def run(self, line, zebin, prefix):
        return run(self.tool, "--kernel", zebin, line.kernel, "--global",
                   line.size, "--local", line.local, *line.args, "--dump",
                   prefix)

    def check(self, line, device, options):
        name = (f"{device} {options} {line.file} {line.kernel} "
                f"(line {line.number})")
        if (device, line.file) in WITHOUT:
            self.point(True, f"{name} # SKIP {device} has no doubles")
            return
        zebin, error = self.compile(line, device, options)
        if not zebin:
            self.point(False, name, "it does not compile", error)
            return
        expected, error = ((self.model(line, zebin), "")
                           if models.has(line.kernel, line.args)
                           else self.reference(line))
        prefix = self.path(device, options, line.file, line.kernel)
        done = self.run(line, zebin, prefix)
        if done.returncode or error:
            self.point(False, name, done.stderr, error)
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
    os.makedirs(folder, exist_ok=True)
    for command, package in NEEDED.items():
        if not shutil.which(command):
            sys.exit(f"check-kernels needs {command}: install {package}")
    done = run("cc", "-O2", f"{HERE}/clrun.c", "-o",
               os.path.join(folder, "clrun"), "-lOpenCL")
    if done.returncode:
        sys.exit("check-kernels cannot build clrun: install ocl-icd-opencl-dev"
                 f", opencl-c-headers and pocl-opencl-icd\n{done.stderr}")


def main():
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    prepare(sys.argv[2])
    checker = Checker(sys.argv[1], sys.argv[2])
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
