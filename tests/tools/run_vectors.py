#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: messages as the vendor's assembler writes them, in one program.

Usage: run_vectors.py VEU-RUN VEU-SPEC

Every message of the five that the device has, but for those with operands or
surfaces that it does not model (docs/caveats.md): they run, by name and lanes.
"""

import os
import re
import sys

import visa
from runner import main

MNEMONICS = {"gather", "gather_scaled", "scatter_scaled", "scatter4_typed",
             "svm_gather"}
# indirect operands, modifiers, floats, predefined variables and surfaces
NOT_MODELLED = re.compile(
    r"r\[A|\((-|abs|-abs|~)\)V|:(f|hf|df|v|uv|vf)\b|%(?!null|slm|scratch)|"
    r" T[1-4] | TSS |V\d+\.0x")


def vectors(path):
    """(text, bytes, mnemonic, lanes) of the lines that the device takes."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            text, _, code = line.rstrip("\n").partition("\t")
            name = re.match(r"(?:\([^)]*\) +)?([a-z0-9_]+)", text)
            if line.startswith("#") or not name or \
                    name[1] not in MNEMONICS or NOT_MODELLED.search(text):
                continue
            lanes = re.search(r"\( *(?:M\w+ *, *|NoMask, *)?(\d+) *\)", text)
            yield text, bytes.fromhex(code), name[1], int(lanes[1])


# Larger than the vendor's, and of types that the pages allow.
TYPES = {35: "d", 36: "f", 37: "uq", 38: "uq", 39: "q", 40: "uq", 42: "uq",
         43: "d"}
VARIABLES = [(0, TYPES.get(number, "ud"), 512) for number in range(32, 320)]
PREDICATES = [32] * 300
SURFACE = "type=buffer,format=r8g8b8a8_unorm,width=1024,base=0x10000"
ARGUMENTS = ["--simd", 32, "--memory", "0:4096", "--memory", "0x10000:4096",
             *["--surface", SURFACE] * 35, "--stateless", "0x10000:4096",
             "--slm", 4096]


def program(veu, code):
    return veu.file("program", visa.program(code, VARIABLES, PREDICATES,
                                            4096))


def is_refused(text, lanes):
    """8 blocks: 8 lanes, blocks of 4 bytes or 1."""
    found = re.search(r"svm_gather\.(\d)\.8", text)
    return bool(found) and (lanes != 8 or found[1] == "8")


def test_refused(tap, veu, rows):
    for text, code, _, lanes in rows:
        if is_refused(text, lanes):
            result = veu.json(program(veu, code), *ARGUMENTS)
            tap.equal(f"refused: {text}",
                      [(fault["name"], fault["detail"])
                       for fault in result["faults"]],
                      [("MESSAGE_FIELD", 6)])


def test_accepted(tap, veu, rows):
    """All others are one program; the trace names them in order."""
    rows = [row for row in rows if not is_refused(row[0], row[3])]
    code = b"".join(row[1] for row in rows)
    result = veu.json(program(veu, code), *ARGUMENTS, "--trace")
    tap.equal("no fault", result["faults"], [])
    tap.equal("as many messages as lines", len(result["trace"]), len(rows))
    at = 0
    for (text, code, name, lanes), traced in zip(rows, result["trace"]):
        tap.true(f"{text}", (traced["message"], traced["message_offset"]) ==
                 (name, at) and traced["lanes"] < 1 << lanes, traced)
        at += len(code)


def test_vectors(tap, veu):
    path = os.path.join(os.environ.get("VEU_TEST_DATA", ""),
                        "visa_vectors.tsv")
    if not os.path.exists(path):
        tap.skip("the vendor's messages", "no test data")
        return
    rows = list(vectors(path))
    tap.equal("there are messages of all kinds", {row[2] for row in rows},
              MNEMONICS)
    test_refused(tap, veu, rows)
    test_accepted(tap, veu, rows)


sys.exit(main(test_vectors))
