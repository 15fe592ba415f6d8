#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-spec: names, formats, JSON.

Usage: veu_spec.py VEU-SPEC

tests/docs compares the tables with docs/spec.md.
"""

import json
import re
import subprocess
import sys

from tap import Tap

SPEC = sys.argv[1]


def spec(*args):
    return subprocess.run([SPEC, *args], capture_output=True, text=True,
                          check=False)


def rows_of(value):
    """Returns all rows in a group: of its table, or of its tables."""
    tables = value.values() if isinstance(value, dict) else [value]
    return [row for table in tables for row in table]


def keys_in(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


def test_json(tap):
    done = spec("--json")
    tap.equal("--json succeeds", (done.returncode, done.stderr), (0, ""))
    tables = json.loads(done.stdout)
    tap.equal("there is a member for each group", list(tables), [
        "abi_version", "identity", "bar0", "registers", "commands",
        "messages", "instructions", "fields", "atomics", "types", "formats",
        "scanout_formats", "counters", "faults", "structures"])
    bad = [key for key in keys_in(tables)
           if not re.fullmatch(r"[a-z][a-z0-9_]*", key)]
    tap.equal("keys are in snake_case", bad, [])
    numbers = {"offset", "bytes", "code", "opcode", "slots", "value"}
    wrong = [(group, row) for group, value in tables.items()
             if group != "abi_version" for row in rows_of(value)
             for key in numbers & set(row)
             if not isinstance(row[key], int) and row[key] is not None]
    tap.equal("numbers are numbers", wrong, [])
    tap.equal("--format json is the same",
              spec("--format", "json").stdout, done.stdout)
    shapes = {group: {tuple(row) for row in rows_of(value)}
              for group, value in tables.items() if group != "abi_version"}
    tap.equal("rows of a group have the same keys",
              [group for group, keys in shapes.items() if len(keys) != 1], [])


def find(rows, **wanted):
    return [row for row in rows
            if all(row[key] == value for key, value in wanted.items())]


def test_rows(tap):
    tables = json.loads(spec("--json").stdout)
    magic = find(tables["registers"]["device"], name="MAGIC")[0]
    tap.equal("a register: MAGIC",
              (magic["offset"], magic["bytes"], magic["access"],
               magic["reset"], magic["reset_kind"], magic["writable"]),
              (0, 4, "RO", 0x31554556, "number", 0))
    rings = find(tables["registers"]["device"], name="CAP_RINGS")[0]
    tap.equal("a property has no reset value",
              (rings["reset"], rings["reset_kind"]), (None, "property"))
    base = find(tables["registers"]["ring"], name="RING_BASE")[0]
    tap.equal("writable bits are a number",
              base["writable"], 0xffffffffffffffc0)
    svm = find(tables["messages"], name="svm_gather")[0]
    tap.equal("a message: svm_gather",
              (svm["opcode"], svm["sub_opcode"], svm["lanes"],
               svm["surfaces"], svm["access"]),
              (0x4e, 3, [1, 2, 4, 8, 16], [], "read"))
    fields = [(f["offset"], f["after_scalar"], f["bytes"], f["name"])
              for f in tables["fields"]["gather"]]
    tap.equal("the fields of gather", fields, [
        (0, False, 1, "opcode"), (1, False, 1, "Elt_size"),
        (2, False, 1, "Is_modified"), (3, False, 1, "Num_elts"),
        (4, False, 1, "Surface"), (5, False, None, "Offset"),
        (5, True, 6, "Element_offset"), (11, True, 6, "Data")])
    half = find(tables["formats"], name="R16G16B16A16_FLOAT")[0]
    tap.equal("a format: channels",
              (half["code"], half["bytes"], half["channels"][3]),
              (0x84, 8, {"name": "A", "bit": 48, "bits": 16, "type": "FLOAT"}))
    raw = find(tables["formats"], name="RAW")[0]
    tap.equal("RAW has no channels",
              (raw["channels"], raw["register"]), ([], None))
    address = find(tables["faults"], name="ADDRESS")[0]
    tap.equal("a fault: its code", address["code"], 0x50)
    tap.true("a fault: its texts",
             all(address[key] for key in ("cause", "effect", "advice")))
    surface = tables["structures"]["veu_surface"]
    tap.equal("a structure ends where it should",
              surface[-1]["offset"] + surface[-1]["bytes"], 64)


def test_names(tap):
    tap.equal("a table by name", list(json.loads(
        spec("--json", "faults").stdout)), ["abi_version", "faults"])
    one = json.loads(spec("--json", "ring registers").stdout)
    tap.equal("one table of a group keeps its place",
              list(one["registers"]), ["ring"])
    alike = {spec(name).stdout for name in (
        "ring registers", "Ring-Registers", "ring_register")}
    tap.equal("case, blanks and the last s do not matter", len(alike), 1)
    tap.equal("a group is all of its tables",
              spec("registers").stdout.count("<!-- table:"), 4)
    two = spec("faults", "messages").stdout
    tap.equal("several names, in the order of the specification",
              re.findall("table: (.*) -->", two), ["messages", "faults"])
    tap.equal("a name twice is one table",
              spec("faults", "faults").stdout, spec("faults").stdout)
    whole = spec().stdout
    tap.true("markdown is the default and has all",
             whole == spec("--format", "markdown").stdout and
             two.split("<!-- end -->")[0] in whole)
    names = [line.strip() for line in spec("--list").stdout.splitlines()]
    missing = [name for name in names if spec(name).returncode]
    tap.equal("all names of --list are names", missing, [])
    tap.true("--list has every table",
             set(re.findall("table: (.*) -->", whole)) <= set(names))


def test_errors(tap):
    for args, text in (
            (["nonsense"], "no table is named 'nonsense'"),
            ([""], "no table is named ''"),
            (["--format", "xml", "faults"], "--format xml: no such format"),
            (["--frobnicate"], "--frobnicate"),
            (["--format"], "Missing argument")):
        done = spec(*args)
        tap.true(f"{args}: exit status 2 and '{text}'",
                 done.returncode == 2 and done.stdout == "" and
                 done.stderr.startswith("veu-spec: ") and text in done.stderr,
                 done)
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([SPEC], stdout=full, stderr=subprocess.PIPE,
                              text=True, check=False)
    tap.true("a full disk is told", done.returncode == 1 and
             "cannot write" in done.stderr, done)


def main():
    tap = Tap()
    for test in (test_json, test_rows, test_names, test_errors):
        tap.run(test)
    return tap.done()


sys.exit(main())
