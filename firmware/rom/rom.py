#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes an expansion ROM of its code: the sum of all bytes becomes 0.

Usage: rom.py INPUT OUTPUT"""

import sys

with open(sys.argv[1], 'rb') as code:
    image = bytearray(code.read())
if len(image) != image[2] * 512 or image[-1]:
    sys.exit('rom.py: the image is %d bytes, not %d' %
             (len(image), image[2] * 512))
image[-1] = -sum(image) & 0xff
with open(sys.argv[2], 'wb') as rom:
    rom.write(image)
