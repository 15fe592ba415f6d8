#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: messages and programs do what docs/spec.md says.

Usage: run_runs.py VEU-RUN VEU-SPEC

Memory comes from files and goes to files. The expected results are computed
here.
"""

import random
import struct
import sys

import visa
from runner import main

RAM = 0x10000


def dwords(values):
    return struct.pack(f"<{len(values)}I", *values)


def test_gather(tap, veu):
    """Of a program file: random indices, some out of bounds."""
    rng = random.Random(1)
    for element, grf, lanes in ((4, 32, 16), (2, 32, 8), (1, 64, 16),
                                (4, 64, 1)):
        content = rng.randbytes(64 * element)
        offsets = [rng.randrange(80) for _ in range(16)]
        code = visa.gather(element, lanes, 6, visa.ud(3), 32, 33)
        veu.file("data", content)
        veu.file("program", visa.program(
            code, [(0, "ud", 16), (64, "d", 16)], grf=grf))
        done = veu.run("program", "--memory", f"{RAM}:data", "--surface",
                       f"base={RAM},width={len(content)}", "--set",
                       "V32=" + ",".join(map(str, offsets)),
                       "--save", "V33:out")
        expected = [0] * 16
        for lane in range(lanes):
            at = (offsets[lane] + 3) * element
            if at + element <= len(content):
                expected[lane] = int.from_bytes(content[at:at + element],
                                                "little")
        tap.true(f"gather.{element} (M1, {lanes}), GRF {grf}: status",
                 done.status == 0 and not done.err and not done.out, done)
        tap.equal(f"gather.{element} (M1, {lanes}), GRF {grf}: lanes",
                  veu.read("out"), dwords(expected))


def test_address_variables(tap, veu):
    """A1(1) points 4 bytes after the dword that is added to the offsets."""
    content = bytes(range(64))
    veu.file("data", content)
    code = visa.gather(1, 8, 6, visa.indirect(1, 1, -4, "ud"), 32, 33)
    veu.file("program", visa.program(
        code, [(0, "ud", 8), (32, "ud", 8), (64, "ud", 4)], [8, 8, 8],
        addresses=[3, 2]))
    result = veu.values(
        "program", "--memory", f"{RAM}:data", "--surface",
        f"base={RAM},width=64", "--set", "V32=0..7", "--set", "V34=1,2,30,4",
        "--set", "A0=1*3", "--set", "A1=9,76", "--show", "V33")
    tap.equal("an address variable of a program", result,
              [list(range(30, 38))])
    done = veu.run("program", "--memory", f"{RAM}:data", "--surface",
                   f"base={RAM},width=64", "--set", "A1=0,0xffff")
    tap.true("and one that leads out of the registers",
             "INDIRECT" in done.err and "--set A0=BYTE" in done.err, done)


def test_gather_scaled(tap, veu):
    """A message with a predicate: disabled lanes keep their value."""
    content = bytes(range(100, 164))
    veu.file("data", content)
    offsets = [5, 60, 63, 0, 17, 62, 70, 1]
    code = visa.gather_scaled(2, 8, 6, visa.ud(1), 32, 33, pred=1)
    result = veu.values(
        "--message", code.hex(), "--simd", 8, "--var", "ud:8", "--var",
        "ud:8", "--memory", f"{RAM}:data:ro", "--surface",
        f"base={RAM},width=64", "--set", "V32=" + ",".join(map(str, offsets)),
        "--set", "V33=9*8", "--set", "P1=0xfd", "--show", "V33")
    expected = []
    for lane, offset in enumerate(offsets):
        at = offset + 1
        inside = at + 2 <= 64
        value = content[at] | content[at + 1] << 8 if inside else 0
        expected.append(value if lane != 1 else 9)
    tap.equal("gather_scaled.2 with a predicate", result, [expected])


def test_scatter_scaled(tap, veu):
    """Where lanes collide the highest one wins; those outside are dropped."""
    rng = random.Random(2)
    content = rng.randbytes(64)
    offsets = [rng.randrange(70) for _ in range(16)]
    values = [rng.getrandbits(32) for _ in range(16)]
    veu.file("data", content)
    code = visa.scatter_scaled(4, 16, 6, visa.ud(0), 32, 33)
    done = veu.run(
        "--message", code.hex(), "--var", "ud:16", "--var", "ud:16",
        "--memory", f"{RAM}:data", "--surface", f"base={RAM},width=64",
        "--set", "V32=" + ",".join(map(str, offsets)),
        "--set", "V33=" + ",".join(map(hex, values)),
        "--save", f"{RAM}:64:out")
    expected = bytearray(content)
    for offset, value in zip(offsets, values):
        if offset + 4 <= 64:
            expected[offset:offset + 4] = value.to_bytes(4, "little")
    tap.true("scatter_scaled.4: status", done.status == 0, done)
    tap.equal("scatter_scaled.4: memory", veu.read("out"), bytes(expected))


def unorm8(value):
    return round(min(max(value, 0.0), 1.0) * 255)


def test_scatter4_typed(tap, veu):
    """R and B of a 2D image with a pitch of its own."""
    veu.file("image", bytes([0xee]) * 128)
    u = [0, 1, 2, 3, 4, 7, 8, 0]
    v = [0, 0, 1, 1, 3, 2, 0, 4]
    red = [0.0, 0.25, 0.5, 0.75, 1.0, -1.0, 0.5, 0.5]
    blue = [1.0, 2.0, 0.125, 0.1, 0.0, 0.9, 0.5, 0.5]
    code = visa.scatter4_typed(0b0101, 8, 6, 32, 33, 0, 0, 34)
    done = veu.run(
        "--message", code.hex(), "--simd", 8, "--var", "ud:8", "--var",
        "ud:8", "--var", "f:16", "--memory", f"{RAM}:image", "--surface",
        f"type=2d,format=R8G8B8A8_UNORM,width=6,height=4,pitch=32,base={RAM}",
        "--set", "V32=" + ",".join(map(str, u)),
        "--set", "V33=" + ",".join(map(str, v)),
        "--set", "V34=" + ",".join(map(str, red + blue)),
        "--save", f"{RAM}:128:out")
    expected = bytearray(b"\xee" * 128)
    for x, y, r, b in zip(u, v, red, blue):
        if x < 6 and y < 4:
            expected[y * 32 + x * 4] = unorm8(r)
            expected[y * 32 + x * 4 + 2] = unorm8(b)
    tap.true("scatter4_typed.RB: status", done.status == 0, done)
    tap.equal("scatter4_typed.RB: memory", veu.read("out"), bytes(expected))


def test_svm_gather(tap, veu):
    """Blocks j of all lanes are contiguous; there are two areas with one
    address each."""
    rng = random.Random(3)
    low, high = rng.randbytes(64), rng.randbytes(64)
    veu.file("low", low)
    veu.file("high", high)
    top = 2 ** 64 - 64
    places = [(0, 0), (top, 8), (top, 48), (0, 40), (0, 48), (top, 0),
              (0, 16), (top, 16)]
    code = visa.svm_gather(8, 2, 8, 32, 33)
    result = veu.values(
        "--message", code.hex(), "--simd", 8, "--var", "uq:8", "--var",
        "uq:16", "--memory", "0:low", "--memory", f"{top}:high", "--set",
        "V32=" + ",".join(str(base + at) for base, at in places),
        "--show", "V33")
    expected = [0] * 16
    for lane, (base, at) in enumerate(places):
        blocks = struct.unpack_from("<2Q", high if base else low, at)
        for j, block in enumerate(blocks):
            expected[j * 8 + lane] = block
    tap.equal("svm_gather.8.2 up to the end of the address space", result,
              [expected])


def test_slm(tap, veu):
    """A group's EU threads share it, and every group gets a fresh one."""
    code = visa.gather_scaled(4, 8, 0, visa.ud(0), 32, 34) + \
        visa.scatter_scaled(4, 8, 0, visa.ud(0), 32, 33)
    veu.file("program", visa.program(
        code, [(0, "ud", 8), (32, "ud", 8), (64, "ud", 8)], registers=96))
    result = veu.values(
        "program", "--simd", 8, "--slm", 28, "--threads", 2, "--groups", 2,
        "--set", "V32=0..28:4", "--set", "V33=1..8", "--undefined", 0x11,
        "--show", "V34")
    poison = [0x11111111] * 7 + [0]
    tap.equal("shared local memory of two groups", result,
              [poison, [1, 2, 3, 4, 5, 6, 7, 0]] * 2)


def test_stateless(tap, veu):
    veu.file("data", dwords(range(1000, 1016)))
    code = visa.gather(4, 16, 5, visa.ud(1), 32, 33)
    result = veu.values(
        "--message", code.hex(), "--var", "ud:16", "--var", "ud:16",
        "--memory", f"{RAM}:data", "--stateless", f"{RAM}:32", "--set",
        "V32=15..0", "--show", "V33")
    tap.equal("stateless memory ends where it should", result,
              [[0] * 9 + [1007, 1006, 1005, 1004, 1003, 1002, 1001]])


def test_threads(tap, veu):
    """Every EU thread has a payload; results stand one after the other."""
    payloads = b""
    for number in range(6):
        payloads += struct.pack("<I60xI60x", 0xff ^ 1 << number, 0xff) + \
            dwords([number * 8 + lane for lane in range(8)]) + bytes(32)
    payloads = payloads[:-32]
    veu.file("payloads", payloads)
    veu.file("data", dwords([7 * i for i in range(48)]))
    code = visa.gather(4, 8, 6, visa.ud(0), 32, 33)
    veu.file("program", visa.program(
        code, [(0, "ud", 8), (32, "ud", 8)], [8], registers=64))
    done = veu.run("program", "--simd", 8, "--threads", 3, "--groups", 2,
                   "--payload", "payloads", "--payload-stride", 192,
                   "--memory", f"{RAM}:data", "--surface",
                   f"base={RAM},width=192", "--save", "V33:out")
    expected = [0 if lane == number else 7 * (number * 8 + lane)
                for number in range(6) for lane in range(8)]
    tap.true("six EU threads: status", done.status == 0, done)
    tap.equal("six EU threads: results", veu.read("out"), dwords(expected))


sys.exit(main(test_gather, test_address_variables, test_gather_scaled,
              test_scatter_scaled, test_scatter4_typed, test_svm_gather,
              test_slm, test_stateless, test_threads))
