#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --fault-inject: docs/fault-inject.md.

Usage: run_inject.py VEU-RUN VEU-SPEC
"""

import struct
import sys

import visa
from runner import main

WORDS = range(10, 18)
LOAD = visa.gather_scaled(4, 8, 6, visa.ud(0), 32, 33)
STORE = visa.scatter_scaled(4, 8, 6, visa.ud(0), 32, 33)
ARGS = ["--simd", 8, "--var", "ud:8", "--var", "ud:8", "--set", "V32=0..28:4",
        "--surface", "base=0x1000,width=32"]


def load(veu, rules, *args):
    """Returns what --json prints for a message that reads dwords 10 to 17."""
    data = veu.file("data", struct.pack("<8I", *WORDS))
    return veu.json("--message", LOAD.hex(), *ARGS, "--memory",
                    "0x1000:" + data, "--show", "V33", "--fault-inject", rules,
                    *args)


def flipped(values, expected):
    return sum(bin(a ^ b).count("1") for a, b in zip(values, expected))


def test_faults(tap, veu):
    result = load(veu, "lane=2 action=fault:ADDRESS")
    fault = result["faults"][0]
    tap.equal("a lane faults",
              (result["status"], fault["name"], fault["lanes"],
               fault["address"]), ("fault", "ADDRESS", 4, 0x1008))
    tap.equal("how often a rule fired", result["rules"],
              [{"rule": "lane=2 action=fault:ADDRESS", "matched": 1,
                "fired": 1}])
    result = load(veu, "nth=3 action=fault:SURFACE_INDEX", "--groups", 5)
    tap.equal("the third message faults",
              (result["faults"][0]["group"], result["fault_count"]), (2, 1))
    result = load(veu, "opcode=message nth=1 action=fault:COMMAND_FIELD")
    tap.equal("a command faults", result["faults"][0]["name"],
              "COMMAND_FIELD")


def test_policy(tap, veu):
    result = load(veu, "every=2 opcode=gather_scaled "
                       "action=fault:SURFACE_KIND", "--groups", 4,
                  "--policy", "skip-message")
    tap.equal("--policy says what follows", result["fault_count"], 2)
    tap.equal("EU threads continue",
              [shown["values"] for shown in result["shown"]],
              [list(WORDS), [0] * 8] * 2)


def test_corrupt(tap, veu):
    result = load(veu, "lane=3 action=corrupt seed=9")
    again = load(veu, "lane=3 action=corrupt seed=9")
    values = result["shown"][0]["values"]
    tap.equal("one bit of a lane that reads", flipped(values, WORDS), 1)
    tap.true("of this lane", values[3] != WORDS[3], values)
    tap.equal("the same bit with the same seed", again, result)
    result = veu.json("--message", STORE.hex(), *ARGS, "--memory", "0x1000:32",
                      "--set", "V33=10..17", "--show", "0x1000:ud:8",
                      "--fault-inject", "action=corrupt lane=0..7")
    tap.equal("one bit of each lane that writes",
              flipped(result["shown"][0]["values"], WORDS), 8)


def test_time(tap, veu):
    result = load(veu, "action=delay:3600s")
    tap.equal("a delay is over at once",
              (result["status"], result["shown"][0]["values"],
               result["rules"][0]["fired"]), ("ok", list(WORDS), 2))
    result = load(veu, "opcode=gather_scaled action=hang")
    tap.equal("a hang ends the run",
              (result["status"], result["fault_count"]), ("hang", 0))


def test_what_people_read(tap, veu):
    data = veu.file("data", struct.pack("<8I", *WORDS))
    args = ["--message", LOAD.hex(), *ARGS, "--memory", "0x1000:" + data,
            "--fault-inject"]
    done = veu.run(*args, " lane=9  action=hang;action=hang")
    tap.equal("rules and the hang", (done.status, done.err.splitlines()), (1, [
        "veu-run: rule 'lane=9  action=hang' matched 0, fired 0",
        "veu-run: rule 'action=hang' matched 1, fired 1",
        "veu-run: the program hangs, because of a rule"]))
    done = veu.run(*args, "action=delay:1s")
    tap.equal("a delay is no fault", done.status, 0)
    done = veu.run(*args, "ring=1 action=hang")
    tap.equal("wrong rules", (done.status, done.out, done.err.splitlines()), (
        2, "", ["veu-run: --fault-inject: rule 1: ring is '1'",
                "It can be a number, or a range FIRST..LAST, of 0 to 0."]))


sys.exit(main(test_faults, test_policy, test_corrupt, test_time,
              test_what_people_read))
