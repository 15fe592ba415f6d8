# SPDX-License-Identifier: GPL-2.0-or-later
"""Models of kernels that the reference implementation cannot run.

A model is called with the buffers before the run and the number of lanes of an
EU thread; it changes them as the kernel does.
"""

import re
import struct

GLOBAL = 128  # work-items of each of these runs
LOCAL = 64    # and of a group


def uints(data):
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def ints(data):
    return list(struct.unpack(f"<{len(data) // 4}i", data))


def pack(values):
    return b"".join(struct.pack("<I", value & 0xffffffff) for value in values)


def floats(values):
    return b"".join(struct.pack("<f", value) for value in values)


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def signed(value):
    value &= 0xffffffff
    return value - (1 << 32) if value >> 31 else value


def pieces(values, size):
    for start in range(0, GLOBAL, size):
        yield start, values[start:start + size]


def sg_reduce(buffers, lanes):
    values = ints(buffers[0])
    out, sums = [], []
    for _, group in pieces(values, LOCAL):
        for number, (_, lane_values) in enumerate(
                (start, group[start:start + lanes])
                for start in range(0, LOCAL, lanes)):
            total, running, highest = signed(sum(lane_values)), 0, None
            running_float = None
            for lane, value in enumerate(lane_values):
                highest = value if highest is None else max(highest, value)
                running_float = (single(value) if running_float is None else
                                 single(running_float + single(value)))
                out.append(total + highest * 3 + running + lane_values[3] +
                           any(v > 5 for v in lane_values) +
                           all(v > 0 for v in lane_values) + number + lane)
                running += value
                sums.append(single(
                    single(max(single(v) * 0.5 for v in lane_values)) +
                    running_float))
    buffers[1] = pack(out)
    buffers[2] = floats(sums)


def sg_shuffle(buffers, lanes):
    out = []
    for _, v in pieces(uints(buffers[0]), 16):
        for lane in range(16):
            down = (v[lane + 2] if lane + 2 < 16 else v[lane + 2 - 16] + 1)
            up = v[lane - 3] + 2 if lane >= 3 else v[lane + 13]
            out.append(v[(lane * 7 + 3) & 15] + v[lane ^ 5] * 3 + down * 5 +
                       up * 7)
    buffers[1] = pack(out)


def sg_block(buffers, lanes):
    """Groups of 8 work-items, so that each block belongs to one of them."""
    values, out = uints(buffers[0]), [0] * (len(buffers[1]) // 4)
    for start in range(0, GLOBAL * 4, 32):
        for lane in range(8):
            for k in range(4):
                out[start + k * 8 + lane] = (
                    values[start + (3 - k) * 8 + lane] + 1 + k)
    buffers[1] = pack(out)


def wg_functions(buffers, lanes):
    out = []
    for _, v in pieces(ints(buffers[0]), LOCAL):
        for i, _ in enumerate(v):
            before = max(v[:i], default=-(1 << 31))
            out.append(sum(v) + sum(v[:i + 1]) * 3 + before * 5 + v[0] * 7 +
                       all(x > 0 for x in v) * 11 + any(x > 10 for x in v) * 13)
    buffers[1] = pack(out)


def wgf(buffers, lanes):
    out = []
    for _, group in pieces(ints(buffers[0]), LOCAL):
        v = [x & 1023 for x in group]
        for i, _ in enumerate(v):
            out += [sum(v), max(v), sum(v[:i + 1]), sum(v[:i]), v[3],
                    any(x > 1000 for x in v), all(x > 0 for x in v),
                    min(v[:i + 1])]
    buffers[1] = pack(out)


def atomic64(buffers, lanes):
    total, second, third = struct.unpack("<3Q", buffers[0][:24])
    highest, = struct.unpack("<q", buffers[1][:8])
    total += sum(range(GLOBAL))
    second = second or 7
    buffers[0] = struct.pack("<3Q", total, second, third) + buffers[0][24:]
    buffers[1] = struct.pack("<q", max(highest, GLOBAL - 1)) + buffers[1][8:]


def generic_(buffers, lanes):
    """A pointer goes to global, local or private memory."""
    out = ints(buffers[0])
    for i in range(GLOBAL):
        x, t = i * 7, i * 5
        if i % 3 == 0:
            out[i] = out[i] + x + t
        elif i % 3 == 1:
            out[i] = t + x + t + 1
        else:
            out[i] = x + x + 1 + t
    buffers[0] = pack(out)


def image_half(buffers, lanes):
    """An image of 16 x 8 texels, of 4 halves or of 4 bytes that are UNORM."""
    image, halves = buffers[0], len(buffers[0]) == 16 * 8 * 8
    out = b""
    for y in range(8):
        for x in range(16):
            for u, v in (max(x - 2, 0), max(y - 2, 0)), (x, y):
                at = v * 16 + u
                out += (image[at * 8:at * 8 + 8] if halves else
                        struct.pack("<4e", *(single(k / 255) for k in
                                             image[at * 4:at * 4 + 4])))
    buffers[1] = out


def image_depth(buffers, lanes):
    """An image of 16 x 8 depths, of 4 bytes that are floats or of 2."""
    kind = "f" if len(buffers[0]) == 16 * 8 * 4 else "H"
    texels = [value if kind == "f" else single(value / 65535)
              for value, in struct.iter_unpack(f"<{kind}", buffers[0])]
    buffers[1] = floats(
        texels[v * 16 + u] for y in range(8) for x in range(16)
        for u, v in ((max(x - 2, 0), max(y - 2, 0)), (x, y)))
    buffers[2] = struct.pack("<4I", 0x10bd, 0x10de if kind == "f" else 0x10d3,
                             16, 8)


def image_depth_write(buffers, lanes):
    """16 x 8 depths that ascend by 1/128"""
    depths = [n / 128 for n in range(128)]
    buffers[0] = (floats(depths) if len(buffers[0]) == 16 * 8 * 4 else
                  struct.pack("<128H", *(round(single(depth * 65535))
                                         for depth in depths)))


def channel(format_):
    """The type of a format's channels, for struct, and their number"""
    bits = re.findall(r"[RGBA](\d+)", format_)
    types = {"UNORM": "xBHxI", "SNORM": "xbhxi", "SINT": "xbhxi",
             "UINT": "xBHxI", "FLOAT": "xxexf"}
    return types[format_.split("_")[1]][int(bits[0]) // 8], len(bits)


def linear(code):
    """The value of a code of sRGB"""
    c = code / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def copied(format_, value):
    """What image_copy, image_signed and image_unsigned of tests/kernels/src
    write for what they read."""
    kind, _ = channel(format_)
    if "SRGB" in format_:
        return value
    bits = struct.calcsize(kind) * 8
    if "SNORM" in format_:
        return max(value, 1 - 2 ** (bits - 1))
    if "SINT" in format_:
        return abs(value) // 2 * (1 if value > 0 else -1)
    if "UINT" in format_:
        return min((value * 3 + 1) % 2 ** 32, 2 ** bits - 1)
    return value


def copy(buffers, args):
    """From an image of 16 x 8 texels to one of 20 x 12, two texels to the
    right and down; what is beyond its edge is as its edge."""
    format_ = args[0].split(":")[2]
    kind, count = channel(format_)
    texels = list(struct.iter_unpack(f"<{count}{kind}", buffers[0]))
    if "SRGB" in format_:
        texels = [(*map(linear, texel[:3]), texel[3] / 255)
                  for texel in texels]
        kind, _ = channel(args[1].split(":")[2])
    buffers[1] = b"".join(
        struct.pack(f"<{count}{kind}", *(
            copied(format_, value) for value in
            texels[min(max(y - 2, 0), 7) * 16 + min(max(x - 2, 0), 15)]))
        for y in range(12) for x in range(20))


def size_of(arg):
    """The bytes of b:512:rand, or of img:16x8:R8G8B8A8_UNORM:rand"""
    parts = arg.split(":")
    if parts[0] == "b":
        return int(parts[1])
    width, height = map(int, parts[1].split("x"))
    kind, count = channel(parts[2])
    return width * height * count * struct.calcsize(kind)


def fill(args):
    """The buffers of arguments such as b:512:rand, as veu-run fills them."""
    seed, buffers = 12345, []
    for arg in args:
        if not arg.startswith(("b:", "img:")):
            continue
        data = bytearray(size_of(arg))
        pattern = arg.rsplit(":", 1)[1]
        for i in range(len(data) if pattern == "rand" else 0):
            seed = (seed * 1664525 + 1013904223) & 0xffffffff
            data[i] = seed >> 24
        for i in range(len(data) // 4):
            if pattern == "idxf":
                data[i * 4:i * 4 + 4] = struct.pack("<f", i)
            elif pattern == "randf":
                seed = (seed * 1664525 + 1013904223) & 0xffffffff
                data[i * 4:i * 4 + 4] = struct.pack("<f", (seed >> 8) / 2**24)
        buffers.append(bytes(data))
    return buffers


def has(kernel, args):
    """Whether the reference implementation is not asked."""
    return kernel in MODELS or UNKNOWN.match(args[0])


def run(kernel, args, lanes):
    """The buffers after a run."""
    buffers = fill(args)
    if kernel in MODELS:
        MODELS[kernel](buffers, lanes)
    else:
        copy(buffers, args)
    return buffers


# pocl 3.1 has no images with two channels, and none of sRGB; halves alone it
# reads as 0.
UNKNOWN = re.compile(r"img:\w+:(R\d+G\d+_\w+|R16_FLOAT|\w+_SRGB):")


MODELS = {model.__name__: model for model in (
    sg_reduce, sg_shuffle, sg_block, wg_functions, wgf, atomic64, generic_,
    image_half, image_depth, image_depth_write)}
