# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiled kernels through veu-as, and back by Intel's reader.

tests/data/kernels has the .visaasm sections of kernels that Intel's compiler
made, and tests/data/visa_instructions.tsv a line of each form of instruction
in some hundred more, with its bytes. Intel's reader, GenX_IR of Debian's
libigc-tools, decoded those bytes to that text; where it is installed, it does
so again with the kernels.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import data
from assembler import main

KERNELS = sorted(glob.glob(os.path.join(data.path("kernels"), "*.visaasm")))
READER = shutil.which("GenX_IR")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def platform(path):
    return path.split(".")[-2].upper()


def as_lines(text):
    """Returns normalized lines: labels by their order, one blank. The reader
    gives labels other names, and does not know .funcdecl.
    """
    labels = {}

    def label(name):
        return labels.setdefault(name, f"L{len(labels)}")

    lines = []
    for line in text.splitlines():
        line = " ".join(re.sub("//.*", "", line).split())
        place = re.fullmatch(r'(\.function )?"?([\w$@?-]+?)"?:?', line)
        branch = re.fullmatch(r"(.*\b(?:goto|call|jmp) \(.*\)) (\S+)", line)
        if place and (place[1] or line.endswith(":")):
            line = (place[1] or "") + label(place[2])
        elif branch:
            line = branch[1] + " " + label(branch[2])
        if line and not line.startswith(".funcdecl"):
            lines.append(line)
    return lines


def decoded_by_reader(code, target):
    """Returns the text of an object, as the vendor's reader prints it."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "k.isa"), "wb") as file:
            file.write(code)
        subprocess.run([READER, "k.isa", "-platform", target, "-dumpcommonisa",
                        "-noverifyCISA"], cwd=folder, capture_output=True,
                       check=False, timeout=120)
        return "".join(read(os.path.join(folder, name)) for name in
                       os.listdir(folder) if name.endswith(".visaasm"))


def instructions_have_the_bytes_that_the_reader_decodes(tap, tools):
    vectors = data.rows("visa_instructions.tsv")
    answers = tools.as_hex([text for text, _ in vectors], decls=None)
    tap.equal(f"{len(vectors)} forms of instructions assemble",
              [(text, code, answer) for (text, code), answer
               in zip(vectors, answers) if code != answer], [])
    texts = tools.dis_hex([code for _, code in vectors], decls=None)
    tap.equal("their bytes are printed as text that assembles to them",
              tools.as_hex(texts, decls=None), [code for _, code in vectors])


def kernels_come_back(tap, tools):
    """From text to bytes to text: what veu-dis prints is stable."""
    for path in KERNELS:
        name = os.path.basename(path)
        built = tools.object(read(path))
        text = tools.text(built)
        tap.equal(f"{name}: the object of its text", tools.object(text).hex(),
                  built.hex())
        tap.true(f"{name}: all of it has a text", ".bytes" not in text)


def the_reader_decodes_kernels(tap, tools):
    for path in KERNELS:
        name = os.path.basename(path)
        text = read(path)
        if not READER:
            tap.skip(name, "GenX_IR is not installed")
            continue
        target = platform(path)
        size = ("--grf", "64") if target == "PVC" else ()
        tap.equal(f"{name}: GenX_IR decodes the object to the text",
                  as_lines(decoded_by_reader(tools.object(text, *size),
                                             target)), as_lines(text))


sys.exit(main(instructions_have_the_bytes_that_the_reader_decodes,
              kernels_come_back, the_reader_decodes_kernels))
