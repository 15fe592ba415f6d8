# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors of veu-as: the place, what was expected, what to write."""

import os
import subprocess
import sys
import tempfile

from assembler import Kernel, main, make_object

HEAD = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl A0 v_type=A num_elts=16
.decl P1 v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
"""

# Line 8 of the file, the column, a part of the message, a part of the hint.
LINES = """
gather.4 (M1, 16) T9 0:ud V32.0 V33.0|19|no surface T9|.decl T9 v_type=T
gather.4 (M1, 16) V32 0:ud V32.0 V33.0|19|V32 is a variable, not a surface|
gather.4 (M1, 16) T6 0:ud V99.0 V33.0|27|no variable V99|.decl V99 v_type=G
gather.4 (M1, 16) T6 r[A9(0)]<0;1,0>:ud V32.0 V33.0|24|address variable A9|
(P9) gather_scaled.4 (M1, 16) T6 0:ud V32.0 V33.0|2|no predicate P9|v_type=P
(P1) gather.4 (M1, 16) T6 0:ud V32.0 V33.0|1|takes no predicate|
(P1.some) qw_gather.1 (M1, 8) T6 V32.0 V33.0|5|expected any or all|
gather.4 (M1, 16) T6 V32(0,256)<0;1,0> V32.0 V33.0|28|column 256|from 0 to 255
gather.4 (M1, 16) T6 V32(0,0) V32.0 V33.0|31|expected '<'|V32(0,0)<0;1,0>
gather.4 (M1, 16) T6 V32 V32.0 V33.0|26|expected '('|V32(0,0)<0;1,0>
gather.4 (M1, 16) T6 V32(0,0)<3;1,0> V32.0 V33.0|31|no 3|16 or 32
gather.4 (M1, 16) T6 16 V32.0 V33.0|25|expected ':' and a type|0x10:ud
gather.4 (M1, 16) T6 16:xx V32.0 V33.0|25|expected a type|ud, d, uw
gather.4 (M1, 16) T6 0x100000000:ud V32.0 V33.0|22|does not fit|
gather.4 (M1, 16) T6 0:ud V32 V33.0|31|expected '.'|V32.0
gather.4 (M1, 16) T6 0:ud V32.0x20 V33.0|31|decimal offset|V32.(0x40)
gather.4 (M1, 16) T6 0:ud V32.65536 V33.0|31|65536 does not fit|65535
gather.4 (M1, 16) T6 0:ud %null.4 V33.0|27|%null|%null.0
gather.4 (M1, 16) T6 0:ud V32.0|32|expected a variable|operand Data
gather.4 (M1, 16) T6 0:ud V32.0 V33.0 V33.0|39|expected the end of the line|
gather.4 (M9, 16) T6 0:ud V32.0 V33.0|11|expected a mask|M1 to M8
gather.4 (M1, 4) T6 0:ud V32.0 V33.0|15|no number of lanes 4|8, 16 or 1
gather.3 (M1, 16) T6 0:ud V32.0 V33.0|8|no size 3|1, 2 or 4
gather (M1, 16) T6 0:ud V32.0 V33.0|8|expected '.'|Elt_size
gather4_scaled.BGR (M1, 8) T6 0:ud V32.0 V33.0|16|expected channels|RGBA
svm_gather.8 (M1, 8) V32.0 V33.0|14|expected '.'|Num_blocks
dword_atomic.mul (M1, 8) T6 V32.0 V32.0 V32.0 V32.0|14|atomic|cmpxchg
media_ld (8,8) T6 0 0:ud 0:ud V32.0|10|expected '.'|Modifiers
media_ld.nomod (8) T6 0 0:ud 0:ud V32.0|18|expected ','|
oword_ld (3) T6 0:ud V32.0|11|no number of owords 3|8 or 16
oword_ld (M3, 2) T6 0:ud V32.0|10|has no mask|(4)
fence_local.Q|13|options|E I S C R L1
mov.up (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>|5|expected sat|no other suffix
not.sat (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>|5|no suffix|does not saturate
cmp.no (M1, 16) P1 V33(0,0)<1;1,0> 0:d|5|a suffix|.eq, .ne, .gt
add (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>|41|expected a number|operand Src1
(P1) cmp.eq (M1, 16) P1 V33(0,0)<1;1,0> 0:d|1|takes no predicate|
addr_add (M1, 1) A0(0)<3> &V32 0:uw|24|no number of elements 3|8, 16 or 32
addr_add (M1, 1) A0(0)<1> &V32[3] 0:uw|32|not a multiple|
movs (M1, 1) T6 0:ud|17|expected '('|
bfn.q5 (M1, 16) V32(0,0)<1> 0:d 0:d 0:d|5|expected a function|.x3f
goto (M1, 16) nowhere|15|no label nowhere|colon
lsc_load.ugm (M1, 16) V32:d33 flat[V32]:a64|27|a data shape|d32, d64
lsc_load.ugm (M1, 16) V32:d8c32x5 flat[V32]:a64|27|a data shape|d32, d64
lsc_load.xyz (M1, 16) V32:d32 flat[V32]:a64|10|a function|ugm ugml tgm slm
lsc_load.ugm.ca.zz (M1, 16) V32:d32 flat[V32]:a64|17|a caching option|df uc
lsc_load.ugm (M1, 16) V32:d32 flat[V32]:a65|41|an address size|a16 a32 a64
lsc_load.ugm (M1, 16) V32:d32 flut[V32]:a64|31|an address model|bss ss bti
lsc_fence.ugm.evoct.tile|15|an operation|evict invalidate
lsc_fence.ugm.evict.tole|21|a scope|group local tile
lsc_frob.ugm (M1, 16) V32:d32 flat[V32]:a64|1|no instruction lsc_frob|
sample_lz (M1, 16) 0:uw S0 T6 V32.0|11|expected '.'|channels
dp2 (M1, 5) V32(0,0)<1> V33(0,0)<1;1,0> 0:f|10|no number of lanes 5|8, 16 or 32
dp2 (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>|41|expected a number|
frobnicate V1|1|there is no instruction frobnicate|
dpas.s8.s8.8.8 (M1, 8) V32.0 V32.0 V32.0 V32(0,0)|1|dpas has no text|.bytes
gathr.4 (M1, 16) T6 0:ud V32.0 V33.0|1|no instruction gathr|did you mean gather?
SCATER_SCALED.4 (M1, 16) T6 0:ud V32.0 V33.0|1||did you mean scatter_scaled?
gto (M1, 16) out|1|no instruction gto|did you mean goto?
maxx (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0> 0:d|1|no instruction|did you mean max?
.decl V32 v_type=G type=ud num_elts=1|7|'V32' is declared already|
.decl %r0 v_type=G type=ud num_elts=1|7|expected a name|
.decl X v_type=Q num_elts=1|16|expected a kind|G for general
.decl X v_type=g num_elts=1|16|expected a kind|G for general
.decl X v_type=G type=ud align=GRF|7|X has no elements|num_elts=16
.decl X v_type=G type=ud num_elts=1 align=3word|43|no alignment 3word|GRFx2
.decl X v_type=G type=ud num_elts=70000|35|does not fit|65535
.decl X v_type=P num_elts=1 align=GRF|29|expected a property|num_elts
.decl X v_type=G type=ud num_elts=1 alias=<Y, 0>|44|no variable Y|
.input Nothing offset=0 size=4|8|expected a variable|
.kernel_attr Target="gpu"|21|no target gpu|"cm"
.kernel_attr X="abc|16|string has no end|
.decl X v_type=G type=ud num_elts=1 align=3|43|no alignment 3|GRFx2
.function 5|11|expected a name|
.frobnicate|2|expected a directive|.kernel
.bytes zz|8|expected a byte|two hexadecimal digits
/* a comment|1|comment has no end|
ret|4|expected '('|(M1, 16)
""".strip().splitlines()


def lines_without_an_instruction(tap, tools):
    """They are answered like others, and nothing else is printed."""
    lines = ["/* a comment", "16", '"text', "!", "(", ".", "\\", "V32"]
    for line, answer in zip(lines, tools.as_hex(lines)):
        tap.true(line, answer.startswith("error: column 1: ") or
                 line in "(" and answer.startswith("error: column 2: "),
                 answer)


def lines_name_labels_by_their_numbers(tap, tools):
    """Without declarations, nothing else can be the name of a label."""
    done = tools.asm("goto (M1, 16) L3\ngoto (M1, 16) foo\n", "--hex")
    answers = done.stdout.decode().splitlines()
    tap.equal("L3 is label 3", answers[0], "6c0400000300")
    tap.true("foo is none", answers[1].startswith(
        "error: column 15: there is no label foo"), answers)


def positions_and_hints(tap, tools):
    for row in LINES:
        line, column, message, hint = row.split("|")
        said = tools.error(HEAD + line + "\n")
        first = said.splitlines()[0]
        tap.true(line, first.startswith(f"standard input:8:{column}: error: ")
                 and message in first and hint in said, said)


def a_name_ends_where_it_ends(tap, tools):
    """An unknown name is shown alone, up to its end."""
    for name, shown in (("lsc_frob", "lsc_frob"),
                        ("lsc_" + 50 * "f", "lsc_" + 36 * "f")):
        said = tools.error(f"{HEAD}{name}.ugm (M1, 16) V32:d32 V33:a64\n")
        tap.true(shown, said.splitlines()[0].endswith(
            f"there is no instruction {shown}"), said)


def the_line_is_shown(tap, tools):
    said = tools.error(HEAD + "\tgather.4 (M1, 16) T9 0:ud V32.0 V33.0\n")
    tap.equal("the line with a caret below it", said.splitlines()[1:3],
              ["  \tgather.4 (M1, 16) T9 0:ud V32.0 V33.0",
               "  \t                  ^"])
    said = tools.error(".version 4.1\n\n\nfence_sw\n")
    tap.true("text without a kernel", "standard input:4:1: error: this stands "
             "before any kernel" in said and '.kernel "name"' in said, said)


def all_errors_of_a_file_are_shown(tap, tools):
    said = tools.error(HEAD + "gathr V1\n.decl V32 v_type=G\nfence_sw\n"
                       "fence_sw fence_sw\nlabel: what\n")
    tap.equal("each line that is wrong, and no other",
              [line.split(":")[1] for line in said.splitlines()
               if ": error: " in line], ["8", "9", "11", "12"])
    said = tools.error(HEAD + "frobnicate V1\n" * 1000)
    tap.equal("but not a thousand", said.count(": error: "), 20)
    said = tools.error(HEAD + 'frobnicate V1\n.kernel "no end\nfrobnicate\n')
    tap.equal("up to where lines cannot be told apart",
              said.count(": error: "), 2)


def programs_name_what_they_cannot_have(tap, tools):
    text = HEAD + "fence_sw\n.bytes 7c00\nfence_sw\n"
    said = tools.error(text, "--program")
    tap.true("an instruction that veu does not execute, by its line",
             "standard input:9:8: error: sbarrier: veu does not execute it" in
             said, said)
    built = make_object([Kernel("k", bytes.fromhex("5c80" "7c00"))])
    said = tools.error(built, "--program")
    tap.true("by its offset, where there is no text",
             "kernel 'k', instruction at 0x0002: sbarrier" in said, said)
    said = tools.error(HEAD + "gather.4 (M1, 16) T6 0:ud %arg.0 V33.0\n",
                       "--program")
    tap.true("a predefined variable", ":8:1: error: gather: no program has "
             "%arg" in said, said)
    text = ".kernel k\n" + "".join(
        f".decl P{n} v_type=P num_elts=1\n" for n in range(1, 4001)) + \
        "fcall (M1, 8) f 0 0\nret (M1, 1)\n"
    for last, reason in ((95, "k' has 4095 predicates, and a program at most"),
                         (96, "goto: the program has too many predicates")):
        said = tools.error(
            text + ".global_function f\n" + "".join(
                f".decl P{n} v_type=P num_elts=1\n"
                for n in range(1, last + 1)) +
            f"(P{last}) goto (M1, 8) l\nl:\nfret (M1, 8)\n", "--program")
        tap.true("an id of a predicate has 12 bits", reason in said, said)
    said = tools.error(HEAD + ".decl V34 v_type=G type=ud num_elts=1 "
                       "alias=<%arg, 0>\nfence_sw\n", "--program")
    tap.true("a part of one", "V34 is a part of %arg, which no program has" in
             said, said)
    built = make_object([Kernel("k", b"\x5c\x80",
                                variables=[("a", "ud", 0)])])
    said = tools.error(built, "--program")
    tap.true("a variable without elements", "has no elements" in said, said)
    said = tools.error(HEAD + ".decl P2 v_type=P num_elts=33\nfence_sw\n",
                       "--program")
    tap.true("a predicate of 33 lanes", "P2 has 33 lanes" in said, said)
    said = tools.error(HEAD + ".decl V34 v_type=G type=bool num_elts=1\n"
                       "fence_sw\n", "--program")
    tap.true("a variable of a type that has no size", "V34 has a type" in said,
             said)


def wrong_options(tap, tools):
    for args, reason in ((["--grf", "48"], "32 or 64 bytes"),
                         (["--kernel", "k"], "--kernel is for --program"),
                         (["--hex", "-o", "x"], "--hex reads lines"),
                         (["--decls", "x"], "--decls is for --hex"),
                         (["a", "b"], "'b': only one file can be read"),
                         (["--nonsense"], "--help")):
        done = tools.asm("", *args)
        tap.true(f"veu-as {' '.join(args)}", done.returncode == 2 and
                 reason in done.stderr.decode(), done)
    done = tools.asm("", "no such file")
    tap.true("a file that is not there", done.returncode == 1 and
             b"no such file" in done.stderr, done)
    done = tools.asm("ret (M1, 1)\n", "--hex", "--decls", "no such file")
    tap.true("--decls: a file that is not there", done.returncode == 1 and
             b"no such file" in done.stderr and not done.stdout, done)


def wrong_declarations(tap, tools):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "decls")
        for text, place, reason in (
                ('.version 4.1\n"open\n', "2:1", "this string has no end"),
                (".decl V32 v_type=Q\n", "1:18", "expected a kind")):
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            done = tools.asm("fence_sw\n", "--hex", "--decls", path)
            tap.true(f"--decls: {reason}", done.returncode == 1 and
                     not done.stdout and f"{path}:{place}: error: {reason}" in
                     done.stderr.decode(), done)


def answers_that_cannot_be_written(tap, tools):
    for tool in (tools.assembler, tools.disassembler):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tool, "--hex"], input=b"ret (M1, 16)\n",
                                  stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        tap.true("a full disk is told, " + tool.rsplit("/", 1)[-1],
                 done.returncode == 1 and b"cannot write" in done.stderr, done)


sys.exit(main(lines_without_an_instruction,
              lines_name_labels_by_their_numbers, positions_and_hints,
              a_name_ends_where_it_ends,
              the_line_is_shown, all_errors_of_a_file_are_shown,
              programs_name_what_they_cannot_have, wrong_options,
              wrong_declarations,
              answers_that_cannot_be_written))
