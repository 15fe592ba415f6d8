#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws the results of veu-bench kernels, and fills in its tables.

Usage: bench-kernels-chart.py --update | --check  FILE.json PAGE.md CHART.svg

FILE.json is what `veu-bench kernels --json` prints. The chart: how much longer
a compiled kernel takes than with pocl. A table of the page is between the lines
<!-- table: NAME --> and <!-- end of table -->.
"""

import json
import math
import os
import sys

LEFT, TOP, ROW, WIDTH = 130, 40, 20, 620
LOW, HIGH = 0.5, 5000
TICKS = [1, 4, 10, 100, 1000]
GOAL = 4


def kernels(cases):
    return sorted((case for case in cases
                   if case["name"].startswith("kernel/") and "peer" in case),
                  key=lambda case: case["peer"]["ratio"])


# --- The chart --------------------------------------------------------------

def x_of(ratio):
    ratio = min(max(ratio, LOW), HIGH)
    return LEFT + WIDTH * math.log(ratio / LOW) / math.log(HIGH / LOW)


def bar(case, y):
    ratio = case["peer"]["ratio"]
    end = x_of(ratio)
    colour = "#1f5fa8" if ratio <= GOAL else "#d0641e"
    return [f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">'
            f'{case["name"][7:]}</text>',
            f'<rect x="{LEFT}" y="{y + 3}" width="{end - LEFT:.0f}" '
            f'height="{ROW - 6}" fill="{colour}"/>',
            f'<text x="{end + 6:.0f}" y="{y + 14}">{ratio:.3g}</text>']


def chart(cases):
    rows = kernels(cases)
    bottom = TOP + ROW * len(rows)
    lines = ["<!-- SPDX-License-" "Identifier: GPL-2.0-or-later -->",
             '<svg xmlns="http://www.w3.org/2000/svg"',
             f'  viewBox="0 0 {LEFT + WIDTH + 60} {bottom + 12}">',
             "<style>text { font: 12px sans-serif; fill: #222; }</style>",
             '<rect width="100%" height="100%" fill="#fff"/>',
             f'<text x="{LEFT}" y="16">time of a kernel, of that with '
             "pocl's; the goal is 4</text>"]
    for tick in TICKS:
        lines += [f'<path stroke="#ccc" d="M{x_of(tick):.0f} {TOP - 4}'
                  f'V{bottom}"/>',
                  f'<text x="{x_of(tick):.0f}" y="{TOP - 8}" '
                  f'text-anchor="middle">{tick}</text>']
    for index, case in enumerate(rows):
        lines += bar(case, TOP + index * ROW)
    return "\n".join(lines + ["</svg>"]) + "\n"


# --- Tables -----------------------------------------------------------------

def number(ns):
    return f"{ns:,.2f}" if ns < 100 else f"{ns:,.0f}"


def goal(case):
    if "goal_ns" in case:
        return f"{number(case['goal_ns'])} ns"
    return f"{case['goal_ratio']:g}x" if "goal_ratio" in case else "-"


def other(case, part):
    if part not in case:
        return ["-", "-"]
    return [number(case[part]["best_ns"]), f"{case[part]['ratio']:.3g}"]


def row_of(case):
    met = {True: "yes", False: "no"}.get(case.get("met"), "-")
    return [f"`{case['name']}`", case["unit"],
            number(case["device"]["best_ns"]), *other(case, "loop"),
            *other(case, "peer"), goal(case), met]


def table(cases):
    lines = [["case", "per", "ns", "loop", "ratio", "peer", "ratio", "goal",
              "met"], ["---", "---"] + ["--:"] * 7]
    lines += [row_of(case) for case in cases]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def is_machine(case):
    return not case["name"].startswith(("kernel/", "pages/"))


TABLES = {
    "machine": lambda cases: [case for case in cases if is_machine(case)],
    "kernels": lambda cases: [case for case in cases if not is_machine(case)],
}


def fill(page, cases):
    """Returns the page with its tables filled in from the cases."""
    for name, choose in TABLES.items():
        begin, end = f"<!-- table: {name} -->\n", "<!-- end of table -->"
        before, rest = page.split(begin)
        _, after = rest.split(end, 1)
        page = f"{before}{begin}{table(choose(cases))}\n{end}{after}"
    return page


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def outdated(data, page, picture):
    """Returns pairs of a file and its expected contents."""
    wanted = [(page, fill(read(page), data["cases"])),
              (picture, chart(data["cases"]))]
    return [(path, content) for path, content in wanted
            if read(path) != content]


def update(wanted):
    for path, content in wanted:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    return 0


def check(wanted):
    print("1..1")
    for path, _ in wanted:
        print(f"# {path} is not as its JSON has it: "
              "ninja -C build update-performance-kernels")
    print("not ok" if wanted else "ok", "1 - tables and chart are the data's")
    return 1 if wanted else 0


def main():
    args = sys.argv[1:]
    if len(args) != 4 or args[0] not in ("--update", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    wanted = outdated(json.loads(read(args[1])), *args[2:])
    return (update if args[0] == "--update" else check)(wanted)


sys.exit(main())
