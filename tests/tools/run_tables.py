#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --page-table and --map: virtual addresses, and walks of faults.

Usage: run_tables.py VEU-RUN VEU-SPEC
"""

import struct
import sys

import visa
from runner import main

VIRTUAL = 0x7f1234567000
VARS = ["--simd", 8, "--var", "uq:8", "--var", "ud:8"]
GATHER = ["--message", visa.svm_gather(4, 1, 8, 32, 33).hex(), *VARS]
BUFFER = ["--message", visa.gather(4, 8, 6, visa.ud(0), 33, 34).hex(), *VARS,
          "--var", "ud:8", "--set", "V33=0..7"]
STORE = ["--message", visa.scatter_scaled(4, 8, 6, visa.ud(0), 33, 34).hex(),
         *VARS, "--var", "ud:8", "--set", "V33=0..28:4", "--set", "V34=50..57"]


def addresses(*values):
    return ["--set", "V32=" + ",".join(map(hex, values))]


def fault(r, *args):
    """Returns the only fault of a run."""
    faults = r.json(*args)["faults"]
    assert len(faults) == 1, faults
    return faults[0]


def indices(address):
    """Of the entries of levels 4 to 1: docs/spec.md, section 3.4."""
    return [address >> shift & 511 for shift in (39, 30, 21, 12)]


def test_memory_is_where_it_was(tap, r):
    words = list(range(100, 108))
    r.file("words", struct.pack("<8I", *words))
    values = r.values("--page-table", *BUFFER, "--memory", "0x1234:words",
                      "--surface", "base=0x1234,width=32", "--show", "V34",
                      "--show", "0x1234:ud:8")
    tap.equal("--page-table maps --memory at its own addresses", values[1],
              words)
    tap.equal("messages find it there", values[0], words)


def test_a_file_is_mapped(tap, r):
    r.file("words", struct.pack("<2048I", *range(2048)))
    lanes = [VIRTUAL + 4 * n for n in (0, 1, 1023, 1024, 2047, 5, 6, 7)]
    tap.equal("--map: the words of a file", r.values(
        *GATHER, *addresses(*lanes), "--map", f"{VIRTUAL:#x}=words",
        "--show", "V33")[0], [0, 1, 1023, 1024, 2047, 5, 6, 7])
    tap.equal("--map: what comes after its end in the page is 0", r.values(
        *GATHER, "--map", f"{VIRTUAL:#x}=words@8188", "--show",
        f"{VIRTUAL:#x}:ud:2", "--exec-mask", 0)[0], [2047, 0])


def test_pages_of_a_file_are_scattered(tap, r):
    """A surface is on two pages, of which the file's second one comes
    first."""
    r.file("words", struct.pack("<2048I", *range(2048)))
    tap.equal("pages with offsets make one range", r.values(
        *BUFFER, "--map", f"{VIRTUAL:#x}=words@0x1000",
        "--map", f"{VIRTUAL + 8192:#x}=words", "--surface",
        f"base={VIRTUAL + 0xff0:#x},width=32",
        "--map", f"{VIRTUAL + 4096:#x}=words@0x1ff0", "--show", "V34")[0],
        [1024 + 1020, 2045, 2046, 2047, 2044, 2045, 2046, 2047])


def test_stores_can_be_saved(tap, r):
    r.json(*STORE, "--map", f"{VIRTUAL:#x}=4096", "--surface",
           f"base={VIRTUAL:#x},width=32", "--save", f"{VIRTUAL:#x}:32:out")
    tap.equal("--save writes what was stored at a virtual address",
              r.read("out"), struct.pack("<8I", *range(50, 58)))


def test_names_with_an_at_sign(tap, r):
    r.file("a@b", struct.pack("<I", 7))
    r.file("a@1", struct.pack("<I", 9))
    tap.equal("a file whose name has an @", r.values(
        *GATHER, "--exec-mask", 0, "--map", "0x1000=a@b", "--map",
        "0x2000=a@1@0", "--show", "0x1000:ud:1", "--show", "0x2000:ud:1"),
        [[7], [9]])


def test_permissions(tap, r):
    where = f"{VIRTUAL:#x}=4096"
    surface = ["--surface", f"base={VIRTUAL:#x},width=32"]
    for name, args, reason in (
            ("a store to :ro", [*STORE, "--map", where + ":ro"], "NO_WRITE"),
            ("a load from :wo", [*BUFFER, "--map", where + ":wo"], "NO_READ")):
        found = fault(r, *args, *surface)
        tap.equal(name + ": reason", found["detail_text"].split()[0], reason)
        tap.equal(name + ": the last entry",
                  found["walk"][-1]["entry"] & 7, {"NO_WRITE": 3,
                                                   "NO_READ": 5}[reason])
    found = fault(r, *STORE, "--page-table", "--memory", "0x1000:4096:ro",
                  "--surface", "base=0x1000,width=32")
    tap.true("--memory :ro is mapped without WRITE",
             found["detail_text"].startswith("NO_WRITE at level 1"), found)


def test_the_walk_of_a_fault(tap, r):
    for name, mapped, missing, level in (
            ("in another page", VIRTUAL, VIRTUAL + 4096, 1),
            ("2 MiB away", VIRTUAL, VIRTUAL + (1 << 21), 2),
            ("1 GiB away", VIRTUAL, VIRTUAL + (1 << 30), 3),
            ("512 GiB away", VIRTUAL, VIRTUAL - (1 << 39), 4)):
        found = fault(r, *GATHER, *addresses(missing), "--exec-mask", 1,
                      "--map", f"{mapped:#x}=1")
        walk = found["walk"]
        tap.equal(name + ": detail", found["detail"], 2 | level << 8)
        tap.equal(name + ": levels", [step["level"] for step in walk],
                  list(range(4, level - 1, -1)))
        tap.equal(name + ": indices", [step["index"] for step in walk],
                  indices(missing)[:5 - level])
        tap.equal(name + ": the last entry", walk[-1]["entry"], 0)
        tap.equal(name + ": each entry leads to the next",
                  [step["entry"] & ~0xfff for step in walk[:-1]],
                  [step["address"] & ~0xfff for step in walk[1:]])
    found = fault(r, *GATHER, *addresses(1 << 48), "--exec-mask", 1,
                  "--page-table")
    tap.equal("bit 48: detail", found["detail"], 1)
    tap.equal("bit 48: no walk", found["walk"], [])


def test_what_people_see(tap, r):
    done = r.run(*GATHER, *addresses(VIRTUAL + 4096), "--exec-mask", 1,
                 "--map", f"{VIRTUAL:#x}=1")
    for text in ("  detail   NOT_VALID at level 1: the entry is not VALID\n"
                 "  walk     level 4, entry 254: 0x",
                 "           level 1, entry 360: 0x0, not VALID\n",
                 "  option   --map ADDRESS=BYTES maps pages\n"):
        tap.true("a fault shows " + text.split("\n", 1)[0].strip(),
                 text in done.err, done)
    done = r.run(*GATHER, *addresses(VIRTUAL), "--exec-mask", 1)
    tap.true("no walk without tables", "walk" not in done.err, done)


def test_a_hole_within_a_page(tap, r):
    found = fault(r, *GATHER, *addresses(0x1010), "--exec-mask", 1,
                  "--page-table", "--memory", "0x1000:16")
    tap.equal("RAM ends within a page: the page has none there",
              found["detail"], 7)


def test_a_rule_takes_a_page_away(tap, r):
    found = fault(r, *GATHER, *addresses(*[VIRTUAL] * 8), "--map",
                  f"{VIRTUAL:#x}=1", "--fault-inject", "lane=2 action=miss")
    tap.equal("action=miss: the lanes", found["lanes"], 1 << 2)
    tap.equal("action=miss: the reason", found["detail"], 2 | 1 << 8)
    tap.equal("action=miss: the entry is there", found["walk"][-1]["meaning"],
              "READ, WRITE")


def test_many_threads_and_results(tap, r):
    r.file("words", struct.pack("<1024I", *range(1024)))
    values = r.values(*BUFFER, "--groups", 300, "--threads", 2, "--map",
                      f"{VIRTUAL:#x}=words", "--surface",
                      f"base={VIRTUAL:#x},width=32", "--show", "V34")
    tap.equal("each EU thread has its result", values, [list(range(8))] * 600)


ERRORS = [
    (["0x1000"], "write ADDRESS=FILE"),
    (["0x1000="], "write ADDRESS=FILE"),
    (["=4096"], "'' is not an address"),
    (["x=4096"], "'x' is not an address"),
    (["0x1000=missing"], "missing"),
    (["0x1000=0"], "from 1 byte to 1G"),
    (["0x1000=1025M"], "from 1 byte to 1G"),
    (["0x1001=4096"], "must be a multiple of 4096"),
    (["0x1000000000000=1"], "choose one below 0x1000000000000"),
    (["0xfffffffff000=4097"], "choose one below 0x1000000000000"),
    (["0x1000=four@4"], "the file has 4 bytes"),
    (["0x1000=1", "0x1000=1"], "there is already memory"),
    (["0x2000=1", "0x1000=4097"], "from 0x2000 to 0x2fff"),
]


def test_wrong_maps(tap, r):
    r.file("four", bytes(4))
    for values, text in ERRORS:
        done = r.run(*GATHER, *(a for v in values for a in ("--map", v)))
        tap.true(f"--map {' '.join(values)}: {text}",
                 done.status == 2 and text in done.err, done)
    done = r.run(*GATHER, "--memory", "0x1fff:1", "--map", "0x1000=1")
    tap.true("--map where --memory is",
             done.status == 2 and "already memory" in done.err, done)
    maps = [a for n in range(512) for a in ("--map", f"{n << 39:#x}=1")]
    done = r.run(*GATHER, *maps)
    tap.true("--map in each 512 GiB", done.status == 2 and
             "leave no addresses" in done.err, done)


if __name__ == "__main__":
    sys.exit(main(*(test for name, test in sorted(globals().items())
                    if name.startswith("test_"))))
