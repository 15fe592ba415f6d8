#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: what each option does.

Usage: run_options.py VEU-RUN VEU-SPEC
"""

import math
import struct
import sys

import visa
from runner import main

COPY = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33)
# lanes 0 to 7 read dwords 0 to 7
MESSAGE = ["--message", COPY.hex(), "--simd", 8, "--var", "ud:8", "--var",
           "ud:8", "--set", "V32=0..28:4", "--surface",
           "base=0x1000,width=32", "--show", "V33"]


def data(veu):
    return ["--memory",
            "0x1000:" + veu.file("data", struct.pack("<8I", *range(10, 18)))]


def test_exec_mask(tap, veu):
    tap.equal("--exec-mask: lanes that are off stay as they are",
              veu.values(*MESSAGE, *data(veu), "--exec-mask", "0xf0",
                         "--set", "V33=1*8"),
              [[1, 1, 1, 1, 14, 15, 16, 17]])


def test_message(tap, veu):
    spaced = " ".join(f"{byte:02X}" for byte in COPY)
    tap.equal("--message: blanks and capitals",
              veu.values("--message", spaced, *MESSAGE[2:], *data(veu)),
              [[10, 11, 12, 13, 14, 15, 16, 17]])


def test_var(tap, veu):
    """Variables that overlap: V33 is the upper half of V32."""
    tap.equal("--var TYPE:ELEMENTS@OFFSET",
              veu.values("--message", COPY.hex(), "--simd", 8, "--var",
                         "ud:8@64", "--var", "UD:8@32", "--var", "ud:2@60",
                         "--set", "V34=5,6", "--show", "V33", "--show",
                         "V32", "--exec-mask", 0),
              [[0] * 7 + [5], [6] + [0] * 7])
    tap.equal("--grf 64: the next variable is in the next register",
              veu.values("--message", COPY.hex(), "--grf", 64, "--simd", 8,
                         "--var", "ud:8", "--var", "ud:8", "--var",
                         "ud:2@64", "--set", "V34=5,6", "--show", "V33",
                         "--exec-mask", 0),
              [[5, 6, 0, 0, 0, 0, 0, 0]])


def test_simd(tap, veu):
    wide = visa.gather_scaled(4, 16, 6, visa.ud(0), 32, 33)
    args = ["--message", wide.hex(), "--var", "ud:16", "--var", "ud:16",
            "--surface", "base=0x1000,width=32", *data(veu), "--show", "V33"]
    tap.equal("--simd: 16 is the default",
              veu.values(*args), [[10] * 16])
    tap.equal("--simd 8 refuses 16 lanes",
              veu.json(*args, "--simd", 8)["faults"][0]["name"],
              "MESSAGE_LANES")


def test_read_only(tap, veu):
    write = visa.scatter_scaled(4, 1, 6, visa.ud(0), 0, 0)
    args = ["--message", write.hex(), "--surface", "base=0x1000,width=4"]
    tap.equal("--memory ...:ro: a write faults",
              veu.json(*args, "--memory", "0x1000:64:ro")["faults"][0]["name"],
              "ADDRESS")
    tap.equal("--memory: a write does not",
              veu.run(*args, "--memory", "0x1000:64").status, 0)


def test_memory_ends(tap, veu):
    """Memory ends with its last byte; two adjacent areas act as one."""
    read = visa.svm_gather(8, 1, 1, 32, 33)
    args = ["--message", read.hex(), "--var", "uq:1", "--var", "uq:1",
            "--set", "V32=0x1000", "--show", "V33"]
    tap.equal("--memory: 7 bytes are not 8",
              veu.json(*args, "--memory", "0x1000:7")["faults"][0]["name"],
              "ADDRESS")
    one = veu.file("one", b"\1\2\3")
    two = veu.file("two", b"\4\5\6\7\10")
    tap.equal("--memory: two that touch",
              veu.values(*args, "--memory", f"0x1003:{two}", "--memory",
                         f"0x1000:{one}"), [[0x0807060504030201]])


def test_undefined(tap, veu):
    byte = visa.gather_scaled(1, 1, 6, visa.ud(0), 32, 33)
    args = ["--message", byte.hex(), "--var", "ud:1", "--var", "ud:1",
            "--surface", "base=0x1000,width=4", *data(veu), "--show", "V33"]
    tap.equal("--undefined: 0 is the default", veu.values(*args), [[10]])
    tap.equal("--undefined 0xab", veu.values(*args, "--undefined", "0xab"),
              [[0xababab0a]])


def typed(veu, *args):
    code = visa.scatter4_typed(1, 8, 6, 32, 0, 0, 0, 33)
    return veu.json("--message", code.hex(), "--simd", 8, "--var", "ud:8",
                    "--var", "f:8", "--memory", "0x1000:32", "--surface",
                    "type=1d,format=r32_uint,width=8,base=0x1000", *args)


def test_types(tap, veu):
    tap.equal("--strict-types: a register of another type faults",
              typed(veu, "--strict-types")["faults"][0]["name"],
              "REGISTER_TYPE")
    result = typed(veu, "--check")
    tap.equal("--check: it is reported, as are lanes that collide",
              (result["status"], sorted(c["name"] for c in
                                        result["contracts"])),
              ("ok", ["lane collision", "register type"]))
    tap.equal("without both it is allowed",
              (typed(veu)["status"], typed(veu)["contracts"]), ("ok", []))
    done = veu.run("--message", visa.scatter_scaled(
        4, 8, 6, visa.ud(0), 0, 0).hex(), "--memory", "0x1000:4",
        "--surface", "base=0x1000,width=4", "--check")
    tap.equal("--check: text", (done.status, done.err), (
        0, "veu-run: check: lane collision: thread 0, message at +0x0\n"))


def test_policy(tap, veu):
    """The first message faults in every lane; the second does not."""
    code = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33) + \
        visa.gather_scaled(4, 8, 7, visa.ud(0), 32, 33)
    program = veu.file("program", visa.program(
        code, [(0, "ud", 8), (32, "ud", 8)], registers=64))
    args = [program, "--simd", 8, "--threads", 2, "--surface",
            "base=0x9000,width=4", "--surface", "base=0x1000,width=4",
            *data(veu), "--show", "V33"]
    for policy in ("halt", "skip-command", None):
        given = ["--policy", policy] if policy else []
        result = veu.json(*args, *given)
        tap.equal(f"--policy {policy}: one fault, no result",
                  (result["fault_count"],
                   [shown["values"] for shown in result["shown"]]),
                  (1, [None, None]))
    result = veu.json(*args, "--policy", "skip-message")
    tap.equal("--policy skip-message: two faults, two results",
              ([(fault["thread"], fault["lanes"])
                for fault in result["faults"]],
               [shown["values"] for shown in result["shown"]]),
              ([(0, 0xff), (1, 0xff)], [[10] * 8] * 2))
    text = veu.run(*args)
    tap.true("text says that there is no result",
             text.out.count("the EU thread did not reach its end") == 2,
             text)


def test_many_faults(tap, veu):
    """There are more than are kept, and more than the fault queue holds."""
    code = visa.svm_gather(1, 1, 1, 32, 33) * 50
    program = veu.file("program", visa.program(
        code, [(0, "uq", 1), (32, "ud", 1)], registers=64))
    args = [program, "--threads", 100, "--policy", "skip-message"]
    result = veu.json(*args)
    tap.equal("5000 faults are counted, 1000 told",
              (result["fault_count"], len(result["faults"])), (5000, 1000))
    tap.true("text tells how many more there are",
             veu.run(*args).err.endswith("veu-run: and 4000 more faults\n"))


SETS = [
    ("ud:8", "1,2,3", [1, 2, 3, 0, 0, 0, 0, 0]),
    ("ud:8", "0..7", list(range(8))),
    ("ud:4", "3..0", [3, 2, 1, 0]),
    ("ud:4", "0..15:5", [0, 5, 10, 15]),
    ("ud:4", "10..0:4", [10, 6, 2, 0]),
    ("ud:4", "7*2,0x10", [7, 7, 16, 0]),
    ("ud:2", "-1,4294967295", [2 ** 32 - 1, 2 ** 32 - 1]),
    ("d:4", "-2..1", [-2, -1, 0, 1]),
    ("d:2", "0x80000000,2K", [-2 ** 31, 2048]),
    ("uw:2", "65535,-1", [65535, 65535]),
    ("w:2", "-32768,32767", [-32768, 32767]),
    ("ub:3", "255,-128,1", [255, 128, 1]),
    ("b:3", "255,-128,1", [-1, -128, 1]),
    ("uq:2", "0xffffffffffffffff,1G", [2 ** 64 - 1, 2 ** 30]),
    ("q:2", "-9223372036854775808,9223372036854775807",
     [-2 ** 63, 2 ** 63 - 1]),
    ("f:4", "1.5,-0.1,0x3f800000,1e30", [1.5, -0.1, 1, 1e30]),
    ("f:3", "inf,-inf,nan", ["inf", "-inf", "nan"]),
    ("df:2", "0.1,-2.5", [0.1, -2.5]),
    ("hf:4", "1.5,65504,0x3c01,-0.25", [1.5, 65504, 1.0009765625, -0.25]),
    ("hf:2", "6e-8,0x8001", [2 ** -24, -2 ** -24]),
    ("bf:3", "1,-3.140625,0x7f80", [1, -3.140625, "inf"]),
]


def close(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-12)


def test_set(tap, veu):
    for declared, text, expected in SETS:
        result = veu.values("--message", COPY.hex(), "--exec-mask", 0,
                            "--simd", 8, "--var", "ud:8", "--var", "ud:8",
                            "--var", declared, "--set", f"V34={text}",
                            "--show", "V34")[0]
        tap.true(f"--set {declared} = {text}",
                 len(result) == len(expected) and
                 all(map(close, result, expected)), result)
    bits = veu.values("--message", COPY.hex(), "--exec-mask", 0, "--simd", 8,
                      "--var", "ud:8", "--var", "ud:8", "--var", "f:1@0",
                      "--set", "V34=0.1", "--show", "V32")[0]
    tap.equal("--set: a float's bits", bits[0],
              struct.unpack("<I", struct.pack("<f", 0.1))[0])


def test_set_predicate(tap, veu):
    """A message declares the predicates that are set, and those before."""
    code = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33, pred=3)
    args = ["--message", code.hex(), *MESSAGE[2:], *data(veu)]
    tap.equal("--set P3 declares and sets P3",
              veu.values(*args, "--set", "P3=0x81"),
              [[10, 0, 0, 0, 0, 0, 0, 17]])
    tap.equal("--set P4 declares P3 too",
              veu.values(*args, "--set", "P4=1"), [[0] * 8])
    tap.equal("--set P2 does not",
              veu.json(*args, "--set", "P2=1")["faults"][0]["name"],
              "MESSAGE_PREDICATE")


def test_payload(tap, veu):
    payload = veu.file("payload", struct.pack("<I60x", 3) +
                       struct.pack("<8I", *range(0, 32, 4)))
    args = ["--message", COPY.hex(), "--simd", 8, "--var", "ud:8", "--var",
            "ud:8", "--surface", "base=0x1000,width=32", "--show", "V33",
            *data(veu), "--payload", payload]
    tap.equal("--payload: mask and registers", veu.values(*args),
              [[10, 11, 0, 0, 0, 0, 0, 0]])
    tap.equal("--payload and --exec-mask: both have to allow it",
              veu.values(*args, "--exec-mask", 2),
              [[0, 11, 0, 0, 0, 0, 0, 0]])


def surface(**fields):
    order = ["base", "format", "type", "tiling", "width", "height", "depth",
             "pitch", "qpitch", "levels", "flags"]
    values = dict.fromkeys(order, 0)
    values.update(fields)
    return struct.pack("<QHBBIIIII8xBxH20x", *(values[f] for f in order))


def test_surface(tap, veu):
    tables = veu.file("surfaces", surface(type=7) + surface(
        type=4, format=0x1ff, width=32, base=0x1000))
    code = visa.gather_scaled(4, 8, 8, visa.ud(0), 32, 33)
    args = ["--message", code.hex(), *MESSAGE[2:10], "--show", "V33",
            *data(veu)]
    tap.equal("--surface FILE: several, after those before",
              veu.values(*args, "--surface", "type=null", "--surface",
                         tables), [[10, 11, 12, 13, 14, 15, 16, 17]])
    code = visa.scatter4_typed(1, 8, 6, 32, 33, 34, 0, 35)
    veu.run("--message", code.hex(), "--simd", 8, "--var", "ud:8", "--var",
            "ud:8", "--var", "ud:8", "--var", "ud:8", "--surface",
            "type=3D,format=r32_uint,width=2,height=3,depth=2,base=0x1000",
            "--memory", "0x1000:128", "--set", "V32=1*8", "--set",
            "V33=2*8", "--set", "V34=0..7", "--set", "V35=5..12", "--save",
            "0x1000:128:out")
    # a row has 2 texels, a slice 4 rows
    expected = bytearray(128)
    for slice_, value in ((0, 5), (1, 6)):
        struct.pack_into("<I", expected, ((slice_ * 4 + 2) * 2 + 1) * 4,
                         value)
    tap.equal("--surface: pitch, qpitch and levels are filled in",
              veu.read("out"), bytes(expected))
    slm = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33)
    tap.equal("--surface slm",
              veu.values("--message", slm.hex(), *MESSAGE[2:10], "--show",
                         "V33", "--slm", 64, "--undefined", 1, "--surface",
                         "slm,base=48,width=64"),
              [[0x01010101] * 4 + [0] * 4])


def test_tiled_array(tap, veu):
    """The worked example of docs/spec.md, section 9: lane 0 is U 9, V 5, R 1,
    LOD 2; the others are beyond the last level."""
    code = visa.scatter4_typed(15, 8, 6, 32, 33, 34, 35, 36)
    veu.run("--message", code.hex(), "--simd", 8, *["--var", "ud:8"] * 4,
            "--var", "ud:32", "--surface",
            "array,type=2d,tiling=tile4,format=r8g8b8a8_uint,width=40,"
            "height=24,depth=3,levels=6,base=0x1000",
            "--memory", "0x1000:40960", "--set", "V32=9*8", "--set",
            "V33=5*8", "--set", "V34=1*8", "--set", "V35=2,6*7", "--set",
            "V36=1*8,2*8,3*8,4*8", "--save", "0x1000:40960:tiled")
    expected = bytearray(40960)
    expected[0x46d4:0x46d8] = bytes((1, 2, 3, 4))
    tap.equal("--surface: what mip levels, slices and tiles want is filled in",
              veu.read("tiled"), bytes(expected))


def test_cube(tap, veu):
    """Face 5 of a cube of 4 x 4 texels: rows of 16 bytes, 4 rows a face."""
    code = visa.scatter4_typed(1, 8, 6, 32, 33, 34, 0, 35)
    veu.run("--message", code.hex(), "--simd", 8, *["--var", "ud:8"] * 4,
            "--surface", "type=cube,format=r32_uint,width=4,base=0x1000",
            "--memory", "0x1000:384", "--set", "V32=3*8", "--set", "V33=2*8",
            "--set", "V34=5,6*7", "--set", "V35=7*8", "--save",
            "0x1000:384:cube")
    expected = bytearray(384)
    struct.pack_into("<I", expected, (5 * 4 + 2) * 16 + 12, 7)
    tap.equal("--surface: height and depth of a cube are filled in",
              veu.read("cube"), bytes(expected))


sys.exit(main(test_exec_mask, test_message, test_var, test_simd,
              test_read_only, test_memory_ends, test_undefined, test_types,
              test_policy, test_many_faults, test_set, test_set_predicate,
              test_payload, test_surface, test_tiled_array, test_cube))
