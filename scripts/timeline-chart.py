#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws a timeline as a picture for a page.

Usage: timeline-chart.py --update | --check  FILE.json CHART.svg

FILE.json is what the property timeline or `veu-run --timeline` writes. A row is
a track that has events; what begins and ends is a bar, what happens is a line.
"""

import json
import os
import sys
from html import escape

LEFT, TOP, ROW, WIDTH = 110, 34, 34, 720
STYLE = """<style>text { font: 12px sans-serif; fill: #222; }
.in { fill: #fff; }
.bar { fill: #888; stroke: #fff; stroke-width: 0.5; }
.command { fill: #1f5fa8; }
.request { fill: #d0641e; }
.state { fill: #5a8f3c; }</style>"""


def tracks(events):
    """Returns {(tid, is a request): [events]}, the requests of a ring below."""
    found = {}
    for event in events:
        if event["ph"] in "BEbei":
            key = (event["tid"], event["ph"] in "be")
            found.setdefault(key, []).append(event)
    return dict(sorted(found.items()))


def bars(events):
    """Returns (begin, end, event) of what begins and ends, outermost first."""
    begun, found = {}, []
    for event in events:
        stack = begun.setdefault(event.get("id"), [])
        if event["ph"] in "Bb":
            stack.append(event)
        elif event["ph"] in "Ee":
            first = stack.pop()
            found.append((first["ts"], event["ts"], first))
    return sorted(found, key=lambda bar: (bar[0], -bar[1]))


def step_of(span):
    """Returns the distance of two marks of the scale, in microseconds."""
    step = 1
    while span / step > 10:
        step *= 5 if str(step)[0] == "1" else 2
    return step


class Chart:
    """A picture of the time from the first event to the last."""

    def __init__(self, events):
        self.names = {event["tid"]: event["args"]["name"] for event in events
                      if event["name"] == "thread_name"}
        self.tracks = tracks(events)
        times = [event["ts"] for found in self.tracks.values()
                 for event in found]
        self.first, self.last = min(times), max(times)

    def x_of(self, time):
        return LEFT + WIDTH * (time - self.first) / (self.last - self.first)

    def bar(self, y, begin, end, event):
        x, right = self.x_of(begin), self.x_of(end)
        lines = [f'<rect class="bar {event["cat"]}" x="{x:.1f}" y="{y + 6}" '
                 f'width="{max(right - x, 1):.1f}" height="{ROW - 12}"/>']
        if right - x > 8 * len(event["name"]):
            lines.append(f'<text class="in" x="{x + 4:.1f}" y="{y + 21}">'
                         f'{escape(event["name"])}</text>')
        return lines

    def row(self, y, key, events):
        tid, is_request = key
        name = "request" if is_request else self.names[tid]
        lines = [f'<text x="{LEFT - 8}" y="{y + 21}" text-anchor="end">'
                 f"{escape(name)}</text>"]
        for begin, end, event in bars(events):
            lines += self.bar(y, begin, end, event)
        for event in events:
            if event["ph"] == "i":
                x = self.x_of(event["ts"])
                lines.append(f'<path stroke="#b01030" d="M{x:.1f} {y + 4}'
                             f'V{y + ROW - 4}"/>')
        return lines

    def scale(self, bottom):
        lines, step = [], step_of(self.last - self.first)
        for time in range(0, int(self.last - self.first) + 1, step):
            x = self.x_of(self.first + time)
            lines += [f'<path stroke="#ccc" d="M{x:.1f} {TOP - 6}V{bottom}"/>',
                      f'<text x="{x:.1f}" y="{TOP - 10}" '
                      f'text-anchor="middle">{time} us</text>']
        return lines

    def draw(self):
        bottom = TOP + ROW * len(self.tracks)
        lines = ["<!-- SPDX-License-" "Identifier: GPL-2.0-or-later -->",
                 '<svg xmlns="http://www.w3.org/2000/svg"',
                 f'  viewBox="0 0 {LEFT + WIDTH + 30} {bottom + 10}">',
                 STYLE,
                 '<rect width="100%" height="100%" fill="#fff"/>',
                 *self.scale(bottom)]
        for index, (key, events) in enumerate(self.tracks.items()):
            lines += self.row(TOP + index * ROW, key, events)
        return "\n".join(lines + ["</svg>"]) + "\n"


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    args = sys.argv[1:]
    if len(args) != 3 or args[0] not in ("--update", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    picture = Chart(json.loads(read(args[1]))["traceEvents"]).draw()
    if args[0] == "--update":
        with open(args[2], "w", encoding="utf-8") as file:
            file.write(picture)
        return 0
    same = read(args[2]) == picture
    print("1..1")
    print("ok" if same else "not ok", "1 - the chart is the data's: "
          "ninja -C build update-timeline")
    return 0 if same else 1


sys.exit(main())
