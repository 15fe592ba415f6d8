#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run --profile: the counts of a loop whose passes are known.

Usage: run_profile.py VEU-RUN VEU-SPEC DATA

DATA has zebins, as for run_kernels.py.
"""

import os
import sys
from collections import Counter

import visa
from runner import main

DATA = os.path.abspath(sys.argv.pop())

# Lane n makes the number of passes in its element of V32, and each writes 4
# bytes. Lanes that have left the loop wait at "done".
SOURCE = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=d num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.decl T6 v_type=T num_elts=1
.input V32 offset=0 size=32
next:
  add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> -1:d
  mov (M1_NM, 1) V33(0,0)<1> 0x0:ud
  movs (M1_NM, 1) T6(0) 0x0:ud
  scatter4_scaled.R (M1, 8) T6 0x0:ud V33.0 V32.0
  cmp.gt (M1, 8) P1 V32(0,0)<1;1,0> 0x0:d
  (P1) goto (M1, 8) next
done:
  mov (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0>
  goto (M1, 8) last
  mov (M1, 8) V33(0,0)<1> 0x1:ud
last:
  ret (M1, 1)
"""

RUN = ["--simd", 8, "--exec-mask", 0xf, "--set", "V32=1,2,3,4", "--memory",
       "0x1000:32", "--surface", "base=0x1000,width=32", "--profile"]


def program(veu):
    return [veu.file("k.visaasm", SOURCE.encode()), *RUN]


def counts(rows):
    """{mnemonics: [executions, lanes, divergent, bytes]}, in program order."""
    return [(row["instruction"].split()[0], row["executions"], row["lanes"],
             row["divergent"], row.get("bytes")) for row in rows]


# Four lanes make 1, 2, 3 and 4 passes: there are passes with 4, 3, 2 and 1
# lanes, the last three of which diverge, and gotos back with 3, 2, 1 and 0.
EXPECTED = [("label", 4, 10, 3, None),
            ("add", 4, 10, 3, None),
            ("mov", 4, 4, 3, None),
            ("movs", 4, 4, 3, None),
            ("scatter4_scaled.R", 4, 10, 3, 40),
            ("cmp.gt", 4, 10, 3, None),
            ("(P1)", 4, 6, 3, None),
            ("label", 1, 4, 0, None),
            ("mov", 1, 4, 0, None),
            ("goto", 1, 4, 0, None),
            ("mov", 0, 0, 0, None),
            ("label", 1, 4, 0, None),
            ("ret", 1, 1, 0, None)]


def test_each_instruction_is_counted(tap, veu):
    rows = veu.json(*program(veu))["profile"]
    tap.equal("one EU thread", counts(rows), EXPECTED)
    rows = veu.json(*program(veu), "--threads", 3, "--groups", 2)["profile"]
    tap.equal("six EU threads: six times that", counts(rows),
              [(name, *(n if n is None else 6 * n for n in numbers))
               for name, *numbers in EXPECTED])
    whole = veu.json(*program(veu), "--set", "V32=2,2,2,2")["profile"]
    tap.equal("lanes that stay together do not diverge",
              [(row["executions"], row["divergent"]) for row in whole[:7]],
              [(2, 0)] * 7)
    tap.equal("places are those of the code, in order",
              rows[0]["offset"] == 0 and
              sorted(row["offset"] for row in rows) ==
              [row["offset"] for row in rows], True)


def test_the_listing(tap, veu):
    done = veu.run(*program(veu))
    lines = done.out.splitlines()
    tap.equal("a line for each instruction, below the names of columns",
              len(lines), 1 + len(EXPECTED))
    # 7 instructions 4 times, 5 once: 33 in all. All lanes write 0x1000.
    tap.equal("share of all executions, and what a message touches",
              lines[5].split()[:7], ["4", "12.1%", "10", "3", "40", "4", "0"])
    tap.equal("no bytes where it is no message", lines[2].split()[4:6],
              ["+0x3", "add"])
    tap.equal("what did not run is there, too", lines[11].split()[:4],
              ["0", "0.0%", "0", "0"])


def test_what_cannot_be(tap, veu):
    done = veu.run("--simd", 8, "--message",
                   visa.gather_scaled(2, 2, 6, visa.ud(0), 32, 33).hex(),
                   "--var", "ud:8", "--var", "ud:8", "--profile")
    veu.file("fence.veu", visa.program(bytes([0x5c, 7])))
    program = veu.run("fence.veu", "--simd", 8, "--profile")
    tap.true("a program of messages", program.status == 2 and
             "messages only" in program.err, program)
    tap.true("a message", done.status == 2 and "messages only" in done.err,
             done)


def test_a_kernel(tap, veu):
    """vadd: c[i] = a[i] + b[i] for i < 250 of 256 work-items."""
    args = ["--kernel", os.path.join(DATA, "skl-vadd.zebin"), "vadd",
            "b:1024:randf", "b:1024:randf", "b:1024:0", "i:250", "--global",
            256, "--local", 64]
    plain = veu.json(*args)
    result = veu.json(*args, "--profile")
    rows = result["profile"]
    messages = [row for row in rows if row.get("bytes")]
    tap.equal("it computes the same", result["buffers"], plain["buffers"])
    # SIMD32: 8 EU threads, a message for each half of 16 lanes. In the upper
    # half, 6 work-items of the last EU thread are past the end.
    tap.equal("three accesses of 4 bytes by 128 + 122 work-items",
              [(row["executions"], row["lanes"], row["bytes"])
               for row in messages],
              [(8, 128, 4 * 128), (8, 122, 4 * 122)] * 3)
    for workers in (1, 2):
        again = veu.json(*args, "--profile", "--workers", workers, "--repeat",
                         2)["profile"]
        tap.equal(f"{workers} workers, two runs: twice that", counts(again),
                  [(name, *(n if n is None else 2 * n for n in numbers))
                   for name, *numbers in counts(rows)])


# With loops that lanes leave one by one, subroutines, and lanes that skip code.
KERNELS = [
    ["skl-reduce", "reduce_slm", "b:4096:rand", "b:64:0", "l:512", "--global",
     1024, "--local", 128],
    ["skl-calls", "calls", "b:256:idx", "b:1024:randf", "--global", 64,
     "--local", 32],
    ["skl-skip", "skip", "b:4096:rand", "b:4096:0", "b:64:0", "i:16",
     "--global", 64, "--local", 32],
]


def test_blocks_count_what_a_trace_has(tap, veu):
    for name, *args in KERNELS:
        args = ["--kernel", os.path.join(DATA, name + ".zebin"), *args]
        rows = veu.json(*args, "--profile")["profile"]
        alone = veu.json(*args, "--profile", "--trace")["profile"]
        tap.equal(f"{name}: instructions run one by one have the same counts",
                  rows, alone)
        lines = [line.split()
                 for line in veu.run(*args, "--trace").err.splitlines()]
        times = Counter(line[2] for line in lines if line[0] == "thread")
        tap.equal(f"{name}: the trace has as many lines",
                  {f"{row['offset']:#x}": row["executions"] for row in rows
                   if row["executions"]},
                  {at.lstrip("+"): count for at, count in times.items()})


# Lane n accesses offset n * STRIDE of shared local memory, and of a surface
# that begins 4 bytes before the end of a line.
FOOTPRINT = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1
.input V32 offset=0 size=64
  mov (M1, 16) V33(0,0)<1> 0x1:ud
  scatter_scaled.4 (M1, 16) T0 0x0:ud V32.0 V33.0
  gather_scaled.4 (M1, 16) T6 0x0:ud V32.0 V33.0
  ret (M1, 1)
"""


def touched(stride):
    """Returns the counts by the definitions of docs/profile.md, for 16 lanes
    of 4 bytes."""
    dwords = {lane * stride // 4 for lane in range(16)}
    turns = max(sum(dword % 16 == bank for dword in dwords)
                for bank in range(16))
    lines = {(0x103c + lane * stride) // 64 for lane in range(16)}
    return len(lines), turns - 1


def test_lines_and_banks(tap, veu):
    program = veu.file("f.visaasm", FOOTPRINT.encode())
    for stride in 0, 4, 8, 12, 32, 64, 68, 128:
        offsets = ",".join(str(lane * stride) for lane in range(16))
        rows = veu.json(program, "--simd", 16, "--set", f"V32={offsets}",
                        "--slm", 4096, "--memory", "0x1000:4096", "--surface",
                        "base=0x103c,width=2048", "--profile")["profile"]
        found = {row["instruction"].split(".")[0]:
                 (row["cache_lines"], row["bank_conflicts"])
                 for row in rows if "bytes" in row}
        lines, conflicts = touched(stride)
        tap.equal(f"{stride} bytes from lane to lane", found,
                  {"scatter_scaled": (0, conflicts),
                   "gather_scaled": (lines, 0)})


# Each begins at byte 0x1040 of memory, a line: after the global offset of 4
# bytes, and as a block of 8 owords, which has two lines.
GLOBAL = FOOTPRINT.replace("T6 0x0:ud", "T6 0x4:ud")
BLOCK = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=32 align=GRF
.decl T6 v_type=T num_elts=1
  mov (M1, 16) V32(0,0)<1> 0x1:ud
  oword_ld (8) T6 0x0:ud V32.0
  ret (M1, 1)
"""


def lines_of(veu, text, base, *more):
    program = veu.file("l.visaasm", text.encode())
    rows = veu.json(program, "--simd", 16, "--memory", "0x1000:4096",
                    "--surface", f"base={base:#x},width=2048", *more,
                    "--profile")["profile"]
    return {row["instruction"].split()[0].split(".")[0]: row["cache_lines"]
            for row in rows if "bytes" in row}


def test_where_lines_begin(tap, veu):
    offsets = ",".join(str(4 * lane) for lane in range(16))
    lines = lines_of(veu, GLOBAL, 0x103c, "--set", f"V32={offsets}",
                     "--slm", 4096)
    tap.equal("a global offset counts", lines["gather_scaled"], 1)
    for base, count in (0x1040, 2), (0x1050, 3):
        tap.equal(f"a block of 128 bytes at {base:#x}",
                  lines_of(veu, BLOCK, base)["oword_ld"], count)
    # 0x7c owords are 1,984 bytes: half of the block is inside.
    for owords, base, count in (1, 0x1030, 2), (1, 0x1040, 3), \
            (0x7c, 0x1040, 1):
        block = BLOCK.replace("0x0:ud V32", f"{owords:#x}:ud V32")
        tap.equal(f"{owords} owords after {base:#x}",
                  lines_of(veu, block, base)["oword_ld"], count)


def test_a_tree_of_sums(tap, veu):
    """reduce_slm, groups of 128: the steps add 64, 32, 16, 8, 4, 2, 1 items.

    EU threads of 32 lanes: the first step has two with all lanes, the second
    has one, and five have one with some of its lanes.
    """
    rows = veu.json("--kernel", os.path.join(DATA, "skl-reduce.zebin"),
                    "reduce_slm", "b:4096:rand", "b:64:0", "l:512",
                    "--global", 1024, "--local", 128, "--profile")["profile"]
    groups = 8
    sums = [row for row in rows if row["executions"] == groups * 8 and
            row["instruction"].startswith("label")]
    tap.equal("the label before the sum",
              [(row["lanes"], row["divergent"]) for row in sums],
              [(groups * 127, groups * 5)])
    slm = [row["bytes"] for row in rows if row["executions"] == groups * 8 and
           row["instruction"].startswith("gather") and
           "%slm" in row["instruction"]]
    tap.equal("each sum reads two dwords of shared local memory",
              sum(slm), groups * 127 * 2 * 4)


sys.exit(main(test_each_instruction_is_counted, test_the_listing,
              test_what_cannot_be, test_a_kernel,
              test_blocks_count_what_a_trace_has, test_lines_and_banks,
              test_where_lines_begin, test_a_tree_of_sums))
