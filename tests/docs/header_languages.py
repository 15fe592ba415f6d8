#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiles each installed header alone, in the languages of its users: C11,
C99 with GNU's extensions, C++17; with gcc and clang, pedantic. A header with
functions declares them as C functions for C++. bindgen, where it is installed,
makes Rust bindings. (abi_headers.py compiles those without a C library.)

Usage: header_languages.py SOURCE-DIR
"""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys

COMPILERS = ("gcc", "clang")
STANDARDS = ("c11", "gnu99", "c++17")
FLAGS = ("-fsyntax-only", "-Wall", "-Wextra", "-Werror")
# Inline functions and macros, used as a program does.
USE = """\
#include <veu/client.h>
#include "veu_command.h"
bool use(struct veu_code *code);
bool use(struct veu_code *code)
{
    veu_encode_gather(code, 4, veu_m(1, 16), 5, veu_imm(VEU_TYPE_UD, 0),
                      veu_v(32), VEU_NULL);
    return veu_encode_gather(code, 4, veu_m_nm(1, 16), 5,
                             veu_indirect(1, 0, -4, VEU_TYPE_UD),
                             veu_v(32), veu_v(33)) &&
           veu_element(32, 1, 2).col == 2 && veu_client_error(0);
}
"""


def compile_text(source, compiler, standard, text):
    """Returns what the compiler prints; None if it accepts the text."""
    language = "c++" if "++" in standard else "c"
    pedantic = [] if standard.startswith("gnu") else ["-Wpedantic"]
    done = subprocess.run(
        [compiler, *FLAGS, *pedantic, f"-std={standard}", "-x", language,
         f"-I{source / 'include'}", f"-I{source / 'firmware/lib'}", "-"],
        input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def works(source, compiler, standard):
    return shutil.which(compiler) and not compile_text(
        source, compiler, standard, "#include <stdint.h>\nuint8_t x;\n")


def bind(source, header):
    """Returns bindgen's error; None if it makes Rust bindings."""
    done = subprocess.run(
        ["bindgen", header, "--", f"-I{source / 'include'}",
         f"-I{source / 'firmware/lib'}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        check=False)
    return done.stderr if done.returncode else None


def lacks_linkage(header):
    """Returns True if a header has functions without C linkage."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"),
                  flags=re.S)
    functions = re.search(r"^[a-z][\w ]*[ *]\w+\([^;{}]*\)\s*[;{]", text, re.M)
    return functions and 'extern "C"' not in text


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted(source.glob("include/veu/*.h")) + \
        sorted(source.glob("firmware/lib/*.h"))
    texts = [(header.name, f'#include "{header}"\n') for header in headers]
    texts.append(("a program", USE))
    results = []  # name, error, reason to skip
    for compiler, standard in itertools.product(COMPILERS, STANDARDS):
        there = works(source, compiler, standard)
        results += [(f"{name}: {compiler} -std={standard}",
                     there and compile_text(source, compiler, standard, text),
                     "" if there else "no such compiler")
                    for name, text in texts]
    there = shutil.which("bindgen")
    for header in headers:
        results.append((f"{header.name}: functions are C's to C++",
                        lacks_linkage(header) and "no extern \"C\"", ""))
        results.append((f"{header.name}: bindings for Rust",
                        there and bind(source, header),
                        "" if there else "no bindgen"))
    for number, (name, error, skip) in enumerate(results, 1):
        print(f"{'not ok' if error else 'ok'} {number} - {name}"
              f"{' # SKIP ' + skip if skip else ''}")
        for line in (error or "").splitlines():
            print("# " + line)
    print(f"1..{len(results)}")
    return 1 if any(error for _, error, _ in results) else 0


sys.exit(main())
