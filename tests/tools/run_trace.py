#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --trace.

Usage: run_trace.py VEU-RUN VEU-SPEC
"""

import struct
import sys

import visa
from runner import main

READ = visa.gather_scaled(2, 2, 6, visa.ud(0), 32, 33)
SLM = visa.scatter_scaled(4, 2, 0, visa.ud(4), 32, 33)
SVM = visa.svm_gather(4, 2, 2, 34, 33)
TYPED = visa.scatter4_typed(15, 8, 7, 32, 0, 0, 0, 35)
IDLE = visa.gather_scaled(4, 2, 6, visa.ud(0), 32, 33, pred=1)


def arguments(veu):
    program = veu.file("program", visa.program(
        READ + SLM + SVM + TYPED + IDLE,
        [(0, "ud", 8), (32, "ud", 8), (64, "uq", 2), (96, "f", 32)], [32],
        registers=256))
    data = veu.file("data", struct.pack("<8H", *range(0x100, 0x108)))
    return [program, "--memory", f"0x1000:{data}", "--memory", "0x2000:16",
            "--surface", "base=0x1000,width=16", "--surface",
            "type=1d,format=r32g32b32a32_float,width=1,base=0x2000", "--slm",
            12, "--set", "V32=2,9", "--set", "V34=0x1004,0x3000", "--set",
            "V35=1*8,2*8,0.5*8,0*8", "--policy", "skip-message",
            "--exec-mask", 3]


def test_text(tap, veu):
    done = veu.run(*arguments(veu), "--trace", "--threads", 2)
    lines = [line for line in done.err.splitlines()
             if line.startswith("thread ")]
    at = [0]
    for code in (READ, SLM, SVM, TYPED):
        at.append(at[-1] + len(code))
    # thread 0's SLM is thread 1's as well: what scatter_scaled left is there
    expected = [
        f"thread %d +0x{at[0]:x} gather_scaled 0x3 0:0x1002->0101 "
        "1:0x1009->0501",
        f"thread %d +0x{at[1]:x} scatter_scaled 0x3 0:slm+0x6<-00000101 "
        "1:outside",
        f"thread %d +0x{at[2]:x} svm_gather 0x3 "
        "0:0x1004->01030102_01050104 1:0x3000!fault",
        f"thread %d +0x{at[3]:x} scatter4_typed 0x3 0:outside 1:outside",
        f"thread %d +0x{at[4]:x} gather_scaled 0x0",
    ]
    tap.equal("a line for each message", lines,
              [line % thread for thread in (0, 1) for line in expected])
    tap.equal("standard output has no part in it", done.out, "")


def test_json(tap, veu):
    trace = veu.json(*arguments(veu), "--trace")["trace"]
    tap.equal("JSON: messages",
              [(m["thread"], m["message"], m["lanes"]) for m in trace],
              [(0, "gather_scaled", 3), (0, "scatter_scaled", 3),
               (0, "svm_gather", 3), (0, "scatter4_typed", 3),
               (0, "gather_scaled", 0)])
    tap.equal("JSON: a read", (trace[0]["access"], trace[0]["accesses"]), (
        "read",
        [{"lane": 0, "place": "memory", "address": 0x1002, "bytes": 2,
          "data": "0101"},
         {"lane": 1, "place": "memory", "address": 0x1009, "bytes": 2,
          "data": "0105"}]))
    tap.equal("JSON: shared local memory, and out of bounds",
              trace[1]["accesses"],
              [{"lane": 0, "place": "slm", "address": 6, "bytes": 4,
                "data": "01010000"},
               {"lane": 1, "place": "outside", "bytes": 4}])
    tap.equal("JSON: a fault", trace[2]["accesses"][1],
              {"lane": 1, "place": "fault", "address": 0x3000, "bytes": 8})
    tap.equal("JSON: no lane", trace[4]["accesses"], [])


def test_typed(tap, veu):
    args = [arg if arg != "V32=2,9" else "V32=0,1" for arg in arguments(veu)]
    done = veu.run(*args, "--trace")
    wanted = "scatter4_typed 0x3 0:0x2000<-" + "_".join(
        f"{struct.unpack('<I', struct.pack('<f', value))[0]:08x}"
        for value in (1, 2, 0.5, 0)) + " 1:outside"
    tap.true("texels of 16 bytes", wanted in done.err, wanted, done)


def test_blocks(tap, veu):
    """Messages without lanes are shown with lane 0; media blocks are shown row
    by row."""
    code = visa.gather4_scaled(0b0101, 1, 6, visa.ud(4), 0, 32) + \
        visa.oword_ld(2, 6, visa.ud(1), 32) + \
        visa.media_ld(0, 13, 2, 7, visa.ud(1), visa.ud(1), 32) + \
        visa.media_ld(0, 4, 1, 7, visa.ud(64), visa.ud(0), 32) + \
        visa.fence(0)
    program = veu.file("program", visa.program(code, [(0, "ud", 64)]))
    data = veu.file("data", bytes(range(64)))
    done = veu.run(program, "--memory", f"0x1000:{data}", "--surface",
                   "base=0x1000,width=40", "--surface",
                   "type=2d,format=r8_uint,width=12,height=2,pitch=16,"
                   "base=0x1000", "--trace")
    tap.equal("blocks", done.err.replace("thread 0 +", "").splitlines(),
              ["0x0 gather4_scaled 0x1 "
               "0:0x1004->07060504_0b0a0908_0f0e0d0c",
               "0x1a oword_ld 0x1 "
               "0:0x1010->13121110_17161514_1b1a1918_1f1e1d1c",
               "0x2a media_ld 0x1 0:0x1011->14131211_18171615_1b1a19",
               "0x42 media_ld 0x1 0:outside",
               "0x5a fence 0x1"])


def test_collision(tap, veu):
    done = veu.run("--message", visa.scatter_scaled(
        1, 2, 6, visa.ud(0), 32, 33).hex(), "--var", "ud:2", "--var",
        "ud:2", "--set", "V33=1,2", "--memory", "0x1000:1", "--surface",
        "base=0x1000,width=1", "--trace")
    tap.equal("lanes that collide show what stayed", done.err,
              "thread 0 +0x0 scatter_scaled 0x3 0:0x1000<-02 1:0x1000<-02\n")


def test_pages(tap, veu):
    """An access that spans two areas is shown as one."""
    low = veu.file("low", bytes(range(1, 4)))
    high = veu.file("high", bytes(range(4, 9)))
    done = veu.run("--message", visa.svm_gather(8, 1, 1, 32, 33).hex(),
                   "--var", "uq:1", "--var", "uq:1", "--memory",
                   f"8:{low}", "--memory", f"11:{high}", "--set", "V32=8",
                   "--trace")
    tap.equal("two pieces", done.err,
              "thread 0 +0x0 svm_gather 0x1 0:0x8->0807060504030201\n")


def test_long(tap, veu):
    """Output that does not fit into memory is written as it arises."""
    program = veu.file("program", visa.program(
        visa.gather_scaled(4, 32, 0, visa.ud(0), 0, 0) * 100, registers=0))
    trace = veu.json(program, "--simd", 32, "--threads", 50, "--trace",
                     "--slm", 4)["trace"]
    tap.equal("5000 messages",
              (len(trace), trace[-1]["thread"], len(trace[-1]["accesses"])),
              (5000, 49, 32))


sys.exit(main(test_text, test_json, test_typed, test_blocks, test_collision,
              test_pages, test_long))
