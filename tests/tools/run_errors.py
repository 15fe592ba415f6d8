#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: wrong usage: exit status 2, what is wrong, what to write instead.

Usage: run_errors.py VEU-RUN VEU-SPEC
"""

import os
import subprocess
import sys

import visa
from runner import main

MESSAGE = ["--message", visa.gather_scaled(4, 8, 6, visa.ud(0), 0, 0).hex(),
           "--exec-mask", 0]
VAR = [*MESSAGE, "--var", "ud:8"]

# what is appended to a correct run; a part of the expected message
ERRORS = [
    ([], ["--message"], "Missing argument for --message"),
    ([], ["--nonsense"], "--nonsense; see veu-run --help"),
    ([], [], "name a program file, or give --message HEX"),
    ([], ["missing"], "missing: no such file; name a program file"),
    ([], ["."], ".: Is a directory; name a program file"),
    ([], ["short"], "a program has at least 32 bytes"),
    ([], ["long"], "long: the file has more than 262144 bytes"),
    ([], ["short", "long"], "only one program can run; omit 'long'"),
    (MESSAGE, ["short"], "only one program can run; omit 'short'"),
    ([], ["program", "--var", "ud:8"], "--var is for --message"),
    ([], ["program", "--grf", "32"], "--grf is for --message"),
    ([], ["--message", ""], "--message: write the bytes of one message"),
    ([], ["--message", "123"], "--message: write the bytes"),
    ([], ["--message", "0x12"], "--message: write the bytes"),
    ([], ["--message", "00" * 65], "from 1 to 64 of them"),
    (MESSAGE, ["--var", ""], "--var : write TYPE:ELEMENTS"),
    (MESSAGE, ["--var", "ud"], "--var ud: write TYPE:ELEMENTS"),
    (MESSAGE, ["--var", "ud:"], "--var ud:: write TYPE:ELEMENTS"),
    (MESSAGE, ["--var", "ud:8@"], "--var ud:8@: write TYPE:ELEMENTS"),
    (MESSAGE, ["--var", "ud:8@x"], "write TYPE:ELEMENTS"),
    (MESSAGE, ["--var", "int:8"], "no variable has type 'int'; write UD, D"),
    (MESSAGE, ["--var", "bool:8"], "no variable has type 'bool'"),
    (MESSAGE, ["--var", "ud:0"], "from 1 element to the end"),
    (MESSAGE, ["--var", "ud:65536"], "from 1 element to the end"),
    (MESSAGE, ["--var", "ud:1@65533"], "from 1 element to the end"),
    (MESSAGE, ["--var", "uq:1@0xffffffffffffffff"], "from 1 element"),
    (MESSAGE, ["--var", "ub:65535", "--var", "ud:8"], "from 1 element"),
    (MESSAGE, ["--var", "ud:1"] * 9, "a message has at most 8 variables"),
    (MESSAGE, ["--memory", "0x1000:foo"], "--memory 0x1000:foo: no such file; "
     "write ADDRESS:FILE or ADDRESS:BYTES"),
    (MESSAGE, ["--memory", ""], "write ADDRESS:FILE or ADDRESS:BYTES"),
    (MESSAGE, ["--memory", "16"], "write ADDRESS:FILE or ADDRESS:BYTES"),
    (MESSAGE, ["--memory", "16:"], "write ADDRESS:FILE or ADDRESS:BYTES"),
    (MESSAGE, ["--memory", "x:16"],
     "'x' is not an address; write ADDRESS:FILE"),
    (MESSAGE, ["--memory", ":16"],
     "'' is not an address; write ADDRESS:FILE"),
    (MESSAGE, ["--memory", "-1:16"], "'-1' is not an address"),
    (MESSAGE, ["--memory", "0x10000000000000000:16"], "is not an address"),
    (MESSAGE, ["--memory", "0:0"], "write from 1 byte to 1G per option, not 0"),
    (MESSAGE, ["--memory", "0:empty"], "write from 1 byte to 1G per option"),
    (MESSAGE, ["--memory", "0:1025M"], "write from 1 byte to 1G per option"),
    (MESSAGE, ["--memory", "0:0xffffffffffffffff"], "from 1 byte to 1G"),
    (MESSAGE, ["--memory", "0xffffffffffffffff:2"], "reaches beyond 2^64"),
    (MESSAGE, ["--memory", "0:."], "write ADDRESS:FILE or ADDRESS:BYTES"),
    (MESSAGE, ["--memory", "0x1000:16", "--memory", "0x100f:1"],
     "there is already memory, from 0x1000 to 0x100f"),
    (MESSAGE, ["--surface", "missing"], "--surface missing: no such file; "
     "write KEY=VALUE,... or name a file"),
    (MESSAGE, ["--surface", "short"], "has a multiple of 64 bytes, not 3"),
    (MESSAGE, ["--surface", "empty"], "has a multiple of 64 bytes, not 0"),
    (MESSAGE, ["--surface", "long"], "the file has more than 16000 bytes"),
    (MESSAGE, ["--surface", "widht=3"], "no key is named 'widht'; the keys"),
    (MESSAGE, ["--surface", "width="], "write a number that the field"),
    (MESSAGE, ["--surface", "width=0x100000000"], "width=0x100000000: write"),
    (MESSAGE, ["--surface", "levels=256"], "levels=256: write a number"),
    (MESSAGE, ["--surface", "width=1,"], "'' is not KEY=VALUE"),
    (MESSAGE, ["--surface", "width=1,tall"], "'tall' is not KEY=VALUE"),
    (MESSAGE, ["--surface", "format=rgba"], "veu-spec formats prints"),
    (MESSAGE, ["--surface", "type=tube"], "1d, 2d, 3d, cube, buffer or null"),
    (MESSAGE, ["--surface", "tiling=yf"], "write linear, x, y or tile4"),
    (MESSAGE, ["--surface", "type=null"] * 251, "at most 250 surfaces"),
    (VAR, ["--set", ""], "--set : write V32=1,2,3 or V32=0..15 or P1=0xff"),
    (VAR, ["--set", "V32"], "write V32=1,2,3 or V32=0..15 or P1=0xff"),
    (VAR, ["--set", "x=1"], "'x' is not a variable; write V32"),
    (VAR, ["--set", "=1"], "'' is not a variable; write V32"),
    (VAR, ["--set", "V31=1"], "V31 is not declared; there are 1 variables"),
    (VAR, ["--set", "V33=1"], "V33 is not declared"),
    (VAR, ["--set", "V4294967328=1"], "is not a variable"),
    (VAR, ["--set", "V32="], "write values after the ="),
    (VAR, ["--set", "V32=1,,2"], "'' is not a value of type UD"),
    (VAR, ["--set", "V32=one"], "'one' is not a value of type UD; write 1,2,3"),
    (VAR, ["--set", "V32=0x100000000"], "is not a value of type UD"),
    (VAR, ["--set", "V32=-0x80000001"], "is not a value of type UD"),
    (VAR, ["--set", "V32=1.5"], "is not a value of type UD"),
    (VAR, ["--set", "V32=0..8"], "more than the 8 values"),
    (VAR, ["--set", "V32=0..0x7fffffffffffffff"], "more than the 8 values"),
    (VAR, ["--set", "V32=-9223372036854775808..9223372036854775807"],
     "more than the 8 values"),
    (VAR, ["--set", "V32=0xfffffffe..0x100000001"], "is not a value of type"),
    (VAR, ["--set", "V32=0..5:0"], "'0..5:0' is not a value"),
    (VAR, ["--set", "V32=0.."], "'0..' is not a value"),
    (VAR, ["--set", "V32=..5"], "'..5' is not a value"),
    (VAR, ["--set", "V32=1*9"], "more than the 8 values"),
    (VAR, ["--set", "V32=1*0xffffffffffffffff"], "more than the 8 values"),
    (VAR, ["--set", "V32=1*x"], "'1*x' is not a value"),
    (VAR, ["--set", "V32=1,2,3,4,5,6,7,8,9"], "more than the 8 values"),
    (VAR, ["--var", "f:4", "--set", "V33=0..3"], "ranges are for integers"),
    (VAR, ["--var", "f:4", "--set", "V33= 1"], "is not a value of type F"),
    (VAR, ["--var", "hf:4", "--set", "V33=0x10000"], "is not a value of type"),
    (VAR, ["--set", "P0=1"], "--set P0=1"),
    (VAR, ["--set", "P9=1"], "a message has at most 8 predicates"),
    (VAR, ["--set", "P1=x"], "'x' is not a mask; write P1=0xff"),
    (VAR, ["--set", "P1=0x100000000"], "is not a mask"),
    ([], ["program", "--set", "P2=1"], "the predicates are P1 to P1"),
    ([], ["program", "--set", "A0=1"], "there are 0 address variables"),
    ([], ["addresses", "--set", "A2=1"], "there are 2 address variables"),
    ([], ["addresses", "--set", "A4294967295=1"],
     "there are 2 address variables"),
    ([], ["addresses", "--set", "A1=65536"], "is not a value of type"),
    ([], ["addresses", "--set", "A1=1,2,3"], "more than the 2 values"),
    (VAR, ["--set", "A0=1"], "a message has no address variables"),
    (VAR, ["--set", "V32=1", "--payload", "short"], "exclude each other"),
    (VAR, ["--payload", "missing"], "--payload missing: no such file"),
    (VAR, ["--payload-stride", "64"], "--payload-stride is for --payload"),
    (VAR, ["--payload", "short", "--payload-stride", "3", "--threads", "2"],
     "no payload for the last of 2 EU threads"),
    (MESSAGE, ["--simd", "12"], "--simd 12: write 8 or 16 or 32"),
    (MESSAGE, ["--simd", ""], "--simd : write 8 or 16 or 32"),
    (MESSAGE, ["--grf", "48"], "--grf 48: write 32 or 64"),
    (MESSAGE, ["--threads", "0"], "--threads 0: write a number from 1 to"),
    (MESSAGE, ["--threads", "1025"], "write a number from 1 to 1024"),
    (MESSAGE, ["--groups", "1048577"], "write a number from 1 to 1048576"),
    (MESSAGE, ["--groups", "many"], "--groups many: write a number"),
    (MESSAGE, ["--slm", "65537"], "write a number from 0 to 65536"),
    (MESSAGE, ["--exec-mask", "0x1ffffffff"], "write a number from 0 to"),
    (MESSAGE, ["--undefined", "256"], "write a number from 0 to 255"),
    (MESSAGE, ["--undefined", "0xg"], "write a number from 0 to 255"),
    (MESSAGE, ["--stateless", "0x1000"], "write BASE:BYTES, two numbers"),
    (MESSAGE, ["--stateless", "0x1000:x"], "write BASE:BYTES"),
    (MESSAGE, ["--stateless", ":16"], "write BASE:BYTES"),
    (MESSAGE, ["--stateless", "0:4294967297"], "at most 4G bytes"),
    (MESSAGE, ["--stateless", "0xffffffffffffffff:2"], "below 2^64"),
    (MESSAGE, ["--policy", "retry"], "write halt, skip-message or skip-"),
    (VAR, ["--show", "V33"], "--show V33: V33 is not declared"),
    (VAR, ["--show", "V"], "'V' is not a variable"),
    (VAR, ["--show", "V32:f"], "write V33, ADDRESS:BYTES or ADDRESS:TYPE"),
    (VAR, ["--show", ""], "write V33, ADDRESS:BYTES or ADDRESS:TYPE:COUNT"),
    (VAR, ["--show", "0x1000"], "write V33, ADDRESS:BYTES"),
    (VAR, ["--show", "0x1000:0"], "write V33, ADDRESS:BYTES"),
    (VAR, ["--show", "0x1000:uv:4"], "write V33, ADDRESS:BYTES"),
    (VAR, ["--show", "0x1000:ud:0"], "write V33, ADDRESS:BYTES"),
    (VAR, ["--show", "0x1000:ud:0xffffffffffffffff"], "write V33, ADDRESS"),
    (VAR, ["--show", "0x1000:16"], "not all of it is memory"),
    (VAR, ["--memory", "0:16", "--show", "0:17"], "not all of it is memory"),
    (VAR, ["--show", "0xfffe000000000000:8"], "not all of it is memory"),
    (VAR, ["--memory", "0:32M", "--show", "0:17M"], "more than 16M bytes"),
    (VAR, ["--save", "V32"], "write V33:FILE or ADDRESS:BYTES:FILE"),
    (VAR, ["--save", "V32:"], "write V33:FILE or ADDRESS:BYTES:FILE"),
    (VAR, ["--save", "0:16"], "write V33:FILE or ADDRESS:BYTES:FILE"),
    (VAR, ["--save", "0:16:"], "write V33:FILE or ADDRESS:BYTES:FILE"),
    (VAR, ["--save", "0:16:out"], "not all of it is memory"),
    (VAR, ["--save", "V32:no/folder"], "cannot write no/folder"),
    (VAR, ["--memory", "0:16", "--save", "0:16:/dev/full"],
     "cannot write /dev/full: No space left"),
    (VAR, ["--show", "V32", "--threads", "1024", "--groups", "1M"],
     "are more than 1G: omit --show and --save"),
]


def shown(args):
    text = " ".join(map(str, args))
    return text if len(text) < 60 else text[:57] + "..."


def test_errors(tap, veu):
    veu.file("short", b"abc")
    veu.file("empty", b"")
    veu.file("long", bytes(256 * 1024 + 1))
    veu.file("program", visa.program(b"", [(0, "ud", 8)], [8]))
    veu.file("addresses", visa.program(b"", [(0, "ud", 8)], addresses=[1, 2]))
    for before, args, text in ERRORS:
        done = veu.run(*before, *args)
        tap.true(f"{shown(args)}", done.status == 2 and not done.out and
                 done.err.startswith("veu-run: ") and text in done.err and
                 "\nveu-run: " not in done.err,
                 f"to be said, and nothing else: {text}", done)


def test_full_disk(tap, veu):
    for args in (["--explain", "ADDRESS"], [*VAR, "--show", "V32"],
                 [*VAR, "--json"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([veu.tool, *map(str, args)], stdout=full,
                                  stderr=subprocess.PIPE, text=True,
                                  check=False)
        tap.true(f"{shown(args[-2:])}: a full disk is told",
                 done.returncode == 2 and "cannot write" in done.stderr,
                 done)


def test_not_utf8(tap, veu):
    """Names of files are bytes, not text."""
    name = b"\xff\xfe"
    with open(os.path.join(os.fsencode(veu.folder), name), "wb") as file:
        file.write(b"1234")
    done = subprocess.run(
        [os.fsencode(veu.tool), *(str(a).encode() for a in VAR), b"--memory",
         b"0:" + name, b"--show", b"0:4", b"--json"],
        cwd=veu.folder, capture_output=True, check=False)
    tap.true("a file's name need not be text",
             done.returncode == 0 and b"31323334" in done.stdout, done)
    done = subprocess.run(
        [os.fsencode(veu.tool), *(str(a).encode() for a in VAR), b"--save",
         b"0:4:" + name], cwd=veu.folder, capture_output=True, check=False)
    tap.true("nor in an error", done.returncode == 2, done)


sys.exit(main(test_errors, test_full_disk, test_not_utf8))
