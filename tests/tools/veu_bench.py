#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-bench: cases, options, output. Figures are not judged here.

Usage: veu_bench.py VEU-BENCH
"""

import json
import os
import subprocess
import sys

from tap import Tap

BENCH = sys.argv[1]
HEAD = ["case", "ns/msg", "ns/lane", "scalar", "ratio", "SIMD", "ratio",
        "loop"]


# Hides other implementations of OpenCL.
ENVIRONMENT = {**os.environ, "OCL_ICD_VENDORS": "/nonexistent"}


def bench(*args):
    return subprocess.run([BENCH, *args], capture_output=True, text=True,
                          check=False, env=ENVIRONMENT)


def test_list(tap):
    names = bench("--list").stdout.splitlines()
    tap.equal("no two cases have the same name", len(set(names)), len(names))
    wrong = [name for name in names if not 4 <= name.count("/") <= 5]
    tap.equal("a name has five or six parts", wrong, [])
    lanes = {name.split("/")[1] for name in names}
    tap.equal("there are 8, 16 and 32 lanes, and blocks", lanes,
              {"1", "8", "16", "32"})
    one = bench("--list", "--filter", "*/messages=10").stdout.splitlines()
    tap.equal("--filter chooses", one,
              ["gather/16/1M/random/dispatch/messages=10"])


def test_results(tap):
    """Up to 4 MiB the device and all loops are compared."""
    done = bench("--quick", "--footprint=16K", "--json")
    tap.equal("all loops leave what the device leaves",
              (done.returncode, done.stderr), (0, ""))
    cases = json.loads(done.stdout)["cases"]
    names = bench("--list", "--footprint=16K").stdout.splitlines()
    tap.equal("all cases are in the JSON", [c["name"] for c in cases], names)
    wrong = [c["name"] for c in cases
             if c["device"]["best_ns"] <= 0
             or not {"scalar", "vector"} <= set(c["loops"])
             or c["simd"] not in c["loops"]]
    tap.equal("each has a time, a scalar and a SIMD loop", wrong, [])


def test_table(tap):
    done = bench("--quick", "--filter=gather/16/16K/*/dispatch")
    lines = done.stdout.splitlines()
    tap.equal("the table has a head", lines[0].split(), HEAD)
    tap.equal("and a row for each case", [row.split()[0] for row in lines[1:]],
              [f"gather/16/16K/{pattern}/dispatch"
               for pattern in ("random", "consecutive", "outside")])


def test_ram(tap):
    done = bench("--quick", "--filter=svm_*/ram=*")
    tap.equal("RAM takes no memory before it is used", done.returncode, 0)


def kernels(*args):
    return bench("kernels", *args)


def run_kernels(pattern):
    done = kernels("--quick", "--json", "--filter", pattern)
    names = kernels("--list", "--filter", pattern).stdout.splitlines()
    cases = json.loads(done.stdout)["cases"] if done.returncode == 0 else []
    return done, names, cases


def test_kernels(tap):
    """The device and the loops are compared before they are measured."""
    names = kernels("--list").stdout.splitlines()
    tap.equal("no two cases of kernels have the same name", len(set(names)),
              len(names))
    for pattern in ("alu/*", "rules/d", "launch", "thread"):
        done, names, cases = run_kernels(pattern)
        tap.equal(f"{pattern}: all loops leave what the device leaves",
                  (done.returncode, done.stderr), (0, ""))
        tap.equal(f"{pattern}: all cases are in the JSON, with a loop",
                  [c["name"] for c in cases if c["loop"]["best_ns"] > 0],
                  names)
    table = kernels("--quick", "--filter=alu/f/all").stdout.splitlines()
    tap.equal("the table has a row for a case",
              [row.split()[0] for row in table], ["case", "alu/f/all"])


def test_zebins(tap):
    """Without pocl, which is not under test, only the device runs them."""
    for pattern in ("decode", "kernel/vadd", "kernel/sha256", "first/vadd"):
        done, names, cases = run_kernels(pattern)
        tap.equal(f"{pattern} runs", (done.returncode, done.stderr), (0, ""))
        tap.equal(f"{pattern} has a time and no peer",
                  [c["name"] for c in cases
                   if 0 < c["device"]["best_ns"] <= c["device"]["median_ns"]
                   and "peer" not in c], names)


def test_paging(tap):
    done = bench("paging", "--json")
    tap.equal("paging runs", (done.returncode, done.stderr), (0, ""))
    cases = {c["case"]: c["ns"] for c in json.loads(done.stdout)["cases"]}
    tap.equal("paging has its cases", sorted(cases),
              ["invalidation", "request", "request/runners", "walk"])
    tap.true("a request takes longer than a walk",
             0 < cases["walk"] < cases["request"], cases)


def test_errors(tap):
    for args, status, text in [
            (("--kind=gathr",), 2, "write one of: gather gather_scaled"),
            (("--footprint=1K",), 2, "write 16K, 1M or 64M"),
            (("--ram=1M",), 2, "from 256M to 16G"),
            (("gather",), 2, "write --filter 'gather'"),
            (("--once", "--json"), 2, "omit --json"),
            (("--filter=nothing",), 1, "--list prints the names"),
            (("kernels", "alu"), 2, "write --filter 'alu'"),
            (("kernels", "--filter=nothing"), 1, "--list prints the names"),
            (("kernels", "--wrong"), 2, "see veu-bench kernels --help"),
            (("paging", "walk"), 2, "only options are accepted"),
            (("paging", "--wrong"), 2, "see veu-bench paging --help"),
            (("--wrong",), 2, "see veu-bench --help")]:
        done = bench(*args)
        tap.true(f"{args[0]}: the error says what to write",
                 done.returncode == status and text in done.stderr,
                 done.returncode, done.stderr)


TAP = Tap()
for test in (test_list, test_results, test_table, test_ram, test_kernels,
             test_zebins, test_paging, test_errors):
    TAP.run(test)
sys.exit(TAP.done())
