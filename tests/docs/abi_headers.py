#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiles each header of include/veu alone, in all the ways that guests do.

Usage: abi_headers.py INCLUDE-DIR

gcc and clang, 32 and 64 bits, C11 and C++11, freestanding, pedantic. Padding
is a warning, and warnings are errors. Prints TAP.
"""

import itertools
import pathlib
import shutil
import subprocess
import sys

COMPILERS = ("gcc", "clang")
LANGUAGES = (("c", "c11"), ("c++", "c++11"))
BITS = ("-m64", "-m32")
FLAGS = ("-ffreestanding", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
         "-Wpadded", "-Wundef", "-Werror")


def run(compiler, language, standard, bits, include, source):
    """Returns what the compiler prints for a source; None if it accepts it."""
    command = [compiler, *FLAGS, bits, f"-std={standard}", f"-I{include}",
               "-x", language, "-"]
    done = subprocess.run(command, input=source, capture_output=True,
                          text=True, check=False)
    return done.stderr if done.returncode else None


def works(compiler, language, standard, bits, include):
    """Returns True if this compiler exists and supports this language."""
    if not shutil.which(compiler):
        return False
    return run(compiler, language, standard, bits, include,
               "#include <stdint.h>\n#include <stddef.h>\nuint8_t x;\n") is None


def main():
    """Returns the exit status."""
    include = pathlib.Path(sys.argv[1])
    # These need the kernel's headers, and are for Linux programs only.
    headers = sorted(header for header in include.glob("veu/*.h")
                     if header.name not in ("linux.h", "client.h"))
    good = True
    number = 0
    ways = list(itertools.product(COMPILERS, LANGUAGES, BITS))
    print(f"1..{len(ways) * len(headers)}")
    for compiler, (language, standard), bits in ways:
        there = works(compiler, language, standard, bits, include)
        for header in headers:
            number += 1
            name = (f"{number} - veu/{header.name}: {compiler} {bits} "
                    f"-std={standard}")
            if not there:
                print(f"ok {name} # SKIP no such compiler")
                continue
            error = run(compiler, language, standard, bits, include,
                        f'#include "veu/{header.name}"\n')
            print("not ok" if error else "ok", name)
            for line in (error or "").splitlines():
                print("#", line)
            good &= not error
    return 0 if good else 1


sys.exit(main())
