#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""veu-run: --trace of instructions, --break, --registers, and their faults.

Usage: run_step.py VEU-RUN
"""

import struct
import sys

import visa
from runner import main

# Even lanes are multiplied by 10 in a subroutine; the scatter is a message.
SOURCE = """.version 4.1
.kernel "k"
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=8 align=GRF
.decl A0 v_type=A num_elts=1
.decl P1 v_type=P num_elts=8
.decl T6 v_type=T num_elts=1
.input V32 offset=0 size=32
  and (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x1:ud
  cmp.ne (M1, 8) P1 V33(0,0)<1;1,0> 0x0:ud
  add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x64:ud
  (P1) goto (M1, 8) end
  call (M1, 8) times
end:
  mov (M1, 8) V34(0,0)<1> V33(0,0)<1;1,0>
  shl (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 0x2:ud
  movs (M1_NM, 1) T6(0) 0x0:ud
  addr_add (M1_NM, 1) A0(0)<1> &V32[8] 0x4:uw
  scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0
  ret (M1, 1)
.function "times"
times:
  mul (M1, 8) V33(0,0)<1> V33(0,0)<1;1,0> 0xa:ud
  ret (M1, 8)
"""

RUN = ["--simd", 8, "--set", "V32=0..7", "--memory", "0x1000:32",
       "--surface", "base=0x1000,width=32"]


def program(veu):
    return [veu.file("k.visaasm", SOURCE.encode()), *RUN]


def lines_of(done):
    """[(offset, what stands after it)] of a trace of thread 0"""
    words = [line.split(" ", 3) for line in done.err.splitlines()
             if line.startswith("thread 0 +")]
    return [(int(word[2][1:], 16), word[3]) for word in words]


def test_each_instruction_is_a_line(tap, veu):
    done = veu.run(*program(veu), "--trace")
    texts = [text for _, text in lines_of(done)]
    odd = [n + 100 for n in range(8)]
    tens = [n * 10 if n % 2 == 0 else n for n in odd]
    tap.equal("all that ran, in the order of execution", texts, [
        "and (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x1:ud 0xff "
        "0:0 1:1 2:0 3:1 4:0 5:1 6:0 7:1",
        "cmp.ne (M1, 8) P1 V33(0,0)<1;1,0> 0x0:ud 0xff P1=0xaa",
        "add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x64:ud 0xff "
        + " ".join(f"{n}:{n + 100}" for n in range(8)),
        "(P1) goto (M1, 8) L0 0xaa",
        "call (M1, 8) L1 0x55",
        "subroutine L1 0x55",
        "mul (M1, 8) V33(0,0)<1> V33(0,0)<1;1,0> 0xa:ud 0x55 "
        "0:1000 2:1020 4:1040 6:1060",
        "ret (M1, 8) 0x55",
        "label L0 0xff",
        "mov (M1, 8) V34(0,0)<1> V33(0,0)<1;1,0> 0xff "
        + " ".join(f"{n}:{value}" for n, value in enumerate(tens)),
        "shl (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 0x2:ud 0xff "
        + " ".join(f"{n}:{4 * n}" for n in range(8)),
        "movs (M1_NM, 1) T6(0) 0x0:ud 0x1 =0",
        "addr_add (M1_NM, 1) A0(0)<1> &V32[8] 0x4:uw 0x1 0:12",
        "scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0 0xff "
        + " ".join(f"{n}:0x{0x1000 + 4 * n:x}<-{value:08x}"
                   for n, value in enumerate(tens)),
        "ret (M1, 1) 0x1"])
    trace = veu.json(*program(veu), "--trace")["trace"]
    tap.equal("JSON: a row for each", len(trace), len(texts))
    tap.equal("JSON: lanes and values", trace[6], {
        "thread": 0, "offset": lines_of(done)[6][0],
        "instruction": "mul (M1, 8) V33(0,0)<1> V33(0,0)<1;1,0> 0xa:ud",
        "lanes": 0x55, "values": [{"lane": n, "value": tens[n]}
                                  for n in (0, 2, 4, 6)]})
    tap.equal("JSON: a predicate", trace[1]["predicate"], 0xaa)
    tap.equal("JSON: a message has its text as well",
              trace[13]["instruction"],
              "scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0")


def offset_of(veu, start):
    """Returns the offset of the instruction whose text begins like this."""
    done = veu.run(*program(veu), "--trace")
    return next(at for at, text in lines_of(done) if text.startswith(start))


def test_a_break_stops_before_an_instruction(tap, veu):
    at = offset_of(veu, "mul")
    done = veu.run(*program(veu), "--break", hex(at), "--show", "V33",
                   "--show", "0x1000:ud:1")
    tap.equal("exit status", done.status, 0)
    tap.equal("where it stopped, and with which lanes", done.err,
              f"thread 0 stopped at +0x{at:x} "
              "mul (M1, 8) V33(0,0)<1> V33(0,0)<1;1,0> 0xa:ud 0x55\n")
    done = veu.run(*program(veu), "--break", hex(at), "--registers")
    tap.true("registers as text",
             "\nr1     00000064 00000065 " in done.out, done)
    stopped = veu.json(*program(veu), "--break", at, "--show", "V33",
                       "--show", "0x1000:ud:1")
    tap.equal("JSON: the state", (stopped["status"], stopped["stopped"],
                                  stopped["states"][0]["offset"],
                                  stopped["states"][0]["lanes"]),
              ("stopped", True, at, 0x55))
    tap.equal("variables are as they were there",
              stopped["shown"][0]["values"], list(range(100, 108)))
    tap.equal("nothing after it has run", stopped["shown"][1]["values"], [0])
    first = veu.json(*program(veu), "--break", 0)
    tap.equal("the first instruction may be the one",
              first["states"][0]["registers"][:64],
              struct.pack("<8I", *range(8)).hex())
    second = veu.json(*program(veu), "--break", f"{at:#x}@1", "--threads", 2)
    tap.equal("it stops the thread that is named",
              [(s["thread"], s["offset"]) for s in second["states"]],
              [(1, at)])
    third = veu.run(*program(veu), "--break", f"{at}@2", "--threads", 2)
    tap.equal("there may be no such thread", (third.status, third.err),
              (0, f"veu-run: --break {at}@2: no EU thread came there\n"))
    two = veu.json(*program(veu), "--break", at, "--threads", 2, "--show",
                   "V33")
    tap.equal("a thread that has not started has no values",
              [shown["values"] for shown in two["shown"]],
              [list(range(100, 108)), None])


def test_a_break_that_is_not_met(tap, veu):
    source = SOURCE.replace("end:\n", "end:\n  goto (M1, 8) last\n"
                            "  and (M1, 1) V33(0,0)<1> V33(0,0)<0;1,0> "
                            "0x7:ud\nlast:\n")
    path = veu.file("k.visaasm", source.encode())
    done = veu.run(path, *RUN, "--trace")
    at = next(at for at, text in lines_of(done)
              if text.startswith("goto")) + 6
    done = veu.run(path, *RUN, "--break", at, "--show", "0x1000:ud:2")
    tap.equal("the program runs to its end", (done.status, done.err),
              (0, f"veu-run: --break {at}: no EU thread came there\n"))
    tap.true("and its results are shown", "1000" in done.out, done)


def test_registers(tap, veu):
    done = veu.run(*program(veu), "--registers")
    rows = dict(line.split(None, 1) for line in done.out.splitlines()[1:])
    tap.equal("registers, predicates and addresses at the end",
              (rows["r0"], rows["P1"], rows["A"]),
              (" ".join(f"{4 * n:08x}" for n in range(8)), "0x000000aa",
               "12"))
    tap.true("registers that are 0 are not printed", "r3" not in rows, done)
    states = veu.json(*program(veu), "--registers", "--threads",
                      2)["states"]
    tap.equal("JSON: the state of each EU thread",
              [(s["thread"], len(s["registers"]), s["predicates"],
                s["addresses"]) for s in states],
              [(n, 3 * 64, [0xaa], [12]) for n in (0, 1)])
    message = veu.run("--simd", 8, "--memory", "0x1000:32", "--surface",
                      "base=0x1000,width=32", "--message",
                      visa.gather_scaled(2, 2, 6, visa.ud(0), 32, 33).hex(),
                      "--var", "ud:8", "--var", "ud:8", "--set", "V32=0..7",
                      "--registers")
    tap.true("of a message, too", "r0     00000000 00000001" in message.out,
             message)


def test_what_cannot_be(tap, veu):
    for value, reason in (("x", "write the offset of an instruction"),
                          ("0x100000000", "write the offset"),
                          ("0@", "write the offset"),
                          ("@0", "write the offset"),
                          ("0@0@0", "write the offset"),
                          ("0@0xffffffffffffffff", "write the offset"),
                          ("1", "no instruction begins there")):
        done = veu.run(*program(veu), "--break", value)
        tap.true(f"--break {value}", done.status == 2 and reason in done.err,
                 done)
    done = veu.run("--simd", 8, "--message",
                   visa.gather_scaled(2, 2, 6, visa.ud(0), 32, 33).hex(),
                   "--var", "ud:8", "--var", "ud:8", "--break", 0)
    tap.true("--break in a message", done.status == 2 and
             "messages only" in done.err, done)


def test_faults_name_the_instruction(tap, veu):
    path = veu.file("i.visaasm", SOURCE.replace(
        "shl (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0>",
        "shl (M1, 8) V32(0,0)<1> r[A0(0),0]<1;1,0>:ud").encode())
    done = veu.run(path, *RUN, "--set", "A0=120")
    tap.true("INDIRECT, with the instruction's text", done.status == 1 and
             "fault INDIRECT" in done.err and
             "message  shl (M1, 8) V32(0,0)<1> r[A0(0),0]<1;1,0>:ud 0x2:ud"
             in done.err, done)
    path = veu.file("w.visaasm", SOURCE.replace(
        "V34(0,0)<1> V33(0,0)<1;1,0>", "V34(0,4)<1> V33(0,0)<1;1,0>").encode())
    done = veu.run(path, *RUN)
    tap.true("a bad operand, with the name of its field", done.status == 1 and
             "fault MESSAGE_OPERAND" in done.err and
             "message  mov, at +0x" in done.err and
             "detail   Dst, at byte 4 of the instruction" in done.err, done)
    path = veu.file("f.visaasm", SOURCE.replace(
        "  ret (M1, 1)\n", "").encode())
    done = veu.run(path, *RUN)
    tap.true("PROGRAM_FLOW, with the place", done.status == 1 and
             "fault PROGRAM_FLOW" in done.err and
             "of the code" in done.err, done)


sys.exit(main(test_each_instruction_is_a_line,
              test_a_break_stops_before_an_instruction,
              test_a_break_that_is_not_met, test_registers,
              test_what_cannot_be, test_faults_name_the_instruction))
