#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The common behaviour of all tools: --version, "-" for standard input and
output, completion in bash.

Usage: tool_habits.py COMPLETION VERSION TOOL..."""

import os
import pathlib
import subprocess
import sys
import tempfile

from tap import Tap

# Calls the function as bash does, and prints its completions.
COMPLETE = '''\
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_veu "$1" "${!#}" "${@: -2:1}"
printf '%s\\n' "${COMPREPLY[@]}"
'''


def run(*command, **kwargs):
    return subprocess.run(list(map(str, command)), capture_output=True,
                          check=False, timeout=60, **kwargs)


def check_version(tap, version, tools):
    for name, tool in sorted(tools.items()):
        lines = run(tool, "--version").stdout.decode().splitlines()
        expected = f"veu version {version}" if name == "veu-qemu" else \
            f"{name} {version}"
        tap.equal(f"{name} --version", lines[-1:], [expected])


def check_standard_files(tap, tools):
    """A dash stands for standard input or, as an output, for standard
    output."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "k.visaasm"
        source.write_text('.kernel "k"\n', encoding="ascii")
        from_file = run(tools["veu-as"], "--program", source)
        text = source.read_bytes()
    tap.equal("veu-as assembles a file", from_file.returncode, 0)
    from_dash = run(tools["veu-as"], "--program", "-o", "-", "-", input=text)
    tap.equal("veu-as: - is standard input and output", from_dash.stdout,
              from_file.stdout)
    listed = run(tools["veu-dis"], "-", input=from_file.stdout)
    tap.equal("veu-dis: - is standard input", listed.returncode, 0)
    done = run(tools["veu-run"], "-", input=from_file.stdout)
    tap.equal("veu-run: - is standard input", (done.returncode, done.stderr),
              (0, b""))


def complete(script, *words):
    return run("bash", "-c", COMPLETE, "bash", script,
               *words).stdout.decode().split("\n")[:-1]


def check_completion(tap, script, tools):
    tap.equal("an option", complete(script, tools["veu-as"], "--out"),
              ["--output="])
    tap.equal("a command of veu-format",
              complete(script, tools["veu-format"], "un"),
              ["unpack", "untile"])
    tap.equal("a format", complete(script, tools["veu-format"], "pack",
                                   "R8G8B8A8_UN"),
              ["R8G8B8A8_UNORM", "R8G8B8A8_UNORM_SRGB"])
    tap.equal("a table", complete(script, tools["veu-spec"], "identi"),
              ["identity"])
    tap.equal("a device", complete(script, tools["veu-qemu"], "-device",
                                   "veu-"), ["veu-display"])
    tap.equal("a file", complete(script, tools["veu-run"],
                                 os.path.abspath(script)[:-2]),
              [os.path.abspath(script)])


def main():
    script, version, *paths = sys.argv[1:]
    tools = {os.path.basename(path): os.path.abspath(path) for path in paths}
    tap = Tap()
    tap.run(check_version, version, tools)
    tap.run(check_standard_files, tools)
    tap.run(check_completion, script, tools)
    return tap.done()


sys.exit(main())
