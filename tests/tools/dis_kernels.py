# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-dis lists whole kernels: instructions of all kinds, with their text."""

import re
import struct
import sys

import visa
from assembler import Kernel, main, make_object


# --- Operands, from the documentation's page on them -----------------------

def general(variable, region, row=0, column=0):
    return struct.pack("<BIBBH", 0, variable, row, column, region)


def imm(type_, value):
    return struct.pack("<BBI", 5, visa.TYPES[type_], value)


def imm64(value):
    return struct.pack("<BBQ", 5, visa.TYPES["uq"], value)


DST = 0x200      # <1>
SRC = 0x0255     # <8;8,1>
V32 = general(32, DST)
V33 = general(33, SRC)
ADDRESS = bytes.fromhex("01 0000 02 04")   # A0(2), 16 wide
PREDICATE = bytes.fromhex("02 0100")       # P1
STATE = bytes.fromhex("06 00 0600 00")     # T6
INDIRECT = bytes.fromhex("03 0000 02 f0ff 00 2101")
NO_PRED = bytes(2)
PRED = b"\x01\x80"                         # !P1
SIZE = b"\x04"                             # M1, 16
RAW = visa.raw(32)
SCALAR = general(33, 0x0121, column=1)     # V33(0,1)<0;1,0>


def op(opcode, *parts):
    return bytes([opcode]) + b"".join(
        p if isinstance(p, bytes) else bytes([p]) for p in parts)


# Each with the text of its line, from the pages of the instructions.
INSTRUCTIONS = [
    (op(0x01, SIZE, NO_PRED, V32, V33, imm("ud", 5)),
     "add (M1, 16) V32(0,0)<1> V33(0,0)<8;8,1> 0x5:ud"),
    (op(0x0c, SIZE, PRED, V32, V33, V33, V33), "(!P1) mad "),
    (op(0x17, SIZE, NO_PRED, V32, V33), "sin "),
    (op(0x29, SIZE, NO_PRED, V32, imm64(1)), "mov (M1, 16) V32(0,0)<1> 0x1:uq"),
    (op(0x29, SIZE, NO_PRED, V32, INDIRECT),
     "mov (M1, 16) V32(0,0)<1> r[A0(2),-16]<0;1,0>:ud"),
    (op(0x28, SIZE, ADDRESS, SCALAR, imm("uw", 4)),
     "addr_add (M1, 16) A0(2)<16> &V33[4] 0x4:uw"),
    (op(0x2b, SIZE, PREDICATE, V33), "setp (M1, 16) P1 "),
    (op(0x2c, SIZE, 3, PREDICATE, V33, V33), "cmp.ge (M1, 16) P1 "),
    (op(0x2c, SIZE, 3, V32, V33, imm("f", 0)), "cmp.ge (M1, 16) V32"),
    (op(0x20, SIZE, NO_PRED, PREDICATE, PREDICATE, PREDICATE),
     "and (M1, 16) P1 P1 P1"),
    (op(0x2d, SIZE, STATE, imm("ud", 3)), "movs (M1, 16) T6(0)"),
    (op(0x32, b"\0", PRED, b"\0\0"), "(!P1) jmp (M1, 1) l"),
    (op(0x33, SIZE, NO_PRED, b"\0\0"), "call (M1, 16) l"),
    (op(0x34, SIZE, PRED), "(!P1) ret (M1, 16)"),
    (op(0x40, 0x1f, 0, 6, RAW, RAW, RAW, RAW), "sample "),
    (op(0x44, 3, 0, 6, V33, V33, 1, 2, V33, RAW), "va_minmaxfilter "),
    (op(0x45, SIZE, 1, V32, V33, V33),
     "max (M1, 16) V32(0,0)<1> V33(0,0)<8;8,1> "),
    (op(0x47, SIZE, NO_PRED, V32, V33, V33, V33, V33), "bfi "),
    (op(0x49, SIZE, NO_PRED, V32, V32, V33, V33), "addc "),
    (op(0x4d, 0x0f, 6, *[V33] * 8, RAW), "va_correlationsearch "),
    (op(0x4d, 0x18, 0, 6, V33, V33, 1, RAW, 6, V33, V33),
     "va_hdc_convolve_1pixel "),
    (op(0x4f, SIZE, NO_PRED, V33, 1, 1), "ifcall "),
    (op(0x50, b"\1\0", V32), "faddr "),
    (op(0x51, bytes(4)), "file "),
    (op(0x52, b"\x2a\0\0\0"), "loc 42"),
    (op(0x54, 1, 2, RAW, RAW, 6, RAW, RAW, RAW, RAW), "vme_ime "),
    (op(0x59), "barrier"),
    (op(0x5b, V33), "wait "),
    (op(0x5d, 0, SIZE, NO_PRED, bytes(4), 1, 1, V33, RAW, RAW), "raw_send "),
    (op(0x5d, 0, SIZE, PRED, bytes(4), 1, 1, V33, RAW, RAW), "(!P1) raw_send "),
    (op(0x5f), "yield"),
    (op(0x69, SIZE, 2, V33, bytes(4)), "switchjmp "),
    (op(0x6c, SIZE, NO_PRED, b"\0\0"), "goto (M1, 16) l"),
    (op(0x6d, b"\2\0", SIZE, NO_PRED, 15, imm("uw", 0), 0, 6, RAW, 3, RAW, RAW,
        RAW), "sample_l.RGBA (M1, 16) 0x0:uw S0 T6 V32.0 V32.0 V32.0 V32.0"),
    (op(0x6e, b"\7\0", SIZE, NO_PRED, 5, imm("uw", 0), 6, RAW, 1, RAW),
     "load_3d.RB (M1, 16) 0x0:uw T6 V32.0 V32.0"),
    (op(0x70, 10, SIZE, 3, 6, RAW, RAW), "resinfo.RG "),
    (op(0x70, 11, SIZE, 1, 6, RAW), "sampleinfo.R "),
    (op(0x71, SIZE, NO_PRED, b"\0\0", 6, RAW, RAW, RAW, RAW, RAW),
     "rt_write_3d "),
    (op(0x71, SIZE, NO_PRED, b"\x2c\x08", 6, RAW, V33, V33, RAW, RAW, RAW, RAW,
        RAW, RAW), "rt_write_3d "),
    (op(0x72, SIZE, NO_PRED, 1, RAW, bytes(2), RAW, RAW, RAW),
     "urb_write_3d "),
    (op(0x7a, 0, SIZE, NO_PRED, 1, 1, 1, 10, imm("ud", 0), V33, RAW, RAW, RAW),
     "raw_sends "),
    (op(0x7b, 1, b"\x20\0\0\0"), "lifetime.end V32"),
    (op(0x83, SIZE, RAW, RAW, RAW, V33, bytes(4)), "dpas "),
    (op(0x85, SIZE, NO_PRED, V32, V33, V33, V33, 0x5a), "bfn.x5a "),
    (op(0x89, 0, SIZE, NO_PRED, 0, 1, 2, 4, b"\1\0", b"\xe0\xff\xff\xff", 2, 3,
        1, 2, 2, imm("ud", 9), RAW, RAW, bytes(6), bytes(6)),
     "lsc_load.ugm.uc.ca (M1, 16) V32:d32x2 bti(0x9)[V32-0x20]:a32"),
    (op(0x89, 1, SIZE, NO_PRED, 0, 0, 0, 1, b"\1\0", bytes(4), 3, 3, 1, 1, 1,
        imm("ud", 0), RAW, RAW, SCALAR, bytes(6)),
     "lsc_load_strided.ugm (M1, 16) V32:d32 flat[V32,V33(0,1)]:a64"),
    (op(0x89, 2, SIZE, NO_PRED, 0, 0, 0, 3, b"\1\0", b"\x10\0\0\0", 2, 3, 1, 5,
        5, SCALAR, RAW, RAW, bytes(12)),
     "lsc_load_quad.ugm (M1, 16) V32:d32.xz ss(V33(0,1))[V32+0x10]:a32"),
    (op(0x89, 3, SIZE, NO_PRED, 0, 2, 2, 1, 1, 2, b"\x10\0", b"\x08\0", 1, RAW,
        SCALAR, imm("ud", 64), imm("ud", 8), SCALAR, SCALAR, SCALAR, bytes(6)),
     "lsc_load_block2d.ugm.ca.ca (M1, 16) V32:d8.2x16x8nt "
     "flat[V33(0,1),0x40,0x8,V33(0,1),V33(0,1),V33(0,1)]"),
    (op(0x89, 4, SIZE, PRED, 3, 0, 0, 1, b"\4\0", bytes(4), 2, 4, 2, 8, 8,
        imm("ud", 0), bytes(6), RAW, RAW, bytes(6)),
     "(!P1) lsc_store.slm (M1, 16) flat[4*V32]:a32 V32:d64x64t"),
    (op(0x89, 0xc, SIZE, NO_PRED, 0, 0, 0, 1, b"\1\0", bytes(4), 3, 3, 1, 1, 1,
        imm("ud", 0), bytes(6), RAW, visa.raw(33, 64), bytes(6)),
     "lsc_atomic_iadd.ugm (M1, 16) %null:d32 flat[V32]:a64 V33.64 %null"),
    (op(0x8a, 2, SIZE, NO_PRED, 1, 1, 4, 2, 3, 1, 0xf, 0xf, imm("ud", 6),
        RAW, RAW, RAW, bytes(6 * 4)),
     "lsc_load_quad.tgm.uc.uc (M1, 16) V32:d32.xyzw bti(0x6)[V32,V32]:a32"),
    (op(0x8b, b"\x80", NO_PRED, 0, 1, 2), "lsc_fence.ugm.evict.tile"),
    (op(0x91, SIZE, NO_PRED, V32, V33, V33, V33), "madw "),
    (op(0x93, 0, SIZE, bytes(4), NO_PRED, RAW, bytes(4), RAW, bytes(4), RAW,
        bytes(4), V33, imm64(0), bytes(8)), "raw_sendg "),
    (op(0x94), "breakpoint"),
]

# Parts that compilers wrote in several ways under one version of objects:
# without and with the parts added in March, April, July and August 2023; and
# the paired surface, which is in the pages.
LSC = b"".join((SIZE, NO_PRED, bytes([0, 1, 1, 2, 1, 0]), bytes(4),
                bytes([3, 3, 1, 1, 0]), imm("ud", 6)))
TYPED = b"".join((SIZE, NO_PRED, bytes([1, 1, 4, 2, 3, 1, 0, 0xf]),
                  imm("ud", 6)))
BLOCK = b"".join((SIZE, NO_PRED, bytes([0, 1, 1, 3, 1, 1, 8, 0, 8, 0, 0]), RAW,
                  V33 * 4))
SAMPLE = b"".join((b"\2\0", SIZE, NO_PRED, b"\0", imm("uw", 0), b"\0\6", RAW))
INDEX = b"\x20\0\0\0"


def in_layout(part):
    """The parts until @part are there."""
    def when(since, content):
        return content if part >= since else b""

    coordinate = RAW + when(1, INDEX)
    return [
        op(0x8a, 2, TYPED, when(1, INDEX), RAW, coordinate * 3, RAW * 3),
        op(0x89, 3, BLOCK, V33, when(2, INDEX), V33, when(2, INDEX), RAW),
        op(0x89, 0, LSC, when(3, INDEX), RAW * 4),
        op(0x89, 5, LSC, when(3, INDEX), RAW, RAW, V33, RAW),
        op(0x4f, SIZE, NO_PRED, when(4, b"\1"), V33, 1, 1),
        op(0x6d, SAMPLE, when(5, RAW), 2, RAW, RAW),
    ]


def kernel(code):
    return make_object([Kernel(
        "k", code, variables=[("V32", "ud", 128), ("V33", "ud", 128)],
        addresses=[("A0", 16)], predicates=[("P1", 16)], labels=[("l", 0)],
        samplers=[("S0", 1)], surfaces=[("T6", 1)])])


# Instructions without text, or without text in this form: a comment, and
# bytes.
NO_TEXT = {0x40, 0x44, 0x4d, 0x54, 0x5d, 0x69, 0x71, 0x72, 0x7a, 0x83, 0x93}


# The index of a string differs from pool to pool.
NAMES_STRING = {0x50, 0x51}


def instructions_have_their_texts(tap, tools):
    """After each of them, the next message is found at its place."""
    for code, line in INSTRUCTIONS:
        text = tools.text(kernel(code + b"\x5c\x05"))
        listed = text.split("\n\n")[1].splitlines()
        if code[0] in NO_TEXT:
            tap.equal(f"0x{code[0]:02x} {line}", (
                listed[0].startswith("// 0x0000: " + line), listed[1:]),
                (True, [".bytes " + code.hex(" "), "    fence_global.ES"]))
        else:
            tap.equal(f"0x{code[0]:02x} {line}", (
                listed[0].startswith("    " + line), listed[0], listed[1:]),
                (True, listed[0], ["    fence_global.ES"]))
        if code[0] not in NAMES_STRING:
            tap.true("which assembles to the same code",
                     code + b"\x5c\x05" in tools.object(text))


def whole_kernels_are_listed(tap, tools):
    """All of them one after the other; offsets; and the listing assembles."""
    gather = visa.gather(4, 16, 6, visa.ud(0), 32, 33)
    instructions = [c for c, _ in INSTRUCTIONS if c[0] != 0x51]
    code = b"".join(c + gather for c in instructions)
    text = tools.text(kernel(code))
    tap.equal("every message is found",
              text.count("\n    gather.4 (M1, 16) T6"), len(instructions))
    at = 0
    offsets = []
    for instruction in instructions:
        if instruction[0] in NO_TEXT:
            offsets.append(at)
        at += len(instruction) + len(gather)
    tap.equal("what has no text with its offset",
              [int(o, 16) for o in re.findall(r"^// 0x(\w+): ", text, re.M)],
              offsets)
    tap.equal("the listing is assembled to the same code",
              tools.text(tools.object(text)), text)


def labels_and_subroutines(tap, tools):
    """.function says that a label is a subroutine's; ids follow the text."""
    text = (".version 4.1\n.kernel \"k\"\n\n"
            ".function \"main\"\nmain:\n"
            "    goto (M1, 16) end\n"
            "    call (M1, 16) sub\n"
            "end:\n"
            "    ret (M1, 1)\n"
            ".function \"sub\"\nsub:\n"
            "    ret (M1, 16)\n")
    built = make_object([Kernel("k", b"".join((
        op(0x30, b"\0\0"), op(0x6c, SIZE, NO_PRED, b"\1\0"),
        op(0x33, SIZE, NO_PRED, b"\2\0"), op(0x31, b"\1\0"),
        op(0x34, b"\0", NO_PRED), op(0x30, b"\2\0"),
        op(0x34, SIZE, NO_PRED))),
        labels=[("main", 1), ("end", 0), ("sub", 1)])])
    tap.equal("the object of a text", tools.object(text).hex(), built.hex())
    tap.equal("the text of an object", tools.text(built), text)
    for wrong, message in (("goto (M1, 16) nowhere", "2:17: error: there is no "
                            "label nowhere"),
                           ("x:\nx:", "3:1: error: 'x' is here again")):
        indent = "  " if wrong.startswith("goto") else ""
        said = tools.error(f".kernel k\n{indent}{wrong}\n")
        tap.true(message, message in said, said)


def a_label_that_is_placed_twice_is_bytes(tap, tools):
    text = tools.text(kernel(op(0x31, b"\0\0") * 2 + b"\x5c\x80"))
    tap.true("the second", "\nl:\n// 0x0003: a label that text cannot put here"
             "\n.bytes 31 00 00\n    fence_sw\n" in text, text)


def functions_are_named_in_the_pool(tap, tools):
    """faddr and fcall have the index of a string, which is added."""
    text = (".version 4.1\n.kernel \"k\"\n"
            ".decl V32 v_type=G type=uq num_elts=1 align=qword\n\n"
            "    faddr table V32(0,0)<1>\n"
            "    fcall (M1, 8) \"__const.f.s\" 3 1\n"
            "    faddr table V32(0,0)<1>\n")
    built = tools.object(text)
    tap.equal("as they were", tools.text(built), text)
    kernel_ = Kernel("k", variables=[("V32", "uq", 1, "qword")])
    kernel_.bytes()
    kernel_.strings += ["table", "__const.f.s"]
    first = len(kernel_.strings) - 2
    address = op(0x50, struct.pack("<H", first), general(32, DST))
    tap.true("in their order, once each", b"".join((
        address, op(0x67, b"\3", NO_PRED, struct.pack("<H", first + 1), 3, 1),
        address)) in built, built.hex())


def layouts_are_told_apart(tap, tools):
    """The whole kernel decides: only one layout can read all of it."""
    fence = b"\x5c\x05"
    for part in range(6):
        codes = in_layout(part)
        text = tools.text(kernel(b"".join(c + fence for c in codes)))
        tap.equal(f"layout {part}: where the instructions end",
                  text.count("\n    fence_global.ES"), len(codes))
        tap.true("and nothing is left", "cannot be read" not in text, text)
        tap.true(f"layout {part} is assembled as it was",
                 b"".join(c + fence for c in codes) in tools.object(text))
        for code in codes:
            text = tools.text(kernel(code + fence))
            tap.true(f"layout {part}: 0x{code[0]:02x} alone",
                     "\n    fence_global.ES\n" in text and
                     code + fence in tools.object(text), text)


def lines_have_the_oldest_layout(tap, tools):
    for code, answer in zip(in_layout(0), tools.dis_hex(
            [code.hex() for code in in_layout(0)])):
        tap.true(f"0x{code[0]:02x} {answer}", "bytes" not in answer)


def what_cannot_be_told_apart(tap, tools):
    for code, name in ((b"\xff\x01\x02", "opcode 0xff"),
                       (b"\x3b", "opcode 0x3b"), (b"\x4e\x09", "opcode 0x4e"),
                       (op(0x29, SIZE, NO_PRED, V32)[:-1], "mov"),
                       (op(0x01, SIZE, NO_PRED, V32, V33, b"\4"), "add"),
                       (b"\x39\x02\x00", "opcode 0x39"),
                       (b"\x89\x7f" + bytes(60), "opcode 0x89")):
        text = tools.text(kernel(b"\x5c\x80" + code))
        tap.true(f"{name}: the rest is bytes",
                 f"    fence_sw\n// 0x0002: {name}, which cannot be read; the "
                 "rest as bytes\n.bytes " in text, text)
        tap.true("which assemble", code in tools.object(text))


def messages_without_text(tap, tools):
    """A surface that is not there, a reserved bit: bytes, with the reason."""
    for code, reason in (
            (visa.gather(4, 16, 9, visa.ud(0), 32, 33),
             "gather: there is no surface with id 9"),
            (visa.gather(4, 16, 6, visa.ud(0), 99, 33),
             "gather: there is no variable with id 99"),
            (visa.scatter4_typed(0, 8, 6, 32, 0, 0, 0, 33),
             "scatter4_typed: Channels 0x00 has no text"),
            (visa.gather_scaled(4, 16, 6, visa.ud(0), 32, 33, pred=0x1001),
             "gather_scaled: there is no predicate 0x1001")):
        text = tools.text(kernel(code + b"\x5c\x80"))
        tap.true(reason, f"// 0x0000: {reason}\n.bytes {code.hex(' ')}\n"
                 "    fence_sw\n" in text, text)


def operations_of_samplers_without_a_name(tap, tools):
    for operation in 0x1f, 0x102:
        code = op(0x6d, struct.pack("<H", operation), SIZE, NO_PRED, 15,
                  imm("uw", 0), 0, 6, RAW, 3, RAW, RAW, RAW)
        text = tools.text(kernel(code))
        tap.true(f"{operation:#x}: its bytes", f"// 0x0000: sample_3d "
                 f"{operation:#x} (M1, 16) " in text and
                 f"\n.bytes {code.hex(' ')}\n" in text, text)


def lines_name_what_is_wrong(tap, tools):
    answers = tools.dis_hex(["29040000", "4e09", "ff", "", "39", "xx",
                             "5c8000", "7803000000020000060500"], decls=None)
    for answer, reason in zip(answers, (
            "error: the bytes end before the instruction",
            "error: there is no instruction with opcode 0x4e and sub-opcode "
            "0x09", "error: there is no instruction with opcode 0xff",
            "error: the bytes end", "error: the bytes end",
            "error: bytes are two hexadecimal",
            "error: the instruction has 2 bytes, here are 3",
            "error: the bytes end")):
        tap.true(reason, answer.startswith(reason), answer)


sys.exit(main(instructions_have_their_texts, whole_kernels_are_listed,
              labels_and_subroutines, a_label_that_is_placed_twice_is_bytes,
              functions_are_named_in_the_pool, layouts_are_told_apart,
              lines_have_the_oldest_layout, what_cannot_be_told_apart,
              messages_without_text, operations_of_samplers_without_a_name,
              lines_name_what_is_wrong))
