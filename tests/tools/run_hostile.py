#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: random options, programs, messages, descriptors and payloads.

Usage: run_hostile.py VEU-RUN VEU-SPEC [RUNS [SEED]]

Whatever they are, the exit status is 0, 1 or 2, and an error message comes
with any status other than 0.
"""

import random
import sys

import visa
from runner import main

MESSAGES = [
    visa.gather(4, 16, 6, visa.ud(0), 32, 33),
    visa.gather_scaled(2, 8, 0, visa.ud(3), 32, 33, pred=1),
    visa.scatter_scaled(4, 32, 5, visa.ud(0), 32, 33),
    visa.scatter4_typed(15, 8, 6, 32, 33, 0, 0, 34),
    visa.svm_gather(8, 4, 8, 35, 34),
]
NUMBERS = ["0", "1", "7", "8", "16", "32", "64", "255", "0x1000", "4096",
           "65536", "0xffffffff", "0x100000000", "0xffffffffffffffff", "-1",
           "1K", "1G", "17G", "0x", "", "x", "1.5", "nan", "0xfffe000000000000"]
TYPES = ["ud", "d", "f", "uq", "q", "hf", "ub", "bool", "", "V"]
KEYS = ["base", "format", "type", "width", "height", "depth", "pitch",
        "qpitch", "levels", "flags", "tiling", "slm", "x", "array", "halign",
        "valign", "min_lod", "min_array_element", "view_extent"]
WORDS = ["1d", "2d", "3d", "cube", "buffer", "null", "raw", "r32_uint",
         "r8g8b8a8_unorm", "r32g32b32a32_float", "y", "tile4"]


def mangled(rng, content):
    content = bytearray(content)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 5))):
        if content:
            content[rng.randrange(len(content))] = rng.choice(
                (0, 1, 0xff, rng.randrange(256)))
    return bytes(content[:rng.choice((len(content), len(content),
                                      rng.randrange(len(content) + 1)))])


def text(rng, *choices):
    """Returns one of the choices, sometimes with a change."""
    result = rng.choice(choices[rng.randrange(len(choices))])
    if rng.random() < 0.05 and result:
        at = rng.randrange(len(result))
        result = result[:at] + rng.choice(":,=*@.-%\n ") + result[at:]
    return result


def program(rng):
    variables = [(rng.choice((0, 64, 128, 900)), rng.choice(TYPES[:7]),
                  rng.choice((1, 16, 64))) for _ in range(rng.randrange(6))]
    return mangled(rng, visa.program(
        b"".join(mangled(rng, rng.choice(MESSAGES))
                 for _ in range(rng.randrange(5))), variables,
        [rng.choice((1, 8, 32))] * rng.randrange(3)))


def surface(rng):
    return ",".join([f"{rng.choice(KEYS)}={text(rng, WORDS, NUMBERS)}"
                     for _ in range(rng.randrange(1, 7))] +
                    ["array"] * rng.randrange(2))


def values(rng):
    number = text(rng, NUMBERS, NUMBERS)
    return rng.choice((number, f"{number},{number}", f"0..{number}",
                       f"{number}..0", f"0..{number}:{number}",
                       f"{number}*{rng.choice(NUMBERS)}"))


def option(rng):
    """Returns one option, more or less correct."""
    def number():
        return text(rng, NUMBERS)

    name = rng.choice(("V32", "V33", "V34", "V35", "P1", "P8", "V", "x"))
    return rng.choice((
        lambda: ["--memory", f"{number()}:{rng.choice(('file', number()))}" +
                 rng.choice(("", ":ro"))],
        lambda: ["--page-table"],
        lambda: ["--map", f"{number()}={rng.choice(('file', number()))}" +
                 rng.choice(("", f"@{number()}")) +
                 rng.choice(("", ":ro", ":wo"))],
        lambda: ["--surface", rng.choice((surface(rng), "file"))],
        lambda: ["--set", f"{name}={values(rng)}"],
        lambda: ["--payload", "file"],
        lambda: ["--payload-stride", number()],
        lambda: ["--stateless", f"{number()}:{number()}"],
        lambda: ["--show", rng.choice((
            name, f"{number()}:{number()}",
            f"{number()}:{rng.choice(TYPES)}:{rng.choice(('1', '9'))}"))],
        lambda: ["--save", rng.choice((f"{name}:out",
                                       f"{number()}:{rng.randrange(99)}:o"))],
        lambda: [rng.choice(("--trace", "--json", "--check",
                             "--strict-types"))],
        lambda: ["--policy", rng.choice(("halt", "skip-message",
                                         "skip-command", "x"))],
        lambda: [rng.choice(("--simd", "--slm", "--exec-mask",
                             "--undefined")), number()],
        lambda: [rng.choice(("--threads", "--groups")),
                 rng.choice(("0", "1", "2", "3", "1025", "-1"))],
    ))()


def arguments(rng):
    if rng.random() < 0.5:
        args = ["program"]
    else:
        args = ["--message", mangled(rng, rng.choice(MESSAGES)).hex()]
        for _ in range(rng.randrange(5)):
            args += ["--var", rng.choice(TYPES[:7]) + ":" +
                     rng.choice(("1", "16", "64", "64@0", "0", "65536@1"))]
    for _ in range(rng.randrange(8)):
        args += option(rng)
    return args


def test_hostile(tap, veu):
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    seen = {0: 0, 1: 0, 2: 0}
    bad = []
    for _ in range(runs):
        veu.file("program", program(rng))
        veu.file("file", rng.randbytes(rng.choice((0, 64, 128, 200, 300))))
        args = arguments(rng)
        done = veu.run(*args)
        silent = done.status != 0 and not (done.err or done.out)
        if done.status not in seen or silent or "runtime error" in done.err:
            bad.append(f"{args}\n{done}")
        else:
            seen[done.status] += 1
    tap.true(f"{runs} runs end as they should", not bad, *bad[:3])
    tap.true("each exit status occurs", all(seen.values()), seen)


sys.exit(main(test_hostile))
