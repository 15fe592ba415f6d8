# SPDX-License-Identifier: GPL-2.0-or-later
"""TAP for tests written in Python: points are functions or comparisons."""

import sys
import traceback


class Tap:
    """Counts points and prints them; the plan comes last."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def _print(self, good, name, notes=()):
        self.count += 1
        self.failed += not good
        print("ok" if good else "not ok", f"{self.count} - {name}")
        for note in notes:
            for line in str(note).splitlines():
                print("#", line)

    def note(self, text):
        print("#", text)

    def skip(self, name, why):
        self._print(True, f"{name} # SKIP {why}")

    def equal(self, name, value, expected):
        self._print(value == expected, name,
                    () if value == expected else
                    ("expected:", repr(expected), "found:", repr(value)))

    def true(self, name, value, *notes):
        self._print(bool(value), name, () if value else notes)

    def run(self, test, *args):
        """Calls a test; an exception in it is a point that fails."""
        try:
            test(self, *args)
        except Exception:
            self._print(False, test.__name__, (traceback.format_exc(),))

    def done(self):
        print(f"1..{self.count}")
        sys.stdout.flush()
        return 1 if self.failed else 0
