# SPDX-License-Identifier: GPL-2.0-or-later
"""What veu-linux is made of. tests/guest/linux boots its guests with the same
parts: a kernel (kernel.py), the driver for it (driver.py), an initial file
system (initramfs.py)."""


class Error(Exception):
    """What a user can be told in a sentence."""
