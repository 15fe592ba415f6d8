#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run --kernel: compiled kernels, compared with stored results.

Usage: run_kernels.py VEU-RUN VEU-SPEC DATA

DATA has zebins of tests/kernels/src, made by Debian 12's ocloc (22.43; "calls"
with -cl-opt-disable) and tests/kernels/strip_zebin.py. Hashes of buffers are
those that pocl 3.1 computes with the same source and arguments; "generic" has
the hash of tests/kernels/models.py, as pocl cannot compile it.
"""

import json
import os
import random
import re
import struct
import sys
from unittest import mock

from runner import main

DATA = sys.argv.pop()
VADD = ["vadd", "b:1024:randf", "b:1024:randf", "b:1024:0", "i:250"]
VADD_HASHES = ["b33147c1ef064925", "a08ff121d53ec105", "4db5afc8341d3c2e"]
# zebins, kernel and arguments, sizes, hashes of the last buffers
RUNS = [
    (["skl-vadd", "tgllp-vadd"], VADD, "256", "64", VADD_HASHES),
    (["skl-vadd", "tgllp-vadd"],
     ["saxpy", "b:1024:randf", "b:1024:randf", "f:2.5"], "256", "64",
     ["b33147c1ef064925", "22833f5459ac473f"]),
    (["skl-reduce", "tgllp-reduce"],
     ["reduce_slm", "b:4096:rand", "b:64:0", "l:512"], "1024", "128",
     ["e683f69a835d1d01", "6e5b7e168a2d0337"]),
    (["skl-reduce", "tgllp-reduce"],
     ["reduce_atomic", "b:1024:rand", "b:64:0"], "256", "64",
     ["0050f86f7474bf5e", "551a1e4beb995065"]),
    (["skl-scope"], ["pgmscope", "b:256:0", "b:256:0"], "64", "32",
     ["10c99ebee372bf83", "fbda547ea827a083"]),
    (["skl-calls"], ["calls", "b:256:idx", "b:1024:randf"], "64", "32",
     ["6c42330ce79419a8", "e68562ef90c19ecd"]),
    (["tgllp-generic"], ["generic_", "b:512:rand", "l:256"], "128", "64",
     ["f85f66baee06877e"]),
    (["skl-picture", "tgllp-picture"],
     ["image_copy", "img:16x8:R8G8B8A8_UNORM:rand",
      "img:20x12:R8G8B8A8_UNORM:0"], "20,12", "20,4",
     ["5ff261e3eee847e7", "ae6aa987ff1596cb"]),
    (["skl-picture", "tgllp-picture"],
     ["image_scale", "img:16x8:R32G32B32A32_FLOAT:randf", "b:16384:0",
      "smp:repeat,normalized", "f:-1.3", "f:0.083"], "32,32", "8,8",
     ["1514de7f69776247", "1d260ed874554baa"]),
    (["skl-picture", "tgllp-picture"],
     ["image_scale", "img:16x8:R32G32B32A32_FLOAT:randf", "b:16384:0",
      "smp:edge", "f:-3.3", "f:0.71"], "32,32", "8,8",
     ["1514de7f69776247", "86f4745f90661fd9"]),
    (["skl-skip", "tgllp-skip"],
     ["skip", "b:4096:rand", "b:4096:0", "b:64:0", "i:16"], "64", "32",
     ["e683f69a835d1d01", "a078aed0198ea6e5", "eebe4e4e51c6c683"]),
]


def zebin(name):
    return os.path.join(DATA, name + ".zebin")


def command(name, kernel, size, local, *more):
    return ["--kernel", zebin(name), *kernel, "--global", size, "--local",
            local, *more]


def hashes(veu, *args):
    return [buffer["fnv1a"] for buffer in veu.json(*args)["buffers"]]


def test_results(tap, veu):
    for names, kernel, size, local, expected in RUNS:
        for name in names:
            tap.equal(f"{name}: {kernel[0]} computes what pocl does",
                      hashes(veu, *command(name, kernel, size, local)),
                      expected)


def test_places(tap, veu):
    """Variables that share places keep their values."""
    for names, kernel, size, local, expected in RUNS:
        tap.equal(f"{names[0]}: {kernel[0]}: one place for each variable gives "
                  "the same memory",
                  hashes(veu, *command(names[0], kernel, size, local,
                                       "--one-place")), expected)


def test_first_variable(tap, veu):
    """IGC does not use V32; here vadd's local variable V53 becomes V32."""
    with open(zebin("skl-vadd"), "rb") as file:
        data = file.read()
    changed = re.sub(rb"(?<!decl )V0053", b"V0032", data)
    changed = changed.replace(b"V0032 v_type=G type=d num_elts=8 ",
                              b"V0032 v_type=G type=d num_elts=16 ")
    changed = changed.replace(b"VISA Predefined", b"VISA predefine")
    tap.equal("the test keeps the size of the file", len(changed), len(data))
    veu.file("first.zebin", changed)
    tap.equal("the first variable has a place as others have",
              hashes(veu, *command("skl-vadd", VADD, "256", "64")[2:],
                     "--kernel", "first.zebin"), VADD_HASHES)


def test_workers(tap, veu):
    for names, kernel, size, local, expected in RUNS:
        tap.equal(f"{names[0]}: {kernel[0]}: 16 workers give the same memory",
                  hashes(veu, *command(names[0], kernel, size, local,
                                       "--workers", 16)), expected)


def test_page_tables(tap, veu):
    for names, kernel, size, local, expected in RUNS:
        for workers in (1, 16):
            tap.equal(f"{names[0]}: {kernel[0]}: virtual addresses and "
                      f"{workers} workers give the same memory",
                      hashes(veu, *command(names[0], kernel, size, local,
                                           "--page-table", "--workers",
                                           workers)), expected)


def test_sizes(tap, veu):
    for local in ("1", "16", "250", "256"):
        tap.equal(f"--local {local}: the result does not depend on it",
                  hashes(veu, *command("skl-vadd", VADD, "256", local)),
                  VADD_HASHES)
    tap.equal("--global 256,1 --local 64: a size that is missing is 1",
              hashes(veu, *command("skl-vadd", VADD, "256,1", "64")),
              VADD_HASHES)
    tap.equal("--global 256,1,1 --local 64,1,1: three sizes",
              hashes(veu, *command("skl-vadd", VADD, "256,1,1", "64,1,1")),
              VADD_HASHES)
    tap.equal("--global 3 --local 2: the last group is smaller",
              hashes(veu, *command("skl-vadd",
                                   ["vadd", "b:12:idxf", "b:12:idxf", "b:12:0",
                                    "i:3"], "3", "2", "--dump", "three"))
              and veu.read("three.2.out").hex(),
              "000000000000004000008040")


INFO = ["image_info", "img:5x6:R8G8B8A8_UNORM:0", "img:3x4x5:R32_FLOAT:0",
        "img:7x8x9:R16G16_UINT:0", "img:10x11:R32_FLOAT:0", "b:64:0"]


def test_images(tap, veu):
    """Numbers of OpenCL's headers: CLK_UNORM_INT8, CLK_RGBA, CLK_FLOAT."""
    veu.run(*command("skl-picture", INFO, "1", "1", "--dump", "info"))
    tap.equal("a kernel is told the sizes and formats of images",
              list(struct.unpack("<14i", veu.read("info.4.out")[:56])),
              [5, 6, 0x10d2, 0x10b5, 3, 4, 5, 0x10de, 7, 8, 9, 0x10b2, 10, 11])
    texels = bytes(range(256)) * 2
    veu.file("texels", texels)
    veu.run(*command("skl-picture",
                     ["image_copy", "img:16x8:R8G8B8A8_UINT:texels",
                      "img:16x8:R8G8B8A8_UINT:0"], "16,8", "16,8", "--dump",
                     "same"))
    tap.equal("a file has the texels of an image, and --dump writes them",
              veu.read("same.0.out"), texels)
    veu.run(*command("skl-picture",
                     ["image_copy", "img:16x8:R8G8B8A8_UNORM_SRGB:texels",
                      "img:20x12:R32G32B32A32_FLOAT:0"], "20,12", "4,4",
                     "--dump", "linear"))
    tap.equal("texels of sRGB are read as linear colours",
              veu.read("linear.1.out")[20 * 16 * 2 + 2 * 16:][:64],
              b"".join(map(linear, (texels[i:i + 4]
                                    for i in range(0, 16, 4)))))
    for depth, order_and_type in DEPTHS:
        veu.run(*command("skl-depth", ["image_depth", f"img:16x8:{depth}:rand",
                                       "b:1024:0", "b:16:0"], "16,8", "4,4",
                         "--dump", "depth"))
        tap.equal(f"a kernel is told that {depth} is a depth",
                  veu.read("depth.2.out"),
                  struct.pack("<4i", *order_and_type, 16, 8))
    for title, args, text in IMAGE_ERRORS:
        done = veu.run(*command("skl-depth" if "depth" in args[0]
                                else "skl-picture", args, "20,12", "4,4"))
        tap.true(f"{title}: an error that says what to write",
                 done.status == 2 and text in done.err, done)


def linear(texel):
    """What a kernel reads for four bytes: colours of sRGB, and alpha."""
    colours = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
               for c in (code / 255 for code in texel[:3])]
    return struct.pack("<4f", *colours, texel[3] / 255)


# CLK_DEPTH, CLK_FLOAT and CLK_UNORM_INT16
DEPTHS = [("R32_FLOAT", (0x10bd, 0x10de)), ("R16_UNORM", (0x10bd, 0x10d3))]
IMAGE = "img:16x8:R8G8B8A8_UNORM:0"
IMAGE_ERRORS = [
    ("a buffer for an image", ["image_copy", "b:4:0", IMAGE],
     "write img:WxH:FORMAT:PATTERN"),
    ("one size of two", ["image_copy", "img:16:R8_UNORM:0", IMAGE],
     "two sizes"),
    ("no size", ["image_copy", "img:axb:R8_UNORM:0", IMAGE], "WxH"),
    ("an empty image", ["image_copy", "img:0x8:R8_UNORM:0", IMAGE],
     "1 to 16384"),
    ("an unknown format", ["image_copy", "img:4x4:RGB:0", IMAGE],
     "veu-spec formats"),
    ("a format of buffers", ["image_copy", "img:4x4:RAW:0", IMAGE],
     "do not have this format"),
    ("no pattern", ["image_copy", "img:4x4:R8_UNORM", IMAGE],
     "img:WxH:FORMAT:PATTERN"),
    ("no such file", ["image_copy", "img:4x4:R8_UNORM:absent", IMAGE],
     "absent"),
    ("a sampler that is none", ["image_scale", IMAGE, "b:15360:0", "smp:wrap",
                                "f:0", "f:1"], "edge, repeat or mirror"),
    ("sRGB that is written", ["image_copy", IMAGE,
                              "img:20x12:B8G8R8A8_UNORM_SRGB:0"],
     "write the format without _SRGB"),
    ("depths with colours", ["image_depth", IMAGE, "b:1920:0", "b:16:0"],
     "R16_UNORM or R32_FLOAT"),
    ("repeat of texels", ["image_scale", IMAGE, "b:15360:0", "smp:repeat",
                          "f:0", "f:1"], "need normalized"),
]
PRINTED = """\
[0] 3000000000 0xff|    0|0    |00000|+0 -5000000000 -7 200
0.020403 0.02 2.040267e-02   0.0204 0x1p+0|     right|left  |cu|c|%
1,2,3,0 0.500000,0.000000 1,2,-3,4
"""


def test_printf(tap, veu):
    """What pocl 3.1 prints for the same kernel."""
    args = command("skl-print", ["print_types", "b:4:0", "b:4:randf"], "1", "1")
    tap.equal("printf() prints before the results",
              veu.run(*args).out.rsplit("print_types", 1)[0], PRINTED)
    tap.equal("--json has what printf() prints", veu.json(*args)["printf"],
              PRINTED)
    done = veu.run(*command("skl-print", ["print_many", "b:128:0"], "32", "32"))
    tap.true("a full buffer is reported", done.status == 0 and
             "more than fits" in done.err and "31 0\n" in done.out,
             done.err)


def test_budget(tap, veu):
    args = command("skl-vadd", VADD, "256", "64")
    done = veu.run(*args, "--budget", 1)
    tap.true("--budget ends a launch that costs more", done.status == 1 and
             "BUDGET" in done.out + done.err, done)
    tap.equal("--budget does not change one that costs less",
              hashes(veu, *args, "--budget", 1000000), VADD_HASHES)
    done = veu.run(*args, "--budget", "many")
    tap.true("--budget that is no number", done.status == 2 and
             "number below 2^32" in done.err, done)


def test_outputs(tap, veu):
    done = veu.run(*command("skl-vadd", VADD, "256", "64", "--dump", "out",
                            "--repeat", 3, "--time"))
    tap.equal("--dump writes each buffer",
              [len(veu.read(f"out.{i}.out")) for i in range(3)], [1024] * 3)
    tap.true("--time says how long the runs took",
              " best " in done.out and "per work-item" in done.out, done)
    result = veu.json(*command("skl-vadd", VADD, "256", "64", "--time"))
    tap.true("--json --time has numbers", result["best_us"] > 0 and
              result["best_us"] <= result["first_us"], result)


LINES = command("skl-lines", ["vadd", "b:64:0", "b:64:0", "b:64:0", "i:4"],
                "8", "8")
# line 5 finds i, 6 compares it, 7 adds and 8 returns: tests/kernels/src/vadd.cl
ALL_LINES = ["5", "6", "7", "8"]


def lines_of(text):
    return re.findall(r"^/\S*/skl-lines\.cl:(\d+)$", text, re.MULTILINE)


def line_of(row):
    return row.get("source", ":").rsplit(":", 1)[1]


def instructions_by_line(rows):
    """The operations of each line, without masks and operands."""
    found = {}
    for row in rows:
        found.setdefault(line_of(row), set()).add(
            row["instruction"].split()[0])
    return found


def test_lines(tap, veu):
    done = veu.run(*LINES, "--trace")
    tap.equal("--trace prints each line of the source once",
              lines_of(done.err), ALL_LINES)
    done = veu.run(*LINES, "--profile")
    tap.equal("--profile, too", lines_of(done.out), ALL_LINES)
    for option in "trace", "profile":
        found = instructions_by_line(veu.json(*LINES, "--" + option)[option])
        tap.true(f"--json --{option} has the line of each instruction",
                 found["6"] > {"cmp.lt"} and found["8"] == {"ret"} and
                 found["7"] > {"gather4_scaled.R", "scatter4_scaled.R"} and
                 not found["5"] & {"cmp.lt", "gather4_scaled.R"}, found)
    rows = veu.json(*LINES, "--trace")["trace"]
    at, = [row["offset"] for row in rows
           if row["instruction"].startswith("cmp.lt (M1,")]
    done = veu.run(*LINES, "--break", hex(at))
    tap.true("--break prints the line", re.search(
        r"^/\S*/skl-lines\.cl:6\nthread 0 stopped at", done.err), done)
    address = next(row["accesses"][0]["address"] for row in rows
                   if "accesses" in row)
    done = veu.run(*LINES, "--watch", f"{address}:4")
    tap.true("--watch prints the line", lines_of(done.err) == ["7"] and
             "gather4_scaled" in done.err, done)


def test_lines_of_faults(tap, veu):
    args = [*LINES, "--fault-inject",
            "action=fault:ADDRESS opcode=gather4_scaled nth=2"]
    done = veu.run(*args)
    tap.true("--fault-inject is about kernels, too", done.status == 1 and
             "ADDRESS" in done.err and "matched 2, fired 1" in done.err, done)
    tap.true("a fault has a line", re.search(
        r"^ +source +/\S*/skl-lines\.cl:7$", done.err, re.MULTILINE), done)
    done = veu.run(*LINES, "--fault-inject", "nonsense")
    tap.true("a rule that is none", done.status == 2 and
             "rule 1: 'nonsense' is no key" in done.err, done)
    veu.run(*args, "--capture", "fault.veucap")
    done = veu.run("--state", "fault.veucap")
    tap.true("--state prints the line", re.search(
        r"^thread 0 of group 0 at .*, /\S*/skl-lines\.cl:7$", done.out,
        re.MULTILINE), done)
    state = json.loads(veu.run("--state", "fault.veucap", "--json").out)
    tap.equal("--json --state has it", [line_of(t) for t in state["threads"]],
              ["7"])


# A compiler that stores what it is told, and leaves what ocloc leaves.
OCLOC = """#!/bin/sh
printf '%s\\n' "$@" > told
cp told "$TOLD"
rm told
touch kernel.visaasm
pwd > "$FOLDER"
while test "$1" != -output; do shift; done
touch "$2.spv"
echo object > "$2"
"""


def test_compile(tap, veu):
    os.mkdir(os.path.join(veu.folder, "bin"))
    os.chmod(os.path.join(veu.folder, veu.file("bin/ocloc", OCLOC.encode())),
             0o755)
    names = {"TOLD": os.path.join(veu.folder, "told"),
             "FOLDER": os.path.join(veu.folder, "folder"),
             "PATH": os.path.join(veu.folder, "bin") + ":" +
             os.environ["PATH"]}
    with mock.patch.dict(os.environ, names):
        check_compile(tap, veu)
        veu.file("bin/ocloc", b"#!/bin/sh\necho no such type; exit 1\n")
        done = veu.run("--compile", "k.cl", "--device", "skl")
        tap.true("errors of the compiler", done.status == 2 and
                 "no such type" in done.err and
                 "--compile k.cl: ocloc failed" in done.err, done)
        os.environ["PATH"] = "/nonexistent"
        done = veu.run("--compile", "k.cl", "--device", "skl")
        tap.true("no compiler", done.status == 2 and
                 "cannot run ocloc" in done.err, done)


def check_compile(tap, veu):
    veu.file("k.cl", b"")
    done = veu.run("--compile", "k.cl", "--device", "tgllp", "--", "-g", "-O0")
    told = veu.read("told").decode().split("\n")
    options = dict(zip(told[1:], told[2:]))
    tap.true("--compile names what it has written", done.status == 0 and
             done.out == "k.zebin\n" and veu.read("k.zebin") == b"object\n",
             done)
    tap.equal("ocloc's command", (told[0], options["-file"],
                                  options["-device"], options["-options"]),
              ("compile", os.path.join(veu.folder, "k.cl"), "tgllp", "-g -O0"))
    tap.true("vISA text is asked for", "-cl-intel-emit-zebin-visa-sections" in
             options["-internal_options"], told)
    tap.equal("nothing else is left",
              (os.path.exists(os.path.join(veu.folder, "k.zebin.spv")),
               os.path.exists(veu.read("folder").decode().strip())),
              (False, False))
    veu.run("--compile", "k.cl", "--device", "skl")
    told = veu.read("told").decode().split("\n")
    tap.true("options that are not given", told[told.index("-options") + 1] ==
             "-cl-std=CL2.0" and "skl" in told, told)
    for args in [], ["--device", "sky"]:
        done = veu.run("--compile", "k.cl", *args)
        tap.true("no device, or none that is known", done.status == 2 and
                 "write skl or tgllp" in done.err, done)


def test_list(tap, veu):
    done = veu.run("--kernel", zebin("skl-vadd"), "--list")
    tap.true("--list names kernels and what to write for arguments",
              "vadd b:BYTES:PATTERN b:BYTES:PATTERN b:BYTES:PATTERN i:INT\n"
              in done.out and "saxpy" in done.out, done)
    kernels = json.loads(
        veu.run("--kernel", zebin("skl-vadd"), "--list", "--json").out)
    tap.equal("--list --json", [(k["name"], [a["kind"] for a in k["arguments"]])
                                for k in kernels["kernels"]],
              [("vadd", ["buffer", "buffer", "buffer", "value"]),
               ("saxpy", ["buffer", "buffer", "value"])])
    tap.true("a program has no hash that depends on where its data is",
             "program_hash" not in veu.run("--kernel", zebin("skl-scope"),
                                           "--list", "--json").out)
    run = command("skl-vadd", VADD, "256", "64")
    tap.true("the hashes are those that --capture-rules takes",
             veu.run(*run, "--capture", "c.veucap", "--capture-rules",
                     f"program={kernels['kernels'][0]['program_hash']}"
                     ).status == 0 and
             veu.run(*run, "--capture", "c.veucap", "--capture-rules",
                     f"program={kernels['kernels'][1]['program_hash']}"
                     ).status == 2)
    tap.true("--list prints them",
             f"vadd: SIMD32, hash {kernels['kernels'][0]['program_hash']}\n" in
             done.out, done)


ERRORS = [
    ("an unknown kernel", ["nothing"], "256", "64", "the file has vadd, saxpy"),
    ("too few arguments", VADD[:4], "256", "64", "has 4 arguments, not 3"),
    ("a number for a buffer", ["vadd", "i:1", *VADD[2:]], "256", "64",
     "write b:BYTES:PATTERN"),
    ("a buffer for a number", [*VADD[:4], "b:4:0"], "256", "64", "write i:INT"),
    ("an unknown form", ["vadd", "x:1", *VADD[2:]], "256", "64",
     "write b:BYTES:PATTERN, l:BYTES"),
    ("an unknown pattern", ["vadd", "b:4:ones", *VADD[2:]], "256", "64",
     "0, idx, idxf, rand or randf"),
    ("an empty buffer", ["vadd", "b:0:0", *VADD[2:]], "256", "64",
     "1 byte to 1G"),
    ("no number", [*VADD[:4], "i:many"], "256", "64", "integer of 32 bits"),
    ("a float for an int", [*VADD[:4], "f:250"], "256", "64", "write i:INT"),
    ("a double for an int", [*VADD[:4], "d:250"], "256", "64", "write i:INT"),
    ("64 bits for an int", [*VADD[:4], "u64:250"], "256", "64",
     "it has 4 bytes: write i:INT"),
    ("an int for a float", ["saxpy", *VADD[1:3], "i:2"], "256", "64",
     "write f:FLOAT"),
    ("a double for a float", ["saxpy", *VADD[1:3], "d:2"], "256", "64",
     "write f:FLOAT"),
    ("64 bits for a float", ["saxpy", *VADD[1:3], "u64:2"], "256", "64",
     "write f:FLOAT"),
    ("a size of 0", VADD, "0", "64", "1 or more"),
    ("four dimensions", VADD, "1,1,1,1", "1", "X,Y,Z"),
    ("more dimensions in --local", VADD, "64", "16,4", "cannot have more"),
    ("a group that is too large", VADD, "16384", "8192", "at most 4096"),
]


# Replacements of equal length in .ze_info, and the messages for them.
LIMITS = [
    ("an argument beyond the most", b"arg_index:       3",
     b"arg_index:    1024", "arg_index is '1024', not a number from 0 to 1023"),
    ("a payload beyond the most", b"offset:          56",
     b"offset:       99999", "not a number from 0 to 32768"),
    ("a surface beyond the table", b"bti_value:       1",
     b"bti_value:     250", "bti_value is '250', not a number from 0 to 249"),
    ("a kernel of 64 lanes", b"simd_size:       32", b"simd_size:       64",
     "simd_size is '64', not a number from 0 to 32"),
    ("a kernel of 4 lanes", b"simd_size:       32", b"simd_size:       4 ",
     "its SIMD size is 4, not 8, 16 or 32"),
]


def test_limits(tap, veu):
    with open(zebin("skl-vadd"), "rb") as file:
        data = file.read()
    for title, old, new, text in LIMITS:
        assert len(old) == len(new), title
        tap.true(f"{title}: the test finds what it changes", old in data)
        veu.file("limit.zebin", data.replace(old, new))
        done = veu.run(*command("skl-vadd", VADD, "256", "64")[2:], "--kernel",
                       "limit.zebin")
        tap.true(f"{title}: an error", done.status == 2 and text in done.err,
                 done)

# What describes a program, and the message that says what to write for a
# kernel instead.
REFUSED = [
    (option, value, text) for text, options in (
        ("--kernel runs a compiled kernel", [("message", "00")]),
        ("the kernel's arguments describe its memory", [
            ("var", "ud:8"), ("memory", "0:16"), ("surface", "base=0,width=1"),
            ("set", "V32=1"), ("payload", "file"), ("payload-stride", "0"),
            ("stateless", "0:16")]),
        ("--kernel maps its buffers itself with --page-table",
         [("map", "0x1000=1")]),
        ("an argument l:BYTES is shared local memory", [("slm", "64")]),
        ("the kernel, --global and --local determine it", [
            ("exec-mask", "1"), ("simd", "16"), ("grf", "32"),
            ("threads", "1"), ("groups", "1")]),
        ("--dump writes the kernel's buffers", [
            ("show", "V32"), ("save", "V32:file")]))
    for option, value in options]


def test_refused(tap, veu):
    for option, value, text in REFUSED:
        done = veu.run(*command("skl-vadd", VADD, "256", "64"), "--" + option,
                       value)
        tap.equal(f"--{option} is not for kernels", (done.status, done.err),
                  (2, f"veu-run: --{option} {value}: omit it: {text}\n"))


def test_errors(tap, veu):
    for title, kernel, size, local, text in ERRORS:
        done = veu.run(*command("skl-vadd", kernel, size, local))
        tap.true(f"{title}: an error that says what to write",
                  done.status == 2 and text in done.err, done)
    with open(zebin("skl-vadd"), "rb") as file:
        data = file.read()
    veu.file("both.zebin", data.replace(b"arg_index:       3",
                                        b"arg_index:       0"))
    done = veu.run("--kernel", "both.zebin", "--list")
    tap.true("an argument that is a value and a pointer", done.status == 2 and
             "argument 0 is a value and a pointer" in done.err, done)
    veu.file("line.zebin", data.replace(b" add (", b" xxx ("))
    done = veu.run(*command("skl-vadd", VADD, "256", "64")[2:], "--kernel",
                   "line.zebin")
    tap.true("an error in vISA text has its line", done.status == 2 and
             " of its vISA text)" in done.err, done)
    veu.file("text", b"not ELF")
    done = veu.run("--kernel", "text", "vadd")
    tap.true("a file that is no zebin", done.status == 2 and
              "not a zebin" in done.err, done)
    done = veu.run("--compile", "text", "--device", "gen13")
    tap.true("--device", done.status == 2 and "skl or tgllp" in done.err, done)


def damage(data, chance):
    """Changes up to eight bytes, mostly in the text, where bits mean more."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.choice(
            [chance.randrange(256), 0, 0xff, ord(" "), ord("9"), ord("-")])
    if chance.random() < 0.1:
        del data[chance.randrange(len(data)):]
    return bytes(data)


def test_many_groups(tap, veu):
    """A launch has at most 1,048,576 groups; a range may have more."""
    items = 1048576 + 24
    size = items * 4
    kernel = ["vadd", f"b:{size}:randf", f"b:{size}:randf", f"b:{size}:0",
              f"i:{items}"]
    tap.equal("groups of one item, a million and some",
              hashes(veu, *command("skl-vadd", kernel, str(items), "1")),
              hashes(veu, *command("skl-vadd", kernel, str(items), "64")))
    done = veu.run(*command("skl-vadd", VADD, "20000000", "1"))
    tap.true("more than six million are refused",
             done.status == 2 and
             "more than 6291456 groups: choose a larger local size"
             in done.err, str(done))


def test_hostile(tap, veu):
    """A damaged file ends with an exit status, never with a signal."""
    chance = random.Random(21)
    for name, kernel, size, local in (
            ("skl-scope", RUNS[4][1], "64", "32"),
            ("skl-picture", INFO, "1", "1"),
            ("skl-print", ["print_types", "b:4:0", "b:4:randf"], "1", "1"),
            ("skl-vadd", VADD, "256", "64")):
        with open(zebin(name), "rb") as file:
            data = file.read()
        bad = []
        for _ in range(60):
            veu.file("damaged.zebin", damage(data, chance))
            done = veu.run("--kernel", "damaged.zebin", *kernel, "--global",
                           size, "--local", local)
            if done.status not in (0, 1, 2):
                bad.append(done)
        tap.equal(f"{name}: damaged files are errors, faults or results",
                  [str(done) for done in bad], [])


def test_single_instructions(tap, veu):
    args = command("skl-vadd", VADD, "256", "64", "--workers", "4")
    done = veu.run(*args, "--trace")
    lines = [line.split(" ", 3) for line in done.err.splitlines()
             if line.startswith("thread ")]
    at, text = next((line[2][1:], line[3]) for line in lines
                    if line[1] == "0" and "scatter4_scaled" in line[3])
    tap.equal("--trace has the instructions of all EU threads, each thread "
              "from its first on",
              [next(line[2] for line in lines if line[1] == str(thread))
               for thread in range(8)], ["+0x0"] * 8)
    tap.true("and what messages access", "0:0x" in text, text[:200])
    tap.equal("the results are the same", hashes(veu, *args, "--trace"),
              VADD_HASHES)
    stopped = veu.json(*args, "--break", at)
    tap.equal("--break stops before the first store",
              (stopped["status"], stopped["states"][0]["offset"]),
              ("stopped", int(at, 16)))
    states = veu.json(*args, "--registers")["states"]
    tap.equal("--registers has each EU thread, and its group in r0",
              sorted((s["thread"], int(s["registers"][8:10], 16))
                     for s in states), [(n, n // 2) for n in range(8)])


sys.exit(main(test_results, test_places, test_first_variable,
              test_workers, test_page_tables, test_sizes,
              test_images, test_printf, test_budget, test_outputs,
              test_single_instructions, test_many_groups, test_list,
              test_lines, test_lines_of_faults, test_compile,
              test_limits, test_errors, test_refused, test_hostile))
