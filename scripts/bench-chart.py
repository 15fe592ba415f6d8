#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws the results of veu-bench, and fills in the tables of a page.

Usage: bench-chart.py --update | --check  FILE.json PAGE.md CHART.svg

FILE.json is what `veu-bench --json` prints. The chart: ns per message of 16
lanes against the footprint, random accesses. A table of the page is between
the lines <!-- table: NAME --> and <!-- end of table -->.
"""

import json
import math
import os
import sys

KINDS = ["gather", "scatter", "svm_gather", "svm_scatter", "gather4_typed",
         "scatter4_typed"]
FOOTPRINTS = [1 << 14, 1 << 20, 1 << 26]
FOOTPRINT_NAMES = ["16K", "1M", "64M"]
SERIES = [
    # name, colour, dashes, how a case's figure is found
    ("inline", "#7aa6d8", "6 3", lambda cases: device(cases["inline"])),
    ("dispatch", "#1f5fa8", "", lambda cases: device(cases["dispatch"])),
    ("scalar loop", "#8a8a8a", "2 3",
     lambda cases: cases["dispatch"]["loops"]["scalar"]["best_ns"]),
    ("SIMD loop", "#d0641e", "", lambda cases: limit(cases["dispatch"])),
]

PANEL_WIDTH, PANEL_HEIGHT = 250, 190
LEFT, TOP, RIGHT, BOTTOM = 46, 64, 14, 40
COLUMNS = 3
LOW_NS, HIGH_NS = 4, 400
TICKS_NS = [5, 10, 20, 50, 100, 200]


def device(case):
    return case["device"]["best_ns"]


def limit(case):
    return case["loops"][case["simd"]]["best_ns"]


def find(cases, **wanted):
    for case in cases:
        if "=" not in case["name"] and all(case[key] == value for key, value
                                           in wanted.items()):
            return case
    return None


# --- The chart --------------------------------------------------------------

def x_of(index):
    return (index + 0.5) * PANEL_WIDTH / len(FOOTPRINTS)


def y_of(ns):
    ns = min(max(ns, LOW_NS), HIGH_NS)
    part = math.log(ns / LOW_NS) / math.log(HIGH_NS / LOW_NS)
    return PANEL_HEIGHT * (1 - part)


def text(x, y, words, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}"{more}>{words}</text>'


def grid():
    lines = []
    for ns in TICKS_NS:
        y = y_of(ns)
        lines += [f'<path class="grid" d="M0 {y:.1f}H{PANEL_WIDTH}"/>',
                  text(-6, y + 4, ns, ' text-anchor="end"')]
    for index, name in enumerate(FOOTPRINT_NAMES):
        lines.append(text(x_of(index), PANEL_HEIGHT + 16, name,
                          ' text-anchor="middle"'))
    return lines


def curve(points, colour, dashes):
    path = " ".join(f"{'ML'[i > 0]}{x:.1f} {y:.1f}"
                    for i, (x, y) in enumerate(points))
    style = f'stroke="{colour}"' + (f' stroke-dasharray="{dashes}"'
                                    if dashes else "")
    yield f'<path class="curve" {style}'
    yield f'  d="{path}"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'


def panel(cases, kind, left, top):
    lines = [f'<g transform="translate({left} {top})">',
             text(0, -8, kind, ' class="title"')] + grid()
    for _, colour, dashes, figure in SERIES:
        points = []
        for index, footprint in enumerate(FOOTPRINTS):
            modes = {mode: find(cases, kind=kind, lanes=16, mode=mode,
                                footprint=footprint, pattern="random")
                     for mode in ("dispatch", "inline")}
            points.append((x_of(index), y_of(figure(modes))))
        lines += curve(points, colour, dashes)
    return lines + ["</g>"]


def legend():
    lines = []
    for index, (name, colour, dashes, _) in enumerate(SERIES):
        x = LEFT + index * 130
        lines += [f'<path class="curve" stroke="{colour}"'
                  f' stroke-dasharray="{dashes}"',
                  f'  d="M{x} 26h28"/>', text(x + 34, 30, name)]
    return lines + [text(LEFT + 4 * 130, 30,
                         "ns per message of 16 lanes, by footprint")]


def chart(cases):
    step_x = LEFT + PANEL_WIDTH + RIGHT
    step_y = PANEL_HEIGHT + BOTTOM + 24
    rows = (len(KINDS) + COLUMNS - 1) // COLUMNS
    width, height = COLUMNS * step_x, TOP + rows * step_y - 16
    lines = ["<!-- SPDX-License-" "Identifier: GPL-2.0-or-later -->",
             '<svg xmlns="http://www.w3.org/2000/svg"',
             f'  viewBox="0 0 {width} {height}">',
             "<style>",
             "text { font: 12px sans-serif; fill: #222; }",
             ".title { font-weight: bold; }",
             ".grid { stroke: #ddd; }",
             ".curve { fill: none; stroke-width: 2; }",
             "</style>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    lines += legend()
    for index, kind in enumerate(KINDS):
        lines += panel(cases, kind, LEFT + index % COLUMNS * step_x,
                       TOP + index // COLUMNS * step_y)
    return "\n".join(lines + ["</svg>"])


# --- Tables -----------------------------------------------------------------

def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def row_of(case, *first):
    scalar = case["loops"]["scalar"]["best_ns"]
    return [*first, f"{device(case):.1f}", f"{scalar:.1f}",
            f"{limit(case):.1f}", f"{case['ratio_scalar']:.2f}",
            f"{case['ratio_simd']:.2f}", case["simd"]]


FIGURES = ["ns", "scalar", "SIMD", "ratio to scalar", "to SIMD", "SIMD loop"]


def kinds_of(cases):
    return list(dict.fromkeys(case["kind"] for case in cases))


def most_lanes(cases, kind):
    """Returns the cases with 16 lanes, if a kind has them."""
    return min(16, max(case["lanes"] for case in cases
                       if case["kind"] == kind))


def table_of_kinds(cases, mode):
    rows = []
    for kind in kinds_of(cases):
        lanes = most_lanes(cases, kind)
        case = find(cases, kind=kind, lanes=lanes, mode=mode,
                    footprint=1 << 20, pattern="random")
        rows.append(row_of(case, f"`{kind}`", str(lanes)))
    return table(["message", "lanes"] + FIGURES, rows)


def table_inline(cases):
    rows = []
    for kind in kinds_of(cases):
        lanes = most_lanes(cases, kind)
        both = [find(cases, kind=kind, lanes=lanes, mode=mode,
                     footprint=1 << 20, pattern="random")
                for mode in ("dispatch", "inline")]
        ns = [device(case) for case in both]
        rows.append([f"`{kind}`", str(lanes), f"{ns[0]:.1f}", f"{ns[1]:.1f}",
                     f"{ns[1] - ns[0]:.1f}"])
    return table(["message", "lanes", "in a dispatch", "inline", "more"], rows)


def table_patterns(cases):
    rows = []
    for kind in KINDS:
        for pattern in ("random", "consecutive", "outside"):
            found = [find(cases, kind=kind, lanes=16, mode="dispatch",
                          footprint=footprint, pattern=pattern)
                     for footprint in FOOTPRINTS]
            if all(found):
                rows.append([f"`{kind}`", pattern] + [
                    f"{device(case):.1f} ({case['ratio_simd']:.2f})"
                    for case in found])
    return table(["message", "pattern"] + FOOTPRINT_NAMES, rows)


def table_lanes(cases):
    rows = []
    for kind in ("gather_scaled", "scatter_scaled", "svm_gather",
                 "scatter4_typed"):
        found = [find(cases, kind=kind, lanes=lanes, mode="dispatch",
                      footprint=1 << 20, pattern="random")
                 for lanes in (8, 16, 32)]
        rows.append([f"`{kind}`"] + [
            f"{device(case):.1f} ({case['ratio_simd']:.2f})" if case else "-"
            for case in found])
    return table(["message", "8 lanes", "16", "32"], rows)


def varying(case):
    *_, mode, name = case["name"].split("/")
    return name if mode == "dispatch" else f"{name}, {mode}"


def table_flat(cases):
    flat = [case for case in cases if "=" in case["name"]]
    return table(["message", "what varies"] + FIGURES,
                 [row_of(case, f"`{case['kind']}`", varying(case))
                  for case in flat])


TABLES = {
    "dispatch": lambda cases: table_of_kinds(cases, "dispatch"),
    "inline": table_inline,
    "patterns": table_patterns,
    "lanes": table_lanes,
    "flat": table_flat,
}


def fill(page, cases):
    """Returns the page with its tables filled in from the cases."""
    for name, make in TABLES.items():
        begin, end = f"<!-- table: {name} -->\n", "<!-- end of table -->"
        if begin in page:
            before, rest = page.split(begin)
            _, after = rest.split(end, 1)
            page = f"{before}{begin}{make(cases)}\n{end}{after}"
    return page


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def outdated(cases, page, picture):
    """Returns pairs of a file and its expected contents."""
    wanted = [(page, fill(read(page), cases)), (picture, chart(cases) + "\n")]
    return [(path, content) for path, content in wanted
            if not os.path.exists(path) or read(path) != content]


def update(wanted):
    for path, content in wanted:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    return 0


def check(wanted):
    print("1..1")
    for path, _ in wanted:
        print(f"# {path} is not as docs/performance.json has it: "
              "ninja -C build update-performance")
    print("not ok" if wanted else "ok", "1 - tables and chart are the data's")
    return 1 if wanted else 0


def main():
    args = sys.argv[1:]
    if len(args) != 4 or args[0] not in ("--update", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    wanted = outdated(json.loads(read(args[1]))["cases"], *args[2:])
    return (update if args[0] == "--update" else check)(wanted)


sys.exit(main())
