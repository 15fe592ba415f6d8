# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs veu-run in a folder of its own."""

import json
import os
import subprocess
import sys
import tempfile

from tap import Tap


class Done:
    """The results of a run."""

    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def __str__(self):
        return f"exit status {self.status}\n{self.err}{self.out}"


class Runner:
    """The tool and a folder with files."""

    def __init__(self, tool, folder):
        self.tool = os.path.abspath(tool)
        self.folder = folder

    def file(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def run(self, *args):
        return Done(subprocess.run(
            [self.tool, *map(str, args)], cwd=self.folder, check=False,
            capture_output=True, text=True, timeout=60,
            env=dict(os.environ, LC_ALL="C")))

    def json(self, *args):
        """Returns the object that --json prints, and checks that nothing else
        is printed."""
        done = self.run("--json", *args)
        assert done.status in (0, 1) and not done.err, done
        result = json.loads(done.out)
        assert (done.status == 1) == (result["status"] in ("fault", "hang")), \
            done
        return result

    def values(self, *args):
        """Returns the values that --show prints."""
        return [shown["values"] for shown in self.json(*args)["shown"]]


def main(*tests):
    """Runs tests as test(tap, runner); returns the exit status."""
    tap = Tap()
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            tap.run(test, Runner(sys.argv[1], folder))
    return tap.done()
