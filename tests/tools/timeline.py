# SPDX-License-Identifier: GPL-2.0-or-later
"""A reader of timelines, by the description of the Trace Event Format.

It is strict: where viewers would guess the meaning of a file, it reports a
mistake.
"""

import json
from collections import namedtuple

# One that has begun and ended: on a track, or between two events of one id.
Slice = namedtuple("Slice", "track category name begin end args depth")
Instant = namedtuple("Instant", "track category name time args")


class Timeline:
    """What viewers show; mistakes lists why they might show something else."""

    def __init__(self, path):
        self.slices, self.instants, self.mistakes = [], [], []
        self.tracks = {}
        self._open, self._async, self._times = {}, {}, {}
        with open(path, "rb") as file:
            events = json.load(file)["traceEvents"]
        for event in events:
            self._add(event)
        self.mistakes += [f"{events[-1]} has not ended"
                          for events in self._open.values() if events]
        self.mistakes += [f"{key} has not ended" for key in self._async]

    def _add(self, event):
        phase = event["ph"]
        if phase == "M":
            if event["name"] == "thread_name":
                self.tracks[event["tid"]] = event["args"]["name"]
            return
        key = event["pid"], event["tid"]
        if event["ts"] < self._times.get(key, 0):
            self.mistakes.append(f"{event} is before the event above it")
        self._times[key] = event["ts"]
        track = self.tracks.get(event["tid"])
        if track is None:
            self.mistakes.append(f"{event}: its track has no name")
        {"B": self._begin, "E": self._end, "b": self._begin_async,
         "e": self._end_async, "i": self._instant}[phase](event, key, track)

    def _begin(self, event, key, _track):
        self._open.setdefault(key, []).append(event)

    def _end(self, event, key, track):
        events = self._open.get(key)
        if not events:
            self.mistakes.append(f"{event} has not begun")
            return
        begin = events.pop()
        for member in "name", "cat", "args":
            if begin.get(member) != event.get(member):
                self.mistakes.append(f"{event} ends {begin}")
        self.slices.append(Slice(track, begin["cat"], begin["name"],
                                 begin["ts"], event["ts"],
                                 begin.get("args", {}), len(events)))

    def _begin_async(self, event, _key, _track):
        key = event["cat"], event["id"], event["name"]
        if key in self._async:
            self.mistakes.append(f"{event} has begun twice")
        self._async[key] = event

    def _end_async(self, event, _key, track):
        begin = self._async.pop((event["cat"], event["id"], event["name"]),
                                None)
        if begin is None:
            self.mistakes.append(f"{event} has not begun")
            return
        self.slices.append(Slice(track, event["cat"], event["name"],
                                 begin["ts"], event["ts"],
                                 {**begin["args"], **event.get("args", {})},
                                 0))

    def _instant(self, event, _key, track):
        self.instants.append(Instant(track, event["cat"], event["name"],
                                     event["ts"], event.get("args", {})))

    def names(self, category):
        """Returns the names of slices and instants of a category, in the order
        of the file."""
        return [one.name for one in self.slices + self.instants
                if one.category == category]
