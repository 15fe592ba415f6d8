#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes an expansion ROM of its code: fills in sizes and sums.

Usage: rom.py INPUT OUTPUT"""

import struct
import sys

BLOCK = 512
BLOCKS, SUM, PCI_HEADER, PNP_HEADER = 2, 6, 0x18, 0x1a
PCI_BLOCKS = 0x10
PNP_BYTES, PNP_SUM = 32, 9


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], 'rb') as code:
        image = bytearray(code.read())
    blocks = -(-len(image) // BLOCK)
    if blocks > 255:
        sys.exit('rom.py: %d bytes: the headers count up to 255 blocks' %
                 len(image))
    image += bytes(blocks * BLOCK - len(image))
    pci, = struct.unpack_from('<H', image, PCI_HEADER)
    pnp, = struct.unpack_from('<H', image, PNP_HEADER)
    struct.pack_into('<H', image, pci + PCI_BLOCKS, blocks)
    image[pnp + PNP_SUM] = -sum(image[pnp:pnp + PNP_BYTES]) & 0xff
    image[BLOCKS] = blocks
    image[SUM] = -sum(image) & 0xff
    with open(sys.argv[2], 'wb') as rom:
        rom.write(image)


if __name__ == '__main__':
    main()
