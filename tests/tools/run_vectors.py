#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: messages as the vendor's assembler writes them.

Usage: run_vectors.py VEU-RUN VEU-SPEC

Each line is a program. Whether the device has to refuse it, and why, is
derived from its text; all others run, under the name and with the lanes that
the text has.
"""

import re
import sys
from collections import Counter

import data
import visa
from runner import main

MNEMONICS = {
    "gather", "scatter", "gather_scaled", "scatter_scaled", "gather4_scaled",
    "scatter4_scaled", "qw_gather", "qw_scatter", "oword_ld",
    "oword_ld_unaligned", "oword_st", "media_ld", "media_st", "gather4_typed",
    "scatter4_typed", "svm_gather", "svm_scatter", "svm_block_ld",
    "svm_block_st", "svm_gather4scaled", "svm_scatter4scaled", "svm_atomic",
    "dword_atomic", "typed_atomic", "fence_global", "fence_local", "fence_sw"}
LINE = re.compile(r"(?:\([^)]*\) +)?([a-z0-9_]+)([^ (]*)"
                  r"(?: *\(([^)]*)\)(?:\.mod)? *(.*))?")

# Larger than the vendor's, and of types that spec.md allows.
TYPES = {35: "d", 36: "f", 37: "uq", 38: "uq", 39: "q", 40: "uq", 42: "uq",
         43: "d", 44: "uw", 45: "ub"}
VARIABLES = [(0, TYPES.get(number, "ud"), 512) for number in range(32, 320)]
PREDICATES = [32] * 300
ADDRESSES = [16, 1]
MEMORY_BYTES = 4096
BUFFER = "type=buffer,format=r32_uint,width=1024,base=0x10000"
BUFFER_16 = "type=buffer,format=r16_uint,width=1024,base=0x10000"
IMAGE = "type=2d,format=r32_uint,width=16,height=16,pitch=64,base=0x10000"


class Vector:
    """A line: its bytes, and the parts of its text."""

    def __init__(self, text, code):
        self.text = text
        self.code = code
        self.name, self.suffix, size, operands = LINE.match(text).groups()
        self.size = [int(number) for number in
                     re.findall(r"(?<!M)\b\d+", size or "")]
        self.operands = (operands or "").split()
        self.media = self.name.startswith("media")
        if self.media and not self.operands[1].isdigit():
            self.operands.insert(1, "0")  # the plane may be left out

    def lanes(self):
        """All lanes: the execution mask of those that may run."""
        blocks = self.name.startswith(("media", "oword", "fence",
                                       "svm_block"))
        return 1 if blocks else (1 << self.size[0]) - 1

    def surface(self):
        """Returns a surface that the message can access."""
        narrow = self.name == "typed_atomic" and self.suffix.endswith(".16")
        return IMAGE if self.media else BUFFER_16 if narrow else BUFFER

    def scalar(self):
        """Offset, X or Address if it is a number, else 0."""
        at = 2 if self.media else 0 if self.name.startswith("svm") else 1
        number = re.match(r"(-?(?:0x)?[0-9a-f]+):", self.operands[at])
        return int(number[1], 0) if number else 0

    def is_misaligned(self):
        """4_SCALED, OWORD_LD_UNALIGNED, X of MEDIA_ST: multiples of 4."""
        return bool(re.search("4_?scaled|ld_unaligned|media_st", self.name)) \
            and self.scalar() % 4 != 0

    def is_nowhere(self):
        """SVM: there is memory at 0."""
        return self.name.startswith("svm") and \
            not 0 <= self.scalar() < MEMORY_BYTES


# Why a line is refused, its fault, and how to tell. The first reason that
# applies counts; refusals at load come before faults at run time.
REASONS = [
    ("operands: predefined variables", "MESSAGE_OPERAND",
     lambda v: re.search(r"%(?!null|slm|scratch|bss)", v.text)),
    ("8 blocks: 8 lanes, blocks of 4 bytes or 1", "MESSAGE_FIELD",
     lambda v: re.fullmatch(r"\.\d\.8", v.suffix) and
     (v.size != [8] or v.suffix == ".8.8")),
    ("qw: one block", "MESSAGE_FIELD",
     lambda v: v.name.startswith("qw") and v.suffix != ".1"),
    ("surfaces 1 to 4", "SURFACE_NOT_MODELLED",
     lambda v: re.search(r" (T[1-4]|TSS|%bss)( |$)", v.text)),
    ("media: one plane", "SURFACE_KIND",
     lambda v: v.media and v.operands[1] != "0"),
    # the address variables are 0
    ("an indirect operand outside the register file", "INDIRECT",
     lambda v: re.search(r"r\[A\d\(\d+\),-", v.text)),
    ("alignment", "ALIGNMENT", Vector.is_misaligned),
    ("an address without memory", "ADDRESS", Vector.is_nowhere),
]


def vectors():
    """The lines with messages that the device has."""
    for text, code in data.rows("visa_vectors.tsv"):
        if LINE.match(text)[1] in MNEMONICS:
            yield Vector(text, bytes.fromhex(code))


def run(veu, vector):
    """Registers, predicates and memory are 0."""
    program = veu.file("program", visa.program(
        vector.code, VARIABLES, PREDICATES, 4096, addresses=ADDRESSES))
    return veu.json(program, "--trace", "--simd", 32,
                    "--memory", f"0:{MEMORY_BYTES}", "--memory", "0x10000:4096",
                    *["--surface", vector.surface()] * 35,
                    "--stateless", "0x10000:4096", "--slm", 4096)


def refusal(vector):
    """(reason, fault), or (None, None)."""
    reason, fault = next((row[:2] for row in REASONS if row[2](vector)),
                         (None, None))
    # the predicates are 0: no lane runs that could fault
    if fault and vector.text.startswith("(P") and "MESSAGE" not in fault:
        return None, None
    return reason, fault


def trace_name(vector):
    return re.sub("^fence.*", "fence", vector.name)


def test_vector(tap, veu, vector, reason, fault):
    """Checks the fault, or that the message runs as its text specifies."""
    result = run(veu, vector)
    faults = [found["name"] for found in result["faults"]]
    if fault:
        tap.equal(f"{reason}: {vector.text}", faults, [fault])
        return
    traced = [(message["message"], message["lanes"] & ~vector.lanes())
              for message in result["trace"]]
    tap.equal(vector.text, (faults, traced), ([], [(trace_name(vector), 0)]))


def test_vectors(tap, veu):
    rows = list(vectors())
    tap.equal("there are messages of all kinds", {row.name for row in rows},
              MNEMONICS)
    reasons = Counter()
    for row in rows:
        reason, fault = refusal(row)
        reasons[reason] += 1
        test_vector(tap, veu, row, reason, fault)
    for reason, count in reasons.items():
        tap.note(f"{count} refused: {reason}" if reason else f"{count} run")


sys.exit(main(test_vectors))
