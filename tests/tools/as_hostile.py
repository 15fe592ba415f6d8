# SPDX-License-Identifier: GPL-2.0-or-later
"""Objects, programs and text that were made to break the readers."""

import os
import random
import re
import struct
import sys

import visa
from assembler import Kernel, main, make_object

# Random tests do this fraction of their rounds.
FEWER = int(os.environ.get("VEU_TEST_FEWER", "1"))

CODE = (visa.gather(4, 16, 6, visa.ud(0x10), 32, 33) +
        visa.svm_gather(4, 2, 8, 32, 33) + bytes.fromhex("310000") +
        bytes.fromhex("2904000000220000000000000200200000000000 5502") +
        bytes.fromhex("34000000"))


def sample():
    return make_object([
        Kernel("k", CODE,
               variables=[("V32", "ud", 16),
                          ("V33", "ud", 16, "GRF", 32, 0,
                           [("Input", b"\1")])],
               addresses=[("A0", 2)], predicates=[("P1", 8)],
               labels=[("l", 0)], surfaces=[("T6", 1)],
               inputs=[(0, 32, 32, 64)],
               attributes=[("Target", b"\0")]),
        Kernel("f", CODE, function=(0, 0))])


def ends_well(done):
    """Checks that it printed something, or a reason, and did not crash."""
    return (done.returncode == 0 and done.stdout and
            (not done.stderr or b": warning: " in done.stderr)) or \
        (done.returncode == 1 and b": error: " in done.stderr)


def every_truncation(tap, tools):
    whole = sample()
    wrong = []
    for length in range(len(whole)):
        done = tools.dis(whole[:length])
        if done.returncode != 1 or b": error: " not in done.stderr:
            wrong.append((length, done))
    tap.equal("an object that ends too early is refused, wherever", wrong, [])


def flipped_bytes(tap, tools):
    whole = sample()
    source = random.Random(4)
    wrong = []
    for _ in range(1500 // FEWER):
        bad = bytearray(whole)
        for _ in range(source.choice((1, 1, 2, 8))):
            bad[source.randrange(len(bad))] = source.randrange(256)
        listed = tools.dis(bytes(bad))
        written = tools.asm(bytes(bad), "--program", "--kernel", "k")
        if not ends_well(listed) or not ends_well(written):
            wrong.append((bytes(bad).hex(), listed, written))
    tap.equal("bytes that were changed do no harm", wrong[:3], [])


def listings_assemble(tap, tools):
    """Whatever was read can be written again, and is then read as the same."""
    whole = sample()
    source = random.Random(5)
    wrong = []
    for _ in range(300 // FEWER):
        bad = bytearray(whole)
        bad[source.randrange(whole.index(CODE), len(bad))] = \
            source.randrange(256)
        listed = tools.dis(bytes(bad))
        if listed.returncode == 0:
            text = listed.stdout.decode()
            again = tools.asm(text)
            if again.returncode or tools.text(again.stdout) != text:
                wrong.append((text, again.stderr.decode()))
    tap.equal("a listing is a text that assembles to itself", wrong[:3], [])


def lying_counts(tap, tools):
    """Every four bytes of the file become a count of 2^32 - 1, and of 2^31."""
    whole = sample()
    wrong = []
    for at in range(len(whole) - 3):
        for lie in (0xffffffff, 0x80000000):
            bad = whole[:at] + struct.pack("<I", lie) + whole[at + 4:]
            done = tools.dis(bad)
            if not ends_well(done):
                wrong.append((at, lie, done))
    tap.equal("counts that are too large", wrong[:3], [])


def circles_of_aliases(tap, tools):
    for name, aliases in (("itself", (32,)), ("a circle", (33, 32)),
                          ("one after it", (33, 0)),
                          ("one that is not there", (4000000000,))):
        built = make_object([Kernel("k", b"\x5c\x80", variables=[
            (f"V{32 + i}", "ud", 8, "GRF", alias, 4)
            for i, alias in enumerate(aliases)])])
        tap.true(f"an alias of {name} is listed",
                 tools.dis(built).returncode == 0)
        done = tools.asm(built, "--program")
        tap.true(f"and no program", done.returncode == 1 and
                 b"is an alias of a variable" in done.stderr, done)


def long_chains_of_aliases(tap, tools):
    count = 4000
    built = make_object([Kernel("k", b"\x5c\x80", variables=[
        (f"V{32 + i}", "ub", 64000, "GRF", 31 + i if i else 0, 1 if i else 0)
        for i in range(count)])])
    done = tools.asm(built, "--program")
    tap.true("a chain that leaves the register file is refused",
             done.returncode == 1 and b"register file" in done.stderr, done)


def shared_bytes(tap, tools):
    """Kernels that overlap could be far larger than the file."""
    one = make_object([Kernel("k", b"\x5c\x80")])
    offset, size, inputs = struct.unpack_from("<III", one, 11)
    entry = struct.pack("<H", 1) + b"k" + struct.pack("<III", offset, size,
                                                      inputs) + bytes(5)
    bad = one[:6] + struct.pack("<H", 512) + entry * 512 + bytes(4) + one
    done = tools.dis(bad)
    tap.true("kernels share no bytes", done.returncode == 1, done)


def deep_text(tap, tools):
    nested = "(" * 100000 + "1" + ")" * 100000
    for what, line in (("parentheses",
                        f"gather.4 (M1, 16) T1 {nested}:ud %r0.0 %r0.0"),
                       ("signs", "oword_ld (1) T1 " + "-" * 100000 +
                        "1:ud %r0.0"),
                       ("a line", "gather.4 " + " " * 1000000),
                       ("a name", "gather.4 (M1, 16) " + "T" * 100000)):
        done = tools.asm(f".kernel k\n{line}\n")
        tap.true(f"very long: {what}",
                 done.returncode == 1 and b": error: " in done.stderr)


def random_text(tap, tools):
    words = re.findall(r"\s*\S", ".kernel k .decl V32 v_type=G type=ud "
                       "num_elts=16 align=GRF alias=<V32, 64> gather.4 (M1, 16"
                       ") T1 0x10:ud V32.0 r[A0(2),-16]<0;1,0>:ud \"x\" /* */ "
                       "// \n \n \n (!P1.any) %sizeof(GRF) attrs={A=1}")
    source = random.Random(6)
    wrong = []
    for _ in range(400 // FEWER):
        text = ".kernel k\n" + "".join(source.choices(words, k=60))
        done = tools.asm(text)
        if not ends_well(done):
            wrong.append((text, done))
    tap.equal("words in any order", wrong[:3], [])


sys.exit(main(every_truncation, flipped_bytes, listings_assemble, lying_counts,
              circles_of_aliases, long_chains_of_aliases, shared_bytes,
              deep_text, random_text))
