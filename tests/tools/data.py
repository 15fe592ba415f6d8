# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of tests/data."""

import os


def path(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                        "data", name)


def rows(name):
    """Returns the rows of a table: lists of columns."""
    with open(path(name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file
                if line.strip() and not line.startswith("#")]
