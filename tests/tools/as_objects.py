# SPDX-License-Identifier: GPL-2.0-or-later
"""Objects: veu-as and veu-dis, compared with a second writer of the format."""

import re
import struct
import sys

import visa
from assembler import Kernel, main, make_object

GATHER = visa.gather(4, 16, 6, visa.ud(0x10), 32, 33)
RET = bytes.fromhex("34000000")

TEXT = r"""
.version 4.1
.kernel "first kernel"
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl Data v_type=G type=f num_elts=32 align=GRFx2 attrs={Input, Scope=3}
.decl V34 v_type=G type=uw num_elts=8 align=word alias=<Data, 64>
.decl V35 v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>
.decl A0 v_type=A num_elts=16
.decl P1 v_type=P num_elts=32
.decl S0 v_type=S num_elts=1 v_name=samp
.decl T6 v_type=T num_elts=1 v_name=T006 attrs={SurfaceUsage=2}
.input Data offset=64 size=128
.input T6 offset=32 size=4
.implicit_LOCAL_ID V32 offset=192 size=12
.implicit_UNDEFINED_9 V32 offset=256 size=4
.kernel_attr Target="cm"
.kernel_attr SLMSize=1
.kernel_attr NoBarrier
.kernel_attr OutputAsmPath="a\"b\\c\x07"

.function "sub"
sub:
again:
    gather.4 (M1, 16) T6 0x10:ud V32.0 Data.0
    ret (M1, 1)

.kernel "second"
.decl V32 v_type=G type=q num_elts=1 align=qword

    fence_sw
"""


def kernels():
    """The same as TEXT."""
    return [
        Kernel("first kernel",
               bytes.fromhex("300000310100") + GATHER + RET,
               variables=[("V32", "ud", 16),
                          ("Data", "f", 32, "GRFx2", 0, 0,
                           [("Input", b""),
                            ("Scope", struct.pack("<I", 3))]),
                          ("V34", "uw", 8, "word", 33, 64),
                          ("V35", "ud", 8, "GRF", 7, 0)],
               addresses=[("A0", 16)], predicates=[("P1", 32)],
               labels=[("sub", 1), ("again", 0)], samplers=[("samp", 1)],
               surfaces=[("T006", 1,
                          [("SurfaceUsage", struct.pack("<I", 2))])],
               inputs=[(0, 33, 64, 128), (2, 6, 32, 4), (3 << 3, 32, 192, 12),
                       (9 << 3, 32, 256, 4)],
               attributes=[("Target", b"\0"),
                           ("SLMSize", struct.pack("<I", 1)),
                           ("NoBarrier", b""),
                           ("OutputAsmPath", b"a\"b\\c\x07")]),
        Kernel("second", b"\x5c\x80", variables=[("V32", "q", 1, "qword")]),
    ]


def text_and_object_stand_for_each_other(tap, tools):
    built = make_object(kernels())
    tap.equal("the text of an object", tools.text(built), TEXT.lstrip())
    tap.equal("the object of a text", tools.object(TEXT).hex(), built.hex())
    tap.equal("an object through veu-as", tools.object(built).hex(),
              built.hex())


def functions_are_objects_of_their_own(tap, tools):
    function = Kernel("f", bytes.fromhex("68000000"), function=(3, 1))
    built = make_object([Kernel("k", RET), function])
    text = tools.text(built)
    tap.true("a function is listed", '.global_function "f"\n' in text, text)
    again = tools.object(text)
    tap.equal("and assembled", tools.text(again), text)
    kernel_first = tools.text(tools.object(
        ".version 4.1\n.global_function f\nfence_sw\n.kernel k\nfence_sw\n"))
    tap.true("kernels come before functions",
             kernel_first.index(".kernel") <
             kernel_first.index(".global_function"), kernel_first)


def file_and_loc_have_three_spellings(tap, tools):
    """Intel's assembler reads the first; its compiler prints the second."""
    built = [tools.object(f'.kernel "k"\n{text}\n').hex() for text in
             ('.file "a.cl"\n.loc 7', 'FILE "a.cl"\nLOC 7',
              'file "a.cl"\nloc 7')]
    tap.equal(".file and .loc, FILE and LOC, file and loc",
              [built[0]] * 3, built)
    tap.true("a remark before any kernel",
             "before any kernel" in tools.error(".loc 7\n"))


def numbers_are_calculated_as_in_c(tap, tools):
    """Each operator with each other one, and with parentheses."""
    operators = ("|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%")
    texts = [text for one in operators for two in operators
             for text in (f"13 {one} 5 {two} 3", f"13 {one} (5 {two} 3)")]
    values = {}
    for text in texts:
        # Python's // is C's / here: nothing negative is divided
        python = text.replace("/", "//")
        try:
            values[text] = eval(python) & 255
        except ZeroDivisionError:
            pass

    def lines(numbers):
        made = tools.object(
            '.kernel "k"\n.decl V32 v_type=G type=ub num_elts=256 align=GRF\n' +
            "".join(f"mov (M1, 1) V32(0,{number})<1> 0:ub\n"
                    for number in numbers))
        return tools.text(made).splitlines()

    calculated = lines(f"(({text}) & 255)" for text in values)
    tap.equal("what C computes of three numbers",
              [row for row in zip(values, calculated, lines(values.values()))
               if row[1] != row[2]], [])
    tap.true("of nearly all pairs", len(values) > 190)


def floats_are_decimal(tap, tools):
    """A point or an exponent, and :f or :df, in either case; or the bits."""
    def bytes_of(text, size):
        return tools.object(
            '.kernel "k"\n.decl V32 v_type=G type=df num_elts=1 align=GRF\n'
            f"mov (M1, 1) V32(0,0)<1> {text}\n")[-size:].hex()

    for text in ("1.5", "10.25", "0.1", "1e3", "25e-1", "12.5e+2", "1.5E2"):
        for type_ in "f", "df", "F", "DF":
            format_, bits, size = ("<f", "<I", 4) if len(type_) == 1 else \
                                  ("<d", "<Q", 8)
            bits, = struct.unpack(bits, struct.pack(format_, float(text)))
            for sign in "", "-":
                value = struct.pack(format_, float(sign + text)).hex()
                for number in text, f"{bits:#x}":
                    tap.equal(f"{sign}{number}:{type_}",
                              bytes_of(f"{sign}{number}:{type_}", size), value)


def alignments_are_names_or_bytes(tap, tools):
    def declared(align):
        return tools.object('.kernel "k"\n.decl V32 v_type=G type=ub '
                            f"num_elts=1 align={align}\n").hex()

    for bytes_, name in ((1, "byte"), (2, "word"), (4, "dword"), (8, "qword"),
                         (16, "oword"), (32, "hword"), (64, "wordx32"),
                         (128, "wordx64")):
        tap.equal(f"align={bytes_}", declared(bytes_), declared(name))
    for old, name in (("2GRF", "GRFx2"), ("32word", "wordx32"),
                      ("64word", "wordx64")):
        tap.equal(f"align={old}", declared(old), declared(name))


def inputs_need_no_numbers(tap, tools):
    """Without them, an input is whole, at the beginning of the register file;
    a surface has four bytes."""
    def with_inputs(*lines):
        return tools.object(
            '.kernel "k"\n.decl V32 v_type=G type=uw num_elts=10 align=GRF\n'
            ".decl T6 v_type=T num_elts=1\n" + "\n".join(lines) + "\n").hex()

    tap.equal("offset and size", with_inputs(".input V32", ".input T6"),
              with_inputs(".input V32 offset=0 size=20",
                          ".input T6 offset=0 size=4"))
    tap.equal("size", with_inputs(".input V32 offset=64"),
              with_inputs(".input V32 offset=64 size=20"))
    tap.equal("offset", with_inputs(".input V32 size=2"),
              with_inputs(".input V32 offset=0 size=2"))


def objects_have_512_kernels(tap, tools):
    text = "".join(f'.kernel "k{n}"\n' for n in range(512))
    tap.true("512 kernels", tools.text(tools.object(text)).count(".kernel "))
    tap.true("513 kernels are too many", "513 kernels" in
             tools.error(text + '.kernel "more"\n'))
    text = ".kernel k\n" + "".join(f".global_function f{n}\n"
                                   for n in range(512))
    tap.true("512 functions",
             tools.text(tools.object(text)).count(".global_function "))
    tap.true("513 functions are too many", "513 functions" in
             tools.error(text + ".global_function more\n"))


def versions(tap, tools):
    for version in (4, 0), (4, 1), (4, 2):
        built = make_object([Kernel("k", b"\x5c\x80")], version)
        tap.true(f"objects of {version[0]}.{version[1]} are read",
                 "fence_sw" in tools.text(built))
    for version in (3, 6), (3, 0), (4, 3), (5, 0), (0, 0):
        done = tools.dis(make_object([Kernel("k", GATHER)], version))
        tap.true(f"objects of {version[0]}.{version[1]} are refused by name",
                 f"vISA {version[0]}.{version[1]} objects are not supported"
                 in done.stderr.decode() and done.returncode == 1)
    tap.equal("the version of a text says nothing",
              tools.object(".version 3.6\n.kernel k\nfence_sw\n"),
              tools.object(".version 4.1\n.kernel k\nfence_sw\n"))


def names_become_words(tap, tools):
    """Names that are not words, or that are in use, are replaced by names made
    of ids."""
    built = make_object([Kernel(
        "k", visa.gather(4, 16, 6, visa.ud(0), 32, 33),
        variables=[(name, "ud", 16)
                   for name in ("a b", "twice", "twice", "", "V33", "%r0",
                                "V32", "T6", "r", "V7")],
        predicates=[("twice", 8)], surfaces=[("twice", 1)])])
    text = tools.text(built)
    tap.equal("names", re.findall(r"^\.decl (\S+)", text, re.M),
              ["V32_", "twice", "V34", "V35", "V33", "V37", "V32", "T6",
               "V40", "V41", "P1", "T6_"])
    tap.true("the text is assembled again",
             b"gather" in tools.dis(tools.object(text)).stdout)


def labels_keep_their_ids(tap, tools):
    """A jump to a later label: the text determines the order."""
    code = bytes.fromhex("320000000100" "310000" "310100") + RET
    built = make_object([Kernel("k", code, labels=[("$a-1", 0), ("b", 4)])])
    text = tools.text(built)
    tap.true("labels are declared where their lines would not do",
             '.label "$a-1" kind=0\n.label "b" kind=4\n' in text and
             "\n$a-1:\nb:\n" in text, text)
    tap.equal("the object of that", tools.object(text).hex(), built.hex())


def what_is_no_object(tap, tools):
    with_variables = bytearray(make_object([Kernel("k", b"\x5c\x80")]))
    with_variables[27] = 1  # after the place of k
    for content, reason in (
            (with_variables, "variables of the whole file"),
            (b"", "its header"), (b"CISA", "its header"),
            (b"\x7fELF" + bytes(100), "does not begin with CISA")):
        done = tools.dis(content)
        tap.true(f"{content[:4]!r} is refused",
                 done.returncode == 1 and reason in done.stderr.decode(),
                 done.stderr.decode())


sys.exit(main(text_and_object_stand_for_each_other,
              functions_are_objects_of_their_own,
              file_and_loc_have_three_spellings,
              numbers_are_calculated_as_in_c, floats_are_decimal,
              alignments_are_names_or_bytes, inputs_need_no_numbers,
              objects_have_512_kernels, versions,
              names_become_words, labels_keep_their_ids, what_is_no_object))
