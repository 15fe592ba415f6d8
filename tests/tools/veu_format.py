#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-format: its commands, options and errors.

Usage: veu_format.py VEU-FORMAT

The conversions themselves are compared with a second implementation by the
unit tests; these tests have values computed by hand, and tiles from the tables
of surfaces.md.
"""

import contextlib
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import time

from data import rows
from tap import Tap

TOOL = os.path.abspath(sys.argv[1])


def run(*args, data=b""):
    return subprocess.run([TOOL, *map(str, args)], input=data,
                          capture_output=True, check=False, timeout=60,
                          env=dict(os.environ, LC_ALL="C"))


def good(*args, data=b""):
    done = run(*args, data=data)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def words(*values):
    return struct.pack(f"<{len(values)}I",
                       *(value & 0xffffffff for value in values))


def test_list(tap):
    lines = good("list").decode().splitlines()
    formats = json.loads(good("list", "--json"))["formats"]
    tap.equal("list has a line for each format, and a head",
              [line.split()[:3] for line in lines[1:]],
              [[f"0x{row['code']:03x}", row["name"], str(row["bytes"])]
               for row in formats])
    tap.equal("there are 49 formats and RAW", len(formats), 50)
    by_name = {row["name"]: row for row in formats}
    tap.equal("a format with channels of two types",
              [(c["name"], c["bit"], c["bits"], c["type"]) for c in
               by_name["R10G10B10_FLOAT_A2_UNORM"]["channels"]],
              [("R", 0, 10, "UFLOAT"), ("G", 10, 10, "UFLOAT"),
               ("B", 20, 10, "UFLOAT"), ("A", 30, 2, "UNORM")])
    tap.equal("RAW", by_name["RAW"],
              {"code": 0x1ff, "name": "RAW", "bytes": 1, "register": None,
               "atomics": False, "channels": []})
    tap.equal("typed atomics", sorted(name for name, row in by_name.items()
                                      if row["atomics"]),
              ["R16_FLOAT", "R16_SINT", "R16_UINT", "R32_FLOAT", "R32_SINT",
               "R32_UINT"])
    tap.equal("registers", {row["register"] for row in formats},
              {"F", "D", "UD", None})


def test_table(tap):
    wanted = [[code.lower(), name, str(int(bits) // 8), layout.split()]
              for code, name, bits, layout, *_ in rows("surface_formats.tsv")
              if code != "code"]
    found = [[*line.split()[:3], line.split()[4:]]
             for line in good("list").decode().splitlines()[1:]]
    tap.equal("the formats are those of the hardware", found, wanted)


def test_pack(tap):
    one = floats(1.0, 0.5, 0.25, -3.0)
    tap.equal("pack", good("pack", "R8G8B8A8_UNORM", data=one),
              b"\xff\x80\x40\x00")
    tap.equal("a name in any case",
              good("pack", "b8g8R8a8_unorm", data=one), b"\x40\x80\xff\x00")
    tap.equal("a code", good("pack", "0x0c7", data=one), b"\xff\x80\x40\x00")
    tap.equal("channels that the format lacks are dropped",
              good("pack", "R16_FLOAT", data=one), b"\x00\x3c")
    tap.equal("integers clamp",
              good("pack", "R8G8B8A8_SINT", data=words(5, -6, 1000, -1000)),
              b"\x05\xfa\x7f\x80")
    tap.equal("X bits are 0",
              good("pack", "B5G5R5X1_UNORM", data=floats(1, 1, 1, 1)),
              b"\xff\x7f")
    tap.equal("no input, no output", good("pack", "R8_UINT"), b"")


def test_unpack(tap):
    tap.equal("unpack",
              good("unpack", "R8G8B8A8_SNORM", data=b"\x7f\x81\x80\0"),
              floats(1.0, -1.0, -1.0, 0.0))
    tap.equal("what the format lacks is 0, and alpha 1",
              good("unpack", "R8_UNORM", data=b"\xff"), floats(1, 0, 0, 1))
    tap.equal("alpha of integers",
              good("unpack", "R8G8_SINT", data=b"\xff\x80"),
              words(-1, -128, 0, 1))
    texels = bytes(range(256)) * 4096
    back = good("pack", "R8G8B8A8_UINT",
                data=good("unpack", "R8G8B8A8_UINT", data=texels))
    tap.equal("a mebibyte there and back", back == texels, True)
    for name in ("R11G11B10_FLOAT", "R10G10B10A2_UNORM", "B5G6R5_UNORM"):
        some = good("unpack", name, data=b"\x12\x34\x56\x12" * 33)
        tap.equal(f"33 texels of {name} there and back",
                  good("pack", name, data=some), b"\x12\x34\x56\x12" * 33)


def test_type(tap):
    tap.equal("the format's own type changes nothing",
              good("pack", "R32_FLOAT", "--type", "f",
                   data=words(0x7f800001, 0, 0, 0)), words(0x7f800001))
    tap.equal("floats for SINT are numbers",
              good("pack", "R8G8B8A8_SINT", "--type", "F",
                   data=floats(5.0, -2.5, 3.5, float("nan"))),
              b"\x05\xfe\x04\x00")
    tap.equal("floats for UINT clamp",
              good("pack", "R32_UINT", "--type", "f",
                   data=floats(-1.0, 0, 0, 0) + floats(1e10, 0, 0, 0)),
              words(0, 0xffffffff))
    tap.equal("integers for UNORM are numbers",
              good("pack", "R8G8_UNORM", "--type", "d",
                   data=words(1, -1, 0, 0)), b"\xff\x00")
    tap.equal("D for UINT, UD for SINT",
              (good("pack", "R32_UINT", "--type=d", data=words(-5, 0, 0, 0)),
               good("pack", "R32_SINT", "--type=ud",
                    data=words(0xfffffff0, 0, 0, 0))),
              (words(0), words(0x7fffffff)))
    tap.equal("integers keep all their bits",
              (good("pack", "R32_SINT", "--type=ud",
                    data=words(0x3ed403d5, 0, 0, 0)),
               good("unpack", "R32_UINT", "--type=d", "--channels=R",
                    data=words(0x3ed403d5))),
              (words(0x3ed403d5), words(0x3ed403d5)))
    tap.equal("unpack SINT as floats",
              good("unpack", "R8G8B8A8_SINT", "--type", "f",
                   data=b"\x05\xfa\x7f\x80"), floats(5, -6, 127, -128))
    tap.equal("unpack floats as integers",
              good("unpack", "R32G32B32A32_FLOAT", "--type", "d",
                   data=floats(2.5, -3.0, 1e20, float("-inf"))),
              words(2, -3, 0x7fffffff, 0x80000000))


def test_channels(tap):
    tap.equal("words of the chosen channels only",
              good("pack", "R8G8B8A8_UINT", "--channels", "GA",
                   data=words(1, 2, 3, 4)), b"\0\1\0\2\0\3\0\4")
    tap.equal("any order and case",
              good("unpack", "R8G8B8A8_UINT", "--channels", "br",
                   data=b"\1\2\3\4"), words(1, 3))
    with tempfile.NamedTemporaryFile() as onto:
        onto.write(b"\xaa\xbb\xcc\xdd" * 2)
        onto.flush()
        options = ("R8G8B8A8_UINT", "--channels", "G", "--onto", onto.name)
        tap.equal("onto", good("pack", *options, data=words(1, 2)),
                  b"\xaa\x01\xcc\xdd\xaa\x02\xcc\xdd")
        for count, text in ((1, "it has more texels"),
                            (3, "it has fewer texels")):
            done = run("pack", *options, data=words(*range(count)))
            tap.true(f"--onto with 2 texels for {count}",
                     done.returncode == 1 and text in done.stderr.decode(),
                     done)


def tiled_offset(tiling, x, y, pitch):
    """The formulas of surfaces.md, for a byte."""
    width, height = {"x": (512, 8), "y": (128, 32), "tile4": (128, 32)}[tiling]
    u, v = x % width, y % height
    inside = {
        "x": v * 512 + u,
        "y": (u >> 4) * 512 + v * 16 + (u & 15),
        "tile4": (u & 15) | (v & 3) << 4 | ((u >> 4) & 3) << 6 |
                 ((v >> 2) & 1) << 8 | ((u >> 6) & 1) << 9 |
                 ((v >> 3) & 3) << 10,
    }[tiling]
    return 4096 * ((y // height) * (pitch // width) + x // width) + inside


def expected_tiles(tiling, image, row, pitch):
    height = {"x": 8, "y": 32, "tile4": 32}[tiling]
    rows = len(image) // row
    out = bytearray(-(-rows // height) * height * pitch)
    for at, byte in enumerate(image):
        out[tiled_offset(tiling, at % row, at // row, pitch)] = byte
    return bytes(out)


def test_tiles(tap):
    for tiling, bpp, width, height, pitch in (
            ("x", 32, 200, 21, 1024), ("y", 8, 300, 70, 384),
            ("tile4", 16, 100, 65, 256), ("tile4", 128, 9, 33, 512),
            ("Y", 64, 16, 32, 128), ("X", 8, 1, 1, 512)):
        row = width * bpp // 8
        image = os.urandom(row * height)
        options = ("--tiling", tiling, "--bpp", bpp, "--width", width,
                   "--height", height, "--pitch", pitch)
        tiles = good("tile", *options, data=image)
        tap.true(f"tile {options}", tiles == expected_tiles(
            tiling.lower(), image, row, pitch))
        tap.true("and back", good("untile", *options, data=tiles) == image)
    image = os.urandom(4 * 4)
    by_format = ("R8G8B8A8_UNORM", "--tiling=tile4", "--width=2", "--height=2")
    tap.true("a FORMAT in place of --bpp, the least pitch",
             good("tile", *by_format, data=image) ==
             expected_tiles("tile4", image, 8, 128))


SIZE = ("--bpp", "8", "--width", "4", "--height", "2")

USAGE_ERRORS = (
    ([], "write list, pack, unpack"),
    (["frobnicate"], "no command is named 'frobnicate'"),
    (["pack"], "FORMAT is missing"),
    (["pack", "R9"], "no format is named 'R9'"),
    (["pack", "0x999"], "no format is named '0x999'"),
    (["pack", "RAW"], "RAW has no channels"),
    (["pack", "R8_UINT", "more"], "does not take 'more'"),
    (["pack", "R8_UINT", "--json"], "pack does not take --json"),
    (["unpack", "R8_UINT", "--onto", "x"], "unpack does not take --onto"),
    (["list", "R8_UINT"], "list does not take 'R8_UINT'"),
    (["list", "--width", "3"], "list does not take --width"),
    (["pack", "R8_UINT", "--type", "hf"], "--type hf: write f, d or ud"),
    (["pack", "R8_UINT", "--channels", ""], "--channels"),
    (["pack", "R8_UINT", "--channels", "RR"], "each once"),
    (["pack", "R8_UINT", "--channels", "XR"], "each once"),
    (["pack", "R8_UINT", "--onto", "/nonexistent"], "No such file"),
    (["tile", *SIZE], "--tiling is missing"),
    (["tile", "--tiling", "w", *SIZE], "--tiling w: write x, y or tile4"),
    (["tile", "--tiling", "x", "R8_UINT", *SIZE], "write a FORMAT, or --bpp"),
    (["tile", "--tiling", "x", "--width", "1", "--height", "1"],
     "write a FORMAT, or --bpp"),
    (["tile", "RAW", "--tiling", "x", "--width", "1", "--height", "1"],
     "RAW is not a format of images"),
    (["tile", "--tiling", "x", "--bpp", "24", *SIZE[2:]], "--bpp 24"),
    (["tile", "--tiling", "x", *SIZE[:4]], "--height is missing"),
    (["tile", "--tiling", "x", *SIZE[:4], "--height", "x"], "write a number"),
    (["tile", "--tiling", "x", *SIZE[:4], "--height", "0"], "--height 0"),
    (["tile", "--tiling", "x", *SIZE[:4], "--height", "16385"],
     "1 to 16384 rows"),
    (["tile", "--tiling", "x", *SIZE[:2], "--width", "-1", *SIZE[4:]],
     "write a number"),
    (["tile", "--tiling", "x", *SIZE[:2], "--width", "4294967295", *SIZE[4:]],
     "1 to 16384 texels"),
    (["tile", "--tiling", "x", *SIZE, "--pitch", "128"],
     "--pitch 128: write a multiple of 512"),
    (["untile", "--tiling", "y", *SIZE, "--pitch", "0"], "--pitch 0"),
    (["tile", "--tiling", "y", *SIZE, "--pitch", "1M"], "at most 262144"),
    (["tile", "--frobnicate"], "--frobnicate"),
)


def test_errors(tap):
    for args, text in USAGE_ERRORS:
        done = run(*args)
        error = done.stderr.decode()
        tap.true(f"{args}: exit status 2 and '{text}'",
                 done.returncode == 2 and done.stdout == b"" and
                 error.startswith("veu-format: ") and text in error and
                 error.count("\n") == 1, done)
    done = run("pack", "R8_UINT", data=words(1, 0, 0, 0) + b"abc")
    tap.true("a word is missing: what is whole has been written",
             done.returncode == 1 and done.stdout == b"" and
             b"ends within texel 1: it has 3 of 16 bytes" in done.stderr, done)
    done = run("unpack", "R32_UINT", data=bytes(4 * 8192) + b"abc")
    tap.true("a truncated texel after a chunk", done.returncode == 1 and
             len(done.stdout) == 16 * 8192 and
             b"ends within texel 8192" in done.stderr, done.stderr)
    for command, data, text in (
            ("tile", bytes(7), "has 8"), ("untile", bytes(4095), "has 4096"),
            ("tile", bytes(10), "is longer"),
            ("untile", bytes(4098), "is longer"),
            ("tile", b"", "ends after 0")):
        done = run(command, "--tiling", "y", *SIZE, data=data)
        tap.true(f"{command} {len(data)} bytes: {text}", done.returncode == 1
                 and text in done.stderr.decode(), done.stderr)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([TOOL, "unpack", "R8_UINT"], input=b"abc",
                              stdout=full, stderr=subprocess.PIPE, check=False)
    tap.true("a full disk is told", done.returncode == 1 and
             b"cannot write" in done.stderr, done)


def read_terminal(master):
    """Returns what was written to a terminal whose writers have ended."""
    text = b""
    with contextlib.suppress(OSError):
        while more := os.read(master, 4096):
            text += more
    os.close(master)
    return text.decode()


def test_progress(tap):
    """Progress appears only on a terminal, after a second."""
    try:
        master, terminal = pty.openpty()
    except OSError as error:
        tap.skip("progress is told", f"no terminal: {error}")
        return
    with subprocess.Popen([TOOL, "unpack", "R8_UINT"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, stderr=terminal) as tool:
        os.close(terminal)
        for _ in range(8):
            tool.stdin.write(bytes(64 * 1024))
            tool.stdin.flush()
            time.sleep(0.25)
        tool.stdin.close()
        tool.wait()
    text = read_terminal(master)
    tap.true("progress is told", "veu-format: unpack: 0 MiB" in text, text)
    tap.true("... on a line that ends", text.endswith("\n"), text)


def test_progress_of_a_file(tap):
    """Its size is known. The test reads no output for a second."""
    try:
        master, terminal = pty.openpty()
    except OSError as error:
        tap.skip("progress of a file is told", f"no terminal: {error}")
        return
    with tempfile.TemporaryFile() as file:
        file.write(bytes(1024 * 1024))
        file.seek(0)
        with subprocess.Popen([TOOL, "unpack", "R8_UINT"], stdin=file,
                              stdout=subprocess.PIPE,
                              stderr=terminal) as tool:
            os.close(terminal)
            time.sleep(1.25)
            tool.stdout.read()
    text = read_terminal(master)
    tap.true("progress of a file is told",
             re.search(r"unpack: [01] of 1 MiB \(\d+ %\)", text), text)


def main():
    tap = Tap()
    for test in (test_list, test_table, test_pack, test_unpack, test_type,
                 test_channels, test_tiles, test_errors, test_progress,
                 test_progress_of_a_file):
        tap.run(test)
    return tap.done()


sys.exit(main())
