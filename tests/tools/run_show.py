#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --show and --save, as text and as JSON.

Usage: run_show.py VEU-RUN VEU-SPEC
"""

import struct
import sys

import visa
from runner import main

# runs nothing
IDLE = ["--message", visa.gather_scaled(4, 8, 6, visa.ud(0), 0, 0).hex(),
        "--exec-mask", 0, "--simd", 8]


def test_variable(tap, veu):
    done = veu.run(*IDLE, "--var", "d:3", "--set", "V32=-1,2,1000000",
                   "--show", "V32")
    tap.equal("a variable: a row for each lane", done.out, """\
V32 D[3]
lane
   0            -1  0xffffffff
   1             2  0x00000002
   2       1000000  0x000f4240
""")
    done = veu.run(*IDLE, "--var", "f:12", "--set", "V32=0.1,1*7,2*4",
                   "--show", "v32")
    tap.equal("more elements than lanes: a column for each group",
              done.out.splitlines()[2:7], [
                  "   0           0.1  0x3dcccccd             2  0x40000000",
                  "   1             1  0x3f800000             2  0x40000000",
                  "   2             1  0x3f800000             2  0x40000000",
                  "   3             1  0x3f800000             2  0x40000000",
                  "   4             1  0x3f800000"])
    done = veu.run(*IDLE, "--var", "ub:1", "--show", "V32", "--threads", 2,
                   "--groups", 2)
    tap.equal("EU threads are numbered",
              [line for line in done.out.splitlines() if "V" in line],
              [f"V32 UB[1] of thread {i}" for i in range(4)])


def test_memory(tap, veu):
    content = b"Some text\n\0\xff, and more of it"
    name = veu.file("data", content)
    done = veu.run(*IDLE, "--memory", f"0x1001:{name}", "--show", "0x1002:18")
    tap.equal("memory in hexadecimal", done.out, """\
00001002  6f 6d 65 20 74 65 78 74 0a 00 ff 2c 20 61 6e 64  |ome text..., and|
00001012  20 6d                                            | m|
""")
    done = veu.run(*IDLE, "--memory", f"0x1000:{name}", "--show",
                   "0x1000:uw:2")
    tap.equal("memory by type", done.out, """\
00001000         28499  0x6f53
00001002         25965  0x656d
""")
    top = 2 ** 64 - 4
    done = veu.run(*IDLE, "--memory", f"{top}:4", "--show", f"{top}:ud:1")
    tap.equal("the last bytes of the address space", done.out,
              "fffffffffffffffc             0  0x00000000\n")


def test_json(tap, veu):
    name = veu.file("data", struct.pack("<4f", 1.5, float("inf"), -2, 0.1))
    result = veu.json(*IDLE, "--memory", f"0x1000:{name}", "--var", "uq:1",
                      "--set", "V32=0xffffffffffffffff", "--show",
                      "0x1000:f:4", "--show", "0x1000:5", "--show", "V32")
    tap.equal("JSON", result["shown"], [
        {"address": 0x1000, "type": "F", "values": [1.5, "inf", -2, 0.1]},
        {"address": 0x1000, "data": "0000c03f00"},
        {"variable": "V32", "type": "UQ", "thread": 0,
         "values": [2 ** 64 - 1]}])
    tap.equal("JSON: nothing else",
              {key: value for key, value in result.items()
               if key != "shown"},
              {"status": "ok", "contract_count": 0, "contracts": [],
               "fault_count": 0, "faults": []})


def test_save(tap, veu):
    content = bytes(range(64))
    name = veu.file("data", content)
    done = veu.run(*IDLE, "--memory", f"0x1000:{name}", "--save",
                   "0x1008:9:piece", "--save", "0x1000:64:a:b", "--var",
                   "uw:2", "--set", "V32=1,2", "--save", "V32:variable",
                   "--threads", 2)
    tap.true("--save succeeds", done.status == 0 and not done.err, done)
    tap.equal("--save memory", veu.read("piece"), content[8:17])
    tap.equal("--save: a name with a colon", veu.read("a:b"), content)
    tap.equal("--save a variable of two EU threads", veu.read("variable"),
              bytes([1, 0, 2, 0] * 2))


def test_after_fault(tap, veu):
    """Memory is shown as the fault left it; registers are not available."""
    code = visa.scatter_scaled(4, 1, 6, visa.ud(0), 0, 32) + \
        visa.scatter_scaled(4, 1, 9, visa.ud(0), 0, 32)
    program = veu.file("program", visa.program(code, [(0, "ud", 1)],
                                               registers=32))
    args = [program, "--memory", "0x1000:4", "--surface",
            "base=0x1000,width=4", "--set", "V32=77", "--show",
            "0x1000:ud:1", "--save", "0x1000:4:out"]
    tap.equal("memory after a fault", veu.values(*args), [[77]])
    tap.equal("it is saved too", veu.read("out"), b"\x4d\0\0\0")
    done = veu.run(*args, "--save", "V32:none")
    tap.true("a variable that is not there is not saved",
             done.status == 1 and "--save V32:none: nothing is written: EU "
             "thread 0 did not reach its end" in done.err, done)


sys.exit(main(test_variable, test_memory, test_json, test_save,
              test_after_fault))
